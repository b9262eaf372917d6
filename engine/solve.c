/* SPDX-License-Identifier: Apache-2.0
 *
 * solve.c: the public entry: graph and grammar in, result out.
 *
 *     grammar x graph -> ground grammar -> problem -> solver -> closure -> result
 *
 * A model that was tried with a budget (dispatch.c) may give up; then the batch model makes the
 * closure. One that was made without looking at the question is cut to what was asked for.
 *
 * A solver works until memory ends, and what it found is to be written all the same. So the result
 * is made before it starts, but for the relations (result.h), and where there is a limit some
 * memory is held back from it: what cflr_result_save takes, which is a piece of a relation, its
 * packed form, the packer's own tables, and once all names of the graph.
 */
#include "cflr/solve.h"

#include <string.h>

#include "base/context.h"
#include "base/sized.h"
#include "engine/closure/question.h"
#include "engine/disk.h"
#include "engine/dispatch.h"
#include "engine/on_device.h"
#include "engine/results/result.h"
#include "engine/spine/driver.h"
#include "engine/unread.h"

enum { MOST_PARTS = 4096 };

void cflr_solve_opts_init_sized(cflr_solve_opts *opts, size_t struct_size) {
    const cflr_solve_opts defaults = {.model = CFLR_MODEL_AUTO};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

static cflr_status read_opts(const cflr_solve_opts *opts, cflr_solve_opts *chosen,
                             cflr_error *error) {
    cflr_solve_opts_init(chosen);
    cflr_status st = CFLRI_TAKE_OPTS(chosen, opts, "cflr_solve_opts", error);
    if (st != CFLR_OK) return st;
    if (!(chosen->time_kept >= 0))
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "time that is kept cannot be negative");
    if (!(chosen->checkpoint >= 0)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "time between checkpoints cannot be negative");
    }
    if (!cflr_model_name(chosen->model)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "no model has number %d", (int)chosen->model);
    }
    return CFLR_OK;
}

cflr_status cflri_problem_inputs(const cflr_graph *graph, const cflri_ground *ground,
                                 const cflri_relation ***input, cflr_error *error) {
    *input = cflri_alloc_array_zero(graph->context, ground->n_symbols, sizeof **input);
    if (!*input) return cflri_fail_memory(graph->context, error);
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        uint32_t label = ground->symbol[s].label;
        if (label != CFLR_NO_LABEL) (*input)[s] = &graph->out[label];
    }
    return CFLR_OK;
}

/* Which symbols of the grammar are asked for: *named is NULL for all, else freed with cflri_free. A
 * question without symbols is about the start symbol. */
static cflr_status find_named(cflr_context *context, const cflr_grammar *grammar,
                              const cflr_solve_opts *opts, bool question, bool **named,
                              cflr_error *error) {
    *named = NULL;
    if (!opts->only && !question) return CFLR_OK;
    *named = cflri_alloc_array_zero(context, (size_t)grammar->n_symbols + 1, 1);
    if (!*named) return cflri_fail_memory(context, error);
    if (!opts->only) (*named)[grammar->start] = true;
    for (size_t i = 0; opts->only && i < opts->n_only; i++) {
        if (!cflr_grammar_has_symbol(grammar, opts->only[i])) {
            return cflri_fail(error, CFLR_ARGUMENT, opts->only[i],
                              "the grammar has no such symbol to be computed");
        }
        for (uint32_t s = 0; s < grammar->n_symbols; s++) {
            if (strcmp(grammar->symbol[s].name, opts->only[i]) == 0) (*named)[s] = true;
        }
    }
    return CFLR_OK;
}

/* The ground symbols of those that are named: *wanted is NULL for all, else freed with
 * cflri_free. */
static cflr_status find_wanted(const cflri_ground *ground, const bool *named, bool **wanted,
                               cflr_error *error) {
    *wanted = NULL;
    if (!named) return CFLR_OK;
    *wanted = cflri_alloc_array_zero(ground->context, (size_t)ground->n_symbols + 1, 1);
    if (!*wanted) return cflri_fail_memory(ground->context, error);
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        (*wanted)[s] = named[ground->symbol[s].symbol];
    }
    return CFLR_OK;
}

/* Bytes that saving a result of this graph takes, of which at most a quarter of what is left is
 * held back: a solver under a tight limit is to find something, too. */
static size_t bytes_to_save(const cflr_graph *graph) {
    enum { PACKING = 8 << 20 };
    size_t names = 0;
    for (size_t i = 0; i < graph->strings.text.n; i++) {
        names += strlen(cflri_string(&graph->strings, (uint32_t)i)) + 1;
    }
    uint64_t left = cflri_memory_left(graph->context);
    return PACKING + names < left / 4 ? PACKING + names : (size_t)(left / 4);
}

/* NULL without a limit, or when nothing is left to be held. */
static void *hold_back(const cflr_graph *graph) {
    cflr_context *context = graph->context;
    if (context->memory_limit == UINT64_MAX) return NULL;
    return cflri_alloc(context, bytes_to_save(graph));
}

/* Of a model that knows nothing of the question. */
static cflr_status cut(const cflri_problem *problem, cflri_closure *closure, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < closure->n_symbols && st == CFLR_OK; s++) {
        if (problem->wanted && !problem->wanted[s]) continue;
        st = cflri_question_cut(problem->context, problem->question, &closure->relation[s], error);
    }
    return st;
}

static cflr_status solve_by(const cflri_problem *problem, cflri_choice *choice,
                            cflri_closure *closure, cflr_error *error) {
    cflr_status st = choice->solver->solve(problem, closure, error);
    if (!closure->gave_up) return st;
    choice->solver = cflri_solver_find(CFLR_MODEL_BATCH);
    cflri_log(problem->context, CFLR_LOG_INFO, "more than %llu steps: model %s closes the graph",
              (unsigned long long)choice->budget, cflr_model_name(choice->solver->model));
    return choice->solver->solve(problem, closure, error);
}

/* The closure of the problem, as far as the solver came, moved into `result`. */
static cflr_status run(const cflri_problem *problem, cflri_choice *choice, cflr_result *result,
                       bool *filled, cflr_error *error) {
    cflri_closure closure = {0};
    void *held = hold_back(result->graph);
    cflr_status st = solve_by(problem, choice, &closure, error);
    cflri_free(problem->context, held);
    bool partial = st == CFLR_LIMIT || st == CFLR_CANCELLED;
    bool apart = problem->attempts->only; /* a slice has all its pairs, or no result */
    *filled = (st == CFLR_OK || partial) && (closure.relation || !apart);
    if (*filled && problem->question && choice->solver->model != CFLR_MODEL_DEMAND) {
        cflr_status cut_status = cut(problem, &closure, error);
        if (cut_status != CFLR_OK) st = cut_status;
        *filled = cut_status == CFLR_OK;
    }
    if (*filled) {
        cflri_result_fill(result, &closure);
        result->stats.model = choice->solver->model;
        result->stats.threads = closure.threads ? closure.threads : 1;
        if (!result->stats.device.device) result->stats.device.device = CFLR_DEVICE_CPU;
        result->sliced.complete = st == CFLR_OK;
        result->stats.complete = st == CFLR_OK && !result->sliced.n;
    }
    cflri_closure_free(problem->context, &closure);
    return st;
}

/* A call of cflr_solve. */
typedef struct solving {
    cflr_solve_opts opts;
    cflri_ground *ground;
    const cflri_relation **input;
    bool *named, *wanted;
    cflri_question question;
    cflri_filters filters;
    cflri_problem problem;
    cflri_disk disk;
    cflri_attempts attempts;
    cflri_bits_on on;
    cflri_choice choice;
    cflr_result *result;
    bool tells; /* of labels that are not read */
    bool filled, whole;
} solving;

static cflr_status prepare_disk(solving *s, cflr_error *error) {
    const cflr_solve_opts *opts = &s->opts;
    uint32_t parts = opts->parts ? opts->parts : 1;
    if (opts->resume && !opts->work) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "no work directory to resume from");
    }
    if (opts->slice > parts) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "no slice %u of %u", opts->slice, parts);
    }
    if (opts->slice && opts->model != CFLR_MODEL_AUTO && opts->model != CFLR_MODEL_BATCH) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "only the batch model has slices");
    }
    if (parts > MOST_PARTS) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%u parts: there can be %d", parts,
                          MOST_PARTS);
    }
    if (s->problem.context->spine && (opts->work || parts > 1)) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                          "several processes have no work directory, and no parts on disk");
    }
    cflri_disk_init(&s->disk, &s->problem, opts);
    s->attempts = (cflri_attempts){.parts = parts,
                                   .only = opts->slice,
                                   .at_once = opts->work || parts > 1,
                                   .maker = &s->disk.maker};
    s->problem.attempts = &s->attempts;
    return CFLR_OK;
}

static cflr_status prepare(solving *s, const cflr_graph *graph, const cflr_grammar *grammar,
                           const cflr_solve_opts *opts, cflr_error *error) {
    cflr_context *context = graph->context;
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_opts(opts, &s->opts, error));
    CFLR_TRY(cflri_ground_new(grammar, graph, &s->ground, error));
    if (s->tells) CFLR_TRY(cflri_tell_unread(s->ground, error));
    CFLR_TRY(cflri_problem_inputs(graph, s->ground, &s->input, error));
    CFLR_TRY(cflri_filters_make(s->ground, &s->filters, error));
    CFLR_TRY(cflri_question_make(context, &s->opts, graph->n_vertices, &s->question, error));
    bool asked = !cflri_question_is_all(&s->question);
    CFLR_TRY(find_named(context, grammar, &s->opts, asked, &s->named, error));
    CFLR_TRY(find_wanted(s->ground, s->named, &s->wanted, error));
    s->problem = (cflri_problem){.context = context,
                                 .n_vertices = graph->n_vertices,
                                 .ground = s->ground,
                                 .input = s->input,
                                 .filters = &s->filters,
                                 .wanted = s->wanted,
                                 .threads = context->threads,
                                 .stats = s->opts.stats,
                                 .question = asked ? &s->question : NULL};
    CFLR_TRY(prepare_disk(s, error));
    if (s->opts.slice) s->opts.model = CFLR_MODEL_BATCH;
    CFLR_TRY(cflri_choose_device(&s->problem, &s->opts, &s->on, error));
    if (s->on.device || s->on.beside) s->problem.on = &s->on;
    if (s->on.device) s->opts.model = CFLR_MODEL_BATCH;
    CFLR_TRY(cflri_dispatch(&s->problem, s->opts.model, &s->choice, error));
    s->problem.budget = s->choice.budget;
    cflri_log(context, CFLR_LOG_INFO, "model %s", s->choice.reason);
    CFLR_TRY(cflri_result_new(s->ground, s->named, &s->result, error));
    s->result->time_kept = s->opts.time_kept;
out:
    return st;
}

/* Of several processes the first one has the result. */
static cflr_result *take_result(solving *s, double begin) {
    cflr_context *context = s->problem.context;
    cflr_result *made = s->result;
    if (cflri_spine_has_ends(context->spine) && context->spine->carrier->first) return NULL;
    made->stats.seconds_solve = cflri_now() - begin;
    made->stats.peak_bytes = cflr_context_memory_peak(context);
    made->question = s->question;
    s->question = (cflri_question){0};
    s->result = NULL;
    return made;
}

static void free_solving(cflr_context *context, solving *s) {
    cflr_result_free(s->result);
    cflri_disk_free(&s->disk, !s->whole);
    cflri_question_free(context, &s->question);
    cflri_filters_free(&s->filters);
    cflri_free(context, s->wanted);
    cflri_free(context, s->named);
    cflri_free(context, (void *)s->input);
    cflri_ground_free(s->ground);
}

static cflr_status solve(const cflr_graph *graph, const cflr_grammar *grammar, bool tells,
                         const cflr_solve_opts *opts, cflr_result **result, cflr_error *error) {
    cflr_context *context = graph->context;
    solving s = {.tells = tells};
    double begin = cflri_now();
    *result = NULL;
    cflr_status st = prepare(&s, graph, grammar, opts, error);
    st = cflri_spine_agree(context->spine, st, error);
    if (st == CFLR_OK) {
        const cflri_clock clock = cflri_clock_ahead(context, s.opts.time_kept);
        st = run(&s.problem, &s.choice, s.result, &s.filled, error);
        if (s.opts.time_kept > 0) cflri_clock_back(context, clock);
        if (s.filled) *result = take_result(&s, begin);
        s.whole = st == CFLR_OK;
    }
    free_solving(context, &s);
    return st;
}

cflr_status cflr_solve(const cflr_graph *graph, const cflr_grammar *grammar,
                       const cflr_solve_opts *opts, cflr_result **result, cflr_error *error) {
    return solve(graph, grammar, true, opts, result, error);
}

cflr_status cflri_solve(const cflr_graph *graph, const cflr_grammar *grammar,
                        const cflr_solve_opts *opts, cflr_result **result, cflr_error *error) {
    return solve(graph, grammar, false, opts, result, error);
}
