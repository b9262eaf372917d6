/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.h: from the rows that a model has found to the relations of a closure.
 */
#ifndef CFLRI_COLLECT_H
#define CFLRI_COLLECT_H

#include "base/vec.h"
#include "engine/closure/pairs/indexed.h"
#include "engine/closure/pairs/plan.h"

/* Edges out of a vertex, or into it, of all labels: (label, other end) as of cflri_pair. */
typedef CFLRI_VEC(uint64_t) cflri_mixed_list;

/* What a model has found: `rows` or `edges`, the other is NULL. */
typedef struct cflri_model_rows {
    const cflri_problem *problem;
    const cflri_directory *rows;   /* one a vertex; fixed and empty rows are left out */
    const cflri_mixed_list *edges; /* one a vertex, sorted */
    /* Fixed and mirrored symbols have no rows, and nullable ones have (v,v) where they have none;
     * NULL: all pairs are in rows. */
    const cflri_plan *plan;
    int threads; /* that share the sorting of rows */
} cflri_model_rows;

/* Fills the closure after a solve that came to `ended`: CFLR_OK, CFLR_LIMIT or CFLR_CANCELLED.
 * Where not all rows fit into what is left of the memory limit, those of the first vertices are
 * kept, as many as fit, and CFLR_LIMIT is returned. Returns what the solve shall return. */
cflr_status cflri_collect(const cflri_model_rows *found, cflr_status ended, cflri_closure *closure,
                          cflr_error *error);

#endif
