/* SPDX-License-Identifier: Apache-2.0
 *
 * pieced_sets.h: sets that are concatenations of sets of several owners, as those of relations.
 */
#ifndef CFLRI_PIECED_SETS_H
#define CFLRI_PIECED_SETS_H

#include "base/graph/relation.h"
#include "base/seen.h"
#include "base/vec.h"

typedef struct cflri_pieced_sets {
    cflri_target_sets sets; /* .free frees the struct, the arrays and the parts */
    cflr_context *context;
    uint32_t n_parts;
    cflri_target_sets **part;  /* some may be NULL */
    bool owns;                 /* the parts */
    CFLRI_VEC(uint64_t) piece; /* part << 32 | number of its set, set by set */
    CFLRI_VEC(uint64_t) end;   /* of each set: where its pieces end */
    cflri_seen seen;           /* numbers of sets, by their pieces */
} cflri_pieced_sets;

/* Makes pieced sets without a set. Sets of the parts, of which some may be NULL, may still be added
 * to them. NULL when memory is refused. */
cflri_pieced_sets *cflri_pieced_sets_new(cflr_context *context, cflri_target_sets *const *part,
                                         uint32_t n_parts);

/* Puts relations together, of which each has the sets of one of the parts, or no row. Rows of one
 * source become one row, in the order of the relations; so the targets must be less than those of
 * the row in later relations. `made` is empty when memory is refused. O(rows * relations) */
cflr_status cflri_pieced_sets_add(cflri_pieced_sets *pieced, const cflri_relation *const *relation,
                                  uint32_t n, cflri_relation *made, cflr_error *error);

/* Takes the parts over. No relation is added afterwards. */
void cflri_pieced_sets_end(cflri_pieced_sets *pieced);

#endif
