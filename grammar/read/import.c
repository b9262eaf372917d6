/* SPDX-License-Identifier: Apache-2.0
 *
 * import.c: words of other tools' grammars, taken apart.
 *
 *     fbar_i  ->  ~f[i]       load_73_r  ->  ~load["73"]       -a  ->  ~a
 *
 * From the outside inwards: '-' in front, "_r" behind, then the index, then "bar". A word that is a
 * left side is never a converse, however it is spelled.
 */
#include "grammar/read/import.h"

#include <assert.h>
#include <string.h>

#include "grammar/read/text.h"

/* ---- lines ---- */

void cflri_lines_init(cflri_lines *lines, const char *text, size_t length, const char *subject) {
    *lines = (cflri_lines){
        .at = text, .end = text + length, .subject = subject, .number = 1, .column = 1};
    if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) lines->at += 3;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void step(cflri_lines *lines) {
    if (((unsigned char)*lines->at & 0xC0) != 0x80) lines->column++;
    lines->at++;
}

cflr_status cflri_lines_word(cflri_lines *lines, cflri_word *word, bool *found, cflr_error *error) {
    while (lines->at < lines->end && is_blank(*lines->at)) step(lines);
    *found = lines->at < lines->end && *lines->at != '\n' && *lines->at != '#';
    if (!*found) return CFLR_OK;
    *word = (cflri_word){.at = lines->at, .place = {lines->number, lines->column}};
    while (lines->at < lines->end && *lines->at != '\n' && !is_blank(*lines->at)) {
        if ((unsigned char)*lines->at < ' ' || *lines->at == 0x7F) {
            return cflri_fail_at(error, CFLR_SYNTAX, lines->subject, lines->number, lines->column,
                                 "control character 0x%02X", (unsigned char)*lines->at);
        }
        step(lines);
    }
    word->length = (size_t)(lines->at - word->at);
    return CFLR_OK;
}

bool cflri_lines_next(cflri_lines *lines) {
    const char *end = NULL;
    if (lines->at < lines->end) {
        end = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    }
    lines->at = end ? end + 1 : lines->end;
    lines->number += end != NULL;
    lines->column = 1;
    return end && lines->at < lines->end;
}

/* ---- words ---- */

bool cflri_word_is(const cflri_word *word, const char *text) {
    return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

bool cflri_word_is_epsilon(const cflri_word *word) {
    return cflri_is_empty_path(word->at, word->length) || cflri_word_is(word, "$");
}

/* ---- the first look ---- */

cflr_status cflri_names_seen_init(cflri_names_seen *seen, cflr_context *context,
                                  cflr_error *error) {
    *seen = (cflri_names_seen){0};
    cflr_status st = cflri_strings_init(&seen->left, context, error);
    if (st == CFLR_OK) st = cflri_strings_init(&seen->plain, context, error);
    return st;
}

void cflri_names_seen_free(cflri_names_seen *seen) {
    if (seen->left.context) cflri_strings_free(&seen->left);
    if (seen->plain.context) cflri_strings_free(&seen->plain);
}

cflr_status cflri_names_seen_add(cflri_names_seen *seen, const cflri_word *word, bool left,
                                 cflr_error *error) {
    uint32_t id;
    cflri_field stem = {word->at, word->length}, number;
    cflr_status st = CFLR_OK;
    if (left) st = cflri_intern(&seen->left, word->at, word->length, &id, error);
    if (st == CFLR_OK && !cflri_field_cut_number(&stem, &number)) {
        st = cflri_intern(&seen->plain, word->at, word->length, &id, error);
    }
    return st;
}

/* ---- taking a word apart ---- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

cflri_spelling cflri_spelling_of(cflr_grammar_format format) {
    static const cflri_spelling pocr = {.converse_suffix = "bar", .variables = "i"};
    static const cflri_spelling svf = {
        .converse_suffix = "bar", .variables = LETTERS, .constant_suffix = true};
    static const cflri_spelling gracfl = {
        .converse_suffix = "bar", .minus_is_converse = true, .constant_suffix = true};
    static const cflri_spelling cfpq = {
        .converse_suffix = "_r", .variables = "i", .constant_suffix = true};
    switch (format) {
        case CFLR_GRAMMAR_POCR:
            return pocr;
        case CFLR_GRAMMAR_SVF:
            return svf;
        case CFLR_GRAMMAR_GRACFL:
            return gracfl;
        case CFLR_GRAMMAR_CFPQ:
            return cfpq;
        default:
            return (cflri_spelling){0};
    }
}

static bool seen_in(const cflri_strings *names, cflri_field name) {
    return cflri_strings_find(names, name.at, name.size) != CFLRI_NO_STRING;
}

static void cut_index(const cflri_spelling *spelling, const cflri_names_seen *seen,
                      cflri_parts *p) {
    cflri_field stem = p->name, number;
    size_t n = p->name.size;
    if (spelling->variables && n > 2 && p->name.at[n - 2] == '_' &&
        strchr(spelling->variables, p->name.at[n - 1])) {
        p->use = CFLRI_INDEX_VARIABLE;
        p->index = (cflri_field){p->name.at + n - 1, 1};
        p->name.size = n - 2;
    } else if (spelling->constant_suffix && cflri_field_cut_number(&stem, &number) &&
               !seen_in(&seen->plain, stem)) {
        p->use = CFLRI_INDEX_CONSTANT;
        p->index = number;
        p->name = stem;
    }
}

cflri_parts cflri_word_parts(const cflri_spelling *spelling, const cflri_names_seen *seen,
                             const cflri_word *word) {
    cflri_parts p = {.name = {word->at, word->length}, .index = {"", 0}};
    bool own_rules = seen_in(&seen->left, p.name);
    const char *suffix = own_rules ? NULL : spelling->converse_suffix;
    if (spelling->minus_is_converse && !own_rules && p.name.size > 1 && p.name.at[0] == '-') {
        p.converse = true;
        p.name.at++;
        p.name.size--;
    }
    bool behind = suffix && suffix[0] == '_';
    if (behind && cflri_field_cut(&p.name, suffix)) p.converse = true; /* load_73_r */
    cut_index(spelling, seen, &p);
    if (suffix && !behind && cflri_field_cut(&p.name, suffix)) p.converse = true; /* fbar_i */
    return p;
}

/* ---- into the tree ---- */

cflr_status cflri_importer_init(cflri_importer *importer, struct cflri_ast *ast,
                                cflr_grammar_format format, cflr_error *error) {
    *importer = (cflri_importer){.ast = ast, .spelling = cflri_spelling_of(format), .error = error};
    return cflri_names_seen_init(&importer->seen, ast->context, error);
}

void cflri_importer_free(cflri_importer *importer) {
    cflri_names_seen_free(&importer->seen);
}

static cflr_status item_of(cflri_importer *importer, const cflri_word *word, const cflri_parts *p,
                           cflri_item *item) {
    cflr_status st = CFLR_OK;
    *item = (cflri_item){.use = (uint8_t)p->use};
    if (cflri_is_auxiliary_name(p->name.at, p->name.size)) {
        return cflri_fail_at(importer->error, CFLR_SYNTAX, importer->ast->grammar->subject,
                             word->place.line, word->place.column,
                             "names such as %%1 are kept for auxiliaries");
    }
    CFLR_TRY(cflri_ast_symbol_add(importer->ast, p->name.at, p->name.size, word->place,
                                  &item->symbol, importer->error));
    if (p->use != CFLRI_INDEX_NONE) {
        CFLR_TRY(cflri_rule_index(&importer->builder, p->use, p->index.at, p->index.size,
                                  word->place, &item->index, importer->error));
    }
out:
    return st;
}

cflr_status cflri_import_left(cflri_importer *importer, const cflri_word *word) {
    cflri_item item;
    cflri_parts p = cflri_word_parts(&importer->spelling, &importer->seen, word);
    assert(!p.converse); /* it is in seen.left */
    cflr_status st = item_of(importer, word, &p, &item);
    if (st != CFLR_OK) return st;
    return cflri_rule_left(&importer->builder, item, word->place, importer->error);
}

cflr_status cflri_import_node(cflri_importer *importer, const cflri_word *word, cflri_node **node) {
    cflri_item item;
    cflri_parts p = cflri_word_parts(&importer->spelling, &importer->seen, word);
    cflr_status st = CFLR_OK;
    CFLR_TRY(item_of(importer, word, &p, &item));
    CFLR_TRY(cflri_node_symbol(importer->ast, item, word->place, node, importer->error));
    if (p.converse) {
        CFLR_TRY(cflri_node_make(importer->ast, CFLRI_NODE_CONVERSE, *node, word->place, node,
                                 importer->error));
    }
out:
    return st;
}

cflr_status cflri_import_start(cflri_importer *importer, const cflri_word *word) {
    struct cflri_ast *ast = importer->ast;
    if (ast->start) return CFLR_OK;
    cflr_status st = CFLR_OK;
    cflri_field whole = {word->at, word->length};
    cflri_parts p = cflri_word_parts(&importer->spelling, &importer->seen, word);
    if (p.converse || p.use == CFLRI_INDEX_CONSTANT) {
        return cflri_fail_at(importer->error, CFLR_SYNTAX, ast->grammar->subject, word->place.line,
                             word->place.column, "'%.*s' is %s of '%.*s', and no start symbol",
                             CFLRI_SHOW(whole), p.converse ? "the converse" : "one index",
                             CFLRI_SHOW(p.name));
    }
    ast->start_place = word->place;
    CFLR_TRY(cflri_ast_symbol_add(ast, p.name.at, p.name.size, word->place, &ast->start,
                                  importer->error));
    if (p.use == CFLRI_INDEX_VARIABLE) {
        CFLR_TRY(cflri_ast_shape(ast, ast->start, true, word->place, importer->error));
    }
out:
    return st;
}
