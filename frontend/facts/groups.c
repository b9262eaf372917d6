/* SPDX-License-Identifier: Apache-2.0
 *
 * groups.c: a counting sort.
 */
#include "frontend/facts/groups.h"

#include "base/context.h"

cflr_status cflri_group(cflr_context *context, const uint32_t *function, size_t n,
                        size_t n_functions, cflri_groups *groups, cflr_error *error) {
    groups->start = cflri_alloc_array_zero(context, n_functions + 1, sizeof *groups->start);
    groups->item = cflri_alloc_array(context, n, sizeof *groups->item);
    if (!groups->start || !groups->item) return cflri_fail_memory(context, error);
    uint32_t *start = groups->start;
    for (size_t i = 0; i < n; i++)
        if (function[i] != UINT32_MAX) start[function[i]]++;
    uint32_t sum = 0;
    for (size_t f = 0; f <= n_functions; f++) {
        sum += start[f];
        start[f] = sum; /* the end of the group, until it is filled backwards */
    }
    for (size_t i = n; i-- > 0;)
        if (function[i] != UINT32_MAX) groups->item[--start[function[i]]] = (uint32_t)i;
    return CFLR_OK;
}

static uint32_t key_of(const cflri_assign *assign, cflri_assign_key key) {
    if (assign->data) return UINT32_MAX;
    return key == CFLRI_BY_CALL ? assign->call : key == CFLRI_BY_TARGET ? assign->to : assign->from;
}

cflr_status cflri_group_assigns(const cflri_facts *facts, cflri_assign_key key,
                                cflri_groups *groups, cflr_error *error) {
    size_t n = facts->assigns.n, n_keys = key == CFLRI_BY_CALL ? facts->calls.n : facts->nodes.n;
    uint32_t *of = cflri_alloc_array(facts->context, n, sizeof *of);
    if (!of) return cflri_fail_memory(facts->context, error);
    for (size_t i = 0; i < n; i++) of[i] = key_of(&facts->assigns.at[i], key);
    cflr_status st = cflri_group(facts->context, of, n, n_keys, groups, error);
    cflri_free(facts->context, of);
    return st;
}
