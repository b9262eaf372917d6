/* SPDX-License-Identifier: Apache-2.0
 *
 * scc.c: strongly connected components: vertices that reach each other.
 *
 * One thread finds them, by Tarjan's algorithm (base/components.c), in O(n + m); searches for them
 * by several threads look at edges again and again where a graph is wide. Each component is then
 * called by its smallest vertex, as those of cc are.
 */
#include "base/components.h"
#include "engine/traverse/operators.h"
#include "engine/traverse/primitives.h"
#include "engine/traverse/team.h"

typedef struct scc {
    cflri_primitive_task task;
    uint32_t *component, *least; /* by number of component: its smallest vertex */
} scc;

static void call_by_smallest(scc *s, uint32_t count) {
    for (uint32_t c = 0; c < count; c++) s->least[c] = UINT32_MAX;
    for (uint32_t v = 0; v < s->task.out.n; v++) {
        uint32_t *least = &s->least[s->component[v]];
        if (*least == UINT32_MAX) *least = v;
        s->component[v] = *least;
    }
}

static void run(cflri_thread *m, void *task) {
    scc *s = task;
    const cflri_successors graph = {s->task.out.n, s->task.out.start, s->task.out.target, NULL};
    uint32_t count = 0;
    if (!cflri_is_first(m)) return;
    s->task.outcome->refused =
        cflri_components(m->team->context, &graph, s->component, &count, NULL) != CFLR_OK;
    if (s->task.outcome->refused) return;
    call_by_smallest(s, count);
    m->inspected = s->task.out.m;
    s->task.outcome->iterations = 1;
    s->task.outcome->count = count;
}

const cflri_primitive cflri_primitive_SCC = {
    .name = "scc",
    .which = CFLR_SCC,
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .on_host = true,
    .task_size = sizeof(scc),
    .count = "components",
    .column = {{"component", CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(scc, component), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(scc, least), false}},
    .run = run,
};
