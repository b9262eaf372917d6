/* SPDX-License-Identifier: Apache-2.0
 *
 * turn.c: rows of pairs read backwards, as sets.
 *
 * A symbol whose pairs are the converse of another's has the other's rows, read backwards. Many
 * sources have one set as their row, so these sources are united once, and not source by source:
 *
 *     rows            p {x y}   q {x y}   r {y z}
 *     groups          A: {x y} has sources {p q}        B: {y z} has sources {r}
 *     lists           x: A      y: A B    z: B          groups whose set has the vertex
 *     turned rows     x {p q}   y {p q r} z {r}         unions of the sources of these groups
 *
 * Large sets are trees that share their nodes: turn_trees.c finds the sources of each leaf, and a
 * vertex takes those of the leaves that have its bit. The other sets are listed for a panel of
 * vertices at a time, so that lists take little beside what is there. Vertices with equal lists
 * have equal rows: a list that was met before is not united again. Cost: the ids of different small
 * sets for each panel, the different nodes of trees, and the unions. Threads share the sets, by
 * their numbers, when groups are made and listed, and the vertices of a panel when groups are
 * united.
 */
#include "engine/closure/batch/turn.h"

#include "base/context.h"
#include "base/numbered.h"
#include "engine/closure/batch/turn_trees.h"

enum {
    VERTICES = 64,         /* that a thread takes at once */
    GROUPS = 256,          /* likewise */
    LEAST_LISTS = 1 << 22, /* numbers of groups in the lists of a panel */
    USED = 16,             /* lists take up to this part of the memory in use */
};

/* The part of one thread: the groups of its share of the sets. */
typedef struct grouping {
    CFLRI_VEC(uint64_t) row;  /* (set, source), ascending */
    cflri_numbers set;        /* of each group that is no tree */
    cflri_numbers sources;    /* likewise, as a set */
    cflri_turned_trees trees; /* the other groups */
    char apart[CFLRI_APART];
} grouping;

typedef struct turning {
    cflri_batch *b;
    cflri_views views;
    uint32_t family;
    uint64_t drawn;    /* sets of rows have numbers below it; threads draw more meanwhile */
    grouping *part;    /* one for each thread */
    cflri_numbers set; /* as the parts have them */
    cflri_numbers sources;
    cflri_turned_trees trees; /* likewise, and: */
    cflri_turned_leaves leaves;
    uint32_t first, end;      /* vertices of the panel */
    uint64_t list_base;       /* where the list of the first one begins */
    _Atomic uint64_t *begin;  /* of each vertex: where its list begins; one more at the end */
    cflri_numbers list;       /* numbers of groups; in any order, where threads write them */
    cflri_chunks deal;        /* distributes groups, and vertices of the panel */
    cflri_set_number *turned; /* of each vertex: its row */
    atomic_bool refused;      /* memory */
} turning;

/* The part of one thread in uniting. */
typedef struct uniting {
    turning *all;
    cflri_batch *b;
    cflri_numbered known; /* lists that it met, and the unions of their groups */
    cflri_set_list sets;  /* scratch */
} uniting;

/* ---- groups ---- */

/* Where the set stands among all sets that have a number and all that are single ids. */
static uint64_t position_of(const turning *t, cflri_set_number set) {
    return cflri_set_is_single(set) ? t->drawn + (set & ~CFLRI_SINGLE_SET) : set;
}

/* Lists the rows whose sets are in the thread's share. */
static bool list_rows(const turning *t, grouping *part, uint32_t self, uint32_t threads) {
    cflri_share own = cflri_share_of(t->drawn + t->b->problem->n_vertices, self, threads);
    cflri_node_walk walk = cflri_batch_nodes(t->b, t->family);
    uint32_t vertex;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        uint64_t at = position_of(t, value);
        if (at < own.begin || at >= own.end) continue;
        if (!cflri_vec_push(t->b->context, &part->row, cflri_pair(value, vertex))) return false;
    }
    return cflri_sort_pairs(t->b->context, part->row.at, part->row.n, NULL, NULL) == CFLR_OK;
}

static bool add_group(cflri_batch *b, grouping *part, cflri_set_number set,
                      cflri_set_number sources) {
    cflri_row row = cflri_sets_row(b->sets, set);
    if (sources == CFLRI_NO_SET) return false;
    if (row.shape == CFLRI_ROW_TREE) {
        cflri_turned_tree one = {{row.root.node, row.level, row.root.key}, sources};
        return cflri_vec_push(b->context, &part->trees, one);
    }
    return cflri_vec_push(b->context, &part->set, set) &&
           cflri_vec_push(b->context, &part->sources, sources);
}

static bool make_groups(cflri_batch *b, grouping *part) {
    for (size_t i = 0; i < part->row.n;) {
        uint32_t set = (uint32_t)(part->row.at[i] >> 32);
        for (; i < part->row.n && (uint32_t)(part->row.at[i] >> 32) == set; i++) {
            cflri_row_sum_add_id(&b->sets->sum, (uint32_t)part->row.at[i]);
        }
        if (!add_group(b, part, set, cflri_sets_take(b->sets))) return false;
    }
    return true;
}

/* Done by each of the threads. */
static void group_share(void *what, cflri_crew *crew, uint32_t self) {
    turning *t = what;
    cflri_batch *b = t->views.of[self];
    grouping *part = &t->part[self];
    if (!list_rows(t, part, self, crew->threads) || !make_groups(b, part)) t->refused = true;
    cflri_vec_free(b->context, &part->row);
}

/* Adds the groups of a thread to all. */
static bool join_groups(turning *t, const grouping *part) {
    cflr_context *context = t->b->context;
    if (!cflri_vec_reserve(context, &t->set, part->set.n) ||
        !cflri_vec_reserve(context, &t->sources, part->set.n) ||
        !cflri_vec_reserve(context, &t->trees, part->trees.n)) {
        return false;
    }
    for (size_t i = 0; i < part->set.n; i++) {
        t->set.at[t->set.n++] = part->set.at[i];
        t->sources.at[t->sources.n++] = part->sources.at[i];
    }
    for (size_t i = 0; i < part->trees.n; i++) t->trees.at[t->trees.n++] = part->trees.at[i];
    return true;
}

static void free_part(cflr_context *context, grouping *part) {
    cflri_vec_free(context, &part->row);
    cflri_vec_free(context, &part->set);
    cflri_vec_free(context, &part->sources);
    cflri_vec_free(context, &part->trees);
}

static bool group_all(turning *t) {
    cflr_context *context = t->b->context;
    uint32_t n = t->b->threads;
    t->part = cflri_alloc_array_zero(context, n, sizeof *t->part);
    if (!t->part) return false;
    cflri_crew_run(n, group_share, t);
    bool joined = !t->refused;
    for (uint32_t i = 0; i < n; i++) {
        joined = joined && join_groups(t, &t->part[i]);
        free_part(context, &t->part[i]);
    }
    cflri_free(context, t->part);
    return joined;
}

/* ---- lists ---- */

/* Adds 1 and returns what was there. Other threads may do so, unless the thread is alone. */
static uint64_t count_up(_Atomic uint64_t *count, bool alone) {
    if (!alone) return atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    uint64_t before = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, before + 1, memory_order_relaxed);
    return before;
}

typedef void id_visit(turning *t, size_t group, uint32_t id, bool alone);

/* Visits the ids of the groups that the thread gets. */
static inline void visit_ids(turning *t, const cflri_crew *crew, uint32_t self, id_visit *visit) {
    cflri_sets *sets = t->views.of[self]->sets;
    for (size_t g, end; cflri_chunks_next(&t->deal, &g, &end);) {
        for (; g < end; g++) {
            cflri_row row = cflri_sets_row(sets, t->set.at[g]);
            cflri_row_walk walk = cflri_sets_begin(sets, &row);
            uint32_t id;
            while (cflri_row_next(&walk, &id)) visit(t, g, id, crew->threads == 1);
        }
    }
}

/* begin[v + 1] becomes the length of the list of v. */
static void count_id(turning *t, size_t group, uint32_t id, bool alone) {
    (void)group;
    count_up(&t->begin[id + 1], alone);
}

/* Meanwhile begin[v] is where the next number of v stands. */
static void write_id(turning *t, size_t group, uint32_t id, bool alone) {
    if (id < t->first || id >= t->end) return;
    t->list.at[count_up(&t->begin[id], alone) - t->list_base] = (uint32_t)group;
}

/* Done by each of the threads, and the next one. */
static void count_share(void *what, cflri_crew *crew, uint32_t self) {
    visit_ids(what, crew, self, count_id);
}

static void write_share(void *what, cflri_crew *crew, uint32_t self) {
    visit_ids(what, crew, self, write_id);
}

static void share_groups(turning *t, cflri_crew_work *work) {
    t->deal = (cflri_chunks){.n = t->set.n, .handful = GROUPS};
    cflri_crew_run(t->b->threads, work, t);
}

/* Adds up the lengths of the lists: begin[v + 1] becomes where the list of v ends. */
static void count_lists(turning *t, uint32_t n_vertices) {
    share_groups(t, count_share);
    for (uint32_t v = 0; v < n_vertices; v++) t->begin[v + 1] += t->begin[v];
}

/* Finds where the panel from t->first on ends. False when there is no vertex left. */
static bool next_panel(turning *t, uint32_t n_vertices) {
    const cflr_context *context = t->b->context;
    uint64_t left = cflri_memory_left(context) / 4, used = cflr_context_memory(context) / USED;
    uint64_t most = (left < used ? left : used) / sizeof *t->list.at;
    if (most < LEAST_LISTS) most = LEAST_LISTS;
    t->first = t->end;
    if (t->first == n_vertices) return false;
    t->end = t->first + 1;
    while (t->end < n_vertices && t->begin[t->end + 1] - t->begin[t->first] <= most) t->end++;
    return true;
}

static bool make_lists(turning *t) {
    uint64_t base = t->list_base = t->begin[t->first];
    if (!cflri_vec_reserve(t->b->context, &t->list, t->begin[t->end] - base)) return false;
    share_groups(t, write_share);
    for (uint32_t v = t->end - 1; v > t->first; v--) t->begin[v] = t->begin[v - 1];
    t->begin[t->first] = base;
    t->deal = (cflri_chunks){.n = t->end - t->first, .handful = VERTICES};
    return true;
}

/* ---- unions ---- */

static bool list_leaves(uniting *u, uint32_t v) {
    const cflri_turned_leaves *leaves = &u->all->leaves;
    const cflri_radix_trees *trees = &u->b->store->sets->trees;
    uint32_t position = v >> CFLRI_LEAF_BITS, bit = v % CFLRI_BLOCK_IDS;
    for (uint64_t i = leaves->begin[position]; i < leaves->begin[position + 1]; i++) {
        const cflri_turned_part *leaf = &leaves->leaf.at[i];
        if (!(cflri_radix_node_at(trees, leaf->node)->word[bit / 64] >> bit % 64 & 1)) continue;
        if (!cflri_vec_push(u->b->context, &u->sets, leaf->sources)) return false;
    }
    return true;
}

/* u->sets becomes the sources of all groups that have the vertex. */
static bool list_sources(uniting *u, uint32_t v) {
    const turning *t = u->all;
    const uint32_t *group = t->list.at + (t->begin[v] - t->list_base);
    size_t n = t->begin[v + 1] - t->begin[v];
    u->sets.n = 0;
    if (!cflri_vec_reserve(u->b->context, &u->sets, n)) return false;
    while (u->sets.n < n) {
        u->sets.at[u->sets.n] = t->sources.at[group[u->sets.n]];
        u->sets.n++;
    }
    return list_leaves(u, v);
}

/* Whatever the order of the sets: the sum of a hash of each. */
static XXH128_hash_t hash_of(const cflri_set_list *sets) {
    XXH128_hash_t sum = {sets->n, 0};
    for (size_t i = 0; i < sets->n; i++) {
        XXH128_hash_t one = XXH3_128bits(&sets->at[i], sizeof sets->at[i]);
        sum.low64 += one.low64;
        sum.high64 += one.high64;
    }
    return sum;
}

static cflri_set_number union_of(uniting *u, uint32_t v) {
    if (!list_sources(u, v)) return CFLRI_NO_SET;
    if (u->sets.n <= 1) return u->sets.n ? u->sets.at[0] : CFLRI_EMPTY_SET;
    XXH128_hash_t hash = hash_of(&u->sets);
    cflri_set_number set;
    if (cflri_numbered_find(&u->known, hash, &set)) return set;
    set = cflri_sets_union_all(u->b->sets, u->sets.at, u->sets.n);
    if (set == CFLRI_NO_SET) return set;
    return cflri_numbered_add(u->b->context, &u->known, hash, set) ? set : CFLRI_NO_SET;
}

/* Done by each of the threads. */
static void unite_lists(void *what, cflri_crew *crew, uint32_t self) {
    turning *t = what;
    uniting u = {.all = t, .b = t->views.of[self]};
    (void)crew;
    for (size_t i, end; !t->refused && cflri_chunks_next(&t->deal, &i, &end);) {
        for (; i < end && !t->refused; i++) {
            uint32_t v = t->first + (uint32_t)i;
            cflri_set_number set = union_of(&u, v);
            if (set == CFLRI_NO_SET) t->refused = true;
            if (set != CFLRI_NO_SET) t->turned[v] = set;
        }
    }
    cflri_vec_free(u.b->context, &u.sets);
    cflri_numbered_free(u.b->context, &u.known);
}

/* ---- all ---- */

static void turn(turning *t) {
    uint32_t n = t->b->problem->n_vertices;
    t->refused = !t->turned || !t->begin || !group_all(t);
    t->refused = t->refused || !cflri_batch_turn_trees(t->b, &t->trees, n, &t->leaves);
    if (!t->refused) count_lists(t, n);
    while (!t->refused && next_panel(t, n)) {
        if (!make_lists(t)) t->refused = true;
        if (!t->refused) cflri_crew_run(t->b->threads, unite_lists, t);
    }
}

bool cflri_batch_turn(cflri_batch *b, uint32_t family, cflri_set_number **turned) {
    cflr_context *context = b->context;
    size_t n = b->problem->n_vertices + (size_t)1;
    turning t = {.b = b, .family = family, .drawn = b->store->sets->row.drawn};
    t.turned = *turned = cflri_alloc_array_zero(context, n, sizeof **turned);
    t.begin = cflri_alloc_array_zero(context, n + 1, sizeof *t.begin);
    if (cflri_views_begin(b, &t.views)) {
        turn(&t);
    } else {
        t.refused = true;
    }
    cflri_views_end(b, &t.views);
    cflri_free(context, (void *)t.begin);
    cflri_vec_free(context, &t.set);
    cflri_vec_free(context, &t.sources);
    cflri_vec_free(context, &t.list);
    cflri_vec_free(context, &t.trees);
    cflri_turned_leaves_free(context, &t.leaves);
    return !t.refused;
}
