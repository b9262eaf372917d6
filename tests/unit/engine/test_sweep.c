/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in each public call of the engine: no crash, no leak, a
 * clean status, and nothing that was there before is harmed.
 */
#include "support.h"
#include "tests/support/fail_alloc.h"

static const char rules[] =
    "%answer flows S\n"
    "S ::= S S | e | O[i] ret[i] | ~B\n"
    "O[i] ::= call[i] S | call[i]\n"
    "B ::= ~e ~e | B M\n"
    "M ::= eps | M d\n";

/* A world whose allocator can be told to fail. */
typedef struct stage {
    fail_alloc f;
    world w;
    test_dir dir;
    cflr_result *reference; /* what solving gives undisturbed */
    /* what the operation is to do */
    cflr_model model;
    cflr_graph_format format;
    uint64_t samples;
    char path[512];
} stage;

static void stage_begin(stage *s) {
    char edges[4096];
    size_t used = 0;
    for (unsigned v = 0; v < 14; v++) {
        used += (size_t)snprintf(edges + used, sizeof edges - used,
                                 "%u %u e; %u %u call[%u]; %u %u ret[%u]; %u %u d; ", v, v + 1, v,
                                 (v * 7) % 14, v % 5, (v * 5) % 14, v, v % 5, v, v % 3);
    }
    cr_assert_lt(used, sizeof edges);
    memset(s, 0, sizeof *s);
    s->dir = test_dir_begin();
    cflr_allocator allocator = fail_alloc_allocator(&s->f);
    cflr_context_opts opts;
    cflr_error error;
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 2;
    MUST(cflr_context_new(&opts, &s->w.context, &error));
    s->w.context->share = 1;
    world_graph(&s->w, edges);
    world_grammar(&s->w, rules);
    world_solve(&s->w, CFLR_MODEL_NAIVE);
    s->reference = s->w.result;
    s->w.result = NULL;
    test_path(&s->dir, "kept.cflr", s->path);
    MUST(cflr_result_save(s->reference, s->path, &error));
}

/* Graph and grammar are as they were: they give what they gave. */
static void stage_end(stage *s) {
    cflr_error error;
    MUST(cflr_graph_validate(s->w.graph, &error));
    world_solve(&s->w, CFLR_MODEL_NAIVE);
    must_be_equal(s->reference, s->w.result, "solved again");
    cflr_result_free(s->reference);
    world_end(&s->w);
    cr_assert_eq(s->f.blocks, 0);
    test_dir_end(&s->dir);
}

/* Does its work and releases what it made. `s->f` tells whether something failed. */
typedef cflr_status (*operation)(stage *s, cflr_error *error);

/* One run in which the n-th allocation from now on fails, and with `fail_on` all behind it. False
 * when there was none to fail. */
static bool try_nth(stage *s, operation work, uint64_t n, bool fail_on, const char *what) {
    cflr_error error = {0};
    int64_t blocks = s->f.blocks;
    uint64_t failed = s->f.failed;
    s->f.fail_on = fail_on;
    s->f.fail_at = s->f.calls + n;
    cflr_status st = work(s, &error);
    s->f.fail_at = 0;
    cr_assert_eq(s->f.blocks, blocks,
                 "%s: %" PRId64 " blocks leak when allocation %" PRIu64 " fails", what,
                 s->f.blocks - blocks, n);
    if (s->f.failed == failed) {
        cr_assert_eq(st, CFLR_OK, "%s: %s", what, error.message);
        return false;
    }
    if (st == CFLR_OK) return true; /* it found another way */
    cr_assert_eq(st, CFLR_NO_MEMORY, "%s, allocation %" PRIu64 ": %s (%s)", what, n,
                 cflr_status_name(st), error.message);
    cr_assert_eq(error.code, CFLR_NO_MEMORY);
    cr_assert_neq(error.message[0], '\0');
    return true;
}

static void sweep(stage *s, operation work, const char *what) {
    for (int fail_on = 0; fail_on < 2; fail_on++) {
        uint64_t n = 1;
        while (try_nth(s, work, n, fail_on != 0, what)) n++;
        cr_assert_gt(n, 1, "%s allocates nothing", what);
    }
}

/* ---- solving ---- */

static cflr_status solve(stage *s, cflr_error *error) {
    cflr_status st = world_try(&s->w, s->model, error);
    cr_assert((st == CFLR_OK) == (s->w.result != NULL));
    if (st == CFLR_OK) {
        cr_assert(cflr_result_complete(s->w.result));
        must_be_equal(s->reference, s->w.result, cflr_model_name(s->model));
    }
    world_forget_result(&s->w);
    return st;
}

Test(sweep, solve) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        int most = test_models[m] == CFLR_MODEL_PARALLEL ? 2 : 1;
        for (int threads = 1; threads <= most; threads++) {
            stage s;
            stage_begin(&s);
            s.w.context->threads = threads;
            s.model = test_models[m];
            sweep(&s, solve, cflr_model_name(s.model));
            stage_end(&s);
        }
    }
}

/* ---- files ---- */

static cflr_status save(stage *s, cflr_error *error) {
    char path[512];
    test_path(&s->dir, "new.cflr", path);
    unlink(path);
    cflr_status st = cflr_result_save(s->reference, path, error);
    cr_assert_eq(access(path, F_OK) == 0, st == CFLR_OK, "a file appears whole or not at all");
    return st;
}

static cflr_status load(stage *s, cflr_error *error) {
    cflr_result *loaded;
    cflr_status st = cflr_result_load(s->w.context, s->path, &loaded, error);
    cr_assert((st == CFLR_OK) == (loaded != NULL));
    if (loaded) must_be_equal(s->reference, loaded, "loaded");
    cflr_result_free(loaded);
    return st;
}

Test(sweep, save_and_load) {
    stage s;
    stage_begin(&s);
    sweep(&s, save, "save");
    sweep(&s, load, "load");
    stage_end(&s);
}

static cflr_status export_pairs(stage *s, cflr_error *error) {
    char path[512];
    uint32_t labels[] = {label_of(s->reference, "S"), label_of(s->reference, "O")};
    test_path(&s->dir, "pairs", path);
    cflr_status st = cflr_result_export(s->reference, labels, 2, path, s->format, error);
    cr_assert_eq(access(path, F_OK) == 0, st == CFLR_OK, "a file appears whole or not at all");
    unlink(path);
    return st;
}

Test(sweep, export) {
    static const cflr_graph_format formats[] = {CFLR_GRAPH_TSV, CFLR_GRAPH_CFLG, CFLR_GRAPH_NDJSON,
                                                CFLR_GRAPH_DOT, CFLR_GRAPH_SQLITE};
    stage s;
    stage_begin(&s);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        s.format = formats[i];
        sweep(&s, export_pairs, "export");
    }
    stage_end(&s);
}

/* ---- questions ---- */

static cflr_status check(stage *s, cflr_error *error) {
    cflr_verify_report report;
    cflr_status st =
        cflr_verify(s->w.graph, s->w.grammar, s->reference, s->samples, &report, error);
    if (st == CFLR_OK) cr_assert_eq(report.missing + report.underivable, 0);
    return st;
}

Test(sweep, verify) {
    stage s;
    stage_begin(&s);
    sweep(&s, check, "by reference");
    s.samples = 10;
    sweep(&s, check, "by samples");
    stage_end(&s);
}

static cflr_status ask(stage *s, cflr_error *error) {
    static const uint32_t sources[] = {0, 3, 5, 8, 13};
    cflr_vertex_list list;
    cflr_status st =
        cflr_result_targets(s->reference, label_of(s->reference, "S"), sources, 5, &list, error);
    cr_assert_eq(list.vertices != NULL, st == CFLR_OK);
    cflr_vertex_list_free(s->w.context, &list);
    return st;
}

Test(sweep, targets) {
    stage s;
    stage_begin(&s);
    sweep(&s, ask, "targets");
    stage_end(&s);
}
