/* SPDX-License-Identifier: Apache-2.0
 *
 * queue.h: the nodes of a loop that wait, by rank.
 *
 *     group        0        |        1        |   2
 *     rank    0  1  2 ... 7 | 8  9  10 ... 15 | 16 ...
 *     some    x               .                 x
 *     first         |                             '-> node
 *                   '-> node -> node
 *
 * A node is there once at most, so the link to the next one stands at the node. Several threads may
 * put nodes; the nodes of one group are taken by one thread at a time, which opens the group and
 * goes through its ranks. What is put behind that thread's back is there when the group is opened
 * the next time.
 */
#ifndef CFLRI_BATCH_QUEUE_H
#define CFLRI_BATCH_QUEUE_H

#include <stdatomic.h>

#include "base/alloc.h"

enum { CFLRI_QUEUE_GROUP = 8 }; /* ranks */

typedef struct cflri_queue {
    uint32_t n_groups;       /* groups are below that */
    bool shared;             /* by several threads */
    _Atomic uint32_t *first; /* node of each rank, and one more; 0: none */
    _Atomic uint64_t *some;  /* a bit for each group that may have one */
} cflri_queue;

/* Empty, with so many ranks, or a few more. False when memory is refused. Zero bytes are a queue
 * without ranks. */
bool cflri_queue_begin(cflri_queue *queue, cflr_context *context, uint32_t n_ranks, bool shared);
void cflri_queue_free(cflri_queue *queue, cflr_context *context);

/* `link` is the node's. */
void cflri_queue_put(cflri_queue *queue, uint32_t rank, uint32_t node, uint32_t *link);

/* The least group from `group` to before `end` that may have nodes; `end`: none has. */
uint32_t cflri_queue_next(const cflri_queue *queue, uint32_t group, uint32_t end);

/* What is put into the group from now on will be found, by going through it or by `next`. */
void cflri_queue_open(cflri_queue *queue, uint32_t group);

/* Empties a rank of the group that was opened: the first of its nodes, and one more; 0: there is
 * none. */
uint32_t cflri_queue_take(cflri_queue *queue, uint32_t rank);

#endif
