/* SPDX-License-Identifier: Apache-2.0
 *
 * test_findings.c: findings and verdicts through the public header alone, on graphs that are made
 * by hand: no C is read.
 */
#include "cflr/grammar.h"
#include "cflr/solve.h"
#include "tests/support/fail_alloc.h"
#include "tests/unit/findings/world.h"

/* ---- findings ---- */

static void expect_step(const cflr_step *step, cflr_step_kind kind, uint32_t target,
                        uint32_t line) {
    cr_expect_eq(step->kind, kind, "%d", step->kind);
    cr_expect_eq(step->pair.target, target);
    cr_expect_eq(step->place.line, line, "%u", step->place.line);
}

Test(findings, null_pointer) {
    findings_world w;
    cflr_error error;
    cflr_findings_counts counts;
    world_begin(&w);
    MUST(cflr_findings_new(w.graph, &w.opts, &w.found, &error));
    cflr_findings_get_counts(w.found, &counts);
    cr_expect(counts.findings == 2 && counts.likely == 2 && counts.complete);
    const cflr_finding *f = cflr_findings_at(w.found, 1); /* behind the one without rank */
    cr_assert_not_null(f);
    cr_expect_null(cflr_findings_at(w.found, 2));
    cr_expect(f->rule == &rules[1] && f->rank == CFLR_RANK_DIRECT && f->likely);
    cr_expect(f->source == NONE && f->sink == STAR_P && f->followed == P);
    cr_expect(f->place.line == 3 && f->n_sources == 1 && f->n_places == 2); /* *p and p->m */
    cr_expect(f->cause == 1 && f->next == 1);
    cr_assert_eq(f->n_steps, 4);
    expect_step(&f->step[0], CFLR_STEP_RETURNED, RETURNED, 1);
    expect_step(&f->step[1], CFLR_STEP_RESULT, CALL, 2);
    expect_step(&f->step[2], CFLR_STEP_ASSIGNED, P, 2);
    expect_step(&f->step[3], CFLR_STEP_ARRIVED, STAR_P, 3);
    cr_expect_eq(f->step[1].place.column, 13); /* where the flow is stated */
    cr_expect_eq(strlen(f->fingerprint), 18, "%s", f->fingerprint);
    cr_expect_eq(strlen(f->fingerprint_any_file), 18, "%s", f->fingerprint_any_file);
    cr_expect_str_neq(f->fingerprint, f->fingerprint_any_file);
    cr_expect_str_eq(cflr_rank_name(f->rank), "direct");
    cr_expect_str_eq(cflr_level_name(cflr_finding_level(f)), "error");
    world_end(&w);
}

/* How much it matters is the rule's, how sure it is the rank's. */
Test(findings, levels) {
    const cflr_rule mild = {.level = CFLR_LEVEL_WARNING};
    cflr_finding f = {.rule = &rules[1], .rank = CFLR_RANK_OBJECT, .likely = true};
    cr_expect_eq(cflr_finding_level(&f), CFLR_LEVEL_ERROR);
    f.rule = &mild;
    cr_expect_eq(cflr_finding_level(&f), CFLR_LEVEL_WARNING);
    f.rank = CFLR_RANK_GUARDED;
    f.likely = false;
    cr_expect_eq(cflr_finding_level(&f), CFLR_LEVEL_NOTE);
}

Test(findings, through_memory) {
    findings_world w;
    cflr_error error;
    cflr_findings_counts counts;
    world_begin(&w);
    w.opts.n_rules = 1;
    MUST(cflr_findings_new(w.graph, &w.opts, &w.found, &error));
    cflr_findings_get_counts(w.found, &counts);
    cr_expect_eq(counts.lost, 1);
    cr_expect_eq(counts.a_lost, LOST);
    const cflr_finding *f = cflr_findings_at(w.found, 0);
    cr_assert(f && !cflr_findings_at(w.found, 1));
    cr_expect(f->rule == &rules[0] && f->rank == CFLR_RANK_NONE && f->likely);
    cr_expect(f->source == GETENV && f->sink == SYSTEM && f->n_sources == 1 && f->n_places == 1);
    cr_assert_eq(f->n_steps, 4);
    expect_step(&f->step[0], CFLR_STEP_BROUGHT, TEXT, 5);
    expect_step(&f->step[1], CFLR_STEP_ASSIGNED, STAR_Q, 8);
    expect_step(&f->step[2], CFLR_STEP_IN_MEMORY, STAR_R, 9);
    expect_step(&f->step[3], CFLR_STEP_ARRIVED, SYSTEM, 9);
    const cflr_step *memory = &f->step[2];
    cr_expect_eq(memory->object, X);
    cr_assert_eq(memory->n_route, 2); /* both pointers came from &x */
    expect_step(&memory->route[0], CFLR_STEP_ASSIGNED, Q, 7);
    expect_step(&memory->route[1], CFLR_STEP_ASSIGNED, R, 7);
    world_end(&w);
}

/* The same where x is constant: a value does not go through it, and the path is the last resort. */
Test(findings, through_constants) {
    static const char *const types[] = {"const char", "char *const", "const char[8]",
                                        "char *(*const)(char *)", "const volatile int"};
    static const char *const others[] = {"char", "const char *", "const char *[8]",
                                         "char *(*)(char *const)", "struct constants"};
    cflr_error error;
    for (size_t i = 0; i < 10; i++) {
        findings_world w;
        bool constant = i < 5;
        const char *type = constant ? types[i] : others[i - 5];
        x_type = type;
        world_begin(&w);
        w.opts.n_rules = 1;
        MUST(cflr_findings_new(w.graph, &w.opts, &w.found, &error));
        const cflr_finding *f = cflr_findings_at(w.found, 0);
        cr_assert_not_null(f);
        cr_expect_eq(f->rank, constant ? CFLR_RANK_CONSTANT : CFLR_RANK_NONE, "%s", type);
        cr_expect_eq(f->likely, !constant, "%s", type);
        cr_expect_eq(f->step[2].object, X, "%s", type);
        world_end(&w);
        x_type = NULL;
    }
}

/* Functions that nothing enters: where the value comes to, comes from, and goes by. */
Test(findings, uncalled) {
    static const cflr_uncalled functions[] = {
        {"sink", {"/a.c", 1, 1}, SYSTEM, SYSTEM + 1},
        {"source", {"/a.c", 1, 1}, GETENV, GETENV + 1},
        {"between", {"/a.c", 1, 1}, STAR_Q, STAR_Q + 1},
        {"beyond", {"/a.c", 1, 1}, VERTICES - 1, VERTICES + 5},
    };
    cflr_error error;
    for (size_t i = 0; i < 4; i++) {
        findings_world w;
        world_begin(&w);
        w.opts.n_rules = 1;
        w.opts.uncalled = &functions[i];
        w.opts.n_uncalled = 1;
        MUST(cflr_findings_new(w.graph, &w.opts, &w.found, &error));
        const cflr_finding *f = cflr_findings_at(w.found, 0);
        cr_assert_not_null(f);
        bool uncalled = i < 3;
        cr_expect_eq(f->rank, uncalled ? CFLR_RANK_UNCALLED : CFLR_RANK_NONE, "%zu", i);
        cr_expect_str_eq(f->uncalled, uncalled ? functions[i].function : "");
        cr_expect_eq(cflr_finding_level(f), uncalled ? CFLR_LEVEL_NOTE : CFLR_LEVEL_ERROR);
        cr_expect(f->origin.line == 5 && f->n_further == 0);
        cr_expect_str_eq(f->function, "main");
        world_end(&w);
    }
}

Test(findings, no_rules_no_flows) {
    findings_world w;
    cflr_error error;
    cflr_findings_counts counts;
    world_begin(&w);
    w.opts.n_rules = 0;
    w.opts.flows = NULL;
    w.opts.n_flows = 0;
    MUST(cflr_findings_new(w.graph, &w.opts, &w.found, &error));
    cflr_findings_get_counts(w.found, &counts);
    cr_expect(counts.findings == 0 && counts.complete && counts.a_lost == CFLR_NO_VERTEX);
    cr_expect_null(cflr_findings_at(w.found, 0));
    world_end(&w);
}

Test(findings, failures) {
    findings_world w;
    cflr_error error;
    cflr_findings_counts counts;
    world_begin(&w);
    w.opts.struct_size = 0;
    MUST_FAIL(cflr_findings_new(w.graph, &w.opts, &w.found, &error), CFLR_ARGUMENT);
    cr_expect_null(w.found);
    w.opts.struct_size = sizeof w.opts;
    cflr_context_cancel(w.context);
    MUST_FAIL(cflr_findings_new(w.graph, &w.opts, &w.found, &error), CFLR_CANCELLED);
    cr_assert_not_null(w.found); /* what was found so far */
    cflr_findings_get_counts(w.found, &counts);
    cr_expect(!counts.complete && counts.findings == 0);
    cflr_findings_free(NULL);
    world_end(&w);
}

/* The numbers of the public header index the words. */
Test(findings, ranks) {
    cr_expect_str_eq(cflr_rank_name(CFLR_RANK_NONE), "");
    cr_expect_str_eq(cflr_rank_name(CFLR_RANK_CALLS), "calls");
    cr_expect_str_eq(cflr_rank_name(CFLR_RANK_UNCALLED), "uncalled");
    cr_expect_str_eq(cflr_rank_reason(CFLR_RANK_OBJECT),
                     "through memory of few objects, with few values");
}

/* ---- verdicts ---- */

static cflr_status solve(cflr_context *context, const cflr_graph *graph, cflr_result **result,
                         cflr_error *error) {
    cflr_grammar *grammar;
    cflr_status st = cflr_grammar_load(context, "pointer-fs", CFLR_GRAMMAR_AUTO, &grammar, error);
    if (st != CFLR_OK) return st;
    st = cflr_solve(graph, grammar, NULL, result, error);
    cflr_grammar_free(grammar);
    return st;
}

static const uint32_t q = Q, r = R, s = S, t = HAS_LOST;

static const struct {
    cflr_check check;
    cflr_found found;
    bool passed;
} verdicts[] = {
    {{.kind = CFLR_CHECK_MAY_ALIAS, .problem = "", .vertex = {&q, &r}, .n = 1},
     CFLR_FOUND_ALIAS,
     true},
    {{.kind = CFLR_CHECK_NO_ALIAS, .problem = "", .vertex = {&q, &r}, .n = 1},
     CFLR_FOUND_ALIAS,
     false},
    {{.kind = CFLR_CHECK_NO_ALIAS, .problem = "", .vertex = {&q, &s}, .n = 1},
     CFLR_FOUND_NO_ALIAS,
     true},
    {{.kind = CFLR_CHECK_MUST_ALIAS, .problem = "", .vertex = {&q, &s}, .n = 1},
     CFLR_FOUND_NO_ALIAS,
     false},
    {{.kind = CFLR_CHECK_NO_ALIAS, .problem = "not a pointer"}, CFLR_FOUND_PROBLEM, false},
};

Test(verdicts, of_checks) {
    findings_world w;
    cflr_error error;
    cflr_result *result;
    cflr_apart *apart;
    world_begin(&w);
    MUST(solve(w.context, w.graph, &result, &error));
    MUST(cflr_apart_new(w.graph, &apart, &error));
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        cflr_verdict v;
        MUST(cflr_verdict_make(result, &verdicts[i].check, apart, &v, &error));
        cr_expect_eq(v.found, verdicts[i].found, "%zu: %d", i, v.found);
        cr_expect_eq(v.passed, verdicts[i].passed, "%zu", i);
        bool alias = v.found == CFLR_FOUND_ALIAS;
        cr_expect_eq(v.n_alias, alias, "%zu", i);
        cr_expect(v.knows_objects && v.single_object == alias);
        if (alias) cr_expect(v.common.count == 1 && v.common.vertices[0] == X);
        cr_expect_not(v.rests_on.aliasing || v.rests_on.text || v.rests_on.callees);
        cflr_verdict_free(w.context, &v);
    }
    cflr_apart_free(apart);
    cflr_apart_free(NULL);
    cflr_result_free(result);
    world_end(&w);
}

Test(verdicts, value_that_is_not_followed) {
    findings_world w;
    cflr_error error;
    cflr_result *result;
    cflr_apart *apart;
    cflr_verdict v;
    const cflr_check check = {
        .kind = CFLR_CHECK_NO_ALIAS, .problem = "", .vertex = {&q, &t}, .n = 1};
    world_begin(&w);
    MUST(solve(w.context, w.graph, &result, &error));
    MUST(cflr_apart_new(w.graph, &apart, &error));
    MUST(cflr_verdict_make(result, &check, apart, &v, &error));
    cr_expect(v.found == CFLR_FOUND_LOST && !v.passed && v.lost == LOST);
    cflr_verdict_free(w.context, &v);
    cflr_apart_free(apart);
    cflr_result_free(result);
    world_end(&w);
}

Test(verdicts, apart) {
    findings_world w;
    cflr_error error;
    cflr_graph *plain;
    cflr_apart *apart;
    const uint32_t x = X, y = Y;
    world_begin(&w);
    MUST(cflr_apart_new(w.graph, &apart, &error));
    cr_expect_not(cflr_apart_are(apart, &q, 1, &s, 1)); /* what marks do is not known */
    cflr_apart_free(apart);
    MUST(make_graph(w.context, false, &plain, &error));
    MUST(cflr_apart_new(plain, &apart, &error));
    cr_expect(cflr_apart_are(apart, &q, 1, &s, 1));
    cr_expect_not(cflr_apart_are(apart, &q, 1, &r, 1));
    cr_expect(cflr_apart_has_all(apart, &q, 1, &x, 1));
    cr_expect_not(cflr_apart_has_all(apart, &q, 1, &y, 1));
    cflr_apart_free(apart);
    cflr_graph_free(plain);
    world_end(&w);
}

/* ---- how precise ---- */

Test(summary, counts) {
    findings_world w;
    cflr_error error;
    cflr_result *result;
    cflr_summary summary;
    world_begin(&w);
    MUST(solve(w.context, w.graph, &result, &error));
    MUST(cflr_summary_make(result, &summary, &error));
    cr_expect(summary.has_alias && summary.has_points_to);
    cr_expect_eq(summary.pointers, 7); /* &x q r, &y s, two that are not followed */
    cr_expect_eq(summary.objects, 7);
    cr_expect(summary.sharing == 3 && summary.shared == 1); /* q, r and &x point to x */
    cr_expect(summary.called == 0 && summary.resolved == 0 && summary.callees == 0);
    cr_expect_gt(summary.alias_pairs, 0);
    cflr_context_cancel(w.context);
    MUST_FAIL(cflr_summary_make(result, &summary, &error), CFLR_CANCELLED);
    cr_expect_not(summary.has_alias || summary.has_points_to);
    cflr_result_free(result);
    world_end(&w);
}

/* ---- memory that runs out ---- */

typedef struct swept {
    fail_alloc f;
    cflr_context *context;
    cflr_graph *graph;
    cflr_result *result;
} swept;

static cflr_status find(void *user, cflr_error *error) {
    swept *w = user;
    cflr_findings *found;
    cflr_findings_opts opts;
    cflr_findings_opts_init(&opts);
    opts.rules = rules;
    opts.n_rules = sizeof rules / sizeof *rules;
    opts.flows = flows;
    opts.n_flows = sizeof flows / sizeof *flows;
    cflr_status st = cflr_findings_new(w->graph, &opts, &found, error);
    cr_assert_eq(st == CFLR_OK, found != NULL);
    if (found) cr_assert_not_null(cflr_findings_at(found, 1));
    cflr_findings_free(found);
    return st;
}

static cflr_status judge(void *user, cflr_error *error) {
    swept *w = user;
    cflr_apart *apart;
    cflr_status st = cflr_apart_new(w->graph, &apart, error);
    for (size_t i = 0; st == CFLR_OK && i < sizeof verdicts / sizeof *verdicts; i++) {
        cflr_verdict v;
        st = cflr_verdict_make(w->result, &verdicts[i].check, apart, &v, error);
        if (st == CFLR_OK) cr_assert_eq(v.found, verdicts[i].found);
        cflr_verdict_free(w->context, &v);
    }
    cflr_apart_free(apart);
    return st;
}

static cflr_status summarize(void *user, cflr_error *error) {
    swept *w = user;
    cflr_summary summary;
    cflr_status st = cflr_summary_make(w->result, &summary, error);
    cr_assert_eq(st == CFLR_OK, summary.has_points_to);
    return st;
}

Test(findings_sweep, each_allocation_fails) {
    static swept w;
    cflr_allocator allocator = fail_alloc_allocator(&w.f);
    cflr_context_opts opts;
    cflr_error error = {0};
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 1;
    MUST(cflr_context_new(&opts, &w.context, &error));
    MUST(make_graph(w.context, true, &w.graph, &error));
    MUST(solve(w.context, w.graph, &w.result, &error));
    fail_alloc_sweep_call(&w.f, find, &w, "findings");
    fail_alloc_sweep_call(&w.f, judge, &w, "verdicts");
    fail_alloc_sweep_call(&w.f, summarize, &w, "summary");
    cflr_result_free(w.result);
    cflr_graph_free(w.graph);
    cflr_context_free(w.context);
    cr_assert_eq(w.f.blocks, 0);
}
