/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_analyze.c: `cflr analyze -p DIR`: source in, answers out: extract, solve, summary, result
 * file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/extraction.h"

static char *grammar_path, *model_name;
static int show = 0;

static struct poptOption table[] = {
    {"grammar", 'g', POPT_ARG_STRING, &grammar_path, 0,
     "grammar (default: pointer-fs, or pointer with --fields insensitive)", "GRAMMAR"},
    {"model", '\0', POPT_ARG_STRING, &model_name, 0,
     "auto, naive, vertex, vertex-indexed, edge, edge-indexed or parallel", "MODEL"},
    {"show", '\0', POPT_ARG_INT, &show, 0, "print N of the aliases found", "N"},
    EXTRACTION_OPTIONS,
    COMMON_OPTIONS};

/* What the summary adds to the counts of extraction. */
typedef struct findings {
    uint64_t alias_pairs; /* unordered, of different vertices */
    uint64_t unresolved;  /* function values called for which no function was found */
    bool has_alias, has_points_to;
} findings;

static uint32_t label_of(const cflr_result *result, const char *question) {
    const char *name = cflr_result_answer(result, question);
    return name[0] ? cflr_result_find_label(result, name) : CFLR_NO_LABEL;
}

static uint64_t count_alias_pairs(const cflr_result *result, uint32_t label) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    uint64_t ordered = 0, cursor = 0, count;
    uint32_t vertex;
    const uint32_t *row;
    for (uint32_t i = 0; i < info.indexes; i++, cursor = 0) {
        while ((row = cflr_result_next_row(result, label, i, &cursor, &vertex, &count))) {
            for (uint64_t k = 0; k < count; k++) ordered += row[k] > vertex;
        }
    }
    return ordered;
}

static cflr_vertex_kind kind_of(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return info.kind;
}

static bool points_to_function(const cflr_result *result, uint32_t label, uint32_t vertex) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t count;
        const uint32_t *row = cflr_result_row(result, label, i, vertex, &count);
        for (uint64_t k = 0; k < count; k++) {
            if (kind_of(cflr_result_graph(result), row[k]) == CFLR_VERTEX_FUNCTION) return true;
        }
    }
    return false;
}

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Vertices with a slot edge are called as functions; those that are no function's own address and
 * point to no function are unresolved. A vertex with several slots counts once. */
static uint64_t count_unresolved(const cflr_result *result, uint32_t points_to) {
    const cflr_graph *graph = cflr_result_graph(result);
    uint32_t *called = NULL, vertex;
    size_t n = 0, capacity = 0, unresolved = 0;
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        if (strcmp(cflr_graph_label_name(graph, label), "s") != 0) continue;
        uint64_t cursor = 0, count;
        while (cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &vertex, &count)) {
            cflr_vertex_kind kind = kind_of(graph, vertex);
            if (kind == CFLR_VERTEX_ADDRESS || kind == CFLR_VERTEX_UNKNOWN) continue;
            if (n == capacity) {
                capacity = capacity ? 2 * capacity : 256;
                uint32_t *grown = realloc(called, capacity * sizeof *called);
                if (!grown) break;
                called = grown;
            }
            called[n++] = vertex;
        }
    }
    if (n) qsort(called, n, sizeof *called, compare_ids);
    for (size_t i = 0; i < n; i++) {
        if (i && called[i] == called[i - 1]) continue;
        unresolved += !points_to_function(result, points_to, called[i]);
    }
    free(called);
    return unresolved;
}

static findings find(const cflr_result *result) {
    findings f = {0};
    uint32_t alias = label_of(result, "alias"), points_to = label_of(result, "points-to");
    f.has_alias = alias != CFLR_NO_LABEL;
    f.has_points_to = points_to != CFLR_NO_LABEL;
    if (f.has_alias) f.alias_pairs = count_alias_pairs(result, alias);
    if (f.has_points_to) f.unresolved = count_unresolved(result, points_to);
    return f;
}

/* A pointer that a reader of the source would name. */
static bool worth_showing(const cflr_vertex_info *info) {
    bool named = info->kind == CFLR_VERTEX_VARIABLE || info->kind == CFLR_VERTEX_PARAMETER ||
                 info->kind == CFLR_VERTEX_DEREFERENCE;
    return named && info->line && info->name[0] && strchr(info->type, '*');
}

/* Prints aliases between different functions, at most one for each pair of functions and one for
 * each first vertex, so that a few lines show many places. */
static void show_aliases(const cflr_result *result, FILE *file) {
    const cflr_graph *graph = cflr_result_graph(result);
    uint32_t label = label_of(result, "alias"), vertex;
    if (label == CFLR_NO_LABEL) return;
    uint64_t cursor = 0, count;
    int shown = 0;
    const uint32_t *row;
    char last_function[128] = "";
    while (shown < show &&
           (row = cflr_result_next_row(result, label, 0, &cursor, &vertex, &count))) {
        cflr_vertex_info a, b;
        cflr_graph_vertex(graph, vertex, &a);
        if (!worth_showing(&a) || strcmp(a.function, last_function) == 0) continue;
        for (uint64_t k = 0; k < count; k++) {
            cflr_graph_vertex(graph, row[k], &b);
            if (row[k] <= vertex || !worth_showing(&b) || strcmp(a.function, b.function) == 0) {
                continue;
            }
            fprintf(file, "%s:%u:%u: %s may alias %s:%u:%u: %s\n", a.file, a.line, a.column, a.name,
                    b.file, b.line, b.column, b.name);
            snprintf(last_function, sizeof last_function, "%s", a.function);
            shown++;
            break;
        }
    }
}

static int print_summary(const cli_loading *l, const cflr_extract_report *report,
                         const char *path) {
    findings f = find(l->result);
    cflr_result_stats stats;
    cflr_result_get_stats(l->result, &stats);
    if (wants_json()) {
        json_t *object = solve_json(l), *extraction = json_object();
        extraction_json(report, extraction);
        json_object_set_new(object, "vertices", json_integer(cflr_graph_vertices(l->graph)));
        json_object_set_new(object, "edges", json_integer((json_int_t)cflr_graph_edges(l->graph)));
        json_object_set_new(object, "alias_pairs", json_integer((json_int_t)f.alias_pairs));
        json_object_set_new(object, "unresolved_calls", json_integer((json_int_t)f.unresolved));
        json_object_set_new(object, "result", json_string(path));
        json_object_set_new(object, "extraction", extraction);
        return print_json(object, 0);
    }
    extraction_text(report, stdout);
    printf("%-24s %14" PRIu32 "\n%-24s %14" PRIu64 "\n", "vertices", cflr_graph_vertices(l->graph),
           "edges", cflr_graph_edges(l->graph));
    if (f.has_alias) printf("%-24s %14" PRIu64 "\n", "alias pairs", f.alias_pairs);
    if (f.has_points_to) printf("%-24s %14" PRIu64 "\n", "unresolved calls", f.unresolved);
    printf("%-24s %14" PRIu64 "%s\n", "pairs in all", stats.pairs,
           stats.complete ? "" : "  (incomplete: a limit was hit)");
    printf("%-24s %14s\n", "result", path);
    if (show > 0) show_aliases(l->result, stdout);
    return finish_output(stdout, 0);
}

static int analyze(const cli_arguments *arguments, cli_loading *l, cflr_extract_report **report,
                   const cflr_solve_opts *opts) {
    cflr_error error;
    char path[4096];
    snprintf(path, sizeof path, "%s", common.output ? common.output : "analysis.cflr");
    double begin = seconds_now();
    if (cflr_grammar_load(session(), grammar_path, CFLR_GRAMMAR_AUTO, &l->grammar, &error) !=
        CFLR_OK) {
        return fail(&error);
    }
    print_diagnostics(l->grammar, grammar_path);
    int code = extraction_run(arguments, &l->graph, report);
    if (code) return code;
    l->seconds_load = seconds_now() - begin;
    cflr_status st = cflr_solve(l->graph, l->grammar, opts, &l->result, &error);
    if (st != CFLR_OK) code = fail(&error);
    if (!l->result) return code;
    begin = seconds_now();
    if (cflr_result_save(l->result, path, &error) != CFLR_OK) return fail(&error);
    l->seconds_write = seconds_now() - begin;
    forget_output(); /* the result is written; the summary goes to standard output */
    int printed = print_summary(l, *report, path);
    return printed ? printed : code;
}

static int run(const cli_arguments *arguments) {
    cli_loading l = {0};
    cflr_extract_report *report = NULL;
    cflr_error error;
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    if (model_name && cflr_model_parse(model_name, &opts.model, &error) != CFLR_OK) {
        return fail(&error);
    }
    if (common.output && strcmp(common.output, "-") == 0) {
        return usage_error("the result of analyze is a file: -o NAME.cflr");
    }
    int code = extraction_check(arguments);
    if (!code) code = session_begin();
    if (code) return code;
    char *chosen = grammar_path;
    static char sensitive[] = "pointer-fs", insensitive[] = "pointer";
    if (!chosen) grammar_path = fields_insensitive() ? insensitive : sensitive;
    code = analyze(arguments, &l, &report, &opts);
    cflr_extract_report_free(report);
    loading_free(&l);
    return code;
}

const command command_analyze = {.name = "analyze",
                                 .operands = "[-p DIR | FILE.c...] [-- FLAGS]",
                                 .summary = "C source in, alias and points-to answers out",
                                 .options = table,
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .takes_flags = true,
                                 .run = run};
