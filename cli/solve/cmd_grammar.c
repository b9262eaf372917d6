/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_grammar.c: `cflr grammar check|show|stats|list`.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/run/writer.h"

static char *grammar_format, *graph_format, *graph_path, *stage_name, *to;
static char **without;

static struct poptOption table[] = {
    OPTION_VALUE("grammar-format", '\0', &grammar_format, "format of GRAMMAR, " GRAMMAR_FORMAT_HELP,
                 "FORMAT"),
    OPTION_VALUE(
        "stage", '\0', &stage_name,
        "show: what to show (default: normal), one of:" CFLR_GRAMMAR_STAGE_LIST(OPTION_WORD),
        "STAGE"),
    OPTION_VALUE("to", '\0', &to,
                 "show: the rules in another tool's format, one of: pocr gracfl svf cfpq",
                 "FORMAT"),
    OPTION_VALUE("graph", '\0', &graph_path,
                 "show: the graph whose indexes are meant (--stage ground or plan, --to gracfl)",
                 "GRAPH"),
    OPTION_LIST("without", '\0', &without, "show: a plan without, " TECHNIQUE_HELP, "TECHNIQUE"),
    OPTION_VALUE("graph-format", '\0', &graph_format, "show: format of --graph, " GRAPH_READ_HELP,
                 "FORMAT"),
    COMMON_OPTIONS};

/* The options as values. */
typedef struct choices {
    cflr_grammar_format from, to;
    cflr_graph_format of_graph;
    cflr_grammar_stage stage;
} choices;

static cflr_status read_choices(choices *c, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *c = (choices){.stage = CFLR_STAGE_NORMAL};
    if (grammar_format) st = cflr_grammar_format_parse(grammar_format, &c->from, error);
    if (st == CFLR_OK && to) st = cflr_grammar_format_parse(to, &c->to, error);
    if (st == CFLR_OK && stage_name) st = cflr_grammar_stage_parse(stage_name, &c->stage, error);
    if (st == CFLR_OK && graph_format) {
        st = cflr_graph_format_parse(graph_format, &c->of_graph, error);
    }
    return st;
}

static void print_diagnostic(FILE *file, const void *of, const void *row) {
    const cflr_diagnostic *d = row;
    fputs(shown(input_name(of)), file);
    if (d->line) fprintf(file, ":%" PRIu32 ":%" PRIu32, d->line, d->column);
    fprintf(file, ": %s\n", shown(d->message));
}

static json_t *diagnostic_json(const void *of, const void *row) {
    const cflr_diagnostic *d = row;
    json_t *object = json_object();
    (void)of;
    json_set_count(object, "line", d->line);
    json_set_count(object, "column", d->column);
    json_set_text(object, "message", d->message);
    return object;
}

static int check(const cflr_grammar *grammar, const char *path) {
    static const row_kind warnings = {"warnings", print_diagnostic, diagnostic_json};
    size_t n = cflr_grammar_diagnostics(grammar);
    writer w = writer_open();
    if (w.json) json_set_text(w.json, "start", cflr_grammar_start(grammar));
    writer_list(&w, &warnings);
    for (size_t i = 0; i < n; i++)
        writer_row(&w, &warnings, path, cflr_grammar_diagnostic(grammar, i));
    if (w.file && !n) fprintf(w.file, "%s: no warnings\n", shown(input_name(path)));
    return writer_close(&w, n ? EXIT_NO : EXIT_YES);
}

static int print_text(const char *text) {
    if (wants_json()) {
        json_t *object = json_object();
        json_set_text(object, "text", text);
        return print_json(object, 0);
    }
    FILE *file = open_output();
    if (file) fputs(text, file);
    return finish_output(file, 0);
}

static int show(const cflr_grammar *grammar, const choices *c) {
    cflr_error error;
    cflr_graph *graph = NULL;
    char *text = NULL;
    cflr_status st = CFLR_OK;
    if (graph_path) st = cflr_graph_load(session(), graph_path, c->of_graph, &graph, &error);
    if (st == CFLR_OK && to)
        st = cflr_grammar_export(grammar, c->to, graph, &text, &error);
    else if (st == CFLR_OK)
        st = cflr_grammar_show(grammar, c->stage, graph, &text, &error);
    int code = st == CFLR_OK ? print_text(text) : fail(&error);
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
        json_set_text(object, "start", cflr_grammar_start(grammar));
        for (size_t i = 0; i < n; i++) json_set_count(object, rows[i].key, rows[i].value);
        return print_json(object, 0);
    }
    FILE *file = open_output();
    if (file) fprintf(file, "%-16s %s\n", "start", shown(cflr_grammar_start(grammar)));
    for (size_t i = 0; file && i < n; i++) {
        fprintf(file, "%-16s %" PRIu32 "\n", rows[i].key, rows[i].value);
    }
    return finish_output(file, 0);
}

/* The first line of a shipped grammar that says what it is: past licence lines and signs of
 * comment. */
static size_t summary_of(const char **text) {
    const char *at = *text;
    for (;;) {
        at += strspn(at, "# \t");
        size_t length = strcspn(at, "\n");
        bool passes = length == 0 || strncmp(at, "SPDX", 4) == 0;
        if (!passes || !at[length]) {
            *text = at;
            return length;
        }
        at += length + 1;
    }
}

/* A row is the name of a shipped grammar. */
static void print_shipped(FILE *file, const void *of, const void *row) {
    const char *text = cflr_grammar_shipped_text(row);
    int length = (int)summary_of(&text);
    (void)of;
    fprintf(file, "%-14s %.*s\n", (const char *)row, length, text);
}

static json_t *shipped_json(const void *of, const void *row) {
    char summary[256];
    const char *text = cflr_grammar_shipped_text(row);
    int length = (int)summary_of(&text);
    json_t *object = json_object();
    (void)of;
    snprintf(summary, sizeof summary, "%.*s", length, text);
    json_set_text(object, "name", row);
    json_set_text(object, "summary", summary);
    return object;
}

static int list(void) {
    static const row_kind grammars = {NULL, print_shipped, shipped_json};
    writer w = writer_open();
    writer_list(&w, &grammars);
    for (size_t i = 0; cflr_grammar_shipped(i); i++)
        writer_row(&w, &grammars, NULL, cflr_grammar_shipped(i));
    return writer_close(&w, 0);
}

/* 0, or the exit code after a message. */
static int check_usage(const char *verb, const char *path) {
    static const char *const verbs[] = {"check", "show", "stats", "list"};
    bool known = false, showing = strcmp(verb, "show") == 0, listing = strcmp(verb, "list") == 0;
    for (size_t i = 0; i < 4; i++) known |= strcmp(verb, verbs[i]) == 0;
    if (!known) return usage_error("no `grammar %s`; there are check, show, stats and list", verb);
    if (!listing && !path) return usage_error("grammar %s needs a grammar", verb);
    if (listing && path) return usage_error("grammar list: unexpected '%s'", path);
    if (!showing && (stage_name || to || graph_path || graph_format)) {
        return usage_error("--stage, --to, --graph and --graph-format go with grammar show");
    }
    if (stage_name && to) return usage_error("--stage or --to, not both");
    if (graph_path && strcmp(graph_path, "-") == 0 && strcmp(path, "-") == 0) {
        return usage_error("standard input cannot be both the grammar and --graph");
    }
    if (without && (!stage_name || strcmp(stage_name, "plan") != 0)) {
        return usage_error("--without goes with grammar show --stage plan");
    }
    if (graph_format && !graph_path) return usage_error("--graph-format goes with --graph");
    return 0;
}

static int run(const cli_arguments *arguments) {
    const char *verb = arguments->operand[0], *path = arguments->operand[1];
    cflr_error error;
    cflr_grammar *grammar = NULL;
    choices c;
    int code = check_usage(verb, path);
    if (code) return code;
    if (read_choices(&c, &error) != CFLR_OK) return fail(&error);
    code = session_begin_without(without);
    if (code || !path) return code ? code : list();
    code = load_grammar(path, c.from, &grammar);
    if (code) return code;
    if (strcmp(verb, "check") == 0)
        code = check(grammar, path);
    else if (strcmp(verb, "show") == 0)
        code = show(grammar, &c);
    else
        code = stats(grammar);
    cflr_grammar_free(grammar);
    return code;
}

const command command_grammar = {
    .name = "grammar",
    .operands = "check|show|stats GRAMMAR, or list",
    .summary = "check a grammar, show its normal form, list the shipped ones",
    .words = "check show stats list",
    .options = table,
    .min_operands = 1,
    .max_operands = 2,
    .run = run};
