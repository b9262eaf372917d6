/* SPDX-License-Identifier: Apache-2.0
 *
 * grammar.c: the life of a grammar: read, compiled, asked, freed.
 */
#include "cflr/grammar.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/files/stream.h"
#include "base/sized.h"
#include "grammar/compile/compile.h"
#include "grammar/read/parse.h"

typedef cflr_status read_fn(const char *text, size_t length, struct cflri_ast *ast,
                            cflr_error *error);

static read_fn *reader_of(cflr_grammar_format format) {
    switch (format) {
        case CFLR_GRAMMAR_CFLR:
            return cflri_parse_cflr;
        case CFLR_GRAMMAR_POCR:
            return cflri_parse_pocr;
        case CFLR_GRAMMAR_GRACFL:
            return cflri_parse_gracfl;
        case CFLR_GRAMMAR_SVF:
            return cflri_parse_svf;
        case CFLR_GRAMMAR_CFPQ:
            return cflri_parse_cfpq;
        default:
            return NULL;
    }
}

cflr_status cflr_grammar_parse(cflr_context *context, const char *text, size_t length,
                               const char *subject, cflr_grammar_format format,
                               cflr_grammar **grammar, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *grammar = NULL;
    if (!context || (!text && length)) {
        return cflri_fail(error, CFLR_ARGUMENT, subject, "a grammar needs a context and a text");
    }
    if (format == CFLR_GRAMMAR_AUTO) format = cflri_grammar_detect(text ? text : "", length);
    read_fn *read = reader_of(format);
    if (!read) return cflri_fail(error, CFLR_ARGUMENT, subject, "no such grammar format");
    cflr_grammar *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    cflri_arena_init(&made->arena, context);
    if (!subject) subject = "";
    made->subject = cflri_arena_copy_text(&made->arena, subject, strlen(subject));
    if (!made->subject) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(cflri_ast_new(made, &made->ast, error));
    CFLR_TRY(read(text ? text : "", length, made->ast, error));
    CFLR_TRY(cflri_compile_grammar(made, made->ast, error));
    *grammar = made;
out:
    if (st != CFLR_OK) cflr_grammar_free(made);
    return st;
}

void cflr_grammar_free(cflr_grammar *grammar) {
    if (!grammar) return;
    cflr_context *context = grammar->context;
    cflri_ast_free(grammar->ast);
    cflri_vec_free(context, &grammar->diagnostics);
    cflri_vec_free(context, &grammar->answers);
    cflri_vec_free(context, &grammar->filters);
    cflri_arena_reset(&grammar->arena);
    cflri_free(context, grammar);
}

/* A name that is neither a file nor a grammar of ours. */
static cflr_status fail_unknown(const char *name, cflr_error *error) {
    char names[192] = "";
    const char *shipped;
    size_t length = 0;
    for (size_t i = 0; (shipped = cflr_grammar_shipped(i)) != NULL && length < sizeof names; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", shipped);
    cflri_fail(error, CFLR_IO, name, "no file and no shipped grammar; shipped: %s", names);
    if (error) error->system_error = ENOENT;
    return CFLR_IO;
}

cflr_status cflr_grammar_load(cflr_context *context, const char *path, cflr_grammar_format format,
                              cflr_grammar **grammar, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *grammar = NULL;
    const char *shipped = cflr_grammar_shipped_text(path);
    if (shipped && access(path, F_OK) != 0) {
        return cflr_grammar_parse(context, shipped, strlen(shipped), path, CFLR_GRAMMAR_CFLR,
                                  grammar, error);
    }
    cflri_input input;
    bool name = path[0] && !path[strcspn(path, "./")];
    if (name && strcmp(path, "-") != 0 && access(path, F_OK) != 0 && errno == ENOENT)
        return fail_unknown(path, error);
    CFLR_TRY(cflri_input_open(context, path, &input, error));
    st = cflr_grammar_parse(context, input.data, input.size, path, format, grammar, error);
    cflri_input_close(&input);
out:
    return cflri_name_subject(st, path, error);
}

/* ---- looking inside ---- */

size_t cflr_grammar_diagnostics(const cflr_grammar *grammar) {
    return grammar->diagnostics.n;
}

const cflr_diagnostic *cflr_grammar_diagnostic(const cflr_grammar *grammar, size_t i) {
    assert(i < grammar->diagnostics.n);
    return &grammar->diagnostics.at[i];
}

const char *cflr_grammar_start(const cflr_grammar *grammar) {
    return grammar->symbol[grammar->start].name;
}

const cflri_filter_rule *cflri_grammar_filter(const cflr_grammar *grammar, uint32_t symbol) {
    assert(symbol < grammar->n_symbols);
    for (size_t i = 0; i < grammar->filters.n; i++) {
        if (grammar->filters.at[i].symbol == symbol) return &grammar->filters.at[i];
    }
    return NULL;
}

/* NULL when the grammar does not answer it. */
static const struct cflri_answer *find_answer(const cflr_grammar *grammar, const char *question) {
    for (size_t i = 0; i < grammar->answers.n; i++) {
        const struct cflri_answer *answer = &grammar->answers.at[i];
        if (!strcmp(answer->question, question)) return answer;
    }
    return NULL;
}

const char *cflr_grammar_answer(const cflr_grammar *grammar, const char *question) {
    const struct cflri_answer *answer = find_answer(grammar, question);
    return answer ? answer->text : "";
}

const char *cflr_grammar_needs(const cflr_grammar *grammar, const char *question) {
    const struct cflri_answer *answer = find_answer(grammar, question);
    return answer ? grammar->symbol[answer->symbol].name : "";
}

bool cflr_grammar_has_symbol(const cflr_grammar *grammar, const char *name) {
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        if (strcmp(grammar->symbol[s].name, name) == 0) return true;
    }
    return false;
}

void cflr_grammar_get_stats_sized(const cflr_grammar *grammar, cflr_grammar_stats *stats,
                                  size_t struct_size) {
    cflr_grammar_stats known = {.user_rules = grammar->n_origins};
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &grammar->symbol[s];
        if (symbol->converse_of != CFLRI_NO_SYMBOL) continue;
        known.terminals += symbol->kind == CFLRI_TERMINAL;
        known.nonterminals += symbol->kind == CFLRI_NONTERMINAL;
        known.auxiliaries += symbol->kind == CFLRI_AUXILIARY;
        known.indexed_symbols += symbol->indexed;
    }
    for (uint32_t r = 0; r < grammar->n_rules; r++) {
        const cflri_rule *rule = &grammar->rule[r];
        known.epsilon_rules += rule->n_right == 0;
        known.unary_rules += rule->n_right == 1 && !rule->is_converse;
        known.binary_rules += rule->n_right == 2;
        known.converse_rules += rule->is_converse;
    }
    CFLRI_GIVE(stats, struct_size, known);
}

/* ---- words of the command line ---- */

#define LIST_WORD(name, number, known, text) " " known

cflr_status cflr_grammar_format_parse(const char *word, cflr_grammar_format *format,
                                      cflr_error *error) {
#define TRY_WORD(name, number, known, text) \
    if (strcmp(word, known) == 0) {         \
        *format = CFLR_GRAMMAR_##name;      \
        return CFLR_OK;                     \
    }
    CFLR_GRAMMAR_FORMAT_LIST(TRY_WORD)
#undef TRY_WORD
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "no grammar format '%.40s'; there are:%s", word,
                      "" CFLR_GRAMMAR_FORMAT_LIST(LIST_WORD));
}

cflr_status cflr_technique_parse(const char *word, cflr_technique *technique, cflr_error *error) {
#define TRY_WORD(name, number, known, text) \
    if (strcmp(word, known) == 0) {         \
        *technique = CFLR_TECHNIQUE_##name; \
        return CFLR_OK;                     \
    }
    CFLR_TECHNIQUE_LIST(TRY_WORD)
#undef TRY_WORD
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "no technique '%.40s'; there are:%s", word,
                      "" CFLR_TECHNIQUE_LIST(LIST_WORD));
}

cflr_status cflr_grammar_stage_parse(const char *word, cflr_grammar_stage *stage,
                                     cflr_error *error) {
#define TRY_WORD(name, number, known, text) \
    if (strcmp(word, known) == 0) {         \
        *stage = CFLR_STAGE_##name;         \
        return CFLR_OK;                     \
    }
    CFLR_GRAMMAR_STAGE_LIST(TRY_WORD)
#undef TRY_WORD
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "no stage '%.40s'; there are:%s", word,
                      "" CFLR_GRAMMAR_STAGE_LIST(LIST_WORD));
}

void cflr_text_free(cflr_context *context, char *text) {
    cflri_free(context, text);
}
