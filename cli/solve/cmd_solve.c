/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_solve.c: `cflr solve -g GRAMMAR GRAPH`: closes a graph and prints counts or pairs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/answer/loading.h"
#include "cli/run/plot.h"
#include "cli/solve/questions.h"
#include "cli/solve/stats_plot.h"

static char *grammar_path, *grammar_format, *graph_format, *model_name, *pairs_format;
static char **labels, **only, **without, **from, **to, *pairs_path;
static char *work, *resume, *checkpoint, *parts, *one_slice, *device, *device_memory, *gpus,
    *plot_path;
static int verify, show_stats;

static struct poptOption table[] = {
    OPTION_VALUE("grammar", 'g', &grammar_path,
                 "grammar file, or the name of a shipped one (`cflr grammar list`)", "GRAMMAR"),
    OPTION_VALUE("grammar-format", '\0', &grammar_format, "format of GRAMMAR, " GRAMMAR_FORMAT_HELP,
                 "FORMAT"),
    OPTION_VALUE("graph-format", '\0', &graph_format, "format of GRAPH, " GRAPH_READ_HELP,
                 "FORMAT"),
    OPTION_VALUE("model", '\0', &model_name, "how to solve, " MODEL_HELP, "MODEL"),
    OPTION_FLAG("verify", '\0', &verify, "check the result; exit 1 when it is wrong"),
    OPTION_FLAG("stats", '\0', &show_stats,
                "count and time each rule, tell what symbols take, and account for memory"),
    OPTION_VALUE("plot", '\0', &plot_path,
                 "with --stats: draw these figures: .svg, or .vl.json for Vega-Lite", "FILE"),
    OPTION_VALUE("export", '\0', &pairs_format,
                 "write the pairs of the start symbol, or of --label, " GRAPH_WRITE_HELP, "FORMAT"),
    OPTION_LIST("only", '\0', &only, "compute this symbol and no others (may be repeated)",
                "SYMBOL"),
    OPTION_LIST("from", '\0', &from, "only pairs from this vertex (may be repeated)", "VERTEX"),
    OPTION_LIST("to", '\0', &to, "only pairs to this vertex (may be repeated)", "VERTEX"),
    OPTION_VALUE("pairs", '\0', &pairs_path, "only these pairs: two vertices a line; - for stdin",
                 "FILE"),
    OPTION_LIST("without", '\0', &without, "let batch do without, " TECHNIQUE_HELP, "TECHNIQUE"),
    OPTION_VALUE("work", '\0', &work, "keep checkpoints in DIR until the closure is whole", "DIR"),
    OPTION_VALUE("resume", '\0', &resume, "go on from the last checkpoint in DIR", "DIR"),
    OPTION_VALUE("checkpoint", '\0', &checkpoint, "make a checkpoint so often (default 60s)",
                 "TIME"),
    OPTION_VALUE("parts", '\0', &parts, "close in N slices of targets, one of them in memory", "N"),
    OPTION_VALUE("slice", '\0', &one_slice,
                 "only slice I of N, for cflr merge: the pairs with targets there", "I/N"),
    OPTION_VALUE("device", '\0', &device, "where to solve, one of: auto cpu gpu", "DEVICE"),
    OPTION_VALUE("device-memory", '\0', &device_memory,
                 "on a GPU: take so much of its memory at most", "SIZE"),
    OPTION_VALUE("gpus", '\0', &gpus, "rows may be in the memory of so many GPUs", "N"),
    OPTION_LIST("label", '\0', &labels, "with --export: this symbol (may be repeated)", "SYMBOL"),
    COMMON_OPTIONS};

/* The options as values. */
typedef struct choices {
    cflr_grammar_format grammar;
    cflr_graph_format graph, pairs;
    cflr_solve_opts solve;
} choices;

static cflr_status read_choices(choices *c, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *c = (choices){0};
    cflr_solve_opts_init(&c->solve);
    c->solve.only = (const char *const *)only;
    c->solve.n_only = list_length(only);
    c->solve.stats = show_stats;
    if (grammar_format) st = cflr_grammar_format_parse(grammar_format, &c->grammar, error);
    if (st == CFLR_OK && graph_format) st = cflr_graph_format_parse(graph_format, &c->graph, error);
    if (st == CFLR_OK && pairs_format) st = cflr_graph_format_parse(pairs_format, &c->pairs, error);
    if (st == CFLR_OK && model_name) st = cflr_model_parse(model_name, &c->solve.model, error);
    return st;
}

/* Every --label and --only must be a symbol of the grammar: 0, or the exit code after a message. */
static int check_symbols(const cflr_grammar *grammar, const char *option, char **symbols) {
    for (size_t i = 0; symbols && symbols[i]; i++) {
        if (cflr_grammar_has_symbol(grammar, symbols[i])) continue;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(symbols[i], "["), symbols[i]);
        if (strchr(symbols[i], '[') && cflr_grammar_has_symbol(grammar, name)) {
            complain("--%s %s: say --%s %s, for all its indexes", option, symbols[i], option, name);
        } else {
            complain("--%s %s: the grammar has no such symbol", option, symbols[i]);
        }
        return EXIT_USAGE;
    }
    return 0;
}

/* 0, or the exit code after a message. */
static int load(const char *path, const choices *c, cli_loading *l) {
    cflr_error error;
    double begin = seconds_now();
    int code = load_grammar(grammar_path, c->grammar, &l->grammar);
    if (!code) {
        print_diagnostics(l->grammar, grammar_path);
        code = check_symbols(l->grammar, "label", labels);
        if (!code) code = check_symbols(l->grammar, "only", only);
    }
    if (code) return code;
    if (cflr_graph_load(session(), path, c->graph, &l->graph, &error) != CFLR_OK)
        return fail_reading(&error, path, INPUT_GRAPH);
    code = check_locations(l->graph, l->grammar);
    if (code) return code;
    warn_open_program(l);
    l->seconds_load = seconds_now() - begin;
    return 0;
}

/* ---- checking ---- */

static json_t *verify_json(const cflr_verify_report *report) {
    json_t *object = json_object();
    json_set(object, "by_reference", json_boolean(report->by_reference));
    json_set_count(object, "pairs_checked", report->pairs_checked);
    json_set_count(object, "joins_checked", report->joins_checked);
    json_set_count(object, "missing", report->missing);
    json_set_count(object, "underivable", report->underivable);
    json_set_count(object, "unsettled", report->unsettled);
    json_set_text(object, "first_failure", report->first_failure);
    return object;
}

/* 0, EXIT_NO when the result is wrong, or a failure. *checked is owned by the caller, NULL on
 * failure. */
static int check(const cli_loading *l, json_t **checked) {
    cflr_verify_report report;
    cflr_error error;
    if (cflr_verify(l->graph, l->grammar, l->result, 0, &report, &error) != CFLR_OK) {
        complain("the result could not be verified: %s", error.message);
        return cflr_status_exit_code(error.code);
    }
    *checked = verify_json(&report);
    remark("verified %" PRIu64 " pairs %s: %" PRIu64 " missing, %" PRIu64 " not derivable, %" PRIu64
           " unsettled",
           report.pairs_checked, report.by_reference ? "against the reference" : "on samples",
           report.missing, report.underivable, report.unsettled);
    if (report.missing + report.underivable == 0) return 0;
    complain("the result is wrong: %s", report.first_failure);
    return EXIT_NO;
}

/* ---- writing ---- */

/* Numbers of the symbols of --label, freed by the caller; NULL: out of memory. */
static uint32_t *find_labels(const cflr_result *result, size_t *n) {
    *n = list_length(labels);
    uint32_t *found = calloc(*n + 1, sizeof *found);
    for (size_t i = 0; found && i < *n; i++) {
        found[i] = cflr_result_find_label(result, labels[i]);
    }
    return found;
}

static int write_pairs(const cli_loading *l, cflr_graph_format format) {
    cflr_error error;
    size_t n;
    uint32_t *found = find_labels(l->result, &n);
    if (!found) return fail_memory();
    cflr_status st =
        cflr_result_export(l->result, n ? found : NULL, n, output_path(), format, &error);
    int code = st == CFLR_OK ? 0 : fail(&error);
    free(found);
    return code;
}

static int write_result(const cli_loading *l) {
    cflr_error error;
    if (cflr_result_save(l->result, output_path(), &error) == CFLR_OK) return 0;
    return fail(&error);
}

/* One line of the table; `size` is NULL without --stats. */
static void print_symbol(FILE *file, const cflr_result_label *label, const cflr_result_size *size) {
    fprintf(file, "%-24s %14" PRIu64 " %14" PRIu64, shown(label->name), label->pairs, label->rows);
    if (size) fprintf(file, " %14" PRIu64 " %14" PRIu64, size->distinct_rows, size->bytes);
    fputc('\n', file);
}

static void print_rules(FILE *file, const cflr_result *result) {
    if (!cflr_result_rules(result)) return;
    fprintf(file, "\n%-48s %14s %14s %12s\n", "rule", "tried", "new", "seconds");
    for (size_t i = 0; i < cflr_result_rules(result); i++) {
        cflr_result_rule rule;
        cflr_result_get_rule(result, i, &rule);
        fprintf(file, "%-48s %14" PRIu64 " %14" PRIu64 " %12.6f\n", rule.text, rule.tried,
                rule.fresh, rule.seconds);
    }
}

/* Owners that have nothing are left out. */
static void print_accounts(FILE *file, const cflr_result *result) {
    if (cflr_result_accounts(result)) fprintf(file, "\n%-48s %14s\n", "memory", "bytes");
    for (size_t i = 0; i < cflr_result_accounts(result); i++) {
        cflr_result_account a;
        cflr_result_get_account(result, i, &a);
        fprintf(file, "%-48s %14" PRIu64 "\n", a.text, a.bytes);
        for (int o = 0; cflr_owner_word((cflr_owner)o); o++) {
            uint64_t bytes = cflr_result_account_bytes(result, i, (cflr_owner)o);
            if (bytes) {
                fprintf(file, "  %-46s %14" PRIu64 "\n", cflr_owner_word((cflr_owner)o), bytes);
            }
        }
        fprintf(file,
                "  peak %" PRIu64 "; %" PRIu64 " nodes, %" PRIu64 " flows, %" PRIu64
                " sets of %" PRIu64 " targets, %" PRIu64 " tree nodes\n",
                a.peak, a.nodes, a.flows, a.sets, a.set_ids, a.tree_nodes);
    }
}

/* 0, or the exit code after a message. */
static int measure(const cflr_result *result, uint32_t label, cflr_result_size *size) {
    cflr_error error;
    return cflr_result_measure(result, label, size, &error) == CFLR_OK ? 0 : fail(&error);
}

/* The symbol that --pairs asks about. */
static uint32_t asked_label(const cflr_result *result) {
    return only ? cflr_result_find_label(result, only[0]) : cflr_result_start(result);
}

static int print_answers(const cli_loading *l, const questions *q) {
    FILE *file = open_output();
    questions_print(q, l->result, asked_label(l->result), file);
    return finish_output(file, 0);
}

/* At a terminal, or with -v: what scripts keep of standard error is the same for each run. */
static void tell_time(const cflr_result_stats *stats) {
    if (!stats->complete || (!common.verbose && !on_terminal())) return;
    remark("%s, %d thread%s, %.2f s", cflr_model_name(stats->model), stats->threads,
           stats->threads == 1 ? "" : "s", stats->seconds_solve);
}

static int print_counts(const cli_loading *l) {
    int code = 0;
    FILE *file = open_output();
    fprintf(file, "%-24s %14s %14s", "symbol", "pairs", "rows");
    fprintf(file, show_stats ? " %14s %14s\n" : "\n", "distinct rows", "bytes");
    for (uint32_t i = 0; !code && i < cflr_result_labels(l->result); i++) {
        cflr_result_label label;
        cflr_result_size size;
        cflr_result_get_label(l->result, i, &label);
        if (common.quiet && label.pairs == 0) continue;
        if (show_stats) code = measure(l->result, i, &size);
        if (!code) print_symbol(file, &label, show_stats ? &size : NULL);
    }
    cflr_result_stats stats;
    cflr_result_get_stats(l->result, &stats);
    char slice[SLICE_TEXT];
    fprintf(file, "%-24s %14" PRIu64, "all", stats.pairs);
    if (describe_slice(l->result, slice, sizeof slice)) {
        fprintf(file, "  (%s)\n", slice);
    } else {
        fputs(stats.complete ? "\n" : "  (incomplete: stopped early)\n", file);
    }
    if (show_stats) {
        print_rules(file, l->result);
        print_accounts(file, l->result);
    }
    code = finish_output(file, code);
    if (!code) tell_time(&stats);
    return code;
}

static json_t *rules_json(const cflr_result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < cflr_result_rules(result); i++) {
        cflr_result_rule rule;
        cflr_result_get_rule(result, i, &rule);
        json_t *object = json_object();
        json_set_text(object, "rule", rule.text);
        json_set_count(object, "tried", rule.tried);
        json_set_count(object, "new", rule.fresh);
        json_set(object, "seconds", json_real(rule.seconds));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *accounts_json(const cflr_result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < cflr_result_accounts(result); i++) {
        cflr_result_account account;
        cflr_result_get_account(result, i, &account);
        json_t *object = json_object(), *owners = json_object();
        json_set_text(object, "at", account.text);
        json_set_count(object, "bytes", account.bytes);
        json_set_count(object, "peak", account.peak);
        json_set_count(object, "nodes", account.nodes);
        json_set_count(object, "flows", account.flows);
        json_set_count(object, "sets", account.sets);
        json_set_count(object, "set_ids", account.set_ids);
        json_set_count(object, "tree_nodes", account.tree_nodes);
        for (int o = 0; cflr_owner_word((cflr_owner)o); o++) {
            json_set_count(owners, cflr_owner_word((cflr_owner)o),
                           cflr_result_account_bytes(result, i, (cflr_owner)o));
        }
        json_set(object, "owners", owners);
        json_array_append_new(list, object);
    }
    return list;
}

/* Adds to the counts the figures of --stats. 0, or the exit code after a message. */
static int add_stats(const cflr_result *result, json_t *object) {
    json_t *symbols = json_object_get(object, "labels");
    for (uint32_t i = 0; i < cflr_result_labels(result); i++) {
        cflr_result_label label;
        cflr_result_size size;
        cflr_result_get_label(result, i, &label);
        int code = measure(result, i, &size);
        if (code) return code;
        json_t *symbol = json_object_get(symbols, label.name);
        json_set_count(symbol, "distinct_rows", size.distinct_rows);
        json_set_count(symbol, "bytes", size.bytes);
    }
    json_set(object, "rules", rules_json(result));
    json_set(object, "memory", accounts_json(result));
    return 0;
}

/* Do the pairs, or the result (`-o -`), go to standard output? */
static bool standard_output_is_taken(void) {
    return output_is_standard() && (pairs_format || common.output);
}

/* Writes what was asked for, then the counts where there is room. checked: NULL for none. */
static int write_all(cli_loading *l, const choices *c, const questions *q, json_t *checked) {
    bool taken = standard_output_is_taken();
    int written = 0;
    double begin = seconds_now();
    if (taken) clear_progress();
    if (pairs_format)
        written = write_pairs(l, c->pairs);
    else if (common.output)
        written = write_result(l);
    l->seconds_write = seconds_now() - begin;
    if (written || taken) return written;
    forget_output(); /* from here on: the counts, on standard output */
    if (!wants_json()) return pairs_path ? print_answers(l, q) : print_counts(l);
    json_t *object = solve_json(l);
    if (pairs_path) {
        json_set(object, "answers", questions_json(q, l->result, asked_label(l->result)));
    }
    if (checked) json_set(object, "verify", json_incref(checked));
    written = show_stats ? add_stats(l->result, object) : 0;
    return print_json(object, written);
}

/* ---- the command ---- */

/* The first --label that was given before, or NULL. */
static const char *repeated_label(void) {
    for (size_t i = 0; labels && labels[i]; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(labels[i], labels[k]) == 0) return labels[i];
        }
    }
    return NULL;
}

/* The first --label that --only leaves out, or NULL. */
static const char *label_not_computed(void) {
    for (size_t i = 0; only && labels && labels[i]; i++)
        if (!list_has(only, labels[i])) return labels[i];
    return NULL;
}

/* Of --from, --to and --pairs. */
static int check_questions(const char *graph_path) {
    bool asked = from || to || pairs_path, standard = pairs_path && strcmp(pairs_path, "-") == 0;
    if (pairs_path && (from || to)) return usage_error("--pairs goes without --from and --to");
    if (pairs_path && only && only[1])
        return usage_error("--pairs asks about one symbol: one --only");
    if (asked && labels && !only) {
        return usage_error("a question is about the start symbol, or those of --only: no --label");
    }
    if (!asked && model_name && strcmp(model_name, cflr_model_name(CFLR_MODEL_DEMAND)) == 0) {
        return usage_error("--model demand needs a question: --from, --to or --pairs");
    }
    if (standard && (strcmp(grammar_path, "-") == 0 || strcmp(graph_path, "-") == 0)) {
        return usage_error("standard input cannot be the pairs and something else, too");
    }
    return 0;
}

/* Of --slice I/N. */
static int read_slice(uint64_t *self, uint64_t *n) {
    char text[32];
    size_t length = strcspn(one_slice, "/");
    if (parts) return usage_error("--slice I/N tells the number of parts: it goes without --parts");
    if (!one_slice[length] || length >= sizeof text) length = 0;
    snprintf(text, sizeof text, "%.*s", (int)length, one_slice);
    bool read = length && parse_count(text, UINT32_MAX, self) &&
                parse_count(one_slice + length + 1, UINT32_MAX, n);
    if (!read || !*self || *self > *n) return usage_error("--slice %s: as 3/8", one_slice);
    return 0;
}

/* Of --work, --resume, --checkpoint, --parts and --slice. */
static int check_disk(choices *c) {
    uint64_t n = 0, self = 0;
    int code = one_slice ? read_slice(&self, &n) : 0;
    if (code) return code;
    if (work && resume)
        return usage_error("--resume DIR works in DIR, too: it goes without --work");
    if (checkpoint && !work && !resume)
        return usage_error("--checkpoint goes with --work or --resume");
    if (checkpoint &&
        (!parse_duration(checkpoint, &c->solve.checkpoint) || c->solve.checkpoint <= 0)) {
        return usage_error("--checkpoint %s: a duration is a number and s, m or h", checkpoint);
    }
    if (parts && (!parse_count(parts, UINT32_MAX, &n) || n == 0)) {
        return usage_error("--parts %s: a number from 1", parts);
    }
    if ((work || resume || parts || one_slice) && cflr_ranks_started(NULL) > 1) {
        return usage_error("several processes have no work directory, and no parts on disk");
    }
    c->solve.work = resume ? resume : work;
    c->solve.resume = resume;
    c->solve.parts = (uint32_t)n;
    c->solve.slice = (uint32_t)self;
    return 0;
}

static int check_device(choices *c) {
    int code = read_device(device, &c->solve.device);
    if (!code) code = read_count("gpus", gpus, 1, UINT32_MAX, &c->solve.gpus);
    return code ? code : read_size("device-memory", device_memory, &c->solve.device_memory);
}

static int check_usage(const char *graph_path) {
    if (!grammar_path) return usage_error("solve needs -g GRAMMAR");
    if (plot_path && !show_stats) return usage_error("--plot goes with --stats");
    if (labels && !pairs_format) return usage_error("--label goes with --export");
    if (label_not_computed()) {
        return usage_error("--label %s is not among those of --only", label_not_computed());
    }
    if (repeated_label()) return usage_error("--label %s is given twice", repeated_label());
    if (strcmp(grammar_path, "-") == 0 && strcmp(graph_path, "-") == 0) {
        return usage_error("standard input cannot be both the grammar and the graph");
    }
    bool reads_standard = strcmp(grammar_path, "-") == 0 || strcmp(graph_path, "-") == 0 ||
                          (pairs_path && strcmp(pairs_path, "-") == 0);
    if (reads_standard && cflr_ranks_started(NULL) > 1) {
        return usage_error("several processes cannot read standard input: name a file");
    }
    if (standard_output_is_taken() && wants_json()) {
        return usage_error("--format json: standard output is taken; name a file with -o");
    }
    return check_questions(graph_path);
}

static int check_target(const choices *c) {
    int code = plot_path ? plot_check(plot_path) : 0;
    if (code) return code;
    return pairs_format ? check_graph_target(output_path(), c->pairs)
                        : check_writable(output_path());
}

static void tell_of_work(const choices *c) {
    const char *path = c->solve.work;
    char manifest[4200] = "";
    if (path) snprintf(manifest, sizeof manifest, "%s/manifest", path);
    if (path && access(manifest, F_OK) == 0) {
        remark("the last checkpoint is kept in %s: --resume %s goes on", shown(path), shown(path));
    }
}

static int solve(const char *path, choices *c, questions *q, cli_loading *l) {
    cflr_error error;
    json_t *checked = NULL;
    int verdict = 0, code = rank_number() ? 0 : check_target(c);
    if (!code) code = load(path, c, l);
    if (!code) code = questions_read(q, l->graph, from, to, pairs_path);
    code = settle_ranks(code);
    if (code) return code;
    questions_put(q, &c->solve);
    c->solve.time_kept = time_kept();
    cflr_status st = cflr_solve(l->graph, l->grammar, &c->solve, &l->result, &error);
    if (st != CFLR_OK) code = fail(&error);
    if (code) tell_of_work(c);
    if (!l->result) return code;
    if (verify && !interrupted()) verdict = check(l, &checked);
    if (!code) warn_no_pairs(l);
    int written = write_all(l, c, q, checked);
    json_decref(checked);
    if (!written && plot_path && !rank_number()) written = stats_plot(l->result, plot_path);
    if (written) return written;
    return code ? code : verdict;
}

static int run(const cli_arguments *arguments) {
    cli_loading l = {0};
    questions q = {0};
    cflr_error error;
    choices c;
    int code = check_usage(arguments->operand[0]);
    if (code) return code;
    if (read_choices(&c, &error) != CFLR_OK) return fail(&error);
    code = check_disk(&c);
    if (!code) code = check_device(&c);
    if (code) return code;
    code = session_begin_without(without);
    if (!code) code = join_ranks();
    if (code) return code;
    code = solve(arguments->operand[0], &c, &q, &l);
    questions_free(&q);
    loading_free(&l);
    return leave_ranks(code);
}

const command command_solve = {.name = "solve",
                               .operands = "GRAPH",
                               .summary = "close a labelled graph under a grammar",
                               .options = table,
                               .min_operands = 1,
                               .max_operands = 1,
                               .takes_ranks = true,
                               .run = run};
