/* SPDX-License-Identifier: Apache-2.0
 *
 * ask.c: questions about names. A name stands for all copies of a vertex: the answer is yes when it
 * is for one of them.
 */
#include "base/context.h"
#include "engine/results/result.h"

enum { FEW = 64 };

/* The vertices that a name stands for, ascending; freed with cflr_vertex_list_free. */
static cflr_status look_up(const cflr_result *result, const char *name, cflr_vertex_list *found,
                           cflr_error *error) {
    cflr_context *context = result->context;
    cflr_status st = CFLR_OK;
    *found = (cflr_vertex_list){.count = FEW};
    for (size_t room = 0; room < found->count;) {
        room = found->count;
        cflri_free(context, found->vertices);
        found->vertices = cflri_alloc_array(context, room, sizeof *found->vertices);
        if (!found->vertices) return cflri_fail_memory(context, error);
        st = cflr_graph_find(result->graph, name, found->vertices, room, &found->count, error);
    }
    return st;
}

/* Of two answers the one that takes less for granted. */
static cflr_through stronger(cflr_through a, cflr_through b) {
    if (a == CFLR_THROUGH_NOTHING || b == CFLR_THROUGH_NOTHING) return a > b ? a : b;
    return a < b ? a : b;
}

cflr_status cflr_result_ask_alias(const cflr_result *result, const char *p, const char *q,
                                  cflr_through *answer, cflr_error *error) {
    cflr_vertex_list first = {0}, second = {0};
    cflr_status st = CFLR_OK;
    *answer = CFLR_THROUGH_NOTHING;
    if (!cflr_result_answer(result, "alias")[0])
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result does not answer alias");
    CFLR_TRY(look_up(result, p, &first, error));
    CFLR_TRY(look_up(result, q, &second, error));
    for (size_t i = 0; i < first.count; i++)
        for (size_t k = 0; k < second.count; k++)
            *answer =
                stronger(*answer, cflr_result_alias(result, first.vertices[i], second.vertices[k]));
    st = cflr_result_failure(result, error);
out:
    cflr_vertex_list_free(result->context, &first);
    cflr_vertex_list_free(result->context, &second);
    return st;
}

cflr_status cflr_result_ask_points_to(const cflr_result *result, const char *p,
                                      cflr_vertex_list *objects, cflr_error *error) {
    cflr_vertex_list pointers = {0};
    cflr_status st = CFLR_OK;
    const char *symbol = cflr_result_answer(result, "points-to");
    *objects = (cflr_vertex_list){0};
    if (!symbol[0])
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result does not answer points-to");
    CFLR_TRY(look_up(result, p, &pointers, error));
    st = cflr_result_targets(result, cflr_result_find_label(result, symbol), pointers.vertices,
                             pointers.count, objects, error);
out:
    cflr_vertex_list_free(result->context, &pointers);
    return st;
}
