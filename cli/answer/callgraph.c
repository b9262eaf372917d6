/* SPDX-License-Identifier: Apache-2.0
 *
 * callgraph.c: which function calls which.
 *
 * The graph in a result tells the calls of the program and what each goes through, the closure
 * tells which functions come there (entered.c). A call gives an edge for the function that it names
 * and one for each that it may enter:
 *
 *     qsort(list, n, size, by_name);     main -> qsort      direct
 *                                        main -> by_name    through qsort, whose summary calls it
 *     (*hook)(3);                        main -> on_exit    through *hook
 *                                        main -> ?          and what code without model gives
 *
 * Code that is not there is a caller, too: a function without model calls what it is given, and
 * `outside`, all code around an open program, what it can name or was given. So a chain of edges
 * leads to everything that can run.
 *
 * Functions are ranked by name and place, and edges sorted by the ranks of both ends and then by
 * place. Calls are looked up twice, first to count the edges. O(calls * what they may enter * log).
 */
#include "cli/answer/callgraph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"

void callgraph_function(const callgraph *c, uint32_t i, cflr_function_info *info) {
    cflr_graph_function(c->graph, i, info);
    if (i == 0) info->name = "outside";
}

enum { CLOCK_EVERY = 256 /* calls between two looks at the clock */ };

/* ---- functions ---- */

typedef struct ranked {
    cflr_function_info info;
    uint32_t function;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    int order = strcmp(x->info.name, y->info.name);
    if (order) return order;
    order = strcmp(x->info.file, y->info.file);
    if (order) return order;
    if (x->info.line != y->info.line) return x->info.line < y->info.line ? -1 : 1;
    if (x->info.column != y->info.column) return x->info.column < y->info.column ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

/* 0, or the exit code after a message. */
static int rank_functions(callgraph *c) {
    uint32_t n = c->n_functions;
    ranked *all = calloc((size_t)n, sizeof *all);
    if (!all) return fail_memory();
    for (uint32_t i = 0; i < n; i++) {
        callgraph_function(c, i, &all[i].info);
        all[i].function = i;
        if (all[i].info.vertex != CFLR_NO_VERTEX) c->function[all[i].info.vertex] = i + 1;
    }
    qsort(all, n, sizeof *all, compare_ranked);
    for (uint32_t i = 0; i < n; i++) {
        c->rank[all[i].function] = i;
        if (i == 0 || strcmp(all[i].info.name, all[i - 1].info.name) != 0) continue;
        c->shared[all[i].function] = c->shared[all[i - 1].function] = true;
    }
    free(all);
    return 0;
}

/* ---- edges ---- */

static bool is_asked(const callgraph *c, uint32_t caller, uint32_t callee) {
    return !c->chosen || c->caller[caller] || c->callee[callee];
}

static void add(callgraph *c, uint32_t callee, bool direct) {
    if (!is_asked(c, c->by, callee)) return;
    if (c->edge) c->edge[c->n] = (call_edge){c->by, callee, c->call, direct};
    c->n++;
}

static bool enter(void *user, uint32_t vertex) {
    callgraph *c = user;
    uint32_t function = c->function[vertex];
    c->entered |= function != 0;
    if (function == 0 || c->met[function - 1] == c->call + 1) return true;
    c->met[function - 1] = c->call + 1;
    add(c, function - 1, false);
    return true;
}

/* More may come to the call than what was found, or nothing was. */
static void note_unresolved(callgraph *c) {
    const entering *e = &c->entering;
    bool all = c->entered && e->cause != CAUSE_OUTSIDE && e->cause != CAUSE_UNKNOWN;
    bool asked = !c->chosen || c->caller[c->by];
    if (!all) c->n_unresolved++;
    if (all || !asked) return;
    if (c->edge)
        c->unresolved.at[c->unresolved.n] = (unresolved_call){c->call, e->cause, e->object};
    c->unresolved.n++;
}

static void look_up_call(callgraph *c, uint32_t i) {
    cflr_call_info call;
    cflr_graph_call(c->graph, i, &call);
    c->call = i;
    c->by = call.caller;
    if (call.callee) add(c, call.callee, true);
    if (!call.n && !call.expression[0]) return;
    c->entered = false;
    entering_look_up(&c->entering, i, enter, c);
    if (call.expression[0]) note_unresolved(c);
}

static int look_up_all(callgraph *c) {
    uint32_t n = cflr_graph_calls(c->graph);
    memset(c->met, 0, c->n_functions * sizeof *c->met);
    c->n = c->unresolved.n = c->n_unresolved = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i % CLOCK_EVERY == 0 && out_of_time())
            return fail_out_of_time("the calls are not listed");
        look_up_call(c, i);
    }
    return 0;
}

/* For qsort, which has no argument to pass on; there is one graph in a run. */
static const callgraph *sorting;

static int compare_edges(const void *a, const void *b) {
    const call_edge *x = a, *y = b;
    const uint32_t *rank = sorting->rank;
    if (x->caller != y->caller) return rank[x->caller] < rank[y->caller] ? -1 : 1;
    if (x->callee != y->callee) return rank[x->callee] < rank[y->callee] ? -1 : 1;
    if (x->call != y->call) return x->call < y->call ? -1 : 1;
    return y->direct - x->direct;
}

/* Do both look the same: calls at one place, as a macro makes them? */
static bool looks_same(const callgraph *c, const call_edge *x, const call_edge *y) {
    cflr_call_info a, b;
    if (x->caller != y->caller || x->callee != y->callee || x->direct != y->direct) return false;
    cflr_graph_call(c->graph, x->call, &a);
    cflr_graph_call(c->graph, y->call, &b);
    return a.callee == b.callee && a.line == b.line && a.column == b.column &&
           strcmp(a.file, b.file) == 0 && strcmp(a.expression, b.expression) == 0;
}

int callgraph_collect(callgraph *c) {
    int code = look_up_all(c);
    if (code) return code;
    c->edge = calloc(c->n + 1, sizeof *c->edge);
    c->unresolved.at = calloc(c->unresolved.n + 1, sizeof *c->unresolved.at);
    if (!c->edge || !c->unresolved.at) return fail_memory();
    code = look_up_all(c);
    if (code) return code;
    sorting = c;
    qsort(c->edge, c->n, sizeof *c->edge, compare_edges);
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++)
        if (kept == 0 || !looks_same(c, &c->edge[kept - 1], &c->edge[i]))
            c->edge[kept++] = c->edge[i];
    c->n = kept;
    return 0;
}

/* ---- making ---- */

int callgraph_check(const cflr_result *result, const char *path) {
    if (cflr_graph_functions(cflr_result_graph(result)) == 0) {
        complain(
            "%s does not tell calls: it is not made from C, or its graph was written by an "
            "older cflr: then make it anew by `cflr analyze` or `extract`",
            input_name(path));
        return EXIT_USAGE;
    }
    if (answering_label(result, "points-to") == CFLR_NO_LABEL) {
        complain("%s does not answer 'points-to', which tells what pointers call",
                 input_name(path));
        return EXIT_USAGE;
    }
    if (cflr_result_covers(result, CFLR_NO_VERTEX, CFLR_NO_VERTEX)) return 0;
    complain("%s answers another question (solve --from, --to or --pairs)", input_name(path));
    return EXIT_USAGE;
}

int callgraph_begin(callgraph *c, const cflr_result *result) {
    *c = (callgraph){.graph = cflr_result_graph(result)};
    entering_begin(&c->entering, result);
    size_t n = c->n_functions = cflr_graph_functions(c->graph);
    c->function = calloc((size_t)cflr_graph_vertices(c->graph) + 1, sizeof *c->function);
    c->rank = calloc(n, sizeof *c->rank);
    c->shared = calloc(n, sizeof *c->shared);
    c->caller = calloc(n, sizeof *c->caller);
    c->callee = calloc(n, sizeof *c->callee);
    c->met = calloc(n, sizeof *c->met);
    if (!c->function || !c->rank || !c->shared || !c->caller || !c->callee || !c->met)
        return fail_memory();
    return rank_functions(c);
}

void callgraph_end(callgraph *c) {
    free(c->function);
    free(c->rank);
    free(c->shared);
    free(c->caller);
    free(c->callee);
    free(c->met);
    free(c->edge);
    free(c->unresolved.at);
}
