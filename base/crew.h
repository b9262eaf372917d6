/* SPDX-License-Identifier: Apache-2.0
 *
 * crew.h: threads that do one thing together, step by step.
 *
 *     thread 0   begin ---- part ---|--- part -------|---- part --- end
 *     thread 1   begin -- part -----|------- part ---|-- part ----- end      |  all wait for all
 *
 * Parts that take different times are assigned in handfuls (cflri_chunks).
 */
#ifndef CFLRI_CREW_H
#define CFLRI_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At the end of what one thread writes all the time, so that it shares no cache line with the next
 * thread's: two lines, since processors fetch them in pairs. */
enum { CFLRI_APART = 128 };

/* Threads that wait look at the turn, so threads that arrive later must not take its cache line
 * from them. */
typedef struct cflri_crew {
    uint32_t threads;
    uint32_t patience;    /* looks before a thread that waits sleeps */
    pthread_mutex_t lock; /* for those that sleep */
    pthread_cond_t all_here;
    char apart[CFLRI_APART];
    _Atomic uint32_t here; /* threads that wait */
    char apart_too[CFLRI_APART];
    _Atomic uint32_t turn; /* changes when all are here */
    char apart_as_well[CFLRI_APART];
} cflri_crew;

typedef void cflri_crew_work(void *what, cflri_crew *crew, uint32_t self);

/* Runs work(what, crew, 0), work(what, crew, 1), ... side by side, and returns when all have
 * returned. The system may give fewer threads than were asked for: crew->threads says. */
void cflri_crew_run(uint32_t threads, cflri_crew_work *work, void *what);

/* For a thread that looks again and again, without sleep, whether another one has got on; `looks`
 * says how often it has. */
void cflri_crew_rest(const cflri_crew *crew, uint32_t looks);

/* Waits until every thread of the crew is here. Every thread then sees what the others did before.
 */
void cflri_crew_wait(cflri_crew *crew);

/* A lock that is held for less time than it takes to sleep: a thread that finds it taken looks
 * again and again. Zero bytes are a latch that no thread holds. */
typedef struct cflri_latch {
    atomic_bool taken;
} cflri_latch;

void cflri_latch_wait(cflri_latch *latch);

static inline void cflri_latch_take(cflri_latch *latch) {
    if (atomic_exchange_explicit(&latch->taken, true, memory_order_acquire)) {
        cflri_latch_wait(latch);
    }
}

static inline void cflri_latch_leave(cflri_latch *latch) {
    atomic_store_explicit(&latch->taken, false, memory_order_release);
}

/* The share that one of the threads has of n things: from `begin` on, before `end`. */
typedef struct cflri_share {
    uint64_t begin, end;
} cflri_share;

static inline cflri_share cflri_share_of(uint64_t n, uint32_t self, uint32_t threads) {
    return (cflri_share){n * self / threads, n * (self + 1) / threads};
}

/* Items of which only the order is known are assigned by 64 to each thread in turn: is the next one
 * this thread's? *gone counts the items that the thread has gone past, its own included. */
static inline bool cflri_is_dealt(uint64_t *gone, uint32_t self, uint32_t threads) {
    return (*gone)++ / 64 % threads == self;
}

/* The numbers 0 .. n-1, assigned in handfuls to the threads that ask. */
typedef struct cflri_chunks {
    _Atomic size_t next;
    size_t n, handful;
} cflri_chunks;

static inline bool cflri_chunks_next(cflri_chunks *deal, size_t *begin, size_t *end) {
    size_t first = atomic_load_explicit(&deal->next, memory_order_relaxed);
    if (first >= deal->n) return false;
    first = atomic_fetch_add_explicit(&deal->next, deal->handful, memory_order_relaxed);
    if (first >= deal->n) return false;
    *begin = first;
    *end = deal->n - first < deal->handful ? deal->n : first + deal->handful;
    return true;
}

#endif
