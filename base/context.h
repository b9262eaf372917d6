/* SPDX-License-Identifier: Apache-2.0
 *
 * context.h (internal): what a context holds, and the checks that long loops make.
 */
#ifndef CFLRI_CONTEXT_H
#define CFLRI_CONTEXT_H

#include <stdatomic.h>

#include "base/alloc.h"

struct cflr_context {
    const char *version;      /* of the library that made it: the front end must be of the same */
    struct cflri_slot *slots; /* what is being written (base/beside.h) */
    cflr_context_opts opts;
    cflr_allocator allocator;
    bool default_allocator; /* then zeroed blocks come from calloc: no page is touched */
    int threads;
    uint64_t share; /* input edges that are worth a thread; tests lower it to have many threads */
    unsigned techniques;       /* that the batch model uses: numbers of cflr_technique, added up */
    struct cflri_spine *spine; /* slices of the batch model (engine/spine/driver.h); NULL: one */
    double start;              /* monotonic seconds */
    double clock_start;    /* what the time limit counts from; `start` but for cflri_clock_anew */
    uint64_t memory_limit; /* what cflri_alloc may hand out, UINT64_MAX for no limit */
    _Atomic uint64_t memory;
    _Atomic uint64_t memory_peak; /* since the last cflri_take_peak */
    _Atomic uint64_t peak_before; /* until then */
    _Atomic uint64_t
        elsewhere;         /* bytes of the processes that work for this one; in one of these, its */
    atomic_bool limit_hit; /* the last allocation that failed was refused by memory_limit */
    atomic_uint cancelled; /* by whom: cflri_cancelled_by */
    atomic_bool out_of_time;
    _Atomic int64_t next_report; /* milliseconds since start when progress is due again */
    _Atomic uint64_t told;       /* a hash of the last warnings about labels (engine/unread.c) */
};

/* Why a context is cancelled, as bits. */
typedef enum cflri_cancelled_by {
    CFLRI_BY_CALLER = 1, /* cflr_context_cancel, or the progress callback */
    CFLRI_BY_OTHER = 2,  /* another context has done the same work */
} cflri_cancelled_by;

static inline bool cflri_is_cancelled(const cflr_context *context, unsigned by) {
    return atomic_load_explicit(&context->cancelled, memory_order_relaxed) & by;
}

double cflri_now(void); /* monotonic seconds */

/* CFLR_OK, or CFLR_CANCELLED, or CFLR_LIMIT when time is over. Any thread; cheap: two flags, and
 * with a limit of time the clock, which is some 20 ns. */
cflr_status cflri_interrupted(const cflr_context *context);

/* To be called every few milliseconds of work by one thread of a long loop: calls the progress
 * callback when it is due, and returns what cflri_interrupted would. */
cflr_status cflri_tick(cflr_context *context, const char *phase, uint64_t done, uint64_t total);

/* Lets the time limit count from now, also when it was reached already, until the clock is put
 * back. For a call that is to check what a limit cut short; while no other call of the context
 * runs. */
typedef struct cflri_clock {
    double start;
    bool out_of_time;
} cflri_clock;

cflri_clock cflri_clock_anew(cflr_context *context);
/* Likewise: the limit comes so many seconds earlier. */
cflri_clock cflri_clock_ahead(cflr_context *context, double seconds);
void cflri_clock_back(cflr_context *context, cflri_clock clock);

/* When the time is over, as cflri_now tells it; infinite without a limit. */
double cflri_clock_end(const cflr_context *context);

/* Describes why a loop stopped: `st` is CFLR_CANCELLED or CFLR_LIMIT from one of the two above. */
cflr_status cflri_fail_interrupted(cflr_context *context, cflr_status st, cflr_error *error);

/* Formats and hands over one message; nothing happens above the context's level. */
void cflri_log(cflr_context *context, cflr_log_level level, const char *format, ...)
    CFLRI_PRINTF(3, 4);

/* For work beside that of another context, by another thread: with its settings and one thread, but
 * without progress, messages and limits of memory. *made needs no freeing. */
void cflri_context_beside(const cflr_context *context, cflr_context *made);
/* The work has ended: blocks that it has left are the context's. */
void cflri_context_take(cflr_context *context, const cflr_context *beside);
/* That work is done: *context is cancelled, by the other. Any thread. */
void cflri_context_overtake(cflr_context *context);
/* Is it no longer? Once the work has ended. */
void cflri_context_go_on(cflr_context *context);

/* Bytes that may still be handed out. */
uint64_t cflri_memory_left(const cflr_context *context);
/* The same, but without a limit half of the machine's memory. */
uint64_t cflri_memory_to_use(const cflr_context *context);

/* Returns the most bytes in use at once since the last call, or since the context was made. */
uint64_t cflri_take_peak(cflr_context *context);

#endif
