/* SPDX-License-Identifier: Apache-2.0
 *
 * flows.h: the assignments of a program, where a pointer may pass, as compressed rows, to be
 * searched along or against them.
 */
#ifndef CFLRI_FLOWS_H
#define CFLRI_FLOWS_H

#include "frontend/facts/facts.h"

/* The row of node n is next[start[n]] to next[start[n + 1]]. Zero bytes are a valid argument of
 * free. */
typedef struct cflri_flows {
    uint32_t *start;
    cflri_node *next;
} cflri_flows;

/* Makes the rows of sources (forward), or of targets, in place of those that were there. O(nodes +
 * assignments). CFLR_LIMIT, CFLR_OUT_OF_MEMORY. */
cflr_status cflri_flows_make(cflri_flows *flows, const cflri_facts *facts, bool forward,
                             cflr_error *error);

/* Marks in `reached` all nodes that the rows lead to from the marked one `from`, which are not
 * marked yet; not into nodes that are `closed` (NULL: none is). `stack` is large enough for all
 * nodes. Linear over all calls with one `reached`. */
void cflri_flows_reach(const cflri_flows *flows, cflri_node from, const bool *closed, bool *reached,
                       cflri_node *stack);

void cflri_flows_free(cflr_context *context, cflri_flows *flows);

#endif
