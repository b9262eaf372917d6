/* SPDX-License-Identifier: Apache-2.0
 *
 * dispatch.c: which backend and which model close a problem, and why.
 *
 * AUTO takes the batch model: on no graph measured was another one faster by more than noise
 * (docs/design/closure.md), and on most it is several times faster. A question is asked on demand first
 * (docs/design/demand.md), unless it is thousands.
 */
#include <stdio.h>

#include "base/context.h"
#include "engine/backend.h"
#include "engine/question.h"

static bool cpu_accepts(const cflri_problem *problem, cflr_model model, const char **why) {
    *why = "no solver of that model";
    if (model != CFLR_MODEL_DEMAND) return cflri_solver_find(model) != NULL;
    *why = "it answers questions, and none is asked";
    return problem->question != NULL;
}

static cflr_status cpu_solve(const cflri_problem *problem, cflr_model model, cflri_closure *closure,
                             cflr_error *error) {
    return cflri_solver_find(model)->solve(problem, closure, error);
}

static const cflri_backend backends[] = {
    {"cpu", cpu_accepts, cpu_solve},
};

/* So many questions that each would have to be answered in fewer steps than nearly all take. */
static bool is_too_much(const cflri_problem *problem) {
    enum { FEW_STEPS = 128 };
    const cflri_question *q = problem->question;
    size_t n = q->n_pairs;
    if (!q->pair) n = q->from && (!q->to || q->n_from < q->n_to) ? q->n_from : q->n_to;
    return n > problem->budget / FEW_STEPS;
}

static void choose_model(const cflri_problem *problem, cflri_choice *choice) {
    bool demand = problem->question && !is_too_much(problem);
    choice->model = demand ? CFLR_MODEL_DEMAND : CFLR_MODEL_BATCH;
    snprintf(choice->reason, sizeof choice->reason, "%s: %llu input edges",
             cflr_model_name(choice->model), (unsigned long long)cflri_input_edges(problem));
}

cflr_status cflri_dispatch(const cflri_problem *problem, cflr_model wanted, cflri_choice *choice,
                           cflr_error *error) {
    *choice = (cflri_choice){.model = wanted};
    if (wanted == CFLR_MODEL_AUTO) {
        choose_model(problem, choice);
    } else {
        snprintf(choice->reason, sizeof choice->reason, "%s: as asked", cflr_model_name(wanted));
    }
    const char *why = "no backend";
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        if (backends[i].accepts(problem, choice->model, &why)) {
            choice->backend = &backends[i];
            return CFLR_OK;
        }
    }
    return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "nothing here can run model '%s': %s",
                      cflr_model_name(choice->model), why);
}
