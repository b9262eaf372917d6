/* SPDX-License-Identifier: Apache-2.0
 *
 * summary.c: reads off a result how precise it is.
 *
 * Copies of a function for contexts have copies of its vertices, in the same order. With contexts
 * joined, the k-th of those that look the same in one context and the k-th in another are one
 * thing:
 *
 *     context    looks              thing
 *     ""         p at a.c:3         0
 *     ""         p at a.c:3         1        another version of p
 *     b.c:7      p at a.c:3         0
 *     b.c:7      p at a.c:3         1
 *
 * A thing points to what any of its vertices points to. Sets of objects are compared by a sum of
 * hashes of their members.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"
#include "base/sized.h"
#include "cflr/findings.h"
#include "findings/labels.h"

static bool is_over(const cflr_result *result) {
    return cflri_interrupted(cflr_result_graph(result)->context) != CFLR_OK;
}

static cflr_status count_alias_pairs(const cflr_result *result, uint32_t label, uint64_t *pairs,
                                     cflr_error *error) {
    cflr_result_label info;
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    cflr_result_get_label(result, label, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t cursor = 0;
        do {
            CFLR_TRY(cflr_result_next_row(result, label, i, &cursor, &row, error));
            for (uint64_t k = 0; k < row.count; k++) *pairs += row.target[k] > row.vertex;
        } while (row.count && !is_over(result));
    }
out:
    cflr_row_free(&row);
    return st;
}

/* ---- contexts joined ---- */

typedef struct vertex_look {
    cflr_vertex_info info;
    uint32_t vertex;
} vertex_look;

static int compare_vertices(const void *left, const void *right) {
    const vertex_look *a = left, *b = right;
    int order = cflr_vertex_compare(&a->info, &b->info);
    if (!order) order = strcmp(a->info.context, b->info.context);
    return order ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* Of things that are sorted: number[vertex]. Returns how many numbers there are. */
static uint32_t number_sorted(const vertex_look *all, size_t n, uint32_t *number) {
    uint32_t first = 0, rank = 0, most = 0; /* of the things with these looks, contexts joined */
    for (size_t i = 0; i < n; i++) {
        if (i && cflr_vertex_compare(&all[i - 1].info, &all[i].info) != 0) {
            first += most;
            most = 0;
        }
        bool begins = !most || strcmp(all[i - 1].info.context, all[i].info.context) != 0;
        rank = begins ? 1 : rank + 1;
        if (rank > most) most = rank;
        number[all[i].vertex] = first + rank - 1;
    }
    return first + most;
}

/* A number below *n for each vertex, the same for those that are one but for their contexts. Freed
 * by the caller; NULL when memory is refused. */
static uint32_t *join_contexts(const cflr_graph *graph, uint32_t *n) {
    cflr_context *context = graph->context;
    uint32_t vertices = cflr_graph_vertices(graph);
    vertex_look *all = cflri_alloc_array(context, vertices, sizeof *all);
    uint32_t *number = cflri_alloc_array(context, vertices, sizeof *number);
    for (uint32_t v = 0; all && number && v < vertices; v++) {
        cflr_graph_vertex(graph, v, &all[v].info);
        all[v].vertex = v;
    }
    if (all && number) {
        qsort(all, vertices, sizeof *all, compare_vertices);
        *n = number_sorted(all, vertices, number);
    } else {
        cflri_free(context, number);
        number = NULL;
    }
    cflri_free(context, all);
    return number;
}

/* ---- what pointers point to, and what calls through them may call ---- */

/* The set of objects of one thing. */
typedef struct object_set {
    uint64_t sum; /* of a hash of each object */
    uint64_t objects;
} object_set;

/* Vertices by what they are when contexts are joined. */
typedef struct things {
    uint32_t n;
    uint32_t *of;    /* vertex -> thing */
    uint32_t *start; /* n + 1: vertices of thing t are in[start[t]] and on */
    uint32_t *in;
    uint32_t *seen;  /* thing -> 1 + the thing among whose objects it was met last */
    object_set *set; /* of the things that point to something */
    const cflr_graph *graph;
    size_t *first_call; /* of vertex v: call[first_call[v]] .. call[first_call[v + 1] - 1] */
    uint32_t *call;
    cflr_call_type *by; /* of the thing that is looked at: the types of its calls */
    size_t n_by;
    cflr_row row; /* of the result */
} things;

static void things_free(things *t) {
    cflr_context *context = t->graph->context;
    cflr_row_free(&t->row);
    cflri_free(context, t->of);
    cflri_free(context, t->start);
    cflri_free(context, t->in);
    cflri_free(context, t->seen);
    cflri_free(context, t->set);
    cflri_free(context, t->first_call);
    cflri_free(context, t->call);
    cflri_free(context, t->by);
}

static cflr_vertex_kind kind_of(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return info.kind;
}

/* A function's own address needs no resolving, and what other code calls is not ours to resolve. */
static bool is_called(const things *t, uint32_t vertex) {
    if (t->first_call[vertex] == t->first_call[vertex + 1]) return false;
    cflr_vertex_kind kind = kind_of(t->graph, vertex);
    return kind != CFLR_VERTEX_ADDRESS && kind != CFLR_VERTEX_UNKNOWN && kind != CFLR_VERTEX_LOST &&
           kind != CFLR_VERTEX_OUTSIDE;
}

/* Which calls go through each vertex; false when memory is refused. */
static bool find_calls(things *t, uint32_t vertices) {
    cflr_call_info call;
    uint32_t n = cflr_graph_calls(t->graph);
    size_t all = 0;
    t->first_call =
        cflri_alloc_array_zero(t->graph->context, (size_t)vertices + 2, sizeof *t->first_call);
    for (uint32_t i = 0; i < n && t->first_call; i++) {
        cflr_graph_call(t->graph, i, &call);
        for (size_t k = 0; k < call.n; k++) t->first_call[call.vertex[k] + 2]++;
        all += call.n;
    }
    t->call = cflri_alloc_array(t->graph->context, all, sizeof *t->call);
    t->by = cflri_alloc_array(t->graph->context, n, sizeof *t->by);
    if (!t->first_call || !t->call || !t->by) return false;
    for (uint32_t v = 0; v < vertices; v++) t->first_call[v + 2] += t->first_call[v + 1];
    for (uint32_t i = 0; i < n; i++) {
        cflr_graph_call(t->graph, i, &call);
        for (size_t k = 0; k < call.n; k++) t->call[t->first_call[call.vertex[k] + 1]++] = i;
    }
    return true;
}

static bool things_make(const cflr_graph *graph, things *t) {
    uint32_t vertices = cflr_graph_vertices(graph);
    cflr_context *context = graph->context;
    uint32_t n = 0, *of = join_contexts(graph, &n);
    *t = (things){.n = n, .of = of, .graph = graph};
    if (!of) return false;
    t->start = cflri_alloc_array_zero(context, (size_t)t->n + 2, sizeof *t->start);
    t->in = cflri_alloc_array(context, vertices, sizeof *t->in);
    t->seen = cflri_alloc_array_zero(context, t->n, sizeof *t->seen);
    t->set = cflri_alloc_array(context, t->n, sizeof *t->set);
    if (!t->start || !t->in || !t->seen || !t->set || !find_calls(t, vertices)) return false;
    for (uint32_t v = 0; v < vertices; v++) t->start[t->of[v] + 2]++;
    for (uint32_t i = 0; i < t->n; i++) t->start[i + 1] += t->start[i];
    for (uint32_t v = 0; v < vertices; v++) t->in[t->start[t->of[v] + 1]++] = v;
    return true;
}

/* The objects of one thing, counted. */
typedef struct pointees {
    uint64_t objects, functions, sum;
} pointees;

/* Bits that depend on all bits of the number (the last step of MurmurHash3). */
static uint64_t mixed(uint64_t number) {
    number = (number ^ number >> 33) * 0xff51afd7ed558ccdu;
    number = (number ^ number >> 33) * 0xc4ceb9fe1a85ec53u;
    return number ^ number >> 33;
}

/* Each type once; of the first that enters all the others do not count. */
static void add_type(things *t, uint32_t i) {
    cflr_call_info call;
    cflr_graph_call(t->graph, i, &call);
    const cflr_call_type type = cflr_graph_call_type(t->graph, call.type);
    for (size_t k = 0; k < t->n_by; k++)
        if (t->by[k].all || (!type.all && t->by[k].enters == type.enters)) return;
    if (type.all) t->n_by = 0;
    t->by[t->n_by++] = type;
}

static void add_types(things *t, uint32_t vertex) {
    for (size_t k = t->first_call[vertex]; k < t->first_call[vertex + 1]; k++)
        add_type(t, t->call[k]);
}

static bool is_entered(const things *t, uint32_t function) {
    bool entered = false;
    for (size_t k = 0; k < t->n_by && !entered; k++)
        entered = cflr_call_type_enters(t->graph, &t->by[k], function);
    return entered;
}

static void count_row(things *t, uint32_t thing, bool called, pointees *found) {
    const uint32_t *row = t->row.target;
    for (uint64_t k = 0; k < t->row.count; k++) {
        uint32_t *seen = &t->seen[t->of[row[k]]];
        if (*seen == thing + 1) continue;
        *seen = thing + 1;
        found->objects++;
        found->sum += mixed((uint64_t)t->of[row[k]] + 1);
        if (called) {
            bool function = kind_of(t->graph, row[k]) == CFLR_VERTEX_FUNCTION;
            found->functions += function && is_entered(t, row[k]);
        }
    }
}

static cflr_status count_thing(const cflr_result *result, uint32_t label, things *t, uint32_t thing,
                               cflr_summary *found, cflr_error *error) {
    cflr_result_label info;
    pointees sum = {0};
    bool called = false;
    cflr_status st = CFLR_OK;
    t->n_by = 0;
    cflr_result_get_label(result, label, &info);
    for (uint32_t k = t->start[thing]; k < t->start[thing + 1]; k++) {
        if (!is_called(t, t->in[k])) continue;
        called = true;
        add_types(t, t->in[k]);
    }
    for (uint32_t k = t->start[thing]; k < t->start[thing + 1]; k++) {
        for (uint32_t i = 0; i < info.indexes; i++) {
            CFLR_TRY(cflr_result_row(result, label, i, t->in[k], &t->row, error));
            count_row(t, thing, called, &sum);
        }
    }
    if (sum.objects) t->set[found->pointers++] = (object_set){sum.sum, sum.objects};
    found->objects += sum.objects;
    found->called += called;
    found->resolved += sum.functions > 0;
    found->callees += sum.functions;
out:
    return st;
}

static int by_set(const void *a, const void *b) {
    const object_set *x = a, *y = b;
    if (x->objects != y->objects) return (x->objects > y->objects) - (x->objects < y->objects);
    return (x->sum > y->sum) - (x->sum < y->sum);
}

/* Of sets that equally many pointers share it is the largest one. */
static void find_most_shared(const things *t, cflr_summary *found) {
    uint64_t n = found->pointers, same = 0;
    qsort(t->set, n, sizeof *t->set, by_set);
    for (uint64_t i = 0; i < n; i++) {
        same = i && by_set(&t->set[i - 1], &t->set[i]) == 0 ? same + 1 : 1;
        if (same < found->sharing) continue;
        found->sharing = same;
        found->shared = t->set[i].objects;
    }
}

static cflr_status count_pointees(const cflr_result *result, uint32_t points_to,
                                  cflr_summary *found, cflr_error *error) {
    const cflr_graph *graph = cflr_result_graph(result);
    things t;
    cflr_status st = CFLR_OK;
    if (!things_make(graph, &t)) CFLR_TRY(cflri_fail_memory(graph->context, error));
    for (uint32_t i = 0; i < t.n && !is_over(result); i++)
        CFLR_TRY(count_thing(result, points_to, &t, i, found, error));
    find_most_shared(&t, found);
out:
    things_free(&t);
    return st;
}

/* Pairs that are found when they are asked for are not counted. */
static bool is_meeting(const cflr_result *result, uint32_t label) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    return info.kind == CFLR_SYMBOL_MEETING;
}

/* A count is kept only when there is time left after it. */
static cflr_status end_count(const cflr_result *result, bool *counted, cflr_error *error) {
    cflr_context *context = cflr_result_graph(result)->context;
    cflr_status st = cflri_interrupted(context);
    *counted &= st == CFLR_OK;
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, error);
}

static cflr_status summarise(const cflr_result *result, cflr_summary *found, cflr_error *error) {
    uint32_t alias = cflri_answering(result, "alias");
    uint32_t points_to = cflri_answering(result, "points-to");
    cflr_status st = CFLR_OK;
    *found = (cflr_summary){.has_alias = alias != CFLR_NO_LABEL && !is_meeting(result, alias)};
    if (found->has_alias) CFLR_TRY(count_alias_pairs(result, alias, &found->alias_pairs, error));
    CFLR_TRY(end_count(result, &found->has_alias, error));
    if (points_to == CFLR_NO_LABEL) return CFLR_OK;
    CFLR_TRY(count_pointees(result, points_to, found, error));
    found->has_points_to = true;
    CFLR_TRY(end_count(result, &found->has_points_to, error));
out:
    return st;
}

cflr_status cflr_summary_make_sized(const cflr_result *result, cflr_summary *summary,
                                    size_t struct_size, cflr_error *error) {
    cflr_summary found;
    cflr_status st = summarise(result, &found, error);
    CFLRI_GIVE(summary, struct_size, found);
    return st;
}
