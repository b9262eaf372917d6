/* SPDX-License-Identifier: Apache-2.0
 *
 * io_mtx.c: Matrix Market coordinate files, for graphs with one label.
 *
 *     %%MatrixMarket matrix coordinate pattern general
 *     % comments
 *     3 3 2                     rows, columns, entries
 *     1 2                       an edge from vertex 0 to vertex 1
 *     3 1 0.5                   real and integer matrices: the value is the weight
 *
 * Counting from 1 in the file, from 0 in the graph. There are max(rows, columns) vertices.
 * Symmetric and skew-symmetric matrices hold one triangle: an entry off the diagonal is two edges.
 */
#include <string.h>
#include <strings.h>

#include "base/formats/io_plain.h"

static const char banner[] = "%%MatrixMarket";

typedef struct mtx {
    bool valued;    /* a number follows row and column */
    bool symmetric; /* the other triangle is implied */
    uint64_t rows, columns, entries;
} mtx;

static bool recognise(const char *data, size_t size) {
    size_t n = sizeof banner - 1;
    return size >= n && strncasecmp(data, banner, n) == 0;
}

/* ---- reading ---- */

/* The place of a word in a list, or -1. */
static int place_of(cflri_field field, const char *const *list) {
    for (int i = 0; list[i]; i++) {
        if (field.size == strlen(list[i]) && strncasecmp(field.at, list[i], field.size) == 0) {
            return i;
        }
    }
    return -1;
}

/* "%MatrixMarket matrix coordinate FIELD SYMMETRY": the scanner took the first '%' away. */
static cflr_status read_banner(const cflri_scan *scan, mtx *matrix) {
    static const char *const layouts[] = {"coordinate", "array", NULL};
    static const char *const fields[] = {"pattern", "real", "integer", "double", "complex", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                             NULL};
    static const char *const objects[] = {"matrix", NULL};
    static const char *const *const lists[] = {objects, layouts, fields, symmetries};
    static const char *const expected[] = {"'matrix'", "'coordinate'", "pattern, real or integer",
                                           "general, symmetric or skew-symmetric"};
    int place[4];
    for (unsigned i = 0; i < 4; i++) {
        place[i] = i + 1 < scan->n ? place_of(scan->field[i + 1], lists[i]) : -1;
        if (place[i] < 0) return cflri_scan_fail_field(scan, i + 1, "%s expected", expected[i]);
    }
    if (place[1] == 1 || place[2] == 4 || place[3] == 3) {
        return cflri_scan_fail(scan, CFLR_UNSUPPORTED, scan->line_start,
                               "only coordinate matrices without complex numbers are read");
    }
    if (scan->n > 5) return cflri_scan_fail_field(scan, 5, "nothing more expected here");
    matrix->valued = place[2] != 0;
    matrix->symmetric = place[3] != 0;
    return CFLR_OK;
}

static cflr_status read_sizes(const cflri_scan *scan, mtx *matrix) {
    uint64_t *to[] = {&matrix->rows, &matrix->columns, &matrix->entries};
    if (scan->n != 3) {
        return cflri_scan_fail_field(scan, scan->n < 3 ? scan->n : 3,
                                     "rows, columns and entries expected");
    }
    for (unsigned i = 0; i < 3; i++) {
        uint64_t most = i < 2 ? CFLR_MAX_VERTICES : UINT64_MAX;
        if (cflri_field_number(scan->field[i], most, to[i]) != CFLRI_NUMBER) {
            return cflri_scan_fail_field(scan, i, "'%.*s': a number of %s, at most %llu, expected",
                                         CFLRI_SHOW(scan->field[i]),
                                         i == 0   ? "rows"
                                         : i == 1 ? "columns"
                                                  : "entries",
                                         (unsigned long long)most);
        }
    }
    return CFLR_OK;
}

/* Row or column `i`, from 1 to `most`, as a vertex. */
static cflr_status read_position(const cflri_scan *scan, unsigned i, uint64_t most,
                                 uint32_t *vertex) {
    uint64_t number = 0;
    if (cflri_field_number(scan->field[i], most, &number) != CFLRI_NUMBER || !number) {
        return cflri_scan_fail_field(scan, i, "'%.*s': a %s from 1 to %llu expected",
                                     CFLRI_SHOW(scan->field[i]), i ? "column" : "row",
                                     (unsigned long long)most);
    }
    *vertex = (uint32_t)(number - 1);
    return CFLR_OK;
}

static cflr_status read_entry(const cflri_scan *scan, const mtx *matrix, cflri_edge_sink *sink) {
    unsigned fields = matrix->valued ? 3 : 2;
    uint32_t row = 0, column = 0;
    if (scan->n != fields) {
        return cflri_scan_fail_field(scan, scan->n < fields ? scan->n : fields, "%s expected",
                                     matrix->valued ? "row, column and value" : "row and column");
    }
    cflr_status st = read_position(scan, 0, matrix->rows, &row);
    if (st == CFLR_OK) st = read_position(scan, 1, matrix->columns, &column);
    if (st != CFLR_OK) return st;
    if (matrix->valued && !cflri_field_is_real(scan->field[2])) {
        return cflri_scan_fail_field(scan, 2, "'%.*s' is no number", CFLRI_SHOW(scan->field[2]));
    }
    unsigned weight = matrix->valued ? 2 : 0;
    st = sink->edge(sink->user, scan, row, column, weight);
    if (st == CFLR_OK && matrix->symmetric && row != column)
        st = sink->edge(sink->user, scan, column, row, weight);
    return st;
}

static cflr_status read_lines(cflr_context *context, cflri_scan *scan, mtx *matrix,
                              cflri_edge_sink *sink) {
    cflr_status st = CFLR_OK;
    cflri_line_kind kind;
    uint64_t entries = 0;
    bool sized = false;
    CFLR_TRY(cflri_scan_line(scan, &kind));
    if (scan->line != 1 || !recognise(scan->line_start, (size_t)(scan->end - scan->line_start))) {
        return cflri_fail_at(scan->error, CFLR_SYNTAX, scan->subject, 1, 1, "'%s' expected",
                             banner);
    }
    CFLR_TRY(read_banner(scan, matrix));
    for (;;) {
        CFLR_TRY(cflri_scan_line(scan, &kind));
        if (kind == CFLRI_LINE_END) break;
        if (kind == CFLRI_LINE_COMMENT) continue;
        CFLR_TRY(cflri_plain_tick(context, scan));
        CFLR_TRY(sized ? read_entry(scan, matrix, sink) : read_sizes(scan, matrix));
        entries += sized;
        sized = true;
    }
    if (!sized) {
        st = cflri_scan_fail(scan, CFLR_SYNTAX, NULL, "rows, columns and entries expected");
    } else if (entries != matrix->entries) {
        st = cflri_scan_fail(scan, CFLR_SYNTAX, NULL, "%llu entries are promised, here are %llu",
                             (unsigned long long)matrix->entries, (unsigned long long)entries);
    }
out:
    return st;
}

static cflr_status read_mtx(cflr_context *context, cflri_field text, const char *subject,
                            cflri_edge_sink *sink, cflr_error *error) {
    cflri_scan scan;
    mtx matrix = {0};
    cflri_scan_init(&scan, text.at, text.size, subject, error);
    scan.comment = '%';
    cflr_status st = read_lines(context, &scan, &matrix, sink);
    sink->n_vertices = matrix.rows > matrix.columns ? matrix.rows : matrix.columns;
    return st;
}

/* ---- writing ---- */

static cflr_status write_mtx(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    cflri_walk walk;
    cflr_status st = cflri_only_label(graph, "mtx", error);
    if (st == CFLR_OK) st = cflri_walk_begin(&walk, graph, error);
    if (st != CFLR_OK) return st;
    cflri_output_printf(output, "%s matrix coordinate pattern general\n%u %u %llu\n", banner,
                        graph->n_vertices, graph->n_vertices, (unsigned long long)graph->n_edges);
    while (cflri_walk_next(&walk)) {
        cflri_output_u64(output, (uint64_t)walk.source + 1);
        cflri_output_write(output, " ", 1);
        cflri_output_u64(output, (uint64_t)walk.target + 1);
        cflri_output_write(output, "\n", 1);
    }
    st = cflri_walk_stopped(&walk, false, error);
    cflri_walk_end(&walk);
    return st;
}

const cflri_format cflri_format_MTX = {
    .format = CFLR_GRAPH_MTX,
    .endings = {".mtx"},
    .recognise = recognise,
    .read_plain = read_mtx,
    .write = write_mtx,
};
