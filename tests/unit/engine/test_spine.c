/* SPDX-License-Identifier: Apache-2.0
 *
 * Slices give the closure that the reference solver gives, however many they are, whatever the
 * carrier does with their boxes, and where nothing of a slice stays from stratum to stratum.
 */
#include "base/error.h"
#include "engine/results/result.h"
#include "random_pairs.h"
#include "sliced.h"
#include "tests/support/fail_alloc.h"

enum { PAIRS = TEST_SANITIZED ? 150 : 750, MANY_PAIRS = 3000, MOST_SLICES = 7 };

static void compare(world *w, const cflr_result *reference, slicing how, uint64_t seed) {
    char what[160];
    snprintf(what, sizeof what, "seed %" PRIu64 ", %u slices, grain %u, %d threads, %s, %s", seed,
             how.slices, how.grain, w->context->threads, how.fake ? "fake" : "memory",
             how.parks ? "parked" : "kept");
    cflri_traffic traffic = world_solve_sliced(w, how);
    must_be_equal(reference, w->result, what);
    cr_assert(how.slices > 1 || !traffic.words, "%s: one slice has nobody to tell", what);
    world_forget_result(w);
}

static void try_pair(uint64_t seed) {
    world w;
    filtered_world(&w, seed);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_NAIVE);
    for (uint32_t slices = 1; slices <= MOST_SLICES; slices++) {
        slicing how = {.slices = slices, .grain = 1 + (uint32_t)(seed % 3)};
        w.context->threads = (seed + slices) % 16 ? 1 : 2 + (int)(seed % 2);
        compare(&w, reference, how, seed);
        how.fake = seed + 1;
        how.parks = (seed + slices) % 4 == 0;
        compare(&w, reference, how, seed);
    }
    cflr_result_free(reference);
    world_end(&w);
}

/* As after a crash: solves in some slices with a checkpoint between all waves, and goes on from one
 * of these in other slices. Returns how often it went on from one. */
static uint32_t try_resuming(uint64_t seed) {
    world w;
    uint32_t resumed = 0;
    filtered_world(&w, seed);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_NAIVE);
    for (uint32_t slices = 1; slices <= 4; slices++) {
        memory_shelf shelf = memory_shelf_of();
        slicing how = {.slices = slices, .grain = 1 + (uint32_t)(seed % 3), .shelf = &shelf};
        w.context->threads = (seed + slices) % 16 ? 1 : 2;
        shelf.shelf.commits = true;
        shelf.remember = UINT32_MAX;
        compare(&w, reference, how, seed);
        shelf.remember = (uint32_t)(seed % (shelf.commits + 1));
        shelf.commits = 0;
        memory_shelf_free(&shelf);
        shelf.whole = false;
        compare(&w, reference, how, seed);
        resumed += shelf.remembered.slices == slices;
        memory_shelf_return(&shelf);
        how.slices = 1 + (uint32_t)((seed / 2 + slices) % 5);
        compare(&w, reference, how, seed);
        memory_shelf_free(&shelf);
    }
    cflr_result_free(reference);
    world_end(&w);
    return resumed;
}

Test(spine, resumes) {
    uint64_t pairs = getenv("CFLR_TEST_EXHAUSTIVE") ? MANY_PAIRS : PAIRS / 5, resumed = 0;
    for (uint64_t seed = 0; seed < pairs; seed++) resumed += try_resuming(seed);
    cr_assert_geq(resumed, 2 * pairs, "of %" PRIu64 " pairs, each in 4 ways", pairs);
}

/* With CFLR_TEST_EXHAUSTIVE, many. */
static void try_pairs(uint64_t part) {
    uint64_t pairs = getenv("CFLR_TEST_EXHAUSTIVE") ? MANY_PAIRS : PAIRS;
    for (uint64_t seed = part * pairs / 3; seed < (part + 1) * pairs / 3; seed++) try_pair(seed);
}

Test(spine_first, random_pairs) {
    try_pairs(0);
}

Test(spine_second, random_pairs) {
    try_pairs(1);
}

Test(spine_third, random_pairs) {
    try_pairs(2);
}

/* ---- memory ---- */

/* Solves a grammar in three slices. */
static cflr_status solve_grammar(cflr_context *context, void *user, cflr_error *error) {
    world w = {.context = context};
    cflri_memory_carrier carrier;
    cflri_spine spine = {.place = &cflri_batch_place, .slices = 3, .grain = 1};
    cflr_status st = CFLR_OK;
    memset(&carrier, 0, sizeof carrier);
    context->threads = 1;
    CFLR_TRY(
        test_graph(context, "0 1 d; 2 1 d; 2 3 a; 3 4 d; 1 5 a; 0 3 a; 4 5 d", &w.graph, error));
    CFLR_TRY(test_grammar(context, user, &w.grammar, error));
    st = cflri_memory_carrier_init(&carrier, context, 3, error);
    if (st == CFLR_OK) {
        spine.carrier = &carrier.carrier;
        context->spine = &spine;
        st = world_try(&w, CFLR_MODEL_BATCH, error);
        context->spine = NULL;
    }
    cflri_memory_carrier_free(&carrier);
out:
    cflr_result_free(w.result);
    cflr_grammar_free(w.grammar);
    cflr_graph_free(w.graph);
    return st;
}

Test(spine, every_allocation_fails_once) {
    static const char *const grammars[] = {
        "V ::= ~A V | V A | M | eps\nM ::= DV d\nDV ::= ~d V\nA ::= A A | a M | a | eps\n",
        "A ::= d a | A A\nB ::= A ~A | d B ~d\n",
    };
    for (size_t i = 0; i < 2; i++) {
        fail_alloc_sweep(solve_grammar, (void *)(uintptr_t)grammars[i]);
    }
}

/* Where memory ends, every slice keeps what it has: all of it is derivable. */
Test(spine, keeps_what_fits) {
    for (uint64_t room = 1 << 20; room < (uint64_t)1 << 25; room += room / 2) {
        cflr_error error;
        world w;
        cflri_memory_carrier carrier;
        cflri_spine spine = {.place = &cflri_batch_place, .slices = 3, .grain = 64};
        cflr_verify_report report;
        world_begin(&w, 1);
        world_chain(&w, 700);
        MUST(cflri_memory_carrier_init(&carrier, w.context, 3, &error));
        spine.carrier = &carrier.carrier;
        w.context->spine = &spine;
        w.context->memory_limit = cflr_context_memory(w.context) + room;
        cflr_status st = world_try(&w, CFLR_MODEL_BATCH, &error);
        w.context->memory_limit = UINT64_MAX;
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_NO_MEMORY, "%s", error.message);
        if (w.result) {
            MUST(cflr_verify(w.graph, w.grammar, w.result, 200, &report, &error));
            cr_assert_eq(report.underivable, 0);
            cr_assert_eq(cflr_result_complete(w.result), st == CFLR_OK);
        }
        cflri_memory_carrier_free(&carrier);
        world_end(&w);
    }
}

/* ---- sets that rows share ---- */

enum { LONG = 3000 };

/* Solves in five slices. Returns the bytes of the result. */
static uint64_t solve_in_five(world *w) {
    uint64_t before = cflr_context_memory(w->context);
    world_solve_sliced(w, (slicing){.slices = 5, .grain = 512});
    return cflr_context_memory(w->context) - before;
}

/* Every row has all vertices: it is one set, which each slice had a part of. */
Test(spine, rows_of_equal_parts_share_a_set) {
    world w;
    cflr_error error;
    cflr_graph_builder *builder;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    for (uint32_t v = 0; v < LONG; v++) {
        test_indexed_edge(builder, "e", 0, v, (v + 1) % LONG);
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    world_grammar(&w, "P ::= e[0] | P e[0]\n");
    uint64_t bytes = solve_in_five(&w);
    uint32_t label = label_of(w.result, "P");
    const cflri_relation *all = &w.result->instance[w.result->label[label].first_instance];
    cr_assert_eq(all->n_pairs, (uint64_t)LONG * LONG);
    cr_assert_not_null(all->set);
    for (uint32_t r = 1; r < all->n_rows; r++) cr_assert_eq(all->set[r], all->set[0]);
    cr_assert_lt(bytes, all->n_pairs * 4 / 40);
    world_end(&w);
}

/* All rows differ, and their sets have parts in common. */
Test(spine, different_rows_share_parts_of_sets) {
    world w;
    world_begin(&w, 1);
    world_chain(&w, LONG);
    uint64_t bytes = solve_in_five(&w);
    cr_assert_lt(bytes, pairs_of(w.result, "P") * 4 / 8);
    world_end(&w);
}
