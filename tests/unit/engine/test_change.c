/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs with parts of them changed: the edges that remain, and what is new.
 */
#include "support.h"
#include "tests/support/fail_alloc.h"

enum { MOST = 8 };

static const struct {
    const char *what, *edges;
    uint8_t change[MOST];
    const char *changed;
} rows[] = {
    {"nothing", "0 1 a; 1 2 f[8]", {0}, "0 1 a; 1 2 f[8]"},
    {"cut", "0 1 a; 1 2 f[8]; 3 1 d; 3 2 d; 1 1 any", {0, CFLR_CHANGE_CUT}, "3 2 d"},
    {"empty",
     "0 1 a; 2 1 nonnull; 2 1 call[1]; 2 1 ret[1]; 3 1 alloc; 3 1 caller; 3 1 unknown[u]; 3 1 d;"
     "1 2 a",
     {0, CFLR_CHANGE_EMPTY},
     "3 1 d; 1 2 a"},
    {"an empty location",
     "0 1 address; 1 2 changes; 1 2 is",
     {0, CFLR_CHANGE_EMPTY},
     "0 1 address; 1 2 is"},
    {"fresh", "0 1 a; 1 2 a", {0, CFLR_CHANGE_FRESH}, "1 2 a; 3 4 alloc; 4 1 a"},
    {"fresh, with contents",
     "0 1 a; 1 2 d",
     {0, CFLR_CHANGE_FRESH},
     "1 2 d; 3 4 alloc; 4 1 a; 4 3 d"},
    {"fresh, with locations",
     "0 1 a; 2 1 a; 2 3 address; 3 4 changes; 3 5 is; 5 6 fits; 6 6 fits",
     {0, CFLR_CHANGE_FRESH, CFLR_CHANGE_FRESH},
     "2 3 address; 3 4 changes; 3 5 is; 5 6 fits; 6 6 fits; 5 10 fits; 6 10 fits;"
     "7 8 alloc; 8 1 a; 8 9 address; 9 8 in; 9 9 whole; 9 10 is; 9 4 changes;"
     "11 12 alloc; 12 2 a; 12 13 address; 13 12 in; 13 13 whole; 13 10 is; 13 4 changes"},
    {"apart",
     "0 1 a; 1 0 a; 0 2 a; 2 1 a; 0 1 d",
     {CFLR_CHANGE_APART, CFLR_CHANGE_APART},
     "0 2 a; 2 1 a; 0 1 d"},
    {"still",
     "0 1 a; 1 0 a; 1 1 any; 1 1 f[8]; 2 2 any",
     {0, CFLR_CHANGE_STILL},
     "0 1 a; 1 0 a; 2 2 any"},
    {"no vertices", "", {0}, ""},
};

static void expect_edges(const char *what, const cflr_graph *is, const cflr_graph *expected) {
    cr_expect_eq(cflr_graph_edges(is), cflr_graph_edges(expected), "%s: %" PRIu64 " edges", what,
                 cflr_graph_edges(is));
    for (uint32_t l = 0; l < cflr_graph_labels(expected); l++) {
        const char *name = cflr_graph_label_name(expected, l);
        const char *index = cflr_graph_label_index(expected, l);
        uint32_t label = cflr_graph_find_label(is, name, index[0] ? index : NULL), from;
        uint64_t cursor = 0, n, count;
        const uint32_t *row;
        cr_assert_neq(label, CFLR_NO_LABEL, "%s: no %s", what, name);
        while ((row = cflr_graph_next_row(expected, l, CFLR_OUT, &cursor, &from, &n))) {
            const uint32_t *found = cflr_graph_row(is, label, CFLR_OUT, from, &count);
            cr_expect(count == n && memcmp(found, row, n * sizeof *row) == 0, "%s: %s of %u", what,
                      name, from);
        }
    }
}

Test(change, edges) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world w, expected;
        cflr_graph *changed;
        cflr_error error;
        world_begin(&w, 1);
        world_begin(&expected, 1);
        world_graph(&w, rows[i].edges);
        world_graph(&expected, rows[i].changed);
        MUST(cflr_graph_change(w.graph, rows[i].change, &changed, &error));
        MUST(cflr_graph_validate(changed, &error));
        cr_expect_geq(cflr_graph_vertices(changed), cflr_graph_vertices(w.graph));
        expect_edges(rows[i].what, changed, expected.graph);
        cflr_graph_free(changed);
        world_end(&expected);
        world_end(&w);
    }
}

/* Objects of the vertex, under the shipped grammar. */
static uint64_t objects(world *w, const char *grammar, uint32_t vertex) {
    world_grammar(w, cflr_grammar_shipped_text(grammar));
    world_solve(w, CFLR_MODEL_AUTO);
    uint32_t label = cflr_result_find_label(w->result, cflr_result_answer(w->result, "points-to"));
    return label == CFLR_NO_LABEL ? 0 : cflr_result_count(w->result, label, 0, vertex);
}

/* x 0, &x 1, y 2, &y 3; p 4 gets both, and q 5 gets p. */
#define FLAT "0 1 alloc; 1 0 d; 2 3 alloc; 3 2 d; 1 4 a; 3 4 a; 4 5 a;"
/* The same, with a location for each: (x) 6, (y) 7, of the types 8 and 9; 10 is anything, and q
 * reads the type 8. */
#define PLACES                                                                           \
    FLAT "1 6 address; 6 1 in; 6 8 is; 8 8 fits; 3 7 address; 7 3 in; 7 9 is; 9 9 fits;" \
         "6 10 changes; 7 10 changes; 10 10 fits; 5 8 reads; 1 1 any"

Test(change, closures) {
    static const struct {
        const char *grammar, *edges;
        uint8_t change[11];
        uint32_t objects; /* of q */
    } all[] = {
        {"pointer-fs", FLAT, {0}, 2},
        {"pointer-fs", FLAT, {[1] = CFLR_CHANGE_CUT}, 1},
        {"pointer-fs", FLAT, {[4] = CFLR_CHANGE_FRESH}, 1},
        {"pointer-fs", FLAT, {[5] = CFLR_CHANGE_EMPTY}, 0},
        {"pointer-fs", FLAT, {[3] = CFLR_CHANGE_APART, [4] = CFLR_CHANGE_APART}, 1},
        {"pointer-types", PLACES, {0}, 1},
        {"pointer-types", PLACES, {[1] = CFLR_CHANGE_CUT}, 0},
        {"pointer-types", PLACES, {[4] = CFLR_CHANGE_FRESH}, 1},
        {"pointer-types", PLACES, {[4] = CFLR_CHANGE_FRESH, [5] = CFLR_CHANGE_FRESH}, 1},
        {"pointer-types", PLACES, {[4] = CFLR_CHANGE_EMPTY}, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        world w;
        cflr_graph *changed;
        cflr_error error;
        world_begin(&w, 1);
        world_graph(&w, all[i].edges);
        MUST(cflr_graph_change(w.graph, all[i].change, &changed, &error));
        cflr_graph_free(w.graph);
        w.graph = changed;
        uint64_t n = objects(&w, all[i].grammar, 5);
        cr_expect_eq(n, all[i].objects, "%zu: %" PRIu64, i, n);
        world_end(&w);
    }
}

static cflr_status make_change(cflr_context *context, void *user, cflr_error *error) {
    const size_t *i = user;
    cflr_graph *graph, *changed = NULL;
    cflr_status st = test_graph(context, rows[*i].edges, &graph, error);
    if (st != CFLR_OK) return st;
    st = cflr_graph_change(graph, rows[*i].change, &changed, error);
    cr_assert((st == CFLR_OK) == (changed != NULL));
    cflr_graph_free(changed);
    cflr_graph_free(graph);
    return st;
}

Test(change, without_memory) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) fail_alloc_sweep(make_change, &i);
}
