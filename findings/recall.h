/* SPDX-License-Identifier: Apache-2.0
 *
 * recall.h: findings that an earlier run has kept (recall.c).
 */
#ifndef CFLRI_FINDINGS_RECALL_H
#define CFLRI_FINDINGS_RECALL_H

#include "base/digest.h"
#include "findings/findings.h"

/* Differs between builds whose findings may differ (cmake/identity.cmake). */
extern const char cflri_findings_identity[];

typedef struct cflri_recall {
    cflr_findings *found;
    CFLRI_VEC(cflr_place) places; /* of the graph, and of flows: sorted, each once */
    cflri_digest key;
    /* What is kept: */
    CFLRI_VEC(uint32_t) number;
    CFLRI_VEC(char) text;
    bool failed;
} cflri_recall;

/* Makes the key of a graph and its rules; false when memory is refused. End it in both cases. */
bool cflri_recall_begin(cflri_recall *recall, cflr_findings *found);
void cflri_recall_end(cflri_recall *recall);

/* Fills the list, which is empty, and its counts, as finding anew would. CFLR_NOT_FOUND: nothing is
 * kept; another failure leaves the list empty, too. */
cflr_status cflri_recall_read(cflri_recall *recall);

/* Keeps a list that is complete; a warning in the log says why it could not be kept. */
void cflri_recall_keep(cflri_recall *recall);

#endif
