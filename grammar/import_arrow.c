/* SPDX-License-Identifier: Apache-2.0
 *
 * import_arrow.c: grammars with `->`: SVF and CFPQ.
 *
 *     SVF   Start:                          CFPQ   S -> a S b
 *           V                                      S -> a b | epsilon
 *           Terminal:                              PT -> load_i Alias store_i
 *           Addr Copy Gep_i                        Alias -> (assign | PT)* assign_r
 *           Productions:
 *           V -> (Copy | Gep_i Vbar)* | epsilon;
 *
 * Words are separated by white space and by the signs ( ) | * + ? ; (which need no space around
 * them). A rule ends at ';', at the end of the text, and where `word ->` begins the next one. SVF
 * writes the converse of x as xbar, CFPQ as x_r; both write indexes as _i, CFPQ numbers too.
 */
#include <string.h>

#include "grammar/import.h"
#include "grammar/parse.h"

enum { DEEPEST = 100 };

typedef struct arrows {
    cflri_importer importer;
    cflri_lines lines;
    CFLRI_VEC(cflri_word) words; /* the whole text, signs as words of their own */
    size_t at;
    uint32_t depth;
} arrows;

/* ---- words ---- */

static bool is_sign(char c) {
    return c && strchr("()|*+?;", c);
}

/* Cuts signs off a word of a line. */
static bool push_pieces(arrows *a, const cflri_word *word) {
    cflr_context *context = a->importer.ast->context;
    for (size_t at = 0; at < word->length;) {
        size_t end = at + 1;
        if (!is_sign(word->at[at])) {
            while (end < word->length && !is_sign(word->at[end])) end++;
        }
        cflri_word piece = {
            word->at + at, end - at, {word->place.line, word->place.column + (uint32_t)at}};
        if (!cflri_vec_push(context, &a->words, piece)) return false;
        at = end;
    }
    return true;
}

static cflr_status cut(arrows *a, const char *text, size_t length) {
    bool more = true;
    cflr_status st = CFLR_OK;
    cflri_lines_init(&a->lines, text, length, a->importer.ast->grammar->subject);
    while (more) {
        CFLR_TRY(cflri_lines_next(&a->lines, &more, a->importer.error));
        for (uint32_t i = 0; i < a->lines.n_words; i++) {
            if (push_pieces(a, &a->lines.word[i])) continue;
            st = cflri_fail_memory(a->importer.ast->context, a->importer.error);
            goto out;
        }
    }
out:
    return st;
}

static bool ahead_is(const arrows *a, size_t ahead, const char *text) {
    return a->at + ahead < a->words.n && cflri_word_is(&a->words.at[a->at + ahead], text);
}

static cflr_status expected(const arrows *a, const char *what) {
    cflri_place place = {a->lines.number, 0};
    cflri_word none = {"the end of the text", 19, place};
    const cflri_word *word = a->at < a->words.n ? &a->words.at[a->at] : &none;
    return cflri_fail_at(a->importer.error, CFLR_SYNTAX, a->importer.ast->grammar->subject,
                         word->place.line, word->place.column, "expected %s, not '%.*s'", what,
                         (int)(word->length < 60 ? word->length : 60), word->at);
}

/* ---- expressions ---- */

static bool at_rule(const arrows *a) {
    return ahead_is(a, 1, "->");
}

/* Does a sequence end here? */
static bool at_end(const arrows *a) {
    return a->at >= a->words.n || at_rule(a) || ahead_is(a, 0, ";") || ahead_is(a, 0, ")") ||
           ahead_is(a, 0, "|");
}

static cflr_status make(arrows *a, cflri_node_kind kind, cflri_node *first, cflri_place place,
                        cflri_node **node) {
    return cflri_node_make(a->importer.ast, kind, first, place, node, a->importer.error);
}

static cflr_status read_alternatives(arrows *a, cflri_node **node);

static cflr_status read_atom(arrows *a, cflri_node **node) {
    const cflri_word *word = &a->words.at[a->at];
    cflr_status st = CFLR_OK;
    if (ahead_is(a, 0, "(")) {
        if (++a->depth > DEEPEST) return expected(a, "fewer than 100 open parentheses");
        a->at++;
        CFLR_TRY(read_alternatives(a, node));
        if (!ahead_is(a, 0, ")")) return expected(a, "')'");
        a->depth--;
        a->at++;
    } else if (is_sign(word->at[0]) || ahead_is(a, 0, "->")) {
        return expected(a, "a symbol");
    } else {
        a->at++;
        if (cflri_word_is_epsilon(word)) return make(a, CFLRI_NODE_EMPTY, NULL, word->place, node);
        CFLR_TRY(cflri_import_node(&a->importer, word, node));
    }
out:
    return st;
}

static cflr_status read_factor(arrows *a, cflri_node **node) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_atom(a, node));
    for (;;) {
        cflri_node_kind kind = ahead_is(a, 0, "*")   ? CFLRI_NODE_STAR
                               : ahead_is(a, 0, "+") ? CFLRI_NODE_PLUS
                               : ahead_is(a, 0, "?") ? CFLRI_NODE_OPTION
                                                     : CFLRI_NODE_EMPTY;
        if (kind == CFLRI_NODE_EMPTY) break;
        CFLR_TRY(make(a, kind, *node, a->words.at[a->at].place, node));
        a->at++;
    }
out:
    return st;
}

static cflri_place place_here(const arrows *a) {
    if (a->at < a->words.n) return a->words.at[a->at].place;
    return (cflri_place){a->lines.number, 0};
}

static cflr_status read_sequence(arrows *a, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_node *first = NULL, **last = &first;
    cflri_place place = place_here(a);
    while (!at_end(a)) {
        CFLR_TRY(read_factor(a, last));
        last = &(*last)->next;
    }
    CFLR_TRY(make(a, first ? CFLRI_NODE_CONCAT : CFLRI_NODE_EMPTY, first, place, node));
out:
    return st;
}

static cflr_status read_alternatives(arrows *a, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_node *first = NULL, **last = &first;
    cflri_place place = place_here(a);
    for (bool more = true; more;) {
        CFLR_TRY(read_sequence(a, last));
        last = &(*last)->next;
        more = ahead_is(a, 0, "|");
        if (more) a->at++;
    }
    CFLR_TRY(make(a, CFLRI_NODE_ALT, first, place, node));
out:
    return st;
}

/* ---- rules and sections ---- */

static cflr_status read_rule(arrows *a) {
    cflr_status st = CFLR_OK;
    cflri_node *body;
    if (!at_rule(a)) return expected(a, "a rule, `symbol -> ...`");
    cflri_rule_begin(&a->importer.builder, a->importer.ast);
    CFLR_TRY(cflri_import_left(&a->importer, &a->words.at[a->at]));
    a->at += 2;
    CFLR_TRY(read_alternatives(a, &body));
    CFLR_TRY(cflri_rule_end(&a->importer.builder, body, a->importer.error));
    if (a->at < a->words.n && !at_rule(a)) {
        if (!ahead_is(a, 0, ";")) return expected(a, "the end of the rule");
        a->at++;
    }
out:
    return st;
}

static cflr_status read_rules(arrows *a) {
    cflr_status st = CFLR_OK;
    while (st == CFLR_OK && a->at < a->words.n) {
        if (ahead_is(a, 0, ";"))
            a->at++;
        else if (ahead_is(a, 0, "Count:"))
            a->at = a->words.n; /* what follows is counted, no rule */
        else
            st = read_rule(a);
    }
    return st;
}

static cflr_status read_sections(arrows *a) {
    cflr_status st = CFLR_OK;
    if (!ahead_is(a, 0, "Start:")) return expected(a, "'Start:'");
    a->at++;
    if (a->at >= a->words.n) return expected(a, "the start symbol");
    CFLR_TRY(cflri_import_start(&a->importer, &a->words.at[a->at++]));
    if (!ahead_is(a, 0, "Terminal:")) return expected(a, "'Terminal:'");
    while (a->at < a->words.n && !ahead_is(a, 0, "Productions:")) a->at++;
    if (a->at >= a->words.n) return expected(a, "'Productions:'");
    a->at++;
    CFLR_TRY(read_rules(a));
out:
    return st;
}

static cflr_status look_at_words(arrows *a) {
    for (size_t i = 0; i < a->words.n; i++) {
        const cflri_word *word = &a->words.at[i];
        bool left = i + 1 < a->words.n && cflri_word_is(&a->words.at[i + 1], "->");
        cflr_status st = cflri_names_seen_add(&a->importer.seen, word, left, a->importer.error);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static cflr_status read_arrows(const char *text, size_t length, struct cflri_ast *ast,
                               cflri_spelling spelling, bool sections, cflr_error *error) {
    arrows a = {.importer = {.ast = ast, .spelling = spelling, .error = error}};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_names_seen_init(&a.importer.seen, ast->context, error));
    CFLR_TRY(cut(&a, text, length));
    CFLR_TRY(look_at_words(&a));
    CFLR_TRY(sections ? read_sections(&a) : read_rules(&a));
out:
    cflri_vec_free(ast->context, &a.words);
    cflri_names_seen_free(&a.importer.seen);
    return st;
}

cflr_status cflri_parse_svf(const char *text, size_t length, struct cflri_ast *ast,
                            cflr_error *error) {
    cflri_spelling spelling = {.converse_suffix = "bar", .variable_suffix = true};
    return read_arrows(text, length, ast, spelling, true, error);
}

cflr_status cflri_parse_cfpq(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error) {
    cflri_spelling spelling = {
        .converse_suffix = "_r", .variable_suffix = true, .constant_suffix = true};
    return read_arrows(text, length, ast, spelling, false, error);
}
