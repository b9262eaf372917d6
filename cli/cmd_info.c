/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_info.c: `cflr info FILE`: vertices, edges and labels of a graph or result file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static char *from;
static int by_index;

static struct poptOption table[] = {
    {"graph-format", '\0', POPT_ARG_STRING, &from, 0,
     "auto, tsv, cflg, pocr, gracfl, cfpq, souffle, mtx or dimacs", "FORMAT"},
    {"by-index", '\0', POPT_ARG_NONE, &by_index, 0, "a line for each index of a label", NULL},
    COMMON_OPTIONS};

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

/* "a", "f[8]", or "f[]" for all indexes of f together. */
static void row_name(const row *r, char *buffer, size_t size) {
    if (!r->index[0])
        snprintf(buffer, size, "%s", r->name);
    else
        snprintf(buffer, size, "%s[%s]", r->name, by_index ? r->index : "");
}

static int print_text_info(const cflr_graph *graph, const row *rows, size_t n) {
    FILE *file = open_output();
    if (!file) return finish_output(file, 0);
    fprintf(file, "%-24s %14" PRIu32 "\n%-24s %14" PRIu64 "\n%-24s %14s\n", "vertices",
            cflr_graph_vertices(graph), "edges", cflr_graph_edges(graph), "sources",
            cflr_graph_has_sources(graph) ? "yes" : "no");
    for (size_t i = 0; i < n; i++) {
        char name[256];
        row_name(&rows[i], name, sizeof name);
        fprintf(file, "  %-22s %14" PRIu64, name, rows[i].edges);
        if (rows[i].indexes > 1) fprintf(file, "  %" PRIu32 " indexes", rows[i].indexes);
        fputc('\n', file);
    }
    return finish_output(file, 0);
}

static int print_json_info(const cflr_graph *graph, const row *rows, size_t n) {
    json_t *object = json_object(), *labels = json_object();
    json_object_set_new(object, "vertices", json_integer(cflr_graph_vertices(graph)));
    json_object_set_new(object, "edges", json_integer((json_int_t)cflr_graph_edges(graph)));
    json_object_set_new(object, "sources", json_boolean(cflr_graph_has_sources(graph)));
    for (size_t i = 0; i < n; i++) {
        char name[256];
        row_name(&rows[i], name, sizeof name);
        json_object_set_new(labels, name, json_integer((json_int_t)rows[i].edges));
    }
    json_object_set_new(object, "labels", labels);
    return print_json(object, 0);
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_graph_format format = CFLR_GRAPH_AUTO;
    if (from && cflr_graph_format_parse(from, &format, &error) != CFLR_OK) return fail(&error);
    int code = session_begin();
    if (code) return code;
    if (cflr_graph_load(session(), arguments->operand[0], format, &graph, &error) != CFLR_OK) {
        return fail(&error);
    }
    size_t n;
    row *rows = collect_rows(graph, &n);
    if (!rows)
        code = cflr_status_exit_code(CFLR_NO_MEMORY);
    else if (wants_json())
        code = print_json_info(graph, rows, n);
    else
        code = print_text_info(graph, rows, n);
    free(rows);
    cflr_graph_free(graph);
    return code;
}

const command command_info = {.name = "info",
                              .operands = "FILE",
                              .summary = "what a graph or result file holds",
                              .options = table,
                              .min_operands = 1,
                              .max_operands = 1,
                              .run = run};
