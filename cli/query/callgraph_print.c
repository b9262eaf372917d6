/* SPDX-License-Identifier: Apache-2.0
 *
 * callgraph_print.c: the edges of `cflr callgraph` as text, JSON and for Graphviz.
 *
 *     main <TAB> by_name <TAB> main.c:9:5 <TAB> through qsort
 *     main <TAB> ? <TAB> main.c:12:5 <TAB> through hook: nothing flows to it
 *
 * A function whose name others have, too, is called by its place. One that was asked about and has
 * no edge gets a message, with what that rests on: an empty answer looks like a mistake.
 */
#include "cli/query/callgraph_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/writer.h"

static void print_function(FILE *file, const callgraph *c, uint32_t i) {
    cflr_function_info info;
    callgraph_function(c, i, &info);
    if (c->shared[i] && info.line)
        fprintf(file, "%s:%" PRIu32 ":", shown(short_path(info.file)), info.line);
    fputs(shown(info.name), file);
}

/* By what the caller comes to the function, where it is not by name: what is called, or the
 * function that is given it. */
static const char *way(const callgraph *c, const cflr_call_info *call) {
    cflr_function_info info;
    if (call->expression[0]) return call->expression;
    callgraph_function(c, call->callee, &info);
    return call->callee ? info.name : "";
}

static const char *how(const callgraph *c, const call_edge *e, const cflr_call_info *call) {
    cflr_function_info info;
    if (e->direct) return "direct";
    if (call->callee) return "library";
    if (call->expression[0]) return "pointer";
    callgraph_function(c, e->caller, &info);
    return info.body == CFLR_BODY_SUMMARY ? "summary" : "outside";
}

static void print_way(FILE *file, const callgraph *c, const call_edge *e,
                      const cflr_call_info *call) {
    const char *through = way(c, call);
    if (!e->direct && through[0])
        fprintf(file, "through %s", shown(through));
    else
        fputs(how(c, e, call), file);
}

static void print_call_place(FILE *file, const cflr_call_info *call) {
    fputc('\t', file);
    if (call->line)
        print_place(file, call->file, call->line, call->column);
    else
        fputc('-', file);
    fputc('\t', file);
}

static void print_edge(FILE *file, const void *of, const void *row) {
    const callgraph *c = of;
    const call_edge *e = row;
    cflr_call_info call;
    cflr_graph_call(c->graph, e->call, &call);
    print_function(file, c, e->caller);
    fputc('\t', file);
    print_function(file, c, e->callee);
    print_call_place(file, &call);
    print_way(file, c, e, &call);
    fputc('\n', file);
}

static void print_unresolved(FILE *file, const void *of, const void *row) {
    const callgraph *c = of;
    const unresolved_call *u = row;
    cflr_call_info call;
    cflr_graph_call(c->graph, u->call, &call);
    print_function(file, c, call.caller);
    fputs("\t?", file);
    print_call_place(file, &call);
    fprintf(file, "through %s: ", shown(call.expression));
    unresolved_print_cause(u->cause, u->object, c->graph, file);
    fputc('\n', file);
}

static json_t *function_json(const callgraph *c, uint32_t i) {
    static const char *const bodies[] = {[CFLR_BODY_HERE] = "here",
                                         [CFLR_BODY_SUMMARY] = "summary",
                                         [CFLR_BODY_UNKNOWN] = "unknown"};
    cflr_function_info info;
    json_t *object = json_object();
    callgraph_function(c, i, &info);
    json_set_text(object, "name", info.name);
    json_set_text(object, "body", bodies[info.body]);
    if (!info.line) return object;
    json_set_place(object, info.file, info.line, info.column);
    return object;
}

static json_t *edge_json(const void *of, const void *row) {
    const callgraph *c = of;
    const call_edge *e = row;
    json_t *object = json_object();
    cflr_call_info call;
    cflr_graph_call(c->graph, e->call, &call);
    const char *through = e->direct ? "" : way(c, &call);
    json_set(object, "caller", function_json(c, e->caller));
    json_set(object, "callee", function_json(c, e->callee));
    json_set_text(object, "how", how(c, e, &call));
    if (through[0]) json_set_text(object, "through", through);
    if (!call.line) return object;
    json_set_place(object, call.file, call.line, call.column);
    return object;
}

static json_t *unresolved_edge_json(const void *of, const void *row) {
    const callgraph *c = of;
    return unresolved_call_json(c->graph, row);
}

static void print_node(FILE *file, const callgraph *c, uint32_t i) {
    cflr_function_info info;
    callgraph_function(c, i, &info);
    fprintf(file, "  %" PRIu32 " [label=\"", c->rank[i]);
    print_quoted(file, shown(info.name));
    if (c->shared[i] && info.line) {
        fputs("\\n", file);
        print_quoted(file, shown(short_path(info.file)));
        fprintf(file, ":%" PRIu32, info.line);
    }
    fprintf(file, "\"%s];\n", info.body == CFLR_BODY_HERE ? "" : ", shape=box");
}

/* Edges of a caller and callee are one, dashed where no call is by name. */
static void print_dot_edges(FILE *file, const callgraph *c) {
    bool direct = false;
    for (size_t i = 0; i < c->n; i++) {
        const call_edge *e = &c->edge[i], *next = e + 1;
        direct |= e->direct;
        if (i + 1 < c->n && next->caller == e->caller && next->callee == e->callee) continue;
        fprintf(file, "  %" PRIu32 " -> %" PRIu32 "%s;\n", c->rank[e->caller], c->rank[e->callee],
                direct ? "" : " [style=dashed]");
        direct = false;
    }
}

/* A function that calls something unresolved leads to a question mark. */
static void print_dot_unresolved(FILE *file, const callgraph *c) {
    if (c->unresolved.n) fputs("  unresolved [label=\"?\", shape=plaintext];\n", file);
    memset(c->met, 0, c->n_functions * sizeof *c->met);
    for (size_t i = 0; i < c->unresolved.n; i++) {
        cflr_call_info call;
        cflr_graph_call(c->graph, c->unresolved.at[i].call, &call);
        if (!c->met[call.caller]++)
            fprintf(file, "  %" PRIu32 " -> unresolved [style=dotted];\n", c->rank[call.caller]);
    }
}

/* 0, or the exit code after a message. */
static int print_dot(FILE *file, const callgraph *c) {
    uint32_t *by_rank = calloc(c->n_functions, sizeof *by_rank);
    if (!by_rank) return fail_memory();
    for (uint32_t i = 0; i < c->n_functions; i++) by_rank[c->rank[i]] = i;
    memset(c->met, 0, c->n_functions * sizeof *c->met);
    for (size_t i = 0; i < c->n; i++) c->met[c->edge[i].caller] = c->met[c->edge[i].callee] = 1;
    for (size_t i = 0; i < c->unresolved.n; i++) {
        cflr_call_info call;
        cflr_graph_call(c->graph, c->unresolved.at[i].call, &call);
        c->met[call.caller] = 1;
    }
    fputs("digraph calls {\n", file);
    for (uint32_t r = 0; r < c->n_functions; r++)
        if (c->met[by_rank[r]]) print_node(file, c, by_rank[r]);
    print_dot_edges(file, c);
    print_dot_unresolved(file, c);
    fputs("}\n", file);
    free(by_rank);
    return 0;
}

/* ---- functions that were asked about, and have no edges ---- */

static bool has_main(const callgraph *c) {
    cflr_function_info info;
    for (uint32_t i = 1; i < c->n_functions; i++) {
        callgraph_function(c, i, &info);
        if (info.body == CFLR_BODY_HERE && strcmp(info.name, "main") == 0) return true;
    }
    return false;
}

/* What the analysis takes code to do that it does not see. */
static const char *why_outside(const callgraph *c) {
    if (cflr_graph_outside(c->graph) != CFLR_NO_VERTEX)
        return "code outside can neither name it nor is given it";
    return has_main(c)
               ? "code outside of these files is taken to call nothing but main (--world open)"
               : "code outside of these files is taken to call nothing (--world open)";
}

static void print_why_uncalled(FILE *file, const callgraph *c, uint32_t i) {
    cflr_function_info info;
    callgraph_function(c, i, &info);
    fputs("no call in the files that were analysed names it, and its address is ", file);
    fputs(info.vertex == CFLR_NO_VERTEX ? "not taken" : "taken, but comes to no call", file);
    fprintf(file, "; %s; an attribute, such as constructor, may run it all the same",
            why_outside(c));
    if (info.vertex != CFLR_NO_VERTEX && c->n_unresolved)
        fprintf(file, "; %zu call%s through pointers may enter more than was found",
                c->n_unresolved, c->n_unresolved == 1 ? "" : "s");
}

static void print_why_calls_nothing(FILE *file, const callgraph *c, uint32_t i) {
    static const char *const why[] = {
        [CFLR_BODY_HERE] = "its body has no call",
        [CFLR_BODY_SUMMARY] = "it is a function of the library, and calls nothing that it is given",
        [CFLR_BODY_UNKNOWN] = "it has no body here, and what it does is not known"};
    cflr_function_info info;
    callgraph_function(c, i, &info);
    fputs(i == 0 ? why_outside(c) : why[info.body], file);
}

/* One line on standard error, unless -q. */
static void remark_function(const callgraph *c, uint32_t i, bool callers) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) return;
    if (callers) fputs("nothing calls ", file);
    print_function(file, c, i);
    fputs(callers ? ": " : " calls nothing: ", file);
    if (callers)
        print_why_uncalled(file, c, i);
    else
        print_why_calls_nothing(file, c, i);
    if (fclose(file) == 0) remark("%s", text);
    free(text);
}

static void remark_uncalled(FILE *file, const void *of, const void *row) {
    (void)file;
    remark_function(of, *(const uint32_t *)row, true);
}

static void remark_calls_nothing(FILE *file, const void *of, const void *row) {
    (void)file;
    remark_function(of, *(const uint32_t *)row, false);
}

static json_t *uncalled_json(const void *of, const void *row) {
    const callgraph *c = of;
    const uint32_t *i = row;
    cflr_function_info info;
    json_t *object = json_object();
    callgraph_function(c, *i, &info);
    json_set(object, "function", function_json(c, *i));
    json_set(object, "address_taken", json_boolean(info.vertex != CFLR_NO_VERTEX));
    return object;
}

static json_t *calls_nothing_json(const void *of, const void *row) {
    return function_json(of, *(const uint32_t *)row);
}

/* Has an edge, or an unresolved call, that one asks for by `chosen`. */
static void mark_edges(const callgraph *c, bool callers) {
    memset(c->met, 0, c->n_functions * sizeof *c->met);
    for (size_t i = 0; i < c->n; i++) c->met[callers ? c->edge[i].callee : c->edge[i].caller] = 1;
    for (size_t i = 0; i < c->unresolved.n && !callers; i++) {
        cflr_call_info call;
        cflr_graph_call(c->graph, c->unresolved.at[i].call, &call);
        c->met[call.caller] = 1;
    }
}

/* The functions that were asked for by --callers, or --callees, and have none. */
static void write_alone(writer *w, const callgraph *c, bool callers) {
    static const row_kind kinds[] = {{"calling_nothing", remark_calls_nothing, calls_nothing_json},
                                     {"uncalled", remark_uncalled, uncalled_json}};
    const bool *asked = callers ? c->callee : c->caller;
    bool any = false;
    mark_edges(c, callers);
    for (uint32_t i = 0; i < c->n_functions; i++) {
        if (!asked[i] || c->met[i]) continue;
        if (!any) writer_list(w, &kinds[callers]);
        any = true;
        writer_row(w, &kinds[callers], c, &i);
    }
}

static void write_all_alone(writer *w, const callgraph *c) {
    write_alone(w, c, true);
    write_alone(w, c, false);
}

int callgraph_print(const callgraph *c, bool as_dot) {
    static const row_kind edges = {"edges", print_edge, edge_json};
    static const row_kind unresolved = {"unresolved", print_unresolved, unresolved_edge_json};
    if (as_dot) {
        FILE *file = open_output();
        return finish_output(file, file ? print_dot(file, c) : 0);
    }
    writer w = writer_open();
    writer_list(&w, &edges);
    for (size_t i = 0; i < c->n; i++) writer_row(&w, &edges, c, &c->edge[i]);
    writer_list(&w, &unresolved);
    for (size_t i = 0; i < c->unresolved.n; i++)
        writer_row(&w, &unresolved, c, &c->unresolved.at[i]);
    write_all_alone(&w, c);
    return writer_close(&w, 0);
}
