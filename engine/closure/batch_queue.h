/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_queue.h: the nodes of a loop that wait, in the order in which they are worked off.
 *
 *     this wave:   rank  0  1  2  3  4  5  6        next wave:   rank  0  1  2  3  4  5  6
 *     some:              .  .  .  x  .  x  .                           .  x  .  .  .  .  .
 *     first:                      |     '-> node                          '-> node -> node
 *                                 '-> node -> node
 *
 * A queue for each thread. A node is in one queue at most, so the link to the next one stands at the node.
 */
#ifndef CFLRI_BATCH_QUEUE_H
#define CFLRI_BATCH_QUEUE_H

#include "base/alloc.h"

#define CFLRI_NO_RANK UINT32_MAX

typedef struct cflri_queue {
    uint32_t n_ranks;   /* there is room for so many */
    uint32_t *first[2]; /* by parity of the wave: node of each rank, and one more; 0: none */
    uint64_t *some[2];  /* a bit for each rank that has one */
    uint32_t low[2];    /* no rank below this has one */
} cflri_queue;

/* Empty, with room for so many ranks. False when memory is refused. Zero bytes are a queue without ranks. */
bool cflri_queue_begin(cflri_queue *queue, cflr_context *context, uint32_t n_ranks);
void cflri_queue_free(cflri_queue *queue, cflr_context *context);

/* `link` is the node's. */
static inline void cflri_queue_put(cflri_queue *queue, uint32_t wave, uint32_t rank, uint32_t node,
                                   uint32_t *link) {
    uint32_t *first = &queue->first[wave & 1][rank];
    *link = *first;
    *first = node + 1;
    queue->some[wave & 1][rank / 64] |= UINT64_C(1) << rank % 64;
    if (rank < queue->low[wave & 1]) queue->low[wave & 1] = rank;
}

/* Empties the rank: the first of its nodes, and one more; 0: there is none. */
static inline uint32_t cflri_queue_take(cflri_queue *queue, uint32_t wave, uint32_t rank) {
    uint32_t first = queue->first[wave & 1][rank];
    queue->first[wave & 1][rank] = 0;
    queue->some[wave & 1][rank / 64] &= ~(UINT64_C(1) << rank % 64);
    return first;
}

/* The least rank that has nodes; CFLRI_NO_RANK: none has. */
uint32_t cflri_queue_least(cflri_queue *queue, uint32_t wave);

#endif
