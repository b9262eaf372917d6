/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_check.c: `cflr check -p DIR`: what the source says about aliases (docs/reference/checks.md),
 * and what rules say about the flow of data (docs/reference/rules.md): extract, ask, judge, print.
 * Checks come first, then findings.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/gate.h"
#include "cli/alerts/reports.h"
#include "cli/analyze/finding_print.h"
#include "cli/analyze/verdict.h"
#include "cli/answer/loading.h"
#include "cli/answer/lost.h"
#include "cli/extract/extraction.h"

static char *grammar_path, *which_findings;
static int all_findings; /* --findings as a value */

static struct poptOption table[] = {
    RULES_OPTION,
    OPTION_LIST("may-alias", '\0', &names_of_checks.may_alias,
                "a call NAME(p, q) says that p and q may alias (may be repeated)", "NAME"),
    OPTION_LIST("must-alias", '\0', &names_of_checks.must_alias,
                "a call NAME(p, q) says that p and q alias (may be repeated)", "NAME"),
    OPTION_LIST("no-alias", '\0', &names_of_checks.no_alias,
                "a call NAME(p, q) says that p and q never alias (may be repeated)", "NAME"),
    OPTION_VALUE("grammar", 'g', &grammar_path,
                 "grammar (default: pointer-types, or what --aliasing and --fields ask for)",
                 "GRAMMAR"),
    OPTION_VALUE(
        "findings", '\0', &which_findings,
        "findings to print and to fail for: those that are likely bugs, one for each cause, "
        "or all (default: likely), one of: likely all",
        "WHICH"),
    GATE_OPTIONS,
    REPORTS_OPTIONS,
    EXTRACTION_OPTIONS,
    COMMON_OPTIONS};

typedef struct checking {
    cli_loading loading;
    cflr_apart *apart;
    cflr_extract_report *report;
    const char *grammar; /* path or name */
    size_t n;            /* checks */
    verdict *verdicts;   /* n, or as many as were made before a failure */
    size_t n_verdicts;
    size_t n_failed, n_unknown;
    cflr_findings *found; /* NULL without rules */
    cflr_findings_counts counts;
    alerts alerts;        /* of checks, then of findings */
    size_t first_finding; /* of them */
} checking;

/* ---- what is asked ---- */

static bool lists_meet(char *const *a, char *const *b, const char **twice) {
    for (size_t i = 0; a && a[i]; i++) {
        *twice = a[i];
        if (list_has(b, a[i])) return true;
    }
    return false;
}

static bool checks_asked(void) {
    const check_names *given = &names_of_checks;
    return given->may_alias || given->must_alias || given->no_alias;
}

/* Nothing is asked: that must not pass, and what is meant is not for the command to choose. */
static int refuse_nothing(const cli_arguments *arguments) {
    char there[160] = "";
    size_t n = 0;
    for (size_t i = 0; cflr_rule_shipped(i) && n < sizeof there; i++)
        n += (size_t)snprintf(there + n, sizeof there - n, "%s%s", i ? ", " : "",
                              cflr_rule_shipped(i));
    const char *what = arguments->n_operands > 0 ? arguments->operand[0] : "-p build";
    return usage_error(
        "nothing to check: try `cflr check --rules null %s`; shipped rules: %s (functions that "
        "check aliases: --no-alias, --may-alias, --must-alias)",
        shown(what), there[0] ? there : "none");
}

/* 0, or the exit code after a message. */
static int check_names_given(const cli_arguments *arguments) {
    static const option_word words[] = {{"likely", 0}, {"all", 1}, {NULL, 0}};
    const check_names *given = &names_of_checks;
    const char *twice;
    if (!checks_asked() && !rules_given()) return refuse_nothing(arguments);
    int code = read_word("findings", which_findings, words, &all_findings);
    if (code) return code;
    if (which_findings && !rules_given()) return usage_error("--findings goes with --rules");
    if (lists_meet(given->may_alias, given->must_alias, &twice) ||
        lists_meet(given->may_alias, given->no_alias, &twice) ||
        lists_meet(given->must_alias, given->no_alias, &twice)) {
        return usage_error("'%s' is named for two kinds of checks", twice);
    }
    return 0;
}

/* Is one of the names not called anywhere? */
static void warn_uncalled(const cflr_extract_report *report, char *const *names) {
    for (size_t i = 0; names && names[i]; i++) {
        const cflr_check *c;
        size_t at = 0;
        while ((c = cflr_extract_check(report, at)) && strcmp(c->callee, names[i]) != 0) at++;
        if (!c) remark("warning: no call of '%s' was found", names[i]);
    }
}

/* Said once, whatever rests on it. */
static void warn_not_read(const cflr_graph *graph) {
    warn_unread(graph, !checks_asked() ? "there may be more findings"
                       : rules_given()
                           ? "checks and findings may be missing, and a 'no' may be a 'yes'"
                           : "checks may be missing, and a 'no' may be a 'yes'");
}

/* 0, or the exit code after a message: checks that are not there must not pass. */
static int count_checks(checking *k) {
    while (cflr_extract_check(k->report, k->n)) k->n++;
    warn_not_read(k->loading.graph);
    if (k->n == 0 && checks_asked()) {
        complain(
            "no check was found: no function of these names is called (a macro is known by "
            "what it calls)");
        return EXIT_USAGE;
    }
    warn_uncalled(k->report, names_of_checks.may_alias);
    warn_uncalled(k->report, names_of_checks.must_alias);
    warn_uncalled(k->report, names_of_checks.no_alias);
    return 0;
}

/* In the grammars of rules no value goes through the outside (docs/reference/rules.md). */
static void warn_open_rules(const cflr_graph *graph) {
    if (cflr_graph_outside(graph) != CFLR_NO_VERTEX)
        remark(
            "warning: the program is open, and findings do not follow values through code outside "
            "(see --world closed)");
}

/* All vertices of all checks, and all that stand for what is outside or not known; NULL after a
 * message. */
static uint32_t *asked_vertices(const checking *k, size_t *n) {
    const cflr_check *c;
    uint32_t outside = cflr_graph_outside(k->loading.graph);
    bool open = outside != CFLR_NO_VERTEX;
    size_t n_unknowns;
    const uint32_t *unknowns = cflr_graph_unknowns(k->loading.graph, &n_unknowns);
    *n = open + n_unknowns;
    for (size_t i = 0; (c = cflr_extract_check(k->report, i)); i++) *n += 2 * c->n;
    uint32_t *vertices = calloc(*n + 1, sizeof *vertices), *to = vertices;
    if (!vertices) fail_memory();
    if (vertices && open) *to++ = outside;
    for (size_t i = 0; vertices && i < n_unknowns; i++) *to++ = unknowns[i];
    for (size_t i = 0; vertices && (c = cflr_extract_check(k->report, i)); i++) {
        for (int side = 0; side < 2 && c->n > 0; side++, to += c->n)
            memcpy(to, c->vertex[side], c->n * sizeof *to);
    }
    return vertices;
}

/* One question for both relations: what the arguments alias with, and what they point to. A partial
 * result comes with an exit code. */
static int ask(checking *k) {
    cflr_error error;
    cflr_solve_opts opts;
    cli_loading *l = &k->loading;
    const char *only[2] = {cflr_grammar_needs(l->grammar, "alias"),
                           cflr_grammar_needs(l->grammar, "points-to")};
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = only[1][0] ? 2 : 1;
    uint32_t *vertices = asked_vertices(k, &opts.n_from);
    if (!vertices) return cflr_status_exit_code(CFLR_NO_MEMORY);
    opts.from = vertices;
    opts.time_kept = time_kept();
    cflr_status st = cflr_solve(l->graph, l->grammar, &opts, &l->result, &error);
    free(vertices);
    return st == CFLR_OK ? 0 : fail(&error);
}

/* ---- alerts ---- */

static bool is_complete(const checking *k) {
    const cflr_result *result = k->loading.result;
    return (!result || cflr_result_complete(result)) && k->counts.complete;
}

/* What is asked for, before anything is found. 0, or the exit code after a message. */
static int begin_alerts(checking *k) {
    const check_names *given = &names_of_checks;
    alerts *a = &k->alerts;
    cflr_extract_counts counts;
    cflr_extract_get_counts(k->report, &counts);
    a->graph = k->loading.graph;
    a->report = k->report;
    a->rules = cflr_extract_rules(k->report, &a->n_findings_rules);
    a->all = all_findings;
    a->units = counts.units;
    a->units_faulty = counts.units_lost + counts.units_degraded;
    a->rule = malloc((3 + a->n_findings_rules) * sizeof *a->rule);
    if (!a->rule) return fail_memory();
    if (given->may_alias) a->rule[a->n_rules++] = check_kind_name(CFLR_CHECK_MAY_ALIAS);
    if (given->must_alias) a->rule[a->n_rules++] = check_kind_name(CFLR_CHECK_MUST_ALIAS);
    if (given->no_alias) a->rule[a->n_rules++] = check_kind_name(CFLR_CHECK_NO_ALIAS);
    for (size_t i = 0; i < a->n_findings_rules; i++) a->rule[a->n_rules++] = a->rules[i].name;
    return gate_check(a);
}

/* Verdicts on all checks; 0, or the exit code after a message. */
static int make_verdicts(checking *k) {
    int code = 0;
    k->verdicts = calloc(k->n + 1, sizeof *k->verdicts);
    if (!k->verdicts) return fail_memory();
    for (size_t i = 0; i < k->n && !code; i++) {
        verdict *v = &k->verdicts[k->n_verdicts++];
        code = verdict_make(k->loading.result, cflr_extract_check(k->report, i), k->apart, v);
        k->n_unknown += !code && verdict_unknown(v);
        k->n_failed += !code && !verdict_unknown(v) && !v->says.passed;
    }
    return code;
}

static int add_check(checking *k, verdict *v) {
    if (v->says.passed) return 0;
    char *text = verdict_text(v, k->loading.graph);
    if (!text) return fail_memory();
    v->alert = alerts_add_check(&k->alerts, v->check, check_kind_name(v->check->kind),
                                verdict_unknown(v) ? CFLR_LEVEL_WARNING : CFLR_LEVEL_ERROR, text);
    return 0;
}

/* All alerts, judged. 0, or the exit code after a message. */
static int make_alerts(checking *k) {
    const cflr_finding *f;
    alerts *a = &k->alerts;
    int code = k->loading.result ? make_verdicts(k) : 0;
    if (!code) code = alerts_begin(a, k->n_verdicts + k->counts.findings);
    for (size_t i = 0; i < k->n_verdicts && !code; i++) code = add_check(k, &k->verdicts[i]);
    k->first_finding = a->n;
    for (size_t i = 0; !code && k->found && (f = cflr_findings_at(k->found, i)); i++)
        if (!alerts_add_finding(a, f)) code = cflr_status_exit_code(CFLR_NO_MEMORY);
    a->complete = is_complete(k);
    if (!code) code = gate_judge(a);
    return code ? code : findings_group(a->list + k->first_finding, a->n - k->first_finding);
}

/* ---- answers ---- */

static int write_all(const checking *k) {
    const told_findings told = {k->loading.graph, k->alerts.list + k->first_finding, !all_findings};
    writer w = writer_open();
    if (w.json) json_set_count(w.json, "failed", k->n_failed);
    if (w.json) json_set(w.json, "complete", json_boolean(k->alerts.complete));
    if (w.json && extraction_cache() && rules_given())
        json_set(w.json, "findings_cached", json_boolean(k->counts.recalled));
    writer_list(&w, &verdict_rows);
    for (size_t i = 0; i < k->n_verdicts; i++)
        writer_row(&w, &verdict_rows, k->loading.graph, &k->verdicts[i]);
    writer_list(&w, &finding_rows);
    for (size_t i = k->first_finding; i < k->alerts.n; i++)
        writer_row(&w, &finding_rows, &told, &k->alerts.list[i]);
    if (w.json) {
        json_t *extraction = json_object();
        extraction_json(k->report, extraction);
        gate_json(&k->alerts, w.json);
        json_set(w.json, "extraction", extraction);
    }
    return writer_close(&w, 0);
}

/* "findings: 3; 2 more from the same sources, 40 that are unlikely (see --findings all)" */
static void put_findings(const checking *k, char *text, size_t size) {
    const told_findings told = {k->loading.graph, k->alerts.list + k->first_finding, !all_findings};
    size_t shown = 0, likely = 0, n = 0;
    size_t unlikely = all_findings ? 0 : k->counts.findings - k->counts.likely;
    if (!rules_given()) return;
    for (size_t i = k->first_finding; i < k->alerts.n; i++) {
        shown += finding_is_told(&told, &k->alerts.list[i]);
        likely += gate_tells(&k->alerts.list[i]);
    }
    n = (size_t)snprintf(text, size, "%sfindings%s: %zu", checks_asked() ? ", " : "",
                         k->counts.complete ? "" : " so far, and there may be more", shown);
    if (likely + unlikely <= shown) return;
    n += (size_t)snprintf(text + n, size - n, ";");
    if (likely > shown)
        n += (size_t)snprintf(text + n, size - n, " %zu more from the same sources%s",
                              likely - shown, unlikely > 0 ? "," : "");
    if (unlikely > 0) n += (size_t)snprintf(text + n, size - n, " %zu that are unlikely", unlikely);
    snprintf(text + n, size - n, " (see --findings all)");
}

static void remark_counts(const checking *k) {
    char unknown[40] = "", findings[160] = "";
    char *summary = gate_summary(&k->alerts);
    if (!summary) return;
    if (k->n_unknown > 0) snprintf(unknown, sizeof unknown, ", unknown: %zu", k->n_unknown);
    put_findings(k, findings, sizeof findings);
    if (checks_asked())
        remark("checks: %zu, failed: %zu%s%s%s", k->n, k->n_failed, unknown, findings, summary);
    else
        remark("%s%s", findings, summary);
    free(summary);
}

/* ---- the steps ---- */

/* 0, or the exit code after a message. */
static int load_answering_grammar(checking *k) {
    cli_loading *l = &k->loading;
    int code = load_grammar(k->grammar, CFLR_GRAMMAR_AUTO, &l->grammar);
    if (code) return code;
    print_diagnostics(l->grammar, k->grammar);
    if (cflr_grammar_answer(l->grammar, "alias")[0]) return 0;
    complain("%s has no `%%answer alias`: it cannot be asked about aliases", k->grammar);
    return EXIT_USAGE;
}

/* Findings of rules. With an exit code there may be findings all the same: a limit leaves those
 * that were found so far. */
static int find(checking *k) {
    cflr_error error;
    cflr_findings_opts opts;
    cflr_findings_opts_init(&opts);
    opts.rules = cflr_extract_rules(k->report, &opts.n_rules);
    opts.flows = cflr_extract_flows(k->report, &opts.n_flows);
    opts.uncalled = cflr_extract_uncalled(k->report, &opts.n_uncalled);
    opts.all_routes = all_findings || wants_json();
    opts.time_kept = time_kept();
    opts.cache = extraction_cache();
    cflr_status st = cflr_findings_new(k->loading.graph, &opts, &k->found, &error);
    if (k->found) cflr_findings_get_counts(k->found, &k->counts);
    if (k->found) warn_lost_sinks(k->loading.graph, &k->counts);
    if (common.verbose && k->counts.recalled)
        remark("findings of an earlier run: the graph is the same but for places");
    return st == CFLR_OK ? 0 : fail(&error);
}

/* An exit code that does not come from an answer. */
static int answer(checking *k) {
    int stopped = 0, limited = 0;
    if (checks_asked()) {
        stopped = ask(k);
        if (!k->loading.result) return stopped;
    }
    if (rules_given()) limited = find(k);
    if (limited && !k->found) return limited; /* a failure */
    int code = make_alerts(k);
    if (!code) code = write_all(k);
    if (k->loading.result) warn_lost_writes(k->loading.result);
    if (code) return code;
    remark_counts(k);
    return reports_write(&k->alerts, stopped ? stopped : limited);
}

static int check(const cli_arguments *arguments, checking *k) {
    cli_loading *l = &k->loading;
    int code = checks_asked() && k->grammar ? load_answering_grammar(k) : 0;
    if (!checks_asked()) extraction_default_closed();
    if (!code) code = extraction_run(arguments, false, &l->graph, &k->report);
    if (!code) code = count_checks(k);
    if (!code && checks_asked() && !k->grammar) {
        k->grammar = default_grammar(l->graph);
        code = load_answering_grammar(k);
    }
    if (!code) code = begin_alerts(k);
    if (code) return code;
    if (checks_asked()) code = check_locations(l->graph, l->grammar);
    if (code) return code;
    cflr_error error;
    if (cflr_apart_new(l->graph, &k->apart, &error) != CFLR_OK) return fail(&error);
    if (checks_asked()) warn_open_program(l);
    if (rules_given()) warn_open_rules(l->graph);
    k->counts.complete = true;
    code = answer(k);
    if (code) return code;
    return gate_failures(&k->alerts) > 0 ? EXIT_NO : EXIT_YES;
}

static void checking_free(checking *k) {
    for (size_t i = 0; i < k->n_verdicts; i++) verdict_free(&k->verdicts[i]);
    free(k->verdicts);
    alerts_free(&k->alerts);
    cflr_findings_free(k->found);
    cflr_extract_report_free(k->report);
    cflr_apart_free(k->apart);
    loading_free(&k->loading);
}

static int run(const cli_arguments *arguments) {
    checking k = {.grammar = grammar_path};
    if (!k.grammar) extraction_default_aliasing();
    int code = check_names_given(arguments);
    if (!code) code = extraction_check(arguments, false);
    if (!code) code = check_writable(output_path());
    if (!code) code = reports_check();
    if (!code) code = session_begin();
    bool begun = !code;
    if (!code) code = gate_open();
    if (!code) code = gate_finish(&k.alerts, extraction_verdict(k.report, check(arguments, &k)));
    if (begun) checking_free(&k);
    gate_close();
    return code;
}

static const char notes[] =
    "\nExamples:\n"
    "  cflr check --rules null list.c\n"
    "  cflr check -p build --rules null --rules command --baseline cflr.baseline\n";

const command command_check = {
    .name = "check",
    .operands = "[-p DIR | FILE.c...] [-- FLAGS]",
    .summary = "check what the source says about aliases, and rules of data flow",
    .options = table,
    .notes = notes,
    .min_operands = 0,
    .max_operands = -1,
    .takes_flags = true,
    .run = run};
