/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.h: where a closure can be computed. The CPU is one place; the GPU and the disk are others
 * (rooms gpu/ and ooc/), each of which fills one cflri_backend. dispatch.c chooses.
 */
#ifndef CFLRI_BACKEND_H
#define CFLRI_BACKEND_H

#include "engine/closure/model.h"

typedef struct cflri_backend {
    const char *name;
    /* Can it run here, with this problem and model? When not, *why says so in a phrase. */
    bool (*accepts)(const cflri_problem *problem, cflr_model model, const char **why);
    /* As cflri_solver.solve; `model` is one that was accepted and is not AUTO. */
    cflr_status (*solve)(const cflri_problem *problem, cflr_model model, cflri_closure *closure,
                         cflr_error *error);
} cflri_backend;

/* What dispatch chose; `reason` is a sentence for people. */
typedef struct cflri_choice {
    const cflri_backend *backend;
    cflr_model model;
    uint64_t budget; /* for the problem; the batch model follows when it is used up */
    char reason[160];
} cflri_choice;

/* Picks the backend and, for AUTO, the model. CFLR_UNAVAILABLE when nothing accepts. */
cflr_status cflri_dispatch(const cflri_problem *problem, cflr_model wanted, cflri_choice *choice,
                           cflr_error *error);

#endif
