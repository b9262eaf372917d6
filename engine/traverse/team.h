/* SPDX-License-Identifier: Apache-2.0
 *
 * team.h: the threads of one traversal, each of which runs the whole primitive.
 *
 *     thread 0   push ---|-- push ---|-- pull ----|--          every thread calls every operator,
 *     takes its part of the
 *     thread 1   push -- |-- push -- |-- pull --- |--          work, and meets the others at its
 *     end (|)
 *
 * So operators are inlined with their functors, and a step costs a barrier, not a fork. What
 * decides the next step (how large is the frontier?) is added up from what all wrote before the
 * barrier: all threads read the same and decide alike. A persistent kernel of a GPU has the same
 * shape.
 *
 * One barrier a step is enough because what a step counts in is there three times: the step's own,
 * that of the step before, which slower threads may still read, and the next one's, which one
 * thread has put back to zero meanwhile.
 */
#ifndef CFLRI_TEAM_H
#define CFLRI_TEAM_H

#include <string.h>

#include "base/context.h"
#include "base/crew.h"
#include "engine/traverse/handover.h"
#include "engine/traverse/task.h"

enum { CFLRI_LISTS_OUT = 2 }; /* that one operator may fill */

typedef struct cflri_counters {
    _Atomic uint64_t dealt;
    char apart[CFLRI_APART];
    _Atomic uint64_t tail[CFLRI_LISTS_OUT]; /* how much was put into each list */
    char apart_too[CFLRI_APART];
    _Atomic uint32_t idle; /* threads that wait for more (handover.h) */
    char apart_as_well[CFLRI_APART];
} cflri_counters;

/* What a thread says at the end of a step. */
typedef struct cflri_team_slot {
    uint64_t sum[2][CFLRI_SUMS]; /* the next step's is written while the last one's is read */
    uint64_t inspected;
    char apart[CFLRI_APART];
} cflri_team_slot;

/* Numbers that are not integers are added up for so many vertices at a time, by whichever
 * thread. */
enum { CFLRI_VERTICES_A_SUM = 256 };

typedef double cflri_real_sums[CFLRI_REAL_SUMS];

typedef struct cflri_team {
    cflri_counters counters[3];
    cflri_handover handover;
    bool stop[2];             /* by parity of the step: the run is cancelled, or its time is over */
    cflri_team_slot *slot;    /* by thread */
    cflri_real_sums *real[2]; /* by parity, by CFLRI_VERTICES_A_SUM vertices */
    cflri_shared_word *marks; /* of each thread: a bit a vertex, all 0 between operators */
    uint64_t words;           /* of one set of marks */
    cflr_context *context;
} cflri_team;

/* One thread's view. Drivers read the first three; `tally` is handed to functors. */
typedef struct cflri_thread {
    uint64_t total[CFLRI_SUMS];         /* of the last operator, of all threads */
    double real_total[CFLRI_REAL_SUMS]; /* of the last operator that adds such numbers up */
    bool stop;                          /* leave the driver: the outcome is not wanted */
    cflri_step_tally tally;
    cflri_team *team;
    cflri_crew *crew;
    uint64_t step;
    uint64_t inspected;
    uint32_t self;
} cflri_thread;

static inline cflri_counters *cflri_counters_of(const cflri_thread *m) {
    return &m->team->counters[m->step % 3];
}

/* Is this the one thread that does what is to be done once? */
static inline bool cflri_is_first(const cflri_thread *m) {
    return m->self == 0;
}

/* Are there threads that have nothing to do while this step goes on? */
static inline bool cflri_are_idle(const cflri_thread *m) {
    return atomic_load_explicit(&cflri_counters_of(m)->idle, memory_order_relaxed) > 0;
}

/* The next handful of 0 .. n-1 for this thread. All ask with the same n, until there are no
 * more. */
static inline bool cflri_deal(cflri_thread *m, uint64_t n, uint64_t handful, uint64_t *begin,
                              uint64_t *end) {
    _Atomic uint64_t *dealt = &cflri_counters_of(m)->dealt;
    if (atomic_load_explicit(dealt, memory_order_relaxed) >= n) return false;
    if (cflri_interrupted(m->team->context) != CFLR_OK) return false;
    uint64_t first = atomic_fetch_add_explicit(dealt, handful, memory_order_relaxed);
    if (first >= n) return false;
    *begin = first;
    *end = n - first < handful ? n : first + handful;
    return true;
}

/* Ends a step: all have come, all know what all said. */
void cflri_step_end(cflri_thread *m);

/* The sums of numbers that are not integers, of a step over vertices begin .. end-1 that has just
 * ended. `begin` is a multiple of CFLRI_VERTICES_A_SUM. */
void cflri_add_up(cflri_thread *m, uint64_t begin, uint64_t end);

/* The real sums of the vertices from `begin` on are what the tally says; it begins anew. */
static inline void cflri_keep_sums(cflri_thread *m, uint64_t begin) {
    double *sums = m->team->real[m->step % 2][begin / CFLRI_VERTICES_A_SUM];
    memcpy(sums, m->tally.real, sizeof m->tally.real);
    memset(m->tally.real, 0, sizeof m->tally.real);
}

#endif
