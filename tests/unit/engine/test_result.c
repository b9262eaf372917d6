/* SPDX-License-Identifier: Apache-2.0
 *
 * test_result.c: reading, saving, loading and exporting results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support.h"

static const char dyck_graph[] = "0 1 call[a]; 1 2 e; 2 3 ret[a]; 2 4 ret[b]; 3 5 e; 6 1 call[b]";
static const char dyck_rules[] =
    "%answer flows S\n"
    "S ::= S S | e | O[i] ret[i]\n"
    "O[i] ::= call[i] S | call[i]\n";

static void dyck_world(world *w, cflr_model model) {
    world_begin(w, 2);
    world_graph(w, dyck_graph);
    world_grammar(w, dyck_rules);
    world_solve(w, model);
}

Test(result, names_counts_and_rows) {
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE_INDEXED);
    uint32_t s = cflr_result_find_label(w.result, "S");
    cr_assert_eq(cflr_result_start(w.result), s);
    cr_assert_str_eq(cflr_result_answer(w.result, "flows"), "S");
    cr_assert_str_eq(cflr_result_answer(w.result, "alias"), "");
    /* S: 1-2, 3-5, 0-3 (matched by a), 0-5, 6-4 (matched by b) */
    cr_assert_eq(pairs_of(w.result, "S"), 5);
    cr_assert(cflr_result_has(w.result, s, 0, 5));
    cr_assert(cflr_result_has(w.result, s, 6, 4));
    cr_assert_not(cflr_result_has(w.result, s, 6, 3));
    uint64_t count;
    const uint32_t *row = cflr_result_row(w.result, s, 0, 0, &count);
    cr_assert_eq(count, 2);
    cr_assert(row[0] == 3 && row[1] == 5);

    uint32_t o = cflr_result_find_label(w.result, "O");
    cflr_result_label info;
    cflr_result_get_label(w.result, o, &info);
    cr_assert_eq(info.indexes, 2);
    cr_assert_eq(info.kind, CFLR_SYMBOL_NONTERMINAL);
    for (uint32_t i = 0; i < info.indexes; i++) {
        const char *index = cflr_result_label_index(w.result, o, i);
        uint32_t from = strcmp(index, "a") == 0 ? 0 : 6;
        row = cflr_result_row(w.result, o, i, from, &count);
        cr_assert_eq(count, 2, "O[%s] of %u has %llu targets", index, from,
                     (unsigned long long)count);
    }
    cr_assert(cflr_result_complete(w.result));
    world_end(&w);
}

Test(result, rows_walk_in_order) {
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE);
    uint32_t s = cflr_result_find_label(w.result, "S"), vertex, last = 0;
    uint64_t cursor = 0, count, pairs = 0;
    const uint32_t *row;
    while ((row = cflr_result_next_row(w.result, s, 0, &cursor, &vertex, &count))) {
        cr_assert(pairs == 0 || vertex > last);
        for (uint64_t k = 1; k < count; k++) cr_assert_lt(row[k - 1], row[k]);
        last = vertex;
        pairs += count;
    }
    cr_assert_eq(pairs, 5);
    world_end(&w);
}

Test(result, targets_of_several_sources) {
    world w;
    dyck_world(&w, CFLR_MODEL_VERTEX_INDEXED);
    uint32_t sources[] = {0, 6, 3};
    cflr_vertex_list list;
    cflr_error error;
    uint32_t s = cflr_result_find_label(w.result, "S");
    cr_assert_eq(cflr_result_targets(w.result, s, sources, 3, &list, &error), CFLR_OK);
    cr_assert_eq(list.count, 3);
    cr_assert(list.vertices[0] == 3 && list.vertices[1] == 4 && list.vertices[2] == 5);
    cflr_vertex_list_free(w.context, &list);
    cr_assert_eq(cflr_result_targets(w.result, 999, sources, 3, &list, &error), CFLR_ARGUMENT);
    world_end(&w);
}

static void read_all(const char *path, char **data, size_t *size) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    *data = malloc(1 << 20);
    *size = fread(*data, 1, 1 << 20, file);
    fclose(file);
}

Test(result, saved_and_loaded_is_the_same) {
    char path[64], again[64];
    snprintf(path, sizeof path, "/tmp/cflr-test-%d.cflr", (int)getpid());
    snprintf(again, sizeof again, "/tmp/cflr-test-%d-again.cflr", (int)getpid());
    world w;
    dyck_world(&w, CFLR_MODEL_PARALLEL);
    cflr_error error = {0};
    cflr_result *loaded;
    cr_assert_eq(cflr_result_save(w.result, path, &error), CFLR_OK, "%s", error.message);
    cr_assert_eq(cflr_result_load(w.context, path, &loaded, &error), CFLR_OK, "%s", error.message);
    cr_assert_eq(pairs_of(loaded, "S"), 5);
    cr_assert_eq(pairs_of(loaded, "O"), pairs_of(w.result, "O"));
    cr_assert(cflr_result_complete(loaded));
    cr_assert_str_eq(cflr_result_answer(loaded, "flows"), "S");
    cr_assert_eq(cflr_graph_edges(cflr_result_graph(loaded)), 6);
    cr_assert_eq(cflr_result_save(loaded, again, &error), CFLR_OK);
    char *a, *b;
    size_t n, m;
    read_all(path, &a, &n);
    read_all(again, &b, &m);
    cr_assert(n == m && memcmp(a, b, n) == 0, "saving again gives other bytes");

    /* a graph can be read from a result file; a result not from a graph file */
    cflr_graph *graph;
    cr_assert_eq(cflr_graph_load(w.context, path, CFLR_GRAPH_AUTO, &graph, &error), CFLR_OK, "%s",
                 error.message);
    cr_assert_eq(cflr_graph_edges(graph), 6);
    cr_assert_eq(cflr_graph_save(graph, again, CFLR_GRAPH_CFLG, &error), CFLR_OK);
    cflr_result *none;
    cr_assert_eq(cflr_result_load(w.context, again, &none, &error), CFLR_FORMAT);
    cr_assert_null(none);
    cflr_graph_free(graph);
    cflr_result_free(loaded);
    free(a);
    free(b);
    unlink(path);
    unlink(again);
    world_end(&w);
}

Test(result, every_damaged_byte_is_refused) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/cflr-test-%d.cflr", (int)getpid());
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE);
    cflr_error error;
    cr_assert_eq(cflr_result_save(w.result, path, &error), CFLR_OK);
    char *data;
    size_t size;
    read_all(path, &data, &size);
    size_t accepted = 0;
    for (size_t i = 0; i < size; i++) {
        data[i] ^= 0x41;
        FILE *file = fopen(path, "wb");
        fwrite(data, 1, size, file);
        fclose(file);
        data[i] ^= 0x41;
        cflr_result *result;
        cflr_status st = cflr_result_load(w.context, path, &result, &error);
        accepted += st == CFLR_OK;
        cr_assert(st == CFLR_OK || error.message[0], "byte %zu: no message", i);
        cflr_result_free(result);
    }
    cr_assert_eq(accepted, 0, "%zu of %zu damaged files were read", accepted, size);
    for (size_t length = 0; length < size; length += 7) {
        FILE *file = fopen(path, "wb");
        fwrite(data, 1, length, file);
        fclose(file);
        cflr_result *result;
        cr_assert_neq(cflr_result_load(w.context, path, &result, &error), CFLR_OK);
    }
    free(data);
    unlink(path);
    world_end(&w);
}

Test(result, export_writes_the_pairs) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/cflr-test-%d.tsv", (int)getpid());
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE_INDEXED);
    cflr_error error = {0};
    cr_assert_eq(cflr_result_export(w.result, NULL, 0, path, CFLR_GRAPH_TSV, &error), CFLR_OK, "%s",
                 error.message);
    cflr_graph *graph;
    cr_assert_eq(cflr_graph_load(w.context, path, CFLR_GRAPH_TSV, &graph, &error), CFLR_OK, "%s",
                 error.message);
    cr_assert_eq(cflr_graph_edges(graph), 5);
    uint32_t s = cflr_graph_find_label(graph, "S", NULL);
    uint64_t count;
    const uint32_t *row = cflr_graph_row(graph, s, CFLR_OUT, 0, &count);
    cr_assert(count == 2 && row[0] == 3 && row[1] == 5);
    cflr_graph_free(graph);
    uint32_t twice[] = {0, 0}, wrong[] = {77};
    cr_assert_eq(cflr_result_export(w.result, twice, 2, path, CFLR_GRAPH_TSV, &error),
                 CFLR_ARGUMENT);
    cr_assert_eq(cflr_result_export(w.result, wrong, 1, path, CFLR_GRAPH_TSV, &error),
                 CFLR_ARGUMENT);
    unlink(path);
    world_end(&w);
}
