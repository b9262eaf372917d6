/* SPDX-License-Identifier: Apache-2.0
 *
 * edge_walk.h: goes along the edges of an input, read backwards or not.
 */
#ifndef CFLRI_EDGE_WALK_H
#define CFLRI_EDGE_WALK_H

#include "engine/spine/plan.h"

typedef struct cflri_edge_walk {
    const cflri_relation *input; /* NULL: no edges */
    bool back;
    uint32_t row;
    uint64_t at;
    uint32_t from, to; /* the edge */
} cflri_edge_walk;

static inline cflri_edge_walk cflri_edge_walk_of(const cflri_spine_plan *plan, uint32_t symbol,
                                                 bool back) {
    return (cflri_edge_walk){.input = plan->reduced.problem.input[symbol], .back = back};
}

/* False at the end. */
static inline bool cflri_edge_walk_next(cflri_edge_walk *walk) {
    const cflri_relation *input = walk->input;
    if (!input || walk->at == input->n_pairs) return false;
    while (input->start[walk->row + 1] == walk->at) walk->row++;
    uint32_t source = input->row[walk->row], target = input->target[walk->at++];
    walk->from = walk->back ? target : source;
    walk->to = walk->back ? source : target;
    return true;
}

#endif
