/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_loop.h: the nodes of a stratum that loops, what waits for them, and in what order they are worked
 * off. Shared by batch_loop.c, which works them off, and batch_condense.c, which orders and merges them.
 *
 * Nodes are numbered as in cflri_batch_here. Nodes that are known to end with equal rows are one: a ring of
 * members, of which one leads.
 *
 *     node:      3    7    8    9
 *     leader:    3    3    8    3        value, waiting sets and flows are the leader's
 *     next:      7    9    8    3
 */
#ifndef CFLRI_BATCH_LOOP_H
#define CFLRI_BATCH_LOOP_H

#include "engine/closure/batch.h"

#define CFLRI_NONE UINT32_MAX

typedef struct cflri_looped {
    cflri_set_number value;
    uint32_t waits; /* first of the sets that it waits with; CFLRI_NONE: it is not queued */
    uint32_t flows; /* first of its flows */
    uint32_t rank;  /* 0: it is not known: it has never waited, and nothing flows from it */
    uint32_t leader;
    uint32_t next; /* of the ring */
} cflri_looped;

typedef struct cflri_waiting {
    cflri_set_number set;
    uint32_t next;
} cflri_waiting;

/* Rows of one node flow into those of another. */
typedef struct cflri_flow {
    uint32_t to;
    uint32_t next;
} cflri_flow;

typedef struct cflri_queued {
    uint64_t key; /* wave, rank */
    uint32_t node;
} cflri_queued;

typedef struct cflri_loop {
    cflri_batch *b;
    CFLRI_VEC(cflri_looped) node;
    CFLRI_VEC(cflri_waiting) waiting;
    uint32_t spare; /* entry of `waiting` */
    CFLRI_VEC(cflri_flow) flow;
    CFLRI_VEC(cflri_queued) heap;
    uint32_t wave, front; /* that is worked on, and the rank it is at */
    cflri_numbers known;  /* leaders that have a rank, each once, and some that lead no more */
    bool ordered;         /* there are ranks */
    size_t condense_at;   /* when there are so many flows */
    uint64_t sweep_at;    /* when sets take so many bytes */
    cflri_numbers sets;   /* scratch */
} cflri_loop;

static inline uint32_t cflri_loop_leader(cflri_loop *loop, uint32_t node) {
    cflri_looped *at = loop->node.at;
    while (at[node].leader != node) node = at[node].leader = at[at[node].leader].leader;
    return node;
}

/* The leader of the node of (family, vertex), which is made when it is missing. False: see batch->end. */
bool cflri_loop_node(cflri_loop *loop, uint32_t family, uint32_t vertex, uint32_t *node);

/* The row of a leader is to have the set. */
bool cflri_loop_wait(cflri_loop *loop, uint32_t node, cflri_set_number set);

/* The value of a leader and all that it waits with, which it does no more. CFLRI_NO_SET: memory is refused. */
cflri_set_number cflri_loop_take(cflri_loop *loop, uint32_t node);

/* Gives a leader a rank if it has none. */
bool cflri_loop_know(cflri_loop *loop, uint32_t node);

/* Queues a leader that has begun to wait. */
bool cflri_loop_queue(cflri_loop *loop, uint32_t node);

/* A member's row is `whole` now, and was `before`: what follows from that, but by flows. */
bool cflri_loop_grown(cflri_loop *loop, uint32_t member, cflri_set_number whole,
                      cflri_set_number before);

/* The leader's row is `whole` now: so it flows. */
bool cflri_loop_flow(cflri_loop *loop, uint32_t node, cflri_set_number whole);

/* Merges nodes that contain each other by what is known now, ranks all, and queues anew what waits. */
bool cflri_loop_condense(cflri_loop *loop);

#endif
