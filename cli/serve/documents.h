/* SPDX-License-Identifier: Apache-2.0
 *
 * documents.h: what the client has open, beside what was analysed.
 */
#ifndef CFLR_CLI_SERVE_DOCUMENTS_H
#define CFLR_CLI_SERVE_DOCUMENTS_H

#include <limits.h>
#include <time.h>

#include "cli/serve/alignment.h"

/* A place as clients tell it; both count from 0. */
typedef struct position {
    size_t line, character;
} position;

typedef struct document {
    char *uri;       /* the client's */
    char *path;      /* the file, without links */
    lined_text now;  /* as the client has it */
    lined_text then; /* as it was analysed */
    bool knows_then;
    bool aligned; /* `lines` are of `now` and `then` */
    alignment lines;
} document;

typedef struct documents {
    document **at;
    size_t n, capacity;
    encoding in;
} documents;

void documents_free(documents *d);
document *document_find(const documents *d, const char *uri);
document *document_of_path(const documents *d, const char *path);

/* `text`, of so many bytes, is copied. An open one is opened anew. NULL: the URI is not that of a
 * file. */
document *document_open(documents *d, const char *uri, const char *text, size_t n);
void document_close(documents *d, const char *uri);
/* Replaces what lies between two positions, or, where `begin` is NULL, all of it. */
void document_change(document *at, encoding in, const position *begin, const position *end,
                     const char *text, size_t n);

/* Reads what was analysed at that time, which is not known when the file has changed since. */
void document_remember(document *at, const struct timespec *made);

/* Is it exactly what was analysed? */
bool document_is_analysed(document *at);
/* The line that a line of the client's was when it was analysed, and back; NO_LINE: there is
 * none. */
size_t document_then(document *at, size_t line);
size_t document_now(document *at, size_t line);

/* Writes the path of a file, without links if it is there; false: the URI is of another kind. */
bool path_of_uri(const char *uri, char path[PATH_MAX]);

#endif
