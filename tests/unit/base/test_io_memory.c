/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_memory.c: reading and writing graphs when memory or time runs out.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/fail_alloc.h"
#include "tests/unit/base/io_support.h"

typedef struct text {
    cflr_graph_format format;
    const char *bytes;
} text;

static cflr_status read_text(cflr_context *context, void *user, cflr_error *error) {
    const text *t = user;
    cflr_graph *graph;
    cflr_status st = io_read(context, t->bytes, strlen(t->bytes), t->format, &graph, error);
    if (st == CFLR_OK) {
        cflr_graph_free(graph);
    } else {
        cr_assert_eq(graph, NULL);
    }
    return st;
}

Test(io_memory, reading_texts) {
    static text texts[] = {
        {CFLR_GRAPH_AUTO, "0 1 a\n1 2 f[8]\n1 3 f[9]\n"},
        {CFLR_GRAPH_AUTO, "0 1 a\np q f[8]\n#@ z\n"},
        {CFLR_GRAPH_AUTO, "0 1 a\n1 0 abar\n1 2 f_i 3\n"},
        {CFLR_GRAPH_AUTO, "0 load_4 1\n"},
        {CFLR_GRAPH_AUTO, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"},
        {CFLR_GRAPH_AUTO, "p sp 2 1\na 1 2 3\n"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fail_alloc_sweep(read_text, &texts[i]);
    }
}

/* A directory that the work may write to, and a format to save in and load again. */
typedef struct place {
    const char *path;
    cflr_graph_format format;
} place;

static cflr_graph *small_graph(cflr_context *context, cflr_error *error) {
    cflr_graph *graph = NULL;
    const char *bytes = "p q a\nq r a\n";
    io_read(context, bytes, strlen(bytes), CFLR_GRAPH_TSV, &graph, error);
    return graph;
}

static cflr_status save_and_load(cflr_context *context, void *user, cflr_error *error) {
    const place *p = user;
    cflr_graph *graph = small_graph(context, error), *read = NULL;
    if (!graph) return error->code;
    cflr_status st = cflr_graph_save(graph, p->path, p->format, error);
    if (st == CFLR_OK && io_is_readable(p->format)) {
        st = cflr_graph_load(context, p->path, p->format, &read, error);
    }
    cflr_graph_free(graph);
    cflr_graph_free(read);
    return st;
}

Test(io_memory, writing_and_reading_files) {
    for (size_t i = 0; i < IO_FORMATS; i++) {
        test_dir dir = test_dir_begin();
        char path[512];
        place p = {test_path(&dir, "g", path), io_format[i]};
        fail_alloc_sweep(save_and_load, &p);
        /* whatever failed, the directory holds the finished graph and no temporary file */
        if (!io_is_directory(io_format[i])) {
            cr_expect_eq(unlink(path), 0);
        } else {
            char file[600];
            snprintf(file, sizeof file, "%s/a.facts", path);
            cr_expect_eq(unlink(file), 0);
            cr_expect_eq(rmdir(path), 0);
        }
        cr_expect_eq(rmdir(dir.path), 0, "format %d leaves something behind", (int)io_format[i]);
    }
}

/* ---- limits and interruption ---- */

static char *many_edges(size_t n, size_t *size) {
    char *bytes = NULL;
    uint64_t random = 7;
    FILE *out = open_memstream(&bytes, size);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%u %u a\n", test_random_below(&random, 1u << 30),
                test_random_below(&random, 1u << 30));
    }
    fclose(out);
    return bytes;
}

Test(io_memory, limit) {
    size_t size;
    char *bytes = many_edges(300000, &size);
    cflr_context *context = test_context_limited(4 << 20);
    cflr_graph *graph;
    cflr_error error;
    MUST_FAIL(cflri_graph_read(context, bytes, size, "test", CFLR_GRAPH_AUTO, &graph, &error),
              CFLR_LIMIT);
    test_context_end(context);
    free(bytes);
}

Test(io_memory, cancelled) {
    size_t size;
    char *bytes = many_edges(300000, &size);
    cflr_context *context = test_context();
    cflr_graph *graph;
    cflr_error error;
    cflr_context_cancel(context);
    MUST_FAIL(cflri_graph_read(context, bytes, size, "test", CFLR_GRAPH_AUTO, &graph, &error),
              CFLR_CANCELLED);
    test_context_end(context);
    free(bytes);
}

/* An id of four billion costs what one edge costs. */
Test(io_memory, huge_ids_are_cheap) {
    cflr_context *context = test_context();
    cflr_graph *graph;
    cflr_error error = {0};
    const char *bytes = "# vertices 4294967294\n4294967293 0 a\n0 4294967293 b\n";
    MUST(io_read(context, bytes, strlen(bytes), CFLR_GRAPH_AUTO, &graph, &error));
    cr_expect_eq(cflr_graph_vertices(graph), 4294967294u);
    cr_expect_lt(cflr_context_memory_peak(context), 1 << 20);
    cflr_graph_free(graph);
    test_context_end(context);
}
