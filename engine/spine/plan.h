/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.h: the data that all slices of a closure share and only read.
 *
 *     problem -> the vertices that edges touch (reduce.h) -> equations in strata -> ports, guards
 *
 * The plan follows from the problem alone. So places that share no memory make the same plan, with
 * the same numbers for vertices, families and guards.
 */
#ifndef CFLRI_SPINE_PLAN_H
#define CFLRI_SPINE_PLAN_H

#include "engine/closure/ports.h"
#include "engine/spine/reduce.h"
#include "engine/spine/split.h"
#include "grammar/equations/equations.h"

#define CFLRI_NO_GUARD UINT32_MAX

typedef struct cflri_spine_plan {
    cflr_context *context;
    cflri_reduced reduced;
    cflri_equations *equations;
    cflri_split split;
    /* By family: a PAIR equation goes by its pairs, so every slice has to know them all. */
    bool *broadcast;
    uint32_t tail; /* from this stratum on slices have nothing to send to each other */
    bool alone;    /* there is one slice, whose states no other process reads */
    bool last;     /* no attempt follows: where memory ends, slices go on with less (batch.c) */
    /* Available until cflri_spine_plan_end_solving: */
    cflri_ports ports;
    uint32_t *guard_of; /* vertex -> its number among the guards, or CFLRI_NO_GUARD; NULL: none */
    uint32_t *guard;    /* number -> vertex, ascending */
    uint32_t n_guards;
} cflri_spine_plan;

/* Plans for a number of slices, with borders at multiples of the grain. If the slice is alone, it
 * may reorder vertices. The problem must outlive the plan. */
cflr_status cflri_spine_plan_init(cflri_spine_plan *plan, const cflri_problem *problem,
                                  uint32_t slices, uint32_t grain, bool alone, cflr_error *error);
void cflri_spine_plan_free(cflri_spine_plan *plan);
/* Frees all that only solving needs. */
void cflri_spine_plan_end_solving(cflri_spine_plan *plan);

/* Can a slice have something to send to others in the stratum? O(equations of the stratum) */
bool cflri_spine_exchanges(const cflri_spine_plan *plan, uint32_t stratum);

/* Bytes of the plan, with the filters of the problem. O(symbols). */
uint64_t cflri_spine_plan_bytes(const cflri_spine_plan *plan);

/* Returns the slice of an id in rows of the family: of a vertex, or of a guard. */
static inline uint32_t cflri_spine_owner(const cflri_spine_plan *plan, bool guarded, uint32_t id) {
    return cflri_split_owner(plan->split, guarded ? plan->guard[id] : id);
}

#endif
