/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates of points-to sets: as many objects as the pointer grammar finds, and what changes do.
 */
#include "cflr/estimate.h"
#include "support.h"
#include "tests/support/fail_alloc.h"

/* x 0, &x 1, y 2, &y 3, a record r 4, &r 5; p 6, q 7: what else there is differs. */
#define OBJECTS "0 1 alloc; 1 0 d; 2 3 alloc; 3 2 d; 4 5 alloc; 5 4 d;"

static const struct {
    const char *what, *edges;
    uint32_t vertex, objects;
} rows[] = {
    {"assigned twice", OBJECTS "1 6 a; 3 6 a", 6, 2},
    {"a call and its result", OBJECTS "1 6 call[0]; 6 7 ret[0]", 7, 1},
    {"stored and loaded", OBJECTS "5 6 a; 5 7 a; 6 8 d; 7 9 d; 1 8 a; 9 10 a", 10, 1},
    {"loaded is not stored", OBJECTS "5 6 a; 1 6 a; 6 8 d; 3 8 a; 5 7 a; 7 9 d; 1 0 d; 5 0 a", 9,
     1},
    {"one member", OBJECTS "5 6 f[8]; 5 7 f[16]; 6 8 d; 7 9 d; 1 8 a; 3 9 a; 9 10 a", 10, 1},
    {"members of members",
     OBJECTS "5 6 f[8]; 6 7 f[16]; 5 8 f[8]; 8 9 f[16]; 7 10 d; 9 11 d; 1 10 a; 11 12 a", 12, 1},
    {"any member",
     OBJECTS "5 6 f[8]; 5 7 f[16]; 6 8 d; 7 9 d; 1 8 a; 3 9 a; 5 10 a; 10 10 f[8];"
             "10 10 f[16]; 10 11 d; 11 12 a",
     12, 2},
    {"to any member", OBJECTS "5 6 a; 6 6 f[8]; 6 7 d; 1 7 a; 5 8 f[8]; 8 9 d; 9 10 a", 10, 1},
    {"forth and back", OBJECTS "5 6 f[8]; 6 7 b[8]; 7 8 d; 1 8 a; 4 9 a", 9, 1},
    {"further back than forth", OBJECTS "5 6 f[8]; 6 7 b[16]", 7, 0},
    {"around", OBJECTS "5 6 f[8]; 6 7 a; 7 7 around[8]; 7 8 d; 1 4 a; 8 9 a", 9, 1},
    {"through memory that is not known", OBJECTS "6 7 a; 6 8 d; 7 9 d; 1 8 a; 9 10 a", 10, 1},
    {"of outside", OBJECTS "6 7 caller; 6 8 caller; 7 9 d; 8 10 d; 1 9 a; 10 11 a", 11, 0},
    {"a cycle", OBJECTS "1 6 a; 6 7 a; 7 6 a; 3 7 a", 6, 2},
    {"a chain that ends in itself", OBJECTS "5 6 a; 6 7 f[8]; 7 6 a; 6 8 d; 1 8 a; 8 9 a", 9, 1},
};

static cflr_estimate *estimate_of(world *w, const char *edges, const uint8_t *change) {
    cflr_estimate *estimate;
    cflr_error error;
    world_begin(w, 1);
    world_graph(w, edges);
    MUST(cflr_estimate_new(w->graph, change, &estimate, &error));
    return estimate;
}

Test(estimate, objects) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world w;
        cflr_estimate *estimate = estimate_of(&w, rows[i].edges, NULL);
        cr_expect_eq(cflr_estimate_objects(estimate, rows[i].vertex), rows[i].objects, "%s: %u",
                     rows[i].what, cflr_estimate_objects(estimate, rows[i].vertex));
        cflr_estimate_free(estimate);
        world_end(&w);
    }
}

/* The grammar finds them, too. */
Test(estimate, is_what_the_grammar_finds) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world w;
        uint64_t n;
        cflr_estimate *estimate = estimate_of(&w, rows[i].edges, NULL);
        world_grammar(&w, cflr_grammar_shipped_text("pointer-fs"));
        world_solve(&w, CFLR_MODEL_AUTO);
        uint32_t label =
            cflr_result_find_label(w.result, cflr_result_answer(w.result, "points-to"));
        cflr_result_row(w.result, label, 0, rows[i].vertex, &n);
        cr_expect(n >= rows[i].objects, "%s: %" PRIu64, rows[i].what, n);
        cflr_estimate_free(estimate);
        world_end(&w);
    }
}

Test(estimate, changes) {
    static const char edges[] = OBJECTS "1 6 a; 3 6 a; 6 7 a; 6 8 a";
    static const struct {
        uint8_t change[9];
        uint32_t objects[3]; /* of 6, 7 and 8 */
        uint32_t list[2];    /* of 8 */
    } all[] = {{{0}, {2, 2, 2}, {0, 2}},
               {{[1] = CFLR_CHANGE_CUT}, {1, 1, 1}, {2}},
               {{[7] = CFLR_CHANGE_CUT}, {2, 0, 2}, {0, 2}},
               {{[6] = CFLR_CHANGE_FRESH}, {1, 1, 1}, {9}},
               {{[7] = CFLR_CHANGE_FRESH, [8] = CFLR_CHANGE_FRESH}, {2, 1, 1}, {10}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        world w;
        uint32_t list[4], sum = 0;
        cflr_estimate *estimate = estimate_of(&w, edges, all[i].change);
        for (uint32_t k = 0; k < 3; k++) {
            cr_expect_eq(cflr_estimate_objects(estimate, 6 + k), all[i].objects[k], "%zu %u", i, k);
            sum += all[i].objects[k];
        }
        uint32_t n = cflr_estimate_list(estimate, 8, list, 4);
        cr_assert_eq(n, all[i].objects[2]);
        cr_expect_arr_eq(list, all[i].list, n * sizeof *list);
        cr_expect_eq(cflr_estimate_list(estimate, 8, list, 0), 0);
        for (uint32_t k = 0; k < 6; k++) sum += cflr_estimate_objects(estimate, k);
        cr_expect_eq(cflr_estimate_get(estimate).objects, sum);
        cflr_estimate_free(estimate);
        world_end(&w);
    }
}

Test(estimate, nothing) {
    world w;
    cflr_estimate *estimate = estimate_of(&w, "", NULL);
    cr_expect_eq(cflr_estimate_get(estimate).pointers, 0);
    cflr_estimate_free(estimate);
    cflr_estimate_free(NULL);
    world_end(&w);
}

static cflr_status make_estimate(cflr_context *context, void *user, cflr_error *error) {
    cflr_graph *graph;
    cflr_estimate *estimate;
    const size_t *i = user;
    cflr_status st = test_graph(context, rows[*i].edges, &graph, error);
    if (st != CFLR_OK) return st;
    st = cflr_estimate_new(graph, NULL, &estimate, error);
    cr_assert((st == CFLR_OK) == (estimate != NULL));
    if (estimate) cr_assert_eq(cflr_estimate_objects(estimate, rows[*i].vertex), rows[*i].objects);
    cflr_estimate_free(estimate);
    cflr_graph_free(graph);
    return st;
}

Test(estimate, without_memory) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += 3) fail_alloc_sweep(make_estimate, &i);
}
