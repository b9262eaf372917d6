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

/* `have` holds the pairs that a derivation may pass through, one relation a ground symbol, none
 * NULL; `input` the edges of the graph, NULL where there are none. *derivable is false only when it
 * was shown that there is no derivation; a search that grows past its bound gives the benefit of
 * the doubt when the goal has at least one last step. */
cflr_status cflri_derive(cflr_context *context, const cflri_ground *ground,
                         const cflri_relation *const *have, const cflri_relation *const *input,
                         cflri_goal goal, bool *derivable, cflr_error *error);

#endif
