/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.h: has a pair of a closure a derivation from the input?
 */
#ifndef CFLRI_DERIVE_H
#define CFLRI_DERIVE_H

#include "base/graph/relation.h"
#include "engine/closure/filter.h"

typedef struct cflri_goal {
    uint32_t symbol; /* ground symbol */
    uint32_t source;
    uint32_t target;
} cflri_goal;

typedef enum cflri_verdict {
    CFLRI_DERIVABLE,   /* a derivation was found */
    CFLRI_UNDERIVABLE, /* it was shown that there is none */
    CFLRI_UNSETTLED,   /* the search met a bound, or a symbol of unknown pairs */
} cflri_verdict;

typedef struct cflri_deriver cflri_deriver;

/* Prepares questions about one closure. `have` holds its pairs, one relation a ground symbol, never
 * NULL, vertices below those of the ground grammar's graph; `complete` says whether that is all
 * there are (when not, a pair that may follow from others is never called underivable). `input`
 * holds the edges of the graph, NULL where there are none; `filters` are the grammar's, or NULL.
 * All must outlive the deriver, which takes 4 bytes for each row of `have`, 8 for each vertex
 * and one bit for each pair. */
cflr_status cflri_deriver_new(const cflri_ground *ground, const cflri_relation *const *have,
                              const cflri_relation *const *input, const cflri_filters *filters,
                              bool complete, cflri_deriver **deriver, cflr_error *error);
void cflri_deriver_free(cflri_deriver *deriver); /* NULL is a no-op */

/* Proves pairs from the input on before any question, with so many look-ups at most. It makes the
 * questions that follow cheaper. Takes 4 bytes for each row and one bit for each pair while it
 * runs.
 */
cflr_status cflri_derive_ahead(cflri_deriver *deriver, uint64_t lookups, cflr_error *error);

/* *allowance: the most look-ups (about 0.1 microseconds each) that the search may take; becomes
 * what is left of it. The verdict depends on nothing else, so it can be repeated. */
cflr_status cflri_derive(cflri_deriver *deriver, cflri_goal goal, uint64_t *allowance,
                         cflri_verdict *verdict, cflr_error *error);

#endif
