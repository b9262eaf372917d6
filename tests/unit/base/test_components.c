/* SPDX-License-Identifier: Apache-2.0
 *
 * test_components.c: strongly connected components against plain reachability.
 */
#include "base/components.h"

#include "tests/support/support.h"

/* By definition: u and v are in one component when each reaches the other. */
Test(components, against_reachability) {
    enum { N = 12 };
    uint64_t random = 5;
    cflr_context *context = test_context();
    for (int round = 0; round < 300; round++) {
        uint64_t start[N + 1] = {0};
        uint32_t target[N * 3], component[N], count, edges = 0;
        bool reach[N][N] = {{false}};
        for (uint32_t v = 0; v < N; v++) {
            start[v] = edges;
            for (uint32_t i = test_random_below(&random, 4); i > 0 && edges < N * 3; i--) {
                target[edges] = test_random_below(&random, N);
                reach[v][target[edges++]] = true;
            }
            reach[v][v] = true;
        }
        start[N] = edges;
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) reach[i][j] |= reach[i][k] && reach[k][j];
        const cflri_successors graph = {N, start, target, NULL};
        cr_assert_eq(cflri_components(context, &graph, component, &count, NULL), CFLR_OK);
        for (int i = 0; i < N; i++) {
            cr_assert_lt(component[i], count);
            for (int j = 0; j < N; j++) {
                bool same = reach[i][j] && reach[j][i];
                cr_assert_eq(component[i] == component[j], same);
                if (reach[i][j] && !same) cr_assert_gt(component[i], component[j]);
            }
        }
    }
    test_context_end(context);
}

/* Of some vertices, as in the graph without the edges to and from others; the entries of others
 * stay. */
Test(components, of_some) {
    enum { N = 40, UNTOLD = 12345 };
    uint64_t random = 7;
    cflr_context *context = test_context();
    for (int round = 0; round < 300; round++) {
        uint64_t start[N + 1] = {0}, inner_start[N + 1] = {0};
        uint32_t target[N * 4], inner_target[N * 4], whole[N], part[N], listed[N], count, n = 0;
        uint32_t edges = 0, inner_edges = 0;
        for (uint32_t v = 0; v < N; v++) {
            start[v] = edges;
            inner_start[v] = inner_edges;
            for (uint32_t i = test_random_below(&random, 4); i > 0; i--) {
                uint32_t to = test_random_below(&random, N);
                target[edges++] = to;
                if (v % 2 == 0 && to % 2 == 0) inner_target[inner_edges++] = to;
            }
            part[v] = UNTOLD;
        }
        start[N] = edges;
        inner_start[N] = inner_edges;
        for (uint32_t v = N; v-- > 0;) {
            if (v % 2 == 0) listed[n++] = v;
        }
        const cflri_successors graph = {N, start, target, NULL},
                               inner = {N, inner_start, inner_target, NULL};
        cr_assert_eq(cflri_components(context, &inner, whole, &count, NULL), CFLR_OK);
        cr_assert_eq(cflri_components_of(context, &graph, listed, n, part, &count, NULL), CFLR_OK);
        for (uint32_t i = 0; i < N; i++) {
            if (i % 2) {
                cr_assert_eq(part[i], UNTOLD);
                continue;
            }
            cr_assert_lt(part[i], count);
            for (uint32_t j = 0; j < N; j += 2) {
                cr_assert_eq(part[i] == part[j], whole[i] == whole[j]);
            }
            for (uint64_t e = inner_start[i]; e < inner_start[i + 1]; e++) {
                cr_assert_geq(part[i], part[inner_target[e]]);
            }
        }
    }
    test_context_end(context);
}
