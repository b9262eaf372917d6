/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.c: makes the relations of a closure from the rows of a batch.
 *
 *     nodes of a family, by vertex  ->  rows with the numbers of their sets  ->  relations
 *
 * The sets of the batch become the sets of the relations, as they are: no id is copied. They have
 * ids of the reduced problem (spine/reduce.h), which are numbered again when a row is read; that
 * keeps their order, unless vertices are reordered. A symbol whose pairs are the converse of
 * another's gets the rows of the other, turned around (turn.h). If the result does not fit into the
 * memory limit, the rows of the first vertices are kept.
 */
#include "base/context.h"
#include "engine/closure/batch/turn.h"
#include "engine/spine/left_out.h"

typedef struct collecting {
    const cflri_batch *b;
    uint32_t bound;            /* vertices of the graph are below this */
    cflri_left_out left_out;   /* the first slice has its pairs */
    cflri_set_number **turned; /* by symbol: rows by vertex, where its pairs are turned around */
    cflri_closure *closure;
    CFLRI_VEC(uint64_t) row; /* (vertex, set) of a family that is listed, ascending */
} collecting;

/* Several threads build relations, each with a copy of `plan`. */
typedef struct collecting_all {
    const collecting *plan; /* `row` is each thread's own */
    cflri_chunks deal;      /* distributes symbols */
    atomic_bool failed;
} collecting_all;

static uint32_t vertex_of(const collecting *c, uint32_t vertex) {
    return cflri_reduced_vertex(c->b->reduced, vertex);
}

/* Lists the rows of vertices that were left out. */
static bool list_untouched(collecting *c) {
    uint32_t n = c->b->reduced->original->n_vertices;
    for (uint32_t v = 0; v < n && v < c->bound; v++) {
        if (c->left_out.touched[v]) continue;
        /* A set of one id is numbered by its vertex here, so CFLRI_NO_SET stands for (v,v). */
        if (!cflri_vec_push(c->b->context, &c->row, cflri_pair(v, CFLRI_NO_SET))) return false;
    }
    return true;
}

/* ---- relations ---- */

static cflri_set_number set_in_graph(const collecting *c, uint32_t vertex, cflri_set_number set) {
    if (set == CFLRI_NO_SET) return CFLRI_SINGLE_SET | vertex;
    if (!cflri_set_is_single(set)) return set;
    return CFLRI_SINGLE_SET | vertex_of(c, set & ~CFLRI_SINGLE_SET);
}

static void write_row(const collecting *c, uint32_t vertex, cflri_set_number set,
                      cflri_relation *relation) {
    uint32_t r = relation->n_rows++;
    relation->row[r] = vertex;
    relation->start[r] = relation->n_pairs;
    relation->set[r] = set_in_graph(c, vertex, set);
    relation->n_pairs += cflri_sets_count(c->b->sets, set);
}

/* Writes a row of the batch to the relation, or lists it if that is NULL. */
static inline bool take_row(collecting *c, uint32_t vertex, cflri_set_number set,
                            cflri_relation *relation) {
    uint32_t known = vertex_of(c, vertex);
    if (known >= c->bound) return true;
    if (!relation) return cflri_vec_push(c->b->context, &c->row, cflri_pair(known, set));
    write_row(c, known, set, relation);
    return true;
}

/* Likewise all rows of a family, or of its converse. */
static bool take_rows(collecting *c, uint32_t family, const cflri_set_number *turned,
                      cflri_relation *relation) {
    cflri_node_walk walk = cflri_batch_nodes(c->b, family);
    uint32_t vertex;
    cflri_set_number value;
    while (!turned && cflri_batch_next(&walk, &vertex, &value)) {
        if (!take_row(c, vertex, value, relation)) return false;
    }
    for (uint32_t v = 0; turned && v < c->b->problem->n_vertices; v++) {
        if (turned[v] && !take_row(c, v, turned[v], relation)) return false;
    }
    return true;
}

/* Lists the rows of a family in order, or those of its converse. False when memory is refused. */
static bool list_rows(collecting *c, uint32_t family, const cflri_set_number *turned,
                      bool untouched) {
    c->row.n = 0;
    return take_rows(c, family, turned, NULL) && (!untouched || list_untouched(c)) &&
           cflri_sort_pairs(c->b->context, c->row.at, c->row.n, NULL, NULL) == CFLR_OK;
}

/* Builds the relation of one family, or of its converse. Its rows are sets of the batch. Rows that
 * are found in order are not listed before. */
static bool build_family(collecting *c, uint32_t family, const cflri_set_number *turned,
                         cflri_relation *relation) {
    bool untouched = c->left_out.nullable[family];
    bool ordered = (turned || cflri_batch_has_place(c->b, family)) && !c->b->reduced->reordered;
    bool listed = untouched || !ordered;
    uint32_t most = c->b->problem->n_vertices;
    *relation = (cflri_relation){0};
    if (listed && !list_rows(c, family, turned, untouched)) return false;
    if (listed) most = (uint32_t)c->row.n;
    if (most > c->bound) most = c->bound;
    if (!most) return true;
    if (cflri_relation_allocate_shared(c->b->context, most, c->closure->sets, relation, NULL) !=
        CFLR_OK) {
        return false;
    }
    relation->n_rows = 0; /* counted while they are written */
    if (!listed) take_rows(c, family, turned, relation);
    for (uint32_t r = 0; listed && r < most; r++) {
        write_row(c, (uint32_t)(c->row.at[r] >> 32), (uint32_t)c->row.at[r], relation);
    }
    relation->start[relation->n_rows] = relation->n_pairs;
    cflri_relation_trim(c->b->context, relation, most);
    return true;
}

static bool build_symbol(collecting *c, uint32_t symbol) {
    const cflri_batch *b = c->b;
    cflri_home home = b->equations->home[symbol];
    cflri_relation *relation = &c->closure->relation[symbol];
    if (!home.wanted) return true;
    if (home.rows != CFLRI_NO_SYMBOL) {
        bool refused = home.turned && !c->turned[symbol];
        return refused || build_family(c, home.rows, c->turned[symbol], relation);
    }
    *relation = cflri_relation_borrow(b->reduced->original->input[home.input]);
    return true;
}

/* Reverses the pairs of an input with all threads. */
static bool turn_input(const collecting *c, uint32_t symbol) {
    const cflri_batch *b = c->b;
    cflri_home home = b->equations->home[symbol];
    cflri_relation *relation = &c->closure->relation[symbol], ahead = *relation;
    if (!home.wanted || !home.turned || home.rows != CFLRI_NO_SYMBOL) return true;
    return cflri_relation_reverse(b->context, &ahead, b->threads, relation, NULL) == CFLR_OK;
}

/* Done by each of the threads. */
static void build_symbols(void *what, cflri_crew *crew, uint32_t self) {
    collecting_all *all = what;
    collecting c = *all->plan;
    (void)crew;
    (void)self;
    for (size_t s, end; !all->failed && cflri_chunks_next(&all->deal, &s, &end);) {
        if (!build_symbol(&c, (uint32_t)s)) all->failed = true;
    }
    cflri_vec_free(c.b->context, &c.row);
}

static bool build(const cflri_batch *b, cflri_set_number **turned, uint32_t bound,
                  cflri_closure *closure) {
    uint32_t n = b->problem->ground->n_symbols;
    collecting c = {.b = b, .bound = bound, .turned = turned, .closure = closure};
    closure->n_symbols = n;
    closure->relation = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof(cflri_relation));
    collecting_all all = {.plan = &c, .deal = {.n = n, .handful = 1}};
    bool built = closure->relation && cflri_left_out_init(&c.left_out, b->plan, b->slice.self);
    if (built) cflri_crew_run(b->threads, build_symbols, &all);
    built = built && !all.failed;
    for (uint32_t s = 0; built && s < n; s++) built = turn_input(&c, s);
    if (built && b->account) cflri_batch_account_result(b, closure);
    cflri_left_out_free(&c.left_out);
    return built;
}

/* Estimates the memory of the rows of each vertex: adds bytes to cost[v]. A row is listed, sorted,
 * and becomes a row of a relation. */
static void add_costs(const cflri_batch *b, uint32_t symbol, const cflri_set_number *turned,
                      uint64_t *cost) {
    enum { A_ROW = 40 };
    cflri_home home = b->equations->home[symbol];
    uint32_t vertex;
    cflri_set_number value;
    if (home.rows == CFLRI_NO_SYMBOL || (home.turned && !turned)) return;
    cflri_node_walk walk = cflri_batch_nodes(b, home.rows);
    while (!home.turned && cflri_batch_next(&walk, &vertex, &value)) {
        cost[cflri_reduced_vertex(b->reduced, vertex)] += A_ROW;
    }
    for (uint32_t v = 0; home.turned && v < b->problem->n_vertices; v++) {
        if (turned[v]) cost[cflri_reduced_vertex(b->reduced, v)] += A_ROW;
    }
}

/* Returns the vertex up to which all rows are likely to fit. */
static uint32_t bound_that_fits(const cflri_batch *b, cflri_set_number **turned) {
    uint32_t n = b->reduced->original->n_vertices, bound = 0;
    uint64_t *cost = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof *cost);
    if (!cost) return 0;
    for (uint32_t s = 0; s < b->equations->n_symbols; s++) {
        add_costs(b, s, turned[s], cost);
    }
    uint64_t left = cflri_memory_left(b->context) / 10 * 9;
    for (; bound < n && cost[bound] <= left; bound++) left -= cost[bound];
    cflri_free(b->context, cost);
    return bound;
}

/* Frees the relations, and keeps the sets. */
static void begin_again(const cflri_batch *b, cflri_closure *closure) {
    cflri_closure relations = {.n_symbols = closure->n_symbols, .relation = closure->relation};
    cflri_closure_free(b->context, &relations);
    closure->relation = NULL;
}

/* Makes the rows of all symbols that are turned around. False when memory is refused. */
static bool turn_all(cflri_batch *b, cflri_set_number **turned) {
    bool done = true;
    for (uint32_t s = 0; s < b->problem->ground->n_symbols && done; s++) {
        cflri_home home = b->equations->home[s];
        bool turns = home.wanted && home.turned && home.rows != CFLRI_NO_SYMBOL;
        if (turns) done = cflri_batch_turn(b, home.rows, &turned[s]);
    }
    return done;
}

/* Builds relations, with fewer and fewer vertices as long as memory is refused. False when no row
 * fits. */
static bool build_what_fits(const cflri_batch *b, cflri_set_number **turned, cflri_closure *closure,
                            cflr_status *ended) {
    if (build(b, turned, UINT32_MAX, closure)) return true;
    if (*ended == CFLR_OK) *ended = cflri_fail_memory(b->context, b->error);
    uint32_t bound = bound_that_fits(b, turned);
    for (; *ended != CFLR_NO_MEMORY && bound; bound /= 2) {
        begin_again(b, closure);
        if (build(b, turned, bound, closure)) return true;
    }
    return false;
}

/* The sets of the batch become those of the closure, unless memory is refused. */
static void hand_over(cflri_batch *b, cflri_closure *closure) {
    cflri_stored_sets *stored = b->store->stored;
    const cflri_reduced *reduced = b->reduced;
    if (!cflri_stored_sets_end(stored, reduced->vertex, b->problem->n_vertices,
                               reduced->reordered ? reduced->original->n_vertices : 0)) {
        return;
    }
    closure->sets = &stored->sets;
    b->store->stored = NULL;
}

cflr_status cflri_batch_collect(cflri_batch *b, cflri_closure *closure) {
    cflr_status ended = b->end;
    uint32_t n = b->problem->ground->n_symbols;
    *closure = (cflri_closure){0};
    if (ended != CFLR_OK && ended != CFLR_LIMIT && ended != CFLR_CANCELLED) return ended;
    cflri_set_number **turned =
        cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof(cflri_set_number *));
    if (turned && !turn_all(b, turned) && ended == CFLR_OK) {
        ended = cflri_fail_memory(b->context, b->error);
    }
    cflri_batch_end_solving(b);
    cflri_return_pages(b->context);
    if (turned) hand_over(b, closure);
    if (!closure->sets && ended == CFLR_OK) ended = cflri_fail_memory(b->context, b->error);
    if (!closure->sets || !build_what_fits(b, turned, closure, &ended)) {
        cflri_closure_free(b->context, closure);
        ended = cflri_closure_empty(b->reduced->original, ended, closure, b->error);
    }
    for (uint32_t s = 0; turned && s < n; s++) cflri_free(b->context, turned[s]);
    cflri_free(b->context, turned);
    closure->threads = (int)b->threads;
    closure->rounds = b->rounds;
    closure->derivations = b->derivations;
    return ended;
}
