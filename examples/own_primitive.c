/* SPDX-License-Identifier: Apache-2.0
 *
 * own_primitive.c: an algorithm of one's own on the graph engine.
 *
 * Of which functions is a function no more than K calls away? All sources are searched at once,
 * from each vertex to the next, and the search ends after K steps. It needs the task
 * (columns), functors (what to do at a vertex, at an edge), the driver (which step comes when), and
 * a description of them. Threads, lists, barriers, limits of time and memory are the engine's. A
 * primitive of the engine is the same, and a GPU runs it too when it is in its list
 * (docs/explanation/traverse.md).
 */
#include <stdio.h>

#include "cflr/csr.h"
#include "engine/traverse/operators.h"
#include "engine/traverse/primitive.h"

/* ---- the task: begins with the engine's; then columns, which the description places ---- */

typedef struct within {
    cflri_primitive_task task;
    uint32_t *hops; /* CFLRI_NONE: further than that */
    uint32_t *list, *next_list;
    uint32_t step;
} within;

/* ---- functors ---- */

CFLRI_FUNCTOR void within_forget(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((within *)task)->hops[v] = CFLRI_NONE;
}

CFLRI_FUNCTOR bool within_is_source(cflri_step_tally *tally, void *task, uint32_t v) {
    within *w = (within *)task;
    bool is = false;
    (void)tally;
    for (uint32_t i = 0; i < w->task.n_sources; i++) is |= w->task.source[i] == v;
    if (is) w->hops[v] = 0;
    return is;
}

/* Two threads may come to one vertex: the one that finds it untouched puts it into the list. */
CFLRI_FUNCTOR bool within_arrive(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                 cflri_row_edge edge) {
    within *w = (within *)task;
    (void)from, (void)edge;
    if (cflri_look(&w->hops[to]) != CFLRI_NONE) return false;
    if (cflri_swap_if(&w->hops[to], CFLRI_NONE, w->step) != CFLRI_NONE) return false;
    tally->sum[0]++;
    return true;
}

/* ---- the driver: every thread runs it, each with its copy of the task ---- */

CFLRI_DRIVER within_run(CFLRI_TEAM *m, within *w) {
    cflri_list front = {w->list, 0}, next = {w->next_list, 0};
    cflri_each(m, w->task.out.n, w, within_forget);
    cflri_filter_all(m, w->task.out.n, &front, w, within_is_source);
    uint64_t found = front.n;
    for (w->step = 1; w->step <= w->task.most_iterations && front.n && !m->stop; w->step++) {
        next.n = 0;
        cflri_advance(m, &w->task.out, front, &next, w, within_arrive);
        found += m->total[0];
        cflri_list swap = front;
        front = next;
        next = swap;
    }
    if (cflri_is_first(m)) w->task.outcome->count = found;
}

/* ---- the description ---- */

static void run(cflri_thread *m, void *task) {
    within_run(m, task);
}

static const cflri_primitive primitive = {
    .name = "within",
    .which = CFLRI_OWN_PRIMITIVE,
    .needs = {.least_sources = 1, .most_sources = 100},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_IDEMPOTENT,
    .task_size = sizeof(within),
    .count = "found",
    .column = {{"hops", CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(within, hops), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(within, list), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(within, next_list), false}},
    .run = run,
};

/* ---- a call graph, and the question ---- */

enum { MAIN, PARSE, LEX, ERROR, CHECK, TYPE, WRITE, FLUSH, FUNCTIONS };

static const char *const name[] = {"main",  "parse", "lex",   "error",
                                   "check", "type",  "write", "flush"};
static const uint32_t caller[] = {MAIN, MAIN, PARSE, PARSE, CHECK, TYPE, ERROR, WRITE};
static const uint32_t callee[] = {PARSE, CHECK, LEX, ERROR, TYPE, ERROR, WRITE, FLUSH};

static cflr_status ask(cflr_context *context, cflr_csr **csr, cflr_traversal **traversal,
                       cflr_error *error) {
    static const uint32_t sources[] = {PARSE, TYPE};
    const cflr_edge_list calls = {.n_vertices = FUNCTIONS,
                                  .n_edges = sizeof caller / sizeof *caller,
                                  .source = caller,
                                  .target = callee};
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.most_iterations = 2;
    cflr_status st = cflr_csr_new(context, &calls, NULL, csr, error);
    if (st == CFLR_OK) st = cflri_traversal_new(*csr, &primitive, &opts, traversal, error);
    return st == CFLR_OK ? cflr_traversal_run(*traversal, sources, 2, error) : st;
}

int main(void) {
    cflr_context *context;
    cflr_csr *csr = NULL;
    cflr_traversal *traversal = NULL;
    cflr_column hops;
    cflr_value found;
    cflr_error error;
    if (cflr_context_new(NULL, &context, &error) != CFLR_OK ||
        ask(context, &csr, &traversal, &error) != CFLR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    cflr_traversal_column(traversal, 0, &hops);
    cflr_traversal_value(traversal, 0, &found);
    printf("two calls from parse or type: %u functions\n", (unsigned)found.count);
    for (uint32_t v = 0; v < hops.n; v++) {
        uint32_t n = ((const uint32_t *)hops.values)[v];
        if (n != UINT32_MAX) printf("    %-6s %u\n", name[v], n);
    }
    cflr_traversal_free(traversal);
    cflr_csr_free(csr);
    cflr_context_free(context);
    return 0;
}
