/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.c: what labels of a result take, and what its rules did.
 *
 * Rows are compared by a 64-bit hash of their targets. Rows that share a set are looked at once.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/context.h"
#include "base/sized.h"
#include "engine/results/result.h"

typedef CFLRI_VEC(uint64_t) hashes;

/* Adds up the targets of one instance, each set once, and appends their hashes. */
static cflr_status measure_rows(cflr_context *context, const cflri_relation *relation, uint8_t *met,
                                hashes *found, uint64_t *bytes, cflr_error *error) {
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        uint32_t set = relation->set ? relation->set[r] : CFLRI_ONE_TARGET;
        bool numbered = !(set & CFLRI_ONE_TARGET);
        if (numbered && met[set]) continue;
        if (numbered) met[set] = true;
        CFLR_TRY(cflri_relation_read(context, relation, r, &row, error));
        size_t size = row.count * sizeof *row.target;
        found->at[found->n++] = XXH3_64bits(row.target, size);
        if (numbered || !relation->set) *bytes += size;
    }
    *bytes += relation->n_rows * (sizeof *relation->row + sizeof *relation->start +
                                  (relation->set ? sizeof *relation->set : 0));
out:
    cflr_row_free(&row);
    return st;
}

static cflr_status measure(cflr_context *context, const cflri_relation *relation, hashes *found,
                           uint64_t *bytes, cflr_error *error) {
    size_t sets = relation->sets ? relation->sets->n : 0;
    uint8_t *met = cflri_alloc_array_zero(context, sets + 1, sizeof *met);
    cflr_status st = CFLR_OK;
    if (!met || !cflri_vec_reserve(context, found, relation->n_rows)) {
        st = cflri_fail_memory(context, error);
    } else {
        st = measure_rows(context, relation, met, found, bytes, error);
    }
    cflri_free(context, met);
    return st;
}

cflr_status cflr_result_measure_sized(const cflr_result *result, uint32_t label,
                                      cflr_result_size *size, size_t struct_size,
                                      cflr_error *error) {
    cflr_context *context = result->context;
    const cflri_result_label *of = &result->label[label];
    hashes found = {0};
    cflr_status st = CFLR_OK;
    cflr_result_size known = {0};
    for (uint32_t i = 0; st == CFLR_OK && i < of->n_instances; i++) {
        const cflri_relation *relation = &result->instance[of->first_instance + i];
        st = measure(context, relation, &found, &known.bytes, error);
    }
    if (st == CFLR_OK) st = cflri_sort_pairs(context, found.at, found.n, NULL, error);
    for (size_t i = 0; i < found.n; i++) {
        known.distinct_rows += !i || found.at[i] != found.at[i - 1];
    }
    cflri_vec_free(context, &found);
    CFLRI_GIVE(size, struct_size, known);
    return st;
}

size_t cflr_result_rules(const cflr_result *result) {
    return result->n_rules;
}

void cflr_result_get_rule_sized(const cflr_result *result, size_t i, cflr_result_rule *rule,
                                size_t struct_size) {
    const cflri_rule_tally *tally = &result->rule[i];
    const cflr_result_rule known = {tally->text, tally->tried, tally->fresh, tally->seconds};
    CFLRI_GIVE(rule, struct_size, known);
}
