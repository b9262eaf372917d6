/* SPDX-License-Identifier: Apache-2.0
 *
 * products.h: the parts of evaluating a stratum that does not loop.
 *
 *     products.c   prepares equations by their left sides, for all threads
 *     roots.c      the own sets of rows, and the nodes to begin at
 *     contain.c    the sets and nodes that one node contains
 *     search.c     the search through all nodes, by several threads, and their rows
 *     untie.c      cycles through nodes of several threads
 */
#ifndef CFLRI_BATCH_PRODUCTS_H
#define CFLRI_BATCH_PRODUCTS_H

#include "engine/closure/batch/bag.h"
#include "engine/closure/batch/order.h"
#include "engine/closure/batch/rules.h"

/* A node is found with a number (its discovery, from 1, ascending for each thread); 0: not found
 * yet. With the bit CFLRI_WAITED_FOR, the thread that closes the node has to look for components
 * that wait for it. The two values that follow have that bit. */
#define CFLRI_WAITED_FOR 0x80000000u
#define CFLRI_CLOSED UINT32_MAX
#define CFLRI_ON_HOLD (UINT32_MAX - 1)

/* The components that wait for a node. A component on hold is a ring of nodes, one of which is the
 * leader. */
typedef struct cflri_held {
    /* First entry of the components that wait. CFLRI_CLOSED: none can wait any more. */
    _Atomic uint32_t first;
    _Atomic uint32_t sets;      /* first entry of the finished sets that the component contains */
    _Atomic uint32_t waits_for; /* of a leader: the number of nodes */
    uint32_t next;              /* next node of the ring */
} cflri_held;

/* An entry of one of the two lists. A leader's entry holds the set of the node that the leader
 * waits for, as soon as this node is closed. */
typedef struct cflri_holding {
    union {
        uint32_t leader; /* leader of the component that waits */
        cflri_set_number set;
    };
    uint32_t next;
} cflri_holding;

/* The graph of components on hold: an edge leads from a component to each one that waits for it. */
typedef struct cflri_knot {
    cflri_chunks listing;        /* distributes nodes */
    cflri_order order;           /* of the graph, whose nodes are leaders */
    _Atomic uint32_t *waits_for; /* of each component of the graph */
    uint32_t *leader;
    struct cflri_knot_part *part; /* one for each thread */
} cflri_knot;

/* The part that threads share. Nodes are numbered as in cflri_batch_here. */
typedef struct cflri_products {
    cflri_batch *b;
    const cflri_boxes *inbox; /* boxes from other slices */
    /* For each family of the stratum with a place, its first node here; otherwise CFLRI_NO_NODE. */
    uint32_t *base;
    /* For each family, the number of equations of the stratum that copy it to one without a
     * place. */
    uint32_t *copied;
    cflri_lefts lefts;
    /* Only rows of sources that are asked for are needed, and what these contain. NULL: all. */
    const struct cflri_question *question;

    /* An _Atomic uint32_t for each node: its discovery (search.c). */
    cflri_segments found;
    /* A uint16_t for each block of discovery numbers: the thread that drew it. */
    cflri_segments owner;
    _Atomic uint32_t drawn; /* number of blocks drawn */
    /* A cflri_held for each node, with several threads. */
    cflri_segments held;
    cflri_segments holding; /* of cflri_holding */
    cflri_chunks root;      /* distributes the nodes to begin at */
    _Atomic uint64_t left;  /* number of nodes that were found and are not closed */
    cflri_bag ready;        /* leaders of components that are no longer on hold */
    cflri_knot knot;
} cflri_products;

/* A node on the path of a search. */
typedef struct cflri_visit {
    uint32_t node;
    /* Discovery of the earliest node on `open` that this one is known to reach. */
    uint32_t low;
    size_t target, open, sum, waits; /* where its own entries begin */
} cflri_visit;

/* The search of one thread. */
typedef struct cflri_search {
    cflri_sink sink;
    cflri_batch *b; /* the thread's view */
    cflri_products *all;
    uint32_t number, end; /* the discovery numbers that it has drawn */
    CFLRI_VEC(cflri_visit) path;
    /* Nodes that the nodes on the path contain and that the search has still to visit. */
    cflri_numbers target;
    cflri_numbers open; /* nodes whose component is not closed yet */
    /* Finished sets that the nodes on `open` contain, in the same order. */
    cflri_set_list sum;
    /* Nodes that the nodes on `open` contain and other threads own, in the same order. */
    cflri_numbers waits;
    cflri_set_list split; /* parts of a hub's set */
    cflri_numbers ready;  /* leaders of components to continue with */
    cflri_draw holding;
    uint32_t spare; /* first entry of `holding` that can be used again */
    /* Number of nodes that it found, minus the number that it closed, modulo 2^64. */
    uint64_t left;
} cflri_search;

/* The part of untying that one thread does. */
typedef struct cflri_knot_part {
    cflri_search *s;
    cflri_knot *knot;
    cflri_crew *crew;
    uint32_t self, threads;
    cflri_numbers leader;
    /* For each leader, where the leaders that wait for it begin in `target`. */
    CFLRI_VEC(uint64_t) start;
    cflri_numbers target; /* numbers of leaders */
    uint32_t leader_at;   /* number of its first leader */
    uint64_t target_at;
    char apart[CFLRI_APART];
} cflri_knot_part;

static inline _Atomic uint32_t *cflri_found_at(const cflri_search *search, uint32_t here) {
    return cflri_segment_at(&search->all->found, _Atomic uint32_t, here);
}

static inline cflri_held *cflri_held_at(const cflri_search *search, uint32_t here) {
    return cflri_segment_at(&search->all->held, cflri_held, here);
}

static inline cflri_holding *cflri_holding_at(const cflri_search *search, uint32_t entry) {
    return cflri_segment_at(&search->all->holding, cflri_holding, entry);
}

static inline void cflri_holding_free(cflri_search *search, uint32_t entry) {
    cflri_holding_at(search, entry)->next = search->spare;
    search->spare = entry;
}

/* Makes the node of (family, vertex) if it is missing. */
static inline bool cflri_products_add_root(cflri_batch *batch, uint32_t family, uint32_t vertex) {
    return cflri_batch_node(batch, family, vertex, NULL) != CFLRI_NO_NODE ||
           cflri_batch_refused(batch);
}

/* The sink of a search: takes the nodes and the sets that a node contains. */
cflri_sink cflri_search_sink(void);

/* Fills one thread's share of the rows with their own sets, where there are several slices. False
 * when it is time to end, here and below. */
bool cflri_products_fill(cflri_batch *batch, uint32_t self, uint32_t threads);

/* Adds the own sets that other slices have sent, or fills the rows where there are none, and makes
 * the nodes to begin at. */
bool cflri_products_begin(cflri_batch *batch, const cflri_products *products, uint32_t self,
                          uint32_t threads);

/* Adds a finished set that the node at the end of the path contains. False when it is time to end,
 * here and below. */
bool cflri_search_add_set(cflri_search *search, cflri_set_number set);

/* Adds all nodes and sets that a node contains. */
bool cflri_search_contained(cflri_search *search, uint32_t family, uint32_t vertex);

/* Called by all threads together when none has anything to do. Cycles become components, and
 * components that wait for no other one become ready. A thread that ends still passes the barriers
 * with the others. */
void cflri_search_untie(cflri_search *search, cflri_crew *crew, uint32_t self);

/* Computes the rows of all nodes. */
bool cflri_products_search(cflri_batch *batch, cflri_products *products);

#endif
