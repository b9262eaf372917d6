/* SPDX-License-Identifier: Apache-2.0
 *
 * names.h: from names to vertices, and from vertices to text and JSON.
 */
#ifndef CFLR_CLI_NAMES_NAMES_H
#define CFLR_CLI_NAMES_NAMES_H

#include "cli/run/run.h"

/* ---- names to vertices (names.c, decay.c) ---- */

/* The vertices that a name stands for: several when it has clones (contexts). */
typedef struct place_set {
    uint32_t *vertex; /* freed by the caller, after a failure too */
    size_t n;
} place_set;

/* Where a name was read; an empty path: nowhere that is worth telling. */
typedef struct name_place {
    const char *path;
    uint32_t line, column;
} name_place;

/* The finder, for many names, may be NULL. 0, or the exit code after a message with the place. */
int find_places(const cflr_graph *graph, cflr_finder *finder, const char *spec, name_place where,
                place_set *set);

/* The same, but of a name that is a place, all that it may be, thing by thing (end_of_thing). */
int find_things(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set);

/* Where one of these things must be named, because it is not known which is meant: says how. The
 * exit code. */
int refuse_things(const cflr_graph *graph, const char *spec, const place_set *set);

/* The same as find_places without a message. */
cflr_status look_up(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set,
                    cflr_error *error);

/* The pointers that a name stands for: of an array or record its addresses, perhaps none, and in
 * *object itself, which is empty for all else. Both are freed by the caller. */
int find_pointers(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set,
                  place_set *object);

/* The rest of it, for vertices that were found by this name; NULL: by the place of their
 * declaration. */
int find_addressed(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set,
                   place_set *object);

/* The bytes of "file.c:12:5" that the name is, or begins with before a colon; 0: it is no such
 * place. */
size_t place_length(const char *spec);

/* Is `text`, of so many bytes, the path or the end of it at a slash? */
bool ends_path(const char *path, const char *text, size_t length);
/* Does the text mean this function: "name", "file.c:12:name"? */
bool names_function(const cflr_function_info *info, const char *spec);
/* And this place: "file.c:12", "file.c:12:5"? */
bool names_place(const char *file, uint32_t line, uint32_t column, const char *spec);

/* ---- edges (edges.c) ---- */

/* The neighbours of a vertex as of cflr_graph_row; none where the graph has no such label. `index`
 * is NULL for a plain one. */
const uint32_t *edges_of(const cflr_graph *graph, const char *label, const char *index,
                         cflr_direction way, uint32_t vertex, uint64_t *n);
/* The first of them; CFLR_NO_VERTEX: there is none. */
uint32_t first_edge(const cflr_graph *graph, const char *label, const char *index,
                    cflr_direction way, uint32_t vertex);

/* ---- vertices to text (vertex.c, things.c) ---- */

/* cflr_graph_vertex with texts as they may be seen; the name of a vertex without one is its
 * number. */
void look_at(const cflr_graph *graph, uint32_t vertex, cflr_vertex_info *info);

/* The name by which people know a vertex: its own, but of what the system gives to main. Names of
 * JSON and of graphs stay as they are. */
const char *known_name(const char *name);

/* Is it a variable or a parameter? */
bool is_variable(const cflr_vertex_info *info);

/* "p (variable, in main)". */
void print_name(FILE *file, const cflr_graph *graph, uint32_t vertex);

/* "file.c:12:5: p (variable, in main)" for a vertex, or its number when nothing is known. */
void print_vertex(FILE *file, const cflr_graph *graph, uint32_t vertex);

/* The same of all of its copies for contexts. */
void print_thing(FILE *file, const cflr_graph *graph, uint32_t vertex);

/* The vertex object of docs/reference/json.md. */
json_t *vertex_json(const cflr_graph *graph, uint32_t vertex);

/* Sorts vertices by what a reader sees of them (cflr_vertex_compare). 0, or the exit code after a
 * message. */
int sort_things(const cflr_graph *graph, place_set *set);

/* Where the vertices end, in that order, that look as the one at `at` does: copies for contexts,
 * and what a macro makes several times. */
size_t end_of_thing(const cflr_graph *graph, const place_set *set, size_t at);

/* Drops vertices of a list that look like an earlier one to a reader: versions of a local. *n
 * becomes how many are left, in their order. 0, or the exit code after a message. */
int keep_things(const cflr_graph *graph, uint32_t *vertices, size_t *n);

#endif
