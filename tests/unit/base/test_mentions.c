/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting mentions, against qsort; lines, against a search from the front.
 */
#include "base/graph/graph.h"
#include "tests/support/support.h"

static int compare(const void *left, const void *right) {
    const uint32_t *a = left, *b = right; /* five numbers, most significant first */
    for (int i = 0; i < 5; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

static void fill(cflri_mention *m, uint64_t n, uint64_t *state, unsigned shape) {
    for (uint64_t i = 0; i < n; i++) {
        m[i] = (cflri_mention){test_random_below(state, 3), test_random_below(state, 20),
                               test_random_below(state, 5), test_random_below(state, 3),
                               test_random_below(state, 4)};
        if (shape == 1) m[i] = (cflri_mention){1, (uint32_t)i, 2, 3, 4}; /* in order */
        if (shape == 2) m[i] = (cflri_mention){1, (uint32_t)(n - i), 2, 3, 4};
        if (shape == 3) m[i] = (cflri_mention){7, 7, 7, 7, 7};
        if (shape == 4 && i % 3)
            m[i].file = 900 + i % 2, m[i].line = UINT32_MAX - m[i].line; /* the longest row */
    }
}

Test(mentions, sorted_and_distinct) {
    static const uint64_t sizes[] = {0, 1, 2, 15, 16, 17, 32, 33, 100, 1000, 20000};
    cflr_context *context = test_context();
    cflr_error error;
    uint64_t state = 8;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (unsigned shape = 0; shape < 5; shape++) {
            uint64_t n = sizes[s], kept = sizes[s], distinct = 0;
            cflri_mention *m = malloc((n + 1) * sizeof *m), *o = malloc((n + 1) * sizeof *o);
            fill(m, n, &state, shape);
            memcpy(o, m, n * sizeof *o);
            qsort(o, n, sizeof *o, compare);
            for (uint64_t i = 0; i < n; i++) {
                if (i == 0 || compare(&o[i], &o[distinct - 1])) o[distinct++] = o[i];
            }
            MUST(cflri_mentions_sort(context, m, &kept, &error));
            cr_assert_eq(kept, distinct);
            cr_assert_eq(memcmp(m, o, kept * sizeof *m), 0);
            free(m);
            free(o);
        }
    }
    test_context_end(context);
}

Test(mentions, of_a_line) {
    cflr_context *context = test_context();
    cflr_error error;
    uint64_t state = 9;
    cflri_mention m[200];
    fill(m, 200, &state, 0);
    m[0].line = UINT32_MAX;
    cflr_graph graph = {.context = context, .n_mentions = 200, .mention = m};
    MUST(cflri_mentions_sort(context, m, &graph.n_mentions, &error));
    for (uint32_t file = 0; file < 4; file++) {
        for (uint32_t l = 0; l < 23; l++) {
            uint32_t line = l == 22 ? UINT32_MAX : l;
            uint64_t count, expected = 0, first = 0;
            for (uint64_t i = graph.n_mentions; i-- > 0;) {
                if (m[i].file == file && m[i].line == line) expected++, first = i;
            }
            const cflri_mention *at = cflri_mentions_of_line(&graph, file, line, &count);
            cr_assert_eq(count, expected);
            if (count) cr_assert_eq(at, &m[first]);
        }
    }
    test_context_end(context);
}
