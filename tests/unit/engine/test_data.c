/* SPDX-License-Identifier: Apache-2.0
 *
 * Public benchmark graphs, closed to the pair: what other programs count on them is what every
 * model here must count. The graphs are not part of the project: they are looked for in $CFLR_DATA,
 * or in ../shared/data beside the source; without them the tests say so and pass.
 *
 * Grammars are written as the literature has them, so "all" counts what a classic worklist solver
 * counts. Large graphs are for builds without sanitizers.
 */
#include <stdlib.h>

#include "base/files/stream.h"
#include "sliced.h"

/* ---- the graphs ---- */

static const char aa_rules[] =
    "%start V\n"
    "V ::= ~A V | V A | FV[i] f[i] | M | eps\n"
    "FV[i] ::= ~f[i] V\n"
    "M ::= DV d\n"
    "DV ::= ~d V\n"
    "A ::= A A | a M | a | eps\n";

/* The alias graphs without fields, by the rules that Graspan runs; V is as aa's without fields. */
static const char plain_rules[] =
    "%start V\n"
    "V ::= ~A V | V A | M | eps\n"
    "M ::= DV d\n"
    "DV ::= ~d V\n"
    "A ::= A A | a M | a | eps\n";

static const char pt_rules[] =
    "%start V\n"
    "M ::= DV d\n"
    "DV ::= ~d V\n"
    "V ::= MAM AMs\n"
    "MAM ::= MAs Mq\n"
    "Mq ::= eps | M\n"
    "MAs ::= eps | MAs MA\n"
    "MA ::= Mq ~a\n"
    "AMs ::= eps | AMs AM\n"
    "AM ::= a Mq\n";

static const char vf_rules[] = "A ::= A A | CA[i] ret[i] | a | eps\nCA[i] ::= call[i] A\n";

/* r: a loop at every vertex that an `a` edge touches. */
static const char cspa_rules[] =
    "%start VA\n"
    "VF ::= a | r | VF VF | a MA\n"
    "VA ::= ~VF VF | T VF\n"
    "T ::= ~VF MA\n"
    "MA ::= r | U d\n"
    "U ::= ~d VA\n";

static const char tc_rules[] = "P ::= e | P e\n";

typedef enum graph_family { AA, PLAIN, VF, CSPA, TC } graph_family;

/* A symbol and its pairs; "" stands for all together. */
typedef struct count {
    const char *symbol;
    uint64_t pairs;
} count;

typedef struct benchmark {
    const char *file;
    graph_family family;
    const char *rules;
    count counts[5]; /* ended by one without a symbol */
} benchmark;

/* The data directory in `path`, or false after saying that the test is skipped. */
static bool find_data(const char *file, char path[1024]) {
    const char *named = getenv("CFLR_DATA");
    snprintf(path, 1024, "%s/%s", named ? named : CFLR_SOURCE_DIR "/../shared/data", file);
    if (access(path, R_OK) == 0) return true;
    fprintf(stderr, "SKIP: %s is not there; set CFLR_DATA to the folder of benchmark graphs\n",
            path);
    return false;
}

static void add_edge(cflr_graph_builder *builder, uint32_t source, uint32_t target,
                     const char *name, const char *index) {
    uint32_t label;
    cflr_error error;
    MUST(cflr_graph_builder_label(builder, name, index, &label, &error));
    MUST(cflr_graph_builder_edge(builder, source, target, label, &error));
}

/* One line, `source target [label [index]]`; indexed labels end in _i. An edge xbar is its x read
 * backwards, and left out. */
static void add_line(cflr_graph_builder *builder, graph_family family, char *line) {
    char *rest = line, *word[4] = {NULL};
    for (int n = 0; n < 4 && (word[n] = strtok_r(rest, " \t\r", &rest));) n++;
    if (!word[1]) return;
    uint32_t source = (uint32_t)strtoul(word[0], NULL, 10);
    uint32_t target = (uint32_t)strtoul(word[1], NULL, 10);
    char plain[] = "e", *label = family == TC ? plain : word[2];
    cr_assert_not_null(label);
    label[strcspn(label, "_")] = '\0';
    size_t length = strlen(label);
    if (length > 3 && strcmp(label + length - 3, "bar") == 0) return;
    if (family == PLAIN && label[0] == 'f') return;
    if (family == CSPA && strcmp(label, "a") != 0 && strcmp(label, "d") != 0) return;
    add_edge(builder, source, target, label, word[3]);
    if (family != CSPA || label[0] != 'a') return;
    add_edge(builder, source, source, "r", NULL);
    add_edge(builder, target, target, "r", NULL);
}

static void load(world *w, const benchmark *b, const char *path) {
    cflri_input input;
    cflr_error error;
    cflr_graph_builder *builder;
    MUST(cflri_input_open(w->context, path, &input, &error));
    MUST(cflr_graph_builder_new(w->context, &builder, &error));
    char *text = malloc(input.size + 1), *rest = text;
    memcpy(text, input.data, input.size);
    text[input.size] = '\0';
    for (char *line; (line = strsep(&rest, "\n"));) add_line(builder, b->family, line);
    free(text);
    cflri_input_close(&input);
    MUST(cflr_graph_builder_freeze(builder, &w->graph, &error));
    world_grammar(w, b->rules);
}

/* ---- counting ---- */

/* All pairs of terminals and nonterminals, each of their converses that the grammar reads being a
 * symbol of its own. Classic solvers make ~A from edges ~a, which they count too; here ~A is A read
 * backwards, and no rule reads ~a. */
static uint64_t all_pairs(const cflr_result *result) {
    uint64_t pairs = 0;
    for (uint32_t l = 0; l < cflr_result_labels(result); l++) {
        cflr_result_label info;
        cflr_result_get_label(result, l, &info);
        if (info.kind != CFLR_SYMBOL_AUXILIARY) pairs += info.pairs;
    }
    bool missing = cflr_result_find_label(result, "~A") != CFLR_NO_LABEL &&
                   cflr_result_find_label(result, "~a") == CFLR_NO_LABEL;
    return missing ? pairs + pairs_of(result, "a") : pairs;
}

static void solve(world *w, const benchmark *b, cflr_model model, int threads) {
    w->context->threads = threads;
    world_solve(w, model);
    for (const count *c = b->counts; c->symbol; c++) {
        uint64_t pairs = c->symbol[0] ? pairs_of(w->result, c->symbol) : all_pairs(w->result);
        cr_assert_eq(pairs, c->pairs, "%s, %s, %d threads: %s has %" PRIu64 " pairs, not %" PRIu64,
                     b->file, cflr_model_name(model), threads, c->symbol, pairs, c->pairs);
    }
    world_forget_result(w);
}

static void run(const benchmark *b, bool every_model) {
    char path[1024];
    world w;
    if (!find_data(b->file, path)) return;
    world_begin(&w, 1);
    load(&w, b, path);
    for (size_t m = 0; m < TEST_MODELS && every_model; m++) {
        const cflr_model model = test_models[m];
        int most = model == CFLR_MODEL_PARALLEL || model == CFLR_MODEL_BATCH ? 3 : 1;
        for (int threads = 1; threads <= most; threads++) solve(&w, b, model, threads);
    }
    if (!every_model) {
        solve(&w, b, CFLR_MODEL_EDGE_INDEXED, 1);
        solve(&w, b, CFLR_MODEL_PARALLEL, 1);
        solve(&w, b, CFLR_MODEL_PARALLEL, 2);
    }
    world_end(&w);
}

static const benchmark small[] = {
    {"aa/gzip.peg.xz", AA, aa_rules, {{"V", 4770}, {"A", 1256}, {"FV", 2253}, {"", 12015}}},
    {"aa/crafty.peg.xz", AA, aa_rules, {{"V", 71555}, {"A", 18103}, {"FV", 35478}, {"", 150865}}},
};

static const benchmark large[] = {
    {"aa/psql.peg.xz", AA, aa_rules, {{"V", 6525284}, {"", 9305297}}},
    {"vf/bzip2.vfg.xz", VF, vf_rules, {{"A", 237386}, {"CA", 23126}, {"", 273623}}},
    {"vf/gzip.vfg.xz", VF, vf_rules, {{"A", 823940}, {"", 922638}}},
    {"cspa/psql.g.xz", CSPA, cspa_rules, {{"VF", 179506}, {"VA", 25894487}, {"MA", 39619}}},
    {"tc/fe_sphere.facts.xz", TC, tc_rules, {{"P", 78557912}}},
};

Test(data, small_graphs_on_every_model) {
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) run(&small[i], true);
}

Test(data, large_graphs) {
    if (TEST_SANITIZED) {
        fprintf(stderr, "SKIP: large graphs are for builds without sanitizers\n");
        return;
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) run(&large[i], false);
}

/* ---- slices ---- */

enum { MOST_SLICES = 7, FAKED = 3 /* slices whose boxes are delayed, too */ };
static const uint32_t parked[] = {2, 4, 9}; /* slices that go to a shelf after each visit */

static void solve_sliced(world *w, const benchmark *b, const cflr_result *reference, slicing how) {
    char what[128];
    snprintf(what, sizeof what, "%s, %u slices%s", b->file, how.slices,
             how.parks ? ", parked" : "");
    cflri_traffic t = world_solve_sliced(w, how);
    must_be_equal(reference, w->result, what);
    world_forget_result(w);
    if (how.fake || how.parks) return;
    printf("%-24s %6u %6" PRIu64 " %6" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n", b->file, how.slices,
           t.rounds, t.boxes, t.words, t.products);
}

static void run_sliced(const benchmark *b) {
    char path[1024];
    world w;
    if (!find_data(b->file, path)) return;
    world_begin(&w, 1);
    load(&w, b, path);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_BATCH);
    for (uint32_t slices = 1; slices <= MOST_SLICES; slices++) {
        solve_sliced(&w, b, reference, (slicing){.slices = slices, .grain = 64});
    }
    solve_sliced(&w, b, reference, (slicing){.slices = FAKED, .grain = 64, .fake = 1});
    for (uint32_t i = 0; i < sizeof parked / sizeof *parked; i++) {
        solve_sliced(&w, b, reference, (slicing){.slices = parked[i], .grain = 64, .parks = true});
    }
    cflr_result_free(reference);
    world_end(&w);
}

/* Prints what was carried: this is the table of docs/explanation/spine.md. */
Test(spine_data, graphs_in_slices) {
    printf("%-24s %6s %6s %6s %9s %9s\n", "graph", "slices", "rounds", "boxes", "words",
           "products");
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) run_sliced(&small[i]);
    for (size_t i = 0; i < sizeof large / sizeof *large && !TEST_SANITIZED; i++) {
        run_sliced(&large[i]);
    }
}

/* Graspan's rules and the textbook's say the same of V where there are no fields. */
Test(data, two_grammars_one_answer) {
    static const benchmark forms[] = {{"aa/crafty.peg.xz", PLAIN, plain_rules, {{NULL, 0}}},
                                      {"aa/crafty.peg.xz", PLAIN, pt_rules, {{NULL, 0}}}};
    world w[2];
    char path[1024];
    if (!find_data(forms[0].file, path)) return;
    for (int i = 0; i < 2; i++) {
        world_begin(&w[i], 2);
        load(&w[i], &forms[i], path);
        world_solve(&w[i], CFLR_MODEL_PARALLEL);
    }
    cr_assert_gt(pairs_of(w[0].result, "V"), 0);
    cr_assert_eq(pairs_of(w[0].result, "V"), pairs_of(w[1].result, "V"));
    for (int i = 0; i < 2; i++) world_end(&w[i]);
}
