/* SPDX-License-Identifier: Apache-2.0
 *
 * state.h: the state that all parts of the batch solver share: nodes, and the equations by what
 * they read.
 *
 *     family     the rows of one set (grammar/equations/equations.h)
 *     node       one row of a family
 *     value      the set of ids that the row has so far (sets/sets.h): one number
 *     hub        a row that equations do not name: the union of S(v) for the v of one set
 *     fan        another one, that all R(v) contain for the v of one set
 *     slice      the ids that rows have here; mostly all (engine/spine/place.h)
 *
 *         nodes:    D(0) D(1) ... D(n-1) | V(0) ... V(n-1) | FV[8](5)  hub(S, 17)  ...
 *                   families with rows at most vertices    | extra: found by hashing
 *
 * Rows of filtered families are cut to masks (masks.c). Strata are processed in order
 * (grammar/equations/strata.h): strata that loop by loop.c, the others, which are products of
 * finished rows, by products.c.
 */
#ifndef CFLRI_BATCH_STATE_H
#define CFLRI_BATCH_STATE_H

#include "base/vec.h"
#include "engine/sets/stored_sets.h"
#include "engine/spine/exchange.h"
#include "engine/spine/plan.h"

#define CFLRI_NO_NODE UINT32_MAX

/* A node without a place: its number does not follow from its family and vertex. */
typedef struct cflri_extra {
    uint32_t family; /* CFLRI_NO_NODE: the number is unused */
    uint32_t vertex; /* of a hub or fan: the number of its set */
    uint32_t next;   /* next extra of the family; 0: none; hubs and fans are not linked */
    _Atomic cflri_set_number value;
} cflri_extra;

/* The data that all threads find and make together. */
typedef struct cflri_batch_store {
    cflri_set_store *sets;
    cflri_stored_sets *stored; /* has the store; NULL when it belongs to a result */
    cflri_segments value;      /* of each node with a place, once its stratum has begun */
    cflri_segments extra;      /* cflri_extra, from 1; its node is batch->n_placed + its number */
    cflri_shards extras;       /* by family and vertex */
    _Atomic uint32_t *first_extra; /* of each family */
    atomic_bool ending;            /* a thread has to end, and so do all */
} cflri_batch_store;

typedef struct cflri_tally {
    uint64_t tried, fresh; /* number of rows offered, and of new ones */
    double seconds;
} cflri_tally;

/* The equations of a stratum that read one family, by kind; numbers of equations. */
typedef struct cflri_readers {
    cflri_numbers copy, turn, guards, step;
    cflri_numbers pair_by; /* the family is Q */
    cflri_numbers edge;    /* ascending by (by_back, by) */
    cflri_numbers between; /* likewise */
    bool known;            /* the family is in batch->reader */
} cflri_readers;

/* The nodes of one stratum, which have consecutive numbers there: first nodes with places, which
 * are adjacent, then the extras that the stratum makes. */
typedef struct cflri_span {
    uint32_t first_placed, n_placed;
    uint32_t old_extra; /* extras below this one are older than the stratum */
} cflri_span;

/* The targets that the filter of a family keeps, as sets. */
typedef struct cflri_mask_sets {
    const cflri_filter *filter; /* NULL: the family is not filtered */
    cflri_set_number *set;      /* of each mask, from 1 */
    bool shared;                /* the sets are those of an earlier family */
} cflri_mask_sets;

/* One thread's view of a batch: data that does not change while a stratum is processed, the shared
 * store, and data that the thread makes and counts itself. */
typedef struct cflri_batch {
    const cflri_spine_plan *plan;
    const cflri_reduced *reduced; /* of the plan, as all that follows */
    const cflri_problem *problem;
    const cflri_equations *equations;
    const cflri_ports *ports;
    const uint32_t *guard_of, *guard;
    cflr_context *context;
    uint32_t threads; /* number of threads that are worth it */
    cflri_batch_store *store;
    cflri_sets *sets;               /* the thread's own part of the sets */
    cflri_cache steps;              /* (set, edge) -> the set that the edges lead to */
    struct cflri_step_words *words; /* for many sets at once (steps.c); NULL: not needed yet */
    cflri_draw extra_draw;          /* numbers of extras, drawn and not yet used */

    cflri_slice slice;
    bool sliced;             /* there are other slices */
    uint32_t own_first[2];   /* first id of the slice, of vertices and of guards */
    uint32_t own_end[2];     /* end of these ids */
    cflri_set_number own[2]; /* these ids as sets, where there are other slices */
    cflri_exchange *post;    /* runs for other slices: by slice, and by thread here */

    uint32_t *place;        /* family -> its place among those with an array, or CFLRI_NO_NODE */
    cflri_numbers at_place; /* place -> family; by stratum */
    uint32_t n_placed;      /* nodes with places: places * vertices */

    cflri_stratum stratum;  /* the current stratum */
    uint32_t number;        /* its number */
    cflri_span span;        /* its nodes */
    cflri_readers *readers; /* one for each family */
    cflri_numbers reader;   /* families that the stratum reads */

    /* One for each equation, and behind them one for each stratum; NULL: no statistics. */
    cflri_tally *tally;
    uint32_t tallied;     /* the current equation or stratum */
    double tallied_since; /* when it began, as cflri_now */
    /* One for each stratum, and behind them one for the result; NULL: no statistics. */
    cflri_account *account;

    cflri_mask_sets *masks; /* family -> its filter, if it has one */
    bool filters;           /* some family of the stratum has a filter */

    uint8_t *copies; /* family -> number of relations of the result that it becomes */
    uint64_t pairs;  /* number of pairs of the result so far */
    uint64_t rows;   /* number of rows of the result so far */
    uint64_t derivations;
    uint64_t rounds;
    uint64_t work, check_at;
    bool limited;    /* memory ended in a loop */
    bool taken_up;   /* rows of the current stratum were loaded before it began, */
    bool unsent;     /* and other slices have not been told of them */
    cflr_status end; /* CFLR_OK until it ends; `error` has the message */
    cflr_error *error;
} cflri_batch;

/* Makes an empty batch. `post` may be NULL where there is one slice. */
cflr_status cflri_batch_init(cflri_batch *batch, const cflri_spine_plan *plan, cflri_slice slice,
                             cflri_exchange *post, cflr_error *error);
void cflri_batch_free(cflri_batch *batch);
/* Frees all that only solving needs. Nodes and their values remain. */
void cflri_batch_end_solving(cflri_batch *batch);

/* A view for each thread of the batch; the first view is the batch itself. */
typedef struct cflri_views {
    cflri_batch **of;
    struct cflri_other_view *other;
} cflri_views;

/* Makes views, with which several threads then work. False when memory is refused; cflri_views_end
 * is due even then. */
bool cflri_views_begin(cflri_batch *batch, cflri_views *views);
/* The batch ends if a view has ended, for the reason of the first that has. */
void cflri_views_note_ends(cflri_batch *batch, const cflri_views *views);
/* Adds the counts of all views to the batch, and notes their ends. */
void cflri_views_end(cflri_batch *batch, cflri_views *views);

/* Begins a stratum: sorts its equations by what they read. False when memory is refused. */
bool cflri_batch_begin(cflri_batch *batch, uint32_t stratum);
void cflri_batch_finish(cflri_batch *batch);

/* A stratum that loops. Opening it sends all that other slices have to receive before it closes;
 * NULL when memory is refused. Closing it processes what they have sent, as often as they send
 * something; false when it stopped at `until` (cflri_now) and is to be called again. Rows have
 * their values when they are written back, and when the stratum ends. */
struct cflri_loops;
struct cflri_loops *cflri_loop_open(cflri_batch *batch);
bool cflri_loop_close(struct cflri_loops *loops, const cflri_boxes *inbox, double until);
void cflri_loop_write_back(struct cflri_loops *loops);
void cflri_loop_end(struct cflri_loops *loops);

/* A stratum that does not loop. Opening it sends all that other slices have to receive before it
 * closes; NULL when memory is refused. It closes once, with all that they have sent; false when it
 * is time to end. */
struct cflri_products;
struct cflri_products *cflri_products_open(cflri_batch *batch);
bool cflri_products_close(struct cflri_products *products, const cflri_boxes *inbox);
void cflri_products_free(struct cflri_products *products);

/* Makes relations of the values, as cflri_solver.solve. */
cflr_status cflri_batch_collect(cflri_batch *batch, cflri_closure *closure);

/* ---- statistics, if they are wanted ---- */

/* Makes the tallies of a view. False when memory is refused. */
bool cflri_batch_make_tallies(cflri_batch *batch);

/* Attributes the time from now on to an equation, or to the stratum's common work. */
void cflri_batch_tally(cflri_batch *batch, uint32_t what);

static inline void cflri_batch_works_on(cflri_batch *batch, const cflri_equation *e) {
    if (batch->tally) cflri_batch_tally(batch, (uint32_t)(e - batch->equations->equation.at));
}

static inline void cflri_batch_works_for_all(cflri_batch *batch) {
    if (batch->tally) {
        cflri_batch_tally(batch, (uint32_t)batch->equations->equation.n + batch->number);
    }
}

/* Counts a row that was offered to another one. `fresh`: the other row was not seen to contain
 * it. */
static inline void cflri_batch_offered(cflri_batch *batch, bool fresh) {
    if (!batch->tally) return;
    batch->tally[batch->tallied].tried++;
    batch->tally[batch->tallied].fresh += fresh;
}

/* Returns the tallies as rules of the closure, in the order of the plan. Equations that differ only
 * in their indexes become one. Without memory for it there are no rules. */
void cflri_batch_report(cflri_batch *batch, cflri_closure *closure);

/* Makes the accounts of a batch (account.c). False when memory is refused. */
bool cflri_batch_make_accounts(cflri_batch *batch);

/* Looks at the memory in use, for the account of the current stratum, while no other thread works.
 * `own` has the bytes, and the flows, of what the batch does not know. */
void cflri_batch_account(const cflri_batch *batch, const cflri_account *own);
/* The same for the account of the result. */
void cflri_batch_account_result(const cflri_batch *batch, const cflri_closure *closure);
/* Bytes of the caches of the other views. */
uint64_t cflri_views_bytes(const cflri_batch *batch, const cflri_views *views);
/* Notes the peak of the current stratum, which ends. */
void cflri_batch_note_peak(const cflri_batch *batch);

/* Moves the accounts to the closure. Without memory for it there are none. */
void cflri_batch_report_accounts(cflri_batch *batch, cflri_closure *closure);

/* Ends the batch for lack of memory. Returns false. */
bool cflri_batch_refused(cflri_batch *batch);
/* Now and then checks progress, cancelling and memory. False when it is time to end. */
bool cflri_batch_worked(cflri_batch *batch, uint64_t work);

/* ---- nodes ---- */

/* The mask of the family's row at the vertex, as the filter numbers it. 0: the row is not filtered.
 * Hubs have no mask. */
static inline uint32_t cflri_batch_mask(const cflri_batch *batch, uint32_t family,
                                        uint32_t vertex) {
    if (family >= batch->equations->family.n) return 0;
    const cflri_filter *filter = batch->masks[family].filter;
    return filter ? filter->mask_of[vertex] : 0;
}

/* Cuts a set to a mask. CFLRI_NO_SET: memory is refused. */
cflri_set_number cflri_batch_filter(cflri_batch *batch, uint32_t family, uint32_t mask,
                                    cflri_set_number set);

/* Makes sets for the masks of the current stratum's families, while its loop runs. False when
 * memory is refused. Sweeps have to keep these sets. */
bool cflri_batch_make_masks(cflri_batch *batch);
void cflri_batch_keep_masks(const cflri_batch *batch);
void cflri_batch_free_masks(cflri_batch *batch);

/* Returns the node of the family at the vertex, or CFLRI_NO_NODE. */
uint32_t cflri_batch_find(const cflri_batch *batch, uint32_t family, uint32_t vertex);
/* Finds the node, or makes it if it is missing. *made shows whether it did, unless `made` is NULL.
 * CFLRI_NO_NODE: memory is refused. */
uint32_t cflri_batch_node(cflri_batch *batch, uint32_t family, uint32_t vertex, bool *made);

static inline cflri_extra *cflri_batch_extra(const cflri_batch *batch, uint32_t node) {
    return cflri_segment_at(&batch->store->extra, cflri_extra, node - batch->n_placed);
}

static inline _Atomic cflri_set_number *cflri_batch_value_at(const cflri_batch *batch,
                                                             uint32_t node) {
    if (node >= batch->n_placed) return &cflri_batch_extra(batch, node)->value;
    return cflri_segment_at(&batch->store->value, _Atomic cflri_set_number, node);
}

/* Nodes with places from this one on have no value yet: their strata have not begun. */
static inline uint32_t cflri_batch_n_begun(const cflri_batch *batch) {
    uint32_t room = atomic_load_explicit(&batch->store->value.room, memory_order_relaxed);
    return room < batch->n_placed ? room : batch->n_placed;
}

static inline cflri_set_number cflri_batch_value(const cflri_batch *batch, uint32_t node) {
    return atomic_load_explicit(cflri_batch_value_at(batch, node), memory_order_relaxed);
}

static inline void cflri_batch_put(const cflri_batch *batch, uint32_t node,
                                   cflri_set_number value) {
    atomic_store_explicit(cflri_batch_value_at(batch, node), value, memory_order_relaxed);
}

/* Adds a set to a node that no thread owns; *before becomes the old value and *now the new one.
 * Other threads may add to the same node. False when it is time to end. */
bool cflri_batch_add(cflri_batch *batch, uint32_t node, cflri_set_number set,
                     cflri_set_number *before, cflri_set_number *now);

/* CFLRI_NO_NODE: the number is unused. */
static inline uint32_t cflri_batch_family(const cflri_batch *batch, uint32_t node) {
    if (node >= batch->n_placed) return cflri_batch_extra(batch, node)->family;
    return batch->at_place.at[node / batch->problem->n_vertices];
}

static inline uint32_t cflri_batch_vertex(const cflri_batch *batch, uint32_t node) {
    if (node >= batch->n_placed) return cflri_batch_extra(batch, node)->vertex;
    return node % batch->problem->n_vertices;
}

/* Convert node numbers to numbers among the nodes of the current stratum, and back. */
static inline uint32_t cflri_batch_n_here(const cflri_batch *batch) {
    return batch->span.n_placed + batch->store->extra.drawn - batch->span.old_extra;
}

static inline uint32_t cflri_batch_here(const cflri_batch *batch, uint32_t node) {
    const cflri_span *span = &batch->span;
    if (node < batch->n_placed) return node - span->first_placed;
    return span->n_placed + node - batch->n_placed - span->old_extra;
}

static inline uint32_t cflri_batch_there(const cflri_batch *batch, uint32_t here) {
    const cflri_span *span = &batch->span;
    if (here < span->n_placed) return span->first_placed + here;
    return batch->n_placed + span->old_extra + here - span->n_placed;
}

/* Is the node older than this stratum? */
static inline bool cflri_batch_is_old(const cflri_batch *batch, uint32_t node) {
    return node >= batch->n_placed && node - batch->n_placed < batch->span.old_extra;
}

/* Four related families come behind the n families of rows, for each of these: hubs over its rows,
 * fans to them, and ids of its rows that other slices own (slice.c). */
static inline uint32_t cflri_batch_hub(const cflri_batch *batch, uint32_t family) {
    return (uint32_t)batch->equations->family.n + family;
}
static inline uint32_t cflri_batch_fan(const cflri_batch *batch, uint32_t family) {
    return 2 * (uint32_t)batch->equations->family.n + family;
}
static inline uint32_t cflri_batch_sent(const cflri_batch *batch, uint32_t family) {
    return 3 * (uint32_t)batch->equations->family.n + family;
}
static inline uint32_t cflri_batch_received(const cflri_batch *batch, uint32_t family) {
    return 4 * (uint32_t)batch->equations->family.n + family;
}

static inline bool cflri_is_row(const cflri_batch *batch, uint32_t family) {
    return family < batch->equations->family.n;
}
/* A hub or a fan, which is known by a set. */
static inline bool cflri_is_by_set(const cflri_batch *batch, uint32_t family) {
    return family - batch->equations->family.n < 2 * batch->equations->family.n;
}

/* A row, hub or fan, which the solver processes; neither ids that slices exchange, nor
 * CFLRI_NO_NODE. */
static inline bool cflri_is_worked(const cflri_batch *batch, uint32_t family) {
    return family < 3 * batch->equations->family.n;
}

static inline bool cflri_batch_has_place(const cflri_batch *batch, uint32_t family) {
    return cflri_is_row(batch, family) && batch->place[family] != CFLRI_NO_NODE;
}

/* Visits the nodes of a family that have a value. Vertices ascend if the family has a place;
 * otherwise they are in no order. */
typedef struct cflri_node_walk {
    const cflri_batch *batch;
    uint32_t family;
    uint32_t node, end; /* next node, if the family has a place, and the end of these nodes */
    uint32_t extra;     /* next extra, if it has none; 0: no more */
} cflri_node_walk;

cflri_node_walk cflri_batch_nodes(const cflri_batch *batch, uint32_t family);
bool cflri_batch_next(cflri_node_walk *walk, uint32_t *vertex, cflri_set_number *value);

/* Appends the parts of a hub's set: single ids, and sets that have hubs of their own. False when
 * memory is refused. */
bool cflri_batch_split(cflri_batch *batch, cflri_set_number set, cflri_set_list *parts);

/* Adds a vertex to the set that is being built, for rows of guards or of vertices. */
static inline void cflri_batch_sum(cflri_batch *batch, bool guarded, uint32_t vertex) {
    uint32_t id = guarded ? batch->guard_of[vertex] : vertex;
    if (!guarded || id != CFLRI_NO_GUARD) cflri_row_sum_add_id(&batch->sets->sum, id);
}

/* The set of the vertices, which ascend, or of the guards among them. CFLRI_NO_SET: memory is
 * refused. */
cflri_set_number cflri_batch_set_of(cflri_batch *batch, bool guarded, const uint32_t *vertex,
                                    uint32_t n);

/* ---- equations ---- */

static inline const cflri_equation *cflri_batch_equation(const cflri_batch *batch, uint32_t e) {
    return &batch->equations->equation.at[e];
}

/* Does the equation unite whole rows, or add what is known from the beginning? The other equations
 * look at ids. In products, equations that unite are evaluated from the left (products.c). */
static inline bool cflri_batch_unites(cflri_equation_kind kind) {
    return kind == CFLRI_DIAGONAL || kind == CFLRI_INPUT || kind == CFLRI_COPY ||
           kind == CFLRI_EDGE || kind == CFLRI_PAIR;
}

/* Were the rows of the family complete before this stratum? */
static inline bool cflri_batch_finished(const cflri_batch *batch, uint32_t family) {
    return batch->equations->family.at[family].stratum < batch->number;
}

#endif
