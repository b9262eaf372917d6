/* SPDX-License-Identifier: Apache-2.0
 *
 * steps.h: where the edges of a label lead from the ids of a set.
 *
 * Most steps have been asked for before, since equal rows are one set. Answers are kept in
 * batch->steps, by the set and the kind of edge.
 */
#ifndef CFLRI_BATCH_STEPS_H
#define CFLRI_BATCH_STEPS_H

#include "engine/closure/batch/state.h"

/* A kind of edge: 8 * label, and 4 more against the edges, 2 more from guards, 1 more to guards. */
typedef uint32_t cflri_edge_kind;

/* Of edges from ids in rows of one family to ids in rows of another. */
static inline cflri_edge_kind cflri_edge_kind_of(const cflri_batch *batch, uint32_t label,
                                                 bool back, uint32_t from, uint32_t to) {
    const cflri_family *family = batch->equations->family.at;
    return label * 8 + back * 4u + family[from].guarded * 2u + family[to].guarded;
}

/* Returns the targets of the edges, as a set. CFLRI_NO_SET: memory is refused. */
cflri_set_number cflri_batch_step(cflri_batch *batch, cflri_set_number set, cflri_edge_kind kind);

/* Returns the guards among the vertices of a set. CFLRI_NO_SET: memory is refused. */
cflri_set_number cflri_batch_guards(cflri_batch *batch, cflri_set_number set);

/* A question that is going to be asked. */
typedef struct cflri_step_question {
    cflri_edge_kind kind;
    cflri_set_number set;
} cflri_step_question;

typedef CFLRI_VEC(cflri_step_question) cflri_step_questions;

enum { CFLRI_STEPS_TOGETHER = 64 };

/* Answers many questions at once where that is less work than one at a time; the others are left.
 * Empties the list. Without memory nothing is answered. */
void cflri_batch_step_together(cflri_batch *batch, cflri_step_questions *steps);
/* Bytes of the answers, and of what that keeps for the next time. */
uint64_t cflri_batch_steps_bytes(const cflri_batch *batch);
/* Frees what it keeps. */
void cflri_batch_free_steps(cflri_batch *batch);

#endif
