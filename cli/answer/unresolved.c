/* SPDX-License-Identifier: Apache-2.0
 *
 * unresolved.c: calls through values for which no function was found, and why.
 *
 *     main.c:9:5: unresolved call of hook: nothing flows to it
 *     main.c:12:5: unresolved call of plug->run: from code without model: dlsym
 *
 * A call is resolved by one function that it may enter (entered.c).
 */
#include "cli/answer/unresolved.h"

#include <stdlib.h>

#include "cli/names/names.h"

/* One is enough. */
static bool take_note(void *user, uint32_t vertex) {
    bool *resolved = user;
    (void)vertex;
    *resolved = true;
    return false;
}

int unresolved_find(const cflr_result *result, unresolved_list *list) {
    entering e;
    entering_begin(&e, result);
    uint32_t n = cflr_graph_calls(e.graph);
    *list = (unresolved_list){.at = calloc((size_t)n + 1, sizeof *list->at)};
    if (!list->at) return fail_memory();
    for (uint32_t i = 0; i < n; i++) {
        cflr_call_info call;
        bool resolved = false;
        cflr_graph_call(e.graph, i, &call);
        if (!call.expression[0]) continue;
        entering_look_up(&e, i, take_note, &resolved);
        if (!resolved) list->at[list->n++] = (unresolved_call){i, e.cause, e.object};
    }
    return 0;
}

/* ---- telling ---- */

void unresolved_print_cause(entered_cause cause, uint32_t object, const cflr_graph *graph,
                            FILE *file) {
    cflr_vertex_info info;
    fputs(entered_text(cause), file);
    if (!entered_names_object(cause, object)) return;
    look_at(graph, object, &info);
    fprintf(file, ": %s", info.name);
}

void unresolved_print(const unresolved_list *list, const cflr_graph *graph, FILE *file) {
    for (size_t i = 0; i < list->n; i++) {
        const unresolved_call *u = &list->at[i];
        cflr_call_info call;
        cflr_graph_call(graph, u->call, &call);
        print_place(file, call.file, call.line, call.column);
        fprintf(file, ": unresolved call of %s: ", shown(call.expression));
        unresolved_print_cause(u->cause, u->object, graph, file);
        fputc('\n', file);
    }
}

json_t *unresolved_call_json(const cflr_graph *graph, const unresolved_call *u) {
    json_t *object = json_object();
    cflr_call_info call;
    cflr_function_info caller;
    cflr_graph_call(graph, u->call, &call);
    cflr_graph_function(graph, call.caller, &caller);
    json_set_place(object, call.file, call.line, call.column);
    json_set_text(object, "function", caller.name);
    json_set_text(object, "expression", call.expression);
    json_set_text(object, "cause", entered_word(u->cause));
    if (entered_names_object(u->cause, u->object))
        json_set(object, "object", vertex_json(graph, u->object));
    return object;
}

json_t *unresolved_json(const unresolved_list *list, const cflr_graph *graph) {
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(all, unresolved_call_json(graph, &list->at[i]));
    return all;
}
