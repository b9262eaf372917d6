/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: options, limits, progress, cancellation, messages.
 */
#include <math.h>
#include <stddef.h>

#include "base/context.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

Test(context, defaults) {
    cflr_context *context = test_context();
    cr_assert_geq(cflr_context_threads(context), 1);
    cr_assert_eq(cflr_context_memory(context), 0);
    cr_assert_eq(cflri_memory_left(context), UINT64_MAX);
    cr_assert_eq(cflri_interrupted(context), CFLR_OK);
    test_context_end(context);
    cflr_context_free(NULL);
}

Test(context, refuses_bad_options) {
    cflr_error error;
    cflr_context *context;
    struct {
        uint32_t size;
        int threads;
        double time;
    } bad[] = {{0, 0, 0},
               {sizeof(cflr_context_opts), -1, 0},
               {sizeof(cflr_context_opts), 1 << 20, 0},
               {sizeof(cflr_context_opts), 0, -1},
               {sizeof(cflr_context_opts), 0, (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cflr_context_opts opts;
        cflr_context_opts_init(&opts);
        opts.struct_size = bad[i].size;
        opts.threads = bad[i].threads;
        opts.time_limit = bad[i].time;
        MUST_FAIL(cflr_context_new(&opts, &context, &error), CFLR_ARGUMENT);
        cr_assert_null(context);
    }
}

/* A caller that was compiled with an older, shorter struct. */
Test(context, takes_a_shorter_struct) {
    cflr_error error;
    cflr_context *context;
    cflr_context_opts opts;
    memset(&opts, 0xff, sizeof opts);
    opts.struct_size = offsetof(cflr_context_opts, memory_limit);
    opts.threads = 3;
    MUST(cflr_context_new(&opts, &context, &error));
    cr_assert_eq(cflr_context_threads(context), 3);
    cr_assert_eq(cflri_memory_left(context), UINT64_MAX);
    test_context_end(context);
}

/* And one that was compiled with a newer, longer one: what is not known here must not be asked for.
 * */
Test(context, takes_a_longer_struct_with_nothing_new) {
    cflr_error error;
    cflr_context *context;
    struct {
        cflr_context_opts known;
        uint64_t later;
    } opts;
    memset(&opts, 0xff, sizeof opts);
    cflr_context_opts_init_sized(&opts.known, sizeof opts);
    cr_assert_eq(opts.later, 0);
    opts.known.threads = 3;
    MUST(cflr_context_new(&opts.known, &context, &error));
    cr_assert_eq(cflr_context_threads(context), 3);
    test_context_end(context);
    opts.later = 1;
    MUST_FAIL(cflr_context_new(&opts.known, &context, &error), CFLR_ARGUMENT);
    cr_assert(strstr(error.message, "cflr_context_opts"), "%s", error.message);
}

Test(context, memory_limit_refuses) {
    cflr_error error;
    cflr_context *context = test_context_limited(1 << 20);
    uint64_t left = cflri_memory_left(context);
    cr_assert_eq(left, 1 << 20);
    cr_assert_null(cflri_alloc(context, left));
    cr_assert_null(cflri_alloc_zero(context, left));
    void *block = cflri_alloc(context, left / 2);
    cr_assert_not_null(block);
    cr_assert_null(cflri_realloc(context, block, left));
    cr_assert_null(cflri_alloc(context, left / 2));
    MUST_FAIL(cflri_fail_memory(context, &error), CFLR_LIMIT);
    cr_assert_leq(cflr_context_memory_peak(context), left);
    cflri_free(context, block);
    cr_assert_eq(cflri_memory_left(context), left);
    test_context_end(context);
}

/* The limit is for the process: what it occupies already is taken off. */
Test(context, limit_counts_what_the_process_has) {
    enum { OCCUPIED = 64 << 20 };
    cflr_error error;
    cflr_context *context;
    cflr_context_opts opts;
    char *ours = malloc(OCCUPIED);
    memset(ours, 1, OCCUPIED);
    cflr_context_opts_init(&opts);
    opts.memory_limit = UINT64_C(1) << 40;
    MUST(cflr_context_new(&opts, &context, &error));
    cr_assert_leq(cflri_memory_left(context), opts.memory_limit - OCCUPIED);
    cr_assert_gt(cflri_memory_left(context), opts.memory_limit / 2);
    cr_assert_eq(ours[OCCUPIED / 2], 1);
    free(ours);
    test_context_end(context);
}

Test(context, limit_below_what_the_process_has) {
    cflr_error error;
    cflr_context *context;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.memory_limit = 1;
    MUST(cflr_context_new(&opts, &context, &error));
    cr_assert_null(cflri_alloc(context, 0));
    MUST_FAIL(cflri_fail_memory(context, &error), CFLR_LIMIT);
    test_context_end(context);
}

Test(context, failure_of_the_system_is_no_limit) {
    cflr_error error;
    fail_alloc f = {.fail_at = 2};
    cflr_allocator allocator = fail_alloc_allocator(&f);
    cflr_context_opts opts;
    cflr_context *context;
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    MUST(cflr_context_new(&opts, &context, &error));
    cr_assert_null(cflri_alloc(context, 10));
    MUST_FAIL(cflri_fail_memory(context, &error), CFLR_NO_MEMORY);
    test_context_end(context);
    cr_assert_eq(f.blocks, 0);
}

Test(context, cancellation_stays) {
    cflr_error error;
    cflr_context *context = test_context();
    cr_assert_eq(cflri_tick(context, "solve", 0, 0), CFLR_OK);
    cflr_context_cancel(context);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(cflri_interrupted(context), CFLR_CANCELLED);
        cr_assert_eq(cflri_tick(context, "solve", 0, 0), CFLR_CANCELLED);
    }
    MUST_FAIL(cflri_fail_interrupted(context, CFLR_CANCELLED, &error), CFLR_CANCELLED);
    test_context_end(context);
}

static cflr_context *context_with_limit(double seconds) {
    cflr_error error;
    cflr_context *context;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.time_limit = seconds;
    MUST(cflr_context_new(&opts, &context, &error));
    return context;
}

Test(context, time_limit) {
    cflr_error error;
    cflr_context *context = context_with_limit(36000);
    cr_assert_eq(cflri_tick(context, "solve", 0, 0), CFLR_OK);
    cflri_clock ahead = cflri_clock_ahead(context, 40000);
    cr_assert_eq(cflri_tick(context, "solve", 0, 0), CFLR_LIMIT);
    cflri_clock_back(context, ahead);
    cr_assert_eq(cflri_interrupted(context), CFLR_OK);
    test_context_end(context);
    context = context_with_limit(0.001);
    usleep(2000);
    cr_assert_eq(cflri_interrupted(context), CFLR_LIMIT, "it looks at the clock");
    cr_assert_eq(cflri_tick(context, "solve", 0, 0), CFLR_LIMIT);
    cr_assert_eq(cflri_interrupted(context), CFLR_LIMIT);
    MUST_FAIL(cflri_fail_interrupted(context, CFLR_LIMIT, &error), CFLR_LIMIT);
    test_context_end(context);
}

typedef struct heard {
    unsigned calls;
    cflr_progress last;
    bool go_on;
    cflr_log_level level;
    char message[64];
} heard;

static bool hear_progress(void *user, const cflr_progress *progress) {
    heard *h = user;
    h->calls++;
    h->last = *progress;
    return h->go_on;
}

static void hear_message(void *user, cflr_log_level level, const char *message) {
    heard *h = user;
    h->calls++;
    h->level = level;
    snprintf(h->message, sizeof h->message, "%s", message);
}

Test(context, progress_is_rare_and_cancels) {
    cflr_error error;
    cflr_context *context;
    heard h = {.go_on = true};
    double begin = cflri_now();
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.user = &h;
    opts.progress = hear_progress;
    MUST(cflr_context_new(&opts, &context, &error));
    while (h.calls < 4) { /* a tenth of a second, or more, lies between two of them */
        cr_assert_eq(cflri_tick(context, "load", 7, 9), CFLR_OK);
    }
    cr_assert_gt(cflri_now() - begin, 0.29);
    cr_assert_str_eq(h.last.phase, "load");
    cr_assert_eq(h.last.done, 7);
    cr_assert_eq(h.last.total, 9);
    h.go_on = false;
    usleep(150000);
    cr_assert_eq(cflri_tick(context, "load", 8, 9), CFLR_CANCELLED);
    test_context_end(context);
}

Test(context, messages_by_level) {
    cflr_error error;
    cflr_context *context;
    heard h = {.go_on = true};
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.user = &h;
    opts.log = hear_message;
    opts.log_level = CFLR_LOG_INFO;
    MUST(cflr_context_new(&opts, &context, &error));
    cflri_log(context, CFLR_LOG_DEBUG, "not %s", "heard");
    cr_assert_eq(h.calls, 0);
    cflri_log(context, CFLR_LOG_INFO, "%d units", 3);
    cr_assert_eq(h.calls, 1);
    cr_assert_eq(h.level, CFLR_LOG_INFO);
    cr_assert_str_eq(h.message, "3 units");
    test_context_end(context);
}

static cflr_status touch(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    void *block = cflri_alloc(context, 1);
    cflri_free(context, block);
    return block ? CFLR_OK : cflri_fail_memory(context, error);
}

Test(context, allocation_failures) {
    cr_assert_eq(fail_alloc_sweep(touch, NULL), 2);
}

Test(context, peaks_since_the_last_call) {
    cflr_context *context = test_context();
    cflri_free(context, cflri_alloc(context, 5000));
    uint64_t first = cflri_take_peak(context);
    void *block = cflri_alloc(context, 1000);
    cr_assert_eq(cflri_block_bytes(block), cflr_context_memory(context));
    cr_assert_eq(cflri_block_bytes(NULL), 0);
    cr_assert_eq(cflri_take_peak(context), cflri_block_bytes(block));
    cr_assert_eq(cflr_context_memory_peak(context), first, "that of all time stays");
    cflri_free(context, block);
    cr_assert_gt(cflri_take_peak(context), 0, "a block that was there is in the next peak");
    cr_assert_eq(cflri_take_peak(context), 0);
    test_context_end(context);
}
