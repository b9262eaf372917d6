/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators, where no primitive makes them do what they must be able to do.
 */
#include "engine/traverse/operators.h"

#include <math.h>

#include "engine/traverse/bfs.h"
#include "engine/traverse/cc.h"
#include "engine/traverse/mst.h"
#include "engine/traverse/paths.h"
#include "engine/traverse/ranks.h"
#include "engine/traverse/traversal.h"
#include "tests/support/support.h"

#define COLUMN(type, name, field) \
    { name, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(type, field), false }

/* A graph made by rule, and a primitive that has run on it. */
typedef struct trial {
    cflr_context *context;
    cflr_csr *csr;
    cflr_traversal *t;
} trial;

static trial begin(const char *rule, cflr_csr_opts opts, const cflri_primitive *primitive,
                   int threads) {
    trial x = {.context = test_context()};
    cflr_error error;
    MUST(cflr_csr_generate(x.context, rule, &opts, &x.csr, &error));
    x.context->threads = threads;
    MUST(cflri_traversal_new(x.csr, primitive, NULL, &x.t, &error));
    MUST(cflr_traversal_run(x.t, NULL, 0, &error));
    return x;
}

static void end(trial *x) {
    cflr_traversal_free(x->t);
    cflr_csr_free(x->csr);
    test_context_end(x->context);
}

static const uint32_t *values(const trial *x, uint32_t column) {
    cflr_column c;
    cr_assert(cflr_traversal_column(x->t, column, &c));
    cr_assert_eq(c.n, x->csr->n_vertices);
    return c.values;
}

/* ---- a list that is too short for what is found ---- */

enum { ROOM = 1000, PAST = 7777 };

typedef struct crowd {
    cflri_primitive_task task;
    uint32_t *all, *list;
} crowd;

CFLRI_FUNCTOR bool crowd_is_there(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally, (void)task, (void)v;
    return true;
}

CFLRI_FUNCTOR void crowd_forget(cflri_step_tally *tally, void *task, uint32_t v) {
    crowd *c = (crowd *)task;
    (void)tally;
    c->list[v] = PAST;
}

/* Every edge, again and again the same targets. */
CFLRI_FUNCTOR bool crowd_joins(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                               cflri_row_edge edge) {
    (void)tally, (void)task, (void)from, (void)to, (void)edge;
    return true;
}

static void crowd_run(cflri_thread *m, void *task) {
    crowd *c = task;
    cflri_list all = {c->all, 0}, list = {c->list, 0};
    cflri_each(m, c->task.out.n, c, crowd_forget);
    cflri_filter_all(m, c->task.out.n, &all, c, crowd_is_there);
    cflri_advance_within(m, &c->task.out, all, &list, ROOM, c, crowd_joins);
    if (cflri_is_first(m)) c->task.outcome->count = list.n;
}

static const cflri_primitive crowd_primitive = {
    .name = "crowd",
    .which = CFLRI_OWN_PRIMITIVE,
    .form = CFLRI_AS_IT_IS,
    .task_size = sizeof(crowd),
    .count = "found",
    .column = {COLUMN(crowd, "list", list), COLUMN(crowd, NULL, all)},
    .run = crowd_run,
};

/* All are counted, as many as there is room for are there, and nothing is written behind. */
static void try_crowd(int threads) {
    cflr_csr_opts opts;
    cflr_value found;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    trial x = begin("rmat:12", opts, &crowd_primitive, threads);
    const uint32_t *v = values(&x, 0);
    cr_assert(cflr_traversal_value(x.t, 0, &found));
    cr_assert_eq(found.count, x.csr->n_edges);
    for (uint32_t i = 0; i < x.csr->n_vertices; i++) {
        if (i < ROOM)
            cr_assert_lt(v[i], x.csr->n_vertices);
        else
            cr_assert_eq(v[i], PAST);
    }
    end(&x);
}

Test(operators, a_list_stays_within_its_room) {
    try_crowd(1);
    try_crowd(4);
}

/* ---- a step that goes on with what it finds ---- */

/* From vertex 0 on: even vertices in the same step or the next, odd ones when there are no even
 * ones left. */
typedef struct spread {
    cflri_primitive_task task;
    uint32_t *found, *looked; /* how often each */
    uint32_t *near_list, *next_list, *far_list;
} spread;

CFLRI_FUNCTOR void spread_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    spread *s = (spread *)task;
    (void)tally;
    s->found[v] = v == 0;
    s->looked[v] = 0;
}

CFLRI_FUNCTOR void spread_looks(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    cflri_more(&((spread *)task)->looked[v], 1);
}

CFLRI_FUNCTOR cflri_turn spread_finds(cflri_step_tally *tally, void *task, uint32_t from,
                                      uint32_t to, cflri_row_edge edge) {
    (void)tally, (void)from, (void)edge;
    if (cflri_more(&((spread *)task)->found[to], 1) > 0) return CFLRI_DROP;
    return to % 2 ? CFLRI_SECOND : CFLRI_FIRST;
}

static void spread_run(cflri_thread *m, void *task) {
    spread *s = task;
    cflri_list in = {s->near_list, 1}, next = {s->next_list, 0}, far = {s->far_list, 0};
    if (cflri_is_first(m)) in.at[0] = 0;
    cflri_each(m, s->task.out.n, s, spread_begin);
    while (in.n) {
        next.n = 0;
        cflri_advance_split(m, &s->task.out, in, &next, &far, s, spread_looks, spread_looks,
                            spread_finds);
        cflri_list swap = in;
        in = next;
        next = swap;
        if (in.n) continue;
        swap = in;
        in = far;
        far = swap;
        far.n = 0;
    }
}

static const cflri_primitive spread_primitive = {
    .name = "spread",
    .which = CFLRI_OWN_PRIMITIVE,
    .form = CFLRI_AS_IT_IS,
    .task_size = sizeof(spread),
    .column = {COLUMN(spread, "found", found), COLUMN(spread, "looked", looked),
               COLUMN(spread, NULL, near_list), COLUMN(spread, NULL, next_list),
               COLUMN(spread, NULL, far_list)},
    .run = spread_run,
};

/* Every vertex is looked along once, all its edges are, and none is lost on the way from thread to
 * thread. */
static void try_spread(const char *rule, int threads) {
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.symmetric = true;
    trial x = begin(rule, opts, &spread_primitive, threads);
    const uint32_t *found = values(&x, 0), *looked = values(&x, 1);
    for (uint32_t v = 0; v < x.csr->n_vertices; v++) {
        uint64_t degree = x.csr->start[v + 1] - x.csr->start[v];
        cr_assert_eq(looked[v], 1, "%s, %d threads: %u", rule, threads, v);
        cr_assert_eq(found[v], degree + (v == 0));
    }
    end(&x);
}

Test(operators, a_step_goes_on_with_what_it_finds) {
    const char *rules[] = {"chain:30000", "grid:150:200", "star:40000", "clique:300",
                           "world:20000:4:10"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        for (int threads = 1; threads <= 7; threads += 3) try_spread(rules[i], threads);
    }
}

/* First in, first out, around the end of the ring; more than there is room for is refused whole. */
Test(operators, vertices_are_handed_over_in_order) {
    static cflri_handover h;
    enum { PART = 700 };
    uint32_t part[PART], in = 0, out = 0;
    for (int round = 0; round < 40; round++) {
        for (;;) {
            for (uint32_t i = 0; i < PART; i++) part[i] = in + i;
            if (!cflri_hand_over(&h, part, PART)) break;
            in += PART;
        }
        cr_assert_gt(in - out + PART, CFLRI_HANDOVER);
        for (int taken = 0; taken < 3; taken++) {
            uint32_t n = cflri_take_over(&h, part, PART - 1);
            cr_assert_eq(n, PART - 1);
            for (uint32_t i = 0; i < n; i++) cr_assert_eq(part[i], out + i);
            out += n;
        }
    }
    while (cflri_is_there_more(&h)) out += cflri_take_over(&h, part, PART);
    cr_assert_eq(out, in);
    cr_assert_eq(cflri_take_over(&h, part, PART), 0);
}

/* ---- drivers that leave the order of visits to a policy: here it is step by step ---- */

static void relax_bfs(cflri_thread *m, void *task) {
    bfs_relax(m, task);
}

static void relax_sums(cflri_thread *m, void *task) {
    paths_relax(m, task, PATHS_SUM);
}

static void relax_widths(cflri_thread *m, void *task) {
    paths_relax(m, task, PATHS_WIDTH);
    cflri_each(m, ((paths *)task)->task.out.n, task, sswp_width);
}

static void relax_components(cflri_thread *m, void *task) {
    cc_relax(m, task);
}

static void relax_ranks(cflri_thread *m, void *task) {
    ranks_relax(m, task);
}

/* Not an order of its own, but that of rows which are not at hand. */
static void forest_by_vertices(cflri_thread *m, void *task) {
    mst_by_vertices(m, task);
}

static cflr_traversal *run_on(cflr_csr *csr, const cflri_primitive *primitive) {
    const uint32_t source = 5;
    cflr_traverse_opts opts;
    cflr_traversal *t;
    cflr_error error;
    cflr_traverse_opts_init(&opts);
    opts.device = CFLR_DEVICE_CPU;
    MUST(cflri_traversal_new(csr, primitive, &opts, &t, &error));
    MUST(cflr_traversal_run(t, &source, primitive->needs.least_sources, &error));
    return t;
}

/* Numbers that are not whole are as near as the tolerance of both brings them. */
static void check_same(const cflr_traversal *a, const cflr_traversal *b) {
    cflr_column one, other;
    cr_assert(cflr_traversal_column(a, 0, &one) && cflr_traversal_column(b, 0, &other));
    cr_assert_eq(one.n, other.n);
    double apart = 0;
    for (uint64_t v = 0; v < one.n; v++) {
        if (one.type == CFLR_COLUMN_FLOAT32)
            apart +=
                fabs((double)((const float *)one.values)[v] - ((const float *)other.values)[v]);
        else if (one.type == CFLR_COLUMN_UINT64)
            cr_assert_eq(((const uint64_t *)one.values)[v], ((const uint64_t *)other.values)[v]);
        else
            cr_assert_eq(((const uint32_t *)one.values)[v], ((const uint32_t *)other.values)[v]);
    }
    cr_assert_lt(apart, 1e-3);
}

Test(operators, relaxing_gives_what_steps_give) {
    static const struct {
        cflr_primitive primitive;
        void (*run)(cflri_thread *m, void *task);
    } drivers[] = {{CFLR_BFS, relax_bfs},          {CFLR_SSSP, relax_sums},
                   {CFLR_SSWP, relax_widths},      {CFLR_CC, relax_components},
                   {CFLR_MST, forest_by_vertices}, {CFLR_PAGERANK_DELTA, relax_ranks}};
    static const char *const rules[] = {"rmat:10:8", "grid:20:31", "star:500", "chain:90"};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        for (size_t k = 0; k < 2 * sizeof rules / sizeof *rules; k++) {
            cflr_context *context = test_context();
            cflr_csr_opts opts;
            cflr_csr *csr;
            cflr_error error;
            cflr_csr_opts_init(&opts);
            opts.symmetric = true;
            context->threads = k % 2 ? 4 : 1;
            MUST(cflr_csr_generate(context, rules[k / 2], &opts, &csr, &error));
            MUST(cflr_csr_draw_weights(csr, 1, 60, 1, &error));
            cflri_primitive relaxed = *cflri_primitive_of(drivers[i].primitive);
            cflr_traversal *steps = run_on(csr, &relaxed);
            relaxed.which = CFLRI_OWN_PRIMITIVE;
            relaxed.run = drivers[i].run;
            cflr_traversal *other = run_on(csr, &relaxed);
            check_same(steps, other);
            cflr_traversal_free(steps);
            cflr_traversal_free(other);
            cflr_csr_free(csr);
            test_context_end(context);
        }
    }
}

/* Weights of either sign, many of them equal; loops, parallel edges, vertices without edges. */
static cflr_csr *tangle(cflr_context *context, cflr_weights weights, uint32_t seed) {
    enum { VERTICES = 60, EDGES = 150 };
    uint32_t source[EDGES], target[EDGES];
    int32_t whole[EDGES];
    float real[EDGES];
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_error error;
    for (uint32_t i = 0; i < EDGES; i++) {
        uint64_t drawn = cflri_csr_mix(seed * 1000u + i);
        source[i] = (uint32_t)(drawn % VERTICES);
        target[i] = i % 7 ? (uint32_t)(drawn >> 20) % 50 : source[i];
        whole[i] = (int32_t)(drawn >> 40) % 9 - 4;
        real[i] = (float)whole[i] / 3;
    }
    const cflr_edge_list list = {
        VERTICES, EDGES,
        source,   target,
        weights,  weights == CFLR_WEIGHTS_FLOAT32 ? (const void *)real : (const void *)whole};
    cflr_csr_opts_init(&opts);
    opts.symmetric = opts.keep_parallel = true;
    MUST(cflr_csr_new(context, &list, &opts, &csr, &error));
    return csr;
}

Test(operators, forests_by_vertices_of_any_weights) {
    for (uint32_t i = 0; i < 60; i++) {
        cflr_context *context = test_context();
        context->threads = i % 2 ? 4 : 1;
        cflr_csr *csr = tangle(context, i % 4 < 2 ? CFLR_WEIGHTS_INT32 : CFLR_WEIGHTS_FLOAT32, i);
        cflri_primitive forest = *cflri_primitive_of(CFLR_MST);
        cflr_traversal *by_edges = run_on(csr, &forest);
        forest.which = CFLRI_OWN_PRIMITIVE;
        forest.run = forest_by_vertices;
        cflr_traversal *by_vertices = run_on(csr, &forest);
        check_same(by_edges, by_vertices);
        cflr_traversal_free(by_edges);
        cflr_traversal_free(by_vertices);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}
