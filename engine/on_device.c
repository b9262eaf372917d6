/* SPDX-License-Identifier: Apache-2.0
 *
 * on_device.c: which device closes a problem.
 *
 * A GPU is taken where it is asked for. Where the choice is free, it may close the problem beside
 * the processor (portfolio.h), if that can use memory as it likes: two closures take twice of it.
 */
#include "engine/on_device.h"

#include <unistd.h>

#include "base/context.h"
#include "engine/spine/driver.h"

/* Is it worth to look for one? That takes a process, and a driver which is there. */
static bool may_have_gpu(const cflri_problem *problem) {
    enum { MOST_EDGES = 4096 }; /* that are closed sooner than a process is made */
    if (!problem->context->default_allocator) return false; /* another may not survive a fork */
    if (cflri_input_edges(problem) <= MOST_EDGES) return false;
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

/* What a GPU cannot do of what is asked for; NULL: it can do all. */
static const char *what_it_lacks(const cflri_problem *problem, const cflr_solve_opts *opts) {
    if (opts->model != CFLR_MODEL_AUTO && opts->model != CFLR_MODEL_BATCH)
        return "only the batch model";
    if (opts->work || opts->parts > 1 || opts->slice) return "no checkpoints and no parts";
    if (problem->context->spine) return "no other processes";
    return opts->stats ? "no statistics of rules" : NULL;
}

cflr_status cflri_choose_device(const cflri_problem *problem, const cflr_solve_opts *opts,
                                cflri_bits_on *on, cflr_error *error) {
    char why[128];
    const double head_start = 0.05;
    cflr_context *context = problem->context;
    *on = (cflri_bits_on){.options = {.memory = opts->device_memory, .gpus = opts->gpus},
                          .head_start = head_start};
    if (opts->device > CFLR_DEVICE_GPU)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "no device has number %d", (int)opts->device);
    const char *lack = what_it_lacks(problem, opts);
    on->beside = opts->device == CFLR_DEVICE_AUTO && !lack && may_have_gpu(problem) &&
                 context->memory_limit == UINT64_MAX;
    if (opts->device != CFLR_DEVICE_GPU) return CFLR_OK;
    /* half of what there is: the relations come back to the host, too */
    on->options.host_memory = cflri_memory_to_use(context) / 2;
    if (lack) return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "a GPU has %s", lack);
    on->device = cflri_bit_device_load(why, sizeof why);
    if (on->device) return CFLR_OK;
    return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "no GPU: %s", why);
}
