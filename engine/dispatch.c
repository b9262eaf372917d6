/* SPDX-License-Identifier: Apache-2.0
 *
 * dispatch.c: which model closes a problem, and why.
 *
 * AUTO takes the batch model, which on nearly all graphs is several times faster than the others
 * (docs/explanation/closure.md). But what it makes ready before it starts costs more than finding a
 * few thousand pairs one by one: a small graph is tried pair by pair, with a budget that takes a
 * millisecond or two. A question is asked on demand first (docs/explanation/demand.md), unless it
 * is thousands.
 */
#include <stdio.h>

#include "base/context.h"
#include "engine/closure/question.h"
#include "engine/dispatch.h"
#include "engine/spine/driver.h"

/* Steps of the demand model that take no longer than the closure does, as a rule, nor more than
 * part of the memory that is left. */
static uint64_t demand_budget(const cflri_problem *problem, uint64_t edges) {
    enum { STEPS_AN_EDGE = 1, FEWEST = 1 << 14, BYTES_A_STEP = 64 };
    uint64_t steps = FEWEST + STEPS_AN_EDGE * edges;
    uint64_t fit = cflri_memory_left(problem->context) / BYTES_A_STEP;
    return steps < fit ? steps : fit;
}

/* So many questions that each would have to be answered in fewer steps than nearly all take. */
static bool is_too_much(const cflri_problem *problem, uint64_t budget) {
    enum { STEPS_A_QUESTION = 128 };
    const cflri_question *q = problem->question;
    size_t n = q->n_pairs;
    if (!q->pair) n = q->from && (!q->to || q->n_from < q->n_to) ? q->n_from : q->n_to;
    return n > budget / STEPS_A_QUESTION;
}

static cflr_model choose_model(const cflri_problem *problem, cflri_choice *choice) {
    enum { FEW_EDGES = 1 << 11, FEW_STEPS = 1 << 16 };
    uint64_t edges = cflri_input_edges(problem), steps = demand_budget(problem, edges);
    cflr_model model = CFLR_MODEL_BATCH;
    if (problem->question && !is_too_much(problem, steps)) {
        model = CFLR_MODEL_DEMAND;
        choice->budget = steps;
    } else if (edges <= FEW_EDGES && !problem->stats) {
        model = CFLR_MODEL_EDGE_INDEXED;
        choice->budget = FEW_STEPS;
    }
    int n = snprintf(choice->reason, sizeof choice->reason, "%s: %llu input edges",
                     cflr_model_name(model), (unsigned long long)edges);
    if (choice->budget == UINT64_MAX) return model;
    snprintf(choice->reason + n, sizeof choice->reason - (size_t)n, ", for at most %llu steps",
             (unsigned long long)choice->budget);
    return model;
}

cflr_status cflri_dispatch(const cflri_problem *problem, cflr_model wanted, cflri_choice *choice,
                           cflr_error *error) {
    *choice = (cflri_choice){.budget = UINT64_MAX};
    bool together = cflri_spine_has_ends(problem->context->spine);
    if (together && wanted != CFLR_MODEL_AUTO && wanted != CFLR_MODEL_BATCH) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "several processes close a graph by model 'batch', not by '%s'",
                          cflr_model_name(wanted));
    }
    if (together) {
        wanted = CFLR_MODEL_BATCH;
        snprintf(choice->reason, sizeof choice->reason, "%s: with other processes",
                 cflr_model_name(wanted));
    } else if (wanted != CFLR_MODEL_AUTO) {
        snprintf(choice->reason, sizeof choice->reason, "%s: as asked", cflr_model_name(wanted));
    } else {
        wanted = choose_model(problem, choice);
    }
    choice->solver = cflri_solver_find(wanted);
    const char *why =
        choice->solver ? "it answers questions, and none is asked" : "no solver of that model";
    if (choice->solver && (wanted != CFLR_MODEL_DEMAND || problem->question)) return CFLR_OK;
    return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "nothing here can run model '%s': %s",
                      cflr_model_name(wanted), why);
}
