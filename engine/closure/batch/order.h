/* SPDX-License-Identifier: Apache-2.0
 *
 * order.h: the strongly connected components of a graph, and the order in which they are worked
 * off.
 */
#ifndef CFLRI_BATCH_ORDER_H
#define CFLRI_BATCH_ORDER_H

#include "base/crew.h"
#include "engine/closure/batch/bag.h"

/* What one of several threads does. */
typedef struct cflri_order_part {
    struct cflri_order *order;
    uint32_t self;
    uint32_t first, end;  /* its share of the nodes */
    cflri_numbers ready;  /* that may be put in line */
    cflri_numbers ahead;  /* that it has put in line */
    cflri_numbers rest;   /* those of its share that nobody has */
    cflri_numbers back;   /* numbers of the rest that it has put in line from the other end */
    cflri_numbers behind; /* nodes that it has put in line of what was found so */
    uint32_t rest_at;     /* where its rest stands in all */
    uint64_t turned_at;   /* where edges that enter it do */
    char apart[CFLRI_APART];
} cflri_order_part;

typedef struct cflri_order {
    cflr_context *context;
    uint32_t n;      /* nodes */
    uint64_t *begin; /* of what a node leads to, in `target`; n + 1 */
    uint32_t *target;
    /* Of each node: edges that lead there from a cycle do not make it a part of one. All zero at
     * first. */
    uint8_t *alone;

    uint32_t *component; /* of each node; they are numbered in order */
    uint32_t n_components;
    uint32_t *first, *member; /* nodes by component; n_components + 1, n */

    uint32_t threads;
    cflri_order_part *part;
    cflri_bag ready;            /* what threads hand to each other */
    _Atomic uint32_t *entering; /* of each node: edges to it from nodes that are not in line */
    uint32_t n_rest, n_behind;
    uint32_t *rest;   /* nodes that are not ahead; component[node] is the number here meanwhile */
    uint64_t *turned; /* where what leads to each of them begins, in `source`; n_rest + 1 */
    uint32_t *source; /* numbers of the rest */
    _Atomic uint32_t *leaving; /* of each of the rest: edges that lead to others not put back */
    atomic_bool refused;       /* memory was */
} cflri_order;

/* By one thread: room for the graph, which is filled afterwards. False when memory is refused; the
 * order may then be freed, and so may zero bytes. */
bool cflri_order_begin(cflri_order *order, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads);
void cflri_order_free(cflri_order *order);

/* By all threads of the crew together, each with a share of the nodes: components, each before what
 * it leads to; but where nodes that no cycle leads to, or that lead to none, were put in line by
 * several threads, an edge from what one put there to what another did may lead back. Without
 * `merges`, every node is a component of its own. False, for all, when memory is refused. */
bool cflri_order_find(cflri_order *order, cflri_crew *crew, cflri_share own, uint32_t self,
                      bool merges);

#endif
