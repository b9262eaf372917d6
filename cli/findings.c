/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.c: reads the summary of an analysis off its result.
 */
#include "cli/findings.h"

#include <stdlib.h>
#include <string.h>

#include "cli/call_types.h"

static uint64_t count_alias_pairs(const cflr_result *result, uint32_t label) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    uint64_t pairs = 0, count;
    uint32_t vertex;
    const uint32_t *row;
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t cursor = 0;
        while (!out_of_time() &&
               (row = cflr_result_next_row(result, label, i, &cursor, &vertex, &count))) {
            for (uint64_t k = 0; k < count; k++) pairs += row[k] > vertex;
        }
    }
    return pairs;
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
    call_type *by; /* of the thing that is looked at: the types of its calls */
    size_t n_by;
} things;

static void things_free(things *t) {
    free(t->of);
    free(t->start);
    free(t->in);
    free(t->seen);
    free(t->set);
    free(t->first_call);
    free(t->call);
    free(t->by);
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

/* Which calls go through each vertex; false when out of memory. */
static bool find_calls(things *t, uint32_t vertices) {
    cflr_call_info call;
    uint32_t n = cflr_graph_calls(t->graph);
    size_t all = 0;
    t->first_call = calloc((size_t)vertices + 2, sizeof *t->first_call);
    for (uint32_t i = 0; i < n && t->first_call; i++) {
        cflr_graph_call(t->graph, i, &call);
        for (size_t k = 0; k < call.n; k++) t->first_call[call.vertex[k] + 2]++;
        all += call.n;
    }
    t->call = calloc(all + 1, sizeof *t->call);
    t->by = calloc((size_t)n + 1, sizeof *t->by);
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
    uint32_t n = 0, *of = join_contexts(graph, &n);
    *t = (things){.n = n, .of = of, .graph = graph};
    if (!of) return false;
    t->start = calloc((size_t)t->n + 2, sizeof *t->start);
    t->in = calloc((size_t)vertices + 1, sizeof *t->in);
    t->seen = calloc((size_t)t->n + 1, sizeof *t->seen);
    t->set = calloc((size_t)t->n + 1, sizeof *t->set);
    if (!t->start || !t->in || !t->seen || !t->set || !find_calls(t, vertices)) {
        fail_memory();
        return false;
    }
    for (uint32_t v = 0; v < vertices; v++) t->start[t->of[v] + 2]++;
    for (uint32_t i = 0; i < t->n; i++) t->start[i + 1] += t->start[i];
    for (uint32_t v = 0; v < vertices; v++) t->in[t->start[t->of[v] + 1]++] = v;
    return true;
}

/* What one thing points to. */
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
    const call_type type = call_type_of(t->graph, call.type);
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
        entered = call_enters(t->graph, &t->by[k], function);
    return entered;
}

static void count_row(things *t, uint32_t thing, bool called, const uint32_t *row, uint64_t count,
                      pointees *found) {
    for (uint64_t k = 0; k < count; k++) {
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

static void count_thing(const cflr_result *result, uint32_t label, things *t, uint32_t thing,
                        findings *found) {
    cflr_result_label info;
    pointees sum = {0};
    bool called = false;
    t->n_by = 0;
    cflr_result_get_label(result, label, &info);
    for (uint32_t k = t->start[thing]; k < t->start[thing + 1]; k++) {
        if (!is_called(t, t->in[k])) continue;
        called = true;
        add_types(t, t->in[k]);
    }
    for (uint32_t k = t->start[thing]; k < t->start[thing + 1]; k++) {
        for (uint32_t i = 0; i < info.indexes; i++) {
            uint64_t count;
            const uint32_t *row = cflr_result_row(result, label, i, t->in[k], &count);
            count_row(t, thing, called, row, count, &sum);
        }
    }
    if (sum.objects) t->set[found->pointers++] = (object_set){sum.sum, sum.objects};
    found->objects += sum.objects;
    found->called += called;
    found->resolved += sum.functions > 0;
    found->callees += sum.functions;
}

static int by_set(const void *a, const void *b) {
    const object_set *x = a, *y = b;
    if (x->objects != y->objects) return (x->objects > y->objects) - (x->objects < y->objects);
    return (x->sum > y->sum) - (x->sum < y->sum);
}

/* Of sets that equally many pointers share it is the largest one. */
static void find_most_shared(const things *t, findings *found) {
    uint64_t n = found->pointers, same = 0;
    qsort(t->set, n, sizeof *t->set, by_set);
    for (uint64_t i = 0; i < n; i++) {
        same = i && by_set(&t->set[i - 1], &t->set[i]) == 0 ? same + 1 : 1;
        if (same < found->sharing) continue;
        found->sharing = same;
        found->shared = t->set[i].objects;
    }
}

static bool count_pointees(const cflr_result *result, uint32_t points_to, findings *found) {
    things t;
    bool made = things_make(cflr_result_graph(result), &t);
    for (uint32_t i = 0; made && i < t.n && !out_of_time(); i++)
        count_thing(result, points_to, &t, i, found);
    if (made) find_most_shared(&t, found);
    things_free(&t);
    return made;
}

/* Pairs that are found when they are asked for are not counted. */
static bool is_meeting(const cflr_result *result, uint32_t label) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    return info.kind == CFLR_SYMBOL_MEETING;
}

bool findings_make(const cflr_result *result, findings *found) {
    uint32_t alias = answering_label(result, "alias");
    uint32_t points_to = answering_label(result, "points-to");
    *found = (findings){.has_alias = alias != CFLR_NO_LABEL && !is_meeting(result, alias),
                        .has_points_to = points_to != CFLR_NO_LABEL};
    if (found->has_alias) found->alias_pairs = count_alias_pairs(result, alias);
    found->cut = out_of_time();
    found->has_alias &= !found->cut;
    bool made = !found->has_points_to || found->cut || count_pointees(result, points_to, found);
    found->cut = out_of_time();
    found->has_points_to &= !found->cut;
    return made;
}
