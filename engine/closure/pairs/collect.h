/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.h: from the rows that a model has found to the relations of a closure.
 */
#ifndef CFLRI_COLLECT_H
#define CFLRI_COLLECT_H

#include "engine/closure/pairs/plan.h"

/* The targets of one symbol at one vertex, which are all different: `target`, in any order, or
 * `edge`, which holds them in its lower half, ascending. The other one is NULL. */
typedef struct cflri_found_row {
    uint32_t symbol;
    uint32_t n; /* not 0 */
    const uint32_t *target;
    const uint64_t *edge;
} cflri_found_row;

struct cflri_found;
/* The next row at the vertex; *at is 0 before the first. False when there is none. By several
 * threads. */
typedef bool (*cflri_next_row)(const struct cflri_found *found, uint32_t vertex, uint32_t *at,
                               cflri_found_row *row);

/* What a model has found. It stands first in the struct that `next` looks into. */
typedef struct cflri_found {
    const cflri_problem *problem;
    /* Fixed and mirrored symbols have no rows, and nullable ones have (v,v) where they have none;
     * NULL: all pairs are in rows. */
    const cflri_plan *plan;
    cflri_next_row next;
    int threads;                  /* that share the sorting of rows */
    uint64_t targets;             /* of all relations, and their rows, about */
    uint64_t rows;                /* the same */
    uint64_t fixed_bytes;         /* that relations need beside these */
    uint64_t rounds, derivations; /* as of cflri_closure */
} cflri_found;

/* Fills the closure after a solve that came to `ended`: CFLR_OK, CFLR_LIMIT or CFLR_CANCELLED.
 * Where not all rows fit into what is left of the memory limit, those of the first vertices are
 * kept, as many as fit, and CFLR_LIMIT is returned. Returns what the solve shall return. */
cflr_status cflri_collect(const cflri_found *found, cflr_status ended, cflri_closure *closure,
                          cflr_error *error);

#endif
