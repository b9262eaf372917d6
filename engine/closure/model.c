/* SPDX-License-Identifier: Apache-2.0
 *
 * model.c: what solvers share of a problem and of a closure, and the names of models.
 */
#include "engine/closure/model.h"

#include <string.h>

#include "base/context.h"

const char *cflr_model_name(cflr_model model) {
    switch (model) {
#define CASE(name, number, word, text) \
    case CFLR_MODEL_##name:            \
        return word;
        CFLR_MODEL_LIST(CASE)
#undef CASE
    }
    return NULL;
}

cflr_status cflr_model_parse(const char *word, cflr_model *model, cflr_error *error) {
#define TRY_WORD(name, number, known, text) \
    if (strcmp(word, known) == 0) {         \
        *model = CFLR_MODEL_##name;         \
        return CFLR_OK;                     \
    }
    CFLR_MODEL_LIST(TRY_WORD)
#undef TRY_WORD
#define LIST_WORD(name, number, known, text) " " known
    return cflri_fail(error, CFLR_ARGUMENT, word, "no such model; there are:%s",
                      "" CFLR_MODEL_LIST(LIST_WORD));
#undef LIST_WORD
}

uint64_t cflri_input_edges(const cflri_problem *problem) {
    uint64_t edges = 0;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        if (problem->input[s]) edges += problem->input[s]->n_pairs;
    }
    return edges;
}

uint32_t cflri_threads_worth(const cflri_problem *problem) {
    uint64_t worth = cflri_input_edges(problem) / problem->context->share;
    uint64_t threads = problem->threads < UINT16_MAX ? (uint64_t)problem->threads : UINT16_MAX;
    if (threads > worth) threads = worth;
    return threads ? (uint32_t)threads : 1;
}

void cflri_rule_tallies_free(cflr_context *context, cflri_rule_tally *rule, size_t n) {
    for (size_t i = 0; i < n; i++) cflri_free(context, rule[i].text);
    cflri_free(context, rule);
}

void cflri_accounts_free(cflr_context *context, cflri_account *account, size_t n) {
    for (size_t i = 0; i < n; i++) cflri_free(context, account[i].text);
    cflri_free(context, account);
}

void cflri_account_balance(cflri_account *account) {
    uint64_t owned = 0;
    account->bytes[CFLR_OWNER_REST] = 0;
    for (int o = 0; o < CFLRI_OWNERS; o++) owned += account->bytes[o];
    if (account->all < owned) account->all = owned;
    account->bytes[CFLR_OWNER_REST] = account->all - owned;
}

void cflri_closure_free(cflr_context *context, cflri_closure *closure) {
    for (uint32_t s = 0; closure->relation && s < closure->n_symbols; s++) {
        cflri_relation_free(context, &closure->relation[s]);
    }
    cflri_free(context, closure->relation);
    if (closure->sets) closure->sets->free(context, closure->sets);
    cflri_rule_tallies_free(context, closure->rule, closure->n_rules);
    cflri_accounts_free(context, closure->account, closure->n_accounts);
    *closure = (cflri_closure){0};
}

cflr_status cflri_closure_empty(const cflri_problem *problem, cflr_status ended,
                                cflri_closure *closure, cflr_error *error) {
    if (ended == CFLR_NO_MEMORY) return ended;
    uint32_t n = problem->ground->n_symbols;
    *closure = (cflri_closure){.n_symbols = n};
    closure->relation =
        cflri_alloc_array_zero(problem->context, (size_t)n + 1, sizeof *closure->relation);
    if (closure->relation) return ended;
    *closure = (cflri_closure){0};
    return cflri_fail(error, CFLR_NO_MEMORY, NULL, "no memory is left for a partial result");
}
