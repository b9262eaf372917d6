/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_round_trip.c: graph -> file -> graph, for every format that is read and written.
 *
 * Graphs are random: numbers and names for vertices, plain and indexed labels, labels without
 * edges, isolated vertices, sources and mentions. What a format does not keep is said in the table.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/base/io_support.h"

typedef struct shape {
    uint32_t vertices, edges, labels;
    bool one_label; /* e, for formats without labels */
    bool names;     /* of vertices */
    bool sources;   /* everything that can be known of a vertex, and mentions */
} shape;

static void add_labels(cflr_graph_builder *builder, const shape *s, uint32_t *labels,
                       uint64_t *random) {
    cflr_error error = {0};
    for (uint32_t i = 0; i < s->labels; i++) {
        char name[32], index[32];
        snprintf(name, sizeof name, s->one_label ? "e" : "l%u", i / 3);
        snprintf(index, sizeof index, "%u", test_random_below(random, 1000));
        bool plain = s->one_label || i % 3 == 0;
        MUST(cflr_graph_builder_label(builder, name, plain ? NULL : index, &labels[i], &error));
    }
}

static void add_vertex(cflr_graph_builder *builder, const shape *s, uint32_t i, uint64_t *random) {
    cflr_error error = {0};
    char name[64], file[64];
    uint32_t vertex;
    snprintf(name, sizeof name, i % 7 == 3 ? "%u" : "v%u", i * 5);
    snprintf(file, sizeof file, "dir/f%u.c", i % 11);
    cflr_vertex_info info = {.name = name};
    if (s->sources) {
        info = (cflr_vertex_info){.kind = (cflr_vertex_kind)test_random_below(random, 13),
                                  .name = i % 5 ? "p" : "a \"quoted\"\n\\name",
                                  .type = "char *",
                                  .function = i % 3 ? "main" : NULL,
                                  .file = file,
                                  .line = test_random_below(random, 100000),
                                  .column = test_random_below(random, 100),
                                  .context = i % 13 ? NULL : "main/f"};
    }
    MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
    cr_assert_eq(vertex, i);
    if (!s->sources || i % 4) return;
    MUST(cflr_graph_builder_mention(builder, i, &(cflr_mention){file, i, i % 5, i % 8 ? NULL : "q"},
                                    &error));
}

static cflr_graph *make(cflr_context *context, const shape *s, uint64_t seed) {
    cflr_error error = {0};
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint64_t random = seed;
    uint32_t labels[64];
    cr_assert_leq(s->labels, 64);
    MUST(cflr_graph_builder_new(context, &builder, &error));
    add_labels(builder, s, labels, &random);
    for (uint32_t i = 0; i < s->vertices && (s->names || s->sources); i++) {
        add_vertex(builder, s, i, &random);
    }
    for (uint32_t i = 0; i < s->edges; i++) {
        uint32_t label = labels[test_random_below(&random, s->labels)];
        MUST(cflr_graph_builder_edge(builder, test_random_below(&random, s->vertices),
                                     test_random_below(&random, s->vertices), label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    MUST(cflr_graph_validate(graph, &error));
    return graph;
}

static const struct format_case {
    const char *file;
    cflr_graph_format format;
    bool one_label;
    bool keeps_vertices; /* their number, when they are numbers */
    bool keeps_names;
    bool keeps_sources;
    bool packed;
} formats[] = {
    {"g.tsv", CFLR_GRAPH_TSV, false, true, true, false, false},
    {"g.tsv.zst", CFLR_GRAPH_TSV, false, true, true, false, true},
    {"g.cflg", CFLR_GRAPH_CFLG, false, true, true, true, false},
    {"g.cflg.zst", CFLR_GRAPH_CFLG, false, true, true, true, true},
    {"g.peg", CFLR_GRAPH_POCR, false, false, false, false, false},
    {"g.gracfl", CFLR_GRAPH_GRACFL, false, false, false, false, false},
    {"g.csv", CFLR_GRAPH_CFPQ, false, false, false, false, false},
    {"g.facts", CFLR_GRAPH_SOUFFLE, false, false, false, false, false},
    {"g.mtx", CFLR_GRAPH_MTX, true, true, false, false, false},
    {"g.gr.zst", CFLR_GRAPH_DIMACS, true, true, false, false, true},
};

static void round_trip(cflr_context *context, const struct format_case *c, const shape *s,
                       uint64_t seed) {
    test_dir dir = test_dir_begin();
    cflr_error error = {0};
    char path[512], again[512], what[128];
    cflr_graph *graph = make(context, s, seed), *named, *guessed;
    snprintf(what, sizeof what, "%s, seed %llu, %u vertices, %u edges", c->file,
             (unsigned long long)seed, s->vertices, s->edges);
    test_path(&dir, c->file, path);
    MUST(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error));
    MUST(cflr_graph_load(context, path, c->format, &named, &error));
    MUST(cflr_graph_load(context, path, CFLR_GRAPH_AUTO, &guessed, &error));
    io_assert_same(graph, named, what);
    io_assert_same(named, guessed, what);
    cr_assert_eq(cflr_graph_vertices(named), cflr_graph_vertices(guessed));
    if (c->keeps_sources || (!s->names && !s->sources && c->keeps_vertices) ||
        (s->names && c->keeps_names)) {
        io_assert_same_vertices(graph, named, what);
    } else if (s->sources && c->keeps_vertices) {
        cr_assert_eq(cflr_graph_vertices(graph), cflr_graph_vertices(named), "%s", what);
    }
    /* what was read is written as the same bytes */
    if (!io_is_directory(c->format)) {
        char name[64];
        snprintf(name, sizeof name, "again-%s", c->file);
        test_path(&dir, name, again);
        MUST(cflr_graph_save(named, again, c->format, &error));
        size_t n, m;
        char *first = test_read_file(path, &n), *second = test_read_file(again, &m);
        cr_assert(n == m && memcmp(first, second, n) == 0, "%s: bytes differ", what);
        cr_assert_eq(c->packed, n > 4 && memcmp(first, "\x28\xb5\x2f\xfd", 4) == 0, "%s", what);
        free(first);
        free(second);
    }
    cflr_graph_free(graph);
    cflr_graph_free(named);
    cflr_graph_free(guessed);
    test_dir_end(&dir);
}

Test(io_round_trip, random_graphs) {
    static const shape shapes[] = {
        {.vertices = 1, .edges = 1, .labels = 1},
        {.vertices = 9, .edges = 12, .labels = 4},
        {.vertices = 300, .edges = 2000, .labels = 40},
        {.vertices = 4294967294u, .edges = 500, .labels = 20},
        {.vertices = 40, .edges = 100, .labels = 9, .names = true},
        {.vertices = 2000, .edges = 100, .labels = 9, .names = true},
        {.vertices = 200, .edges = 1000, .labels = 12, .sources = true},
    };
    cflr_context *context = test_context();
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            shape s = shapes[i];
            s.one_label = formats[f].one_label;
            for (uint64_t seed = 1; seed <= 6; seed++) {
                round_trip(context, &formats[f], &s, seed * 1000 + i);
            }
        }
    }
    test_context_end(context);
}

/* Nothing at all survives as well, where a format can say it. */
Test(io_round_trip, empty_graph) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        cflr_graph_builder *builder;
        cflr_graph *graph, *read;
        char path[512];
        test_dir dir = test_dir_begin();
        MUST(cflr_graph_builder_new(context, &builder, &error));
        MUST(cflr_graph_builder_freeze(builder, &graph, &error));
        test_path(&dir, formats[f].file, path);
        if (io_is_directory(formats[f].format)) {
            MUST_FAIL(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error), CFLR_UNSUPPORTED);
        } else {
            MUST(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error));
            MUST(cflr_graph_load(context, path, formats[f].format, &read, &error));
            cr_expect_eq(cflr_graph_edges(read), 0, "%s", formats[f].file);
            cr_expect_eq(cflr_graph_vertices(read), 0, "%s", formats[f].file);
            cflr_graph_free(read);
        }
        cflr_graph_free(graph);
        test_dir_end(&dir);
    }
    test_context_end(context);
}

/* Many labels and long rows pass through several pieces of the binary form. */
Test(io_round_trip, binary_pieces) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflr_graph_builder *builder;
    cflr_graph *graph, *read;
    char path[512];
    uint64_t random = 42;
    test_dir dir = test_dir_begin();
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (uint32_t i = 0; i < 700000; i++) {
        uint32_t label;
        char index[16];
        snprintf(index, sizeof index, "%u", i % 20000);
        MUST(cflr_graph_builder_label(builder, "f", index, &label, &error));
        MUST(cflr_graph_builder_edge(builder, i % 7 ? (uint32_t)test_random(&random) >> 1 : 5,
                                     (uint32_t)test_random(&random) >> 1, label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    test_path(&dir, "g.cflg", path);
    MUST(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error));
    MUST(cflr_graph_load(context, path, CFLR_GRAPH_AUTO, &read, &error));
    cr_assert_eq(cflr_graph_labels(read), 20000);
    io_assert_same(graph, read, "pieces");
    cflr_graph_free(graph);
    cflr_graph_free(read);
    test_dir_end(&dir);
    test_context_end(context);
}
