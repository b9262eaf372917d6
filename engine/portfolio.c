/* SPDX-License-Identifier: Apache-2.0
 *
 * portfolio.c: the processor and a GPU close the same problem; the first to end stops the other.
 *
 *     processor   |---- batch ----------------------------x   stopped
 *     GPU             head start   |-- bits -------|          its closure is the answer
 *
 * Nothing that is known before tells which is faster: closures of graphs of the same size and
 * grammar differ by factors of a hundred on either. So both begin, and the answer, which is the
 * same, comes from the one that has it first. The processor has a head start, since most problems
 * are closed before a driver has begun, and a driver that begins is waited for: a problem that the
 * processor closes ends 0.3 s late at most, and only behind the head start.
 *
 * The GPU works for a context of its own: so the two are stopped apart, and count memory apart. It
 * does not matter why it fails; the processor goes on. Where that fails alone, the GPU's closure is
 * waited for.
 */
#include "engine/portfolio.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "base/context.h"
#include "engine/closure/batch/batch.h"
#include "engine/closure/bits/bits.h"

/* The GPU's part. */
typedef struct runner {
    cflr_context context;
    cflri_problem problem;
    cflri_bits_on on;
    cflr_context *other; /* of the processor */
    cflri_closure closure;
    cflr_error error;
    cflr_status status;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over; /* the processor has ended */
} runner;

static struct timespec in_seconds(double seconds) {
    const double nanos = 1e9;
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    double end = (double)at.tv_sec + (double)at.tv_nsec / nanos + seconds;
    at.tv_sec = (time_t)end;
    at.tv_nsec = (long)((end - (double)at.tv_sec) * nanos);
    return at;
}

/* False when the processor ends before. */
static bool wait_for_start(runner *r) {
    struct timespec until = in_seconds(r->on.head_start);
    pthread_mutex_lock(&r->lock);
    int waited = 0;
    while (!r->over && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&r->changed, &r->lock, &until);
    bool over = r->over;
    pthread_mutex_unlock(&r->lock);
    return !over;
}

static void *run(void *argument) {
    runner *r = argument;
    char why[128];
    if (!wait_for_start(r)) return NULL;
    if (!r->on.device) r->on.device = cflri_bit_device_load(why, sizeof why);
    if (!r->on.device) {
        cflri_fail(&r->error, CFLR_UNAVAILABLE, NULL, "no GPU: %s", why);
        return NULL;
    }
    r->status = cflri_solve_bits(&r->problem, &r->closure, &r->error);
    if (r->status == CFLR_OK) cflri_context_overtake(r->other);
    return NULL;
}

static void make_runner(runner *r, const cflri_problem *problem) {
    pthread_condattr_t attributes;
    *r = (runner){.on = *problem->on, .other = problem->context, .status = CFLR_UNAVAILABLE};
    cflri_context_beside(problem->context, &r->context);
    r->problem = *problem;
    r->problem.context = &r->context;
    r->problem.threads = 1;
    r->problem.on = &r->on;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* The processor has ended, and how. What the GPU leaves belongs to the context of both. */
static void end_runner(runner *r, cflr_status st, pthread_t thread) {
    pthread_mutex_lock(&r->lock);
    r->over = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    if (st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_CANCELLED) cflr_context_cancel(&r->context);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    cflri_context_go_on(r->other);
    cflri_context_take(r->other, &r->context);
}

/* The closure of the GPU is the problem's, if that of the processor is not whole. */
static cflr_status choose(runner *r, cflr_status st, const cflri_problem *problem,
                          cflri_closure *closure) {
    cflr_context *context = problem->context;
    if (st == CFLR_OK || r->status != CFLR_OK) {
        const char *why = r->status == CFLR_OK ? "it was slower" : r->error.message;
        cflri_log(context, CFLR_LOG_INFO, "beside the processor: %s", why);
        cflri_closure_free(context, &r->closure);
        return st;
    }
    cflri_closure_free(context, closure);
    *closure = r->closure;
    cflri_log(context, CFLR_LOG_INFO, "the GPU was faster than the processor");
    cflri_bits_tell(context, closure);
    return CFLR_OK;
}

cflr_status cflri_solve_portfolio(const cflri_problem *problem, cflri_closure *closure,
                                  cflr_error *error) {
    pthread_t thread;
    runner *r = cflri_alloc(problem->context, sizeof *r);
    if (!r) return cflri_fail_memory(problem->context, error);
    make_runner(r, problem);
    bool runs = pthread_create(&thread, NULL, run, r) == 0;
    cflr_status st = cflri_solve_batch(problem, closure, error);
    if (runs) {
        end_runner(r, st, thread);
        st = choose(r, st, problem, closure);
    }
    cflri_free(problem->context, r);
    return st;
}
