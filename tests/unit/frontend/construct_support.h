/* SPDX-License-Identifier: Apache-2.0
 *
 * construct_support.h: the construct files of tests/c/ as graphs, and graphs as text.
 *
 * Text is one line an edge, sorted: `main::p -a-> main::q`. A vertex is its function and name; what
 * has no name of its own says what it is and where: `main::null(NULL)@12`; and so does a vertex
 * whose text is another one's, too: `main::p@14:9`.
 */
#ifndef CONSTRUCT_SUPPORT_H
#define CONSTRUCT_SUPPORT_H

#include "cflr/cflr.h"
#include "cflr/extract.h"

enum { CONSTRUCT_MOST_FILES = 200, CONSTRUCT_PATH = 512 };

typedef struct construct_files {
    size_t n;
    char path[CONSTRUCT_MOST_FILES][CONSTRUCT_PATH]; /* absolute, sorted */
} construct_files;

/* tests/c/NAME.c, without subfolders. Fails the test when there are none. */
void construct_list(construct_files *files);
/* The same of another folder, which is named from tests/c. */
void construct_list_in(construct_files *files, const char *folder);

/* What follows the last slash. */
const char *construct_name(const char *path);

cflr_context *construct_context(void);

/* The graph of one file with gnu11. Fails the test when it cannot be had. */
cflr_graph *construct_graph(cflr_context *context, const char *path, cflr_fields fields);
cflr_graph *construct_graph_with(cflr_context *context, const char *path, cflr_fields fields,
                                 cflr_contexts contexts);
/* The same by these options, of which the file and its flags are set here. */
cflr_graph *construct_graph_by(cflr_context *context, const char *path, cflr_extract_opts *opts);

/* All edges as text; freed with free. */
char *construct_edges(const cflr_graph *graph);

/* A whole file, or NULL; freed with free. */
char *construct_read(const char *path);

/* `path` with another ending: "x.c" -> "x.expected". Returns `buffer`. */
char *construct_sibling(const char *path, const char *ending, char buffer[CONSTRUCT_PATH]);

/* Expects `found` in the file PATH with the ending .expected, which CFLR_UPDATE=1 writes anew. */
void construct_expect(const char *path, const char *found);

/* Compiles each file with CHECK_RUN and expects it to end well, unless its first line says "not
 * run". Skips the test without a compiler. */
void construct_run(const construct_files *files);

/* Expects each file to be named in docs/reference/constructs.md. */
void construct_documented(const construct_files *files);

#endif
