/* SPDX-License-Identifier: Apache-2.0
 *
 * import.c: words of other tools' grammars, taken apart.
 */
#include "grammar/import.h"

#include <string.h>

/* ---- lines ---- */

void cflri_lines_init(cflri_lines *lines, const char *text, size_t length, const char *subject) {
    *lines = (cflri_lines){.text = text, .end = text + length, .subject = subject};
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static cflr_status add_word(cflri_lines *lines, const char *line, const char *at, size_t length,
                            cflr_error *error) {
    uint32_t column = (uint32_t)(at - line) + 1;
    if (lines->n_words == CFLRI_LINE_WORDS) {
        return cflri_fail_at(error, CFLR_SYNTAX, lines->subject, lines->number, column,
                             "more than %d words in a line", CFLRI_LINE_WORDS);
    }
    lines->word[lines->n_words++] =
        (cflri_word){.at = at, .length = length, .place = {lines->number, column}};
    return CFLR_OK;
}

cflr_status cflri_lines_next(cflri_lines *lines, bool *more, cflr_error *error) {
    lines->n_words = 0;
    *more = lines->text < lines->end;
    if (!*more) return CFLR_OK;
    lines->number++;
    const char *line = lines->text;
    const char *end = memchr(line, '\n', (size_t)(lines->end - line));
    lines->text = end ? end + 1 : lines->end;
    if (!end) end = lines->end;
    for (const char *at = line; at < end;) {
        if (is_blank(*at)) {
            at++;
            continue;
        }
        if (*at == '#') break;
        const char *begin = at;
        for (; at < end && !is_blank(*at); at++) {
            if ((unsigned char)*at >= ' ' && *at != 0x7f) continue;
            return cflri_fail_at(error, CFLR_SYNTAX, lines->subject, lines->number,
                                 (uint32_t)(at - line) + 1, "a byte that is no text (0x%02x)",
                                 (unsigned char)*at);
        }
        cflr_status st = add_word(lines, line, begin, (size_t)(at - begin), error);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* ---- words ---- */

bool cflri_word_is(const cflri_word *word, const char *text) {
    return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

bool cflri_word_is_epsilon(const cflri_word *word) {
    static const char *const spellings[] = {"eps", "epsilon", "EPSILON", "\xCE\xB5", "$"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (cflri_word_is(word, spellings[i])) return true;
    }
    return false;
}

/* Length of the word without `_` and digits at its end; its whole length when it has none. */
static size_t stem_of_constant(const cflri_word *word) {
    size_t stem = word->length;
    while (stem > 0 && word->at[stem - 1] >= '0' && word->at[stem - 1] <= '9') stem--;
    bool numbered = stem < word->length && stem >= 2 && word->at[stem - 1] == '_';
    return numbered ? stem - 1 : word->length;
}

static bool ends_in(const char *at, size_t length, const char *suffix) {
    size_t n = strlen(suffix);
    return length > n && memcmp(at + length - n, suffix, n) == 0;
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
    cflr_status st = CFLR_OK;
    if (left) st = cflri_intern(&seen->left, word->at, word->length, &id, error);
    if (st == CFLR_OK && stem_of_constant(word) == word->length) {
        st = cflri_intern(&seen->plain, word->at, word->length, &id, error);
    }
    return st;
}

/* ---- taking a word apart ---- */

typedef struct parts {
    const char *name;
    size_t length;
    cflri_index_use use;
    const char *index;
    size_t index_length;
    bool converse;
} parts;

static bool seen_in(const cflri_strings *names, const char *at, size_t length) {
    return cflri_strings_find(names, at, length) != CFLRI_NO_STRING;
}

/* A variable is one small letter behind '_', as in f_i. */
static void cut_index(const cflri_importer *importer, const cflri_word *word, parts *p) {
    size_t n = word->length;
    if (importer->spelling.variable_suffix && n > 2 && word->at[n - 2] == '_' &&
        word->at[n - 1] >= 'a' && word->at[n - 1] <= 'z') {
        p->use = CFLRI_INDEX_VARIABLE;
        p->length = n - 2;
    } else if (importer->spelling.constant_suffix) {
        size_t stem = stem_of_constant(word);
        if (stem == n || seen_in(&importer->seen.plain, word->at, stem)) return;
        p->use = CFLRI_INDEX_CONSTANT;
        p->length = stem;
    }
    if (p->use == CFLRI_INDEX_NONE) return;
    p->index = word->at + p->length + 1;
    p->index_length = n - p->length - 1;
}

static parts take_apart(const cflri_importer *importer, const cflri_word *word) {
    const char *suffix = importer->spelling.converse_suffix;
    cflri_word rest = *word;
    parts p = {0};
    bool own_rules = seen_in(&importer->seen.left, word->at, word->length);
    if (importer->spelling.minus_is_converse && !own_rules && rest.length > 1 &&
        rest.at[0] == '-') {
        p.converse = true;
        rest.at++;
        rest.length--;
    }
    p.name = rest.at;
    p.length = rest.length;
    bool trailing = suffix && !own_rules && suffix[0] == '_';
    if (trailing && ends_in(p.name, p.length, suffix)) { /* load_73_r */
        p.converse = true;
        rest.length = p.length -= strlen(suffix);
    }
    cut_index(importer, &rest, &p);
    bool inner = suffix && !own_rules && suffix[0] != '_';
    if (inner && ends_in(p.name, p.length, suffix)) { /* fbar_i */
        p.converse = true;
        p.length -= strlen(suffix);
    }
    return p;
}

static cflr_status item_of(cflri_importer *importer, const cflri_word *word, const parts *p,
                           cflri_item *item) {
    cflr_status st = CFLR_OK;
    *item = (cflri_item){.use = (uint8_t)p->use};
    CFLR_TRY(cflri_ast_symbol_add(importer->ast, p->name, p->length, word->place, &item->symbol,
                                  importer->error));
    if (p->use != CFLRI_INDEX_NONE) {
        CFLR_TRY(cflri_rule_index(&importer->builder, p->use, p->index, p->index_length,
                                  word->place, &item->index, importer->error));
    }
out:
    return st;
}

cflr_status cflri_import_left(cflri_importer *importer, const cflri_word *word) {
    cflri_item item;
    parts p = take_apart(importer, word);
    if (p.converse) {
        return cflri_fail_at(importer->error, CFLR_SYNTAX, importer->ast->grammar->subject,
                             word->place.line, word->place.column,
                             "a left side cannot be a converse");
    }
    cflr_status st = item_of(importer, word, &p, &item);
    if (st != CFLR_OK) return st;
    return cflri_rule_left(&importer->builder, item, word->place, importer->error);
}

cflr_status cflri_import_node(cflri_importer *importer, const cflri_word *word, cflri_node **node) {
    cflri_item item;
    parts p = take_apart(importer, word);
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
    parts p = take_apart(importer, word);
    uint32_t symbol;
    cflr_status st = cflri_ast_symbol_add(importer->ast, p.name, p.length, word->place, &symbol,
                                          importer->error);
    if (st != CFLR_OK) return st;
    importer->ast->start = symbol;
    importer->ast->start_place = word->place;
    return CFLR_OK;
}
