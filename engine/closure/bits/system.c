/* SPDX-License-Identifier: Apache-2.0
 *
 * system.c: makes rules between bit matrices of the equations of a plan.
 *
 *     equations of a stage -- sorted by (left, kind, right, by) --> groups --> a rule each
 *
 * An equation that goes along edges adds them to those of its rule. BETWEEN opens with edges and
 * closes with others, which get the same label. Equations of a rule that open alike, or close
 * alike, share a label, so that a rule with thousands of indexes does not have all rows for each of
 * them.
 */
#include "engine/closure/bits/system.h"

#include <stdlib.h>

#include "base/context.h"
#include "base/ids.h"
#include "engine/closure/bits/edge_walk.h"
#include "engine/closure/bits/matrices.h"
#include "engine/closure/bits/order.h"

/* ---- edges ---- */

typedef struct loose_edge {
    uint32_t from, label, to;
} loose_edge;

typedef CFLRI_VEC(loose_edge) loose_edges;

static int compare_loose(const void *a, const void *b) {
    const loose_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Moves those from one number together, numbers ascending. */
static bool distribute(cflr_context *context, loose_edges *loose, uint32_t n) {
    uint64_t *start = cflri_alloc_array_zero(context, n + (size_t)1, sizeof *start);
    loose_edges moved = {0};
    bool distributed = start && cflri_vec_reserve(context, &moved, loose->n);
    if (distributed) {
        moved.n = loose->n;
        for (size_t i = 0; i < loose->n; i++) start[loose->at[i].from + 1]++;
        for (uint32_t i = 0; i < n; i++) start[i + 1] += start[i];
        for (size_t i = 0; i < loose->n; i++) moved.at[start[loose->at[i].from]++] = loose->at[i];
        cflri_vec_free(context, loose);
        *loose = moved;
    }
    cflri_free(context, start);
    return distributed;
}

static void sort_ends(loose_edges *loose) {
    for (size_t i = 0, end; i < loose->n; i = end) {
        for (end = i + 1; end < loose->n && loose->at[end].from == loose->at[i].from;) end++;
        if (end > i + 1) qsort(loose->at + i, end - i, sizeof *loose->at, compare_loose);
    }
}

/* Drops repeated ones; returns the numbers that some come from. */
static uint32_t drop_repeated(loose_edges *loose) {
    uint32_t sources = 0;
    size_t kept = 0;
    for (size_t i = 0; i < loose->n; i++) {
        if (kept && compare_loose(&loose->at[i], &loose->at[kept - 1]) == 0) continue;
        sources += !kept || loose->at[i].from != loose->at[kept - 1].from;
        loose->at[kept++] = loose->at[i];
    }
    loose->n = kept;
    return sources;
}

/* Where so few of the numbers have edges, the others take no room, and no time. */
enum { SPARSE = 4 };

static bool is_sparse(uint64_t some, uint32_t n) {
    return some < n / SPARSE;
}

static bool sort_loose(cflr_context *context, loose_edges *loose, uint32_t n) {
    if (!is_sparse(loose->n, n)) {
        if (!distribute(context, loose, n)) return false;
        sort_ends(loose);
    } else if (loose->n) {
        qsort(loose->at, loose->n, sizeof *loose->at, compare_loose);
    }
    return true;
}

static bool allocate_edges(cflr_context *context, const loose_edges *loose, bool sparse,
                           bool labelled, cflri_bit_edges *made) {
    size_t n = made->n_sources, edges = loose->n;
    made->to = cflri_alloc_array(context, edges + 1, sizeof *made->to);
    made->start = cflri_alloc_array(context, n + 1, sizeof *made->start);
    if (sparse) made->source = cflri_alloc_array(context, n + 1, sizeof *made->source);
    if (labelled) made->label = cflri_alloc_array(context, edges + 1, sizeof *made->label);
    return made->to && made->start && (!sparse || made->source) && (!labelled || made->label);
}

/* Of edges that ascend. */
static void fill_edges(const loose_edges *loose, cflri_bit_edges *made) {
    size_t at = 0;
    for (uint32_t i = 0; i < made->n_sources; i++) {
        uint32_t from = made->source ? loose->at[at].from : i;
        if (made->source) made->source[i] = from;
        made->start[i] = at;
        for (; at < loose->n && loose->at[at].from == from; at++) {
            made->to[at] = loose->at[at].to;
            if (made->label) made->label[at] = loose->at[at].label;
        }
    }
    made->start[made->n_sources] = at;
}

/* Makes edges from n numbers of loose ones, which are forgotten. */
static bool keep_edges(cflr_context *context, loose_edges *loose, uint32_t n, bool labelled,
                       cflri_bit_edges *made) {
    if (!sort_loose(context, loose, n)) return false;
    uint32_t sources = drop_repeated(loose);
    bool sparse = is_sparse(sources, n);
    made->n_sources = sparse ? sources : n;
    if (!allocate_edges(context, loose, sparse, labelled, made)) return false;
    fill_edges(loose, made);
    loose->n = 0;
    return true;
}

/* ---- rules ---- */

/* An equation, and the rule that it belongs to. */
typedef struct placed {
    uint32_t left, kind, right, by;
    uint64_t key; /* of IMAGE: equations with the same one have one label (key_of) */
    uint32_t equation;
} placed;

typedef struct making {
    const cflri_spine_plan *plan;
    cflri_bit_system *system;
    CFLRI_VEC(placed) placed;
    CFLRI_VEC(cflri_bit_rule) rule;
    loose_edges edges, image;
    bool refused;
} making;

static uint32_t row_of(const making *m, uint32_t family, uint32_t vertex) {
    return cflri_bit_row_of(&m->system->matrix[family], vertex);
}

static uint32_t column_of(const making *m, uint32_t family, uint32_t vertex) {
    return cflri_bit_column_of(m->system, &m->system->matrix[family], vertex);
}

/* One that leads from or to nothing is left out. */
static void add_edge(making *m, loose_edges *edges, uint32_t from, uint32_t label, uint32_t to) {
    if (from == UINT32_MAX || to == UINT32_MAX) return;
    loose_edge one = {from, label, to};
    if (!cflri_vec_push(m->system->context, edges, one)) m->refused = true;
}

/* From each row of left to the row of right at the same vertex. Left has a row wherever right has,
 * and perhaps many others. */
static void add_same(making *m, const cflri_equation *e) {
    const cflri_bit_matrix *right = &m->system->matrix[e->right];
    for (uint32_t r = 0; r < right->n_rows && !m->refused; r++)
        add_edge(m, &m->edges, row_of(m, e->left, right->vertex[r]), 0, r);
}

static void add_by_edges(making *m, const cflri_equation *e, bool ahead, uint32_t label) {
    cflri_edge_walk walk = cflri_edge_walk_of(m->plan, e->by, e->by_back);
    while (cflri_edge_walk_next(&walk) && !m->refused) {
        uint32_t left = row_of(m, e->left, walk.from), right = row_of(m, e->right, walk.to);
        add_edge(m, &m->edges, ahead ? left : right, label, ahead ? right : left);
    }
}

static void add_image(making *m, const cflri_equation *e, uint32_t symbol, bool back,
                      uint32_t label) {
    cflri_edge_walk walk = cflri_edge_walk_of(m->plan, symbol, back);
    while (cflri_edge_walk_next(&walk) && !m->refused) {
        uint32_t from = column_of(m, e->right, walk.from), to = column_of(m, e->left, walk.to);
        add_edge(m, &m->image, from, label, to);
    }
}

static void add_guards(making *m, uint32_t label) {
    for (uint32_t g = 0; g < m->plan->n_guards; g++)
        add_edge(m, &m->image, m->plan->guard[g], label, g);
}

static void add_closing(making *m, const cflri_equation *e, uint32_t label) {
    if (e->kind == CFLRI_GUARDS)
        add_guards(m, label);
    else if (e->kind == CFLRI_STEP)
        add_image(m, e, e->by, e->by_back, label);
    else
        add_image(m, e, e->close, e->close_back, label);
}

/* Equations of STEP have no label, and no edges between rows. */
static void add_opening(making *m, const cflri_equation *e, uint32_t label) {
    if (e->kind == CFLRI_EDGE) add_by_edges(m, e, true, 0);
    if (e->kind == CFLRI_COPY) add_same(m, e);
    if (e->kind == CFLRI_BETWEEN) add_by_edges(m, e, false, label);
}

static cflri_bit_rule_kind kind_of(const cflri_equation *e) {
    switch (e->kind) {
        case CFLRI_PAIR:
            return e->by_back ? CFLRI_BITS_SPREAD : CFLRI_BITS_PAIR;
        case CFLRI_TURN:
            return CFLRI_BITS_TURN;
        case CFLRI_STEP:
        case CFLRI_GUARDS:
            return CFLRI_BITS_STEP;
        case CFLRI_BETWEEN:
            return CFLRI_BITS_IMAGE;
        default:
            return CFLRI_BITS_UNITE;
    }
}

/* Edges that an equation opens or closes with. */
typedef struct ends {
    uint64_t n, number; /* number: the same where the edges are */
} ends;

static ends ends_of_input(const making *m, uint32_t symbol, bool back) {
    const cflri_relation *input = m->plan->reduced.problem.input[symbol];
    return (ends){input ? input->n_pairs : 0, 1 + 2 * (uint64_t)symbol + back};
}

/* Equations have the label of what they open or close with, whichever has more edges: so these are
 * there once, and the fewer ones again for each equation. */
static uint64_t key_of(const making *m, const cflri_equation *e) {
    ends opening = ends_of_input(m, e->by, e->by_back);
    ends closing = ends_of_input(m, e->close, e->close_back);
    return closing.n > opening.n ? 2 * closing.number + 1 : 2 * opening.number;
}

static bool is_key_of_closing(uint64_t key) {
    return key & 1;
}

static int compare_placed(const void *a, const void *b) {
    const placed *x = a, *y = b;
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->right != y->right) return x->right < y->right ? -1 : 1;
    if (x->by != y->by) return x->by < y->by ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->equation > y->equation) - (x->equation < y->equation);
}

static bool is_same_rule(const placed *a, const placed *b) {
    return a->left == b->left && a->kind == b->kind && a->right == b->right && a->by == b->by;
}

/* Lists the edges of a rule of n equations. Returns the number of labels. */
static uint32_t list_edges(making *m, const placed *at, size_t n) {
    bool image = at->kind == CFLRI_BITS_IMAGE, step = at->kind == CFLRI_BITS_STEP;
    uint32_t label = 0;
    for (size_t i = 0; i < n; i++) {
        const cflri_equation *e = &m->plan->equations->equation.at[at[i].equation];
        bool again = image && i && at[i - 1].key == at[i].key;
        label += image && i && !again;
        if (!again || is_key_of_closing(at[i].key)) add_opening(m, e, label);
        if (step || (image && (!again || !is_key_of_closing(at[i].key)))) add_closing(m, e, label);
    }
    return label + 1;
}

/* From the edges (v, label, u) of a rule of kind IMAGE: a row of the passing matrix for each vertex
 * and label, which leads to v, and from all u. */
static bool make_passing(making *m, const cflri_bit_edges *from, cflri_bit_rule *image) {
    cflr_context *context = m->system->context;
    uint64_t n = from->start[from->n_sources];
    cflri_bit_edges *edges = &image->edges;
    edges->start = cflri_alloc_array(context, n + 1, sizeof *edges->start);
    edges->to = cflri_alloc_array(context, n + 1, sizeof *edges->to);
    if (from->label) edges->label = cflri_alloc_array(context, n + 1, sizeof *edges->label);
    if (!edges->start || !edges->to || (from->label && !edges->label)) return false;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < from->n_sources; i++) {
        for (uint64_t e = from->start[i]; e < from->start[i + 1]; e++) {
            bool same = e > from->start[i];
            if (from->label) same = same && from->label[e] == from->label[e - 1];
            if (!same) {
                if (from->label) edges->label[rows] = from->label[e];
                edges->to[rows++] = from->source ? from->source[i] : i;
            }
            add_edge(m, &m->edges, from->to[e], 0, rows - 1);
        }
    }
    for (uint32_t r = 0; r <= rows; r++) edges->start[r] = r;
    edges->n_sources = rows;
    return !m->refused;
}

static void free_edges(cflr_context *context, cflri_bit_edges *edges) {
    cflri_free(context, edges->source);
    cflri_free(context, edges->start);
    cflri_free(context, edges->label);
    cflri_free(context, edges->to);
    *edges = (cflri_bit_edges){0};
}

/* Makes of a rule of kind IMAGE one to a passing matrix, and one from there. */
static bool pass(making *m, bool labelled, cflri_bit_rule *image, cflri_bit_rule *unite) {
    cflri_bit_system *s = m->system;
    const cflri_bit_matrix *left = &s->matrix[image->left];
    cflri_bit_edges from = {0};
    uint32_t passing = s->n_matrices++; /* there is room (matrices.c) */
    *unite = (cflri_bit_rule){CFLRI_BITS_UNITE, .left = image->left, .right = passing};
    image->left = passing;
    bool made =
        keep_edges(s->context, &m->edges, s->matrix[image->right].n_rows, labelled, &from) &&
        make_passing(m, &from, image) &&
        keep_edges(s->context, &m->edges, left->n_rows, false, &unite->edges);
    free_edges(s->context, &from);
    s->matrix[passing] = (cflri_bit_matrix){.stage = left->stage,
                                            .n_rows = image->edges.n_sources,
                                            .n_columns = left->n_columns,
                                            .guarded = left->guarded,
                                            .passing = true};
    return made;
}

/* Makes the rule of the placed equations from there on; returns where the next one begins. */
static size_t make_rule(making *m, size_t at) {
    cflri_bit_system *s = m->system;
    const placed *first = &m->placed.at[at];
    size_t end = at;
    cflri_bit_rule rule = {
        .kind = first->kind, .left = first->left, .right = first->right, .by = first->by};
    cflri_bit_rule from_passing = {0};
    while (end < m->placed.n && is_same_rule(first, &m->placed.at[end])) end++;
    bool labelled = list_edges(m, first, end - at) > 1, made = !m->refused;
    bool image = rule.kind == CFLRI_BITS_IMAGE, step = rule.kind == CFLRI_BITS_STEP;
    if (made && rule.kind == CFLRI_BITS_UNITE)
        made = keep_edges(s->context, &m->edges, s->matrix[rule.left].n_rows, false, &rule.edges);
    if (made && image) made = pass(m, labelled, &rule, &from_passing);
    if (made && (image || step)) {
        uint32_t from = s->matrix[rule.right].n_columns;
        made = keep_edges(s->context, &m->image, from, labelled, &rule.image);
    }
    m->rule.at[m->rule.n++] = rule; /* there is room for two (place_stage) */
    if (image) m->rule.at[m->rule.n++] = from_passing;
    m->refused |= !made;
    return end;
}

static bool place_stratum(making *m, const cflri_stratum *stratum) {
    const cflri_equations *all = m->plan->equations;
    for (size_t i = stratum->first; i < stratum->end; i++) {
        const cflri_equation *e = &all->equation.at[i];
        if (e->kind == CFLRI_DIAGONAL || e->kind == CFLRI_INPUT) continue;
        placed one = {
            .left = e->left, .kind = kind_of(e), .right = e->right, .equation = (uint32_t)i};
        if (e->kind == CFLRI_PAIR) one.by = e->by;
        if (one.kind == CFLRI_BITS_IMAGE) one.key = key_of(m, e);
        if (!cflri_vec_push(m->system->context, &m->placed, one)) return false;
    }
    return true;
}

static bool place_stage(making *m, uint32_t stage) {
    const cflri_equations *all = m->plan->equations;
    m->placed.n = 0;
    for (uint32_t t = 0; t < all->stratum.n; t++) {
        if (m->system->stage_of[t] != stage) continue;
        if (!place_stratum(m, &all->stratum.at[t])) return false;
    }
    if (m->placed.n) qsort(m->placed.at, m->placed.n, sizeof *m->placed.at, compare_placed);
    return cflri_vec_reserve(m->system->context, &m->rule, 2 * m->placed.n);
}

static bool add_turned(making *m) {
    const cflri_spine_plan *plan = m->plan;
    cflri_bit_system *s = m->system;
    for (uint32_t symbol = 0; symbol < plan->reduced.problem.ground->n_symbols; symbol++) {
        if (s->turned[symbol] == CFLRI_NO_SYMBOL) continue;
        cflri_bit_rule rule = {.kind = CFLRI_BITS_TURN,
                               .left = s->turned[symbol],
                               .right = plan->equations->home[symbol].rows};
        if (!cflri_vec_push(s->context, &m->rule, rule)) return false;
    }
    return true;
}

static int compare_rules(const void *a, const void *b) {
    const cflri_bit_rule *x = a, *y = b;
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->right != y->right) return x->right < y->right ? -1 : 1;
    return (x->by > y->by) - (x->by < y->by);
}

static bool make_rules(making *m) {
    cflri_bit_system *s = m->system;
    for (uint32_t t = 0; t < s->n_stages && !m->refused; t++) {
        uint32_t first = s->first_rule[t] = (uint32_t)m->rule.n;
        if (!place_stage(m, t)) return false;
        for (size_t at = 0; at < m->placed.n && !m->refused;) at = make_rule(m, at);
        size_t n = m->rule.n - first;
        if (n) qsort(m->rule.at + first, n, sizeof *m->rule.at, compare_rules);
    }
    return !m->refused && add_turned(m);
}

/* ---- all ---- */

cflr_status cflri_bit_system_make(const cflri_spine_plan *plan, cflri_bit_system *s,
                                  cflr_error *error) {
    *s = (cflri_bit_system){.context = plan->context};
    making m = {.plan = plan, .system = s};
    cflr_status st = cflri_bit_matrices_make(plan, s, error);
    if (st == CFLR_OK && !make_rules(&m)) st = cflri_fail_memory(s->context, error);
    if (st == CFLR_OK && !cflri_bit_matrices_number(s))
        st = cflri_fail(error, CFLR_UNSUPPORTED, NULL, "more than 2^32 rows could be there");
    s->rule = m.rule.at;
    if (s->first_rule) s->first_rule[s->n_stages] = (uint32_t)m.rule.n;
    if (st == CFLR_OK) st = cflri_bit_orders_make(s, error);
    cflri_vec_free(s->context, &m.placed);
    cflri_vec_free(s->context, &m.edges);
    cflri_vec_free(s->context, &m.image);
    return st;
}

void cflri_bit_system_free(cflri_bit_system *s) {
    if (!s->context) return;
    uint32_t rules = s->first_rule ? s->first_rule[s->n_stages] : 0;
    for (uint32_t i = 0; s->rule && i < rules; i++) {
        free_edges(s->context, &s->rule[i].edges);
        free_edges(s->context, &s->rule[i].image);
    }
    cflri_free(s->context, s->rule);
    cflri_bit_orders_free(s);
    cflri_bit_matrices_free(s);
    *s = (cflri_bit_system){0};
}
