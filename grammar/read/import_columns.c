/* SPDX-License-Identifier: Apache-2.0
 *
 * import_columns.c: grammars in columns: POCR, and GraCFL with both Graspans.
 *
 *     A    a    M          A ::= a M          left, then none, one or two symbols
 *     FV_i fbar_i V        FV[i] ::= ~f[i] V  POCR: _i is the rule's variable
 *     FV_0 fbar_0 V        FV["0"] ::= ...    GraCFL: labels are expanded, so indexes are constants
 *     MA   Mq   -a         MA ::= Mq ~a       Graspan
 *
 * POCR has sections: "Production:" (where a file begins anyway), "Count:" with the symbols that are
 * counted, separated by commas, the first of which is the start symbol here; "Insert:" and
 * "Follow:" steer POCR's own solver and are skipped. Graspan-G puts the number of rules on the
 * first line.
 *
 * The text is read twice: whether `xbar` is the converse of x depends on all left sides. A rule
 * that has only a left side and one of the words for epsilon is an epsilon rule.
 */
#include <assert.h>

#include "grammar/read/import.h"
#include "grammar/read/parse.h"

typedef enum section { RULES, COUNT, SKIPPED } section;

enum { MOST_WORDS = 4 }; /* of a rule: one more than it may have */

typedef struct columns {
    cflri_importer importer;
    cflri_lines lines;
    section section;
    bool looking; /* the first reading */
    cflri_word word[MOST_WORDS];
    uint32_t n_words;
    cflri_place header;
    uint64_t promised; /* rules, by the header */
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

static cflr_status complain(const columns *c, cflri_place place, const char *message) {
    return cflri_fail_at(c->importer.error, CFLR_SYNTAX, c->lines.subject, place.line, place.column,
                         "%s", message);
}

/* ---- rules ---- */

/* Does this line only announce the number of rules? */
static bool take_header(columns *c) {
    if (c->n_rules || c->header.line || c->n_words != 1) return false;
    if (!is_number(&c->word[0], &c->promised)) return false;
    c->header = c->word[0].place;
    return true;
}

static cflr_status look_at_rule(columns *c) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < c->n_words && st == CFLR_OK; i++) {
        st = cflri_names_seen_add(&c->importer.seen, &c->word[i], i == 0, c->importer.error);
    }
    return st;
}

static cflr_status take_rule(columns *c) {
    cflri_importer *importer = &c->importer;
    cflri_node *first = NULL, *second = NULL, *body;
    cflr_status st = CFLR_OK;
    uint32_t n = c->n_words;
    if (n == 2 && cflri_word_is_epsilon(&c->word[1])) n = 1;
    cflri_rule_begin(&importer->builder, importer->ast);
    CFLR_TRY(cflri_import_left(importer, &c->word[0]));
    if (n > 1) CFLR_TRY(cflri_import_node(importer, &c->word[1], &first));
    if (n > 2) CFLR_TRY(cflri_import_node(importer, &c->word[2], &second));
    if (first) first->next = second;
    CFLR_TRY(cflri_node_make(importer->ast, CFLRI_NODE_CONCAT, first, c->word[0].place, &body,
                             importer->error));
    CFLR_TRY(cflri_rule_end(&importer->builder, body, importer->error));
out:
    return st;
}

static cflr_status take_rule_line(columns *c) {
    if (take_header(c)) return CFLR_OK;
    c->n_rules++;
    if (c->n_words == MOST_WORDS) {
        return complain(c, c->word[3].place,
                        "a rule has a left side and at most two symbols on the right");
    }
    return c->looking ? look_at_rule(c) : take_rule(c);
}

/* ---- sections ---- */

static bool take_heading(columns *c) {
    static const struct {
        const char *heading;
        section section;
    } headings[] = {
        {"Production:", RULES}, {"Count:", COUNT}, {"Insert:", SKIPPED}, {"Follow:", SKIPPED}};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (!cflri_word_is(&c->word[0], headings[i].heading)) continue;
        c->section = headings[i].section;
        return true;
    }
    return false;
}

/* "V, A" or "V,A": the first counts. */
static cflr_status take_counted(columns *c, cflri_word word) {
    if (c->looking) return CFLR_OK;
    for (size_t i = 0; i < word.length; i++) {
        if (word.at[i] == ',') word.length = i;
    }
    return word.length ? cflri_import_start(&c->importer, &word) : CFLR_OK;
}

static cflr_status take_line(columns *c) {
    cflr_status st = CFLR_OK;
    bool found = true;
    c->n_words = 0;
    while (c->n_words < MOST_WORDS) {
        CFLR_TRY(cflri_lines_word(&c->lines, &c->word[c->n_words], &found, c->importer.error));
        if (!found) break;
        c->n_words++;
    }
    if (!c->n_words) return CFLR_OK;
    bool heading = take_heading(c);
    if (c->section == RULES && !heading) return take_rule_line(c);
    if (c->section != COUNT) return CFLR_OK;
    if (heading && c->n_words == 1) return CFLR_OK;
    return take_counted(c, c->word[heading]);
out:
    return st;
}

static cflr_status read_text(columns *c, const char *text, size_t length, bool looking) {
    c->looking = looking;
    c->section = RULES;
    c->header = (cflri_place){0};
    c->n_rules = 0;
    cflri_lines_init(&c->lines, text, length, c->importer.ast->grammar->subject);
    do {
        cflr_status st = take_line(c);
        if (st != CFLR_OK) return st;
    } while (cflri_lines_next(&c->lines));
    if (c->header.line && c->promised != c->n_rules) {
        return complain(c, c->header, "this is not the number of rules that follow");
    }
    return CFLR_OK;
}

static cflr_status read_columns(const char *text, size_t length, struct cflri_ast *ast,
                                cflr_grammar_format format, cflr_error *error) {
    columns c = {.section = RULES};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_importer_init(&c.importer, ast, format, error));
    CFLR_TRY(read_text(&c, text, length, true));
    CFLR_TRY(read_text(&c, text, length, false));
out:
    cflri_importer_free(&c.importer);
    return st;
}

cflr_status cflri_parse_pocr(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error) {
    return read_columns(text, length, ast, CFLR_GRAMMAR_POCR, error);
}

cflr_status cflri_parse_gracfl(const char *text, size_t length, struct cflri_ast *ast,
                               cflr_error *error) {
    return read_columns(text, length, ast, CFLR_GRAMMAR_GRACFL, error);
}
