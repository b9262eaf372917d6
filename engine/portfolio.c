/* SPDX-License-Identifier: Apache-2.0
 *
 * portfolio.c: the processor and a GPU close the same problem; the first to end stops the other.
 *
 *     processor   |---- batch ----------------------------x   stopped
 *     GPU             head start   |-- bits -------|          its closure is the answer
 *
 * Nothing that is known before tells which is faster: closures of graphs of the same size and
 * grammar differ by factors of a hundred on either. So both begin, and the answer, which is the
 * same, comes from the one that has it first. The processor has a head start, in which most
 * problems are closed. The GPU's part is in a process of its own (bits/apart.c), so that nothing
 * waits for a driver that begins or ends; a thread here waits for what it has closed, and makes
 * relations of it.
 *
 * The thread works for a context of its own: so the two are stopped apart, and count memory apart.
 * It does not matter why the GPU fails; the processor goes on. Where that fails alone, the GPU's
 * closure is waited for. When the GPU's rows are there, the processor is stopped, so that making
 * relations of them has all cores and the memory.
 */
#include "engine/portfolio.h"

#include <pthread.h>

#include "base/context.h"
#include "engine/closure/batch/batch.h"
#include "engine/closure/bits/apart.h"

/* The GPU's part. */
typedef struct runner {
    cflr_context context;
    cflri_problem problem;
    cflri_bits_on on;
    cflri_closure closure;
    cflr_error error;
    cflr_status status;
    bool was_first; /* the processor was stopped for it */
} runner;

static void *run(void *argument) {
    runner *r = argument;
    r->status = cflri_apart_await(r->on.apart, &r->error);
    if (r->status == CFLR_OK) r->status = cflri_solve_bits(&r->problem, &r->closure, &r->error);
    return NULL;
}

static bool start(runner *r, const cflri_problem *problem, pthread_t *thread) {
    *r = (runner){.on = *problem->on, .status = CFLR_UNAVAILABLE};
    r->on.beaten = problem->context;
    cflri_context_beside(problem->context, &r->context);
    r->problem = *problem;
    r->problem.context = &r->context;
    r->problem.threads = 1;
    r->problem.on = &r->on;
    return cflri_apart_begin(&r->problem, &r->on.apart, &r->error) == CFLR_OK &&
           pthread_create(thread, NULL, run, r) == 0;
}

/* Threads that wait for one another lose more to another process than one of them does. */
static int threads_left(int threads) {
    const int many = 8;
    return threads >= many ? threads - 1 : threads;
}

/* After the processor has ended with `st`: the thread ends, at once where its closure is not needed
 * any more. */
static void end(runner *r, cflr_status st, pthread_t thread) {
    const cflr_context *context = r->on.beaten;
    r->was_first = st == CFLR_CANCELLED && cflri_is_cancelled(context, CFLRI_BY_OTHER);
    bool over = st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_CANCELLED;
    if (r->was_first) over = cflri_is_cancelled(context, CFLRI_BY_CALLER);
    if (over) cflri_context_overtake(&r->context);
    pthread_join(thread, NULL);
    cflri_context_go_on(r->on.beaten);
}

/* The GPU's closure, or what there is of it, becomes that of the problem. */
static cflr_status take(runner *r, const cflri_problem *problem, cflri_closure *closure,
                        cflr_error *error) {
    cflr_status st = r->status;
    cflri_closure_free(problem->context, closure);
    *closure = r->closure;
    if (st != CFLR_OK) {
        bool partial = st == CFLR_LIMIT || st == CFLR_CANCELLED;
        if (error) *error = r->error;
        return partial && !closure->relation ? cflri_closure_empty(problem, st, closure, error)
                                             : st;
    }
    cflri_log(problem->context, CFLR_LOG_INFO, "the GPU was faster than the processor");
    cflri_bits_tell(problem->context, closure);
    return st;
}

/* The closure of the GPU is the problem's, if that of the processor is not whole. */
static cflr_status choose(runner *r, cflr_status st, const cflri_problem *problem,
                          cflri_closure *closure, cflr_error *error) {
    bool whole = r->status == CFLR_OK;
    if (whole ? st != CFLR_OK : r->was_first) return take(r, problem, closure, error);
    cflri_log(problem->context, CFLR_LOG_INFO, "beside the processor: %s",
              whole ? "it was slower" : r->error.message);
    cflri_closure_free(problem->context, &r->closure);
    return st;
}

cflr_status cflri_solve_portfolio(const cflri_problem *problem, cflri_closure *closure,
                                  cflr_error *error) {
    pthread_t thread;
    cflri_problem rest = *problem;
    runner *r = cflri_alloc(problem->context, sizeof *r);
    if (!r) return cflri_fail_memory(problem->context, error);
    bool runs = start(r, problem, &thread);
    if (runs) rest.threads = threads_left(problem->threads);
    cflr_status st = cflri_solve_batch(&rest, closure, error);
    if (runs) end(r, st, thread);
    cflri_apart_end(r->on.apart);
    cflri_context_take(problem->context, &r->context);
    st = choose(r, st, problem, closure, error);
    cflri_free(problem->context, r);
    return st;
}
