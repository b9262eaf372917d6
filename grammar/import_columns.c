/* SPDX-License-Identifier: Apache-2.0
 *
 * import_columns.c: grammars in columns: POCR, and GraCFL with Graspan.
 *
 *     A    a    M          A ::= a M          left, then none, one or two symbols
 *     FV_i fbar_i V        FV[i] ::= ~f[i] V  POCR: _i is the rule's variable
 *     Count:               POCR: the symbols that follow are counted; the first is the start
 *     FV_0 fbar_0 V        FV["0"] ::= ...    GraCFL: labels are expanded, so indexes are constants
 *     MA   Mq   -a         MA ::= Mq ~a       Graspan
 *
 * Graspan-G puts the number of rules on the first line. `xbar` is the converse of x unless it has
 * rules of its own.
 */
#include "grammar/import.h"
#include "grammar/parse.h"

typedef struct columns {
    cflri_importer importer;
    cflri_lines lines;
    bool counting; /* behind "Count:" */
    bool has_start;
    uint64_t promised; /* rules, by Graspan-G's first line; 0 when not told */
    uint64_t n_rules;
} columns;

/* Up to 18 digits, which is more rules than a text can hold. */
static bool is_number(const cflri_word *word, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < word->length; i++) {
        if (word->at[i] < '0' || word->at[i] > '9') return false;
        *number = *number * 10 + (uint64_t)(word->at[i] - '0');
    }
    return word->length <= 18;
}

static cflr_status complain(columns *c, uint32_t word, const char *message) {
    uint32_t column = word < c->lines.n_words ? c->lines.word[word].place.column : 0;
    return cflri_fail_at(c->importer.error, CFLR_SYNTAX, c->importer.ast->grammar->subject,
                         c->lines.number, column, "%s", message);
}

/* Does this line only announce the number of rules? */
static bool is_header(columns *c) {
    return c->n_rules == 0 && c->promised == 0 && c->lines.n_words == 1 &&
           is_number(&c->lines.word[0], &c->promised);
}

static cflr_status look_at_line(columns *c) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < c->lines.n_words && st == CFLR_OK; i++) {
        st = cflri_names_seen_add(&c->importer.seen, &c->lines.word[i], i == 0 && !c->counting,
                                  c->importer.error);
    }
    return st;
}

static cflr_status take_rule(columns *c) {
    cflri_importer *importer = &c->importer;
    cflri_node *first = NULL, *second = NULL, *body;
    cflr_status st = CFLR_OK;
    uint32_t n = c->lines.n_words;
    if (n > 3) return complain(c, 3, "a rule has a left side and at most two symbols on the right");
    bool empty = n == 1 || (n == 2 && cflri_word_is_epsilon(&c->lines.word[1]));
    cflri_rule_begin(&importer->builder, importer->ast);
    CFLR_TRY(cflri_import_left(importer, &c->lines.word[0]));
    if (!empty) CFLR_TRY(cflri_import_node(importer, &c->lines.word[1], &first));
    if (n == 3) CFLR_TRY(cflri_import_node(importer, &c->lines.word[2], &second));
    if (first) first->next = second;
    CFLR_TRY(cflri_node_make(importer->ast, empty ? CFLRI_NODE_EMPTY : CFLRI_NODE_CONCAT, first,
                             c->lines.word[0].place, &body, importer->error));
    CFLR_TRY(cflri_rule_end(&importer->builder, body, importer->error));
    c->n_rules++;
out:
    return st;
}

static cflr_status take_counted(columns *c) {
    if (c->has_start) return CFLR_OK;
    c->has_start = true;
    return cflri_import_start(&c->importer, &c->lines.word[0]);
}

static cflr_status take_line(columns *c, bool first_look) {
    if (c->lines.n_words == 0) return CFLR_OK;
    if (cflri_word_is(&c->lines.word[0], "Count:")) {
        c->counting = true;
        return CFLR_OK;
    }
    if (is_header(c)) return CFLR_OK;
    if (first_look) {
        c->n_rules++;
        return look_at_line(c);
    }
    return c->counting ? take_counted(c) : take_rule(c);
}

static cflr_status take_all(columns *c, const char *text, size_t length, bool first_look) {
    cflr_status st = CFLR_OK;
    bool more = true;
    c->counting = false;
    c->promised = c->n_rules = 0;
    cflri_lines_init(&c->lines, text, length, c->importer.ast->grammar->subject);
    while (more) {
        CFLR_TRY(cflri_lines_next(&c->lines, &more, c->importer.error));
        if (more) CFLR_TRY(take_line(c, first_look));
    }
    if (!first_look && c->promised && c->promised != c->n_rules) {
        st = complain(c, 0, "the first line promises another number of rules");
    }
out:
    return st;
}

static cflr_status read_columns(const char *text, size_t length, struct cflri_ast *ast,
                                cflri_spelling spelling, cflr_error *error) {
    columns c = {.importer = {.ast = ast, .spelling = spelling, .error = error}};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_names_seen_init(&c.importer.seen, ast->context, error));
    CFLR_TRY(take_all(&c, text, length, true));
    CFLR_TRY(take_all(&c, text, length, false));
out:
    cflri_names_seen_free(&c.importer.seen);
    return st;
}

cflr_status cflri_parse_pocr(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error) {
    cflri_spelling spelling = {.converse_suffix = "bar", .variable_suffix = true};
    return read_columns(text, length, ast, spelling, error);
}

cflr_status cflri_parse_gracfl(const char *text, size_t length, struct cflri_ast *ast,
                               cflr_error *error) {
    cflri_spelling spelling = {
        .converse_suffix = "bar", .minus_is_converse = true, .constant_suffix = true};
    return read_columns(text, length, ast, spelling, error);
}
