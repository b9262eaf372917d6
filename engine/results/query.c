/* SPDX-License-Identifier: Apache-2.0
 *
 * query.c: the targets of a set of vertices along a label.
 *
 * All rows of all instances are appended, then sorted and made unique: O(k log k) for k targets
 * found, whatever the size of the closure. One row ascends already. The sort is a heap sort, which
 * needs no memory: qsort may take as much as its input, past the context's allocator and limit.
 */
#include <assert.h>

#include "base/vec.h"
#include "engine/results/result.h"

static cflr_status append_row(cflr_context *context, cflri_numbers *found, cflr_row *row,
                              const cflri_relation *relation, uint32_t source, cflr_error *error) {
    cflr_status st = cflri_relation_read_row(context, relation, source, row, error);
    if (st != CFLR_OK || !row->count) return st;
    if (!cflri_vec_reserve(context, found, row->count)) return cflri_fail_memory(context, error);
    for (uint64_t i = 0; i < row->count; i++) found->at[found->n++] = row->target[i];
    return CFLR_OK;
}

/* Lets `id` sink from `at` in a heap of n ids, the largest on top. */
static void sink(uint32_t *heap, size_t n, size_t at, uint32_t id) {
    for (size_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[child] <= id) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = id;
}

static bool ascend(const uint32_t *ids, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (ids[i - 1] > ids[i]) return false;
    }
    return true;
}

static void sort_ids(uint32_t *ids, size_t n) {
    if (ascend(ids, n)) return;
    for (size_t i = n / 2; i-- > 0;) sink(ids, n, i, ids[i]);
    for (size_t left = n - 1; left > 0; left--) {
        uint32_t last = ids[left];
        ids[left] = ids[0];
        sink(ids, left, 0, last);
    }
}

static size_t sort_unique(uint32_t *ids, size_t n) {
    if (n == 0) return 0;
    sort_ids(ids, n);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        if (ids[i] != ids[kept - 1]) ids[kept++] = ids[i];
    }
    return kept;
}

static cflr_status append_rows(const cflr_result *result, const cflri_result_label *label,
                               const uint32_t *sources, size_t n, cflri_numbers *found,
                               cflr_error *error) {
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < label->n_instances; i++) {
        const cflri_relation *relation = &result->instance[label->first_instance + i];
        for (size_t s = 0; s < n; s++) {
            CFLR_TRY(append_row(result->context, found, &row, relation, sources[s], error));
        }
    }
out:
    cflr_row_free(&row);
    return st;
}

/* Of an answer "S ~S", where `label` is S, which has no indexes. */
static cflr_status append_meetings(const cflr_result *result, const cflri_result_label *label,
                                   const uint32_t *sources, size_t n, cflri_numbers *found,
                                   cflr_error *error) {
    cflr_context *context = result->context;
    if (!cflri_vec_reserve(context, found, n)) return cflri_fail_memory(context, error);
    for (size_t s = 0; s < n; s++) found->at[found->n++] = sources[s];
    if (!label->n_instances) return CFLR_OK;
    return cflri_meet_all(context, &result->instance[label->first_instance],
                          result->graph->n_vertices, sources, n, found, error);
}

cflr_status cflr_result_targets(const cflr_result *result, uint32_t label, const uint32_t *sources,
                                size_t n, cflr_vertex_list *targets, cflr_error *error) {
    cflr_context *context = result->context;
    assert(targets && (sources || n == 0));
    *targets = (cflr_vertex_list){0};
    uint32_t meeting = cflri_result_meeting(result, label);
    bool meets = meeting != CFLR_NO_LABEL;
    if (!meets && label >= result->n_labels) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result has no label number %u", label);
    }
    for (size_t s = 0; s < n; s++) {
        uint32_t asked = meets ? CFLR_NO_VERTEX : sources[s];
        if (cflr_result_covers(result, asked, CFLR_NO_VERTEX)) continue;
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "the result answers a question that was not about all from vertex %u",
                          sources[s]);
    }
    cflri_numbers found = {0};
    const cflri_result_label *record = &result->label[meets ? meeting : label];
    cflr_status st = meets ? append_meetings(result, record, sources, n, &found, error)
                           : append_rows(result, record, sources, n, &found, error);
    if (st != CFLR_OK) {
        cflri_vec_free(context, &found);
        return st;
    }
    targets->count = sort_unique(found.at, found.n);
    targets->vertices = found.at;
    return CFLR_OK;
}

void cflr_vertex_list_free(cflr_context *context, cflr_vertex_list *list) {
    cflri_free(context, list->vertices);
    *list = (cflr_vertex_list){0};
}
