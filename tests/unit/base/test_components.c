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
        const cflri_successors graph = {N, start, target};
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
