/* SPDX-License-Identifier: Apache-2.0
 *
 * solve.c: the public entry: graph and grammar in, result out.
 *
 *     grammar x graph -> ground grammar -> problem -> backend -> closure -> result
 */
#include "cflr/solve.h"

#include <string.h>

#include "base/context.h"
#include "engine/backend.h"
#include "engine/result.h"

void cflr_solve_opts_init(cflr_solve_opts *opts) {
    *opts = (cflr_solve_opts){.struct_size = sizeof *opts, .model = CFLR_MODEL_AUTO};
}

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

static cflr_status read_opts(const cflr_solve_opts *opts, cflr_solve_opts *chosen,
                             cflr_error *error) {
    cflr_solve_opts_init(chosen);
    if (!opts) return CFLR_OK;
    if (opts->struct_size == 0 || opts->struct_size > sizeof *chosen) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "solve options were not filled by cflr_solve_opts_init");
    }
    memcpy(chosen, opts, opts->struct_size);
    if (!cflr_model_name(chosen->model)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "no model has number %d", (int)chosen->model);
    }
    return CFLR_OK;
}

cflr_status cflri_problem_inputs(const cflr_graph *graph, const cflri_ground *ground,
                                 const cflri_relation ***input, cflr_error *error) {
    *input = cflri_alloc_array_zero(graph->context, ground->n_symbols + 1, sizeof **input);
    if (!*input) return cflri_fail_memory(graph->context, error);
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        uint32_t label = ground->symbol[s].label;
        if (label != CFLR_NO_LABEL) (*input)[s] = &graph->out[label];
    }
    return CFLR_OK;
}

cflr_status cflr_solve(const cflr_graph *graph, const cflr_grammar *grammar,
                       const cflr_solve_opts *opts, cflr_result **result, cflr_error *error) {
    cflr_context *context = graph->context;
    cflri_ground *ground = NULL;
    const cflri_relation **input = NULL;
    cflri_closure closure = {0};
    double begin = cflri_now();
    cflr_status st = CFLR_OK;
    cflr_status stopped = CFLR_OK;
    *result = NULL;

    cflr_solve_opts chosen;
    CFLR_TRY(read_opts(opts, &chosen, error));
    CFLR_TRY(cflri_ground_new(grammar, graph, &ground, error));
    CFLR_TRY(cflri_problem_inputs(graph, ground, &input, error));

    cflri_problem problem = {.context = context,
                             .n_vertices = graph->n_vertices,
                             .ground = ground,
                             .input = input,
                             .threads = context->threads};
    cflri_choice choice;
    CFLR_TRY(cflri_dispatch(&problem, chosen.model, &choice, error));
    cflri_log(context, CFLR_LOG_INFO, "model %s", choice.reason);

    stopped = choice.backend->solve(&problem, choice.model, &closure, error);
    if (stopped != CFLR_OK && stopped != CFLR_LIMIT && stopped != CFLR_CANCELLED) {
        st = stopped;
        goto out;
    }
    CFLR_TRY(cflri_result_new(&problem, &closure, result, error));
    cflr_result_stats *stats = &(*result)->stats;
    stats->model = choice.model;
    stats->threads = choice.model == CFLR_MODEL_PARALLEL ? problem.threads : 1;
    stats->complete = stopped == CFLR_OK;
    stats->seconds_solve = cflri_now() - begin;
    stats->peak_bytes = cflr_context_memory_peak(context);
    st = stopped;
out:
    cflri_closure_free(context, &closure);
    cflri_free(context, (void *)input);
    cflri_ground_free(ground);
    return st;
}
