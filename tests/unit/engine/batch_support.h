/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_support.h: a batch on a small graph, stratum by stratum, for tests that look inside.
 */
#ifndef TEST_ENGINE_BATCH_SUPPORT_H
#define TEST_ENGINE_BATCH_SUPPORT_H

#include <math.h>

#include "engine/closure/batch/state.h"
#include "engine/results/result.h"
#include "support.h"

/* Aliases: strata that loop, with flows and hubs; then products of these. */
#define TEST_ALIASES                                                                     \
    "%start V\nV ::= ~A V | V A | FV[i] f[i] | M | eps\nFV[i] ::= ~f[i] V\nM ::= DV d\n" \
    "DV ::= ~d V\nA ::= A A | a M | a | eps\n"

typedef struct batch_world {
    world w;
    cflri_ground *ground;
    const cflri_relation **input;
    cflri_filters filters;
    cflri_problem problem;
    cflri_spine_plan plan;
    cflri_batch batch;
    cflri_boxes inbox;
    cflr_error error;
} batch_world;

static inline void batch_world_plan(batch_world *m, const char *grammar, const char *graph,
                                    int threads, uint32_t slices) {
    cflr_error error;
    memset(m, 0, sizeof *m);
    world_begin(&m->w, threads);
    world_grammar(&m->w, grammar);
    world_graph(&m->w, graph);
    MUST(cflri_ground_new(m->w.grammar, m->w.graph, &m->ground, &error));
    MUST(cflri_problem_inputs(m->w.graph, m->ground, &m->input, &error));
    MUST(cflri_filters_make(m->ground, &m->filters, &error));
    m->problem = (cflri_problem){.context = m->w.context,
                                 .n_vertices = m->w.graph->n_vertices,
                                 .ground = m->ground,
                                 .input = m->input,
                                 .filters = &m->filters,
                                 .threads = threads};
    MUST(cflri_spine_plan_init(&m->plan, &m->problem, slices, 1, false, &error));
}

static inline void batch_world_begin(batch_world *m, const char *grammar, const char *graph,
                                     int threads) {
    cflr_error error;
    batch_world_plan(m, grammar, graph, threads, 1);
    MUST(cflri_batch_init(&m->batch, &m->plan, cflri_split_slice(m->plan.split, 0), NULL,
                          &m->error));
}

static inline uint32_t batch_world_strata(const batch_world *m) {
    return (uint32_t)m->plan.equations->stratum.n;
}

/* The whole of one stratum. */
static inline void batch_world_work(batch_world *m, uint32_t stratum) {
    cflri_batch *b = &m->batch;
    cr_assert(cflri_batch_begin(b, stratum));
    if (b->stratum.loops) {
        struct cflri_loops *loops = cflri_loop_open(b);
        cr_assert(cflri_loop_close(loops, &m->inbox, INFINITY));
        cflri_loop_end(loops);
    } else {
        struct cflri_products *products = cflri_products_open(b);
        cr_assert(cflri_products_close(products, &m->inbox));
        cflri_products_free(products);
    }
    cflri_batch_finish(b);
    cr_assert_eq(b->end, CFLR_OK);
}

static inline void batch_world_end_plan(batch_world *m) {
    cflri_spine_plan_free(&m->plan);
    cflri_filters_free(&m->filters);
    cflri_free(m->w.context, (void *)m->input);
    cflri_ground_free(m->ground);
    world_end(&m->w);
}

static inline void batch_world_end(batch_world *m) {
    cflri_batch_free(&m->batch);
    batch_world_end_plan(m);
}

#endif
