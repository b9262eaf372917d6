/* SPDX-License-Identifier: Apache-2.0
 *
 * loop.h: the nodes of a stratum that loops, the sets that wait at them, and the order in which
 * nodes are processed.
 *
 *     queue.c      the nodes that wait, by rank
 *     waits.c      nodes and their pending sets
 *     flows.c      the consequences of a row that has grown; flows, hubs and fans
 *     acyclic.c    processes nodes that no cycle leads to
 *     condense.c   orders nodes, and merges nodes that contain each other
 *     loop.c       processes nodes
 *
 * Nodes are numbered as in cflri_batch_here. Nodes that are known to end with equal rows are merged
 * into a ring of members, one of which is the leader:
 *
 *     node:      3    7    8    9
 *     leader:    3    3    8    3        value, pending sets and flows are the leader's
 *     next:      7    9    8    3        in an array that is made for the first ring
 *
 * A node is *known* when it waits, has a value, or has flows. A known leader has a rank from when
 * it first waits; before that it is unranked. Nodes that nothing is known of are zero bytes.
 *
 * A *pending* set of a node is a set that its row must contain and has not taken in yet. A node
 * with pending sets *waits*.
 *
 * Several threads process nodes. At any time at most one thread owns a node. Other threads put sets
 * and flows in front of the lists of the node by a compare-and-swap; the owner takes all pending
 * sets at once. Leaders and rings change only during condensing.
 *
 *     waits:   [ last set that was brought | 0 ]               no set is pending
 *              [ last set | 1 ]                                the last set is pending
 *              [ last set | 1 + entry ] --> set --> set        so are the sets of the list
 *
 * Numbers of entries begin with 1.
 */
#ifndef CFLRI_BATCH_LOOP_H
#define CFLRI_BATCH_LOOP_H

#include "engine/closure/batch/bag.h"
#include "engine/closure/batch/loop/queue.h"
#include "engine/closure/batch/rules.h"

/* Places that are not in the order, instead of a rank. */
#define CFLRI_UNKNOWN 0
#define CFLRI_UNRANKED (UINT32_MAX - 1)
#define CFLRI_MEMBER UINT32_MAX /* not a leader */

typedef struct cflri_looped {
    _Atomic cflri_set_number value;
    _Atomic uint32_t flows; /* first flow of the node */
    _Atomic uint64_t waits; /* last and pending sets, encoded as in cflri_waits_of */
    _Atomic uint32_t rank;
    uint32_t link; /* of a leader: next node in the queue, plus 1; of a member: its leader */
} cflri_looped;

typedef struct cflri_waiting {
    cflri_set_number set;
    uint32_t next;
} cflri_waiting;

/* The last set that was brought to a node, and its other pending sets. Most nodes have one pending
 * set, which takes no entry. */
typedef struct cflri_waits {
    cflri_set_number last;
    bool some;      /* the node waits; otherwise it has taken in the last set */
    uint32_t first; /* first entry of the other pending sets; 0: none */
} cflri_waits;

static inline cflri_waits cflri_waits_of(uint64_t word) {
    uint32_t first = (uint32_t)word;
    return (cflri_waits){(cflri_set_number)(word >> 32), first, first ? first - 1 : 0};
}

static inline uint64_t cflri_waits_word(cflri_waits waits) {
    return cflri_pair(waits.last, waits.some ? waits.first + 1 : 0);
}

/* The row of `to` contains the row of the node that lists the flow. */
typedef struct cflri_flow {
    uint32_t to;
    uint32_t next;
} cflri_flow;

/* Nodes that no cycle leads to, while they are processed one after the other (acyclic.c). */
typedef struct cflri_acyclic {
    bool begun, over;
    uint32_t n;                 /* number of nodes; those that were made later are not among them */
    uint32_t old_flows;         /* flows below this one are not newer than the nodes */
    _Atomic uint32_t *entering; /* of each: the number of edges from nodes that are not processed */
    cflri_bag bag;              /* nodes that are ready */
} cflri_acyclic;

/* The part of a loop that all its threads share. */
typedef struct cflri_loops {
    cflri_batch *b;
    cflri_views views;
    unsigned steps;           /* the next steps of the threads (loop.c) */
    bool ready;               /* all memory was available */
    double until;             /* threads stop between waves from then on, as cflri_now tells */
    bool worked;              /* they have done something before */
    bool stopped;             /* they did stop */
    uint32_t loaded;          /* nodes below this one may have a value from the beginning */
    const cflri_boxes *inbox; /* boxes from other slices */
    cflri_crew *crew;
    cflri_segments node;     /* of cflri_looped */
    cflri_segments ring;     /* next node of each node's ring, plus 1; 0 or missing: itself */
    cflri_segments waiting;  /* of cflri_waiting */
    cflri_segments flow;     /* of cflri_flow */
    struct cflri_loop *loop; /* one for each thread */
    uint32_t n;              /* number of threads */
    bool ordered;            /* nodes have ranks, and waiting nodes are queued */
    cflri_queue queue;
    atomic_bool pause;    /* the threads have to meet before the wave ends */
    uint64_t condense_at; /* number of flows from which a wave begins with condensing */
    uint64_t sweep_at;    /* number of bytes of sets from which threads sweep */
    uint64_t swept;       /* number of bytes of sets after the last sweep */
    cflri_acyclic acyclic;
    struct cflri_condensing *condensing;
    bool sweeps; /* memory for a sweep was available */
} cflri_loops;

/* The part of a loop that one thread owns. */
typedef struct cflri_loop {
    cflri_sink sink;
    cflri_batch *b; /* the thread's view */
    cflri_loops *all;
    uint32_t self;
    cflri_draw waiting_draw, flow_draw;
    uint32_t spare;          /* first entry of `waiting` that can be used again */
    cflri_chunks deal;       /* distributes the groups of ranks in the thread's region */
    _Atomic uint64_t hand;   /* the groups that the thread has still to process */
    uint32_t rank, rank_end; /* the rest of the current group */
    uint32_t taken;          /* next node of the current rank, plus 1; 0: none */
    /* Known nodes, each in the list of one thread. Some are no longer leaders. */
    cflri_numbers known;
    cflri_numbers ready;        /* nodes that acyclic.c processes next */
    cflri_step_questions steps; /* scratch */
    uint64_t flows;             /* number of flows that it linked, or kept in condensing */
    uint64_t pause_at;          /* number of bytes of sets made from which all threads pause */
    struct cflri_condenser *condenser; /* NULL except during condensing */
    cflri_numbers sets;                /* scratch */
    /* Other threads read these between barriers. */
    uint64_t linked;
    bool paused; /* the thread has not come to the end of the wave */
    bool waits;  /* nodes of its region wait */
    bool ended;  /* the thread has ended before the work that is due */
    bool ended_since;
    char apart[CFLRI_APART];
} cflri_loop;

/* Groups of ranks from `at` to before `end`. A thread's groups fit into one word. */
typedef struct cflri_groups {
    uint32_t at, end;
} cflri_groups;

static inline cflri_groups cflri_groups_of(uint64_t word) {
    return (cflri_groups){(uint32_t)(word >> 32), (uint32_t)word};
}

static inline uint64_t cflri_groups_word(cflri_groups groups) {
    return cflri_pair(groups.at, groups.end);
}

/* Number of nodes of the stratum that may have been met. */
static inline uint32_t cflri_loops_n(const cflri_loops *loops) {
    uint32_t n = cflri_batch_n_here(loops->b), room = loops->node.room;
    return n < room ? n : room;
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
    const cflri_looped *at = cflri_loop_at(loop, node);
    return cflri_looped_rank(at) == CFLRI_MEMBER ? at->link : node;
}

static inline uint32_t cflri_loop_next(const cflri_loop *loop, uint32_t node) {
    const cflri_segments *ring = &loop->all->ring;
    if (node >= atomic_load_explicit(&ring->room, memory_order_relaxed)) return node;
    uint32_t next = *cflri_segment_at(ring, uint32_t, node);
    return next ? next - 1 : node;
}

static inline cflri_waits cflri_loop_waits(const cflri_loop *loop, uint32_t node) {
    const cflri_looped *at = cflri_loop_at(loop, node);
    return cflri_waits_of(atomic_load_explicit(&at->waits, memory_order_relaxed));
}

static inline cflri_set_number cflri_loop_value(const cflri_loop *loop, uint32_t node) {
    return atomic_load(&cflri_loop_at(loop, node)->value);
}

/* The first flow of a node, and any flow. */
static inline uint32_t cflri_loop_flows(const cflri_loop *loop, uint32_t node) {
    return atomic_load(&cflri_loop_at(loop, node)->flows);
}

static inline const cflri_flow *cflri_loop_flow_at(const cflri_loop *loop, uint32_t flow) {
    return cflri_segment_at(&loop->all->flow, cflri_flow, flow);
}

/* The group of ranks at which a thread's region begins. It ends where the next region begins. */
static inline uint32_t cflri_loop_region(const cflri_loop *loop, uint32_t self) {
    return (uint32_t)cflri_share_of(loop->all->queue.n_groups, self, loop->all->n).begin;
}

/* The mask of a node's row, and its family. 0: the row is not filtered. */
static inline uint32_t cflri_loop_mask(const cflri_loop *loop, uint32_t node, uint32_t *family) {
    *family = 0;
    if (!loop->b->filters) return 0;
    uint32_t there = cflri_batch_there(loop->b, node);
    *family = cflri_batch_family(loop->b, there);
    return cflri_batch_mask(loop->b, *family, cflri_batch_vertex(loop->b, there));
}

/* Looks at the memory in use, for the account of the stratum, while the other threads wait.
 * `condensing` is the number of bytes of what condensing has. */
void cflri_loops_account(const cflri_loops *all, uint64_t condensing);

/* Makes `value` the row of the node. */
void cflri_loop_put(cflri_loop *loop, uint32_t node, cflri_set_number value);

/* Finds the leader of the node of (family, vertex), and makes the node if it is missing. *made
 * shows whether it did, unless `made` is NULL. False: the thread has ended (batch->end). */
bool cflri_loop_node(cflri_loop *loop, uint32_t family, uint32_t vertex, uint32_t *node,
                     bool *made);

/* Adds the set to the pending sets of a leader, unless the row is known to contain it, and queues
 * the leader. */
bool cflri_loop_wait(cflri_loop *loop, uint32_t node, cflri_set_number set);

/* Adds the set to the row of the family at the vertex: cflri_sink.row of a loop's sink. */
bool cflri_loop_bring(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set);

/* Takes all pending sets of a leader. Returns their union with its value, filtered. CFLRI_NO_SET:
 * memory is refused. */
cflri_set_number cflri_loop_take(cflri_loop *loop, uint32_t node);

/* Moves the value and the pending sets of one leader to the pending sets of another. */
bool cflri_loop_move(cflri_loop *loop, uint32_t from, uint32_t to);

/* Gives a leader that is unknown, or unranked, a rank, which may be CFLRI_UNRANKED. *before is what
 * it had. False: another thread, or an earlier call, has given it one. */
bool cflri_loop_claim(cflri_loop *loop, uint32_t node, uint32_t rank, uint32_t *before);

/* Makes a leader known, and gives it a rank if it is `ranked`. */
bool cflri_loop_note(cflri_loop *loop, uint32_t node, bool ranked);

static inline bool cflri_loop_know(cflri_loop *loop, uint32_t node) {
    uint32_t rank = cflri_looped_rank(cflri_loop_at(loop, node));
    return rank != CFLRI_UNKNOWN || cflri_loop_note(loop, node, false);
}
static inline bool cflri_loop_rank(cflri_loop *loop, uint32_t node) {
    uint32_t rank = cflri_looped_rank(cflri_loop_at(loop, node));
    return (rank != CFLRI_UNKNOWN && rank < CFLRI_UNRANKED) || cflri_loop_note(loop, node, true);
}

/* Queues a leader that has begun to wait. */
void cflri_loop_queue(cflri_loop *loop, uint32_t node);

/* The sink of a loop: a row that follows becomes a pending set, and a flow is linked. */
cflri_sink cflri_loop_sink(void);

/* The row of a member has grown from `before` to `whole`: applies the equations, but not the
 * flows. */
bool cflri_loop_grown(cflri_loop *loop, uint32_t member, cflri_set_number whole,
                      cflri_set_number before);

/* The row of a leader is `whole` now: brings it along the flows of the leader. */
bool cflri_loop_flow(cflri_loop *loop, uint32_t node, cflri_set_number whole);

/* A row that has grown. */
typedef struct cflri_growth {
    uint32_t node;
    cflri_set_number before, whole;
} cflri_growth;

/* Processes a node that waits: takes in its pending sets, and delivers what follows if its row has
 * grown. False: the thread has ended. */
bool cflri_loop_take_in(cflri_loop *loop, uint32_t node, cflri_growth *growth);
bool cflri_loop_deliver(cflri_loop *loop, const cflri_growth *growth);

/* Called by all threads together. Sweeps sets if it is due, and sets how much threads may make
 * until they pause. */
void cflri_loop_keep_memory(cflri_loop *loop);

/* Called by all threads together, before nodes are ordered. Processes the nodes that no cycle leads
 * to, until all are, or it is time to stop (loops->stopped); the next call goes on then. Does
 * nothing where waves are as good. */
void cflri_loop_acyclic(cflri_loop *loop);
void cflri_loop_acyclic_free(cflri_loops *loops);

/* Called by all threads together. Merges nodes that contain each other by all that is known now,
 * gives each node a new rank, and queues waiting nodes again. A thread that ends still passes the
 * barriers with the others. */
void cflri_loop_condense(cflri_loop *loop);

#endif
