/* SPDX-License-Identifier: Apache-2.0
 *
 * loop.h: the nodes of a stratum that loops, what waits for them, and in what order they are worked
 * off.
 *
 *     queue.c      the nodes that wait, by rank
 *     waits.c      nodes, and the sets that they wait with
 *     flows.c      what a row does when it has grown; flows and hubs
 *     condense.c   orders nodes, and merges those that contain each other
 *     loop.c       works them off
 *
 * Nodes are numbered as in cflri_batch_here. Nodes that are known to end with equal rows are one: a
 * ring of members, of which one leads.
 *
 *     node:      3    7    8    9
 *     leader:    3    3    8    3        value, waiting sets and flows are the leader's
 *     next:      7    9    8    3
 *
 * Several threads work nodes off. A node is in the hands of one of them at a time; what others
 * bring to it, sets and flows, goes in front of its lists by a compare-and-swap. What it waits with
 * is taken whole. Leaders and rings change only in condensing.
 *
 *     waits:   [ last set that was brought | 0 ]               it waits with nothing
 *              [ last set | 1 ]                                with that one
 *              [ last set | 1 + entry ] --> set --> set        with those, too
 *
 * Numbers of entries begin with 1, so that zero bytes are a node that nothing is known of.
 */
#ifndef CFLRI_BATCH_LOOP_H
#define CFLRI_BATCH_LOOP_H

#include "engine/closure/batch/loop/queue.h"
#include "engine/closure/batch/rules.h"

typedef struct cflri_looped {
    _Atomic cflri_set_number value;
    _Atomic uint32_t flows; /* first of its flows */
    _Atomic uint64_t waits; /* with what, as cflri_waits_of tells */
    _Atomic uint32_t rank;  /* 0: it is not known: it has never waited, and nothing flows from it */
    uint32_t leader, next;  /* and one more; 0: the node itself */
    uint32_t queued;        /* behind it, in the queue; and one more */
} cflri_looped;

typedef struct cflri_waiting {
    cflri_set_number set;
    uint32_t next;
} cflri_waiting;

/* The last set that was brought to a node, and the others that it waits with. Most nodes wait with
 * one set, which takes no entry. */
typedef struct cflri_waits {
    cflri_set_number last;
    bool some;      /* it waits; else it has had the last one */
    uint32_t first; /* entry, of the others; 0: there are none */
} cflri_waits;

static inline cflri_waits cflri_waits_of(uint64_t word) {
    uint32_t first = (uint32_t)word;
    return (cflri_waits){(cflri_set_number)(word >> 32), first, first ? first - 1 : 0};
}

static inline uint64_t cflri_waits_word(cflri_waits waits) {
    return cflri_pair(waits.last, waits.some ? waits.first + 1 : 0);
}

/* Rows of one node flow into those of another. */
typedef struct cflri_flow {
    uint32_t to;
    uint32_t next;
} cflri_flow;

/* What all threads of a loop share. */
typedef struct cflri_loops {
    cflri_batch *b;
    cflri_views views;
    unsigned steps;           /* what threads do next (loop.c) */
    bool ready;               /* memory was had */
    const cflri_boxes *inbox; /* what other slices told */
    cflri_crew *crew;
    cflri_segments node;    /* cflri_looped */
    cflri_segments waiting; /* cflri_waiting */
    cflri_segments *flow;   /* cflri_flow; one of those: */
    cflri_segments flows[2];
    struct cflri_loop *loop; /* one a thread */
    uint32_t n;              /* of them */
    bool ordered;            /* there are ranks: what waits is queued */
    cflri_queue queue;
    atomic_bool pause;    /* there is something to do for all together before the wave is over */
    uint64_t condense_at; /* when there are so many flows */
    uint64_t sweep_at;    /* when sets take so many bytes */
    uint64_t swept;       /* they took so many after the last time */
    struct cflri_condensing *condensing;
    bool sweeps; /* memory for a sweep was had */
} cflri_loops;

/* One thread's. */
typedef struct cflri_loop {
    cflri_sink sink;
    cflri_batch *b; /* its view */
    cflri_loops *all;
    uint32_t self;
    cflri_draw waiting_draw, flow_draw;
    uint32_t spare;          /* entry of `waiting` that may be used again */
    cflri_chunks deal;       /* of the groups of ranks in its region */
    _Atomic uint64_t hand;   /* groups at hand that are left: the first, and where they end */
    uint32_t rank, rank_end; /* what is left of the last group */
    uint32_t taken;          /* node that is left of the last rank, and one more; 0: none */
    cflri_numbers known;     /* those with a rank: each in one thread's list; some lead no more */
    uint64_t flows;          /* that it linked, or kept in condensing */
    uint64_t pause_at;       /* when it has made so many bytes of sets, all are to pause */
    struct cflri_condenser *condenser; /* while there is one */
    cflri_numbers sets;                /* scratch */
    /* For the others to see when all have waited for all. */
    uint64_t linked;
    bool paused; /* it has not come to the end of the wave */
    bool waits;  /* nodes of its region do */
    bool ended;  /* before what is due is done */
    bool ended_since;
    char apart[CFLRI_APART];
} cflri_loop;

/* Groups of ranks from `at` on, before `end`; what a thread has at hand of them is one word. */
typedef struct cflri_groups {
    uint32_t at, end;
} cflri_groups;

static inline cflri_groups cflri_groups_of(uint64_t word) {
    return (cflri_groups){(uint32_t)(word >> 32), (uint32_t)word};
}

static inline uint64_t cflri_groups_word(cflri_groups groups) {
    return cflri_pair(groups.at, groups.end);
}

static inline bool cflri_loop_is_shared(const cflri_loop *loop) {
    return loop->all->n > 1;
}

static inline cflri_looped *cflri_loop_at(const cflri_loop *loop, uint32_t node) {
    return cflri_segment_at(&loop->all->node, cflri_looped, node);
}

static inline uint32_t cflri_looped_rank(const cflri_looped *at) {
    return atomic_load_explicit(&at->rank, memory_order_relaxed);
}

static inline cflri_waiting *cflri_loop_waiting_at(const cflri_loop *loop, uint32_t entry) {
    return cflri_segment_at(&loop->all->waiting, cflri_waiting, entry);
}

static inline uint32_t cflri_loop_leader(const cflri_loop *loop, uint32_t node) {
    uint32_t leader = cflri_loop_at(loop, node)->leader;
    return leader ? leader - 1 : node;
}

static inline uint32_t cflri_loop_next(const cflri_loop *loop, uint32_t node) {
    uint32_t next = cflri_loop_at(loop, node)->next;
    return next ? next - 1 : node;
}

static inline cflri_waits cflri_loop_waits(const cflri_loop *loop, uint32_t node) {
    const cflri_looped *at = cflri_loop_at(loop, node);
    return cflri_waits_of(atomic_load_explicit(&at->waits, memory_order_relaxed));
}

static inline cflri_set_number cflri_loop_value(const cflri_loop *loop, uint32_t node) {
    return atomic_load(&cflri_loop_at(loop, node)->value);
}

/* The first flow of a node, and any. */
static inline uint32_t cflri_loop_flows(const cflri_loop *loop, uint32_t node) {
    return atomic_load(&cflri_loop_at(loop, node)->flows);
}

static inline const cflri_flow *cflri_loop_flow_at(const cflri_loop *loop, uint32_t flow) {
    return cflri_segment_at(loop->all->flow, cflri_flow, flow);
}

/* The group of ranks where a thread's region begins; it ends where that of the next one begins. */
static inline uint32_t cflri_loop_region(const cflri_loop *loop, uint32_t self) {
    return (uint32_t)cflri_share_of(loop->all->queue.n_groups, self, loop->all->n).begin;
}

/* The mask of a node's row, and its family; 0: all is kept. */
static inline uint32_t cflri_loop_mask(const cflri_loop *loop, uint32_t node, uint32_t *family) {
    *family = 0;
    if (!loop->b->filters) return 0;
    uint32_t there = cflri_batch_there(loop->b, node);
    *family = cflri_batch_family(loop->b, there);
    return cflri_batch_mask(loop->b, *family, cflri_batch_vertex(loop->b, there));
}

/* The node's row is `value` now. */
void cflri_loop_put(cflri_loop *loop, uint32_t node, cflri_set_number value);

/* The leader of the node of (family, vertex), which is made when it is missing: `made` tells,
 * unless it is NULL. False: the thread has ended (batch->end). */
bool cflri_loop_node(cflri_loop *loop, uint32_t family, uint32_t vertex, uint32_t *node,
                     bool *made);

/* The row of a leader is to have the set: unless it does already, it waits with it, and is
 * queued. */
bool cflri_loop_wait(cflri_loop *loop, uint32_t node, cflri_set_number set);

/* The row of the family at the vertex is to have the set: as cflri_sink.row, of a loop's sink. */
bool cflri_loop_bring(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set);

/* The value of a leader and all that it waits with, filtered, which it waits with no more.
 * CFLRI_NO_SET: memory is refused. */
cflri_set_number cflri_loop_take(cflri_loop *loop, uint32_t node);

/* A leader waits with all that another has and waits with, which has nothing any more. */
bool cflri_loop_move(cflri_loop *loop, uint32_t from, uint32_t to);

/* Gives a leader a rank if it has none. */
bool cflri_loop_rank(cflri_loop *loop, uint32_t node);
static inline bool cflri_loop_know(cflri_loop *loop, uint32_t node) {
    return cflri_looped_rank(cflri_loop_at(loop, node)) || cflri_loop_rank(loop, node);
}

/* Queues a leader that has begun to wait. */
void cflri_loop_queue(cflri_loop *loop, uint32_t node);

/* What takes what follows from rows: a row waits with more, or another flows into it. */
cflri_sink cflri_loop_sink(void);

/* A member's row is `whole` now, and was `before`: what follows from that, but by flows. */
bool cflri_loop_grown(cflri_loop *loop, uint32_t member, cflri_set_number whole,
                      cflri_set_number before);

/* The leader's row is `whole` now: so it flows. */
bool cflri_loop_flow(cflri_loop *loop, uint32_t node, cflri_set_number whole);

/* By all threads together: merges nodes that contain each other by what is known now, ranks all,
 * and queues anew what waits. A thread that ends keeps step with the others. */
void cflri_loop_condense(cflri_loop *loop);

#endif
