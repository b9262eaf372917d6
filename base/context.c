/* SPDX-License-Identifier: Apache-2.0
 *
 * context.c: making a context, and the checks of long loops.
 *
 * The memory limit bounds the process, not only our blocks: what the process already occupies when
 * the context is made (code, libraries, the caller's own data) is taken off the limit first.
 */
#include "base/context.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/process.h"
#include "base/sized.h"
#include "cflr/version.h"

/* EDGES_A_THREAD: a partition of fewer is closed before the threads are there. */
enum { REPORT_EVERY_MS = 100, MOST_THREADS = 1024, EDGES_A_THREAD = 4096 };

static void *libc_allocate(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *libc_reallocate(void *user, void *block, size_t size) {
    (void)user;
    return realloc(block, size);
}

static void libc_release(void *user, void *block) {
    (void)user;
    free(block);
}

double cflri_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void cflr_context_opts_init_sized(cflr_context_opts *opts, size_t struct_size) {
    const cflr_context_opts defaults = {.log_level = CFLR_LOG_WARNING};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

cflr_status cflr_context_new(const cflr_context_opts *opts, cflr_context **context,
                             cflr_error *error) {
    *context = NULL;
    cflr_context_opts chosen;
    cflr_context_opts_init(&chosen);
    cflr_status st = CFLRI_TAKE_OPTS(&chosen, opts, "cflr_context_opts", error);
    if (st != CFLR_OK) return st;
    if (!(chosen.time_limit >= 0)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "a time limit cannot be negative");
    }
    if (chosen.threads < 0 || chosen.threads > MOST_THREADS) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "threads must be 0 to %d", MOST_THREADS);
    }
    cflr_allocator allocator = {NULL, libc_allocate, libc_reallocate, libc_release};
    if (chosen.allocator) allocator = *chosen.allocator;
    cflr_context *made = allocator.allocate(allocator.user, sizeof *made);
    if (!made) return cflri_fail(error, CFLR_NO_MEMORY, NULL, "out of memory for a context");
    memset(made, 0, sizeof *made);
    made->version = CFLR_VERSION;
    made->slots = cflri_slots_here();
    made->opts = chosen;
    made->allocator = allocator;
    made->default_allocator = !chosen.allocator;
    made->share = EDGES_A_THREAD;
    made->techniques = ~chosen.without;
    made->threads = chosen.threads ? chosen.threads : omp_get_num_procs();
    made->start = made->clock_start = cflri_now();
    made->memory_limit = UINT64_MAX;
    if (chosen.memory_limit) {
        uint64_t occupied = cflri_process_resident();
        made->memory_limit = chosen.memory_limit > occupied ? chosen.memory_limit - occupied : 0;
    }
    *context = made;
    return CFLR_OK;
}

void cflr_context_free(cflr_context *context) {
    if (!context) return;
    cflr_allocator allocator = context->allocator;
    allocator.release(allocator.user, context);
}

void cflr_context_cancel(cflr_context *context) {
    atomic_fetch_or_explicit(&context->cancelled, CFLRI_BY_CALLER, memory_order_relaxed);
}

void cflri_context_beside(const cflr_context *context, cflr_context *made) {
    memset(made, 0, sizeof *made);
    made->version = context->version;
    made->slots = context->slots;
    made->opts = context->opts;
    made->opts.log = NULL;
    made->opts.progress = NULL;
    made->allocator = context->allocator;
    made->default_allocator = context->default_allocator;
    made->threads = 1;
    made->share = context->share;
    made->techniques = context->techniques;
    made->start = context->start;
    made->clock_start = context->clock_start;
    made->memory_limit = UINT64_MAX;
}

void cflri_context_take(cflr_context *context, const cflr_context *beside) {
    uint64_t bytes = cflr_context_memory(beside); /* modulo 2^64: it may have freed more */
    atomic_fetch_add_explicit(&context->memory, bytes, memory_order_relaxed);
}

void cflri_context_overtake(cflr_context *context) {
    atomic_fetch_or_explicit(&context->cancelled, CFLRI_BY_OTHER, memory_order_relaxed);
}

void cflri_context_go_on(cflr_context *context) {
    atomic_fetch_and_explicit(&context->cancelled, ~(unsigned)CFLRI_BY_OTHER, memory_order_relaxed);
}

uint64_t cflr_context_memory(const cflr_context *context) {
    return atomic_load_explicit(&context->memory, memory_order_relaxed);
}

uint64_t cflr_context_memory_peak(const cflr_context *context) {
    uint64_t peak = atomic_load_explicit(&context->memory_peak, memory_order_relaxed);
    uint64_t before = atomic_load_explicit(&context->peak_before, memory_order_relaxed);
    return peak > before ? peak : before;
}

/* `memory_peak` never holds less than it should while other threads allocate: a thread that
 * allocates notes its peak after it has claimed the bytes. */
uint64_t cflri_take_peak(cflr_context *context) {
    uint64_t now = cflr_context_memory(context);
    uint64_t peak = atomic_exchange_explicit(&context->memory_peak, now, memory_order_relaxed);
    uint64_t before = atomic_load_explicit(&context->peak_before, memory_order_relaxed);
    while (peak > before &&
           !atomic_compare_exchange_weak_explicit(&context->peak_before, &before, peak,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
    return peak;
}

int cflr_context_threads(const cflr_context *context) {
    return context->threads;
}

uint64_t cflri_memory_left(const cflr_context *context) {
    uint64_t used = cflr_context_memory(context);
    return used < context->memory_limit ? context->memory_limit - used : 0;
}

uint64_t cflri_memory_to_use(const cflr_context *context) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (context->memory_limit != UINT64_MAX || pages <= 0) return cflri_memory_left(context);
    return (uint64_t)pages * (uint64_t)size / 2;
}

double cflri_clock_end(const cflr_context *context) {
    double limit = context->opts.time_limit;
    return limit > 0 ? context->clock_start + limit : HUGE_VAL;
}

cflr_status cflri_interrupted(const cflr_context *context) {
    if (cflri_is_cancelled(context, ~0u)) return CFLR_CANCELLED;
    if (atomic_load_explicit(&context->out_of_time, memory_order_relaxed)) return CFLR_LIMIT;
    bool bounded = context->opts.time_limit > 0;
    return bounded && cflri_now() > cflri_clock_end(context) ? CFLR_LIMIT : CFLR_OK;
}

/* Of the process and its workers; of our blocks alone where the system does not tell. */
static uint64_t bytes_in_use(const cflr_context *context) {
    uint64_t resident = cflri_process_resident();
    if (resident == 0) resident = cflr_context_memory(context);
    return resident + atomic_load_explicit(&context->elsewhere, memory_order_relaxed);
}

cflr_status cflri_tick(cflr_context *context, const char *phase, uint64_t done, uint64_t total) {
    double clock = cflri_now(), seconds = clock - context->start;
    if (clock > cflri_clock_end(context))
        atomic_store_explicit(&context->out_of_time, true, memory_order_relaxed);
    int64_t now = (int64_t)(seconds * 1000);
    if (context->opts.progress &&
        now >= atomic_load_explicit(&context->next_report, memory_order_relaxed)) {
        atomic_store_explicit(&context->next_report, now + REPORT_EVERY_MS, memory_order_relaxed);
        cflr_progress progress = {.phase = phase,
                                  .done = done,
                                  .total = total,
                                  .memory = bytes_in_use(context),
                                  .seconds = seconds};
        if (!context->opts.progress(context->opts.user, &progress)) cflr_context_cancel(context);
    }
    return cflri_interrupted(context);
}

static cflri_clock clock_of(const cflr_context *context) {
    return (cflri_clock){
        context->clock_start,
        atomic_load_explicit(&context->out_of_time, memory_order_relaxed),
    };
}

cflri_clock cflri_clock_ahead(cflr_context *context, double seconds) {
    cflri_clock before = clock_of(context);
    context->clock_start -= seconds;
    return before;
}

cflri_clock cflri_clock_anew(cflr_context *context) {
    cflri_clock before = clock_of(context);
    context->clock_start = cflri_now();
    atomic_store_explicit(&context->out_of_time, false, memory_order_relaxed);
    return before;
}

void cflri_clock_back(cflr_context *context, cflri_clock clock) {
    context->clock_start = clock.start;
    atomic_store_explicit(&context->out_of_time, clock.out_of_time, memory_order_relaxed);
}

cflr_status cflri_fail_interrupted(cflr_context *context, cflr_status st, cflr_error *error) {
    if (st == CFLR_CANCELLED) return cflri_fail(error, st, NULL, "interrupted");
    return cflri_fail(error, st, NULL, "time limit of %g seconds reached",
                      context->opts.time_limit);
}

void cflri_log(cflr_context *context, cflr_log_level level, const char *format, ...) {
    if (!context->opts.log || level > context->opts.log_level) return;
    char text[800], message[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cflr_escape(message, sizeof message, text);
#pragma omp critical(cflri_log)
    context->opts.log(context->opts.user, level, message);
}
