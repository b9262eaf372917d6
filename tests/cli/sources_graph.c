/* SPDX-License-Identifier: Apache-2.0
 *
 * sources_graph.c: writes a small graph whose vertices know their places in C source, as the front
 * end would make it, so that questions in source terms are tested without one.
 *
 *     int x, y;                                 // main.c
 *     int *pick(int *arg) { return arg; }       // line 2; two clones, one for each call
 *     void first(void)  { int *p = &x; }        // line 3
 *     void second(void) { int *p = &y; int *q = p; }   // line 4
 */
#include <stdio.h>
#include <stdlib.h>

#include "cflr/cflr.h"

enum { X, Y, ADDRESS_X, ADDRESS_Y, ARG, ARG_CLONE, P_FIRST, P_SECOND, Q, N_VERTICES };

static const cflr_vertex_info vertices[N_VERTICES] = {
    {CFLR_VERTEX_VARIABLE, 1, 5, "x", "int", "", "src/main.c", ""},
    {CFLR_VERTEX_VARIABLE, 1, 8, "y", "int", "", "src/main.c", ""},
    {CFLR_VERTEX_ADDRESS, 1, 5, "&x", "int *", "", "src/main.c", ""},
    {CFLR_VERTEX_ADDRESS, 1, 8, "&y", "int *", "", "src/main.c", ""},
    {CFLR_VERTEX_PARAMETER, 2, 16, "arg", "int *", "pick", "src/main.c", ""},
    {CFLR_VERTEX_PARAMETER, 2, 16, "arg", "int *", "pick", "src/main.c", "second:4"},
    {CFLR_VERTEX_VARIABLE, 3, 26, "p", "int *", "first", "src/main.c", ""},
    {CFLR_VERTEX_VARIABLE, 4, 26, "p", "int *", "second", "src/main.c", ""},
    {CFLR_VERTEX_VARIABLE, 4, 39, "q", "int *", "second", "src/main.c", ""},
};

static const struct {
    uint32_t source, target;
    const char *label;
} edges[] = {
    {ADDRESS_X, X, "d"},         {ADDRESS_Y, Y, "d"}, {ADDRESS_X, P_FIRST, "a"},
    {ADDRESS_Y, P_SECOND, "a"},  {P_SECOND, Q, "a"},  {ADDRESS_X, ARG, "a"},
    {ADDRESS_Y, ARG_CLONE, "a"},
};

static void check(cflr_status st, const cflr_error *error) {
    if (st == CFLR_OK) return;
    fprintf(stderr, "sources_graph: %s\n", error->message);
    exit(cflr_status_exit_code(st));
}

static void fill(cflr_graph_builder *builder) {
    cflr_error error;
    for (size_t i = 0; i < N_VERTICES; i++) {
        uint32_t vertex;
        check(cflr_graph_builder_vertex(builder, &vertices[i], &vertex, &error), &error);
    }
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        uint32_t label;
        check(cflr_graph_builder_label(builder, edges[i].label, NULL, &label, &error), &error);
        check(cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, &error),
              &error);
    }
    /* q is initialised on line 4 from p, whose name is also spelled there */
    check(cflr_graph_builder_mention(builder, P_SECOND, &(cflr_mention){"src/main.c", 4, 5, NULL},
                                     &error),
          &error);
}

int main(int argc, char **argv) {
    cflr_context *context;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_error error;
    if (argc != 2) return 2;
    check(cflr_context_new(NULL, &context, &error), &error);
    check(cflr_graph_builder_new(context, &builder, &error), &error);
    fill(builder);
    check(cflr_graph_builder_freeze(builder, &graph, &error), &error);
    check(cflr_graph_save(graph, argv[1], CFLR_GRAPH_CFLG, &error), &error);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return 0;
}
