/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.c: what labels of a result take, and what its rules did.
 *
 * Rows are compared by a 64-bit hash of their targets. Rows that share targets are looked at once.
 */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/context.h"
#include "base/sized.h"
#include "engine/results/result.h"

typedef CFLRI_VEC(uint64_t) hashes;

/* Where the targets of a row lie, and how many they are. */
typedef struct extent {
    const uint32_t *target;
    uint64_t n;
} extent;

static int by_target(const void *a, const void *b) {
    const extent *x = a, *y = b;
    return (x->target > y->target) - (x->target < y->target);
}

/* Adds up the targets of one instance, each place once, and appends their hashes. */
static cflr_status measure(cflr_context *context, const cflri_relation *relation, hashes *found,
                           uint64_t *bytes, cflr_error *error) {
    uint32_t n = relation->n_rows;
    extent *rows = cflri_alloc_array(context, (size_t)n + 1, sizeof *rows);
    if (!rows || !cflri_vec_reserve(context, found, n)) {
        cflri_free(context, rows);
        return cflri_fail_memory(context, error);
    }
    for (uint32_t r = 0; r < n; r++) {
        rows[r] = (extent){cflri_relation_targets(relation, r), cflri_relation_count(relation, r)};
    }
    if (relation->place) qsort(rows, n, sizeof *rows, by_target);
    for (uint32_t r = 0; r < n; r++) {
        if (r && rows[r].target == rows[r - 1].target) continue;
        size_t size = rows[r].n * sizeof *rows[r].target;
        found->at[found->n++] = XXH3_64bits(rows[r].target, size);
        *bytes += size;
    }
    *bytes += n * (sizeof *relation->row + sizeof *relation->start +
                   (relation->place ? sizeof *relation->place : 0));
    cflri_free(context, rows);
    return CFLR_OK;
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
