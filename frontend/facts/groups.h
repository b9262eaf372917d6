/* SPDX-License-Identifier: Apache-2.0
 *
 * groups.h: numbers grouped by the function, or whatever else, that each belongs to.
 */
#ifndef CFLRI_GROUPS_H
#define CFLRI_GROUPS_H

#include "frontend/facts/facts.h"

/* Numbers grouped by function: those of f are item[start[f]] .. item[start[f + 1] - 1]. */
typedef struct cflri_groups {
    uint32_t *start;
    uint32_t *item;
} cflri_groups;

/* Groups the numbers 0 .. n-1 by their function; one whose function is UINT32_MAX is left out.
 * Ascending inside a group. O(n + functions). The two arrays are freed with cflri_free. */
cflr_status cflri_group(cflr_context *context, const uint32_t *function, size_t n,
                        size_t n_functions, cflri_groups *groups, cflr_error *error);

/* Groups the assignments of pointers, by number, by one of their ends or by their call; those of
 * data are left out. */
typedef enum cflri_assign_key { CFLRI_BY_SOURCE, CFLRI_BY_TARGET, CFLRI_BY_CALL } cflri_assign_key;
cflr_status cflri_group_assigns(const cflri_facts *facts, cflri_assign_key key,
                                cflri_groups *groups, cflr_error *error);

#endif
