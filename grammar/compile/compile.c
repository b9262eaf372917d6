/* SPDX-License-Identifier: Apache-2.0
 *
 * compile.c: the steps in order, the table of compiled symbols, and the frozen arrays at the end.
 *
 * Compiled symbols are numbered as rules first mention them, auxiliaries and converses as they are
 * made, so the numbers depend on the text alone.
 */
#include "grammar/compile/compile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/read/text.h"

cflr_status cflri_memo_init(cflri_memo *memo, cflr_context *context, cflr_error *error) {
    cflr_status st = cflri_strings_init(&memo->keys, context, error);
    if (st == CFLR_OK && !cflri_vec_push(context, &memo->value, CFLRI_NO_SYMBOL)) {
        st = cflri_fail_memory(context, error);
    }
    return st;
}

void cflri_memo_free(cflri_memo *memo) {
    if (!memo->keys.context) return;
    cflri_vec_free(memo->keys.context, &memo->value);
    cflri_strings_free(&memo->keys);
}

cflr_status cflri_memo_find(cflri_memo *memo, const char *key, size_t length, uint32_t **value,
                            cflr_error *error) {
    uint32_t id;
    cflr_status st = cflri_intern(&memo->keys, key, length, &id, error);
    if (st != CFLR_OK) return st;
    if (id == memo->value.n && !cflri_vec_push(memo->keys.context, &memo->value, CFLRI_NO_SYMBOL)) {
        return cflri_fail_memory(memo->keys.context, error);
    }
    assert(id < memo->value.n);
    *value = &memo->value.at[id];
    return CFLR_OK;
}

/* ---- symbols ---- */

static cflr_status push_symbol(cflri_compile *compile, cflri_symbol made, uint32_t *symbol,
                               cflr_error *error) {
    if (compile->symbols.n >= CFLRI_NO_SYMBOL - 1) {
        return cflri_fail(error, CFLR_UNSUPPORTED, compile->grammar->subject, "too many symbols");
    }
    if (!cflri_vec_push(compile->context, &compile->symbols, made) ||
        !cflri_vec_push(compile->context, &compile->converse, CFLRI_NO_SYMBOL)) {
        return cflri_fail_memory(compile->context, error);
    }
    assert(compile->symbols.n == compile->converse.n);
    *symbol = (uint32_t)compile->symbols.n - 1;
    return CFLR_OK;
}

cflr_status cflri_auxiliary_new(cflri_compile *compile, bool indexed, cflri_place place,
                                uint32_t *symbol, cflr_error *error) {
    cflri_symbol made = {.kind = CFLRI_AUXILIARY,
                         .indexed = indexed,
                         .converse_of = CFLRI_NO_SYMBOL,
                         .line = place.line,
                         .column = place.column};
    compile->text.bytes.n = 0;
    do {
        compile->text.bytes.n = 0;
        cflri_text_printf(&compile->text, "%%%u", ++compile->n_auxiliaries);
    } while (!compile->text.failed &&
             cflri_strings_find(&compile->ast->names, compile->text.bytes.at,
                                compile->text.bytes.n) != CFLRI_NO_STRING);
    cflr_status st = cflri_text_keep(&compile->text, &compile->grammar->arena, &made.name, error);
    if (st != CFLR_OK) return st;
    return push_symbol(compile, made, symbol, error);
}

static cflr_status plain_symbol(cflri_compile *compile, uint32_t symbol, uint32_t *compiled,
                                cflr_error *error) {
    assert(symbol < compile->ast->symbols.n);
    cflri_ast_symbol *entry = &compile->ast->symbols.at[symbol];
    if (entry->compiled == CFLRI_NO_SYMBOL) {
        const char *name = cflri_ast_name(compile->ast, symbol);
        bool is_auxiliary = cflri_is_auxiliary_name(name, strlen(name));
        cflri_symbol made = {.name = name,
                             .kind = is_auxiliary     ? CFLRI_AUXILIARY
                                     : entry->n_rules ? CFLRI_NONTERMINAL
                                                      : CFLRI_TERMINAL,
                             .indexed = entry->shape == CFLRI_SHAPE_INDEXED,
                             .converse_of = CFLRI_NO_SYMBOL,
                             .line = entry->place.line,
                             .column = entry->place.column};
        cflr_status st = push_symbol(compile, made, &entry->compiled, error);
        if (st != CFLR_OK) return st;
    }
    *compiled = entry->compiled;
    return CFLR_OK;
}

static cflr_status converse_symbol(cflri_compile *compile, uint32_t plain, uint32_t *compiled,
                                   cflr_error *error) {
    if (compile->converse.at[plain] != CFLRI_NO_SYMBOL) {
        *compiled = compile->converse.at[plain];
        return CFLR_OK;
    }
    cflri_symbol made = compile->symbols.at[plain];
    assert(made.converse_of == CFLRI_NO_SYMBOL); /* ~~x is x */
    made.converse_of = plain;
    made.closed = false;
    compile->text.bytes.n = 0;
    cflri_text_printf(&compile->text, "~%s", made.name);
    cflr_status st = cflri_text_keep(&compile->text, &compile->grammar->arena, &made.name, error);
    if (st == CFLR_OK) st = push_symbol(compile, made, compiled, error);
    if (st == CFLR_OK) compile->converse.at[plain] = *compiled;
    return st;
}

cflr_status cflri_compiled_symbol(cflri_compile *compile, uint32_t symbol, bool converse,
                                  uint32_t *compiled, cflr_error *error) {
    cflr_status st = plain_symbol(compile, symbol, compiled, error);
    if (st == CFLR_OK && converse) st = converse_symbol(compile, *compiled, compiled, error);
    return st;
}

/* ---- freezing ---- */

static void *keep(cflri_compile *compile, const void *at, size_t n, size_t size) {
    void *copy = cflri_arena_alloc(&compile->grammar->arena, n * size);
    if (copy && n) memcpy(copy, at, n * size);
    return copy;
}

/* Labels that only a filter reads become symbols here. */
static cflr_status compile_filter(cflri_compile *compile, const cflri_ast_filter *from,
                                  cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_grammar *g = compile->grammar;
    cflri_filter_rule made = {.n = from->n_steps};
    assert(made.n);
    made.label = cflri_arena_alloc(&g->arena, made.n * sizeof *made.label);
    made.back = cflri_arena_alloc(&g->arena, made.n * sizeof *made.back);
    if (!made.label || !made.back) return cflri_fail_memory(g->context, error);
    CFLR_TRY(cflri_compiled_symbol(compile, from->symbol, false, &made.symbol, error));
    for (uint32_t i = 0; i < made.n; i++) {
        const cflri_ast_step *step = &compile->ast->steps.at[from->first_step + i];
        CFLR_TRY(cflri_compiled_symbol(compile, step->symbol, false, &made.label[i], error));
        made.back[i] = step->back;
    }
    if (!cflri_vec_push(g->context, &g->filters, made)) {
        CFLR_TRY(cflri_fail_memory(g->context, error));
    }
out:
    return st;
}

/* "S", or "S ~S", which is to be no symbol's name: a result finds it by that text. */
static cflr_status answer_text(cflri_compile *compile, struct cflri_answer *answer,
                               cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_grammar *g = compile->grammar;
    const char *name = g->symbol[answer->symbol].name;
    cflri_text text;
    cflri_text_init(&text, g->context);
    cflri_text_add(&text, name);
    if (answer->meets) cflri_text_printf(&text, " ~%s", name);
    CFLR_TRY(cflri_text_keep(&text, &g->arena, &answer->text, error));
    for (uint32_t s = 0; answer->meets && s < g->n_symbols; s++) {
        if (strcmp(g->symbol[s].name, answer->text) != 0) continue;
        st = cflri_fail_at(error, CFLR_SYNTAX, g->subject, g->symbol[s].line, g->symbol[s].column,
                           "a symbol is called as an answer reads, '%.60s'", answer->text);
    }
out:
    cflri_text_drop(&text);
    return st;
}

static cflr_status compile_answers(cflri_compile *compile, cflr_error *error) {
    cflr_grammar *g = compile->grammar;
    for (size_t i = 0; i < compile->ast->answers.n; i++) {
        const cflri_ast_answer *from = &compile->ast->answers.at[i];
        struct cflri_answer made = {.question = from->question,
                                    .symbol = compile->ast->symbols.at[from->symbol].compiled,
                                    .meets = from->meets};
        assert(made.symbol < g->n_symbols);
        cflr_status st = answer_text(compile, &made, error);
        if (st != CFLR_OK) return st;
        if (!cflri_vec_push(g->context, &g->answers, made)) {
            return cflri_fail_memory(g->context, error);
        }
    }
    return CFLR_OK;
}

static cflr_status freeze(cflri_compile *compile, cflr_error *error) {
    cflr_grammar *g = compile->grammar;
    for (size_t i = 0; i < compile->ast->filters.n; i++) {
        cflr_status st = compile_filter(compile, &compile->ast->filters.at[i], error);
        if (st != CFLR_OK) return st;
    }
    g->symbol = keep(compile, compile->symbols.at, compile->symbols.n, sizeof *g->symbol);
    g->rule = keep(compile, compile->rules.at, compile->rules.n, sizeof *g->rule);
    g->origin = keep(compile, compile->origins.at, compile->origins.n, sizeof *g->origin);
    g->constant = keep(compile, compile->ast->constants.text.at, compile->ast->constants.text.n,
                       sizeof *g->constant);
    if (!g->symbol || !g->rule || !g->origin || !g->constant) {
        return cflri_fail_memory(g->context, error);
    }
    g->n_symbols = (uint32_t)compile->symbols.n;
    g->n_rules = (uint32_t)compile->rules.n;
    g->n_origins = (uint32_t)compile->origins.n;
    g->n_constants = (uint32_t)compile->ast->constants.text.n;
    g->start = compile->ast->symbols.at[compile->ast->start].compiled;
    assert(g->start < g->n_symbols);
    return compile_answers(compile, error);
}

cflr_status cflri_compile_grammar(cflr_grammar *grammar, struct cflri_ast *ast, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_compile compile = {.context = grammar->context, .grammar = grammar, .ast = ast};
    cflri_arena_init(&compile.scratch, grammar->context);
    cflri_text_init(&compile.text, grammar->context);
    CFLR_TRY(cflri_memo_init(&compile.memo, grammar->context, error));
    CFLR_TRY(cflri_check_tree(ast, error));
    CFLR_TRY(cflri_expand(&compile, error));
    CFLR_TRY(cflri_normalise(&compile, error));
    CFLR_TRY(freeze(&compile, error));
    CFLR_TRY(cflri_check_grammar(grammar, error));
out:
    cflri_arena_reset(&compile.scratch);
    cflri_text_drop(&compile.text);
    cflri_memo_free(&compile.memo);
    cflri_vec_free(grammar->context, &compile.symbols);
    cflri_vec_free(grammar->context, &compile.converse);
    cflri_vec_free(grammar->context, &compile.rules);
    cflri_vec_free(grammar->context, &compile.origins);
    return st;
}
