/* SPDX-License-Identifier: Apache-2.0
 *
 * entered.c: which functions a call through values may enter, and what else comes to them.
 *
 * The graph tells the calls and the vertices of their values; the result tells what these point to.
 * A function counts if the call may enter it (findings/call_types.c). The most telling of what
 * comes besides is the cause why there are no functions, or not these alone.
 */
#include "cli/answer/entered.h"

#include "cli/answer/loading.h"

void entering_begin(entering *e, const cflr_result *result) {
    *e = (entering){.result = result,
                    .graph = cflr_result_graph(result),
                    .points_to = answering_label(result, "points-to")};
}

/* The first of its cause stays, and so does a cause that tells more. */
static void blame(entering *e, entered_cause cause, uint32_t object) {
    if (cause <= e->cause) return;
    e->cause = cause;
    e->object = object;
}

/* True when the object is a function that the call of that number may enter. */
static bool may_enter(entering *e, uint32_t object) {
    cflr_vertex_info info;
    cflr_graph_vertex(e->graph, object, &info);
    switch (info.kind) {
        case CFLR_VERTEX_FUNCTION:
            if (cflr_call_type_enters(e->graph, &e->type, object)) return true;
            blame(e, CAUSE_TYPES, object);
            return false;
        case CFLR_VERTEX_OUTSIDE:
            blame(e, CAUSE_OUTSIDE, object);
            return false;
        case CFLR_VERTEX_UNKNOWN:
        case CFLR_VERTEX_LOST:
            blame(e, CAUSE_UNKNOWN, object);
            return false;
        default:
            blame(e, CAUSE_DATA, object);
            return false;
    }
}

/* False when no more are wanted. */
static bool look_at_value(entering *e, uint32_t value, entered_function *found, void *user) {
    cflr_result_label info;
    cflr_row row = {0};
    bool more = true;
    cflr_result_get_label(e->result, e->points_to, &info);
    for (uint32_t i = 0; i < info.indexes && more; i++) {
        read_row(e->result, e->points_to, i, value, &row);
        for (uint64_t o = 0; o < row.count && more; o++)
            more = !may_enter(e, row.target[o]) || found(user, row.target[o]);
    }
    cflr_row_free(&row);
    return more;
}

void entering_look_up(entering *e, uint32_t i, entered_function *found, void *user) {
    cflr_call_info call;
    cflr_graph_call(e->graph, i, &call);
    e->cause = CAUSE_NOTHING;
    e->object = CFLR_NO_VERTEX;
    e->type = cflr_graph_call_type(e->graph, call.type);
    for (size_t k = 0; k < call.n; k++)
        if (!look_at_value(e, call.vertex[k], found, user)) return;
}

/* ---- telling ---- */

static const char *const texts[] = {
    [CAUSE_NOTHING] = "nothing flows to it",
    [CAUSE_DATA] = "what flows to it is no function",
    [CAUSE_TYPES] = "functions of other types only",
    [CAUSE_OUTSIDE] = "from code outside of the program",
    [CAUSE_UNKNOWN] = "from code without model",
};

static const char *const words[] = {
    [CAUSE_NOTHING] = "nothing", [CAUSE_DATA] = "data",       [CAUSE_TYPES] = "types",
    [CAUSE_OUTSIDE] = "outside", [CAUSE_UNKNOWN] = "unknown",
};

const char *entered_text(entered_cause cause) {
    return texts[cause];
}

const char *entered_word(entered_cause cause) {
    return words[cause];
}

bool entered_names_object(entered_cause cause, uint32_t object) {
    return object != CFLR_NO_VERTEX && cause != CAUSE_OUTSIDE;
}
