/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_read.c: rows with weights from files.
 *
 *     formats without labels    by their first lines (io_mtx.c, io_dimacs.c); values are weights
 *     text                      source target [weight] a line (io_list.h)
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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/formats/io_list.h"
#include "base/plain/csr_packed_file.h"

enum { LONGEST_REAL = 64 };

typedef struct collecting {
    cflr_context *context;
    bool drops_weights, drops_some;
    cflri_edges edges;
    cflri_strings names; /* of vertex v: string v + 1; zero bytes: vertices are numbers */
    locale_t numbers;    /* where the point is a point */
    char note[192];      /* what a reader of the file may want to know */
} collecting;

/* Adds a sentence. */
CFLRI_PRINTF(2, 3) static void note(collecting *c, const char *format, ...) {
    size_t n = strlen(c->note);
    va_list arguments;
    if (n) n += (size_t)snprintf(c->note + n, sizeof c->note - n, "; ");
    if (n >= sizeof c->note) return;
    va_start(arguments, format);
    vsnprintf(c->note + n, sizeof c->note - n, format, arguments);
    va_end(arguments);
}

/* ---- weights ---- */

/* 1 when it is one, -1 when it is one that does not fit, 0 when it is something else. */
static int integer_of(cflri_field field, int32_t *weight) {
    uint64_t number = 0;
    if (!field.size) return 0;
    bool minus = field.at[0] == '-', sign = minus || field.at[0] == '+';
    cflri_field rest = {field.at + sign, field.size - sign};
    if (!cflri_field_is_digits(rest)) return 0;
    uint64_t most = minus ? UINT64_C(1) << 31 : INT32_MAX;
    if (cflri_field_number(rest, most, &number) != CFLRI_NUMBER) return -1;
    *weight = (int32_t)(minus ? -(int64_t)number : (int64_t)number);
    return 1;
}

static cflr_status fail_weight(const cflri_scan *scan, unsigned i) {
    return cflri_scan_fail_field(scan, i, "'%.*s' is no weight", CFLRI_SHOW(scan->field[i]));
}

static cflr_status real_of(const collecting *c, const cflri_scan *scan, unsigned i, float *weight) {
    char text[LONGEST_REAL] = "";
    cflri_field field = scan->field[i];
    if (!field.size) return cflri_scan_fail_field(scan, i, "a weight is missing");
    if (!cflri_field_is_real(field) || field.size >= sizeof text) return fail_weight(scan, i);
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
    if (weight && c->drops_weights) {
        if (!cflri_field_is_real(scan->field[weight])) return fail_weight(scan, weight);
        c->drops_some = true;
        weight = 0;
    }
    cflr_status st = weight ? read_weight(c, scan, weight, &bits) : CFLR_OK;
    if (st != CFLR_OK) return st;
    if (cflri_vec_push(c->context, &c->edges.source, source) &&
        cflri_vec_push(c->context, &c->edges.target, target) &&
        (!weight || cflri_vec_push(c->context, &c->edges.weight, bits)))
        return CFLR_OK;
    return cflri_fail_memory(c->context, scan->error);
}

/* ---- text lists ---- */

static cflr_status read_list_once(collecting *c, const cflri_list_shape *shape, cflri_field text,
                                  const char *subject, uint64_t *name_at, cflr_error *error) {
    cflri_edge_sink sink = {.user = c, .edge = take_edge};
    cflr_status st =
        cflri_list_read(c->context, text, shape, subject, &sink, &c->names, name_at, error);
    c->edges.n_vertices = (uint32_t)sink.n_vertices;
    return st;
}

/* As if all vertices were numbers, which most are; once more when one is not. */
static cflr_status read_list(collecting *c, const cflri_list_shape *shape, cflri_field text,
                             const char *subject, cflr_error *error) {
    uint64_t name_at, none;
    cflr_status st = read_list_once(c, shape, text, subject, &name_at, error);
    if (!name_at) return st;
    uint64_t before = c->edges.source.n;
    cflri_edges_free(c->context, &c->edges);
    c->edges = (cflri_edges){0};
    st = cflri_strings_init(&c->names, c->context, error);
    if (st == CFLR_OK) st = read_list_once(c, shape, text, subject, &none, error);
    if (before) note(c, "line %llu has a name, so all vertices have", (unsigned long long)name_at);
    return st;
}

/* ---- binary lists ---- */

static bool is_binary(const char *path) {
    return cflri_path_ends(path, ".el32") || cflri_path_ends(path, ".wel32");
}

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

/* What is no number behind source and target is a label. */
static cflr_status fail_labels(const cflr_graph *graph, const char *subject, cflr_error *error) {
    uint32_t n = cflr_graph_labels(graph);
    if (!n) return cflri_fail(error, CFLR_ARGUMENT, subject, "a graph without edges or labels");
    const char *index = cflr_graph_label_index(graph, 0);
    return cflri_fail(
        error, CFLR_ARGUMENT, subject,
        "a graph with %u labels, such as '%.40s%s%.40s%s': name the one whose edges to "
        "take",
        n, cflr_graph_label_name(graph, 0), *index ? "[" : "", index, *index ? "]" : "");
}

/* NULL: the only one. A label is written as in grammars: a, f[8]. */
static cflr_status find_label(const cflr_graph *graph, const char *label, const char *subject,
                              uint32_t *number, cflr_error *error) {
    char name[256];
    size_t length = label ? strlen(label) : 0;
    *number = 0;
    if (!label && cflr_graph_labels(graph) == 1) return CFLR_OK;
    if (!label) return fail_labels(graph, subject, error);
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
    return !is_binary(path) &&
           (cflri_packed_file_is(text.at, text.size) || cflri_path_ends(path, ".cflp"));
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

/* Of a text whose first lines say what it is; NULL: a list, or a graph with labels. */
static cflri_plain_reader *reader_of(cflri_field text) {
    const cflri_format *format = cflri_format_find(cflri_format_of(text.at, text.size));
    return format ? format->read_plain : NULL;
}

static cflr_status read_plain(collecting *c, cflri_plain_reader *reader, cflri_field text,
                              const char *subject, cflr_error *error) {
    cflri_edge_sink sink = {.user = c, .edge = take_edge};
    cflr_status st = reader(c->context, text, subject, &sink, error);
    c->edges.n_vertices = (uint32_t)sink.n_vertices;
    return st;
}

static void note_shape(collecting *c, const cflri_list_shape *shape) {
    if (!shape->titles) return;
    char between[3] = {shape->separator ? shape->separator : ' '};
    if (shape->separator == '\t') strcpy(between, " ");
    note(c, "the first line, '%s%s%s%s%s', is taken as titles", shape->title[0], between,
         shape->title[1], shape->title[2][0] ? between : "", shape->title[2]);
}

/* Text, and binary numbers. *is_plain: it was one of these, and not a graph with labels. */
static cflr_status collect(collecting *c, cflri_field text, const char *path, const char *subject,
                           bool titles, bool *is_plain, cflr_error *error) {
    *is_plain = is_binary(path);
    if (*is_plain) return read_binary(c, text, cflri_path_ends(path, ".wel32"), subject, error);
    cflri_plain_reader *reader = reader_of(text);
    cflri_list_shape shape = {.is_list = false};
    if (!reader) shape = cflri_list_look(text, path, titles);
    *is_plain = reader || shape.is_list;
    if (!*is_plain) return CFLR_OK;
    c->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!c->numbers) return cflri_fail(error, CFLR_NO_MEMORY, subject, "no locale for numbers");
    note_shape(c, &shape);
    cflr_status st = reader ? read_plain(c, reader, text, subject, error)
                            : read_list(c, &shape, text, subject, error);
    freelocale(c->numbers);
    return st;
}

/* The rows take over the names and the note. */
static cflr_status finish(collecting *c, const cflr_csr_opts *opts, cflr_csr **csr,
                          cflr_error *error) {
    if (c->drops_some || (c->drops_weights && c->edges.weights))
        note(c, "its weights are left out: nothing here looks at them");
    cflr_status st = cflri_edges_freeze(c->context, &c->edges, opts, csr, error);
    if (st == CFLR_OK) st = cflri_csr_describe(*csr, &c->names, c->note, error);
    if (st == CFLR_OK) return st;
    cflr_csr_free(*csr);
    *csr = NULL;
    return st;
}

cflr_status cflri_csr_load_bytes(const cflri_input *input, const char *path, const char *label,
                                 const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    collecting c = {.context = input->context};
    const char *subject = strcmp(path, "-") == 0 ? "standard input" : path;
    cflri_field text = {input->size ? input->data : "", input->size};
    cflr_csr_opts chosen;
    bool is_plain = false;
    *csr = NULL;
    CFLR_TRY(cflri_csr_opts_take(&chosen, opts, error));
    c.drops_weights = chosen.drop_weights;
    if (is_packed(text, path))
        return read_packed(input->context, text, subject, label, opts, csr, error);
    if (!label || is_binary(path))
        CFLR_TRY(collect(&c, text, path, subject, chosen.header, &is_plain, error));
    CFLR_TRY(is_plain ? finish(&c, opts, csr, error)
                      : read_label(input, path, label, opts, csr, error));
out:
    cflri_edges_free(c.context, &c.edges);
    cflri_strings_free(&c.names);
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
