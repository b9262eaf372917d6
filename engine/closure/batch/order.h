/* SPDX-License-Identifier: Apache-2.0
 *
 * order.h: the strongly connected components of a graph, in a topological order.
 */
#ifndef CFLRI_BATCH_ORDER_H
#define CFLRI_BATCH_ORDER_H

#include "base/crew.h"
#include "engine/closure/batch/bag.h"

/* Nodes in the order in which a thread has placed them. Until they have components, each links to
 * the next by its place in order.component. */
typedef struct cflri_order_line {
    uint32_t first, last, n;
} cflri_order_line;

/* The part of one of several threads. */
typedef struct cflri_order_part {
    struct cflri_order *order;
    uint32_t self;
    uint32_t first, end;    /* its share of the nodes */
    cflri_numbers ready;    /* nodes that can be placed next */
    cflri_order_line ahead; /* nodes that it has placed from the front */
    /* Nodes of its share that no thread has placed from the front. */
    cflri_numbers rest;
    cflri_order_line behind; /* nodes that lead to no cycle */
    uint32_t rest_at;        /* number of the first node of its rest */
    uint64_t turned_at;      /* where the edges that enter its rest begin in `source` */
    char apart[CFLRI_APART];
} cflri_order_part;

typedef struct cflri_order {
    cflr_context *context;
    uint32_t n;      /* number of nodes */
    uint64_t *begin; /* where the edges of each node begin in `target`; n + 1 */
    uint32_t *target;
    /* For each node: edges that lead to it do not make it a member of a cycle. All zero at
     * first. */
    uint8_t *alone;

    uint32_t *component; /* of each node; ascending in the order */
    uint32_t n_components;
    uint32_t *first, *member; /* nodes by component; n_components + 1, n */

    uint32_t threads;
    cflri_order_part *part;
    cflri_bag ready; /* nodes that threads hand to each other */
    /* For each node, the number of edges to it from nodes that are not placed yet. */
    _Atomic uint32_t *entering;
    uint32_t n_rest, n_behind;
    /* Nodes that are not placed from the front. For now, component[node] is the number of the node
     * here. */
    uint32_t *rest;
    /* Where the edges to each of the rest begin in `source`; n_rest + 1. */
    uint64_t *turned;
    uint32_t *source; /* numbers of the rest */
    /* For each of the rest, the number of edges to nodes that are not yet found from the other
     * end. */
    _Atomic uint32_t *leaving;
    atomic_bool refused; /* memory was refused */
} cflri_order;

/* Called by one thread. Allocates the graph, which the caller then fills. False when memory is
 * refused; the order can then be freed, as zero bytes can. */
bool cflri_order_begin(cflri_order *order, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads);
void cflri_order_free(cflri_order *order);

/* Bytes of the graph and the order. */
uint64_t cflri_order_bytes(const cflri_order *order);

/* Called by all threads of the crew together, each with a share of the nodes. Finds the components,
 * each before those that it leads to, with one exception: where no cycle leads to the nodes, or the
 * nodes lead to no cycle, several threads place them, and an edge between nodes of two threads may
 * lead backwards. Without `merges`, every node is a component of its own. False, for all threads,
 * when memory is refused. */
bool cflri_order_find(cflri_order *order, cflri_crew *crew, cflri_share own, uint32_t self,
                      bool merges);

#endif
