/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.h: has a pair of a closure a derivation from the input?
 */
#ifndef CFLRI_DERIVE_H
#define CFLRI_DERIVE_H

#include "base/relation.h"
#include "grammar/ground.h"

typedef struct cflri_goal {
    uint32_t symbol; /* ground symbol */
    uint32_t source;
    uint32_t target;
} cflri_goal;

typedef struct cflri_deriver cflri_deriver;

/* Prepares questions about one closure. `have` holds the pairs that a derivation may pass through,
 * one relation a ground symbol, vertices below those of the ground grammar's graph; NULL for a
 * symbol whose pairs nobody knows. `input` holds the edges of the graph, NULL where there are none.
 * All must outlive the deriver, which takes 4 bytes for each row of `have` and 8 for each vertex.
 */
cflr_status cflri_deriver_new(cflr_context *context, const cflri_ground *ground,
                              const cflri_relation *const *have, const cflri_relation *const *input,
                              cflri_deriver **deriver, cflr_error *error);
void cflri_deriver_free(cflri_deriver *deriver); /* NULL is a no-op */

/* *derivable is false only when it was shown that there is no derivation; a search that grows past
 * its bound gives the benefit of the doubt when the goal has at least one last step, and so does
 * one that meets a symbol of unknown pairs. */
cflr_status cflri_derive(cflri_deriver *deriver, cflri_goal goal, bool *derivable,
                         cflr_error *error);

#endif
