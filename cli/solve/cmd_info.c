/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_info.c: `cflr info FILE`: vertices, edges and labels of a graph; of a result file also the
 * symbols of its closure; weights of a plain graph.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/run/settings.h"

static char *from;
static int by_index, show_config, show_schema;

static struct poptOption table[] = {
    OPTION_VALUE("graph-format", '\0', &from, "format of FILE, " GRAPH_READ_HELP, "FORMAT"),
    OPTION_FLAG("by-index", '\0', &by_index, "a line for each index of a label"),
    OPTION_FLAG("config", '\0', &show_config,
                "without FILE: the options that .cflr.json and CFLR_ARGS give"),
    OPTION_FLAG("config-schema", '\0', &show_schema, "without FILE: the JSON schema of .cflr.json"),
    COMMON_OPTIONS};

/* The contents of a file: `result` is NULL for a graph, and owns `graph` otherwise. */
typedef struct contents {
    cflr_result *result;
    cflr_graph *own_graph;
    const cflr_graph *graph;
} contents;

typedef struct row {
    const char *name, *index;
    uint64_t edges;
    uint32_t indexes; /* labels added up in this row */
} row;

static int compare_rows(const void *a, const void *b) {
    const row *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->index, y->index);
}

/* All labels sorted; without --by-index the indexes of a name are added up. NULL: out of memory. */
static row *collect_rows(const cflr_graph *graph, size_t *n) {
    uint32_t n_labels = cflr_graph_labels(graph);
    row *rows = calloc((size_t)n_labels + 1, sizeof *rows);
    if (!rows) return NULL;
    for (uint32_t i = 0; i < n_labels; i++) {
        rows[i] = (row){cflr_graph_label_name(graph, i), cflr_graph_label_index(graph, i),
                        cflr_graph_label_edges(graph, i), 1};
    }
    qsort(rows, n_labels, sizeof *rows, compare_rows);
    *n = 0;
    for (uint32_t i = 0; i < n_labels; i++) {
        row *last = *n ? &rows[*n - 1] : NULL;
        bool joins = !by_index && last && rows[i].index[0] && last->index[0] &&
                     strcmp(last->name, rows[i].name) == 0;
        if (joins) {
            last->edges += rows[i].edges;
            last->indexes++;
        } else {
            rows[(*n)++] = rows[i];
        }
    }
    return rows;
}

/* "a", "f[8]", or "f[]" for all indexes of f together; freed by the caller, NULL: out of memory. */
static char *row_name(const row *r) {
    const char *index = by_index ? r->index : "";
    size_t size = strlen(r->name) + strlen(index) + 3;
    char *name = malloc(size);
    if (!name) return NULL;
    if (r->index[0])
        snprintf(name, size, "%s[%s]", r->name, index);
    else
        snprintf(name, size, "%s", r->name);
    return name;
}

static void print_symbols(const cflr_result *result, FILE *file) {
    bool all = cflr_result_covers(result, CFLR_NO_VERTEX, CFLR_NO_VERTEX);
    const char *title = !cflr_result_complete(result) ? "closure (partial)"
                        : all                         ? "closure"
                                                      : "closure (as asked for)";
    char slice[SLICE_TEXT], part[SLICE_TEXT + sizeof "closure ()"];
    if (describe_slice(result, slice, sizeof slice)) {
        snprintf(part, sizeof part, "closure (%s)", slice);
        title = part;
    }
    fprintf(file, "%-24s %14s %14s\n", title, "pairs", "rows");
    for (uint32_t i = 0; i < cflr_result_labels(result); i++) {
        cflr_result_label label;
        cflr_result_get_label(result, i, &label);
        fprintf(file, "  %-22s %14" PRIu64 " %14" PRIu64 "\n", shown(label.name), label.pairs,
                label.rows);
    }
}

static int print_text_info(const contents *held, const row *rows, size_t n) {
    FILE *file = open_output();
    if (!file) return finish_output(file, 0);
    print_count(file, "vertices", cflr_graph_vertices(held->graph));
    print_count(file, "edges", cflr_graph_edges(held->graph));
    fprintf(file, "%-24s %14s\n", "sources", cflr_graph_has_sources(held->graph) ? "yes" : "no");
    for (size_t i = 0; i < n; i++) {
        char *name = row_name(&rows[i]);
        fprintf(file, "  %-22s %14" PRIu64, shown(name ? name : rows[i].name), rows[i].edges);
        if (rows[i].indexes > 1) fprintf(file, "  %" PRIu32 " indexes", rows[i].indexes);
        fputc('\n', file);
        free(name);
    }
    if (held->result) print_symbols(held->result, file);
    return finish_output(file, 0);
}

static int print_json_info(const contents *held, const row *rows, size_t n) {
    json_t *object = json_object(), *labels = json_object();
    json_set_count(object, "vertices", cflr_graph_vertices(held->graph));
    json_set_count(object, "edges", cflr_graph_edges(held->graph));
    json_set(object, "sources", json_boolean(cflr_graph_has_sources(held->graph)));
    for (size_t i = 0; i < n; i++) {
        char *name = row_name(&rows[i]);
        json_set_count(labels, name ? name : rows[i].name, rows[i].edges);
        free(name);
    }
    json_set(object, "labels", labels);
    if (held->result) {
        json_t *closure = json_object();
        json_set(closure, "complete", json_boolean(cflr_result_complete(held->result)));
        bool all = cflr_result_covers(held->result, CFLR_NO_VERTEX, CFLR_NO_VERTEX);
        json_set(closure, "whole", json_boolean(all));
        add_slice(held->result, closure);
        json_set(closure, "labels", symbols_json(held->result));
        json_set(object, "closure", closure);
    }
    return print_json(object, 0);
}

/* Content tells a result from a graph, unless a format is forced, which is one of a graph. */
static cflr_status load(const char *path, cflr_graph_format format, contents *held,
                        cflr_error *error) {
    cflr_status st;
    if (format == CFLR_GRAPH_AUTO)
        st = cflr_result_or_graph_load(session(), path, &held->result, &held->own_graph, error);
    else
        st = cflr_graph_load(session(), path, format, &held->own_graph, error);
    held->graph = held->result ? cflr_result_graph(held->result) : held->own_graph;
    return st;
}

/* ---- plain graphs ---- */

static int print_plain_info(const cflr_csr *csr) {
    static const char *const weights[] = {"none", "int32", "float32"};
    if (wants_json()) {
        json_t *object = json_object();
        json_set_count(object, "vertices", cflr_csr_vertices(csr));
        json_set_count(object, "edges", cflr_csr_edges(csr));
        json_set(object, "undirected", json_boolean(cflr_csr_symmetric(csr)));
        json_set_text(object, "weights", weights[cflr_csr_weights(csr)]);
        return print_json(object, 0);
    }
    FILE *file = open_output();
    if (!file) return finish_output(file, 0);
    print_count(file, "vertices", cflr_csr_vertices(csr));
    print_count(file, "edges", cflr_csr_edges(csr));
    fprintf(file, "%-24s %14s\n", "undirected", cflr_csr_symmetric(csr) ? "yes" : "no");
    fprintf(file, "%-24s %14s\n", "weights", weights[cflr_csr_weights(csr)]);
    return finish_output(file, 0);
}

/* Is it a file that holds plain graphs and nothing else? */
static bool is_plain(const char *path) {
    cflr_csr_format format = cflr_csr_format_of(path);
    return format == CFLR_CSR_CFLP || format == CFLR_CSR_EL32 || format == CFLR_CSR_WEL32;
}

static int plain_info(const char *path) {
    cflr_error error;
    cflr_csr *csr;
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    if (cflr_csr_load(session(), path, NULL, &opts, &csr, &error) != CFLR_OK) return fail(&error);
    int code = print_plain_info(csr);
    cflr_csr_free(csr);
    return code;
}

/* Labels that are numbers are what `cflr graph` takes for weights. */
static void note_numbers(const cflr_graph *graph) {
    uint32_t n = cflr_graph_labels(graph), numbers = 0;
    double value;
    for (uint32_t i = 0; i < n; i++) numbers += parse_real(cflr_graph_label_name(graph, i), &value);
    if (n && numbers == n)
        remark("labels are numbers: `cflr graph` takes them as weights, `cflr solve` as labels");
}

static int run(const cli_arguments *arguments) {
    bool of_options = show_config || show_schema;
    if (of_options && arguments->n_operands > 0)
        return usage_error("--config%s goes without FILE", show_config ? "" : "-schema");
    if (of_options) return show_config ? settings_print() : settings_schema_print();
    if (arguments->n_operands == 0) return usage_error("info needs FILE");
    cflr_error error;
    contents held = {0};
    cflr_graph_format format = CFLR_GRAPH_AUTO;
    if (from && cflr_graph_format_parse(from, &format, &error) != CFLR_OK) return fail(&error);
    int code = session_begin();
    if (code) return code;
    if (!from && is_plain(arguments->operand[0])) return plain_info(arguments->operand[0]);
    if (load(arguments->operand[0], format, &held, &error) != CFLR_OK)
        return fail_reading(&error, arguments->operand[0], INPUT_GRAPH);
    note_numbers(held.graph);
    size_t n;
    row *rows = collect_rows(held.graph, &n);
    if (!rows)
        code = fail_memory();
    else if (wants_json())
        code = print_json_info(&held, rows, n);
    else
        code = print_text_info(&held, rows, n);
    free(rows);
    cflr_result_free(held.result);
    cflr_graph_free(held.own_graph);
    return code;
}

const command command_info = {.name = "info",
                              .operands = "FILE",
                              .summary = "what a graph or result file holds",
                              .options = table,
                              .min_operands = 0,
                              .max_operands = 1,
                              .run = run};
