/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_sweep.c: the n-th allocation fails, for every n, while a graph that is in use all the
 * time is written in each format and read back: no leak, a clean status, no half a file, and the
 * graph is as it was.
 *
 * The graphs know all that a format can hold: names and places of vertices, mentions, clones, and
 * labels with indexes. What undisturbed calls wrote and read is the measure of what they do later.
 */
#include "tests/support/fail_alloc.h"
#include "tests/support/packing.h"
#include "tests/unit/base/io_support.h"

enum { VERTICES = 12 };

typedef struct stage {
    fail_alloc f;
    cflr_context *context;
    cflr_graph *graph;
    cflr_graph *reread; /* what reading gives undisturbed */
    cflr_graph_format format;
    test_dir dir;
    char path[512]; /* written by the sweep */
    char kept[512]; /* read by the sweep */
    char *bytes;    /* of `kept`, for formats of one file */
    size_t size;
} stage;

/* ---- graphs ---- */

static void add_vertex(cflr_graph_builder *builder, unsigned v) {
    char name[16];
    cflr_error error;
    uint32_t vertex;
    snprintf(name, sizeof name, "x%u", v);
    cflr_vertex_info info = {v % 2 ? CFLR_VERTEX_VARIABLE : CFLR_VERTEX_DEREFERENCE,
                             v + 1,
                             v + 2,
                             name,
                             "int *",
                             v % 3 ? "main" : "",
                             v % 4 ? "a.c" : "b.c",
                             v % 5 == 4 ? "main:7" : ""};
    MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
    MUST(cflr_graph_builder_mention(builder, vertex,
                                    &(cflr_mention){"c.h", v + 20, v, v % 2 ? "y" : NULL}, &error));
}

/* `plain`: edges of one label e between vertices of which nothing is known. */
static void make_graph(stage *s, bool plain) {
    static const struct {
        const char *name, *index;
    } labels[] = {{"e", NULL}, {"f", "8"}, {"f", "16"}, {"call", "1"}, {"ret", "1"}};
    cflr_graph_builder *builder;
    cflr_error error;
    uint32_t label;
    MUST(cflr_graph_builder_new(s->context, &builder, &error));
    for (unsigned v = 0; v < VERTICES && !plain; v++) add_vertex(builder, v);
    for (unsigned v = 0; v < VERTICES; v++) {
        unsigned l = plain ? 0 : v % (sizeof labels / sizeof *labels);
        MUST(cflr_graph_builder_label(builder, labels[l].name, labels[l].index, &label, &error));
        MUST(cflr_graph_builder_edge(builder, v, v * 7 % VERTICES, label, &error));
        MUST(cflr_graph_builder_edge(builder, v, (v + 1) % VERTICES, label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &s->graph, &error));
}

static void stage_begin(stage *s, bool plain) {
    memset(s, 0, sizeof *s);
    s->dir = test_dir_begin();
    cflr_allocator allocator = fail_alloc_allocator(&s->f);
    cflr_context_opts opts;
    cflr_error error;
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    MUST(cflr_context_new(&opts, &s->context, &error));
    make_graph(s, plain);
}

static void stage_end(stage *s) {
    cflr_error error;
    MUST(cflr_graph_validate(s->graph, &error));
    cflr_graph_free(s->graph);
    test_context_end(s->context);
    cr_assert_eq(s->f.blocks, 0);
    test_dir_end(&s->dir);
}

/* ---- the two calls ---- */

static cflr_status save_file(void *user, cflr_error *error) {
    stage *s = user;
    cflr_status st = cflr_graph_save(s->graph, s->path, s->format, error);
    cr_assert_eq(access(s->path, F_OK) == 0, st == CFLR_OK, "a file is there whole or not at all");
    if (st != CFLR_OK) return st;
    size_t size;
    char *bytes = test_read_file(s->path, &size);
    cr_assert(size == s->size && memcmp(bytes, s->bytes, size) == 0, "not what was written before");
    free(bytes);
    unlink(s->path);
    return st;
}

static cflr_status save_directory(void *user, cflr_error *error) {
    const stage *s = user;
    return cflr_graph_save(s->graph, s->path, s->format, error);
}

static cflr_status load(void *user, cflr_error *error) {
    const stage *s = user;
    cflr_graph *graph;
    cflr_status st = cflr_graph_load(s->context, s->kept, s->format, &graph, error);
    cr_assert_eq(graph != NULL, st == CFLR_OK);
    if (graph) {
        io_assert_same(s->reread, graph, s->kept);
        io_assert_same_vertices(s->reread, graph, s->kept);
    }
    cflr_graph_free(graph);
    return st;
}

static void sweep_load(stage *s) {
    cflr_error error;
    MUST(cflr_graph_load(s->context, s->kept, s->format, &s->reread, &error));
    fail_alloc_sweep_call(&s->f, load, s, s->kept);
    cflr_graph_free(s->reread);
    s->reread = NULL;
}

/* ---- every format ---- */

static void sweep_format(const char *name, cflr_graph_format format, bool plain) {
    cflr_error error;
    stage s;
    stage_begin(&s, plain);
    s.format = format;
    snprintf(s.path, sizeof s.path, "%s/new-%s", s.dir.path, name);
    test_path(&s.dir, name, s.kept);
    cflr_graph_format known = cflri_format_to_write(s.path, format)->format;
    MUST(cflr_graph_save(s.graph, s.kept, format, &error));
    if (io_is_directory(known)) {
        fail_alloc_sweep_call(&s.f, save_directory, &s, name);
    } else {
        s.bytes = test_read_file(s.kept, &s.size);
        fail_alloc_sweep_call(&s.f, save_file, &s, name);
        free(s.bytes);
    }
    if (io_is_readable(known)) sweep_load(&s);
    stage_end(&s);
}

Test(io_sweep, every_format) {
    for (size_t i = 0; i < IO_FORMATS; i++)
        sweep_format("g", io_format[i], cflri_format_find(io_format[i])->read_plain);
    sweep_format("g", CFLR_GRAPH_TSV, true);
    sweep_format("g", CFLR_GRAPH_CFLG, true);
    sweep_format("g.tsv.zst", CFLR_GRAPH_AUTO, false);
    sweep_format("g.cflg", CFLR_GRAPH_AUTO, false);
    sweep_format("g.ndjson.zst", CFLR_GRAPH_AUTO, false);
}

Test(io_sweep, packed_files) {
    static const char text[] = "p q a\nq r f[8]\nr p ~a\n";
    for (int packing = 0; packing < TEST_PACKINGS; packing++) {
        stage s;
        stage_begin(&s, true);
        test_packed packed = test_pack((test_packing)packing, text, strlen(text));
        snprintf(s.kept, sizeof s.kept, "%s/g%s", s.dir.path, test_packing_suffix[packing]);
        test_write_file(s.kept, packed.data, packed.size);
        free(packed.data);
        sweep_load(&s);
        stage_end(&s);
    }
}
