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
 * A node is in the queue at most once, so the link to the next node is stored in the node. Several
 * threads may put nodes. The nodes of one group are taken by one thread at a time, which opens the
 * group and goes through its ranks. A node that is put behind that thread is found when the group
 * is opened the next time.
 */
#ifndef CFLRI_BATCH_QUEUE_H
#define CFLRI_BATCH_QUEUE_H

#include <stdatomic.h>

#include "base/alloc.h"

enum { CFLRI_QUEUE_GROUP = 8 }; /* number of ranks */

typedef struct cflri_queue {
    uint32_t n_groups;       /* number of groups */
    bool shared;             /* used by several threads */
    _Atomic uint32_t *first; /* first node of each rank, plus 1; 0: none */
    _Atomic uint64_t *some;  /* a bit for each group that may have a node */
} cflri_queue;

/* Makes an empty queue with at least `n_ranks` ranks. False when memory is refused. Zero bytes are
 * a queue without ranks. */
bool cflri_queue_begin(cflri_queue *queue, cflr_context *context, uint32_t n_ranks, bool shared);
void cflri_queue_free(cflri_queue *queue, cflr_context *context);

/* Puts a node, which owns `link`. */
void cflri_queue_put(cflri_queue *queue, uint32_t rank, uint32_t node, uint32_t *link);

/* The least group from `group` to before `end` that may have nodes. `end`: none has. */
uint32_t cflri_queue_next(const cflri_queue *queue, uint32_t group, uint32_t end);

/* Opens a group. A node that is put into it from now on will be found, by going through the group
 * or by cflri_queue_next. */
void cflri_queue_open(cflri_queue *queue, uint32_t group);

/* Empties a rank of the opened group. Returns the first of its nodes, plus 1. 0: the rank is
 * empty. */
uint32_t cflri_queue_take(cflri_queue *queue, uint32_t rank);

#endif
