/* SPDX-License-Identifier: Apache-2.0
 *
 * cli.h: what the commands of `cflr` share. This room alone prints; it uses the public headers
 * only.
 *
 * A command is one file cmd_<name>.c with one option table; help, man page synopsis and completion
 * follow from the table. Results go to standard output or -o, everything else to standard error.
 */
#ifndef CFLR_CLI_H
#define CFLR_CLI_H

#include <jansson.h>
#include <popt.h>
#include <stdbool.h>
#include <stdio.h>

#include "cflr/cflr.h"

/* Exit codes that are not a status; the others are cflr_status_exit_code. */
enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 70 };

/* ---- options that every command has (options.c) ---- */

typedef struct common_options {
    int threads;
    char *memory;
    char *time;
    char *format;
    char *output;
    int quiet;
    int verbose;
} common_options;

extern common_options common;
extern struct poptOption common_table[];

/* The last entries of every command's table. */
#define COMMON_OPTIONS                                                              \
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, common_table, 0, "Common options:", NULL}, \
        POPT_AUTOHELP POPT_TABLEEND

/* ---- commands ---- */

typedef struct cli_arguments {
    const char **operand; /* what is left after the options */
    int n_operands;
    const char **flag; /* what follows "--" */
    int n_flags;
} cli_arguments;

typedef struct command {
    const char *name;
    const char *operands; /* for the usage line: "GRAPH" */
    const char *summary;  /* for `cflr help` */
    struct poptOption *options;
    int min_operands, max_operands; /* max -1: any number */
    bool takes_flags;               /* compiler flags after "--" */
    int (*run)(const cli_arguments *arguments);
} command;

extern const command command_analyze, command_convert, command_extract, command_grammar,
    command_info, command_query, command_solve;
extern const command *const commands[];

/* ---- the run (session.c) ---- */

/* Makes the context from the common options. Called by each command once its own options are
 * checked, so that usage errors come first. */
int session_begin(void); /* 0, or the exit code after a message */
cflr_context *session(void);
void session_end(void);
bool wants_json(void);

/* "-" unless -o was given. */
const char *output_path(void);
/* What -o named has been written: what follows goes to standard output. */
void forget_output(void);
/* Standard output, or the file of -o; closed by finish_output, which returns the exit code to use:
 * `code`, or 3 or 5 when the output could not be written. */
FILE *open_output(void);
int finish_output(FILE *file, int code);

/* Prints the object to the output with sorted keys kept as made, and frees it. */
int print_json(json_t *object, int code);

/* ---- messages (message.c): always to standard error ---- */

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Silent with -q. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error with its place, for text input also the line and a caret; returns its exit code.
 */
int fail(const cflr_error *error);
/* "cflr: ..." and a hint at --help; returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The candidate nearest to `word` if one is near enough to be meant, else NULL. */
const char *nearest(const char *word, const char *const *candidates, size_t n);

/* ---- progress (progress.c) ---- */

bool show_progress(void *user, const cflr_progress *progress);
void clear_progress(void);

/* ---- text (text.c) ---- */

/* "16G", "512M", "1.5G", "4096"; false when it is no size. */
bool parse_size(const char *text, uint64_t *bytes);
/* "90", "90s", "10m", "2h"; false when it is no duration. */
bool parse_duration(const char *text, double *seconds);
/* "file.c:12:5 name" for a vertex, or its number when nothing is known. `buffer` has `size` bytes.
 */
const char *vertex_text(const cflr_graph *graph, uint32_t vertex, char *buffer, size_t size);
json_t *vertex_json(const cflr_graph *graph, uint32_t vertex);

/* ---- shared steps of commands (steps.c) ---- */

typedef struct cli_loading {
    cflr_graph *graph;
    cflr_grammar *grammar;
    cflr_result *result;
    double seconds_load, seconds_write;
} cli_loading;

void loading_free(cli_loading *loading);
/* Prints the warnings of a grammar, unless -q. */
void print_diagnostics(const cflr_grammar *grammar, const char *subject);
/* The solve object of docs/json.md. */
json_t *solve_json(const cli_loading *loading);
double seconds_now(void);

#endif
