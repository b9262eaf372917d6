/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_order.h: the strongly connected components of a graph, and the order in which they are worked off.
 */
#ifndef CFLRI_BATCH_ORDER_H
#define CFLRI_BATCH_ORDER_H

#include "base/bag.h"
#include "base/crew.h"

typedef CFLRI_VEC(uint32_t) cflri_order_nodes;

/* What one of several threads does. */
typedef struct cflri_order_part {
    cflri_order_nodes ready;   /* nodes that only nodes in line lead to */
    cflri_order_nodes in_line; /* nodes that it has put in line */
    cflri_order_nodes rest;    /* those of its share that are not in line */
    bool refused;              /* memory was */
    char apart[CFLRI_APART];
} cflri_order_part;

typedef struct cflri_order {
    cflr_context *context;
    uint32_t n;      /* nodes */
    uint64_t *begin; /* of what a node leads to, in `target`; n + 1 */
    uint32_t *target;

    uint32_t *component; /* of each node; they are numbered in order */
    uint32_t n_components;
    uint32_t *first, *member; /* nodes by component; n_components + 1, n */

    uint32_t threads;
    cflri_order_part *part;
    cflri_bag ready; /* what threads hand to each other */
    _Atomic uint32_t
        *entering; /* of each node: edges that lead to it from nodes that are not in line */
} cflri_order;

/* By one thread: room for the graph, which is filled afterwards. False when memory is refused; the order may
 * then be freed, and so may zero bytes. */
bool cflri_order_begin(cflri_order *order, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads);
void cflri_order_free(cflri_order *order);

/* By all threads of the crew together, each with a share of the nodes: those that no cycle leads to are put in
 * line. What one thread puts there stands together, and each of those nodes before what it leads to. */
void cflri_order_line(cflri_order *order, cflri_crew *crew, uint32_t self, uint32_t first,
                      uint32_t end);

/* By one thread: components, those of the nodes in line first; of the others, each before what it leads to.
 * Without `merges`, every node is a component of its own. False when memory is refused. */
bool cflri_order_end(cflri_order *order, bool merges);

#endif
