/* SPDX-License-Identifier: Apache-2.0
 *
 * forward.h: which pairs of a closure follow from the input, as far as a number of look-ups goes.
 */
#ifndef CFLRI_FORWARD_H
#define CFLRI_FORWARD_H

#include "base/graph/relation.h"
#include "engine/closure/filter.h"

static inline bool cflri_bit(const uint64_t *bits, uint64_t number) {
    return bits[number / 64] >> number % 64 & 1;
}

static inline void cflri_set_bit(uint64_t *bits, uint64_t number) {
    bits[number / 64] |= (uint64_t)1 << number % 64;
}

/* A closure, or what is said to be one: relations by ground symbol, and the edges of the graph,
 * NULL where there are none. The pair at place i of symbol s has the number first_pair[s] + i. */
typedef struct cflri_claims {
    const cflri_ground *ground;
    const cflri_relation *const *have; /* never NULL */
    const cflri_relation *const *input;
    const cflri_filters *filters; /* or NULL */
    const uint64_t *first_pair;   /* n_symbols + 1 */
} cflri_claims;

/* Sets bits of `proven`, one for each pair, of pairs that have a derivation from the input through
 * pairs of the closure; `lookups` bounds the work (some 0.05 microseconds each). Takes 4 bytes a
 * row and one bit a pair while it runs. CFLR_CANCELLED and CFLR_LIMIT when it was interrupted. */
cflr_status cflri_forward(const cflri_claims *claims, uint64_t lookups, uint64_t *proven,
                          cflr_error *error);

#endif
