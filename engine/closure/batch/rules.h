/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.h: the consequences of the nine kinds of equations (grammar/equations/equations.h).
 *
 * Two things can follow from a row. A *row* of some family contains a set, which is known. Or there
 * is a *flow*: one row contains another, with all that the other has now and gets later. The caller
 * passes a sink that takes both:
 *
 *                                          forwards: S has grown      backwards: content of R
 *     DIAGONAL   R(u) has u                row (seeds)                row
 *     INPUT      R(u) has targets of u     row (seeds)                row
 *     COPY       R(u) has S(u)             row                        flow
 *     EDGE       R(u) has S(v), u -> v     row, one an edge           flow, one an edge
 *     PAIR       R(u) has S(v), Q(u,v)     flow, by new pairs of Q    flow
 *     TURN, STEP, BETWEEN, GUARDS          row, by new ids            -
 *
 * A loop goes forwards (loop/loop.c). A stratum without a loop first goes forwards from finished
 * rows, for the equations that look at ids, and then backwards for the rest (products/products.c).
 */
#ifndef CFLRI_BATCH_RULES_H
#define CFLRI_BATCH_RULES_H

#include "engine/closure/batch/steps.h"

/* Takes consequences. It is the first member of the struct of its owner. Its functions return false
 * when it is time to end, as do the functions below. Sets are neither empty nor CFLRI_NO_SET. */
typedef struct cflri_sink {
    /* The row of the family at the vertex contains the set. */
    bool (*row)(struct cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set);
    /* The row contains another row. NULL where the sink is not used for COPY, EDGE and PAIR; the
     * same holds for `flows` and `spread`. */
    bool (*flow)(struct cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                 uint32_t from_vertex);
    /* The row contains the rows of `from_family` at all vertices of a set. */
    bool (*flows)(struct cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                  cflri_set_number from);
    /* The rows of the family at all vertices of a set contain the row of `from_family`. NULL where
     * the sink is only used backwards. */
    bool (*spread)(struct cflri_sink *sink, uint32_t family, cflri_set_number vertices,
                   uint32_t from_family, uint32_t from_vertex);
} cflri_sink;

/* ---- forwards ---- */

/* Applies one thread's share of DIAGONAL and INPUT in a loop. */
bool cflri_rules_seeds(cflri_batch *batch, cflri_sink *sink, uint32_t self, uint32_t threads);

/* Applies the equations that move a row whole: COPY and EDGE. The set is passed on as it is; with
 * CFLRI_EMPTY_SET a caller only asks where the row moves. */
bool cflri_rules_whole(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number whole);

/* Reports each row, with CFLRI_EMPTY_SET, that may grow with this one by an equation, as far as
 * that is known before pairs are. */
bool cflri_rules_follow(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex);

/* Applies the equations that look at the new ids of a row: PAIR, by the pairs of Q, then TURN,
 * GUARDS, STEP, BETWEEN. */
bool cflri_rules_ids(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                     cflri_set_number more);

/* Appends the steps for which this will ask. */
bool cflri_rules_ask(cflri_batch *batch, uint32_t family, uint32_t vertex, cflri_set_number more,
                     cflri_step_questions *steps);

/* Applies PAIR alone. */
bool cflri_rules_pairs(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number more);

/* Applies all of these to a row that has grown from `before` to `whole`. */
bool cflri_rules_grown(cflri_batch *batch, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number whole, cflri_set_number before);

/* ---- backwards ---- */

/* The equations of a stratum that unite rows (cflri_batch_unites), by their left sides. */
enum { CFLRI_UNITING = CFLRI_PAIR + 1 /* number of kinds; TURN is among them, but unites none */ };
typedef struct cflri_lefts {
    /* At family * CFLRI_UNITING + kind: the first one in `equation`. The last entry is the end of
     * all. */
    uint32_t *start;
    uint32_t *equation; /* ascending by (by_back, by) in one family and kind */
    /* For each family that a turned PAIR goes by: the rows of its converse, by vertex. */
    cflri_set_number **turned;
} cflri_lefts;

/* Finds the content of a row by these equations. */
bool cflri_rules_contained(cflri_batch *batch, cflri_sink *sink, const cflri_lefts *lefts,
                           uint32_t family, uint32_t vertex);

#endif
