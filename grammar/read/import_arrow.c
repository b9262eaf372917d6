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
 * Words are separated by white space, by `->` and by the signs ( ) | * + ? ; which need no space
 * around them. A rule ends at ';', at the end of the text, and where a line begins with `word ->`.
 * SVF writes the converse of x as xbar, CFPQ as x_r; both write indexes as _i and _12. SVF takes a
 * symbol that begins with a capital for a nonterminal; here, as everywhere, a nonterminal is what
 * has rules, so the list of terminals says nothing new and is only looked through. CFPQ files may
 * end with "Count:" and the start symbol.
 */
#include <string.h>

#include "grammar/read/import.h"
#include "grammar/read/parse.h"

typedef struct arrows {
    cflri_importer importer;
    cflri_lines lines;
    CFLRI_VEC(cflri_word) words; /* the whole text, signs as words of their own */
    size_t at;
    uint32_t depth;
    cflri_word last; /* stands for the end of the text */
} arrows;

/* ---- words ---- */

static bool is_sign(char c) {
    return c && strchr("()|*+?;", c);
}

static bool is_arrow(const cflri_word *word, size_t at) {
    return word->length - at >= 2 && word->at[at] == '-' && word->at[at + 1] == '>';
}

static size_t piece_length(const cflri_word *word, size_t at) {
    if (is_arrow(word, at)) return 2;
    if (is_sign(word->at[at])) return 1;
    size_t end = at + 1;
    while (end < word->length && !is_sign(word->at[end]) && !is_arrow(word, end)) end++;
    return end - at;
}

/* Cuts signs off a word of a line. */
static cflr_status push_pieces(arrows *a, const cflri_word *word) {
    cflr_context *context = a->importer.ast->context;
    cflri_word piece = {.place = word->place};
    for (size_t at = 0; at < word->length; at += piece.length) {
        piece.at = word->at + at;
        piece.length = piece_length(word, at);
        if (!cflri_vec_push(context, &a->words, piece)) {
            return cflri_fail_memory(context, a->importer.error);
        }
        for (size_t i = 0; i < piece.length; i++) {
            if (((unsigned char)piece.at[i] & 0xC0) != 0x80) piece.place.column++;
        }
    }
    return CFLR_OK;
}

static cflr_status cut(arrows *a, const char *text, size_t length) {
    cflr_status st = CFLR_OK;
    cflri_lines_init(&a->lines, text, length, a->importer.ast->grammar->subject);
    do {
        cflri_word word;
        bool found = true;
        while (found) {
            CFLR_TRY(cflri_lines_word(&a->lines, &word, &found, a->importer.error));
            if (found) CFLR_TRY(push_pieces(a, &word));
        }
        a->last = (cflri_word){.at = "", .place = {a->lines.number, a->lines.column}};
    } while (cflri_lines_next(&a->lines));
out:
    return st;
}

/* ---- looking ahead ---- */

static const cflri_word *look(const arrows *a, size_t ahead) {
    return a->at + ahead < a->words.n ? &a->words.at[a->at + ahead] : &a->last;
}

static bool at_text_end(const arrows *a) {
    return a->at >= a->words.n;
}

static bool is(const arrows *a, const char *text) {
    return cflri_word_is(look(a, 0), text);
}

/* Does a rule begin here? It must begin its line, or stand behind ';' or a heading. */
static bool at_rule(const arrows *a) {
    if (!cflri_word_is(look(a, 1), "->")) return false;
    if (a->at == 0) return true;
    const cflri_word *before = &a->words.at[a->at - 1];
    return before->place.line != look(a, 0)->place.line || cflri_word_is(before, ";") ||
           cflri_word_is(before, "Productions:");
}

static cflr_status expected(const arrows *a, const char *what) {
    const cflri_word *word = look(a, 0);
    int length = word->length > 60 ? 60 : (int)word->length;
    return cflri_fail_at(a->importer.error, CFLR_SYNTAX, a->lines.subject, word->place.line,
                         word->place.column, "expected %s, found %s%.*s%s", what,
                         length ? "'" : "the end of the text", length, word->at, length ? "'" : "");
}

/* ---- expressions ---- */

/* Does a sequence end here? */
static bool at_sequence_end(const arrows *a) {
    return at_text_end(a) || at_rule(a) || is(a, ";") || is(a, ")") || is(a, "|") ||
           is(a, "Count:");
}

static cflr_status make(arrows *a, cflri_node_kind kind, cflri_node *first, cflri_place place,
                        cflri_node **node) {
    return cflri_node_make(a->importer.ast, kind, first, place, node, a->importer.error);
}

static cflr_status read_alternatives(arrows *a, cflri_node **node);

static cflr_status read_group(arrows *a, cflri_node **node) {
    cflri_place place = look(a, 0)->place;
    if (++a->depth > CFLRI_MAX_DEPTH) {
        return cflri_fail_at(a->importer.error, CFLR_UNSUPPORTED, a->lines.subject, place.line,
                             place.column, "parentheses nested more than %d deep", CFLRI_MAX_DEPTH);
    }
    a->at++;
    cflr_status st = read_alternatives(a, node);
    if (st != CFLR_OK) return st;
    if (!is(a, ")")) return expected(a, "')'");
    a->depth--;
    a->at++;
    return CFLR_OK;
}

static cflr_status read_atom(arrows *a, cflri_node **node) {
    const cflri_word *word = look(a, 0);
    if (is(a, "(")) return read_group(a, node);
    if (is_sign(word->at[0]) || is(a, "->")) return expected(a, "a symbol");
    a->at++;
    if (cflri_word_is_epsilon(word)) return make(a, CFLRI_NODE_EMPTY, NULL, word->place, node);
    return cflri_import_node(&a->importer, word, node);
}

static cflr_status read_factor(arrows *a, cflri_node **node) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_atom(a, node));
    for (;; a->at++) {
        cflri_node_kind kind = is(a, "*")   ? CFLRI_NODE_STAR
                               : is(a, "+") ? CFLRI_NODE_PLUS
                               : is(a, "?") ? CFLRI_NODE_OPTION
                                            : CFLRI_NODE_EMPTY;
        if (kind == CFLRI_NODE_EMPTY) break;
        CFLR_TRY(make(a, kind, *node, look(a, 0)->place, node));
    }
out:
    return st;
}

static cflr_status read_sequence(arrows *a, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_node *first = NULL, **next = &first;
    cflri_place place = a->words.at[a->at - 1].place; /* an empty one stays on its line */
    if (!at_sequence_end(a)) place = look(a, 0)->place;
    while (!at_sequence_end(a)) {
        CFLR_TRY(read_factor(a, next));
        next = &(*next)->next;
    }
    CFLR_TRY(make(a, CFLRI_NODE_CONCAT, first, place, node));
out:
    return st;
}

static cflr_status read_alternatives(arrows *a, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_node *first = NULL, **next = &first;
    cflri_place place = look(a, 0)->place;
    for (;; a->at++) {
        CFLR_TRY(read_sequence(a, next));
        next = &(*next)->next;
        if (!is(a, "|")) break;
    }
    CFLR_TRY(make(a, CFLRI_NODE_ALT, first, place, node));
out:
    return st;
}

/* ---- rules and sections ---- */

static cflr_status read_rule(arrows *a) {
    cflr_status st = CFLR_OK;
    cflri_node *body;
    const cflri_word *left = look(a, 0);
    if (!at_rule(a) || is_sign(left->at[0])) return expected(a, "a rule such as 'A -> b c'");
    cflri_rule_begin(&a->importer.builder, a->importer.ast);
    CFLR_TRY(cflri_import_left(&a->importer, left));
    a->at += 2;
    a->depth = 0;
    CFLR_TRY(read_alternatives(a, &body));
    CFLR_TRY(cflri_rule_end(&a->importer.builder, body, a->importer.error));
    if (is(a, ")")) return expected(a, "'|', ';' or a new rule");
out:
    return st;
}

/* The symbols behind "Count:"; the first is the start symbol. */
static cflr_status read_count(arrows *a) {
    a->at++;
    if (at_text_end(a)) return expected(a, "the symbol that is counted");
    cflr_status st = cflri_import_start(&a->importer, look(a, 0));
    a->at = a->words.n;
    return st;
}

static cflr_status read_rules(arrows *a) {
    cflr_status st = CFLR_OK;
    while (!at_text_end(a)) {
        if (is(a, ";")) {
            a->at++;
        } else {
            CFLR_TRY(is(a, "Count:") ? read_count(a) : read_rule(a));
        }
    }
out:
    return st;
}

static cflr_status read_sections(arrows *a) {
    cflr_status st = CFLR_OK;
    if (!is(a, "Start:")) return expected(a, "'Start:'");
    a->at++;
    if (at_text_end(a) || is(a, "Terminal:")) return expected(a, "the start symbol");
    CFLR_TRY(cflri_import_start(&a->importer, look(a, 0)));
    a->at++;
    if (!is(a, "Terminal:")) return expected(a, "'Terminal:'");
    while (!at_text_end(a) && !is(a, "Productions:")) a->at++;
    if (at_text_end(a)) return expected(a, "'Productions:'");
    a->at++;
    CFLR_TRY(read_rules(a));
out:
    return st;
}

static cflr_status look_at_words(arrows *a) {
    for (a->at = 0; !at_text_end(a); a->at++) {
        const cflri_word *word = look(a, 0);
        if (is_sign(word->at[0]) || is(a, "->")) continue;
        cflr_status st =
            cflri_names_seen_add(&a->importer.seen, word, at_rule(a), a->importer.error);
        if (st != CFLR_OK) return st;
    }
    a->at = 0;
    return CFLR_OK;
}

static cflr_status read_arrows(const char *text, size_t length, struct cflri_ast *ast,
                               cflr_grammar_format format, cflr_error *error) {
    arrows a = {.at = 0};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_importer_init(&a.importer, ast, format, error));
    CFLR_TRY(cut(&a, text, length));
    CFLR_TRY(look_at_words(&a));
    CFLR_TRY(format == CFLR_GRAMMAR_SVF ? read_sections(&a) : read_rules(&a));
out:
    cflri_vec_free(ast->context, &a.words);
    cflri_importer_free(&a.importer);
    return st;
}

cflr_status cflri_parse_svf(const char *text, size_t length, struct cflri_ast *ast,
                            cflr_error *error) {
    return read_arrows(text, length, ast, CFLR_GRAMMAR_SVF, error);
}

cflr_status cflri_parse_cfpq(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error) {
    return read_arrows(text, length, ast, CFLR_GRAMMAR_CFPQ, error);
}
