/* SPDX-License-Identifier: Apache-2.0
 *
 * test_crew.c: threads that keep step.
 */
#include "base/crew.h"

#include "tests/support/support.h"

enum { THREADS = 8, STEPS = 200, PARTS = 1000 };

typedef struct march {
    _Atomic uint32_t at[STEPS]; /* threads that have done the step */
    _Atomic uint32_t dealt[PARTS];
    cflri_chunks deal;
    atomic_bool ahead;
} march;

/* When one is done with a step, all have begun it. */
static void walk(void *what, cflri_crew *crew, uint32_t self) {
    march *m = what;
    (void)self;
    for (int step = 0; step < STEPS; step++) {
        m->at[step]++;
        cflri_crew_wait(crew);
        if (m->at[step] != crew->threads) m->ahead = true;
    }
    for (size_t i, end; cflri_chunks_next(&m->deal, &i, &end);) {
        for (; i < end; i++) m->dealt[i]++;
    }
}

Test(crew, all_wait_for_all) {
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        march m = {.deal = {.n = PARTS, .handful = threads}};
        cflri_crew_run(threads, walk, &m);
        cr_assert(!m.ahead, "%u threads", threads);
        for (int i = 0; i < PARTS; i++) cr_assert_eq(m.dealt[i], 1);
    }
}
