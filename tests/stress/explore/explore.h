/* SPDX-License-Identifier: Apache-2.0
 *
 * explore.h: runs a scenario of threads under every schedule within a bound.
 *
 *     step        1  2  3  4  5  6  7  8  9 ...       atomic accesses end steps (atomics.h)
 *     thread 0    x  x     x        x  x
 *     thread 1          x     x  x        x
 *                       |        |
 *                       delays: the running thread stops, and the next thread continues
 *
 * Without delays a thread runs until it ends or has to wait; then the next thread runs. A schedule
 * adds a few delays to that. Most faults of concurrent programs need one or two delays that are
 * close to each other. So the first delay is tried at every step, and each later one within a
 * distance from the one before. The number of runs is about steps * distance^(delays - 1).
 *
 * The threads are coroutines (ucontext) in one thread of the system. This program has its own
 * cflri_crew_run and cflri_crew_wait, which start and join them. All accesses have one order, so
 * faults that need reordered accesses are not found here; ThreadSanitizer finds those (parallel.c).
 * When the program aborts or crashes, it prints the delays of the schedule.
 */
#ifndef CFLRI_EXPLORE_H
#define CFLRI_EXPLORE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { EXPLORE_DELAYS = 3 };

typedef struct explored {
    uint64_t runs;
    uint64_t wrong; /* runs with a wrong result */
    uint64_t steps; /* of the run without delays */
} explored;

/* Runs scenario(what) under all schedules with at most `delays` delays. The scenario returns false
 * if the result is wrong. */
explored explore(bool (*scenario)(void *what), void *what, uint32_t delays, uint64_t distance);

/* Ends a step of the running thread, if there are several threads. */
void cflri_explore_point(void);

/* Lock a mutex, and wait for a condition; the wait may end before the condition changes. */
void cflri_explore_lock(pthread_mutex_t *lock);
void cflri_explore_sleep(pthread_mutex_t *lock);

#endif
