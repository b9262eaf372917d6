/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.c: makes the relations of a closure from the rows of a batch.
 *
 *     nodes of a family, by vertex  ->  rows with the numbers of their sets  ->  relations
 *
 * The sets of the batch become the sets of the relations, as they are: no id is copied. They have
 * ids of the reduced problem (spine/reduce.h), which are numbered again when a row is read; that
 * keeps their order. A symbol whose pairs are the converse of another's gets targets of its own. If
 * the result does not fit into the memory limit, the rows of the first vertices are kept.
 */
#include "base/context.h"
#include "engine/closure/batch/state.h"

typedef struct collecting {
    const cflri_batch *b;
    uint32_t bound; /* vertices of the graph are below this */
    bool *nullable; /* by family: has the empty word */
    cflri_closure *closure;
    CFLRI_VEC(uint64_t) row; /* (vertex, set) of the current family, ascending */
} collecting;

/* Several threads build relations, each with a copy of `plan`. */
typedef struct collecting_all {
    const collecting *plan;
    cflri_chunks deal; /* distributes symbols */
    atomic_bool failed;
} collecting_all;

static uint32_t vertex_of(const collecting *c, uint32_t vertex) {
    return cflri_reduced_vertex(c->b->reduced, vertex);
}

/* Finds the families that have every pair (v,v) of vertices that were left out. The first slice has
 * these pairs. */
static bool find_nullable(collecting *c) {
    const cflri_equations *all = c->b->equations;
    c->nullable = cflri_alloc_array_zero(c->b->context, all->family.n + 1, sizeof *c->nullable);
    if (!c->nullable || !c->b->reduced->vertex || c->b->slice.self) return c->nullable;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < all->equation.n; i++) {
            const cflri_equation *e = &all->equation.at[i];
            bool has = e->kind == CFLRI_DIAGONAL;
            if (e->kind == CFLRI_COPY || e->kind == CFLRI_TURN) has = c->nullable[e->right];
            if (e->kind == CFLRI_PAIR) has = c->nullable[e->right] && c->nullable[e->by];
            if (!has || c->nullable[e->left]) continue;
            found = c->nullable[e->left] = true;
        }
    }
    return true;
}

/* Lists the rows of vertices that were left out. */
static bool list_untouched(collecting *c) {
    const cflri_reduced *reduced = c->b->reduced;
    uint32_t n = reduced->original->n_vertices, next = 0;
    for (uint32_t v = 0; v < n && v < c->bound; v++) {
        if (next < reduced->problem.n_vertices && reduced->vertex[next] == v) {
            next++;
            continue;
        }
        /* A set of one id is numbered by its vertex here, so CFLRI_NO_SET stands for (v,v). */
        if (!cflri_vec_push(c->b->context, &c->row, cflri_pair(v, CFLRI_NO_SET))) return false;
    }
    return true;
}

/* Does the walk visit the rows of a family in ascending order of vertices? */
static bool is_ordered(const collecting *c, uint32_t family) {
    bool untouched = c->nullable[family] && c->b->reduced->vertex;
    return cflri_batch_has_place(c->b, family) && !untouched;
}

/* Lists the rows of one family in order. False when memory is refused. */
static bool list_rows(collecting *c, uint32_t family) {
    cflr_context *context = c->b->context;
    cflri_node_walk walk = cflri_batch_nodes(c->b, family);
    uint32_t vertex;
    cflri_set_number value;
    c->row.n = 0;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        vertex = vertex_of(c, vertex);
        if (vertex >= c->bound) continue;
        if (!cflri_vec_push(context, &c->row, cflri_pair(vertex, value))) return false;
    }
    if (c->nullable[family] && c->b->reduced->vertex && !list_untouched(c)) return false;
    return cflri_sort_pairs(context, c->row.at, c->row.n, NULL, NULL) == CFLR_OK;
}

/* ---- relations ---- */

static cflri_set_number set_in_graph(const collecting *c, uint32_t vertex, cflri_set_number set) {
    if (set == CFLRI_NO_SET) return CFLRI_SINGLE_SET | vertex;
    if (!cflri_set_is_single(set)) return set;
    return CFLRI_SINGLE_SET | vertex_of(c, set & ~CFLRI_SINGLE_SET);
}

static void write_row(const collecting *c, uint32_t r, uint32_t vertex, cflri_set_number set,
                      cflri_relation *relation) {
    relation->row[r] = vertex;
    relation->start[r] = relation->n_pairs;
    relation->set[r] = set_in_graph(c, vertex, set);
    relation->n_pairs += cflri_sets_count(c->b->sets, set);
}

static uint32_t count_rows(const collecting *c, uint32_t family) {
    cflri_node_walk walk = cflri_batch_nodes(c->b, family);
    uint32_t vertex, n = 0;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) n += vertex_of(c, vertex) < c->bound;
    return n;
}

/* Builds the relation of one family, whose rows are sets of the batch. */
static bool build_family(collecting *c, uint32_t family, cflri_relation *relation) {
    cflr_context *context = c->b->context;
    bool ordered = is_ordered(c, family);
    *relation = (cflri_relation){0};
    if (!ordered && !list_rows(c, family)) return false;
    uint32_t n = ordered ? count_rows(c, family) : (uint32_t)c->row.n;
    if (!n) return true;
    if (cflri_relation_allocate_shared(context, n, c->closure->sets, relation, NULL) != CFLR_OK) {
        return false;
    }
    if (ordered) {
        cflri_node_walk walk = cflri_batch_nodes(c->b, family);
        uint32_t vertex;
        cflri_set_number value;
        for (uint32_t r = 0; r < n && cflri_batch_next(&walk, &vertex, &value); r++) {
            write_row(c, r, vertex_of(c, vertex), value, relation);
        }
    } else {
        for (uint32_t r = 0; r < n; r++) {
            uint64_t row = c->row.at[r];
            write_row(c, r, (uint32_t)(row >> 32), (uint32_t)row, relation);
        }
    }
    relation->start[n] = relation->n_pairs;
    return true;
}

/* A symbol whose pairs are the converse of another's gets the other's pairs here. */
static bool build_symbol(collecting *c, uint32_t symbol) {
    const cflri_batch *b = c->b;
    cflri_home home = b->equations->home[symbol];
    cflri_relation *relation = &c->closure->relation[symbol];
    if (!home.wanted) return true;
    if (home.rows != CFLRI_NO_SYMBOL) return build_family(c, home.rows, relation);
    *relation = cflri_relation_borrow(b->reduced->original->input[home.input]);
    return true;
}

/* Reverses a relation with all threads. */
static bool turn_symbol(const collecting *c, uint32_t symbol) {
    const cflri_batch *b = c->b;
    cflri_home home = b->equations->home[symbol];
    cflri_relation *relation = &c->closure->relation[symbol], ahead = *relation;
    if (!home.wanted || !home.turned) return true;
    bool turned = cflri_relation_reverse(b->context, &ahead, b->threads, relation, NULL) == CFLR_OK;
    cflri_relation_free(b->context, &ahead);
    return turned;
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

static bool build(const cflri_batch *b, uint32_t bound, cflri_closure *closure) {
    uint32_t n = b->problem->ground->n_symbols;
    collecting c = {.b = b, .bound = bound, .closure = closure};
    closure->n_symbols = n;
    closure->relation = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof(cflri_relation));
    collecting_all all = {.plan = &c, .deal = {.n = n, .handful = 1}};
    bool built = closure->relation && find_nullable(&c);
    if (built) cflri_crew_run(b->threads, build_symbols, &all);
    built = built && !all.failed;
    for (uint32_t s = 0; built && s < n; s++) built = turn_symbol(&c, s);
    if (built && b->account) cflri_batch_account_result(b, closure);
    cflri_free(b->context, c.nullable);
    return built;
}

/* Estimates the memory of the rows of each vertex: adds bytes to cost[v]. Targets take memory where
 * they are reversed. */
static void add_costs(const cflri_batch *b, uint32_t symbol, uint64_t *cost) {
    cflri_home home = b->equations->home[symbol];
    uint32_t vertex;
    cflri_set_number value;
    if (home.rows == CFLRI_NO_SYMBOL) return;
    cflri_node_walk walk = cflri_batch_nodes(b, home.rows);
    while (cflri_batch_next(&walk, &vertex, &value)) {
        uint64_t ids = home.turned ? cflri_sets_count(b->sets, value) : 0;
        cost[cflri_reduced_vertex(b->reduced, vertex)] += 32 + 4 * ids * sizeof(uint32_t);
    }
}

/* Returns the vertex up to which all rows are likely to fit. */
static uint32_t bound_that_fits(const cflri_batch *b) {
    uint32_t n = b->reduced->original->n_vertices, bound = 0;
    uint64_t *cost = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof *cost);
    if (!cost) return 0;
    for (uint32_t s = 0; s < b->equations->n_symbols; s++) add_costs(b, s, cost);
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

cflr_status cflri_batch_collect(cflri_batch *b, cflri_closure *closure) {
    cflr_status ended = b->end;
    *closure = (cflri_closure){0};
    if (ended != CFLR_OK && ended != CFLR_LIMIT && ended != CFLR_CANCELLED) return ended;
    cflri_batch_end_solving(b);
    cflri_return_pages(b->context);
    closure->sets = cflri_batch_sets(b);
    bool built = closure->sets && build(b, UINT32_MAX, closure);
    if (!built && ended == CFLR_OK) ended = cflri_fail_memory(b->context, b->error);
    for (uint32_t bound = UINT32_MAX; closure->sets && !built && ended != CFLR_NO_MEMORY && bound;
         bound /= 2) {
        begin_again(b, closure);
        if (bound == UINT32_MAX) bound = bound_that_fits(b);
        built = build(b, bound, closure);
    }
    if (!built) {
        cflri_closure_free(b->context, closure);
        ended = cflri_closure_empty(b->reduced->original, ended, closure, b->error);
    }
    closure->threads = (int)b->threads;
    closure->rounds = b->rounds;
    closure->derivations = b->derivations;
    return ended;
}
