/* SPDX-License-Identifier: Apache-2.0
 *
 * fail_alloc.h: runs a piece of work again and again, each time with another allocation failing.
 *
 *     static cflr_status work(cflr_context *context, void *user, cflr_error *error) { ... }
 *     fail_alloc_sweep(work, NULL);
 *
 * First the n-th allocation alone fails for n = 1, 2, ... (a passing shortage), then the n-th and
 * all after it (memory is gone), until a run has no allocation left to fail. Each run must end in
 * CFLR_OK or CFLR_NO_MEMORY with a message, and must leave no block behind. The first run, which
 * nothing disturbs, must be CFLR_OK.
 */
#ifndef TEST_SUPPORT_FAIL_ALLOC_H
#define TEST_SUPPORT_FAIL_ALLOC_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/context.h"

typedef struct fail_alloc {
    _Atomic uint64_t calls;  /* of allocate and reallocate */
    _Atomic uint64_t failed; /* of these, refused */
    _Atomic int64_t blocks;  /* not released yet */
    uint64_t fail_at;        /* the call to refuse, from 1; 0 for none */
    bool fail_on;            /* refuse all later calls too */
} fail_alloc;

static inline bool fail_alloc_refuses(fail_alloc *f) {
    uint64_t call = atomic_fetch_add(&f->calls, 1) + 1;
    bool refuses = f->fail_at && (f->fail_on ? call >= f->fail_at : call == f->fail_at);
    if (refuses) atomic_fetch_add(&f->failed, 1);
    return refuses;
}

static inline void *fail_alloc_allocate(void *user, size_t size) {
    fail_alloc *f = user;
    if (fail_alloc_refuses(f)) return NULL;
    void *block = malloc(size);
    if (block) {
        memset(block, 0xa5, size); /* nobody may count on zeros */
        atomic_fetch_add(&f->blocks, 1);
    }
    return block;
}

static inline void *fail_alloc_reallocate(void *user, void *block, size_t size) {
    fail_alloc *f = user;
    if (!block) return fail_alloc_allocate(user, size);
    return fail_alloc_refuses(f) ? NULL : realloc(block, size);
}

static inline void fail_alloc_release(void *user, void *block) {
    fail_alloc *f = user;
    if (block) atomic_fetch_sub(&f->blocks, 1);
    free(block);
}

/* An allocator over *f, which the caller set up and keeps. */
static inline cflr_allocator fail_alloc_allocator(fail_alloc *f) {
    return (cflr_allocator){f, fail_alloc_allocate, fail_alloc_reallocate, fail_alloc_release};
}

/* The work under test. Must release all that it makes before it returns. */
typedef cflr_status (*fail_alloc_work)(cflr_context *context, void *user, cflr_error *error);

/* One run; *f tells what happened. */
static inline cflr_status fail_alloc_run(fail_alloc *f, fail_alloc_work work, void *user,
                                         cflr_error *error) {
    cflr_allocator allocator = fail_alloc_allocator(f);
    cflr_context_opts opts;
    cflr_context *context;
    memset(error, 0, sizeof *error);
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 2;
    cflr_status st = cflr_context_new(&opts, &context, error);
    if (st == CFLR_OK) {
        st = work(context, user, error);
        cr_assert_eq(cflr_context_memory(context), 0,
                     "%" PRIu64 " bytes are left, failing at %" PRIu64,
                     cflr_context_memory(context), f->fail_at);
        cflr_context_free(context);
    }
    cr_assert_eq(f->blocks, 0, "%" PRId64 " blocks leak when allocation %" PRIu64 " fails",
                 (int64_t)f->blocks, f->fail_at);
    return st;
}

/* Returns how many allocations the work makes. `step` > 1 tries only every step-th of them. */
static inline uint64_t fail_alloc_sweep_step(fail_alloc_work work, void *user, uint64_t step) {
    cflr_error error;
    fail_alloc whole = {.fail_at = 0};
    cflr_status st = fail_alloc_run(&whole, work, user, &error);
    cr_assert_eq(st, CFLR_OK, "undisturbed: %s", error.message);
    cr_assert_gt(whole.calls, 1, "the work allocates nothing");
    for (int fail_on = 0; fail_on < 2; fail_on++) {
        for (uint64_t n = 1;; n += step) {
            fail_alloc f = {.fail_at = n, .fail_on = fail_on != 0};
            st = fail_alloc_run(&f, work, user, &error);
            if (!f.failed) break;
            if (st == CFLR_OK) continue; /* the work found another way */
            cr_assert_eq(st, CFLR_NO_MEMORY, "allocation %" PRIu64 " fails: %s (%s)", n,
                         cflr_status_name(st), error.message);
            cr_assert_eq(error.code, CFLR_NO_MEMORY);
            cr_assert_neq(error.message[0], '\0');
        }
        cr_assert_eq(st, CFLR_OK, "nothing failed: %s", error.message);
    }
    return whole.calls;
}

static inline uint64_t fail_alloc_sweep(fail_alloc_work work, void *user) {
    return fail_alloc_sweep_step(work, user, 1);
}

/* A call in a context that lives on, with the objects in it. Must release what it makes. */
typedef cflr_status (*fail_alloc_call)(void *user, cflr_error *error);

/* One run in which the n-th allocation from now on fails, and with `fail_on` all behind it. False
 * when there was none to fail. */
static inline bool fail_alloc_try_nth(fail_alloc *f, fail_alloc_call call, void *user, uint64_t n,
                                      bool fail_on) {
    cflr_error error = {.code = CFLR_OK};
    int64_t blocks = f->blocks;
    uint64_t failed = f->failed;
    f->fail_on = fail_on;
    f->fail_at = f->calls + n;
    cflr_status st = call(user, &error);
    f->fail_at = 0;
    cr_assert_eq(f->blocks, blocks, "%" PRId64 " blocks leak when allocation %" PRIu64 " fails",
                 (int64_t)f->blocks - blocks, n);
    if (f->failed == failed) {
        cr_assert_eq(st, CFLR_OK, "nothing failed: %s", error.message);
        return false;
    }
    if (st == CFLR_OK) return true; /* it found another way */
    cr_assert_eq(st, CFLR_NO_MEMORY, "allocation %" PRIu64 " fails: %s (%s)", n,
                 cflr_status_name(st), error.message);
    cr_assert_eq(error.code, CFLR_NO_MEMORY);
    cr_assert_neq(error.message[0], '\0');
    return true;
}

/* The sweep for a call in a context whose allocator is *f. Returns how many allocations it makes,
 * the last time. */
static inline uint64_t fail_alloc_sweep_call(fail_alloc *f, fail_alloc_call call, void *user,
                                             const char *what) {
    uint64_t n = 1;
    for (int fail_on = 0; fail_on < 2; fail_on++) {
        for (n = 1; fail_alloc_try_nth(f, call, user, n, fail_on != 0);) n++;
        cr_assert_gt(n, 1, "%s allocates nothing", what);
    }
    return n - 1;
}

#endif
