/* SPDX-License-Identifier: Apache-2.0
 *
 * test_sweep.c: the n-th allocation fails, for every n, in the calls that read grammars from files
 * and that show a grammar which is in use all the time; it and the graph stay as they were.
 */
#include <criterion/criterion.h>

#include "cflr/cflr.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/packing.h"
#include "tests/support/support.h"

static const char rules[] =
    "%answer alias V\nV ::= ~A V | F[i] f[i] | (a (b | d)?)* (a b)+ | eps\n"
    "F[i] ::= ~f[i] (g[k] V g[k])? V\nA ::= (a b?)* | a\nW ::= W\n";

typedef struct stage {
    fail_alloc f;
    cflr_context *context;
    cflr_grammar *grammar;
    cflr_graph *graph;
    /* what the call is to do, */
    const char *path;
    int stage, format;
    bool with_graph;
    char *expected; /* and what it gave undisturbed */
} stage;

static void make_graph(stage *s) {
    static const char *const names[] = {"a", "b", "d", "f", "f", "g"};
    static const char *const indexes[] = {NULL, NULL, NULL, "8", "16", "8"};
    cflr_graph_builder *builder;
    cflr_error error;
    MUST(cflr_graph_builder_new(s->context, &builder, &error));
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t label;
        MUST(cflr_graph_builder_label(builder, names[i], indexes[i], &label, &error));
        MUST(cflr_graph_builder_edge(builder, i, (i + 2) % 5, label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &s->graph, &error));
}

static void stage_begin(stage *s) {
    memset(s, 0, sizeof *s);
    cflr_allocator allocator = fail_alloc_allocator(&s->f);
    cflr_context_opts opts;
    cflr_error error;
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    MUST(cflr_context_new(&opts, &s->context, &error));
    make_graph(s);
    MUST(cflr_grammar_parse(s->context, rules, strlen(rules), "test", CFLR_GRAMMAR_CFLR,
                            &s->grammar, &error));
}

static void stage_end(stage *s) {
    cflr_error error;
    MUST(cflr_graph_validate(s->graph, &error));
    cflr_grammar_free(s->grammar);
    cflr_graph_free(s->graph);
    test_context_end(s->context);
    cr_assert_eq(s->f.blocks, 0);
}

/* ---- reading ---- */

static cflr_status load(void *user, cflr_error *error) {
    const stage *s = user;
    cflr_grammar *grammar;
    cflr_status st = cflr_grammar_load(s->context, s->path, CFLR_GRAMMAR_AUTO, &grammar, error);
    cr_assert_eq(grammar != NULL, st == CFLR_OK);
    cflr_grammar_free(grammar);
    return st;
}

Test(sweep, shipped_grammars) {
    stage s;
    stage_begin(&s);
    for (size_t i = 0; (s.path = cflr_grammar_shipped(i)); i++) {
        fail_alloc_sweep_call(&s.f, load, &s, s.path);
    }
    stage_end(&s);
}

Test(sweep, files) {
    test_dir dir = test_dir_begin();
    char path[512], packed_path[600];
    stage s;
    stage_begin(&s);
    test_write_file(test_path(&dir, "rules", path), rules, strlen(rules));
    s.path = path;
    fail_alloc_sweep_call(&s.f, load, &s, path);
    for (int packing = 0; packing < TEST_PACKINGS; packing++) {
        test_packed packed = test_pack((test_packing)packing, rules, strlen(rules));
        snprintf(packed_path, sizeof packed_path, "%s%s", path, test_packing_suffix[packing]);
        test_write_file(packed_path, packed.data, packed.size);
        free(packed.data);
        s.path = packed_path;
        fail_alloc_sweep_call(&s.f, load, &s, packed_path);
    }
    stage_end(&s);
    test_dir_end(&dir);
}

/* ---- texts ---- */

/* A stage, or with `format` an export; NULL in place of a text when it fails. */
static cflr_status make_text(const stage *s, char **text, cflr_error *error) {
    const cflr_graph *graph = s->with_graph ? s->graph : NULL;
    *text = NULL;
    if (!s->format) {
        return cflr_grammar_show(s->grammar, (cflr_grammar_stage)s->stage, graph, text, error);
    }
    return cflr_grammar_export(s->grammar, (cflr_grammar_format)s->format, graph, text, error);
}

static cflr_status show(void *user, cflr_error *error) {
    const stage *s = user;
    char *text;
    cflr_status st = make_text(s, &text, error);
    cr_assert_eq(text != NULL, st == CFLR_OK);
    if (text) cr_assert_str_eq(text, s->expected);
    cflr_text_free(s->context, text);
    return st;
}

/* How many there are: some formats and the last stage need a graph. */
static int sweep_text(stage *s) {
    char what[64];
    cflr_error error = {0};
    snprintf(what, sizeof what, "stage %d, format %d", s->stage, s->format);
    if (make_text(s, &s->expected, &error) != CFLR_OK) {
        cr_assert(!s->with_graph && error.code == CFLR_ARGUMENT, "%s: %s", what, error.message);
        return 0;
    }
    fail_alloc_sweep_call(&s->f, show, s, what);
    cflr_text_free(s->context, s->expected);
    s->expected = NULL;
    return 1;
}

Test(sweep, stages_and_exports) {
    int texts = 0;
    stage s;
    stage_begin(&s);
    for (int with_graph = 0; with_graph < 2; with_graph++) {
        s.with_graph = with_graph != 0;
        s.format = 0;
        for (s.stage = CFLR_STAGE_RULES; s.stage <= CFLR_STAGE_PLAN; s.stage++) {
            texts += sweep_text(&s);
        }
        for (s.format = CFLR_GRAMMAR_POCR; s.format <= CFLR_GRAMMAR_CFPQ; s.format++) {
            texts += sweep_text(&s);
        }
    }
    cr_expect_geq(texts, 10 + 6, "%d texts", texts);
    stage_end(&s);
}
