/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_order.h: the strongly connected components of a graph, and the order in which they are worked off.
 */
#ifndef CFLRI_BATCH_ORDER_H
#define CFLRI_BATCH_ORDER_H

#include "base/crew.h"
#include "base/vec.h"

typedef CFLRI_VEC(uint32_t) cflri_order_nodes;

/* What one of several threads does. */
typedef struct cflri_order_part {
    cflri_order_nodes front, next; /* nodes of a level, and of the one behind it */
    cflri_chunks deal;             /* of `front` */
    cflri_order_nodes levelled;    /* nodes that it worked off */
    bool refused;                  /* memory was */
    char apart[CFLRI_APART];
} cflri_order_part;

typedef struct cflri_order {
    cflr_context *context;
    uint32_t n;      /* nodes */
    uint64_t *begin; /* of what a node leads to, in `target`; n + 1 */
    uint32_t *target;

    uint32_t *component; /* of each node */
    uint32_t n_components;
    uint32_t *first, *member; /* nodes by component; n_components + 1, n */
    uint32_t *rank;           /* of each component: larger than those of all that lead to it */
    uint32_t n_ranks;         /* ranks are below that */

    uint32_t threads;
    cflri_order_part *part;
    _Atomic uint32_t *entering; /* of each node: nodes that lead to it and have no level yet */
    _Atomic uint32_t *level;
} cflri_order;

/* By one thread: room for the graph, which is filled afterwards. False when memory is refused; the order may
 * then be freed, and so may zero bytes. */
bool cflri_order_begin(cflri_order *order, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads);
void cflri_order_free(cflri_order *order);

/* By all threads of the crew together, if there are several, each with a share of the nodes: ranks of nodes that
 * no cycle leads to. */
void cflri_order_levels(cflri_order *order, cflri_crew *crew, uint32_t self, uint32_t first,
                        uint32_t end);

/* By one thread: components and ranks. Without `merges`, every node is a component of its own, with the rank
 * of the one it is in. False when memory is refused. */
bool cflri_order_end(cflri_order *order, bool merges);

#endif
