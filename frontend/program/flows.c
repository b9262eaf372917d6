/* SPDX-License-Identifier: Apache-2.0
 *
 * flows.c: assignments in compressed rows, by counting.
 */
#include "frontend/program/flows.h"

#include <string.h>

#include "base/alloc.h"

static cflr_status make_room(cflri_flows *flows, const cflri_facts *facts, cflr_error *error) {
    size_t n = facts->nodes.n, e = facts->assigns.n;
    if (e >= UINT32_MAX) return cflri_fail(error, CFLR_LIMIT, NULL, "too many assignments");
    if (!flows->start)
        flows->start = cflri_alloc_array(facts->context, n + 2, sizeof *flows->start);
    if (!flows->next) flows->next = cflri_alloc_array(facts->context, e, sizeof *flows->next);
    bool made = flows->start && flows->next;
    return made ? CFLR_OK : cflri_fail_memory(facts->context, error);
}

cflr_status cflri_flows_make(cflri_flows *flows, const cflri_facts *facts, bool forward,
                             cflr_error *error) {
    cflr_status st = make_room(flows, facts, error);
    if (st != CFLR_OK) return st;
    size_t n = facts->nodes.n;
    memset(flows->start, 0, (n + 2) * sizeof *flows->start);
    uint32_t *end = flows->start + 1; /* of each row, when all are filled */
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        if (assign->data) continue;
        end[(forward ? assign->from : assign->to) + 1]++;
    }
    for (size_t i = 0; i < n; i++) end[i + 1] += end[i];
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        if (assign->data) continue;
        cflri_node row = forward ? assign->from : assign->to;
        flows->next[end[row]++] = forward ? assign->to : assign->from;
    }
    return CFLR_OK;
}

void cflri_flows_reach(const cflri_flows *flows, cflri_node from, const bool *closed, bool *reached,
                       cflri_node *stack) {
    size_t depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
        cflri_node at = stack[--depth];
        for (uint32_t i = flows->start[at]; i < flows->start[at + 1]; i++) {
            cflri_node to = flows->next[i];
            if (reached[to] || (closed && closed[to])) continue;
            reached[to] = true;
            stack[depth++] = to;
        }
    }
}

void cflri_flows_free(cflr_context *context, cflri_flows *flows) {
    cflri_free(context, flows->start);
    cflri_free(context, flows->next);
}
