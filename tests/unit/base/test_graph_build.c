/* SPDX-License-Identifier: Apache-2.0
 *
 * Building and reading graphs, against a list of edges that is searched from the front.
 */
#include "base/context.h"
#include "base/graph/graph.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

typedef struct edge {
    uint32_t label, source, target;
} edge;

static int compare_edges(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

static cflr_graph_builder *new_builder(cflr_context *context, uint32_t n_labels) {
    cflr_error error;
    cflr_graph_builder *builder;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (uint32_t l = 0; l < n_labels; l++) {
        char name[16], index[16];
        uint32_t number;
        snprintf(name, sizeof name, "l%u", l / 10);
        snprintf(index, sizeof index, "%u", l % 10);
        MUST(cflr_graph_builder_label(builder, name, l % 10 ? index : NULL, &number, &error));
        cr_assert_eq(number, l);
    }
    return builder;
}

/* The rows of a direction in the order of the walk must be these edges, which are sorted. */
static void must_walk(const cflr_graph *graph, cflr_direction direction, const edge *edges,
                      size_t n) {
    size_t at = 0;
    for (uint32_t l = 0; l < cflr_graph_labels(graph); l++) {
        uint64_t cursor = 0, count, again, pairs = 0;
        uint32_t vertex;
        const uint32_t *row;
        while ((row = cflr_graph_next_row(graph, l, direction, &cursor, &vertex, &count))) {
            cr_assert_eq(cflr_graph_row(graph, l, direction, vertex, &again), row);
            cr_assert_eq(again, count);
            cr_assert_gt(count, 0);
            for (uint64_t i = 0; i < count; i++, at++, pairs++) {
                cr_assert_lt(at, n);
                cr_assert_eq(edges[at].label, l);
                cr_assert_eq(edges[at].source, vertex);
                cr_assert_eq(edges[at].target, row[i]);
            }
        }
        cr_assert_eq(cflr_graph_label_edges(graph, l), pairs);
    }
    cr_assert_eq(at, n);
}

static void must_hold(const cflr_graph *graph, edge *edges, size_t n) {
    cflr_error error;
    size_t kept = 0;
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_edges(&edges[i], &edges[kept - 1])) edges[kept++] = edges[i];
    }
    cr_assert_eq(cflr_graph_edges(graph), kept);
    must_walk(graph, CFLR_OUT, edges, kept);
    for (size_t i = 0; i < kept; i++) {
        uint32_t source = edges[i].source;
        edges[i].source = edges[i].target;
        edges[i].target = source;
    }
    qsort(edges, kept, sizeof *edges, compare_edges);
    must_walk(graph, CFLR_IN, edges, kept);
    MUST(cflr_graph_validate(graph, &error));
}

Test(graph_build, random_graphs) {
    cflr_context *context = test_context();
    cflr_error error;
    uint64_t state = 12;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t n_labels = 1 + test_random_below(&state, 25);
        uint32_t bound = 1 + test_random_below(&state, 60);
        size_t n = test_random_below(&state, round % 20 ? 300 : 20000);
        uint32_t largest = 0;
        edge *edges = malloc((n + 1) * sizeof *edges);
        cflr_graph *graph;
        cflr_graph_builder *builder = new_builder(context, n_labels);
        for (size_t i = 0; i < n; i++) {
            edge e = {test_random_below(&state, n_labels), test_random_below(&state, bound),
                      test_random_below(&state, bound)};
            if (e.source + 1 > largest) largest = e.source + 1;
            if (e.target + 1 > largest) largest = e.target + 1;
            edges[i] = e;
            MUST(cflr_graph_builder_edge(builder, e.source, e.target, e.label, &error));
        }
        MUST(cflr_graph_builder_freeze(builder, &graph, &error));
        cr_assert_eq(cflr_graph_vertices(graph), largest);
        cr_assert_eq(cflr_graph_labels(graph), n_labels);
        must_hold(graph, edges, n);
        cr_assert_not(cflr_graph_has_sources(graph));
        cflr_graph_free(graph);
        free(edges);
    }
    test_context_end(context);
}

/* As one call for each edge would make it; the edge that is wrong ends the call. */
Test(graph_build, edges_as_arrays) {
    static const uint32_t source[] = {2, 0, 2, 1}, target[] = {0, 1, 0, 1}, label[] = {1, 0, 1, 7};
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    cflr_graph_builder *builder = new_builder(context, 2);
    MUST(cflr_graph_builder_edges(builder, 0, NULL, NULL, NULL, &error));
    MUST(cflr_graph_builder_edges(builder, 3, source, target, label, &error));
    MUST_FAIL(cflr_graph_builder_edges(builder, 4, source, target, label, &error), CFLR_ARGUMENT);
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    must_hold(graph, (edge[]){{1, 2, 0}, {0, 0, 1}}, 2);
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_build, nothing_at_all) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    MUST(cflr_graph_builder_freeze(new_builder(context, 0), &graph, &error));
    cr_assert_eq(cflr_graph_vertices(graph), 0);
    cr_assert_eq(cflr_graph_labels(graph), 0);
    cr_assert_eq(cflr_graph_edges(graph), 0);
    cr_assert_eq(cflr_graph_find_label(graph, "a", NULL), CFLR_NO_LABEL);
    MUST(cflr_graph_validate(graph, &error));
    cflr_graph_free(graph);
    cflr_graph_free(NULL);
    cflr_graph_builder_free(NULL);
    cflr_graph_builder_free(new_builder(context, 3));
    test_context_end(context);
}

Test(graph_build, labels_by_name_and_index) {
    static const struct {
        const char *name, *index;
        uint32_t number;
    } labels[] = {{"a", NULL, 0}, {"a", "", 0},         {"a", "1", 1},         {"b", "1", 2},
                  {"1", "a", 3},  {"a", NULL, 0},       {"b", NULL, 4},        {"a", "1", 1},
                  {"a~", "~", 5}, {"\xc3\xa4", ".", 6}, {"ret", "\xc3\xa4", 7}};
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    cflr_graph_builder *builder = new_builder(context, 0);
    size_t n = sizeof labels / sizeof *labels;
    for (size_t i = 0; i < n; i++) {
        uint32_t label = 99;
        MUST(cflr_graph_builder_label(builder, labels[i].name, labels[i].index, &label, &error));
        cr_assert_eq(label, labels[i].number);
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    for (size_t i = 0; i < n; i++) {
        uint32_t l = labels[i].number;
        cr_assert_eq(cflr_graph_find_label(graph, labels[i].name, labels[i].index), l);
        cr_assert_str_eq(cflr_graph_label_name(graph, l), labels[i].name);
        const char *index = labels[i].index ? labels[i].index : "";
        cr_assert_str_eq(cflr_graph_label_index(graph, l), index);
    }
    cr_assert_eq(cflr_graph_find_label(graph, "a", "2"), CFLR_NO_LABEL);
    cr_assert_eq(cflr_graph_find_label(graph, "1", NULL), CFLR_NO_LABEL);
    MUST(cflr_graph_validate(graph, &error));
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_build, refused_labels) {
    static const struct {
        const char *name, *index;
    } bad[] = {{NULL, NULL},    {"", NULL},     {"", "1"},      {"~a", NULL},
               {"~", NULL},     {"a b", NULL},  {"a\t", NULL},  {"\n", NULL},
               {"a\x7f", NULL}, {"\x01", NULL}, {"f[1]", NULL}, {"f]", NULL},
               {"f", "a b"},    {"f", "["},     {"f", "1]"},    {"f", "\x1f"}};
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph_builder *builder = new_builder(context, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t label;
        MUST_FAIL(cflr_graph_builder_label(builder, bad[i].name, bad[i].index, &label, &error),
                  CFLR_ARGUMENT);
    }
    cflr_graph_builder_free(builder);
    test_context_end(context);
}

Test(graph_build, refused_edges_vertices_mentions) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    uint32_t vertex;
    cflr_graph_builder *builder = new_builder(context, 2);
    MUST_FAIL(cflr_graph_builder_edge(builder, 0, 0, 2, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_builder_edge(builder, 0, 0, CFLR_NO_LABEL, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_builder_edge(builder, 0, CFLR_MAX_VERTICES, 0, &error), CFLR_UNSUPPORTED);
    MUST_FAIL(cflr_graph_builder_edge(builder, CFLR_NO_VERTEX, 0, 0, &error), CFLR_UNSUPPORTED);
    MUST_FAIL(cflr_graph_builder_mention(builder, 0, &(cflr_mention){"f", 1, 1, "p"}, &error),
              CFLR_ARGUMENT);
    cflr_vertex_info info = {.kind = (cflr_vertex_kind)1000};
    MUST_FAIL(cflr_graph_builder_vertex(builder, &info, &vertex, &error), CFLR_ARGUMENT);
    /* the largest vertex there can be, on a graph of one edge, costs next to nothing */
    MUST(cflr_graph_builder_edge(builder, CFLR_MAX_VERTICES - 1, 0, 1, &error));
    info.kind = CFLR_VERTEX_OTHER;
    MUST_FAIL(cflr_graph_builder_vertex(builder, &info, &vertex, &error), CFLR_UNSUPPORTED);
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    cr_assert_eq(cflr_graph_vertices(graph), CFLR_MAX_VERTICES);
    cr_assert_eq(cflr_graph_edges(graph), 1);
    cr_assert_lt(cflr_context_memory_peak(context), 1 << 20);
    MUST(cflr_graph_validate(graph, &error));
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_build, vertices_with_sources) {
    static const cflr_vertex_info infos[] = {
        {CFLR_VERTEX_VARIABLE, 3, 5, "p", "char *", "main", "a.c", ""},
        {CFLR_VERTEX_DEREFERENCE, 0, 0, "*p", NULL, NULL, NULL, NULL},
        {CFLR_VERTEX_UNKNOWN, 9, 1, "", "int", "", "b.c", "main:3"},
    };
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    cflr_graph_builder *builder = new_builder(context, 1);
    uint32_t vertex;
    MUST(cflr_graph_builder_edge(builder, 1, 0, 0, &error));
    for (uint32_t i = 0; i < 3; i++) {
        MUST(cflr_graph_builder_vertex(builder, &infos[i], &vertex, &error));
        cr_assert_eq(vertex, i + 2, "new vertices come behind those of edges");
    }
    MUST(cflr_graph_builder_edge(builder, 6, 4, 0, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    cr_assert_eq(cflr_graph_vertices(graph), 7);
    cr_assert(cflr_graph_has_sources(graph));
    for (uint32_t v = 0; v < 7; v++) {
        static const cflr_vertex_info none = {0};
        const cflr_vertex_info *expected = v >= 2 && v < 5 ? &infos[v - 2] : &none;
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        cr_assert_eq(info.kind, expected->kind);
        cr_assert_eq(info.line, expected->line);
        cr_assert_eq(info.column, expected->column);
        cr_assert_str_eq(info.name, expected->name ? expected->name : "");
        cr_assert_str_eq(info.type, expected->type ? expected->type : "");
        cr_assert_str_eq(info.function, expected->function ? expected->function : "");
        cr_assert_str_eq(info.file, expected->file ? expected->file : "");
        cr_assert_str_eq(info.context, expected->context ? expected->context : "");
    }
    MUST(cflr_graph_validate(graph, &error));
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_build, names_alone_are_no_sources) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    cflr_graph_builder *builder = new_builder(context, 0);
    cflr_vertex_info info = {.name = "x"};
    uint32_t vertex;
    MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    cr_assert_not(cflr_graph_has_sources(graph));
    cflr_graph_vertex(graph, 0, &info);
    cr_assert_str_eq(info.name, "x");
    cr_assert_eq(info.kind, CFLR_VERTEX_OTHER);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* Tens of thousands of labels must not cost (labels x vertices). */
Test(graph_build, many_labels) {
    enum { LABELS = 40000 };
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    double begin = cflri_now();
    cflr_graph_builder *builder = new_builder(context, LABELS);
    for (uint32_t l = 0; l < LABELS; l++) {
        MUST(cflr_graph_builder_edge(builder, l * 50, 5000000 - l, l, &error));
        MUST(cflr_graph_builder_edge(builder, l * 49, l, LABELS - 1 - l, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    cr_assert_eq(cflr_graph_edges(graph), 2 * LABELS);
    MUST(cflr_graph_validate(graph, &error));
    for (uint32_t l = 0; l < LABELS; l += 7) {
        cr_assert_eq(cflr_graph_find_label(graph, cflr_graph_label_name(graph, l),
                                           cflr_graph_label_index(graph, l)),
                     l);
    }
    cr_assert_lt(cflr_context_memory_peak(context), 64 << 20);
    cr_assert_lt(cflri_now() - begin, 20.0);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* The peak that the essay of graph_build.c promises. */
Test(graph_build, peak_of_freezing) {
    enum { EDGES = 1000000 };
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    uint64_t state = 13;
    cflr_graph_builder *builder = new_builder(context, 4);
    for (unsigned i = 0; i < EDGES; i++) {
        uint64_t bits = test_random(&state);
        MUST(cflr_graph_builder_edge(builder, (uint32_t)(bits & 0xffff), (uint32_t)(bits >> 48),
                                     (uint32_t)(bits >> 20 & 3), &error));
    }
    cr_assert_lt(cflr_context_memory(context), EDGES * 12 + (5 << 20));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    cr_assert_lt(cflr_context_memory_peak(context), EDGES * 22 + (8 << 20));
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_build, cancelled) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    cflr_graph_builder *builder = new_builder(context, 1);
    cflr_context_cancel(context);
    MUST_FAIL(cflr_graph_builder_freeze(builder, &graph, &error), CFLR_CANCELLED);
    cr_assert_null(graph);
    test_context_end(context);
}

/* Everything that a builder does, over all its allocations. */
static cflr_status build_some(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflr_status st = CFLR_OK;
    cflr_graph *graph = NULL;
    cflr_graph_builder *builder = NULL;
    uint32_t vertex, label;
    char name[16];
    CFLR_TRY(cflr_graph_builder_new(context, &builder, error));
    for (uint32_t i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "n%u", i);
        cflr_vertex_info info = {CFLR_VERTEX_VARIABLE, i, 1, name, "int", "f", "a.c", ""};
        CFLR_TRY(cflr_graph_builder_vertex(builder, &info, &vertex, error));
        CFLR_TRY(cflr_graph_builder_mention(builder, vertex,
                                            &(cflr_mention){"a.c", 400 - i, 1, NULL}, error));
        CFLR_TRY(cflr_graph_builder_label(builder, "f", i < 20 ? name : NULL, &label, error));
        CFLR_TRY(cflr_graph_builder_edge(builder, vertex, vertex / 2, label, error));
        CFLR_TRY(cflr_graph_builder_edge(builder, vertex / 3, 500, label, error));
    }
    st = cflr_graph_builder_freeze(builder, &graph, error);
    builder = NULL;
    if (st == CFLR_OK) st = cflr_graph_validate(graph, error);
out:
    cflr_graph_builder_free(builder);
    cflr_graph_free(graph);
    return st;
}

Test(graph_build, allocation_failures) {
    cr_assert_gt(fail_alloc_sweep(build_some, NULL), 80);
}

/* A call that was refused leaves a builder that goes on. */
static cflr_status build_stubbornly(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflr_graph *graph = NULL;
    cflr_graph_builder *builder = NULL;
    cflr_error detail;
    cflr_status failure = cflr_graph_builder_new(context, &builder, error);
    if (failure != CFLR_OK) return failure;
    for (uint32_t i = 0; i < 70; i++) {
        char name[16];
        uint32_t label = 0;
        snprintf(name, sizeof name, "n%u", i);
        cflr_status st = CFLR_NO_MEMORY;
        for (int tries = 0; tries < 2 && st != CFLR_OK; tries++) {
            st = cflr_graph_builder_label(builder, name, NULL, &label, &detail);
            if (st == CFLR_OK) st = cflr_graph_builder_edge(builder, i, i, label, &detail);
        }
        if (st != CFLR_OK) {
            failure = st;
            *error = detail;
            break;
        }
        cr_assert_eq(label, i);
    }
    cflr_status st = cflr_graph_builder_freeze(builder, &graph, &detail);
    if (st != CFLR_OK) *error = detail;
    if (st == CFLR_OK && failure == CFLR_OK) {
        cr_assert_eq(cflr_graph_edges(graph), 70);
        st = cflr_graph_validate(graph, error);
    }
    cflr_graph_free(graph);
    return failure != CFLR_OK ? failure : st;
}

Test(graph_build, goes_on_after_a_refusal) {
    fail_alloc_sweep(build_stubbornly, NULL);
}
