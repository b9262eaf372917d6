/* SPDX-License-Identifier: Apache-2.0
 *
 * fail_alloc.h: runs a piece of work again and again, each time with another allocation failing.
 *
 *     static cflr_status work(cflr_context *context, void *user, cflr_error *error) { ... }
 *     fail_alloc_sweep(work, NULL);
 *
 * Where an allocation is made tells what its failure may break: the sweep knows allocations by
 * their stacks of calls, and lets each stack fail the first, second, fourth, eighth ... time that
 * it comes. What a loop or a container holds when it fails later differs in nothing but size. First
 * each such allocation fails alone (a passing shortage), then it and all after it (memory is gone),
 * until a run has no allocation left to fail.
 *
 * Work with many of them is not run for each: every second fails alone, and every eighth when
 * memory is gone, since the ways out are the same for many and sweeps of a room come by the same
 * stacks; without sanitizers, which see what the sweep cannot, a quarter of all this.
 * CFLR_TEST_EXHAUSTIVE=1 lets every single allocation fail.
 *
 * Each run must end in CFLR_OK or CFLR_NO_MEMORY with a message, and must leave no block
 * behind. The first run, which nothing disturbs, must be CFLR_OK.
 */
#ifndef TEST_SUPPORT_FAIL_ALLOC_H
#define TEST_SUPPORT_FAIL_ALLOC_H

#include <criterion/criterion.h>
#include <execinfo.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/context.h"
#include "tests/support/support.h"

/* A stack of calls that ends in an allocation. */
typedef struct fail_alloc_site {
    uint64_t stack; /* hash; 0: the slot is free */
    uint64_t run;   /* in which it came last */
    uint64_t times; /* that it came in that run */
    uint64_t tried; /* the last of these times that was refused */
} fail_alloc_site;

/* A sweep with the sites that it has seen. */
typedef struct fail_alloc_sweep_state {
    pthread_mutex_t lock; /* the work may have threads */
    uint64_t run;
    uint64_t n;       /* sites */
    uint64_t choices; /* of an allocation that may fail */
    uint64_t one_in;  /* so many of them fails, behind the first ones */
    bool every;       /* allocation, not every site */
    fail_alloc_site sites[1 << 14];
} fail_alloc_sweep_state;

typedef struct fail_alloc {
    _Atomic uint64_t calls;        /* of allocate and reallocate */
    _Atomic uint64_t failed;       /* of these, refused */
    _Atomic int64_t blocks;        /* not released yet */
    _Atomic uint64_t fail_at;      /* the call to refuse, from 1; 0 for none */
    bool fail_on;                  /* refuse all later calls too */
    fail_alloc_sweep_state *sweep; /* chooses the call to refuse */
} fail_alloc;

static inline uint64_t fail_alloc_stack(void) {
    enum { FRAMES = 24, OWN = 3 }; /* this function, and those between it and the allocator */
    void *frame[FRAMES];
    int n = backtrace(frame, FRAMES);
    uint64_t hash = UINT64_C(1469598103934665603);
    for (int i = OWN; i < n; i++) hash = (hash ^ (uintptr_t)frame[i]) * UINT64_C(1099511628211);
    return hash ? hash : 1;
}

static inline fail_alloc_site *fail_alloc_find(fail_alloc_sweep_state *sweep, uint64_t stack) {
    enum { SLOTS = sizeof sweep->sites / sizeof *sweep->sites };
    uint64_t at = (stack ^ stack >> 32) % SLOTS;
    while (sweep->sites[at].stack && sweep->sites[at].stack != stack) at = (at + 1) % SLOTS;
    if (!sweep->sites[at].stack) cr_assert_lt(++sweep->n, (uint64_t)SLOTS * 3 / 4);
    sweep->sites[at].stack = stack;
    return &sweep->sites[at];
}

/* Is this the time that the site is to fail? */
static inline bool fail_alloc_chooses(fail_alloc_sweep_state *sweep, fail_alloc_site *site) {
    enum { FIRST = 50 };
    if (sweep->every) return true;
    if (site->times & (site->times - 1)) return false;
    return sweep->choices++ < FIRST || sweep->choices % sweep->one_in == 0;
}

/* Is it this allocation's turn to fail? At most one in each run. */
static inline bool fail_alloc_is_next(fail_alloc *f, uint64_t call) {
    fail_alloc_sweep_state *sweep = f->sweep;
    pthread_mutex_lock(&sweep->lock);
    fail_alloc_site *site = fail_alloc_find(sweep, fail_alloc_stack());
    if (site->run != sweep->run) site->times = 0;
    site->run = sweep->run;
    site->times++;
    bool is_next = false;
    if (!f->fail_at && site->times > site->tried) {
        site->tried = site->times;
        is_next = fail_alloc_chooses(sweep, site);
    }
    if (is_next) f->fail_at = call;
    pthread_mutex_unlock(&sweep->lock);
    return is_next;
}

static inline bool fail_alloc_refuses(fail_alloc *f) {
    uint64_t call = atomic_fetch_add(&f->calls, 1) + 1;
    bool refuses = f->fail_at && (f->fail_on ? call >= f->fail_at : call == f->fail_at);
    if (f->sweep && !f->fail_at) refuses = fail_alloc_is_next(f, call);
    if (refuses) atomic_fetch_add(&f->failed, 1);
    return refuses;
}

static inline void *fail_alloc_allocate(void *user, size_t size) {
    fail_alloc *f = user;
    if (fail_alloc_refuses(f)) return NULL;
    void *block = malloc(size);
    if (block) {
        memset(block, 0xa5, size); /* no caller may count on zeros */
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
                     cflr_context_memory(context), (uint64_t)f->fail_at);
        cflr_context_free(context);
    }
    cr_assert_eq(f->blocks, 0, "%" PRId64 " blocks leak when allocation %" PRIu64 " fails",
                 (int64_t)f->blocks, (uint64_t)f->fail_at);
    return st;
}

static inline fail_alloc_sweep_state *fail_alloc_sweep_begin(bool fail_on) {
    fail_alloc_sweep_state *sweep = calloc(1, sizeof *sweep);
    cr_assert_not_null(sweep);
    pthread_mutex_init(&sweep->lock, NULL);
    sweep->every = getenv("CFLR_TEST_EXHAUSTIVE") != NULL;
    sweep->one_in = (fail_on ? 8 : 2) * (TEST_SANITIZED ? 1 : 4);
    return sweep;
}

static inline void fail_alloc_sweep_end(fail_alloc_sweep_state *sweep) {
    pthread_mutex_destroy(&sweep->lock);
    free(sweep);
}

/* What a run said in which allocation `n` was refused. */
static inline void fail_alloc_check(cflr_status st, const cflr_error *error, uint64_t n) {
    if (st == CFLR_OK) return; /* the work found another way */
    cr_assert_eq(st, CFLR_NO_MEMORY, "allocation %" PRIu64 " fails: %s (%s)", n,
                 cflr_status_name(st), error->message);
    cr_assert_eq(error->code, CFLR_NO_MEMORY);
    cr_assert_neq(error->message[0], '\0');
}

/* Returns how many allocations the work makes. */
static inline uint64_t fail_alloc_sweep(fail_alloc_work work, void *user) {
    cflr_error error;
    fail_alloc whole = {.fail_at = 0};
    cflr_status st = fail_alloc_run(&whole, work, user, &error);
    cr_assert_eq(st, CFLR_OK, "undisturbed: %s", error.message);
    cr_assert_gt(whole.calls, 1, "the work allocates nothing");
    for (int fail_on = 0; fail_on < 2; fail_on++) {
        fail_alloc_sweep_state *sweep = fail_alloc_sweep_begin(fail_on != 0);
        for (;;) {
            sweep->run++;
            fail_alloc f = {.fail_on = fail_on != 0, .sweep = sweep};
            st = fail_alloc_run(&f, work, user, &error);
            if (!f.failed) break;
            fail_alloc_check(st, &error, f.fail_at);
        }
        cr_assert_eq(st, CFLR_OK, "nothing failed: %s", error.message);
        fail_alloc_sweep_end(sweep);
    }
    return whole.calls;
}

/* A call in a context that lives on, with the objects in it. Must release what it makes. */
typedef cflr_status (*fail_alloc_call)(void *user, cflr_error *error);

/* One run in which the next allocation of f->sweep fails. False when there was none to fail. */
static inline bool fail_alloc_try_next(fail_alloc *f, fail_alloc_call call, void *user) {
    cflr_error error = {.code = CFLR_OK};
    int64_t blocks = f->blocks;
    uint64_t failed = f->failed;
    f->sweep->run++;
    f->fail_at = 0;
    cflr_status st = call(user, &error);
    cr_assert_eq(f->blocks, blocks, "%" PRId64 " blocks leak when allocation %" PRIu64 " fails",
                 (int64_t)f->blocks - blocks, (uint64_t)f->fail_at);
    if (f->failed == failed) {
        cr_assert_eq(st, CFLR_OK, "nothing failed: %s", error.message);
        return false;
    }
    fail_alloc_check(st, &error, f->fail_at);
    return true;
}

/* The sweep for a call in a context whose allocator is *f. Returns how many allocations it makes,
 * the last time. */
static inline uint64_t fail_alloc_sweep_call(fail_alloc *f, fail_alloc_call call, void *user,
                                             const char *what) {
    uint64_t calls = 0;
    for (int fail_on = 0; fail_on < 2; fail_on++) {
        f->sweep = fail_alloc_sweep_begin(fail_on != 0);
        f->fail_on = fail_on != 0;
        do {
            calls = f->calls;
        } while (fail_alloc_try_next(f, call, user));
        fail_alloc_sweep_end(f->sweep);
        f->sweep = NULL;
    }
    f->fail_at = 0;
    cr_assert_gt(f->calls - calls, 0, "%s allocates nothing", what);
    return f->calls - calls;
}

#endif
