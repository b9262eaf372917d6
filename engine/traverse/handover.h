/* SPDX-License-Identifier: Apache-2.0
 *
 * handover.h: vertices that threads with enough to do hand to those that have nothing, in the
 * middle of a step.
 *
 *     a thread's own ---> half of it, when   ---> [ oldest .. newest ] ---> the idle thread's own
 *         ^    |          another is idle          a ring, of all
 *         +----+ what it finds
 *
 * A step that ends at a barrier is as long as its slowest thread takes. Where little is found at a
 * time (a shortest way through a grid), and each thread goes on with what it finds itself, there is
 * one that finds the most. Others that have nothing left say that they are idle, and look here
 * until there is something, or until all are: only a thread that is not idle puts something here,
 * so then nothing is left anywhere.
 *
 * What comes first leaves first: keys that were found early rather stay as they are. The ring is
 * small, and a thread that changes it has its latch; what does not fit is so much that a step of
 * its own is worth it. Between steps it is empty.
 */
#ifndef CFLRI_HANDOVER_H
#define CFLRI_HANDOVER_H

#include <stdatomic.h>

#include "base/crew.h"

enum { CFLRI_HANDOVER = 1 << 12 };

typedef struct cflri_handover {
    cflri_latch latch;
    _Atomic uint32_t n;
    uint32_t oldest;
    uint32_t at[CFLRI_HANDOVER];
} cflri_handover;

static inline bool cflri_is_there_more(const cflri_handover *h) {
    return atomic_load(&h->n) > 0;
}

/* Puts n vertices there; false if they do not fit. */
static inline bool cflri_hand_over(cflri_handover *h, const uint32_t *at, uint32_t n) {
    cflri_latch_take(&h->latch);
    uint32_t before = atomic_load_explicit(&h->n, memory_order_relaxed);
    bool fits = before + n <= CFLRI_HANDOVER;
    if (fits) {
        for (uint32_t i = 0; i < n; i++) h->at[(h->oldest + before + i) % CFLRI_HANDOVER] = at[i];
        atomic_store(&h->n, before + n);
    }
    cflri_latch_leave(&h->latch);
    return fits;
}

/* Takes the oldest, `most` at most; says how many. */
static inline uint32_t cflri_take_over(cflri_handover *h, uint32_t *at, uint32_t most) {
    if (!cflri_is_there_more(h)) return 0;
    cflri_latch_take(&h->latch);
    uint32_t n = atomic_load_explicit(&h->n, memory_order_relaxed), rest = n > most ? n - most : 0;
    n -= rest;
    for (uint32_t i = 0; i < n; i++) at[i] = h->at[(h->oldest + i) % CFLRI_HANDOVER];
    h->oldest = (h->oldest + n) % CFLRI_HANDOVER;
    atomic_store(&h->n, rest);
    cflri_latch_leave(&h->latch);
    return n;
}

#endif
