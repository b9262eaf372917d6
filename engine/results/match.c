/* SPDX-License-Identifier: Apache-2.0
 *
 * match.c: which relation of a result is that of which symbol.
 *
 * A result and a ground grammar may come from different files, so they meet by names and indexes.
 * Instances of one symbol are found by their index through `slot`, which has a place for each
 * string of the result and is all zero before and after. O(symbols + instances + strings of the
 * result).
 */
#include <string.h>

#include "base/context.h"
#include "engine/results/result.h"

const cflri_relation cflri_no_pairs;

/* From ground symbol *at on: those of one symbol of the grammar. */
static void match_symbol(const cflr_result *result, const cflri_ground *ground, uint32_t *slot,
                         uint32_t *at, const cflri_relation **relation) {
    uint32_t symbol = ground->symbol[*at].symbol;
    uint32_t label = cflr_result_find_label(result, ground->grammar->symbol[symbol].name);
    const cflri_result_label *record = label == CFLR_NO_LABEL ? NULL : &result->label[label];
    for (uint32_t i = 0; record && i < record->n_instances; i++)
        slot[result->instance_index[record->first_instance + i]] = record->first_instance + i + 1;
    for (; *at < ground->n_symbols && ground->symbol[*at].symbol == symbol; ++*at) {
        const char *index = cflri_ground_index_text(ground, *at);
        uint32_t id = cflri_strings_find(&result->strings, index, strlen(index));
        uint32_t instance = id == CFLRI_NO_STRING ? 0 : slot[id];
        relation[*at] = record ? &cflri_no_pairs : NULL;
        if (instance) relation[*at] = &result->instance[instance - 1];
    }
    for (uint32_t i = 0; record && i < record->n_instances; i++)
        slot[result->instance_index[record->first_instance + i]] = 0;
}

cflr_status cflri_result_match(const cflr_result *result, const cflri_ground *ground,
                               const cflri_relation **relation, cflr_error *error) {
    uint32_t *slot =
        cflri_alloc_array_zero(result->context, result->strings.text.n + 1, sizeof *slot);
    if (!slot) return cflri_fail_memory(result->context, error);
    for (uint32_t s = 0; s < ground->n_symbols;) match_symbol(result, ground, slot, &s, relation);
    cflri_free(result->context, slot);
    return CFLR_OK;
}
