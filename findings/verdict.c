/* SPDX-License-Identifier: Apache-2.0
 *
 * verdict.c: what a result says about a check in the source (docs/reference/checks.md).
 *
 *     no-alias p, q->next        FAILED: both may point to x
 *
 * The analysis is one of what may be. So `may-alias` and `must-alias` pass when the pointers may
 * alias: that they always do, no analysis of this kind can prove, but that they never do would be a
 * contradiction. With contexts a pair aliases when it does in one of the copies of its function.
 * Pointers that may alias in an incomplete result do; for others it is not known. Where the value
 * of one is not followed it is not known either, and no check of kind `no-alias` passes.
 */
#include "base/graph/graph.h"
#include "cflr/findings.h"
#include "findings/labels.h"

/* `list` keeps what `other` has, too. Both ascend. */
static void intersect(cflr_vertex_list *list, const cflr_vertex_list *other) {
    size_t kept = 0, k = 0;
    for (size_t i = 0; i < list->count; i++) {
        while (k < other->count && other->vertices[k] < list->vertices[i]) k++;
        bool both = k < other->count && other->vertices[k] == list->vertices[i];
        if (both) list->vertices[kept++] = list->vertices[i];
    }
    list->count = kept;
}

/* The i-th pair aliases: what do both point to? */
static cflr_status add_alias(const cflr_result *result, uint32_t points_to, const cflr_check *check,
                             size_t i, cflr_verdict *v, cflr_error *error) {
    const cflr_graph *graph = cflr_result_graph(result);
    cflr_status st = CFLR_OK;
    cflr_vertex_list shared = {0}, other = {0};
    bool first = v->n_alias++ == 0;
    if (first) v->first = i;
    if (points_to == CFLR_NO_LABEL) return CFLR_OK;
    CFLR_TRY(cflr_result_targets(result, points_to, &check->vertex[0][i], 1, &shared, error));
    CFLR_TRY(cflr_result_targets(result, points_to, &check->vertex[1][i], 1, &other, error));
    /* the outside is no single object */
    bool one_each =
        shared.count == 1 && other.count == 1 && shared.vertices[0] != cflr_graph_outside(graph);
    intersect(&shared, &other);
    v->single_object = (first || v->single_object) && one_each && shared.count == 1;
    if (first) {
        v->common = shared;
        shared = (cflr_vertex_list){0};
    }
out:
    cflr_vertex_list_free(graph->context, &other);
    cflr_vertex_list_free(graph->context, &shared);
    return st;
}

static cflr_status find(const cflr_result *result, const cflr_check *check, cflr_verdict *v,
                        cflr_error *error) {
    uint32_t alias = cflri_answering(result, "alias");
    uint32_t points_to = cflri_answering(result, "points-to");
    cflr_status st = CFLR_OK;
    v->knows_objects = cflr_result_answer(result, "points-to")[0] != '\0';
    for (size_t i = 0; i < check->n && alias != CFLR_NO_LABEL; i++) {
        cflr_through through = cflr_result_alias(result, check->vertex[0][i], check->vertex[1][i]);
        if (through == CFLR_THROUGH_NOTHING || through == CFLR_THROUGH_UNANSWERED) continue;
        if (v->n_alias == 0 || through < v->through) v->through = through;
        CFLR_TRY(add_alias(result, points_to, check, i, v, error));
    }
    for (int k = 0; k < 2 && points_to != CFLR_NO_LABEL; k++)
        CFLR_TRY(cflr_result_targets(result, points_to, check->vertex[k], check->n,
                                     &v->points_to[k], error));
    st = cflr_result_failure(result, error);
out:
    return st;
}

/* The first value that is not followed and that one of the two may be. */
static uint32_t lost_of(const cflr_result *result, const cflr_check *check) {
    uint32_t lost = CFLR_NO_VERTEX;
    for (size_t i = 0; i < 2 * check->n && lost == CFLR_NO_VERTEX; i++)
        lost = cflr_result_lost(result, check->vertex[i / check->n][i % check->n]);
    return lost;
}

static cflr_found what_was_found(const cflr_check *check, const cflr_verdict *v, bool complete) {
    if (check->problem[0]) return CFLR_FOUND_PROBLEM;
    if (v->n_alias > 0) return v->through == CFLR_THROUGH_LOST ? CFLR_FOUND_LOST : CFLR_FOUND_ALIAS;
    return complete ? CFLR_FOUND_NO_ALIAS : CFLR_FOUND_NOTHING;
}

static cflr_assumption rests_on(const cflr_result *result, const cflr_check *check,
                                cflr_apart *apart) {
    if (cflr_apart_are(apart, check->vertex[0], check->n, check->vertex[1], check->n))
        return (cflr_assumption){0};
    return cflr_graph_assumption(cflr_result_graph(result));
}

cflr_status cflr_verdict_make(const cflr_result *result, const cflr_check *check, cflr_apart *apart,
                              cflr_verdict *verdict, cflr_error *error) {
    cflr_verdict *v = verdict;
    *v = (cflr_verdict){.lost = CFLR_NO_VERTEX};
    cflr_status st = find(result, check, v, error);
    bool complete = cflr_result_complete(result);
    v->found = what_was_found(check, v, complete);
    v->passed = v->found == CFLR_FOUND_NO_ALIAS;
    if (check->kind != CFLR_CHECK_NO_ALIAS)
        v->passed = v->found == CFLR_FOUND_ALIAS || v->found == CFLR_FOUND_LOST;
    v->single_object &= complete;
    if (v->found == CFLR_FOUND_NO_ALIAS) v->rests_on = rests_on(result, check, apart);
    if (v->found == CFLR_FOUND_LOST) v->lost = lost_of(result, check);
    return st;
}

void cflr_verdict_free(cflr_context *context, cflr_verdict *verdict) {
    for (int k = 0; k < 2; k++) cflr_vertex_list_free(context, &verdict->points_to[k]);
    cflr_vertex_list_free(context, &verdict->common);
}
