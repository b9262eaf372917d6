/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse_report.c: what `cflr graph` tells of its runs, as text and as JSON
 * (docs/reference/graph.md, docs/reference/json.md).
 *
 * Iterations, edges and rates are those of the trial with the median time, so that they belong
 * together; what the primitive found is that of the last trial.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/traverse.h"

/* Sources that are listed before "..." */
enum { MOST_LISTED = 8 };
/* Digits of what is for reading, and of sums, which may be large. */
enum { SHORT_DIGITS = 6, SUM_DIGITS = 15 };
/* Below it, float64 holds every whole number. */
static const double MOST_EXACT = 0x1p53;

/* Figures of both kinds of report; they are not finite where there was nothing to divide by. */
typedef struct rates {
    double graph, inspected; /* million edges a second */
    double iteration;        /* seconds */
} rates;

static double quotient(double a, double b) {
    return b > 0 ? a / b : NAN;
}

static rates rates_of(const traversing *t) {
    const traverse_trial *trial = t->median;
    return (rates){quotient((double)cflr_csr_edges(t->csr) * 1e-6, trial->seconds),
                   quotient((double)trial->edges_inspected * 1e-6, trial->seconds),
                   quotient(trial->seconds, (double)trial->iterations)};
}

static cell value_cell(const cflr_value *value) {
    if (!value->real) return (cell){.kind = CELL_COUNT, .count = value->count};
    cell_kind kind = isfinite(value->number) ? CELL_NUMBER : CELL_NONE;
    return (cell){.kind = kind, .number = value->number, .digits = SUM_DIGITS};
}

/* ---- text ---- */

/* "run, least, s                     0.001234" */
__attribute__((format(printf, 3, 4))) static void line(FILE *file, const char *name,
                                                       const char *format, ...) {
    va_list arguments;
    fprintf(file, "%-33s ", name);
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
}

static void print_rate(FILE *file, const char *name, double rate) {
    if (isfinite(rate))
        line(file, name, "%.6g", rate);
    else
        line(file, name, "-");
}

/* A name may hold any bytes. */
static void print_seen(FILE *file, cell value, int width) {
    if (value.kind == CELL_NAME)
        fprintf(file, "%*s", width, shown(value.name));
    else if (value.kind == CELL_COUNT)
        fprintf(file, "%*" PRIu64, width, value.count);
    else
        print_cell(file, value);
}

static const char *kind_of(const cflr_csr *csr) {
    static const char *const kinds[2][3] = {
        {"directed, no weights", "directed, int32 weights", "directed, float32 weights"},
        {"undirected, no weights", "undirected, int32 weights", "undirected, float32 weights"}};
    return kinds[cflr_csr_symmetric(csr)][cflr_csr_weights(csr)];
}

static void print_graph(const traversing *t, FILE *file) {
    const traverse_choices *c = t->choices;
    line(file, "graph", "%s", shown(c->graph.rule ? c->graph.rule : input_name(c->graph.path)));
    line(file, "vertices", "%" PRIu32, cflr_csr_vertices(t->csr));
    line(file, "edges", "%" PRIu64, cflr_csr_edges(t->csr));
    line(file, "kind", "%s", kind_of(t->csr));
    if (c->reorders) line(file, "order", "%s", cflr_order_name(c->order));
    line(file, "primitive", "%s", cflr_primitive_name(c->primitive));
    if (!t->n_sources) return;
    fprintf(file, "%-33s", t->n_sources > 1 ? "sources" : "source");
    for (uint32_t i = 0; i < t->n_sources && i < MOST_LISTED; i++) {
        fputc(' ', file);
        print_seen(file, vertex_cell(t, t->source[i]), 0);
    }
    if (t->n_sources > MOST_LISTED) fprintf(file, " ... (%" PRIu32 ")", t->n_sources);
    fputc('\n', file);
}

/* Were edges moved during the run? */
static bool streams(const cflr_traversal_stats *stats) {
    return stats->device == CFLR_DEVICE_GPU &&
           strcmp(stats->transfer, cflr_transfer_name(CFLR_TRANSFER_WHOLE)) != 0;
}

static void print_device(const cflr_traversal_stats *stats, FILE *file) {
    line(file, "device", "%s", stats->device_name);
    if (stats->gpus > 1) line(file, "GPUs", "%" PRIu32, stats->gpus);
    line(file, "schedule", "%s", stats->schedule);
    if (stats->device == CFLR_DEVICE_GPU) line(file, "transfer", "%s", stats->transfer);
    line(file, "why", "%s", stats->why);
    line(file, "threads", "%d", cflr_context_threads(session()));
    line(file, "state, bytes", "%" PRIu64, stats->memory);
    if (streams(stats)) line(file, "edges on the device, bytes", "%" PRIu64, stats->device_rows);
}

static void print_times(const traversing *t, const cflr_traversal_stats *stats, FILE *file) {
    const traverse_choices *c = t->choices;
    line(file, c->graph.rule ? "generate and build, s" : "read and build, s", "%.6f",
         t->seconds_load);
    if (c->reorders) line(file, "reorder, s", "%.6f", t->seconds_reorder);
    line(file, "transform, s", "%.6f", stats->transform_seconds);
    line(file, "copy, s", "%.6f", stats->copy_seconds);
    if (c->trials == 1) {
        line(file, "run, s", "%.6f", t->median->seconds);
    } else {
        line(file, "trials", "%" PRIu32, c->trials);
        line(file, "run, median, s", "%.6f", t->median->seconds);
        line(file, "run, least, s", "%.6f", t->least->seconds);
    }
    if (c->verify) line(file, "verify, s", "%.6f", t->seconds_verify);
    if (t->seconds_write > 0) line(file, "write, s", "%.6f", t->seconds_write);
}

static void print_moved(const cflr_traversal_stats *stats, FILE *file) {
    if (!streams(stats)) return;
    line(file, "bytes needed", "%" PRIu64, stats->moved.bytes_needed);
    if (!stats->moved.loads) return;
    line(file, "bytes moved", "%" PRIu64, stats->moved.bytes_moved);
    line(file, "loads", "%" PRIu64, stats->moved.loads);
    line(file, "gather, s", "%.6f", stats->moved.gather_seconds);
    line(file, "copy in the run, s", "%.6f", stats->moved.copy_seconds);
    line(file, "wait of the GPU, s", "%.6f", stats->moved.wait_seconds);
}

static void print_figures(const traversing *t, FILE *file) {
    rates r = rates_of(t);
    line(file, "iterations", "%" PRIu64, t->median->iterations);
    print_rate(file, "run / iterations, s", r.iteration);
    line(file, "edges inspected", "%" PRIu64, t->median->edges_inspected);
    print_rate(file, "MTEPS, graph edges / run time", r.graph);
    print_rate(file, "MTEPS, inspected edges / run time", r.inspected);
}

static void print_values(const traversing *t, FILE *file) {
    cflr_value value;
    for (uint32_t i = 0; cflr_traversal_value(t->traversal, i, &value); i++) {
        fprintf(file, "%-33s ", value.name);
        print_cell(file, value_cell(&value));
        fputc('\n', file);
    }
    if (!t->choices->verify) return;
    line(file, "verified", "%" PRIu64 " checked, %" PRIu64 " wrong", t->verified.checked,
         t->verified.wrong);
    if (t->verified.worst > 0)
        line(file, "worst difference / its bound", "%.6g", t->verified.worst);
}

static void print_top(const traversing *t, const uint32_t *vertex, uint32_t n, FILE *file) {
    fprintf(file, "%s%-12s %s\n", common.quiet ? "" : "\n", "vertex", t->column[0].name);
    for (uint32_t i = 0; i < n; i++) {
        cell value = column_cell(t, 0, vertex[i]);
        value.digits = SHORT_DIGITS;
        print_seen(file, vertex_cell(t, vertex[i]), -12);
        fputc(' ', file);
        print_seen(file, value, 0);
        fputc('\n', file);
    }
}

/* How it was run. */
static void print_run(const traversing *t, FILE *file) {
    cflr_traversal_stats stats = cflr_traversal_statistics(t->traversal);
    print_graph(t, file);
    print_device(&stats, file);
    print_times(t, &stats, file);
    print_figures(t, file);
    print_moved(&stats, file);
}

static int print_text(const traversing *t, const uint32_t *vertex, uint32_t n, int code) {
    FILE *file = open_output();
    if (!common.quiet) print_run(t, file);
    if (!common.quiet || !vertex) print_values(t, file);
    if (vertex) print_top(t, vertex, n, file);
    return finish_output(file, code);
}

/* ---- JSON ---- */

static json_t *finite_json(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *graph_json(const traversing *t) {
    static const char *const kinds[] = {"none", "int32", "float32"};
    const traverse_choices *c = t->choices;
    json_t *object = json_object();
    json_set_text(object, c->graph.rule ? "rule" : "file",
                  c->graph.rule ? c->graph.rule : c->graph.path);
    json_set_count(object, "vertices", cflr_csr_vertices(t->csr));
    json_set_count(object, "edges", cflr_csr_edges(t->csr));
    json_set(object, "undirected", json_boolean(cflr_csr_symmetric(t->csr)));
    json_set_text(object, "weights", kinds[cflr_csr_weights(t->csr)]);
    if (c->reorders) json_set_text(object, "order", cflr_order_name(c->order));
    return object;
}

static json_t *sources_json(const traversing *t) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < t->n_sources; i++) {
        json_array_append_new(list, cell_json(vertex_cell(t, t->source[i])));
    }
    return list;
}

static json_t *seconds_json(const traversing *t, const cflr_traversal_stats *stats) {
    json_t *object = json_object();
    json_set(object, "load", json_real(t->seconds_load));
    if (t->choices->reorders) json_set(object, "reorder", json_real(t->seconds_reorder));
    json_set(object, "transform", json_real(stats->transform_seconds));
    json_set(object, "copy", json_real(stats->copy_seconds));
    json_set(object, "run_median", json_real(t->median->seconds));
    json_set(object, "run_least", json_real(t->least->seconds));
    json_set(object, "iteration", finite_json(rates_of(t).iteration));
    json_set(object, "verify", json_real(t->seconds_verify));
    json_set(object, "write", json_real(t->seconds_write));
    return object;
}

static json_t *trials_json(const traversing *t) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < t->choices->trials; i++) {
        const traverse_trial *trial = &t->trial[i];
        json_t *object = json_object();
        if (t->n_sources) json_set(object, "source", cell_json(vertex_cell(t, trial->source)));
        json_set(object, "seconds", json_real(trial->seconds));
        json_set_count(object, "iterations", trial->iterations);
        json_set_count(object, "edges_inspected", trial->edges_inspected);
        json_array_append_new(list, object);
    }
    return list;
}

/* Numbers that are whole keep all their digits. */
static json_t *value_json(const cflr_value *value) {
    bool whole =
        value->real && fabs(value->number) < MOST_EXACT && value->number == floor(value->number);
    return whole ? json_integer((json_int_t)value->number) : cell_json(value_cell(value));
}

static json_t *values_json(const traversing *t) {
    json_t *object = json_object();
    cflr_value value;
    for (uint32_t i = 0; cflr_traversal_value(t->traversal, i, &value); i++) {
        json_set(object, value.name, value_json(&value));
    }
    return object;
}

static json_t *verify_json(const cflr_traverse_report *report) {
    json_t *object = json_object();
    json_set_count(object, "checked", report->checked);
    json_set_count(object, "wrong", report->wrong);
    json_set(object, "worst", finite_json(report->worst));
    json_set_text(object, "first_failure", report->first_failure);
    return object;
}

static json_t *top_json(const traversing *t, const uint32_t *vertex, uint32_t n) {
    json_t *object = json_object(), *list = json_array();
    for (uint32_t i = 0; i < n; i++) {
        json_t *pair = json_object();
        json_set(pair, "vertex", cell_json(vertex_cell(t, vertex[i])));
        json_set(pair, "value", cell_json(column_cell(t, 0, vertex[i])));
        json_array_append_new(list, pair);
    }
    json_set_text(object, "column", t->column[0].name);
    json_set(object, "vertices", list);
    return object;
}

static void add_device(json_t *object, const cflr_traversal_stats *stats) {
    json_set_text(object, "device", stats->device == CFLR_DEVICE_GPU ? "gpu" : "cpu");
    json_set_text(object, "device_name", stats->device_name);
    json_set_count(object, "gpus", stats->gpus);
    json_set_text(object, "schedule", stats->schedule);
    json_set_text(object, "transfer", stats->transfer);
    json_set_text(object, "why", stats->why);
    json_set_count(object, "threads", (uint64_t)cflr_context_threads(session()));
    json_set_count(object, "state_bytes", stats->memory);
}

static json_t *moved_json(const cflr_traversal_stats *stats) {
    json_t *object = json_object();
    json_set_count(object, "device_rows", stats->device_rows);
    json_set_count(object, "bytes_needed", stats->moved.bytes_needed);
    json_set_count(object, "bytes_moved", stats->moved.bytes_moved);
    json_set_count(object, "loads", stats->moved.loads);
    json_set(object, "gather_seconds", json_real(stats->moved.gather_seconds));
    json_set(object, "copy_seconds", json_real(stats->moved.copy_seconds));
    json_set(object, "wait_seconds", json_real(stats->moved.wait_seconds));
    return object;
}

static int print_object(const traversing *t, const uint32_t *vertex, uint32_t n, int code) {
    cflr_traversal_stats stats = cflr_traversal_statistics(t->traversal);
    rates r = rates_of(t);
    json_t *object = json_object();
    json_set(object, "graph", graph_json(t));
    json_set_text(object, "primitive", cflr_primitive_name(t->choices->primitive));
    json_set(object, "sources", sources_json(t));
    add_device(object, &stats);
    json_set(object, "seconds", seconds_json(t, &stats));
    json_set_count(object, "iterations", t->median->iterations);
    json_set_count(object, "edges_inspected", t->median->edges_inspected);
    json_set(object, "moved", moved_json(&stats));
    json_set(object, "mteps_graph", finite_json(r.graph));
    json_set(object, "mteps_inspected", finite_json(r.inspected));
    json_set(object, "trials", trials_json(t));
    json_set(object, "values", values_json(t));
    if (t->choices->verify) json_set(object, "verify", verify_json(&t->verified));
    if (vertex) json_set(object, "top", top_json(t, vertex, n));
    return print_json(object, code);
}

int traverse_report(const traversing *t, int code) {
    const cflr_column *column = first_vertex_column(t);
    uint32_t *vertex = NULL, n = t->choices->top;
    if (n && column) {
        vertex = greatest_vertices(column, &n);
        if (!vertex) return cflr_status_exit_code(CFLR_NO_MEMORY);
    }
    code = (wants_json() ? print_object : print_text)(t, vertex, n, code);
    free(vertex);
    return code;
}
