/* SPDX-License-Identifier: Apache-2.0
 *
 * slots.h: which vertices are parameters and results of functions, members of records among them.
 */
#ifndef CFLRI_FINDINGS_SLOTS_H
#define CFLRI_FINDINGS_SLOTS_H

#include "findings/labels.h"

typedef enum cflri_slot_kind {
    CFLRI_SLOT_NONE,
    CFLRI_SLOT_PARAMETER,
    CFLRI_SLOT_RESULT
} cflri_slot_kind;

/* By vertex. */
typedef struct cflri_slots {
    uint8_t
        *of; /* a cflri_slot_kind: what the vertex is the content of, or a member of that content */
    /* of the address of a member: that of the outermost record; else the vertex itself */
    uint32_t *root;
} cflri_slots;

/* False when memory is refused. Free in every case. */
bool cflri_slots_make(const cflri_labels *labels, cflri_slots *slots);
void cflri_slots_free(cflr_context *context, cflri_slots *slots);

#endif
