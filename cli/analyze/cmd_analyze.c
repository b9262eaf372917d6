/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_analyze.c: `cflr analyze -p DIR`: source in, answers out: extract, solve, summary, result
 * file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/findings.h"
#include "cli/analyze/shown.h"
#include "cli/answer/loading.h"
#include "cli/answer/unresolved.h"
#include "cli/extract/extraction.h"
#include "cli/names/names.h"

static char *grammar_path, *model_name, *show, **only;
static int unresolved;

static struct poptOption table[] = {
    OPTION_VALUE("grammar", 'g', &grammar_path,
                 "grammar (default: pointer-types, or what --aliasing and --fields ask for)",
                 "GRAMMAR"),
    OPTION_VALUE("model", '\0', &model_name, "how to solve, " MODEL_HELP, "MODEL"),
    OPTION_VALUE("show", '\0', &show, "print N of the aliases between functions", "N"),
    OPTION_FLAG("unresolved", '\0', &unresolved,
                "print the calls through pointers for which no function was found, and why"),
    OPTION_LIST("only", '\0', &only,
                "answer this question and no others: alias, points-to or flows (may be repeated)",
                "QUESTION"),
    RULES_OPTION,
    EXTRACTION_OPTIONS,
    COMMON_OPTIONS};

enum { MOST_SHOWN = 1000000, MANY_OBJECTS = 20 /* a pointer: answers are of little use */ };

/* One analysis, step by step. */
typedef struct analysis {
    cli_loading loading;
    cflr_extract_report *report;
    const char *grammar; /* path or name */
    const char *path;    /* of the result file */
    cflr_solve_opts solve;
    const char *only[4]; /* of `solve` */
    cflr_summary found;
    shown_alias *alias; /* of --show */
    size_t n_aliases, most_aliases;
    unresolved_list unresolved;
} analysis;

/* ---- the summary ---- */

static json_t *aliases_json(const analysis *a) {
    json_t *list = json_array();
    for (size_t i = 0; i < a->n_aliases; i++) {
        json_t *pair = json_array();
        json_array_append_new(pair, vertex_json(a->loading.graph, a->alias[i].first));
        json_array_append_new(pair, vertex_json(a->loading.graph, a->alias[i].second));
        json_array_append_new(list, pair);
    }
    return list;
}

static int print_json_summary(const analysis *a) {
    json_t *object = solve_json(&a->loading), *extraction = json_object();
    extraction_json(a->report, extraction);
    json_set_count(object, "vertices", cflr_graph_vertices(a->loading.graph));
    json_set_count(object, "edges", cflr_graph_edges(a->loading.graph));
    if (a->found.has_alias) json_set_count(object, "alias_pairs", a->found.alias_pairs);
    if (a->found.has_points_to) {
        json_set_count(object, "pointing", a->found.pointers);
        json_set_count(object, "pointees", a->found.objects);
        json_set_count(object, "sharing_pointers", a->found.sharing);
        json_set_count(object, "shared_objects", a->found.shared);
        json_set_count(object, "called_values", a->found.called);
        json_set_count(object, "resolved_values", a->found.resolved);
        json_set_count(object, "callees", a->found.callees);
        json_set_count(object, "unresolved_calls", a->unresolved.n);
    }
    if (unresolved)
        json_set(object, "unresolved", unresolved_json(&a->unresolved, a->loading.graph));
    if (show) json_set(object, "aliases", aliases_json(a));
    json_set_text(object, "result", a->path);
    json_set(object, "extraction", extraction);
    return print_json(object, 0);
}

static void print_pointer(FILE *file, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    print_place(file, info.file, info.line, info.column);
    fprintf(file, ": %s", info.name);
}

static int print_text_summary(const analysis *a) {
    const cflr_graph *graph = a->loading.graph;
    cflr_result_stats stats;
    cflr_result_get_stats(a->loading.result, &stats);
    FILE *file = open_output();
    extraction_text(a->report, file);
    print_count(file, "vertices", cflr_graph_vertices(graph));
    print_count(file, "edges", cflr_graph_edges(graph));
    if (a->found.has_alias) print_count(file, "alias pairs", a->found.alias_pairs);
    if (a->found.has_points_to) {
        double pointers = a->found.pointers ? (double)a->found.pointers : 1;
        fprintf(file, "%-24s %14.1f\n", "objects a pointer", (double)a->found.objects / pointers);
        fprintf(file, "%-24s %14.0f  %% of the pointers, %" PRIu64 " objects\n", "share one set",
                100 * (double)a->found.sharing / pointers, a->found.shared);
        print_count(file, "unresolved calls", a->unresolved.n);
    }
    fprintf(file, "%-24s %14" PRIu64 "%s\n", "pairs in all", stats.pairs,
            stats.complete ? "" : "  (incomplete: stopped early)");
    fprintf(file, "%-24s %14s\n", "result", shown(a->path));
    if (unresolved) unresolved_print(&a->unresolved, graph, file);
    for (size_t i = 0; i < a->n_aliases; i++) {
        print_pointer(file, graph, a->alias[i].first);
        fputs(" may alias ", file);
        print_pointer(file, graph, a->alias[i].second);
        fputc('\n', file);
    }
    return finish_output(file, 0);
}

static int summarize(analysis *a) {
    const cflr_result *result = a->loading.result;
    cflr_error error;
    cflr_status st = cflr_summary_make(result, &a->found, &error);
    if (st != CFLR_OK && !out_of_time()) return fail(&error);
    int code = a->found.has_points_to ? unresolved_find(result, &a->unresolved) : 0;
    if (code) return code;
    a->alias = calloc(a->most_aliases + 1, sizeof *a->alias);
    if (!a->alias) return fail_memory();
    code = choose_aliases(result, a->alias, a->most_aliases, &a->n_aliases);
    if (code) return code;
    forget_output(); /* the result is written; the summary goes to standard output */
    bool cut = st != CFLR_OK || out_of_time();
    code = wants_json() ? print_json_summary(a) : print_text_summary(a);
    if (cut) return code ? code : fail_out_of_time("not all of the result is counted");
    suggest_questions(result, a->path);
    if (a->found.objects > MANY_OBJECTS * a->found.pointers)
        remark("why so many objects a pointer: cflr explain --imprecision %s", shown(a->path));
    return code;
}

/* ---- the steps ---- */

static bool is_asked(const char *question) {
    return !only || list_has(only, question);
}

/* 0, or the exit code after a message: the grammar must answer what --only names. */
static int check_questions(const cflr_grammar *grammar) {
    for (size_t i = 0; only && only[i]; i++)
        if (!cflr_grammar_answer(grammar, only[i])[0])
            return usage_error("--only %s: the grammar has no `%%answer %s`", only[i], only[i]);
    return 0;
}

/* The symbols from which `cflr query` is answered. Others, which help to derive these, take several
 * times their memory; a user of those extracts and solves. */
static void choose_symbols(analysis *a) {
    static const char *const question[] = {"alias", "points-to", "flows"};
    const cflr_grammar *grammar = a->loading.grammar;
    a->solve.n_only = 0;
    if (!only) a->only[a->solve.n_only++] = cflr_grammar_start(grammar);
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        const char *symbol = cflr_grammar_needs(grammar, question[i]);
        if (symbol[0] && is_asked(question[i])) a->only[a->solve.n_only++] = symbol;
    }
    a->solve.only = a->only;
}

static int close_graph(analysis *a) {
    cflr_error error;
    cli_loading *l = &a->loading;
    int code = 0;
    choose_symbols(a);
    a->solve.time_kept = time_kept();
    cflr_status st = cflr_solve(l->graph, l->grammar, &a->solve, &l->result, &error);
    if (st != CFLR_OK) code = fail(&error);
    if (!l->result) return code;
    double begin = seconds_now();
    if (cflr_result_save(l->result, a->path, &error) != CFLR_OK) return fail(&error);
    l->seconds_write = seconds_now() - begin;
    int printed = summarize(a);
    return printed ? printed : code;
}

/* 0, or the exit code after a message. */
static int load_answering_grammar(analysis *a) {
    cli_loading *l = &a->loading;
    int code = load_grammar(a->grammar, CFLR_GRAMMAR_AUTO, &l->grammar);
    if (code) return code;
    print_diagnostics(l->grammar, a->grammar);
    code = check_questions(l->grammar);
    if (code) return code;
    if (show && !cflr_grammar_answer(l->grammar, "alias")[0]) {
        remark("warning: --show has nothing to show: the grammar has no `%%answer alias`");
    } else if (show && !is_asked("alias")) {
        remark("warning: --show has nothing to show: --only leaves aliases out");
    }
    if (unresolved && !(cflr_grammar_answer(l->grammar, "points-to")[0] && is_asked("points-to")))
        remark("warning: --unresolved has nothing to print: the result does not answer points-to");
    return 0;
}

static int analyze(const cli_arguments *arguments, analysis *a) {
    cli_loading *l = &a->loading;
    double begin = seconds_now();
    int code = a->grammar ? load_answering_grammar(a) : 0;
    if (!code) code = extraction_run(arguments, false, &l->graph, &a->report);
    if (!code && !a->grammar) {
        a->grammar = default_grammar(l->graph);
        code = load_answering_grammar(a);
    }
    l->seconds_load = seconds_now() - begin;
    if (code) return code;
    code = check_locations(l->graph, l->grammar);
    if (code) return code;
    warn_open_program(l);
    return close_graph(a);
}

/* 0, or the exit code after a message. */
static int read_choices(analysis *a) {
    cflr_error error;
    uint64_t most = 0;
    cflr_solve_opts_init(&a->solve);
    if (model_name && cflr_model_parse(model_name, &a->solve.model, &error) != CFLR_OK) {
        return fail(&error);
    }
    if (show && !parse_count(show, MOST_SHOWN, &most)) {
        return usage_error("--show %s: a number of aliases up to %d", show, MOST_SHOWN);
    }
    a->most_aliases = (size_t)most;
    if (common.output && output_is_standard()) {
        return usage_error("the result of analyze is a file: -o NAME.cflr");
    }
    a->path = common.output ? common.output : "analysis.cflr";
    a->grammar = grammar_path;
    if (!a->grammar) extraction_default_aliasing();
    return 0;
}

static int run(const cli_arguments *arguments) {
    analysis a = {0};
    int code = read_choices(&a);
    if (!code) code = extraction_check(arguments, false);
    if (!code) code = check_writable(a.path);
    if (!code) code = session_begin();
    if (code) return code;
    code = extraction_verdict(a.report, analyze(arguments, &a));
    free(a.alias);
    free(a.unresolved.at);
    cflr_extract_report_free(a.report);
    loading_free(&a.loading);
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
