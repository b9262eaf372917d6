/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators, where no primitive makes them do what they must be able to do.
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/traversal.h"
#include "tests/support/support.h"

/* ---- a list that is too short for what is found ---- */

enum { ROOM = 1000, PAST = 7777 };

typedef struct crowd {
    cflri_task task;
    uint32_t *all, *list;
} crowd;

CFLRI_FUNCTOR bool crowd_is_there(cflri_tally *tally, void *task, uint32_t v) {
    (void)tally, (void)task, (void)v;
    return true;
}

CFLRI_FUNCTOR void crowd_forget(cflri_tally *tally, void *task, uint32_t v) {
    crowd *c = (crowd *)task;
    (void)tally;
    c->list[v] = PAST;
}

/* Every edge, again and again the same targets. */
CFLRI_FUNCTOR bool crowd_joins(cflri_tally *tally, void *task, uint32_t from, uint32_t to,
                               uint64_t edge) {
    (void)tally, (void)task, (void)from, (void)to, (void)edge;
    return true;
}

static void crowd_run(cflri_member *m, void *task) {
    crowd *c = task;
    cflri_list all = {c->all, 0}, list = {c->list, 0};
    cflri_each(m, c->task.out.n, c, crowd_forget);
    cflri_filter_all(m, c->task.out.n, &all, c, crowd_is_there);
    cflri_advance_within(m, &c->task.out, all, &list, ROOM, c, crowd_joins);
    if (cflri_is_first(m)) c->task.outcome->count = list.n;
}

#define CROWD_COLUMN(name, field) \
    { name, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(crowd, field), false }

static const cflri_primitive primitive = {
    .name = "crowd",
    .which = CFLRI_OWN_PRIMITIVE,
    .form = CFLRI_AS_IT_IS,
    .task_size = sizeof(crowd),
    .count = "found",
    .column = {CROWD_COLUMN("list", list), CROWD_COLUMN(NULL, all)},
    .run = crowd_run,
};

/* All are counted, as many as there is room for are there, and nothing is written behind. */
static void try_crowd(int threads) {
    cflr_context *context = test_context();
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_traversal *t;
    cflr_column list;
    cflr_value found;
    cflr_error error;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    MUST(cflr_csr_generate(context, "rmat:12", &opts, &csr, &error));
    context->threads = threads;
    MUST(cflri_traversal_new(csr, &primitive, NULL, &t, &error));
    MUST(cflr_traversal_run(t, NULL, 0, &error));
    cr_assert(cflr_traversal_column(t, 0, &list));
    cr_assert(cflr_traversal_value(t, 0, &found));
    cr_assert_eq(found.count, csr->n_edges);
    const uint32_t *v = list.values;
    for (uint32_t i = 0; i < list.n; i++) {
        if (i < ROOM)
            cr_assert_lt(v[i], csr->n_vertices);
        else
            cr_assert_eq(v[i], PAST);
    }
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(operators, a_list_stays_within_its_room) {
    try_crowd(1);
    try_crowd(4);
}
