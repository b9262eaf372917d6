/* SPDX-License-Identifier: Apache-2.0
 *
 * program.h: a result that was loaded, by places of its source.
 */
#ifndef CFLR_CLI_SERVE_PROGRAM_H
#define CFLR_CLI_SERVE_PROGRAM_H

#include <time.h>

#include "cli/answer/ask.h"
#include "cli/answer/callgraph.h"
#include "cli/serve/lined_text.h"

/* A file as the graph calls it, and as it really is. */
typedef struct program_file {
    const char *name; /* the graph's text */
    char *real;
} program_file;

typedef struct program {
    cflr_result *result;
    const cflr_graph *graph;
    asking asking;
    program_file *file; /* sorted by `real` */
    size_t n_files, capacity;
    uint32_t *call; /* all calls, by file, line and column */
    uint32_t n_calls;
    callgraph calls;     /* made when it is asked for */
    uint32_t *by_callee; /* its edges, by callee */
    bool has_calls;
    struct timespec made; /* files that have changed since are not what was analysed */
} program;

/* What stands at a place of the source: line and column count from 1, the column in bytes. */
typedef struct code_place {
    const char *file; /* without links */
    uint32_t line, column;
} code_place;

/* Reads a result; a failure leaves NULL. */
cflr_status program_load(const char *path, program **loaded, cflr_error *error);
void program_free(program *p);

/* The vertices of the expression there, or of what is declared; of a function what it returns.
 * Where one column has several, those that are called `name`, the token there, and if none is, as
 * where a macro makes them, those of each, one behind the other (end_of_thing). To be freed; none
 * where nothing is there. 0, or the exit code after a message. */
int program_find(program *p, const code_place *at, piece name, place_set *found);

/* The call through one of the values that begins at the place, or shortly before it: a call begins
 * where what is called does, `o` of o->run(). false: there is none. */
bool program_call(const program *p, const code_place *at, const place_set *values, uint32_t *call);
/* The call by name that begins there: its callee, a function, or 0. */
uint32_t program_called(const program *p, const code_place *at);
/* The function that is defined, or declared first, there; 0: none. */
uint32_t program_function(const program *p, const code_place *at);

/* The edges of calls, made when they are needed first: O(calls * what they may enter). 0, or the
 * exit code after a message. */
int program_make_calls(program *p);

/* A file of the graph as it really is; itself where it is not there. */
const char *program_real(const program *p, const char *name);

#endif
