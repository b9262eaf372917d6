/* SPDX-License-Identifier: Apache-2.0
 *
 * cut_result.h: makes a part out of a whole result that was loaded.
 */
#ifndef TEST_ENGINE_CUT_RESULT_H
#define TEST_ENGINE_CUT_RESULT_H

#include "engine/results/result.h"

/* As parts have them: the pairs of most relations by target; of others whole rows, or all pairs in
 * the first part. */
static inline bool belongs(const cflri_sliced *slice, uint32_t instance, uint32_t source,
                           uint32_t target) {
    if (instance % 4 == 1) return source % slice->n == slice->self;
    if (instance % 4 == 2) return slice->self == 0;
    return target >= slice->first && target < slice->end;
}

/* Leaves of a relation what belongs to the slice. */
static inline cflr_status cut_relation(cflr_context *context, const cflri_sliced *slice,
                                       uint32_t instance, cflri_relation *relation,
                                       cflr_error *error) {
    cflr_row row = {0};
    uint64_t n = 0;
    cflri_relation cut = {0};
    uint64_t *pairs = cflri_alloc_array(context, relation->n_pairs, sizeof *pairs);
    cflr_status st = pairs ? CFLR_OK : CFLR_NO_MEMORY;
    for (uint32_t r = 0; r < relation->n_rows && st == CFLR_OK; r++) {
        st = cflri_relation_read(context, relation, r, &row, error);
        for (uint64_t i = 0; i < row.count && st == CFLR_OK; i++) {
            if (!belongs(slice, instance, row.vertex, row.target[i])) continue;
            pairs[n++] = cflri_pair(row.vertex, row.target[i]);
        }
    }
    if (st == CFLR_OK) st = cflri_relation_build(context, pairs, n, &cut, error);
    if (st == CFLR_OK) {
        cflri_relation_free(context, relation);
        *relation = cut;
    }
    cflr_row_free(&row);
    cflri_free(context, pairs);
    return st;
}

/* Keeps slice `self` of n; its sum is that of the result before. */
static inline cflr_status cut_result(cflr_result *result, uint32_t self, uint32_t n,
                                     cflr_error *error) {
    uint32_t vertices = result->graph->n_vertices, kept = 0;
    cflri_sliced slice = {.n = n,
                          .self = self,
                          .first = vertices / n * self,
                          .end = self + 1 == n ? vertices : vertices / n * (self + 1),
                          .problem = 1,
                          .complete = result->stats.complete};
    uint32_t *number =
        cflri_alloc_array(result->context, result->n_instances + (size_t)1, sizeof *number);
    cflr_status st = number ? CFLR_OK : CFLR_NO_MEMORY;
    for (uint32_t l = 0; l < result->n_labels && st == CFLR_OK; l++) {
        cflri_result_label *label = &result->label[l];
        uint32_t from = label->first_instance, to = from + label->n_instances;
        *label =
            (cflri_result_label){.name = label->name, .kind = label->kind, .first_instance = kept};
        for (uint32_t i = from; i < to && st == CFLR_OK; i++) {
            cflri_relation relation = result->instance[i];
            result->instance[i] = (cflri_relation){0};
            st = cut_relation(result->context, &slice, i, &relation, error);
            if (!relation.n_pairs) continue;
            result->instance[kept] = relation;
            result->instance_index[kept] = result->instance_index[i];
            number[kept++] = i;
            label->n_instances++;
            label->pairs += relation.n_pairs;
            label->rows += relation.n_rows;
        }
    }
    result->n_instances = kept;
    cflri_free(result->context, result->instance_number);
    result->instance_number = number;
    result->sliced = slice;
    result->stats.complete = false;
    return st;
}

#endif
