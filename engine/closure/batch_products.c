/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_products.c: rows that follow from finished ones.
 *
 * In a stratum that does not loop, a row is what it holds by itself (DIAGONAL, INPUT, and what is made of
 * the ids of finished rows) and the union of rows that it contains whole (COPY, EDGE, PAIR). Which these
 * are is known before any of them is:
 *
 *     V(1) ---> V(4) ---> A(4)        an arrow: contains
 *      ^  \      ^
 *      |   v     |                    V(1), V(2) contain each other: one row
 *     V(2)      V(7)                  V(7) contains V(4) and nothing else: the same row
 *
 * So nothing is iterated, and nothing of the graph is written down but the path of a search through it:
 * strongly connected components come out with what they contain before them (Tarjan 1972), and the
 * row of a component is one union of finished ones, which the search has collected on its way:
 *
 *     path      nodes from the start of the search to the current one
 *     target    what the nodes on the path contain and the search has still to look at
 *     open      nodes whose component is not closed yet
 *     sum       finished sets that the nodes on `open` contain, in the same order
 *
 * Where Q is finished with more than one pair at u, R(u) >= Q . S contains a hub (batch.h), one for all u
 * with the same set Q(u):
 *
 *     R(1) --.                  .--> S(5)
 *     R(2) ---> hub {5 6 9} ------> S(6)
 *     R(3) --'                  '--> S(9)
 *
 * O(edges of that graph + sizes of the sets that are united).
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch.h"

/* A node on the path. */
typedef struct visit {
    uint32_t node;
    uint32_t low; /* the earliest node on `open` that it is known to reach, by discovery */
    size_t target, open, sum; /* where its own begin */
} visit;

typedef struct products {
    cflri_batch *b;
    /* Nodes are numbered as in cflri_batch_here. */
    uint32_t *base;   /* family of the stratum with a place -> its first node here; or NO_NODE */
    uint32_t *copied; /* family -> equations of the stratum that copy it to one without a place */
    uint32_t *start, *by_left; /* equations that rows are united by, by family on the left */
    cflri_relation
        *turned; /* family -> its pairs read backwards; of those that a turned PAIR goes by */
    cflri_set_list split;      /* parts of a hub's set */
    CFLRI_VEC(uint32_t) found; /* of each node: when, from 1; 0: not yet; CLOSED */
    uint32_t n_found;
    CFLRI_VEC(visit) path;
    cflri_numbers target, open;
    cflri_set_list sum;
} products;

#define CLOSED UINT32_MAX

static bool refused(products *p) {
    return cflri_batch_refused(p->b);
}

/* ---- preparing ---- */

static bool find_places(products *p) {
    cflri_batch *b = p->b;
    size_t families = b->equations->family.n;
    uint32_t n = b->problem->n_vertices;
    p->base = cflri_alloc_array(b->context, families + 1, sizeof *p->base);
    p->copied = cflri_alloc_array_zero(b->context, families + 1, sizeof *p->copied);
    if (!p->base || !p->copied) return refused(p);
    memset(p->base, 0xff, families * sizeof *p->base);
    for (uint32_t i = 0; i < b->at_place.n; i++) {
        uint32_t family = b->at_place.at[i];
        if (b->equations->family.at[family].stratum != b->number) continue;
        p->base[family] = i * n - b->span.first_placed;
    }
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind == CFLRI_COPY) p->copied[e->right] += b->place[e->left] == CFLRI_NO_NODE;
    }
    return true;
}

/* By family and kind; INPUT and EDGE as the meeting with ports wants them. */
static int compare_united(const void *a, const void *b, void *all) {
    const cflri_equation *equation = all;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const cflri_equation *x = &equation[i], *y = &equation[j];
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->by_back != y->by_back) return x->by_back - y->by_back;
    if (x->by != y->by) return x->by < y->by ? -1 : 1;
    return (i > j) - (i < j);
}

static bool index_equations(products *p) {
    cflri_batch *b = p->b;
    size_t families = b->equations->family.n, n = 0;
    p->start = cflri_alloc_array_zero(b->context, families + 2, sizeof *p->start);
    p->by_left =
        cflri_alloc_array(b->context, b->stratum.end - b->stratum.first + 1, sizeof *p->by_left);
    if (!p->start || !p->by_left) return refused(p);
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (!cflri_batch_unites(e->kind)) continue;
        p->by_left[n++] = (uint32_t)i;
        p->start[e->left + 1]++;
    }
    for (size_t f = 0; f < families; f++) p->start[f + 1] += p->start[f];
    if (n) qsort_r(p->by_left, n, sizeof *p->by_left, compare_united, b->equations->equation.at);
    return true;
}

/* The family's pairs (u,v), by v. */
static bool turn(products *p, uint32_t family) {
    cflri_batch *b = p->b;
    CFLRI_VEC(uint64_t) pairs = {0};
    cflri_node_walk walk = cflri_batch_nodes(b, family);
    uint32_t vertex, id;
    cflri_set_number value;
    bool done = true;
    while (done && cflri_batch_next(&walk, &vertex, &value)) {
        cflri_row row = cflri_sets_row(b->sets, value);
        cflri_row_walk ids = cflri_row_begin(&row);
        done = cflri_vec_reserve(b->context, &pairs, row.n);
        while (done && cflri_row_next(&ids, &id)) pairs.at[pairs.n++] = cflri_pair(id, vertex);
    }
    cflri_relation *turned = &p->turned[family];
    done = done && cflri_relation_build(b->context, pairs.at, pairs.n, turned, NULL) == CFLR_OK;
    cflri_vec_free(b->context, &pairs);
    return done || refused(p);
}

static bool turn_all(products *p) {
    cflri_batch *b = p->b;
    p->turned = cflri_alloc_array_zero(b->context, b->equations->family.n + 1, sizeof *p->turned);
    if (!p->turned) return refused(p);
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_PAIR || !e->by_back || p->turned[e->by].n_pairs) continue;
        if (!turn(p, e->by)) return false;
    }
    return true;
}

/* ---- what rows hold by themselves ---- */

static bool give(cflri_batch *b, void *to, uint32_t family, uint32_t vertex,
                 cflri_set_number more) {
    (void)to;
    uint32_t node = cflri_batch_node(b, family, vertex, NULL);
    if (node == CFLRI_NO_NODE) return cflri_batch_refused(b);
    cflri_set_number value = cflri_sets_union(b->sets, *cflri_batch_value(b, node), more);
    if (value == CFLRI_NO_SET) return cflri_batch_refused(b);
    b->derivations++;
    cflri_batch_offered(b, value != *cflri_batch_value(b, node));
    *cflri_batch_value(b, node) = value;
    return cflri_batch_worked(b, 4);
}

static bool fill(products *p) {
    cflri_batch *b = p->b;
    for (size_t i = 0; i < b->reader.n; i++) {
        uint32_t family = b->reader.at[i], vertex;
        cflri_set_number value;
        cflri_node_walk walk = cflri_batch_nodes(b, family);
        while (cflri_batch_next(&walk, &vertex, &value)) {
            if (!cflri_batch_derive(b, family, vertex, value, give, p)) return false;
        }
    }
    return true;
}

/* ---- what contains what ---- */

/* Families with places are gone through whole; of the others the nodes are made that contain
 * something. */
static bool add_root(products *p, uint32_t family, uint32_t vertex) {
    return cflri_batch_node(p->b, family, vertex, NULL) != CFLRI_NO_NODE || refused(p);
}

static bool add_edge_roots(products *p, const cflri_equation *e) {
    const cflri_relation *input = p->b->problem->input[e->by];
    for (uint64_t i = 0; !e->by_back && i < input->n_rows; i++) {
        if (!add_root(p, e->left, input->row[i])) return false;
    }
    for (uint64_t i = 0; e->by_back && i < input->n_pairs; i++) {
        if (!add_root(p, e->left, input->target[i])) return false;
    }
    return true;
}

static bool add_diagonal_roots(products *p, const cflri_equation *e) {
    for (uint32_t v = 0; v < p->b->problem->n_vertices; v++) {
        if (!add_root(p, e->left, v)) return false;
    }
    return true;
}

/* A root for each node of the family. */
static bool add_roots_of(products *p, const cflri_equation *e, uint32_t family) {
    cflri_node_walk walk = cflri_batch_nodes(p->b, family);
    uint32_t vertex;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        if (!add_root(p, e->left, vertex)) return false;
    }
    return true;
}

static bool add_turned_roots(products *p, const cflri_equation *e) {
    const cflri_relation *by = &p->turned[e->by];
    for (uint32_t r = 0; r < by->n_rows; r++) {
        if (!add_root(p, e->left, by->row[r])) return false;
    }
    return true;
}

static bool add_roots(products *p) {
    cflri_batch *b = p->b;
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (b->place[e->left] != CFLRI_NO_NODE) continue;
        bool added = true;
        if (e->kind == CFLRI_DIAGONAL) added = add_diagonal_roots(p, e);
        if (e->kind == CFLRI_EDGE || e->kind == CFLRI_INPUT) added = add_edge_roots(p, e);
        if (e->kind == CFLRI_PAIR) {
            added = e->by_back ? add_turned_roots(p, e) : add_roots_of(p, e, e->by);
        }
        if (e->kind == CFLRI_COPY && cflri_batch_finished(b, e->right)) {
            added = add_roots_of(p, e, e->right);
        }
        if (!added) return false;
    }
    return true;
}

static bool add_target(products *p, uint32_t here) {
    cflri_batch_offered(p->b, true);
    return cflri_vec_push(p->b->context, &p->target, here) || refused(p);
}

/* A finished set that the node at the end of the path contains. */
static bool add_set(products *p, cflri_set_number set) {
    if (!set || !p->path.n) return true;
    size_t first = p->path.at[p->path.n - 1].sum;
    if (p->sum.n > first && p->sum.at[p->sum.n - 1] == set) return true;
    return cflri_vec_push(p->b->context, &p->sum, set) || refused(p);
}

static bool add_part(products *p, cflri_set_number set) {
    if (set == CFLRI_NO_SET) return refused(p);
    if (set) cflri_batch_offered(p->b, true);
    return add_set(p, set);
}

/* The node at hand contains another, which is finished or not. */
static bool contain_node(products *p, uint32_t node, bool finished) {
    if (!finished) return add_target(p, cflri_batch_here(p->b, node));
    return add_part(p, *cflri_batch_value(p->b, node));
}

static bool contain(products *p, uint32_t family, uint32_t vertex) {
    if (p->base[family] != CFLRI_NO_NODE) {
        return add_target(p, p->base[family] + vertex);
    }
    bool finished = cflri_batch_finished(p->b, family);
    uint32_t node = finished ? cflri_batch_find(p->b, family, vertex)
                             : cflri_batch_node(p->b, family, vertex, NULL);
    if (node == CFLRI_NO_NODE) return finished || refused(p);
    return contain_node(p, node, finished);
}

static bool contain_all(products *p, uint32_t family, cflri_set_number set);

/* A hub contains what the parts of its set do. */
static bool contain_parts(products *p, uint32_t family, cflri_set_number set) {
    cflri_batch *b = p->b;
    p->split.n = 0;
    if (!cflri_batch_split(b, set, &p->split)) return refused(p);
    for (size_t i = 0; i < p->split.n; i++) {
        if (!contain_all(p, family, p->split.at[i])) return false;
    }
    return true;
}

static bool contain_ahead(cflri_batch *b, void *what, const cflri_equation *e,
                          cflri_port_range ports) {
    cflri_batch_works_on(b, e);
    for (uint32_t i = 0; i < ports.n; i++) {
        if (!contain(what, e->right, ports.at[i].vertex)) return false;
    }
    return true;
}

/* The node at hand has a vertex. */
static bool contain_vertex(products *p, uint32_t family, uint32_t vertex) {
    return add_part(p, cflri_batch_single(p->b, family, vertex));
}

static bool contain_input(cflri_batch *b, void *what, const cflri_equation *e,
                          cflri_port_range ports) {
    cflri_batch_works_on(b, e);
    for (uint32_t i = 0; i < ports.n; i++) {
        if (!contain_vertex(what, e->left, ports.at[i].vertex)) return false;
    }
    return true;
}

/* A hub that was there before this stratum is finished. */
static bool contain_hub(products *p, uint32_t family, cflri_set_number set) {
    cflri_batch *b = p->b;
    uint32_t node = cflri_batch_node(b, cflri_batch_hub(b, family), set, NULL);
    if (node == CFLRI_NO_NODE) return refused(p);
    return contain_node(p, node, cflri_batch_is_old(b, node));
}

/* S(v) for each v of a set. */
static bool contain_all(products *p, uint32_t family, cflri_set_number set) {
    uint32_t n = cflri_sets_count(p->b->sets, set);
    if (n > 1) return contain_hub(p, family, set);
    return !n || contain(p, family, cflri_sets_row(p->b->sets, set).few[0]);
}

static bool contain_pairs(products *p, const cflri_equation *e, uint32_t vertex) {
    cflri_batch *b = p->b;
    cflri_batch_works_on(b, e);
    if (e->by_back) {
        uint64_t n;
        const uint32_t *ids = cflri_relation_row(&p->turned[e->by], vertex, &n);
        for (uint64_t i = 0; i < n; i++) {
            if (!contain(p, e->right, ids[i])) return false;
        }
        return true;
    }
    uint32_t by = cflri_batch_find(b, e->by, vertex);
    cflri_set_number set = by == CFLRI_NO_NODE ? CFLRI_EMPTY_SET : *cflri_batch_value(b, by);
    return contain_all(p, e->right, set);
}

/* COPY equations inside the stratum reach where their right side does. */
static bool follow_copies(products *p, uint32_t family, uint32_t vertex) {
    cflri_batch *b = p->b;
    if (!p->copied[family]) return true;
    const cflri_equation key = {.kind = CFLRI_COPY, .right = family};
    for (size_t i = cflri_equations_seek(b->equations, b->stratum, &key); i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_COPY || e->right != family) break;
        if (!add_root(p, e->left, vertex)) return false;
    }
    return true;
}

/* The equations of one kind, from *at on, which meet the ports of a vertex. */
static bool meet_ports(products *p, cflri_equation_kind kind, uint32_t *at, uint32_t end,
                       uint32_t vertex, cflri_port_step each) {
    uint32_t first = *at;
    while (*at < end && cflri_batch_equation(p->b, p->by_left[*at])->kind == kind) ++*at;
    cflri_port_meeting meeting = {p->by_left + first, *at - first, true, vertex, each, p};
    return cflri_batch_meet(p->b, &meeting);
}

/* All that a node contains: targets, and sets. */
static bool write_targets(products *p, uint32_t family, uint32_t vertex) {
    cflri_batch *b = p->b;
    uint32_t at = p->start[family], end = p->start[family + 1];
    if (at < end && cflri_batch_equation(b, p->by_left[at])->kind == CFLRI_DIAGONAL) {
        cflri_batch_works_on(b, cflri_batch_equation(b, p->by_left[at]));
        if (!contain_vertex(p, family, vertex)) return false;
        at++;
    }
    if (!meet_ports(p, CFLRI_INPUT, &at, end, vertex, contain_input)) return false;
    for (; at < end && cflri_batch_equation(b, p->by_left[at])->kind == CFLRI_COPY; at++) {
        const cflri_equation *e = cflri_batch_equation(b, p->by_left[at]);
        cflri_batch_works_on(b, e);
        if (!contain(p, e->right, vertex)) return false;
    }
    if (!meet_ports(p, CFLRI_EDGE, &at, end, vertex, contain_ahead)) return false;
    for (; at < end; at++) {
        if (!contain_pairs(p, cflri_batch_equation(b, p->by_left[at]), vertex)) return false;
    }
    return follow_copies(p, family, vertex);
}

/* ---- evaluation ---- */

static void settle(products *p, uint32_t here, cflri_set_number value) {
    cflri_batch *b = p->b;
    uint32_t node = cflri_batch_there(b, here), family = cflri_batch_family(b, node);
    uint64_t count = cflri_sets_count(b->sets, value);
    *cflri_batch_value(b, node) = value;
    p->found.at[here] = CLOSED;
    if (!count || cflri_is_hub(b, family)) return;
    b->pairs += count * b->copies[family];
    b->rows += b->copies[family];
}

/* The union of sets. When memory has ended, rows that are no more than a finished one are still had for
 * nothing; the others stay empty. */
static cflri_set_number unite(products *p, cflri_set_number *sets, size_t n) {
    cflri_batch *b = p->b;
    if (b->end == CFLR_OK) {
        cflri_set_number value = cflri_sets_union_loose(b->sets, sets, n);
        if (value != CFLRI_NO_SET) return value;
        refused(p);
    }
    for (size_t i = 1; i < n; i++) {
        if (sets[i] != sets[0]) return CFLRI_EMPTY_SET;
    }
    return n ? sets[0] : CFLRI_EMPTY_SET;
}

/* When memory ends, but not time, it goes on with what is had for nothing. */
static bool worked(products *p, uint64_t work) {
    if (p->b->end == CFLR_OK && cflri_batch_worked(p->b, work)) return true;
    return p->b->end == CFLR_LIMIT && cflri_interrupted(p->b->context) == CFLR_OK;
}

static bool enter(products *p, uint32_t here) {
    cflri_batch *b = p->b;
    uint32_t node = cflri_batch_there(b, here), family = cflri_batch_family(b, node);
    uint32_t vertex = cflri_batch_vertex(b, node);
    visit made = {here, ++p->n_found, p->target.n, p->open.n, p->sum.n};
    p->found.at[here] = made.low;
    if (!cflri_vec_push(b->context, &p->path, made) ||
        !cflri_vec_push(b->context, &p->open, here)) {
        return refused(p);
    }
    cflri_batch_works_for_all(b);
    if (!add_set(p, *cflri_batch_value(b, node))) return false;
    bool entered = cflri_is_hub(b, family)
                       ? contain_parts(p, family - cflri_batch_hub(b, 0), vertex)
                       : write_targets(p, family, vertex);
    return entered && worked(p, 4 + p->target.n - made.target);
}

/* All above a node on `open` has its row: it reaches nothing before itself. */
static bool close_component(products *p, const visit *top) {
    size_t n = p->sum.n - top->sum;
    cflri_set_number value = unite(p, p->sum.at + top->sum, n);
    for (size_t i = top->open; i < p->open.n; i++) settle(p, p->open.at[i], value);
    p->open.n = top->open;
    p->sum.n = top->sum;
    p->b->derivations += n;
    p->b->rounds++;
    return add_set(p, value) && worked(p, n);
}

static bool leave(products *p) {
    visit top = p->path.at[--p->path.n];
    cflri_batch_works_for_all(p->b);
    if (top.low == p->found.at[top.node]) return close_component(p, &top);
    visit *above = &p->path.at[p->path.n - 1];
    if (top.low < above->low) above->low = top.low;
    return true;
}

/* Room for nodes that have been made meanwhile. */
static bool know_all(products *p) {
    size_t n = cflri_batch_n_here(p->b);
    if (p->found.n == n) return true;
    if (!cflri_vec_reserve(p->b->context, &p->found, n - p->found.n)) return refused(p);
    memset(p->found.at + p->found.n, 0, (n - p->found.n) * sizeof *p->found.at);
    p->found.n = n;
    return true;
}

/* The row of a node and of all that it contains. */
static bool search(products *p, uint32_t start) {
    if (!know_all(p)) return false;
    if (p->found.at[start]) return true;
    p->sum.n = 0;
    if (!enter(p, start)) return false;
    while (p->path.n) {
        visit *top = &p->path.at[p->path.n - 1];
        if (p->target.n == top->target) {
            if (!leave(p)) return false;
            continue;
        }
        uint32_t next = p->target.at[--p->target.n];
        if (!know_all(p)) return false;
        uint32_t found = p->found.at[next];
        if (!found && !enter(p, next)) return false;
        if (found == CLOSED &&
            !add_set(p, *cflri_batch_value(p->b, cflri_batch_there(p->b, next)))) {
            return false;
        }
        if (found && found < top->low) top->low = found;
    }
    return true;
}

/* Nodes are made on the way, hubs above all. */
static bool evaluate(products *p) {
    for (uint32_t i = 0; i < cflri_batch_n_here(p->b); i++) {
        bool nobodys = cflri_batch_family(p->b, cflri_batch_there(p->b, i)) == CFLRI_NO_NODE;
        if (!nobodys && !search(p, i)) return false;
    }
    return p->b->end == CFLR_OK;
}

static void free_products(products *p) {
    cflr_context *context = p->b->context;
    for (size_t f = 0; p->turned && f < p->b->equations->family.n; f++) {
        cflri_relation_free(context, &p->turned[f]);
    }
    cflri_free(context, p->turned);
    cflri_free(context, p->base);
    cflri_free(context, p->copied);
    cflri_free(context, p->start);
    cflri_free(context, p->by_left);
    cflri_vec_free(context, &p->found);
    cflri_vec_free(context, &p->path);
    cflri_vec_free(context, &p->target);
    cflri_vec_free(context, &p->open);
    cflri_vec_free(context, &p->split);
    cflri_vec_free(context, &p->sum);
}

bool cflri_batch_products(cflri_batch *b) {
    products p = {.b = b};
    bool done = find_places(&p) && index_equations(&p) && turn_all(&p) && fill(&p) &&
                add_roots(&p) && evaluate(&p);
    free_products(&p);
    return done;
}
