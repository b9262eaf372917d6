/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.c: makes the relations of a closure from the rows of a batch.
 *
 *     nodes of a family, by vertex  ->  places of their sets  ->  relations
 *
 * A set is written once, although many vertices may have it as their row: rows share targets within
 * a relation and between relations. Sets are written in the order of their numbers; sets of one id
 * have their places in a list of all vertices. A symbol whose pairs are the converse of another's
 * gets targets of its own. If the result does not fit into the memory limit, the rows of the first
 * vertices are kept.
 */
#include "base/context.h"
#include "engine/closure/batch/state.h"

typedef struct collecting {
    const cflri_batch *b;
    _Atomic uint64_t *place; /* by set: where its targets begin, plus 1; 0: not written */
    uint32_t bound;          /* vertices of the graph are below this */
    bool *nullable;          /* by family: has the empty word */
    uint64_t singles_at;     /* where the list of all vertices begins among the targets */
    cflri_closure *closure;
    CFLRI_VEC(uint64_t) row; /* (vertex, set) of the current family, ascending */
} collecting;

/* Several threads build relations, each with a copy of `plan`. */
typedef struct collecting_all {
    const collecting *plan;
    cflri_chunks deal; /* distributes symbols */
    atomic_bool failed;
} collecting_all;

enum { SETS = 256 }; /* sets that a thread takes at once */

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

/* ---- targets ---- */

/* The sets that are rows of a result, by several threads:
 *
 *     each     marks the sets of a share of the nodes
 *     each     counts the targets of the marked sets in a share of the sets
 *     one      allocates all targets
 *     each     finds where the targets of each set of the same share begin
 *     each     writes the targets of a few sets at a time
 */
typedef struct placing {
    collecting *c;
    const bool *is_home; /* by family: has the rows of a symbol */
    /* Where the targets of each thread's share of the sets begin. */
    uint64_t *begin;
    atomic_bool singles; /* some row has one id */
    cflri_chunks deal;   /* distributes sets */
} placing;

static void mark_sets(placing *p, const cflri_crew *crew, uint32_t self) {
    const cflri_batch *b = p->c->b;
    uint64_t nodes = b->n_placed + (uint64_t)b->store->extra.drawn;
    cflri_share own = cflri_share_of(nodes, self, crew->threads);
    for (uint32_t node = (uint32_t)own.begin; node < own.end; node++) {
        uint32_t family = cflri_batch_family(b, node);
        if (!cflri_is_row(b, family) || !p->is_home[family]) continue;
        if (vertex_of(p->c, cflri_batch_vertex(b, node)) >= p->c->bound) continue;
        cflri_set_number value = cflri_batch_value(b, node);
        if (!value) continue;
        if (cflri_set_is_single(value)) {
            atomic_store_explicit(&p->singles, true, memory_order_relaxed);
        } else {
            atomic_store_explicit(&p->c->place[value], 1, memory_order_relaxed);
        }
    }
}

/* Places the marked sets of a thread's share, one behind the other from `at` on. With `mark`, they
 * keep their marks instead. Returns where the last one ends. */
static uint64_t place_sets(const placing *p, const cflri_crew *crew, uint32_t self, uint64_t at,
                           bool mark) {
    uint32_t n = p->c->b->store->sets.row.drawn;
    cflri_share own = cflri_share_of(n, self, crew->threads);
    for (uint32_t set = (uint32_t)own.begin; set < own.end; set++) {
        if (!atomic_load_explicit(&p->c->place[set], memory_order_relaxed)) continue;
        if (!mark) atomic_store_explicit(&p->c->place[set], at + 1, memory_order_relaxed);
        at += cflri_sets_count(p->c->b->sets, set);
    }
    return at;
}

/* Done by one thread: allocates the targets of the sets, and behind them all vertices if there are
 * sets of one id. */
static void make_targets(placing *p, const cflri_crew *crew) {
    collecting *c = p->c;
    uint64_t n = 0;
    for (uint32_t i = 0; i < crew->threads; i++) {
        uint64_t share = p->begin[i];
        p->begin[i] = n;
        n += share;
    }
    c->singles_at = n;
    if (p->singles) n += c->b->reduced->original->n_vertices;
    c->closure->n_targets = n;
    c->closure->target = cflri_alloc_array(c->b->context, n + 1, sizeof(uint32_t));
}

/* Writes the ids of a set as vertices of the graph. */
static void write_set(const collecting *c, const cflri_row *row, uint32_t *target) {
    cflri_row_write(row, target);
    for (uint32_t i = 0; c->b->reduced->vertex && i < row->n; i++) {
        target[i] = c->b->reduced->vertex[target[i]];
    }
}

static void write_sets(placing *p) {
    const collecting *c = p->c;
    for (size_t i, end; cflri_chunks_next(&p->deal, &i, &end);) {
        for (; i < end; i++) {
            const cflri_row *row = cflri_segment_at(&c->b->store->sets.row, cflri_row, (uint32_t)i);
            if (c->place[i]) write_set(c, row, c->closure->target + c->place[i] - 1);
        }
    }
}

/* Writes a thread's share of the vertices, for rows of one id. */
static void write_singles(const placing *p, const cflri_crew *crew, uint32_t self) {
    const collecting *c = p->c;
    uint32_t n = c->b->reduced->original->n_vertices, *target = c->closure->target + c->singles_at;
    cflri_share own = cflri_share_of(n, self, crew->threads);
    for (uint32_t v = (uint32_t)own.begin; v < own.end; v++) target[v] = v;
}

static void place_all(void *what, cflri_crew *crew, uint32_t self) {
    placing *p = what;
    mark_sets(p, crew, self);
    cflri_crew_wait(crew);
    p->begin[self] = place_sets(p, crew, self, 0, true);
    cflri_crew_wait(crew);
    if (!self) make_targets(p, crew);
    cflri_crew_wait(crew);
    if (!p->c->closure->target) return;
    place_sets(p, crew, self, p->begin[self], false);
    cflri_crew_wait(crew);
    write_sets(p);
    if (p->singles) write_singles(p, crew, self);
}

static bool place_sets_of(collecting *c, bool *is_home, uint64_t *begin) {
    const cflri_batch *b = c->b;
    size_t n_sets = b->store->sets.row.drawn;
    placing p = {.c = c, .is_home = is_home, .begin = begin, .singles = b->reduced->vertex != NULL};
    p.deal = (cflri_chunks){.n = n_sets, .handful = SETS};
    for (uint32_t s = 0; s < b->equations->n_symbols; s++) {
        uint32_t rows = b->equations->home[s].rows;
        if (rows != CFLRI_NO_SYMBOL) is_home[rows] = true;
    }
    cflri_crew_run(b->threads, place_all, &p);
    return c->closure->target;
}

static bool write_targets(collecting *c) {
    const cflri_batch *b = c->b;
    c->place =
        cflri_alloc_array_zero(b->context, b->store->sets.row.drawn + (size_t)1, sizeof *c->place);
    bool *is_home = cflri_alloc_array_zero(b->context, b->equations->family.n + 1, sizeof *is_home);
    uint64_t *begin = cflri_alloc_array_zero(b->context, b->threads, sizeof *begin);
    bool written = c->place && is_home && begin && place_sets_of(c, is_home, begin);
    cflri_free(b->context, is_home);
    cflri_free(b->context, begin);
    return written;
}

/* ---- relations ---- */

static void write_row(const collecting *c, uint32_t r, uint32_t vertex, cflri_set_number set,
                      cflri_relation *relation) {
    relation->row[r] = vertex;
    relation->start[r] = relation->n_pairs;
    if (set == CFLRI_NO_SET) {
        relation->place[r] = c->singles_at + vertex;
    } else if (cflri_set_is_single(set)) {
        relation->place[r] = c->singles_at + vertex_of(c, set & ~CFLRI_SINGLE_SET);
    } else {
        relation->place[r] = c->place[set] - 1;
    }
    relation->n_pairs += cflri_sets_count(c->b->sets, set);
}

static uint32_t count_rows(const collecting *c, uint32_t family) {
    cflri_node_walk walk = cflri_batch_nodes(c->b, family);
    uint32_t vertex, n = 0;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) n += vertex_of(c, vertex) < c->bound;
    return n;
}

/* Builds the relation of one family, with shared targets. */
static bool build_family(collecting *c, uint32_t family, cflri_relation *relation) {
    cflr_context *context = c->b->context;
    bool ordered = is_ordered(c, family);
    *relation = (cflri_relation){0};
    if (!ordered && !list_rows(c, family)) return false;
    uint32_t n = ordered ? count_rows(c, family) : (uint32_t)c->row.n;
    if (!n) return true;
    if (cflri_relation_allocate_shared(context, n, c->closure->target, relation, NULL) != CFLR_OK) {
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
    *closure = (cflri_closure){.n_symbols = n};
    closure->relation = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof(cflri_relation));
    collecting_all all = {.plan = &c, .deal = {.n = n, .handful = 1}};
    bool built = closure->relation && find_nullable(&c) && write_targets(&c);
    if (built) cflri_crew_run(b->threads, build_symbols, &all);
    built = built && !all.failed;
    for (uint32_t s = 0; built && s < n; s++) built = turn_symbol(&c, s);
    if (built && b->account) cflri_batch_account_result(b, closure, cflri_block_bytes(c.place));
    cflri_free(b->context, (void *)c.place);
    cflri_free(b->context, c.nullable);
    return built;
}

/* Estimates the memory of the rows of each vertex: adds bytes to cost[v]. A set counts at its first
 * vertex, and again wherever it is reversed. */
static void add_costs(const cflri_batch *b, uint32_t symbol, bool *counted, uint64_t *cost) {
    cflri_home home = b->equations->home[symbol];
    uint32_t vertex;
    cflri_set_number value;
    if (home.rows == CFLRI_NO_SYMBOL) return;
    cflri_node_walk walk = cflri_batch_nodes(b, home.rows);
    while (cflri_batch_next(&walk, &vertex, &value)) {
        uint64_t ids = cflri_sets_count(b->sets, value);
        bool first = cflri_set_is_single(value) || !counted[value];
        if (!cflri_set_is_single(value)) counted[value] = true;
        cost[cflri_reduced_vertex(b->reduced, vertex)] +=
            32 + ids * sizeof(uint32_t) * ((first ? 1 : 0) + (home.turned ? 3 : 0));
    }
}

/* Returns the vertex up to which all rows are likely to fit. */
static uint32_t bound_that_fits(const cflri_batch *b) {
    uint32_t n = b->reduced->original->n_vertices, bound = 0;
    uint64_t *cost = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof *cost);
    bool *counted =
        cflri_alloc_array_zero(b->context, b->store->sets.row.drawn + (size_t)1, sizeof *counted);
    if (cost && counted) {
        for (uint32_t s = 0; s < b->equations->n_symbols; s++) add_costs(b, s, counted, cost);
        uint64_t left = cflri_memory_left(b->context) / 10 * 9;
        for (; bound < n && cost[bound] <= left; bound++) left -= cost[bound];
    }
    cflri_free(b->context, cost);
    cflri_free(b->context, counted);
    return bound;
}

cflr_status cflri_batch_collect(cflri_batch *b, cflri_closure *closure) {
    cflr_status ended = b->end;
    if (ended != CFLR_OK && ended != CFLR_LIMIT && ended != CFLR_CANCELLED) return ended;
    cflri_batch_end_solving(b);
    cflri_return_pages(b->context);
    bool built = build(b, UINT32_MAX, closure);
    if (!built && ended == CFLR_OK) ended = cflri_fail_memory(b->context, b->error);
    for (uint32_t bound = UINT32_MAX; !built && ended != CFLR_NO_MEMORY && bound; bound /= 2) {
        cflri_closure_free(b->context, closure);
        if (bound == UINT32_MAX) bound = bound_that_fits(b);
        built = build(b, bound, closure);
    }
    if (!built) {
        cflri_closure_free(b->context, closure);
        cflri_set_store_free(&b->store->sets);
        ended = cflri_closure_empty(b->reduced->original, ended, closure, b->error);
    }
    closure->threads = (int)b->threads;
    closure->rounds = b->rounds;
    closure->derivations = b->derivations;
    return ended;
}
