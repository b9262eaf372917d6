/* SPDX-License-Identifier: Apache-2.0
 *
 * workers.h: jobs in processes of their own, so that one that crashes, hangs or takes all memory is
 * lost alone.
 */
#ifndef CFLRI_WORKERS_H
#define CFLRI_WORKERS_H

#include "base/context.h"
#include "frontend/facts/buffer.h"

typedef enum cflri_loss {
    CFLRI_LOST_CRASHED, /* the process ended, by a signal or by itself */
    CFLRI_LOST_SLOW,    /* it took longer than jobs->seconds */
    CFLRI_LOST_STARVED, /* alone in a new process it took more memory than there is */
} cflri_loss;

typedef struct cflri_jobs {
    void *user;
    size_t n;          /* jobs 0 .. n-1, begun in this order */
    const char *phase; /* of progress: so many are done, of n */
    double seconds;    /* that one may take */
    /* In a worker, which has a copy of all that the caller has: once, and then for each of its
     * jobs. The result of a job is appended to the answer. Neither makes threads that outlive it.
     */
    void (*begin)(void *user);
    cflr_status (*perform)(void *user, size_t job, cflri_buffer *answer, cflr_error *error);
    /* In the caller's thread, in the order in which jobs end. An answer that is no answer is
     * CFLR_FORMAT: then the job is lost. */
    cflr_status (*arrived)(void *user, size_t job, const char *answer, size_t size,
                           cflr_error *error);
    cflr_status (*lost)(void *user, size_t job, cflri_loss loss, const char *why,
                        cflr_error *error);
} cflri_jobs;

/* Each job arrives or is lost; as many at a time as the context has threads, fewer where their
 * memory does not fit beside each other, so that none is lost to others. The context's limits and
 * its cancellation hold at any moment: workers are killed. So they are at any failure, which is
 * returned. CFLR_UNAVAILABLE: jobs are left, and the system makes no process.
 *
 * No worker is left when this returns, nor when the caller is killed. */
cflr_status cflri_workers_run(cflr_context *context, const cflri_jobs *jobs, cflr_error *error);

/* fork(2), but for tests. */
extern int (*cflri_workers_fork)(void);

#endif
