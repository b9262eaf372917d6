/* SPDX-License-Identifier: Apache-2.0
 *
 * slots.h: which functions a called value may enter, where their types count (extract --callees).
 */
#ifndef CFLR_CLI_SLOTS_H
#define CFLR_CLI_SLOTS_H

#include "cli/cli.h"

/* Labels of edges to slots, s[k] or s[k:t], by the vertex that they leave. */
typedef struct slots {
    const cflr_graph *graph;
    uint32_t *start, *label; /* of v: label[start[v]] .. label[start[v + 1] - 1] */
    uint32_t *caller;        /* by label: the caller for which slots_call met it last */
    uint32_t alloc;
    bool typed; /* some labels tell a type */
} slots;

/* False when out of memory, after a message; free it all the same. */
bool slots_make(const cflr_graph *graph, slots *all);
void slots_free(slots *all);

bool slots_called(const slots *all, uint32_t vertex);
/* From now on slots_enters is asked for `caller`, a number above 0, whose value is in `vertex`; more vertices may follow. */
void slots_call(slots *all, uint32_t caller, uint32_t vertex);
/* May the caller enter this function, which its value points to? */
bool slots_enters(const slots *all, uint32_t caller, uint32_t function);

#endif
