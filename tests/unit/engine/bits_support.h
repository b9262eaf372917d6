/* SPDX-License-Identifier: Apache-2.0
 *
 * bits_support.h: closes a world on a device by bit matrices, in this process, in a process of its
 * own, or beside the processor.
 */
#ifndef TEST_ENGINE_BITS_SUPPORT_H
#define TEST_ENGINE_BITS_SUPPORT_H

#include "engine/closure/bits/apart.h"
#include "engine/portfolio.h"
#include "engine/results/result.h"
#include "plain_device.h"
#include "random_pairs.h"

/* Random pairs can be closed by a real device, many in one process. */
static inline bool on_gpu(void) {
    const char *device = getenv("CFLR_TEST_DEVICE");
    return device && strcmp(device, "gpu") == 0;
}

static inline const cflri_bit_device *device_to_test(void) {
    char why[128] = "";
    const cflri_bit_device *device =
        on_gpu() ? cflri_bit_device_load(why, sizeof why) : &plain_bit_device;
    cr_assert_not_null(device, "%s", why);
    return device;
}

/* ---- solving ---- */

/* A world as a problem of the device. */
typedef struct bits_world {
    world w;
    cflri_bits_on on;
    bool apart;       /* the device is in a process of its own, without the processor */
    const char *only; /* the symbol that is asked for; NULL: all */
    cflri_ground *ground;
    const cflri_relation **input;
    cflri_filters filters;
    bool *named, *wanted;
    cflri_problem problem;
} bits_world;

static inline cflr_status name_wanted(bits_world *b, cflr_error *error) {
    cflr_context *context = b->w.context;
    const cflr_grammar *grammar = b->w.grammar;
    if (!b->only) return CFLR_OK;
    b->named = cflri_alloc_array_zero(context, (size_t)grammar->n_symbols + 1, sizeof(bool));
    b->wanted = cflri_alloc_array_zero(context, (size_t)b->ground->n_symbols + 1, sizeof(bool));
    if (!b->named || !b->wanted) return cflri_fail_memory(context, error);
    for (uint32_t s = 0; s < grammar->n_symbols; s++)
        b->named[s] = strcmp(grammar->symbol[s].name, b->only) == 0;
    for (uint32_t s = 0; s < b->ground->n_symbols; s++)
        b->wanted[s] = b->named[b->ground->symbol[s].symbol];
    return CFLR_OK;
}

static inline cflr_status prepare(bits_world *b, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_ground_new(b->w.grammar, b->w.graph, &b->ground, error));
    CFLR_TRY(cflri_problem_inputs(b->w.graph, b->ground, &b->input, error));
    CFLR_TRY(cflri_filters_make(b->ground, &b->filters, error));
    CFLR_TRY(name_wanted(b, error));
    b->on.device = device_to_test();
    b->problem = (cflri_problem){.context = b->w.context,
                                 .n_vertices = b->w.graph->n_vertices,
                                 .ground = b->ground,
                                 .input = b->input,
                                 .filters = &b->filters,
                                 .wanted = b->wanted,
                                 .threads = 1,
                                 .on = &b->on};
out:
    return st;
}

static inline void forget(bits_world *b) {
    cflr_context *context = b->w.context;
    cflri_free(context, b->wanted);
    cflri_free(context, b->named);
    if (b->filters.context) cflri_filters_free(&b->filters);
    cflri_free(context, (void *)b->input);
    cflri_ground_free(b->ground);
    b->ground = NULL;
    b->input = NULL;
    b->filters = (cflri_filters){0};
    b->named = b->wanted = NULL;
}

static inline cflr_status solve_apart(bits_world *b, cflri_closure *closure, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_apart_begin(&b->problem, &b->on.apart, error));
    CFLR_TRY(cflri_apart_await(b->on.apart, error));
    st = cflri_solve_bits(&b->problem, closure, error);
out:
    cflri_apart_end(b->on.apart);
    b->on.apart = NULL;
    return st;
}

/* What the device says, with whatever result there is. */
static inline cflr_status try_bits(bits_world *b, cflr_error *error) {
    cflri_closure closure = {0};
    cflr_result *result = NULL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(prepare(b, error));
    CFLR_TRY(cflri_result_new(b->ground, b->named, &result, error));
    if (b->apart)
        st = solve_apart(b, &closure, error);
    else if (b->on.beside)
        st = cflri_solve_portfolio(&b->problem, &closure, error);
    else
        st = cflri_solve_bits(&b->problem, &closure, error);
    bool partial = st == CFLR_LIMIT || st == CFLR_CANCELLED;
    if (st == CFLR_OK) cr_assert_not_null(closure.relation);
    if (st != CFLR_OK && !partial) cr_assert_null(closure.relation);
    if (st == CFLR_OK || partial) {
        cflri_result_fill(result, &closure);
        result->stats.complete = st == CFLR_OK;
        b->w.result = result;
        result = NULL;
    }
    cflri_closure_free(b->w.context, &closure);
out:
    cflr_result_free(result);
    forget(b);
    return st;
}

static inline void solve(bits_world *b) {
    cflr_error error = {0};
    MUST(try_bits(b, &error));
    cflr_result_stats stats;
    cflr_result_get_stats(b->w.result, &stats);
    cr_assert_eq(stats.device.device, CFLR_DEVICE_GPU);
    if (!on_gpu()) cr_assert_str_eq(stats.device.name, "plain arrays");
}

static inline cflr_result *reference_of(bits_world *b, cflr_model model) {
    cflr_solve_opts opts;
    cflr_result *result;
    cflr_error error;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    opts.only = b->only ? &b->only : NULL;
    opts.n_only = b->only != NULL;
    MUST(cflr_solve(b->w.graph, b->w.grammar, &opts, &result, &error));
    return result;
}

static inline void compare(bits_world *b, cflr_model model, const char *what) {
    cflr_result *reference = reference_of(b, model);
    solve(b);
    must_be_equal(reference, b->w.result, what);
    cflr_result_free(reference);
    world_forget_result(&b->w);
}

#endif
