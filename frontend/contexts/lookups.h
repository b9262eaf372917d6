/* SPDX-License-Identifier: Apache-2.0
 *
 * lookups.h: functions that return what lies in a table that their callers name.
 */
#ifndef CFLRI_LOOKUPS_H
#define CFLRI_LOOKUPS_H

#include "frontend/contexts/results.h"
#include "frontend/program/link.h"

typedef struct cflri_lookups {
    bool *looks;     /* by function: it returns what lies where a parameter leads */
    uint32_t *table; /* by call of such a function: the object whose address is passed; 0: none */
} cflri_lookups;

/* Fills a zeroed struct from a closed program. Free it also when this fails. O(nodes + assignments)
 * for each round of functions that hand a parameter on. */
cflr_status cflri_lookups_find(cflri_lookups *lookups, const cflri_program *program,
                               const cflri_results *results, cflr_error *error);
void cflri_lookups_free(cflr_context *context, cflri_lookups *lookups);

#endif
