/* SPDX-License-Identifier: Apache-2.0
 *
 * questions.h: what `cflr solve` is asked by --from, --to and --pairs.
 */
#ifndef CFLR_CLI_SOLVE_QUESTIONS_H
#define CFLR_CLI_SOLVE_QUESTIONS_H

#include "cli/names/names.h"

/* A line of --pairs: names, and how many pairs of vertices stand for it and the lines before it. */
typedef struct asked_line {
    char *text; /* owns the names */
    char *name[2];
    size_t end;
} asked_line;

typedef struct questions {
    place_set from, to; /* NULL vertices: not given */
    cflr_pair *pair;
    size_t n_pairs, pair_capacity;
    asked_line *line;
    size_t n_lines, line_capacity;
    uint64_t n_bytes; /* of the texts of lines */
} questions;

/* Reads the names of --from and --to (NULL: not given), which end with NULL, and the file of
 * --pairs. 0, or the exit code after a message; to be freed in both cases. */
int questions_read(questions *q, const cflr_graph *graph, char **from, char **to,
                   const char *pairs);
void questions_free(questions *q);

/* The options refer to the questions. */
void questions_put(const questions *q, cflr_solve_opts *opts);

/* The answers to the lines of --pairs, in their order; `label` may be CFLR_NO_LABEL: no to all. */
void questions_print(const questions *q, const cflr_result *result, uint32_t label, FILE *file);
json_t *questions_json(const questions *q, const cflr_result *result, uint32_t label);

#endif
