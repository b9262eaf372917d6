/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_grammar.c: `cflr grammar check|show|stats|list`.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"

static char *grammar_format, *graph_format, *graph_path, *stage_name, *to;

static struct poptOption table[] = {
    {"grammar-format", '\0', POPT_ARG_STRING, &grammar_format, 0,
     "auto, cflr, pocr, gracfl, svf or cfpq", "FORMAT"},
    {"stage", '\0', POPT_ARG_STRING, &stage_name, 0,
     "show: rules, expanded, normal (default), index or ground", "STAGE"},
    {"to", '\0', POPT_ARG_STRING, &to, 0,
     "show: the rules in another tool's format: pocr, gracfl, svf or cfpq", "FORMAT"},
    {"graph", '\0', POPT_ARG_STRING, &graph_path, 0,
     "show: the graph whose indexes are meant (--stage ground, --to gracfl)", "GRAPH"},
    {"graph-format", '\0', POPT_ARG_STRING, &graph_format, 0,
     "auto, tsv, cflg, pocr, gracfl, cfpq, souffle, mtx or dimacs", "FORMAT"},
    COMMON_OPTIONS};

static json_t *diagnostics_json(const cflr_grammar *grammar) {
    json_t *list = json_array();
    for (size_t i = 0; i < cflr_grammar_diagnostics(grammar); i++) {
        const cflr_diagnostic *d = cflr_grammar_diagnostic(grammar, i);
        json_t *object = json_object();
        json_object_set_new(object, "line", json_integer(d->line));
        json_object_set_new(object, "column", json_integer(d->column));
        json_object_set_new(object, "message", json_string(d->message));
        json_array_append_new(list, object);
    }
    return list;
}

static int check(const cflr_grammar *grammar, const char *path) {
    size_t n = cflr_grammar_diagnostics(grammar);
    int code = n ? EXIT_NO : EXIT_YES;
    if (wants_json()) {
        json_t *object = json_object();
        json_object_set_new(object, "start", json_string(cflr_grammar_start(grammar)));
        json_object_set_new(object, "warnings", diagnostics_json(grammar));
        return print_json(object, code);
    }
    FILE *file = open_output();
    for (size_t i = 0; file && i < n; i++) {
        const cflr_diagnostic *d = cflr_grammar_diagnostic(grammar, i);
        fprintf(file, "%s:%" PRIu32 ":%" PRIu32 ": %s\n", path, d->line, d->column, d->message);
    }
    if (file && !n) fprintf(file, "%s: no warnings\n", path);
    return finish_output(file, code);
}

static int show(const cflr_grammar *grammar) {
    cflr_error error;
    cflr_grammar_stage stage = CFLR_STAGE_NORMAL;
    cflr_grammar_format format = CFLR_GRAMMAR_AUTO;
    cflr_graph_format of_graph = CFLR_GRAPH_AUTO;
    cflr_graph *graph = NULL;
    char *text = NULL;
    cflr_status st = CFLR_OK;
    if (stage_name) st = cflr_grammar_stage_parse(stage_name, &stage, &error);
    if (st == CFLR_OK && to) st = cflr_grammar_format_parse(to, &format, &error);
    if (st == CFLR_OK && graph_format)
        st = cflr_graph_format_parse(graph_format, &of_graph, &error);
    if (st == CFLR_OK && graph_path) {
        st = cflr_graph_load(session(), graph_path, of_graph, &graph, &error);
    }
    if (st == CFLR_OK && to)
        st = cflr_grammar_export(grammar, format, graph, &text, &error);
    else if (st == CFLR_OK)
        st = cflr_grammar_show(grammar, stage, graph, &text, &error);
    int code = 0;
    if (st != CFLR_OK) {
        code = fail(&error);
    } else if (wants_json()) {
        code = print_json(json_pack("{s:s}", "text", text), 0);
    } else {
        FILE *file = open_output();
        if (file) fputs(text, file);
        code = finish_output(file, 0);
    }
    cflr_text_free(session(), text);
    cflr_graph_free(graph);
    return code;
}

static int stats(const cflr_grammar *grammar) {
    cflr_grammar_stats s;
    cflr_grammar_get_stats(grammar, &s);
    const struct {
        const char *key;
        uint32_t value;
    } rows[] = {{"terminals", s.terminals},
                {"nonterminals", s.nonterminals},
                {"auxiliaries", s.auxiliaries},
                {"user_rules", s.user_rules},
                {"epsilon_rules", s.epsilon_rules},
                {"unary_rules", s.unary_rules},
                {"binary_rules", s.binary_rules},
                {"converse_rules", s.converse_rules},
                {"indexed_symbols", s.indexed_symbols}};
    size_t n = sizeof rows / sizeof *rows;
    if (wants_json()) {
        json_t *object = json_object();
        json_object_set_new(object, "start", json_string(cflr_grammar_start(grammar)));
        for (size_t i = 0; i < n; i++) {
            json_object_set_new(object, rows[i].key, json_integer(rows[i].value));
        }
        return print_json(object, 0);
    }
    FILE *file = open_output();
    if (file) fprintf(file, "%-16s %s\n", "start", cflr_grammar_start(grammar));
    for (size_t i = 0; file && i < n; i++) {
        fprintf(file, "%-16s %" PRIu32 "\n", rows[i].key, rows[i].value);
    }
    return finish_output(file, 0);
}

static int list(void) {
    json_t *names = json_array();
    FILE *file = wants_json() ? NULL : open_output();
    for (size_t i = 0; cflr_grammar_shipped(i); i++) {
        const char *name = cflr_grammar_shipped(i);
        const char *text = cflr_grammar_shipped_text(name);
        while (*text == '#' || *text == ' ') text++;
        json_array_append_new(names, json_string(name));
        if (file) fprintf(file, "%-14s %.*s\n", name, (int)strcspn(text, "\n"), text);
    }
    if (wants_json()) return print_json(names, 0);
    json_decref(names);
    return finish_output(file, 0);
}

static int run(const cli_arguments *arguments) {
    const char *verb = arguments->operand[0], *path = arguments->operand[1];
    static const char *const verbs[] = {"check", "show", "stats", "list"};
    bool listing = strcmp(verb, "list") == 0;
    bool known = false;
    for (size_t i = 0; i < 4; i++) known |= strcmp(verb, verbs[i]) == 0;
    if (!known) return usage_error("no `grammar %s`; there are check, show, stats and list", verb);
    if (!listing && !path) return usage_error("grammar %s needs a grammar", verb);
    if (listing && path) return usage_error("grammar list: unexpected '%s'", path);
    cflr_error error;
    cflr_grammar *grammar = NULL;
    cflr_grammar_format format = CFLR_GRAMMAR_AUTO;
    if (grammar_format && cflr_grammar_format_parse(grammar_format, &format, &error) != CFLR_OK) {
        return fail(&error);
    }
    int code = session_begin();
    if (code || listing) return code ? code : list();
    if (cflr_grammar_load(session(), path, format, &grammar, &error) != CFLR_OK) {
        return fail(&error);
    }
    if (strcmp(verb, "check") == 0)
        code = check(grammar, path);
    else if (strcmp(verb, "show") == 0)
        code = show(grammar);
    else
        code = stats(grammar);
    cflr_grammar_free(grammar);
    return code;
}

const command command_grammar = {
    .name = "grammar",
    .operands = "check|show|stats GRAMMAR, or list",
    .summary = "check a grammar, show its normal form, list the shipped ones",
    .options = table,
    .min_operands = 1,
    .max_operands = 2,
    .run = run};
