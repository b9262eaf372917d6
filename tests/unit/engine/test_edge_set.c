/* SPDX-License-Identifier: Apache-2.0
 *
 * test_edge_set.c: the flat set of edges against a bitmap of all edges that the test uses.
 */
#include "engine/closure/pairs/edge_set.h"

#include "tests/support/support.h"

enum { LABELS = 30, TARGETS = 200 };

/* Edges as the models pack them, spread differently: `stride` takes ids apart. */
static uint64_t edge_of(uint32_t number, uint32_t stride) {
    return (uint64_t)(number / TARGETS * stride) << 32 | number % TARGETS * stride;
}

/* Slots are a power of two, hold the edges of the bitmap once each, and are at most 3/4 full. */
static void must_hold(const cflri_edge_set *set, const bool *expected, uint32_t stride) {
    uint64_t slots = (uint64_t)1 << set->log2, used = 0, known = 0;
    for (uint64_t s = 0; s < slots; s++) used += set->slot[s] != UINT64_MAX;
    for (uint32_t e = 0; e < LABELS * TARGETS; e++) {
        uint64_t edge = edge_of(e, stride), found = 0;
        known += expected[e];
        if (e % 59) continue; /* each look costs all slots */
        for (uint64_t s = 0; s < slots; s++) found += set->slot[s] == edge;
        cr_assert_eq(found, expected[e], "edge %u", e);
    }
    cr_assert(used == set->n && used == known, "%d slots, count %d, %d edges", (int)used,
              (int)set->n, (int)known);
    cr_assert_leq(4 * set->n, 3 * slots);
    if (set->log2 > 3) cr_assert_gt(8 * (set->n + 1), 3 * slots, "grown before it was full");
}

static bool is_there(const cflri_edge_set *set, uint64_t edge) {
    for (uint64_t s = 0; set->slot && s < (uint64_t)1 << set->log2; s++) {
        if (set->slot[s] == edge) return true;
    }
    return false;
}

/* Random edges, many of them twice. When memory is short an add either manages without it or says
 * so and leaves the set as it was. */
Test(edge_set, random_edges_against_a_bitmap) {
    static const uint32_t strides[] = {1, 64, 4096, 16777216};
    uint64_t random = 5, refused = 0;
    for (size_t t = 0; t < sizeof strides / sizeof *strides; t++) {
        cflr_context *context = test_context();
        cflri_edge_set set = {0};
        bool expected[LABELS * TARGETS] = {false};
        for (int i = 0; i < 6000; i++) {
            uint32_t e = test_random_below(&random, LABELS * TARGETS);
            uint64_t edge = edge_of(e, strides[t]), before = set.n;
            bool added = false, scarce = i % 4 == 0;
            context->memory_limit = scarce ? cflr_context_memory(context) : UINT64_MAX;
            bool done = cflri_edge_set_add(context, &set, edge, &added);
            context->memory_limit = UINT64_MAX;
            cr_assert(done || scarce);
            if (done) {
                cr_assert_eq(added, !expected[e], "edge %u, the %dth", e, i);
                expected[e] = true;
            } else {
                refused++;
                cr_assert(set.n == before && is_there(&set, edge) == expected[e]);
            }
            if (i % 1500 == 1499) must_hold(&set, expected, strides[t]);
        }
        cflri_edge_set_free(context, &set);
        cr_assert(!set.slot && !set.n);
        test_context_end(context);
    }
    cr_expect_gt(refused, 1);
}

/* The least and the greatest edge that a graph can have are edges like others. */
Test(edge_set, extremes) {
    static const uint64_t edges[] = {0, 1, UINT64_C(0xfffffffe00000000),
                                     UINT64_C(0xfffffffefffffffe), UINT64_C(0xfffffffe)};
    cflr_context *context = test_context();
    cflri_edge_set set = {0};
    for (int round = 0; round < 2; round++) {
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
            bool added;
            cr_assert(cflri_edge_set_add(context, &set, edges[e], &added));
            cr_expect_eq(added, round == 0);
        }
    }
    cr_expect_eq(set.n, sizeof edges / sizeof *edges);
    cflri_edge_set_free(context, &set);
    test_context_end(context);
}
