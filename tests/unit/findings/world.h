/* SPDX-License-Identifier: Apache-2.0
 *
 * world.h: a graph that is made by hand, with findings of two rules.
 */
#ifndef TEST_FINDINGS_WORLD_H
#define TEST_FINDINGS_WORLD_H

#include "cflr/findings.h"
#include "tests/support/support.h"

enum {
    /* find() { return NULL; }   main() { p = find(); *p; p->m; } */
    NONE,
    RETURNED,
    CALL,
    P,
    STAR_P,
    P_M,
    /* q = r = &x; *q = getenv(); system(*r); */
    GETENV,
    TEXT,
    ADDRESS_X,
    X,
    Q,
    R,
    STAR_Q,
    STAR_R,
    SYSTEM,
    /* s = &y; */
    ADDRESS_Y,
    Y,
    S,
    /* a value that is not followed comes to system(), too */
    LOST,
    HAS_LOST,
    VERTICES
};

static const cflr_vertex_info vertices[VERTICES] = {
    [NONE] = {CFLR_VERTEX_NULL_VALUE, 1, 10, "NULL", "int *", "find", "/a.c", ""},
    [RETURNED] = {CFLR_VERTEX_RETURN, 1, 3, "find", "int *", "find", "/a.c", ""},
    [CALL] = {CFLR_VERTEX_TEMPORARY, 2, 9, "find()", "int *", "main", "/a.c", ""},
    [P] = {CFLR_VERTEX_VARIABLE, 2, 5, "p", "int *", "main", "/a.c", ""},
    [STAR_P] = {CFLR_VERTEX_SINK, 3, 1, "*p", "", "main", "/a.c", ""},
    [P_M] = {CFLR_VERTEX_SINK, 4, 1, "p->m", "", "main", "/a.c", ""},
    [GETENV] = {CFLR_VERTEX_SOURCE, 5, 1, "getenv()", "", "main", "/a.c", ""},
    [TEXT] = {CFLR_VERTEX_DEREFERENCE, 5, 1, "*getenv()", "char", "main", "/a.c", ""},
    [ADDRESS_X] = {CFLR_VERTEX_ADDRESS, 6, 1, "&x", "char *", "main", "/a.c", ""},
    [X] = {CFLR_VERTEX_VARIABLE, 6, 1, "x", "char", "main", "/a.c", ""},
    [Q] = {CFLR_VERTEX_VARIABLE, 7, 1, "q", "char *", "main", "/a.c", ""},
    [R] = {CFLR_VERTEX_VARIABLE, 7, 3, "r", "char *", "main", "/a.c", ""},
    [STAR_Q] = {CFLR_VERTEX_DEREFERENCE, 8, 1, "*q", "char", "main", "/a.c", ""},
    [STAR_R] = {CFLR_VERTEX_DEREFERENCE, 9, 8, "*r", "char", "main", "/a.c", ""},
    [SYSTEM] = {CFLR_VERTEX_SINK, 9, 1, "system()", "", "main", "/a.c", ""},
    [ADDRESS_Y] = {CFLR_VERTEX_ADDRESS, 10, 1, "&y", "char *", "main", "/a.c", ""},
    [Y] = {CFLR_VERTEX_VARIABLE, 10, 1, "y", "char", "main", "/a.c", ""},
    [S] = {CFLR_VERTEX_VARIABLE, 10, 5, "s", "char *", "main", "/a.c", ""},
    [LOST] = {CFLR_VERTEX_LOST, 11, 1, "a pointer in an integer", "", "main", "/a.c", ""},
    [HAS_LOST] = {CFLR_VERTEX_VARIABLE, 11, 5, "t", "char *", "main", "/a.c", ""},
};

static const struct {
    uint32_t source, target;
    const char *label, *index;
} edges[] = {
    {NONE, RETURNED, "null", NULL}, {RETURNED, CALL, "a", NULL},
    {CALL, P, "a", NULL},           {P, STAR_P, "sink", "deref"},
    {P, P_M, "sink", "deref"},      {GETENV, TEXT, "source", "run"},
    {TEXT, STAR_Q, "a", NULL},      {ADDRESS_X, Q, "a", NULL},
    {ADDRESS_X, R, "a", NULL},      {ADDRESS_X, X, "d", NULL},
    {X, ADDRESS_X, "alloc", NULL},  {Q, STAR_Q, "d", NULL},
    {R, STAR_R, "d", NULL},         {STAR_R, SYSTEM, "sink", "run"},
    {ADDRESS_Y, S, "a", NULL},      {ADDRESS_Y, Y, "d", NULL},
    {Y, ADDRESS_Y, "alloc", NULL},  {LOST, LOST, "alloc", NULL},
    {LOST, HAS_LOST, "a", NULL},    {HAS_LOST, SYSTEM, "sink", "run"},
};

static const cflr_rule rules[] = {
    {.name = "run", .message = "text from outside runs", .help = ""},
    {.name = "deref", .message = "null pointer dereference", .follows_null = true, .help = ""}};

static const cflr_flow flows[] = {
    {RETURNED, CALL, {"/a.c", 2, 13}}, {CALL, P, {"/a.c", 2, 7}}, {TEXT, STAR_Q, {"/a.c", 8, 4}}};

static const char *x_type;   /* of X, where it is not that of the table */
static uint32_t moved_lines; /* that all places stand further down */

static bool is_mark(const char *label) {
    return strcmp(label, "source") == 0 || strcmp(label, "sink") == 0;
}

/* `marks`: with sources and sinks. */
static cflr_status make_graph(cflr_context *context, bool marks, cflr_graph **graph,
                              cflr_error *error) {
    cflr_graph_builder *builder;
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    for (uint32_t v = 0, number; st == CFLR_OK && v < VERTICES; v++) {
        cflr_vertex_info info = vertices[v];
        if (v == X && x_type) info.type = x_type;
        info.line += moved_lines;
        st = cflr_graph_builder_vertex(builder, &info, &number, error);
    }
    for (size_t i = 0; st == CFLR_OK && i < sizeof edges / sizeof *edges; i++) {
        uint32_t label;
        if (!marks && is_mark(edges[i].label)) continue;
        st = cflr_graph_builder_label(builder, edges[i].label, edges[i].index, &label, error);
        if (st == CFLR_OK)
            st = cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, error);
    }
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

typedef struct findings_world {
    cflr_context *context;
    cflr_graph *graph;
    cflr_findings_opts opts;
    cflr_findings *found;
} findings_world;

static void world_begin(findings_world *w) {
    cflr_error error;
    *w = (findings_world){0};
    MUST(cflr_context_new(NULL, &w->context, &error));
    MUST(make_graph(w->context, true, &w->graph, &error));
    cflr_findings_opts_init(&w->opts);
    w->opts.rules = rules;
    w->opts.n_rules = sizeof rules / sizeof *rules;
    w->opts.flows = flows;
    w->opts.n_flows = sizeof flows / sizeof *flows;
}

static void world_end(findings_world *w) {
    cflr_findings_free(w->found);
    cflr_graph_free(w->graph);
    cr_expect_eq(cflr_context_memory(w->context), 0);
    cflr_context_free(w->context);
}

#endif
