/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_data.c: real graphs of other projects, and how many edges each has.
 *
 * The files are not part of this project: they are looked for in $CFLR_DATA, or in ../shared/data
 * beside the sources, and each one that is not there is named. The numbers were counted with a
 * script of awk over the same files, which knows nothing of this reader.
 */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

#include "tests/unit/base/io_support.h"

typedef struct known {
    const char *file;
    uint32_t vertices; /* largest number, plus one */
    uint32_t edges;    /* distinct; an edge and its converse are one */
    uint32_t labels;   /* name and index */
    struct {
        const char *name;
        uint32_t edges; /* of all its indexes */
    } label[4];
} known;

static const known graphs[] = {
    {"aa/crafty.peg.xz", 2403, 2059, 30, {{"f", 610}, {"a", 568}, {"d", 881}}},
    {"aa/gzip.peg.xz", 896, 736, 9, {{"f", 177}, {"a", 213}, {"d", 346}}},
    {"aa/i3.peg.xz", 14347, 16846, 114, {{"f", 5355}, {"a", 6460}, {"d", 5031}}},
    {"aa/janet.peg.xz", 14042, 15581, 40, {{"f", 5050}, {"a", 6190}, {"d", 4341}}},
    {"aa/psql.peg.xz", 12036, 15241, 72, {{"f", 3648}, {"a", 7266}, {"d", 4327}}},
    {"vf/bzip2.vfg.xz", 10666, 13111, 408, {{"call", 1749}, {"a", 10599}, {"ret", 763}}},
    {"vf/crafty.vfg.xz", 95716, 142402, 1823, {{"call", 19051}, {"ret", 10009}, {"a", 113342}}},
    {"vf/gzip.vfg.xz", 17474, 23054, 550, {{"call", 3073}, {"a", 18256}, {"ret", 1725}}},
    {"vf/psql.vfg.xz", 164491, 236081, 6327, {{"call", 42561}, {"a", 173375}, {"ret", 20145}}},
    {"cspa/nvim.g.xz", 252153, 112085, 112, {{"f", 34899}, {"a", 63689}, {"d", 13497}}},
    {"cspa/psql.g.xz", 82915, 49582, 72, {{"f", 15243}, {"a", 27473}, {"d", 6866}}},
    {"tc/Gnutella31.facts.xz", 62586, 147892, 1, {{"e", 147892}}},
    {"tc/SF.cedge.facts.xz", 174956, 221802, 1, {{"e", 221802}}},
    {"tc/fe_body.facts.xz", 45088, 163734, 1, {{"e", 163734}}},
    {"tc/fe_sphere.facts.xz", 16387, 49152, 1, {{"e", 49152}}},
    {"tc/usroads.facts.xz", 129165, 165435, 1, {{"e", 165435}}},
    {"points-to/C_points_to-gzip.csv.xz", 2687, 2293, 2, {{"a", 1075}, {"d", 1218}}},
    {"points-to/C_points_to-ls.csv.xz", 1687, 1453, 2, {{"a", 703}, {"d", 750}}},
    {"points-to/Java_points_to-lusearch.csv.xz",
     15774,
     14994,
     680,
     {{"assign", 9266}, {"alloc", 2633}, {"load", 2515}, {"store", 580}}},
    /* a line with two numbers before the edges */
    {"points-to/programGraph_sample_pointsto.txt", 530, 2000, 5, {{"Mq", 529}, {"d", 352}}},
};

static uint64_t edges_of(const cflr_graph *graph, const char *name) {
    uint64_t edges = 0;
    for (uint32_t l = 0; l < cflr_graph_labels(graph); l++) {
        if (strcmp(cflr_graph_label_name(graph, l), name) == 0) {
            edges += cflr_graph_label_edges(graph, l);
        }
    }
    return edges;
}

static void check(cflr_context *context, const char *path, const known *k) {
    cflr_graph *graph;
    cflr_error error = {0};
    MUST(cflr_graph_load(context, path, CFLR_GRAPH_AUTO, &graph, &error));
    cr_expect_eq(cflr_graph_vertices(graph), k->vertices, "%s: %u vertices", k->file,
                 cflr_graph_vertices(graph));
    cr_expect_eq(cflr_graph_edges(graph), k->edges, "%s: %llu edges", k->file,
                 (unsigned long long)cflr_graph_edges(graph));
    cr_expect_eq(cflr_graph_labels(graph), k->labels, "%s: %u labels", k->file,
                 cflr_graph_labels(graph));
    for (size_t i = 0; i < 4 && k->label[i].name; i++) {
        uint64_t edges = edges_of(graph, k->label[i].name);
        cr_expect_eq(edges, k->label[i].edges, "%s: %llu edges %s", k->file,
                     (unsigned long long)edges, k->label[i].name);
    }
    cflr_graph_free(graph);
}

Test(io_data, counts) {
    const char *root = getenv("CFLR_DATA");
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", root ? root : CFLR_SOURCE_DIR "/../shared/data",
                 graphs[i].file);
        if (access(path, R_OK) != 0) {
            fprintf(stderr, "SKIP: %s is not there; set CFLR_DATA\n", path);
            continue;
        }
        check(context, path, &graphs[i]);
    }
    test_context_end(context);
}
