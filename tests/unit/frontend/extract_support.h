/* SPDX-License-Identifier: Apache-2.0
 *
 * extract_support.h: small projects in a temporary folder, extracted through the public entry.
 *
 *     project_write(&p, "a/x.c", "...");
 *     project_extract(&p, NULL);                 all .c files that were written
 *     project_has_edge(&p, "f::p -a-> g::q")
 */
#ifndef EXTRACT_SUPPORT_H
#define EXTRACT_SUPPORT_H

#include "cflr/cflr.h"
#include "cflr/extract.h"

enum { PROJECT_MOST_FILES = 64, PROJECT_PATH = 256 };

typedef struct project {
    char folder[PROJECT_PATH];
    char file[PROJECT_MOST_FILES][PROJECT_PATH]; /* as written: relative */
    const char *source[PROJECT_MOST_FILES];      /* absolute C files, in the order of writing */
    size_t n_files, n_sources;
    cflr_context *context;
    /* of the last extraction */
    cflr_status status;
    cflr_error error;
    cflr_graph *graph;
    cflr_extract_report *report;
    cflr_extract_counts counts;
    char *edges; /* as construct_edges writes them */
} project;

void project_begin(project *p);
/* Frees everything, removes the folder, and fails the test when memory is left. */
void project_end(project *p);

/* Folders in `path` are made. */
void project_write(project *p, const char *path, const char *text);
/* The same with `name` in place of the first NAME. */
void project_write_named(project *p, const char *path, const char *text, const char *name);

/* The path of a file of the project, in `buffer`. */
char *project_path(const project *p, const char *path, char buffer[PROJECT_PATH * 2]);

/* opts: NULL for the defaults, but a closed program; where it names no input, the C files written
 * so far are read. Results of an earlier extraction are freed. Fails the test unless it
 * succeeds. */
void project_extract(project *p, const cflr_extract_opts *opts);
/* The same, but any status will do. */
void project_try(project *p, const cflr_extract_opts *opts);

/* Links files of linkable graphs; any status will do. */
void project_link(project *p, const char *const *paths, size_t n, const cflr_extract_opts *opts);

/* All that the last extraction gave, but for the count of units from the cache: counts (p->counts)
 * and report as text, and the graph as its file. Freed by the caller. */
char *project_told(const project *p, size_t *size);

/* The content of a file, with a NUL behind it. Freed by the caller. */
char *project_read_bytes(const char *path, size_t *size);

bool project_has_edge(const project *p, const char *edge);
/* Vertices with this name. */
unsigned project_named(const project *p, const char *name);
/* The first note of a kind whose text has `part`, or NULL. */
const cflr_note *project_note(const project *p, cflr_note_kind kind, const char *part);

#endif
