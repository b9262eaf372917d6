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
 * sets for each panel, the different nodes of trees, and the unions. Threads unite, each for other
 * vertices of the panel.
 */
#include "engine/closure/batch/turn.h"

#include "base/context.h"
#include "base/numbered.h"
#include "engine/closure/batch/turn_trees.h"

enum {
    VERTICES = 64,         /* that a thread takes at once */
    LEAST_LISTS = 1 << 22, /* numbers of groups in the lists of a panel */
    USED = 16,             /* lists take up to this part of the memory in use */
};

typedef struct turning {
    cflri_batch *b;
    cflri_views views;
    CFLRI_VEC(uint64_t) row;  /* (set, source) of all rows, ascending */
    cflri_numbers set;        /* of each group that is no tree */
    cflri_numbers sources;    /* likewise, as a set */
    cflri_turned_trees trees; /* the other groups, and: */
    cflri_turned_leaves leaves;
    uint32_t first, end;      /* vertices of the panel */
    uint64_t *begin;          /* of each vertex: where its list begins; one more at the end */
    cflri_numbers list;       /* numbers of groups */
    cflri_chunks deal;        /* distributes vertices of the panel */
    cflri_set_number *turned; /* of each vertex: its row */
    atomic_bool refused;      /* memory */
} turning;

/* The part of one thread. */
typedef struct uniting {
    turning *all;
    cflri_batch *b;
    cflri_numbered known; /* lists that it met, and the unions of their groups */
    cflri_set_list sets;  /* scratch */
} uniting;

/* ---- groups ---- */

static bool list_all_rows(turning *t, uint32_t family) {
    cflri_node_walk walk = cflri_batch_nodes(t->b, family);
    uint32_t vertex;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        if (!cflri_vec_push(t->b->context, &t->row, cflri_pair(value, vertex))) return false;
    }
    return cflri_sort_pairs(t->b->context, t->row.at, t->row.n, NULL, NULL) == CFLR_OK;
}

static bool add_group(turning *t, cflri_set_number set, cflri_set_number sources) {
    cflr_context *context = t->b->context;
    cflri_row row = cflri_sets_row(t->b->sets, set);
    if (sources == CFLRI_NO_SET) return false;
    if (row.shape == CFLRI_ROW_TREE) {
        cflri_turned_tree one = {{row.root.node, row.level, row.root.key}, sources};
        return cflri_vec_push(context, &t->trees, one);
    }
    return cflri_vec_push(context, &t->set, set) && cflri_vec_push(context, &t->sources, sources);
}

static bool make_groups(turning *t) {
    cflri_sets *sets = t->b->sets;
    for (size_t i = 0; i < t->row.n;) {
        uint32_t set = (uint32_t)(t->row.at[i] >> 32);
        for (; i < t->row.n && (uint32_t)(t->row.at[i] >> 32) == set; i++) {
            cflri_row_sum_add_id(&sets->sum, (uint32_t)t->row.at[i]);
        }
        if (!add_group(t, set, cflri_sets_take(sets))) return false;
    }
    cflri_vec_free(t->b->context, &t->row);
    return true;
}

/* ---- lists ---- */

/* Adds up the lengths of the lists: begin[v + 1] becomes where the list of v ends. */
static void count_lists(turning *t, uint32_t n_vertices) {
    for (size_t g = 0; g < t->set.n; g++) {
        cflri_row row = cflri_sets_row(t->b->sets, t->set.at[g]);
        cflri_row_walk walk = cflri_sets_begin(t->b->sets, &row);
        uint32_t id;
        while (cflri_row_next(&walk, &id)) t->begin[id + 1]++;
    }
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

/* Writes the lists of the panel. Meanwhile begin[v] is where the next number of v stands. */
static void write_lists(turning *t) {
    uint64_t base = t->begin[t->first];
    for (size_t g = 0; g < t->set.n; g++) {
        cflri_row row = cflri_sets_row(t->b->sets, t->set.at[g]);
        cflri_row_walk walk = cflri_sets_begin(t->b->sets, &row);
        uint32_t id;
        while (cflri_row_next(&walk, &id)) {
            if (id < t->first || id >= t->end) continue;
            t->list.at[t->begin[id]++ - base] = (uint32_t)g;
        }
    }
    for (uint32_t v = t->end - 1; v > t->first; v--) t->begin[v] = t->begin[v - 1];
    t->begin[t->first] = base;
}

static bool make_lists(turning *t) {
    uint64_t n = t->begin[t->end] - t->begin[t->first];
    if (!cflri_vec_reserve(t->b->context, &t->list, n)) return false;
    write_lists(t);
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
    const uint32_t *group = t->list.at + (t->begin[v] - t->begin[t->first]);
    size_t n = t->begin[v + 1] - t->begin[v];
    u->sets.n = 0;
    if (!cflri_vec_reserve(u->b->context, &u->sets, n)) return false;
    while (u->sets.n < n) {
        u->sets.at[u->sets.n] = t->sources.at[group[u->sets.n]];
        u->sets.n++;
    }
    return list_leaves(u, v);
}

static cflri_set_number union_of(uniting *u, uint32_t v) {
    if (!list_sources(u, v)) return CFLRI_NO_SET;
    if (u->sets.n <= 1) return u->sets.n ? u->sets.at[0] : CFLRI_EMPTY_SET;
    XXH128_hash_t hash = XXH3_128bits(u->sets.at, u->sets.n * sizeof *u->sets.at);
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

static void turn(turning *t, uint32_t family) {
    uint32_t n = t->b->problem->n_vertices;
    t->refused = !t->turned || !t->begin || !list_all_rows(t, family) || !make_groups(t);
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
    turning t = {.b = b};
    t.turned = *turned = cflri_alloc_array_zero(context, n, sizeof **turned);
    t.begin = cflri_alloc_array_zero(context, n + 1, sizeof *t.begin);
    if (cflri_views_begin(b, &t.views)) {
        turn(&t, family);
    } else {
        t.refused = true;
    }
    cflri_views_end(b, &t.views);
    cflri_free(context, t.begin);
    cflri_vec_free(context, &t.row);
    cflri_vec_free(context, &t.set);
    cflri_vec_free(context, &t.sources);
    cflri_vec_free(context, &t.list);
    cflri_vec_free(context, &t.trees);
    cflri_turned_leaves_free(context, &t.leaves);
    return !t.refused;
}
