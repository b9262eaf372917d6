/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_slots.h: which vertices are parameters and results of functions, members of records among them.
 */
#ifndef CFLR_CLI_RULE_SLOTS_H
#define CFLR_CLI_RULE_SLOTS_H

#include "cflr/graph.h"

typedef enum rule_slot { SLOT_NONE, SLOT_PARAMETER, SLOT_RESULT } rule_slot;

/* By vertex. */
typedef struct rule_slots {
    uint8_t *of; /* what the vertex is: a slot's content, or a member of it */
    uint32_t *
        root; /* of the address of a member: that of the outermost record; else the vertex itself */
} rule_slots;

/* False when out of memory. Free in every case. */
bool rule_slots_make(const cflr_graph *graph, rule_slots *slots);
void rule_slots_free(rule_slots *slots);

#endif
