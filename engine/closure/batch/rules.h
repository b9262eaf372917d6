/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.h: what each of the nine kinds of equations does (grammar/equations/equations.h).
 *
 * Two things can follow from a row. A *row* of some family has a set, which is known. Or there is a
 * *flow*: a row has another one, with all that the other one has now and gets later. The caller,
 * which asks what follows, has a sink that takes both:
 *
 *                                          forwards: S has grown      backwards: what is in R
 *     DIAGONAL   R(u) has u                row (seeds)                row
 *     INPUT      R(u) has targets of u     row (seeds)                row
 *     COPY       R(u) has S(u)             row                        flow
 *     EDGE       R(u) has S(v), u -> v     row, one an edge           flow, one an edge
 *     PAIR       R(u) has S(v), Q(u,v)     flow, by new pairs of Q    flow
 *     TURN, STEP, BETWEEN, GUARDS          row, by new ids            -
 *
 * A loop goes forwards (loop/loop.c). In a stratum without one, what is made of ids comes first,
 * forwards from finished rows, and the rest backwards (products/products.c).
 */
#ifndef CFLRI_BATCH_RULES_H
#define CFLRI_BATCH_RULES_H

#include "engine/closure/batch/state.h"

/* Takes what follows; it stands first in the struct of what does it. False when it is time to end,
 * here and below. Sets are neither empty nor CFLRI_NO_SET. */
typedef struct cflri_sink {
    /* The row of the family at the vertex has the set. */
    bool (*row)(struct cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set);
    /* It has the row of another. NULL where COPY, EDGE and PAIR are not asked for, here and
     * below. */
    bool (*flow)(struct cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                 uint32_t from_vertex);
    /* It has the rows of that family at all vertices of a set. */
    bool (*flows)(struct cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                  cflri_set_number from);
} cflri_sink;

/* ---- forwards ---- */

/* One thread's share of what DIAGONAL and INPUT say in a loop. */
bool cflri_rules_seeds(cflri_batch *batch, cflri_sink *sink, uint32_t self, uint32_t threads);

/* What follows from a row whole: COPY and EDGE. The set is handed on as it is: CFLRI_EMPTY_SET asks
 * only where the row goes. */
bool cflri_rules_whole(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number whole);

/* What follows from ids that are new in a row: PAIR, by the pairs of Q, then TURN, GUARDS, STEP,
 * BETWEEN. */
bool cflri_rules_ids(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                     cflri_set_number more);

/* Of these, PAIR alone. */
bool cflri_rules_pairs(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number more);

/* Both, for a row that was `before` and is `whole` now. */
bool cflri_rules_grown(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number whole, cflri_set_number before);

/* ---- backwards ---- */

/* The equations of a stratum that unite rows (cflri_batch_unites), by what is on the left. */
enum { CFLRI_UNITING = CFLRI_PAIR + 1 /* kinds; TURN, which is among them, unites none */ };
typedef struct cflri_lefts {
    /* At family * CFLRI_UNITING + kind: the first in `equation`; and where all end. */
    uint32_t *start;
    uint32_t *equation; /* of one family and kind: ascending by (by_back, by) */
    /* Of a family that a turned PAIR goes by: its pairs read backwards. */
    cflri_relation *turned;
} cflri_lefts;

/* What a row has by these equations. */
bool cflri_rules_contained(cflri_batch *batch, cflri_sink *sink, const cflri_lefts *lefts,
                           uint32_t family, uint32_t vertex);

#endif
