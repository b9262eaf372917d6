/* SPDX-License-Identifier: Apache-2.0
 *
 * unresolved.c: calls through values for which no function was found, and why.
 *
 *     main.c:9:5: unresolved call of hook: nothing flows to it
 *     main.c:12:5: unresolved call of plug->run: from code without model: dlsym
 *
 * The extraction tells the calls and the vertices of their values; the result tells what these point to. A call is
 * resolved by one function that it may enter (slots.c). Otherwise the most telling of what comes instead is the cause.
 * A call that passes nothing and whose result nobody takes has no slots; then all functions count.
 */
#include "cli/unresolved.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/slots.h"

/* Of one call. */
typedef struct looking {
    const cflr_result *result;
    const cflr_graph *graph;
    uint32_t points_to;
    slots *slots;
    uint32_t caller; /* its number there */
    bool has_slots;
    unresolved_call *found;
} looking;

/* The first of its cause stays, and so does a cause that tells more. */
static void blame(const looking *l, unresolved_cause cause, uint32_t object) {
    if (cause <= l->found->cause) return;
    l->found->cause = cause;
    l->found->object = object;
}

/* True when the object is a function that the call may enter. */
static bool may_enter(const looking *l, uint32_t object) {
    cflr_vertex_info info;
    cflr_graph_vertex(l->graph, object, &info);
    switch (info.kind) {
        case CFLR_VERTEX_FUNCTION:
            if (!l->has_slots || slots_enters(l->slots, l->caller, object)) return true;
            blame(l, CAUSE_TYPES, object);
            return false;
        case CFLR_VERTEX_OUTSIDE:
            blame(l, CAUSE_OUTSIDE, object);
            return false;
        case CFLR_VERTEX_UNKNOWN:
        case CFLR_VERTEX_LOST:
            blame(l, CAUSE_UNKNOWN, object);
            return false;
        default:
            blame(l, CAUSE_DATA, object);
            return false;
    }
}

static bool is_resolved(looking *l) {
    const cflr_called *call = l->found->call;
    cflr_result_label info;
    cflr_result_get_label(l->result, l->points_to, &info);
    l->has_slots = false;
    for (size_t k = 0; k < call->n; k++) {
        l->has_slots |= slots_called(l->slots, call->vertex[k]);
        slots_call(l->slots, l->caller, call->vertex[k]);
    }
    for (size_t k = 0; k < call->n; k++) {
        for (uint32_t i = 0; i < info.indexes; i++) {
            uint64_t count;
            const uint32_t *row =
                cflr_result_row(l->result, l->points_to, i, call->vertex[k], &count);
            for (uint64_t o = 0; o < count; o++)
                if (may_enter(l, row[o])) return true;
        }
    }
    return false;
}

static bool look_up_all(const cflr_extract_report *report, looking *l, unresolved_list *list) {
    const cflr_called *call;
    size_t n = 0;
    while (cflr_extract_called(report, n)) n++;
    list->at = calloc(n + 1, sizeof *list->at);
    if (!list->at) {
        fail_memory();
        return false;
    }
    for (size_t i = 0; (call = cflr_extract_called(report, i)); i++) {
        l->found = &list->at[list->n];
        l->caller = (uint32_t)i + 1;
        *l->found = (unresolved_call){call, CAUSE_NOTHING, CFLR_NO_VERTEX};
        list->n += !is_resolved(l);
    }
    return true;
}

bool unresolved_find(const cflr_extract_report *report, const cflr_result *result,
                     unresolved_list *list) {
    slots all;
    looking l = {.result = result,
                 .graph = cflr_result_graph(result),
                 .points_to = answering_label(result, "points-to"),
                 .slots = &all};
    *list = (unresolved_list){0};
    bool made = slots_make(l.graph, &all) && look_up_all(report, &l, list);
    slots_free(&all);
    return made;
}

/* ---- telling ---- */

static const char *const words[] = {
    [CAUSE_NOTHING] = "nothing flows to it",
    [CAUSE_TYPES] = "functions of other types only",
    [CAUSE_OUTSIDE] = "from code outside of the program",
    [CAUSE_UNKNOWN] = "from code without model",
    [CAUSE_DATA] = "what flows to it is no function",
};

static const char *const keys[] = {
    [CAUSE_NOTHING] = "nothing", [CAUSE_TYPES] = "types", [CAUSE_OUTSIDE] = "outside",
    [CAUSE_UNKNOWN] = "unknown", [CAUSE_DATA] = "data",
};

static bool names_object(const unresolved_call *u) {
    return u->object != CFLR_NO_VERTEX && u->cause != CAUSE_OUTSIDE;
}

void unresolved_print(const unresolved_list *list, const cflr_graph *graph, FILE *file) {
    for (size_t i = 0; i < list->n; i++) {
        const unresolved_call *u = &list->at[i];
        cflr_vertex_info info;
        fprintf(file, "%s:%" PRIu32 ":%" PRIu32 ": unresolved call of %s: %s",
                short_path(u->call->file), u->call->line, u->call->column,
                shown(u->call->expression), words[u->cause]);
        if (names_object(u)) {
            look_at(graph, u->object, &info);
            fprintf(file, ": %s", info.name);
        }
        fputc('\n', file);
    }
}

json_t *unresolved_json(const unresolved_list *list, const cflr_graph *graph) {
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++) {
        const unresolved_call *u = &list->at[i];
        json_t *object = json_object();
        json_set_text(object, "file", u->call->file);
        json_set_count(object, "line", u->call->line);
        json_set_count(object, "column", u->call->column);
        json_set_text(object, "function", u->call->function);
        json_set_text(object, "expression", u->call->expression);
        json_set_text(object, "cause", keys[u->cause]);
        if (names_object(u)) json_set(object, "object", vertex_json(graph, u->object));
        json_array_append_new(all, object);
    }
    return all;
}
