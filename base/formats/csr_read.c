/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_read.c: rows with weights from files.
 *
 *     formats without labels    by their first lines (io_mtx.c, io_dimacs.c); values are weights
 *     text                      source target [weight] a line, vertices from 0; `#` and `%` begin
 *                               comments
 *     .el32, .wel32             pairs of numbers of 32 bits, little-endian; the second with a
 *                               weight (int32) behind each
 *     packed rows               by their first bytes, or .cflp (base/plain/csr_packed_file.h)
 *     anything with labels      one label of it
 *
 * Weights are integers of 32 bits until one is met that is not; then all are floats. A weight that
 * is no finite number, or is too large for its kind, is an error at its line.
 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/formats/io_plain.h"
#include "base/plain/csr_packed_file.h"

enum { LONGEST_REAL = 64 };

typedef struct collecting {
    cflr_context *context;
    cflri_edges edges;
    locale_t numbers; /* where the point is a point */
} collecting;

/* ---- weights ---- */

/* 1 when it is one, -1 when it is one that does not fit, 0 when it is something else. */
static int integer_of(cflri_field field, int32_t *weight) {
    uint64_t number = 0;
    bool minus = field.at[0] == '-', sign = minus || field.at[0] == '+';
    cflri_field rest = {field.at + sign, field.size - sign};
    if (!cflri_field_is_digits(rest)) return 0;
    uint64_t most = minus ? UINT64_C(1) << 31 : INT32_MAX;
    if (cflri_field_number(rest, most, &number) != CFLRI_NUMBER) return -1;
    *weight = (int32_t)(minus ? -(int64_t)number : (int64_t)number);
    return 1;
}

static cflr_status real_of(const collecting *c, const cflri_scan *scan, unsigned i, float *weight) {
    char text[LONGEST_REAL] = "";
    cflri_field field = scan->field[i];
    if (!cflri_field_is_real(field) || field.size >= sizeof text)
        return cflri_scan_fail_field(scan, i, "'%.*s' is no weight", CFLRI_SHOW(field));
    memcpy(text, field.at, field.size);
    *weight = strtof_l(text, NULL, c->numbers);
    if (isfinite(*weight)) return CFLR_OK;
    return cflri_scan_fail_field(scan, i, "'%.*s': weights are finite numbers", CFLRI_SHOW(field));
}

/* The bits of a float, here and below. */
static uint32_t bits_of(float weight) {
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
}

static void turn_into_floats(cflri_edges *edges) {
    for (size_t i = 0; i < edges->weight.n; i++)
        edges->weight.at[i] = bits_of((float)(int32_t)edges->weight.at[i]);
    edges->weights = CFLR_WEIGHTS_FLOAT32;
}

static cflr_status read_weight(collecting *c, const cflri_scan *scan, unsigned i, uint32_t *bits) {
    int32_t integer = 0;
    float real = 0;
    int is_integer = integer_of(scan->field[i], &integer);
    if (is_integer < 0 && c->edges.weights != CFLR_WEIGHTS_FLOAT32)
        return cflri_scan_fail_field(
            scan, i,
            "'%.*s': an integer from -2147483648 to 2147483647, or a number with a "
            "point, expected",
            CFLRI_SHOW(scan->field[i]));
    if (is_integer > 0 && c->edges.weights != CFLR_WEIGHTS_FLOAT32) {
        c->edges.weights = CFLR_WEIGHTS_INT32;
        *bits = (uint32_t)integer;
        return CFLR_OK;
    }
    cflr_status st = real_of(c, scan, i, &real);
    if (st != CFLR_OK) return st;
    if (c->edges.weights != CFLR_WEIGHTS_FLOAT32) turn_into_floats(&c->edges);
    *bits = bits_of(real);
    return CFLR_OK;
}

/* ---- edges ---- */

static cflr_status take_edge(void *user, const cflri_scan *scan, uint32_t source, uint32_t target,
                             unsigned weight) {
    collecting *c = user;
    uint32_t bits = 0;
    cflr_status st = weight ? read_weight(c, scan, weight, &bits) : CFLR_OK;
    if (st != CFLR_OK) return st;
    if (cflri_vec_push(c->context, &c->edges.source, source) &&
        cflri_vec_push(c->context, &c->edges.target, target) &&
        (!weight || cflri_vec_push(c->context, &c->edges.weight, bits)))
        return CFLR_OK;
    return cflri_fail_memory(c->context, scan->error);
}

/* ---- text lists ---- */

static cflr_status read_vertex(const cflri_scan *scan, unsigned i, uint32_t *vertex,
                               uint64_t *n_vertices) {
    uint64_t number = 0;
    if (cflri_field_number(scan->field[i], CFLR_MAX_VERTICES - 1, &number) != CFLRI_NUMBER)
        return cflri_scan_fail_field(scan, i, "'%.*s': a vertex from 0 to %u expected",
                                     CFLRI_SHOW(scan->field[i]), CFLR_MAX_VERTICES - 1);
    *vertex = (uint32_t)number;
    if (number >= *n_vertices) *n_vertices = number + 1;
    return CFLR_OK;
}

/* A comment begins with either of two bytes; the scanner knows one. */
static bool is_comment(const cflri_scan *scan) {
    return scan->field[0].at[0] == '%';
}

static cflr_status read_list(cflr_context *context, cflri_field text, const char *subject,
                             cflri_edge_sink *sink, cflr_error *error) {
    cflri_scan scan;
    cflri_line_kind kind;
    unsigned columns = 0;
    uint32_t source = 0, target = 0;
    cflr_status st = CFLR_OK;
    cflri_scan_init(&scan, text.at, text.size, subject, error);
    scan.comment = '#';
    for (;;) {
        CFLR_TRY(cflri_scan_line(&scan, &kind));
        if (kind == CFLRI_LINE_END) break;
        if (kind == CFLRI_LINE_COMMENT || is_comment(&scan)) continue;
        CFLR_TRY(cflri_plain_tick(context, &scan));
        if (!columns) columns = scan.n == 2 ? 2 : 3;
        if (scan.n != columns)
            CFLR_TRY(cflri_scan_fail_field(
                &scan, scan.n < columns ? scan.n : columns, "%s expected",
                columns == 2 ? "source and target" : "source, target and weight"));
        CFLR_TRY(read_vertex(&scan, 0, &source, &sink->n_vertices));
        CFLR_TRY(read_vertex(&scan, 1, &target, &sink->n_vertices));
        CFLR_TRY(sink->edge(sink->user, &scan, source, target, columns == 3 ? 2 : 0));
    }
out:
    return st;
}

/* Do the first edges look like numbers, and nothing else? What has labels does not. */
static bool is_list(cflri_field text) {
    cflri_scan scan;
    cflri_line_kind kind;
    cflri_scan_init(&scan, text.at, text.size, NULL, NULL);
    scan.comment = '#';
    while (cflri_scan_line(&scan, &kind) == CFLR_OK && kind != CFLRI_LINE_END) {
        if (kind == CFLRI_LINE_COMMENT || is_comment(&scan)) continue;
        return (scan.n == 2 || scan.n == 3) && cflri_field_is_real(scan.field[0]) &&
               cflri_field_is_real(scan.field[1]) &&
               (scan.n == 2 || cflri_field_is_real(scan.field[2]));
    }
    return scan.at == scan.end;
}

/* ---- binary lists ---- */

static uint32_t little(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    return byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

static cflr_status read_binary(collecting *c, cflri_field text, bool weighted, const char *subject,
                               cflr_error *error) {
    size_t record = weighted ? 12 : 8, n = text.size / record;
    uint64_t vertices = 0;
    cflri_edges *edges = &c->edges;
    if (text.size % record)
        return cflri_fail(error, CFLR_FORMAT, subject,
                          "%zu bytes are no whole number of edges of %zu", text.size, record);
    if (weighted) edges->weights = CFLR_WEIGHTS_INT32;
    if (!cflri_edges_reserve(c->context, edges, n)) return cflri_fail_memory(c->context, error);
    for (size_t i = 0; i < n; i++) {
        const char *at = text.at + i * record;
        uint32_t source = little(at), target = little(at + 4),
                 larger = source > target ? source : target;
        if (larger >= CFLR_MAX_VERTICES)
            return cflri_fail(error, CFLR_FORMAT, subject, "edge %zu: %u is no number of a vertex",
                              i, larger);
        if (larger >= vertices) vertices = (uint64_t)larger + 1;
        edges->source.at[edges->source.n++] = source;
        edges->target.at[edges->target.n++] = target;
        if (weighted) edges->weight.at[edges->weight.n++] = little(at + 8);
    }
    edges->n_vertices = (uint32_t)vertices;
    return CFLR_OK;
}

/* ---- labels ---- */

/* NULL: the only one. A label is written as in grammars: a, f[8]. */
static cflr_status find_label(const cflr_graph *graph, const char *label, const char *subject,
                              uint32_t *number, cflr_error *error) {
    char name[256];
    size_t length = label ? strlen(label) : 0;
    *number = 0;
    if (!label && cflr_graph_labels(graph) == 1) return CFLR_OK;
    if (!label)
        return cflri_fail(error, CFLR_ARGUMENT, subject,
                          "a graph with %u labels: name the one to take", cflr_graph_labels(graph));
    if (length > 0 && length < sizeof name) {
        memcpy(name, label, length + 1);
        char *index = strchr(name, '['), *end = name + length - 1;
        bool indexed = index && *end == ']';
        if (indexed) *index++ = *end = '\0';
        *number = cflr_graph_find_label(graph, name, indexed ? index : NULL);
        if (*number != CFLR_NO_LABEL) return CFLR_OK;
    }
    return cflri_fail(error, CFLR_ARGUMENT, subject, "no label '%s'", label);
}

static cflr_status read_label(const cflri_input *input, const char *path, const char *label,
                              const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_graph *graph = NULL;
    uint32_t number;
    CFLR_TRY(cflri_graph_load_bytes(input, path, CFLR_GRAPH_AUTO, &graph, error));
    CFLR_TRY(find_label(graph, label, path, &number, error));
    CFLR_TRY(cflr_csr_of_graph(input->context, graph, number, opts, csr, error));
out:
    cflr_graph_free(graph);
    return st;
}

/* ---- packed rows ---- */

static bool is_packed(cflri_field text, const char *path) {
    return cflri_packed_file_is(text.at, text.size) || cflri_path_ends(path, ".cflp");
}

static cflr_status read_packed(cflr_context *context, cflri_field text, const char *subject,
                               const char *label, const cflr_csr_opts *opts, cflr_csr **csr,
                               cflr_error *error) {
    if (label)
        return cflri_fail(error, CFLR_ARGUMENT, subject, "no label '%s': packed rows have none",
                          label);
    return cflri_csr_of_packed(context, text.at, text.size, subject, opts, csr, error);
}

/* ---- all ---- */

/* Of a text; NULL: a graph with labels. */
static cflri_plain_reader *reader_of(cflri_field text) {
    const cflri_format *format = cflri_format_find(cflri_format_of(text.at, text.size));
    if (format && format->read_plain) return format->read_plain;
    return is_list(text) ? read_list : NULL;
}

static cflr_status read_plain(collecting *c, cflri_plain_reader *reader, cflri_field text,
                              const char *subject, cflr_error *error) {
    cflri_edge_sink sink = {.user = c, .edge = take_edge};
    c->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!c->numbers) return cflri_fail(error, CFLR_NO_MEMORY, subject, "no locale for numbers");
    cflr_status st = reader(c->context, text, subject, &sink, error);
    freelocale(c->numbers);
    c->edges.n_vertices = (uint32_t)sink.n_vertices;
    return st;
}

cflr_status cflri_csr_load_bytes(const cflri_input *input, const char *path, const char *label,
                                 const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    collecting c = {.context = input->context};
    const char *subject = strcmp(path, "-") == 0 ? "standard input" : path;
    cflri_field text = {input->size ? input->data : "", input->size};
    bool weighted = cflri_path_ends(path, ".wel32");
    bool binary = weighted || cflri_path_ends(path, ".el32");
    *csr = NULL;
    if (!binary && is_packed(text, path))
        return read_packed(input->context, text, subject, label, opts, csr, error);
    cflri_plain_reader *reader = label || binary ? NULL : reader_of(text);
    if (!binary && !reader) return read_label(input, path, label, opts, csr, error);
    CFLR_TRY(binary ? read_binary(&c, text, weighted, subject, error)
                    : read_plain(&c, reader, text, subject, error));
    CFLR_TRY(cflri_edges_freeze(c.context, &c.edges, opts, csr, error));
out:
    cflri_edges_free(c.context, &c.edges);
    return st;
}

cflr_status cflr_csr_load(cflr_context *context, const char *path, const char *label,
                          const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflri_input input;
    *csr = NULL;
    cflr_status st = cflri_input_open(context, path, &input, error);
    if (st == CFLR_OK) st = cflri_csr_load_bytes(&input, path, label, opts, csr, error);
    cflri_input_close(&input);
    return cflri_name_subject(st, path, error);
}
