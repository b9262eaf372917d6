/* SPDX-License-Identifier: Apache-2.0
 *
 * order.c: the order of stages whose rows are only united with one another.
 *
 *     rows that read rows of the stage -- components.h --> nodes, each behind those that it reads
 *                                      -- longest paths --> levels
 *
 * In such a stage a row is the union of what it had and of the rows that it reads. So it is
 * evaluated once, where rounds would add to it as often as something new comes along a path: 600
 * times for the roads of a country. A row that is cut by a mask differs from others of its cycle,
 * so a stage with masks has no order.
 */
#include "engine/closure/bits/order.h"

#include "base/components.h"
#include "base/context.h"

/* Of one stage; rows are counted from its first one. */
typedef struct ordering {
    cflri_bit_system *system;
    uint32_t stage, first, n; /* rows */
    uint64_t *start;          /* n + 1 */
    uint32_t *target;         /* rows that each one reads */
    uint32_t *component;      /* of each row */
    uint32_t n_components;
    uint32_t *begin;  /* n_components + 1, of the rows of each */
    uint32_t *member; /* rows, by component */
    uint32_t *depth;  /* of each component */
    uint32_t *node;   /* of each component */
    uint32_t n_levels;
} ordering;

static bool is_within(const ordering *o, uint32_t matrix) {
    const cflri_bit_matrix *m = &o->system->matrix[matrix];
    return m->stage == o->stage && !m->passing;
}

/* Does the stage read itself, and by UNITE alone? */
static bool has_order(const ordering *o) {
    const cflri_bit_system *s = o->system;
    bool recurs = false;
    for (uint32_t i = s->first_rule[o->stage]; i < s->first_rule[o->stage + 1]; i++) {
        const cflri_bit_rule *rule = &s->rule[i];
        bool pairs = rule->kind == CFLRI_BITS_PAIR || rule->kind == CFLRI_BITS_SPREAD;
        bool reads = is_within(o, rule->right) || (pairs && is_within(o, rule->by));
        if (s->matrix[rule->left].masks.of) return false;
        if (reads && rule->kind != CFLRI_BITS_UNITE) return false;
        recurs |= reads;
    }
    return recurs;
}

/* Calls each(o, row, row that it reads) for all edges within the stage. */
static void visit_edges(ordering *o, void (*each)(ordering *o, uint32_t from, uint32_t to)) {
    const cflri_bit_system *s = o->system;
    for (uint32_t i = s->first_rule[o->stage]; i < s->first_rule[o->stage + 1]; i++) {
        const cflri_bit_rule *rule = &s->rule[i];
        const cflri_bit_edges *edges = &rule->edges;
        if (rule->kind != CFLRI_BITS_UNITE || !is_within(o, rule->right)) continue;
        uint32_t left = s->matrix[rule->left].first - o->first;
        uint32_t right = s->matrix[rule->right].first - o->first;
        for (uint32_t k = 0; k < edges->n_sources; k++) {
            uint32_t from = left + (edges->source ? edges->source[k] : k);
            for (uint64_t e = edges->start[k]; e < edges->start[k + 1]; e++)
                each(o, from, right + edges->to[e]);
        }
    }
}

static void count_edge(ordering *o, uint32_t from, uint32_t to) {
    (void)to;
    o->start[from + 2]++;
}

static void put_edge(ordering *o, uint32_t from, uint32_t to) {
    o->target[o->start[from + 1]++] = to;
}

/* start[from + 1] is where the next edge of `from` goes, until all have come. */
static bool make_graph(ordering *o) {
    cflr_context *context = o->system->context;
    o->start = cflri_alloc_array_zero(context, o->n + (size_t)2, sizeof *o->start);
    if (!o->start) return false;
    visit_edges(o, count_edge);
    for (uint32_t r = 0; r < o->n; r++) o->start[r + 2] += o->start[r + 1];
    o->target = cflri_alloc_array(context, o->start[o->n + 1] + 1, sizeof *o->target);
    if (!o->target) return false;
    visit_edges(o, put_edge);
    return true;
}

static bool list_members(ordering *o) {
    cflr_context *context = o->system->context;
    o->begin = cflri_alloc_array_zero(context, o->n_components + (size_t)2, sizeof *o->begin);
    o->member = cflri_alloc_array(context, o->n + (size_t)1, sizeof *o->member);
    if (!o->begin || !o->member) return false;
    for (uint32_t r = 0; r < o->n; r++) o->begin[o->component[r] + 2]++;
    for (uint32_t c = 0; c < o->n_components; c++) o->begin[c + 2] += o->begin[c + 1];
    for (uint32_t r = 0; r < o->n; r++) o->member[o->begin[o->component[r] + 1]++] = r;
    return true;
}

/* A component comes behind all that it reads. */
static bool find_depths(ordering *o) {
    o->depth =
        cflri_alloc_array_zero(o->system->context, o->n_components + (size_t)1, sizeof *o->depth);
    if (!o->depth) return false;
    for (uint32_t c = 0; c < o->n_components; c++) {
        for (uint32_t i = o->begin[c]; i < o->begin[c + 1]; i++) {
            uint32_t r = o->member[i];
            for (uint64_t e = o->start[r]; e < o->start[r + 1]; e++) {
                uint32_t other = o->component[o->target[e]];
                if (other != c && o->depth[other] >= o->depth[c]) o->depth[c] = o->depth[other] + 1;
            }
        }
        if (o->depth[c] >= o->n_levels) o->n_levels = o->depth[c] + 1;
    }
    return true;
}

/* Numbers components by depth. */
static bool number_nodes(ordering *o, cflri_bit_order *made) {
    cflr_context *context = o->system->context;
    made->level = cflri_alloc_array_zero(context, o->n_levels + (size_t)2, sizeof *made->level);
    o->node = cflri_alloc_array(context, o->n_components + (size_t)1, sizeof *o->node);
    if (!made->level || !o->node) return false;
    for (uint32_t c = 0; c < o->n_components; c++) made->level[o->depth[c] + 2]++;
    for (uint32_t l = 0; l < o->n_levels; l++) made->level[l + 2] += made->level[l + 1];
    for (uint32_t c = 0; c < o->n_components; c++) o->node[c] = made->level[o->depth[c] + 1]++;
    return true;
}

/* Edges between nodes, each once; `seen` has for each component the last one that read it. */
static uint64_t put_edges(const ordering *o, uint32_t c, uint32_t *seen, uint32_t *to) {
    uint64_t n = 0;
    for (uint32_t i = o->begin[c]; i < o->begin[c + 1]; i++) {
        uint32_t r = o->member[i];
        for (uint64_t e = o->start[r]; e < o->start[r + 1]; e++) {
            uint32_t other = o->component[o->target[e]];
            if (other == c || seen[other] == c) continue;
            seen[other] = c;
            to[n++] = o->node[other];
        }
    }
    return n;
}

static bool fill_order(const ordering *o, cflri_bit_order *made) {
    cflr_context *context = o->system->context;
    uint32_t n = o->n_components, rows = 0;
    uint64_t edges = 0;
    made->start = cflri_alloc_array(context, n + (size_t)1, sizeof *made->start);
    made->first = cflri_alloc_array(context, n + (size_t)1, sizeof *made->first);
    made->row = cflri_alloc_array(context, o->n + (size_t)1, sizeof *made->row);
    made->to = cflri_alloc_array(context, o->start[o->n] + 1, sizeof *made->to);
    uint32_t *of = cflri_alloc_array(context, n + (size_t)1, sizeof *of); /* node -> component */
    uint32_t *seen = cflri_alloc_array(context, n + (size_t)1, sizeof *seen);
    bool there = made->start && made->first && made->row && made->to && of && seen;
    for (uint32_t c = 0; there && c < n; c++) of[o->node[c]] = seen[c] = c;
    for (uint32_t k = 0; there && k < n; k++) {
        uint32_t c = of[k];
        made->start[k] = edges;
        made->first[k] = rows;
        edges += put_edges(o, c, seen, made->to + edges);
        for (uint32_t i = o->begin[c]; i < o->begin[c + 1]; i++)
            made->row[rows++] = o->first + o->member[i];
    }
    if (there) {
        made->start[n] = edges;
        made->first[n] = rows;
        made->n = n;
        made->n_levels = o->n_levels;
    }
    cflri_free(context, of);
    cflri_free(context, seen);
    return there;
}

static void free_ordering(ordering *o) {
    cflr_context *context = o->system->context;
    cflri_free(context, o->start);
    cflri_free(context, o->target);
    cflri_free(context, o->component);
    cflri_free(context, o->begin);
    cflri_free(context, o->member);
    cflri_free(context, o->depth);
    cflri_free(context, o->node);
}

static cflr_status order_stage(cflri_bit_system *s, uint32_t stage, cflr_error *error) {
    uint32_t first = s->first_row[stage], n = s->first_row[stage + 1] - first;
    ordering o = {.system = s, .stage = stage, .first = first, .n = n};
    cflr_status st = CFLR_OK;
    if (!n || !has_order(&o)) return CFLR_OK;
    o.component = cflri_alloc_array(s->context, n + (size_t)1, sizeof *o.component);
    if (!o.component || !make_graph(&o)) CFLR_TRY(cflri_fail_memory(s->context, error));
    cflri_successors graph = {.n = n, .start = o.start, .target = o.target};
    CFLR_TRY(cflri_components(s->context, &graph, o.component, &o.n_components, error));
    bool made = list_members(&o) && find_depths(&o) && number_nodes(&o, &s->order[stage]) &&
                fill_order(&o, &s->order[stage]);
    if (!made) st = cflri_fail_memory(s->context, error);
out:
    free_ordering(&o);
    return st;
}

cflr_status cflri_bit_orders_make(cflri_bit_system *s, cflr_error *error) {
    cflr_status st = CFLR_OK;
    s->order = cflri_alloc_array_zero(s->context, s->n_stages + (size_t)1, sizeof *s->order);
    if (!s->order) return cflri_fail_memory(s->context, error);
    for (uint32_t t = 0; t < s->n_stages && st == CFLR_OK; t++) st = order_stage(s, t, error);
    return st;
}

void cflri_bit_orders_free(cflri_bit_system *s) {
    for (uint32_t t = 0; s->order && t < s->n_stages; t++) {
        cflri_free(s->context, s->order[t].level);
        cflri_free(s->context, s->order[t].start);
        cflri_free(s->context, s->order[t].to);
        cflri_free(s->context, s->order[t].first);
        cflri_free(s->context, s->order[t].row);
    }
    cflri_free(s->context, s->order);
}
