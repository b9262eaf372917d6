/* SPDX-License-Identifier: Apache-2.0
 *
 * io_dimacs.c: DIMACS files of the shortest-path and colouring challenges.
 *
 *     c a comment
 *     p sp 3 2                  vertices, arcs
 *     a 1 2 17                  an edge from vertex 0 to vertex 1 with weight 17
 *
 *     p edge 3 2                (or "p col") vertices, edges
 *     e 1 2                     two edges, 0 to 1 and back: these graphs are undirected
 *
 * Counting from 1 in the file, from 0 in the graph. Colouring files may count each edge once or
 * twice in their p line; both are read.
 */
#include <string.h>

#include "base/formats/io_plain.h"

typedef struct dimacs {
    bool started;
    bool undirected;
    uint64_t vertices, promised;
    uint64_t lines; /* with an edge */
} dimacs;

static bool is_comment(const cflri_scan *scan) {
    return scan->field[0].at[0] == 'c';
}

/* Nothing but comments up to a line "p word number number"? */
static bool recognise(const char *data, size_t size) {
    cflri_scan scan;
    cflri_line_kind kind;
    cflri_scan_init(&scan, data, size < 1 << 16 ? size : 1 << 16, NULL, NULL);
    while (cflri_scan_line(&scan, &kind) == CFLR_OK && kind == CFLRI_LINE_DATA) {
        if (is_comment(&scan)) continue;
        return cflri_field_is(scan.field[0], "p") && scan.n == 4 &&
               !cflri_field_is_digits(scan.field[1]) && cflri_field_is_digits(scan.field[2]) &&
               cflri_field_is_digits(scan.field[3]);
    }
    return false;
}

/* ---- reading ---- */

/* p KIND vertices edges */
static cflr_status read_problem(const cflri_scan *scan, dimacs *problem) {
    if (problem->started) return cflri_scan_fail_field(scan, 0, "a second p line");
    if (scan->n != 4) {
        return cflri_scan_fail_field(scan, scan->n < 4 ? scan->n : 4,
                                     "'p', a kind, vertices and edges expected");
    }
    problem->undirected =
        cflri_field_is(scan->field[1], "edge") || cflri_field_is(scan->field[1], "col");
    if (!problem->undirected && !cflri_field_is(scan->field[1], "sp")) {
        return cflri_scan_fail(scan, CFLR_UNSUPPORTED, scan->field[1].at,
                               "problems of kind '%.*s' are not read; sp, edge and col are",
                               CFLRI_SHOW(scan->field[1]));
    }
    if (cflri_field_number(scan->field[2], CFLR_MAX_VERTICES, &problem->vertices) != CFLRI_NUMBER) {
        return cflri_scan_fail_field(scan, 2, "a number of vertices, at most %u, expected",
                                     CFLR_MAX_VERTICES);
    }
    if (cflri_field_number(scan->field[3], UINT64_MAX / 2, &problem->promised) != CFLRI_NUMBER) {
        return cflri_scan_fail_field(scan, 3, "a number of edges expected");
    }
    problem->started = true;
    return CFLR_OK;
}

static cflr_status read_vertex(const cflri_scan *scan, unsigned i, const dimacs *problem,
                               uint32_t *vertex) {
    uint64_t number = 0;
    if (cflri_field_number(scan->field[i], problem->vertices, &number) != CFLRI_NUMBER || !number) {
        return cflri_scan_fail_field(scan, i, "'%.*s': a vertex from 1 to %llu expected",
                                     CFLRI_SHOW(scan->field[i]),
                                     (unsigned long long)problem->vertices);
    }
    *vertex = (uint32_t)(number - 1);
    return CFLR_OK;
}

static cflr_status read_edge(const cflri_scan *scan, dimacs *problem, cflri_edge_sink *sink) {
    const char *word = problem->undirected ? "e" : "a";
    unsigned fields = problem->undirected ? 3 : 4;
    uint32_t source = 0, target = 0;
    if (!problem->started) return cflri_scan_fail_field(scan, 0, "a p line expected first");
    if (!cflri_field_is(scan->field[0], word)) {
        return cflri_scan_fail_field(scan, 0, "a line that begins with '%s' expected", word);
    }
    if (scan->n != fields) {
        return cflri_scan_fail_field(
            scan, scan->n < fields ? scan->n : fields, "%s expected",
            problem->undirected ? "'e' and two vertices" : "'a', two vertices and a weight");
    }
    cflr_status st = read_vertex(scan, 1, problem, &source);
    if (st == CFLR_OK) st = read_vertex(scan, 2, problem, &target);
    if (st == CFLR_OK && !problem->undirected && !cflri_field_is_real(scan->field[3])) {
        st = cflri_scan_fail_field(scan, 3, "'%.*s' is no number", CFLRI_SHOW(scan->field[3]));
    }
    if (st != CFLR_OK) return st;
    problem->lines++;
    st = sink->edge(sink->user, scan, source, target, problem->undirected ? 0 : 3);
    if (st == CFLR_OK && problem->undirected && source != target)
        st = sink->edge(sink->user, scan, target, source, 0);
    return st;
}

static cflr_status check_end(const cflri_scan *scan, const dimacs *problem) {
    if (!problem->started) return cflri_scan_fail(scan, CFLR_SYNTAX, NULL, "no p line");
    if (problem->lines == problem->promised) return CFLR_OK;
    if (problem->undirected && problem->lines * 2 == problem->promised) return CFLR_OK;
    return cflri_scan_fail(scan, CFLR_SYNTAX, NULL, "%llu edges are promised, here are %llu",
                           (unsigned long long)problem->promised,
                           (unsigned long long)problem->lines);
}

static cflr_status read_lines(cflr_context *context, cflri_scan *scan, dimacs *problem,
                              cflri_edge_sink *sink) {
    cflr_status st = CFLR_OK;
    cflri_line_kind kind;
    for (;;) {
        CFLR_TRY(cflri_scan_line(scan, &kind));
        if (kind == CFLRI_LINE_END) break;
        CFLR_TRY(cflri_plain_tick(context, scan));
        if (is_comment(scan)) continue;
        CFLR_TRY(cflri_field_is(scan->field[0], "p") ? read_problem(scan, problem)
                                                     : read_edge(scan, problem, sink));
    }
    st = check_end(scan, problem);
out:
    return st;
}

static cflr_status read_dimacs(cflr_context *context, cflri_field text, const char *subject,
                               cflri_edge_sink *sink, cflr_error *error) {
    cflri_scan scan;
    dimacs problem = {0};
    cflri_scan_init(&scan, text.at, text.size, subject, error);
    cflr_status st = read_lines(context, &scan, &problem, sink);
    sink->n_vertices = problem.vertices;
    return st;
}

/* ---- writing ---- */

static cflr_status write_dimacs(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    cflri_walk walk;
    cflr_status st = cflri_only_label(graph, "dimacs", error);
    if (st == CFLR_OK) st = cflri_walk_begin(&walk, graph, error);
    if (st != CFLR_OK) return st;
    cflri_output_printf(output, "p sp %u %llu\n", graph->n_vertices,
                        (unsigned long long)graph->n_edges);
    while (cflri_walk_next(&walk)) {
        cflri_output_text(output, "a ");
        cflri_output_u64(output, (uint64_t)walk.source + 1);
        cflri_output_write(output, " ", 1);
        cflri_output_u64(output, (uint64_t)walk.target + 1);
        cflri_output_text(output, " 1\n");
    }
    st = cflri_walk_stopped(&walk, false, error);
    cflri_walk_end(&walk);
    return st;
}

const cflri_format cflri_format_DIMACS = {
    .format = CFLR_GRAPH_DIMACS,
    .endings = {".dimacs", ".gr"},
    .recognise = recognise,
    .read_plain = read_dimacs,
    .write = write_dimacs,
};
