/* SPDX-License-Identifier: Apache-2.0
 *
 * whole.h: relations of all targets, put together from their parts, with sets that rows share.
 */
#ifndef CFLRI_WHOLE_H
#define CFLRI_WHOLE_H

#include "base/seen.h"
#include "engine/sets/stored_sets.h"

/* A piece of a row: a row of one of the parts. */
typedef struct cflri_row_piece {
    uint32_t part, row;
} cflri_row_piece;

/* Pieces that were united before. */
typedef struct cflri_united {
    uint64_t first;       /* place of the first of them in `known` */
    cflri_set_number set; /* of all their targets */
    uint32_t n;
} cflri_united;

typedef struct cflri_whole {
    cflr_context *context;
    uint32_t n; /* parts */
    cflri_stored_sets *sets;
    uint32_t *at;                     /* by part: its next row */
    CFLRI_VEC(cflri_row_piece) piece; /* of the current row */
    CFLRI_VEC(uint64_t) known;        /* (part, set) of pieces that were united */
    CFLRI_VEC(cflri_united) united;   /* in order of first appearance */
    cflri_seen seen;                  /* numbers of `united` */
    cflr_row row;
    cflri_numbers ids; /* of the current row */
} cflri_whole;

/* Makes a whole of n parts without a relation; ids are below `universe`. When memory is refused, it
 * can be freed. */
cflr_status cflri_whole_init(cflri_whole *whole, cflr_context *context, uint32_t universe,
                             uint32_t n, cflr_error *error);
/* Frees what was not taken. Zero bytes may be freed, too. */
void cflri_whole_free(cflri_whole *whole);

/* Unites the relations of the parts; of a row, the targets in a part are less than in later parts.
 * All relations of one part have the same sets, if they have sets. `made` is empty when memory is
 * refused. O(rows * parts), and O(targets) for each row whose pieces were not united before. */
cflr_status cflri_whole_add(cflri_whole *whole, const cflri_relation *const *part,
                            cflri_relation *made, cflr_error *error);

/* Returns the sets of the relations that were made. The caller owns them, and adds no more
 * relations. */
cflri_target_sets *cflri_whole_take(cflri_whole *whole);

#endif
