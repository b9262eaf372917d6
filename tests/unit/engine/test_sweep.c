/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in each public call of the engine: no crash, no leak, a
 * clean status, and nothing that was there before is harmed.
 */
#include "base/formats/io.h"
#include "cflr/explain.h"
#include "engine/derivations/levels.h"
#include "engine/results/result.h"
#include "support.h"
#include "tests/support/fail_alloc.h"

static const char filter[] = "%filter B e d\n";
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

/* A vertex with everything that may be known of one. */
static void add_vertex(cflr_graph_builder *builder, unsigned v) {
    char name[16], function[16], place[16];
    cflr_error error;
    uint32_t vertex;
    snprintf(name, sizeof name, "x%u", v);
    snprintf(function, sizeof function, "f%u", v / 4);
    snprintf(place, sizeof place, "a%u.c", v / 8);
    cflr_vertex_info info = {CFLR_VERTEX_VARIABLE, v + 1, 3, name, "int *", function, place, ""};
    if (v % 5 == 4) info.context = "main:7";
    MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
    MUST(cflr_graph_builder_mention(builder, vertex, &(cflr_mention){place, v + 20, 3, NULL},
                                    &error));
}

static void add_edge(cflr_graph_builder *builder, unsigned source, unsigned target,
                     const char *name, const char *index) {
    cflr_error error;
    uint32_t label;
    MUST(cflr_graph_builder_label(builder, name, index, &label, &error));
    MUST(cflr_graph_builder_edge(builder, source, target, label, &error));
}

static void make_graph(stage *s) {
    enum { VERTICES = 15 };
    cflr_graph_builder *builder;
    cflr_error error;
    MUST(cflr_graph_builder_new(s->w.context, &builder, &error));
    for (unsigned v = 0; v < VERTICES; v++) add_vertex(builder, v);
    for (unsigned v = 0; v + 1 < VERTICES; v++) {
        char index[2] = {(char)('0' + v % 5), '\0'};
        add_edge(builder, v, v + 1, "e", NULL);
        add_edge(builder, v, (v * 7) % 14, "call", index);
        add_edge(builder, (v * 5) % 14, v, "ret", index);
        add_edge(builder, v, v % 3, "d", NULL);
    }
    MUST(cflr_graph_builder_freeze(builder, &s->w.graph, &error));
}

static void stage_begin(stage *s) {
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
    make_graph(s);
    char text[512];
    snprintf(text, sizeof text, "%s%s", filter, rules);
    world_grammar(&s->w, text);
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

/* Does its work and releases what it made. */
typedef cflr_status (*operation)(stage *s, cflr_error *error);

typedef struct bound {
    stage *s;
    operation work;
} bound;

static cflr_status call(void *user, cflr_error *error) {
    bound *b = user;
    return b->work(b->s, error);
}

static void sweep(stage *s, operation work, const char *what) {
    bound b = {s, work};
    fail_alloc_sweep_call(&s->f, call, &b, what);
}

/* ---- solving ---- */

/* A call may succeed without memory that it would have used; reading the rows needs some. */
static void compare(stage *s, const cflr_result *a, const cflr_result *b, const char *what) {
    fail_alloc_sweep_state *swept = s->f.sweep;
    uint64_t fail_at = s->f.fail_at;
    s->f.sweep = NULL;
    s->f.fail_at = 0;
    must_be_equal(a, b, what);
    s->f.sweep = swept;
    s->f.fail_at = fail_at;
}

/* With statistics, where the model has them. */
static cflr_status solve(stage *s, cflr_error *error) {
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = s->model;
    opts.stats = true;
    cflr_status st = cflr_solve(s->w.graph, s->w.grammar, &opts, &s->w.result, error);
    cr_assert((st == CFLR_OK) == (s->w.result != NULL));
    if (st == CFLR_OK) {
        cr_assert(cflr_result_complete(s->w.result));
        compare(s, s->reference, s->w.result, cflr_model_name(s->model));
    }
    world_forget_result(&s->w);
    return st;
}

/* The same of some rows; `s->samples` tells which. Saved, loaded and checked, too. */
static cflr_status answer(stage *s, cflr_error *error) {
    static const uint32_t vertex[] = {3, 9};
    static const cflr_pair pairs[] = {{3, 9}, {9, 3}, {0, 5}};
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = s->model;
    if (s->samples == 0) opts.from = vertex, opts.n_from = 2;
    if (s->samples == 1) opts.to = vertex, opts.n_to = 2;
    if (s->samples == 2) opts.pairs = pairs, opts.n_pairs = 3;
    cflr_result *loaded = NULL;
    cflr_verify_report report;
    char path[512];
    test_path(&s->dir, "answers.cflr", path);
    cflr_status st = cflr_solve(s->w.graph, s->w.grammar, &opts, &s->w.result, error);
    cr_assert((st == CFLR_OK) == (s->w.result != NULL));
    if (st == CFLR_OK) st = cflr_result_save(s->w.result, path, error);
    if (st == CFLR_OK) st = cflr_result_load(s->w.context, path, &loaded, error);
    if (st == CFLR_OK) {
        compare(s, s->w.result, loaded, "answers");
        st = cflr_verify(s->w.graph, s->w.grammar, loaded, 0, &report, error);
    }
    if (st == CFLR_OK) {
        cr_assert(report.pairs_checked && report.missing + report.underivable == 0);
        uint32_t label = label_of(s->reference, "S");
        for (uint32_t v = 0; v < 15; v++) {
            for (uint32_t u = 0; u < 15; u++) {
                bool known = cflr_result_covers(loaded, v, u);
                bool right = cflr_result_has(s->reference, label, v, u);
                cr_assert_eq(cflr_result_has(loaded, 0, v, u), known && right);
            }
        }
    }
    cflr_result_free(loaded);
    world_forget_result(&s->w);
    return st;
}

Test(sweep, answer) {
    stage s;
    stage_begin(&s);
    s.w.context->threads = 1;
    for (s.samples = 0; s.samples < 3; s.samples++) {
        s.model = CFLR_MODEL_AUTO;
        sweep(&s, answer, "on demand");
        s.model = CFLR_MODEL_BATCH;
        sweep(&s, answer, "cut from the closure");
    }
    stage_end(&s);
}

/* Without options: the model is chosen. */
static cflr_status solve_anyhow(stage *s, cflr_error *error) {
    cflr_status st = cflr_solve(s->w.graph, s->w.grammar, NULL, &s->w.result, error);
    cr_assert((st == CFLR_OK) == (s->w.result != NULL));
    if (st == CFLR_OK) compare(s, s->reference, s->w.result, "any model");
    world_forget_result(&s->w);
    return st;
}

Test(sweep, solve_anyhow) {
    stage s;
    stage_begin(&s);
    s.w.context->threads = 1; /* the parallel model is swept below */
    sweep(&s, solve_anyhow, "solve");
    stage_end(&s);
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

/* ---- derivations ---- */

static cflr_status explain_pair(stage *s, cflr_error *error) {
    cflr_explainer *explainer;
    size_t n = 0;
    cflr_status st = cflr_explainer_new(s->w.grammar, s->reference, &explainer, error);
    cr_assert((st == CFLR_OK) == (explainer != NULL));
    if (st == CFLR_OK) st = cflr_explain(explainer, "S", "", 2, 11, 0, &n, error);
    cr_assert_eq(n > 0, st == CFLR_OK);
    cflr_explainer_free(explainer);
    return st;
}

static cflr_status make_levels(stage *s, cflr_error *error) {
    cflri_ground *ground;
    cflri_automaton automaton = {0};
    cflri_levels levels = {0};
    bool held[64] = {false};
    cflr_status st = cflri_ground_new(s->w.grammar, s->w.graph, &ground, error);
    if (st != CFLR_OK) return st;
    cr_assert_lt(ground->n_symbols, 64);
    st = cflri_automaton_make(ground, held, &automaton, error);
    if (st == CFLR_OK) st = cflri_levels_make(&automaton, 2, &levels, error);
    if (st == CFLR_OK) cr_assert_gt(levels.n_called, 0);
    cflri_levels_free(s->w.context, &levels);
    cflri_automaton_free(&automaton);
    cflri_ground_free(ground);
    return st;
}

Test(sweep, derivations) {
    stage s;
    stage_begin(&s);
    s.w.context->threads = 1;
    sweep(&s, explain_pair, "explain");
    sweep(&s, make_levels, "levels");
    stage_end(&s);
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
    if (loaded) compare(s, s->reference, loaded, "loaded");
    cflr_result_free(loaded);
    return st;
}

/* The file holds a result or a graph; `s->path` names it. */
static cflr_status load_either(stage *s, cflr_error *error) {
    cflr_result *loaded;
    cflr_graph *graph;
    cflr_status st = cflr_result_or_graph_load(s->w.context, s->path, &loaded, &graph, error);
    cr_assert((st == CFLR_OK) == (loaded || graph) && !(loaded && graph));
    if (loaded) compare(s, s->reference, loaded, "loaded");
    if (graph) cr_assert_eq(cflr_graph_edges(graph), cflr_graph_edges(s->w.graph));
    cflr_result_free(loaded);
    cflr_graph_free(graph);
    return st;
}

/* The graph of a result's file. */
static cflr_status load_graph(stage *s, cflr_error *error) {
    cflr_graph *graph;
    cflr_status st = cflr_graph_load(s->w.context, s->path, CFLR_GRAPH_AUTO, &graph, error);
    cr_assert_eq(graph != NULL, st == CFLR_OK);
    if (graph) cr_assert_eq(cflr_graph_edges(graph), cflr_graph_edges(s->w.graph));
    cflr_graph_free(graph);
    return st;
}

Test(sweep, save_and_load) {
    cflr_error error;
    stage s;
    stage_begin(&s);
    sweep(&s, save, "save");
    sweep(&s, load, "load");
    sweep(&s, load_either, "a result");
    sweep(&s, load_graph, "the graph of a result");
    test_path(&s.dir, "graph.tsv", s.path);
    MUST(cflr_graph_save(s.w.graph, s.path, CFLR_GRAPH_TSV, &error));
    sweep(&s, load_either, "a graph");
    stage_end(&s);
}

/* Some labels, or with `s->samples` the start symbol. */
static cflr_status export_pairs(stage *s, cflr_error *error) {
    char path[512];
    uint32_t labels[] = {label_of(s->reference, "S"), label_of(s->reference, "O")};
    test_path(&s->dir, "pairs", path);
    cflr_status st = cflr_result_export(s->reference, s->samples ? NULL : labels,
                                        s->samples ? 0 : 2, path, s->format, error);
    cr_assert_eq(access(path, F_OK) == 0, st == CFLR_OK, "a file appears whole or not at all");
    unlink(path);
    return st;
}

/* A directory is filled file by file, each of them whole or not at all. */
static cflr_status export_directory(stage *s, cflr_error *error) {
    char path[512], command[600];
    uint32_t label = label_of(s->reference, "S");
    snprintf(path, sizeof path, "%s/facts", s->dir.path);
    cflr_status st = cflr_result_export(s->reference, &label, 1, path, CFLR_GRAPH_SOUFFLE, error);
    if (st == CFLR_OK) cr_assert_eq(access(path, F_OK), 0);
    snprintf(command, sizeof command, "cd '%s' 2>/dev/null && ls -A | grep -v 'facts$'", path);
    cr_assert_neq(system(command), 0, "a temporary file is left");
    return st;
}

Test(sweep, export) {
    static const cflri_format *const formats[] = {
#define FORMAT(name, number, word, text) &cflri_format_##name,
        CFLR_GRAPH_WRITABLE_LIST(FORMAT)
#undef FORMAT
    };
    stage s;
    stage_begin(&s);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i]->read_plain || formats[i]->read_path) continue; /* one label; below */
        s.format = formats[i]->format;
        for (s.samples = 0; s.samples < 2; s.samples++) sweep(&s, export_pairs, "export");
    }
    sweep(&s, export_directory, "export to a directory");
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
    s.reference->stats.complete = false; /* then only the pairs that there are get checked */
    sweep(&s, check, "what is incomplete");
    s.reference->stats.complete = true;
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

/* ---- witnesses ---- */

/* All of S from vertex 0, whose pairs the undisturbed result has. */
static cflr_status explain(stage *s, cflr_error *error) {
    cflr_witness *witness = NULL;
    uint32_t source = 0;
    cflr_status st = cflr_witness_new(s->w.grammar, s->reference, &witness, error);
    cr_assert_eq(witness != NULL, st == CFLR_OK);
    if (st == CFLR_OK)
        st = cflr_witness_search(witness, "S", "", &source, 1, CFLR_NO_VERTEX, error);
    for (uint32_t v = 0; witness && v < cflr_graph_vertices(s->w.graph); v++) {
        size_t n = cflr_witness_path(witness, v, NULL, 0);
        cr_assert(n == 0 || st == CFLR_OK);
    }
    cflr_witness_free(witness);
    return st;
}

Test(sweep, witness) {
    stage s;
    stage_begin(&s);
    sweep(&s, explain, "witness");
    stage_end(&s);
}
