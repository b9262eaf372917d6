/* SPDX-License-Identifier: Apache-2.0
 *
 * products.h: the parts of evaluating a stratum that does not loop.
 *
 *     products.c   what is prepared for all: equations by their left sides
 *     roots.c      what rows hold by themselves, and where to begin
 *     contain.c    what one node contains
 *     search.c     the search through all nodes, by several threads, and their rows
 *     untie.c      cycles through nodes of several threads
 */
#ifndef CFLRI_BATCH_PRODUCTS_H
#define CFLRI_BATCH_PRODUCTS_H

#include "engine/closure/batch/bag.h"
#include "engine/closure/batch/order.h"
#include "engine/closure/batch/rules.h"

/* A node is found with a number (discovery, from 1, ascending for each thread); 0: not yet. With
 * CFLRI_WAITED_FOR, who closes it has to look at who waits for it; the two that follow have that
 * bit. */
#define CFLRI_WAITED_FOR 0x80000000u
#define CFLRI_CLOSED UINT32_MAX
#define CFLRI_ON_HOLD (UINT32_MAX - 1)

/* Who waits for a node. Components are held as a ring of nodes, of which one leads. */
typedef struct cflri_held {
    _Atomic uint32_t first;     /* entry, who waits; CFLRI_CLOSED: nobody can any more */
    _Atomic uint32_t sets;      /* entry, finished sets that the component contains */
    _Atomic uint32_t waits_for; /* of a leader: so many nodes */
    uint32_t next;              /* in the ring */
} cflri_held;

/* An entry of one of both lists. Where a leader waited, it gets the set of what it waited for. */
typedef struct cflri_holding {
    union {
        uint32_t leader; /* that waits */
        cflri_set_number set;
    };
    uint32_t next;
} cflri_holding;

/* The graph of components on hold: who waits for them. */
typedef struct cflri_knot {
    cflri_chunks listing;        /* nodes */
    cflri_order order;           /* nodes are leaders */
    _Atomic uint32_t *waits_for; /* of each component of it */
    uint32_t *leader;
    struct cflri_knot_part *part; /* one a thread */
} cflri_knot;

/* What threads share. Nodes are numbered as in cflri_batch_here. */
typedef struct cflri_products {
    cflri_batch *b;
    const cflri_boxes *inbox; /* what other slices told */
    uint32_t *base;   /* family of the stratum with a place -> its first node here; or NO_NODE */
    uint32_t *copied; /* family -> equations of the stratum that copy it to one without a place */
    cflri_lefts lefts;

    cflri_segments found;   /* _Atomic uint32_t of each node: when it was found (search.c) */
    cflri_segments owner;   /* uint16_t of each block of such numbers: the thread that drew it */
    _Atomic uint32_t drawn; /* blocks of them */
    cflri_segments held;    /* cflri_held of each node; with several threads */
    cflri_segments holding; /* cflri_holding */
    cflri_chunks root;      /* nodes to begin at */
    _Atomic uint64_t left;  /* nodes that were found and are not closed */
    cflri_bag ready;        /* leaders of what is not held any more */
    cflri_knot knot;
} cflri_products;

/* A node on the path of a search. */
typedef struct cflri_visit {
    uint32_t node;
    uint32_t low; /* the earliest node on `open` that it is known to reach, by discovery */
    size_t target, open, sum, waits; /* where its own begin */
} cflri_visit;

/* One thread's search. */
typedef struct cflri_search {
    cflri_sink sink;
    cflri_batch *b; /* its view */
    cflri_products *all;
    uint32_t number, end; /* for nodes that it finds */
    CFLRI_VEC(cflri_visit) path;
    cflri_numbers
        target; /* nodes that those on the path contain and the search has still to look at */
    cflri_numbers open;   /* nodes whose component is not closed yet */
    cflri_set_list sum;   /* finished sets that the nodes on `open` contain, in the same order */
    cflri_numbers waits;  /* nodes that they contain and that others have, in the same order */
    cflri_set_list split; /* parts of a hub's set */
    cflri_numbers ready;  /* leaders of components to go on with */
    cflri_draw holding;
    uint32_t spare; /* entry of `holding` that may be used again */
    uint64_t left;  /* nodes that it found, less those that it closed */
} cflri_search;

/* The same for untying. */
typedef struct cflri_knot_part {
    cflri_search *s;
    cflri_knot *knot;
    cflri_crew *crew;
    uint32_t self, threads;
    cflri_numbers leader;
    CFLRI_VEC(uint64_t) start; /* of who waits for it, in `target` */
    cflri_numbers target;      /* numbers of leaders */
    uint32_t leader_at;        /* where its leaders stand among all */
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

/* Makes the node of (family, vertex), if it is missing. */
static inline bool cflri_products_add_root(cflri_batch *batch, uint32_t family, uint32_t vertex) {
    return cflri_batch_node(batch, family, vertex, NULL) != CFLRI_NO_NODE ||
           cflri_batch_refused(batch);
}

/* What takes what a node contains: targets, and sets. */
cflri_sink cflri_search_sink(void);

/* What rows hold by themselves: one thread's share. False when it is time to end, here and
 * below. */
bool cflri_products_fill(cflri_batch *batch, uint32_t self, uint32_t threads);

/* The same by what other slices told, and nodes to begin at. */
bool cflri_products_begin(cflri_batch *batch, const cflri_products *products, uint32_t self,
                          uint32_t threads);

/* A finished set that the node at the end of the path contains. False when it is time to end, here
 * and below. */
bool cflri_search_add_set(cflri_search *search, cflri_set_number set);

/* All that a node contains: targets, and sets. */
bool cflri_search_contained(cflri_search *search, uint32_t family, uint32_t vertex);

/* By all threads together, when none has anything to do: cycles become components, and those that
 * wait for no other are ready. A thread that ends keeps step with the others. */
void cflri_search_untie(cflri_search *search, cflri_crew *crew, uint32_t self);

/* The rows of all nodes. */
bool cflri_products_search(cflri_batch *batch, cflri_products *products);

#endif
