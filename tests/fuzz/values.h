/* SPDX-License-Identifier: Apache-2.0
 *
 * values.h: values for effects and marks of functions to be applied to.
 */
#ifndef CFLR_FUZZ_VALUES_H
#define CFLR_FUZZ_VALUES_H

#include "frontend/facts/facts.h"

/* The content of a pointer variable, one for each key. */
static inline cflri_node root(cflri_facts *facts, const char *key) {
    const cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE,
                                      .carrier = CFLRI_CARRIES_POINTER};
    return cflri_facts_root(facts, key, &record, true);
}

#endif
