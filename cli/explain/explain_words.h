/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_words.h: the words and the place of one step of a derivation.
 */
#ifndef CFLR_CLI_EXPLAIN_EXPLAIN_WORDS_H
#define CFLR_CLI_EXPLAIN_EXPLAIN_WORDS_H

#include "cli/explain/explain.h"
#include "cli/explain/explain_lines.h"

typedef struct step_place {
    const char *file;
    uint32_t line, column; /* 0: not known */
} step_place;

/* Where the value goes from one vertex to another. */
step_place place_between(const cflr_graph *graph, uint32_t from, uint32_t to);
/* Begins a line: "   a.c:4:9: ", or only the indent. */
void print_step_place(FILE *file, step_place at, int indent);

bool step_is(const cflr_derivation_step *step, const char *symbol);
bool step_is_edge(const cflr_derivation_step *step);

/* An object's address comes to be. */
void print_address(FILE *file, const cflr_vertex_info *object);
/* An edge, as values flow along it. */
void print_edge(FILE *file, const cflr_graph *graph, const cflr_derivation_step *step);
/* From a content of memory to another one, which is the same place. */
void print_passage(FILE *file, const cflr_vertex_info *from, const cflr_vertex_info *to);
/* Lines: the vertex where values come from; and the same of an address, which is its object's. */
void tell_origin(told_lines *to, const cflr_graph *graph, uint32_t vertex, int indent);
void tell_taken(told_lines *to, const cflr_graph *graph, uint32_t address, int indent);
/* Ends the line of an edge. */
void end_edge(told_lines *to, const cflr_graph *graph, const cflr_derivation_step *step,
              int indent);

#endif
