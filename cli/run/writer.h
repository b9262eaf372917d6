/* SPDX-License-Identifier: Apache-2.0
 *
 * writer.h: answers that have rows, in the format of --format.
 *
 *     writer w = writer_open();
 *     writer_list(&w, &edge_rows);
 *     for each edge: writer_row(&w, &edge_rows, graph, edge);
 *     return writer_close(&w, 0);
 *
 * A kind of row knows how one is written in each format; a format, how rows come together.
 */
#ifndef CFLR_CLI_RUN_WRITER_H
#define CFLR_CLI_RUN_WRITER_H

#include "cli/run/run.h"

/* `of` is what all rows of a list have in common, a graph mostly. */
typedef struct row_kind {
    const char *key; /* of their list in the object of JSON; NULL: the answer is this list alone */
    void (*text)(FILE *file, const void *of, const void *row);
    json_t *(*json)(const void *of, const void *row);
} row_kind;

typedef struct writer {
    const struct writer_format *format;
    FILE *file;   /* of text; NULL in other formats, and where the output cannot be opened */
    json_t *json; /* the answer; NULL in other formats */
    json_t *list; /* in it: the list that rows are added to */
} writer;

/* Of answers to questions, which are printed as they are found: in text by the question, in JSON by
 * adding to `list`. */
extern const row_kind answers_alone;

/* The words of --format. Each has its functions in writer.c: text_open and so on. */
#define ANSWER_FORMAT_LIST(X) X(text) X(json)

/* 0 when there is a format as --format says, or the exit code after a message. */
int check_answer_format(void);

writer writer_open(void);
/* The answer has a list of these rows from here on, which may stay empty. */
void writer_list(writer *w, const row_kind *kind);
void writer_row(writer *w, const row_kind *kind, const void *of, const void *row);
/* The exit code to use, as of finish_output. */
int writer_close(writer *w, int code);

#endif
