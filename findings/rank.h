/* SPDX-License-Identifier: Apache-2.0
 *
 * rank.h: the levels of vertices, by which findings are ranked (docs/reference/rules.md, *Ranks*).
 */
#ifndef CFLRI_FINDINGS_RANK_H
#define CFLRI_FINDINGS_RANK_H

#include "cflr/findings.h"
#include "findings/slots.h"

bool cflri_rank_is_likely(cflr_rank rank);

/* Is it a value that is read under a condition (frontend/walk/order/guards.c), or between what is
 * written and its place (frontend/walk/order/stores.c)? Paths come by it without a word. */
bool cflri_vertex_is_silent(const cflr_vertex_info *info);

/* Which guarded reads a source goes around for ranks below GUARDED, and which a guarded read is. */
typedef enum cflri_optional {
    CFLRI_OPTIONAL_NOT,
    CFLRI_OPTIONAL_OUTPUT,  /* of what calls have written whose results are tested */
    CFLRI_OPTIONAL_ANYWHERE /* all of them; one of another kind */
} cflri_optional;

/* By vertex. */
typedef struct cflri_rank_levels {
    uint8_t *of;   /* a cflr_rank from DIRECT to MEMORY: no path by the vertex has a lower one */
    bool *initial; /* a source for INITIAL and higher ranks only */
    uint8_t *optional; /* of a source: a cflri_optional */
    uint8_t *guarded;  /* of a guarded read: the same */
} cflri_rank_levels;

/* The result holds PT and M of grammar `null`. False when memory is refused. Free in every case. */
bool cflri_rank_levels_make(const cflr_result *result, const cflri_labels *labels,
                            const cflri_slots *slots, cflri_rank_levels *levels);
void cflri_rank_levels_free(cflr_context *context, cflri_rank_levels *levels);

#endif
