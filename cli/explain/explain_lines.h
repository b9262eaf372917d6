/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_lines.h: the lines of an explanation, and how a long one is shortened.
 */
#ifndef CFLR_CLI_EXPLAIN_EXPLAIN_LINES_H
#define CFLR_CLI_EXPLAIN_EXPLAIN_LINES_H

#include "cli/run/run.h"

enum { INDENT = 4 }; /* of the first lines, and from reasons to reasons of these */

typedef struct told_line {
    size_t end; /* behind its text */
    int indent;
    const char *copies_in; /* of a step that only copies: the function, "" for none; else NULL */
} told_line;

typedef struct told_lines {
    FILE *file;     /* where the text of the next line is printed to */
    size_t deepest; /* reasons that stand further inside are only named */
    char *text;
    size_t size;
    told_line *line;
    size_t n, capacity;
    bool failed; /* memory was refused */
} told_lines;

/* Are reasons with this indent to be printed? */
bool tells_reason(const told_lines *to, int indent);

/* Ends a line, whose text has been printed. */
void end_line(told_lines *to, int indent);
/* The same of a step that only copies a value, in a function of this name, which lives as long as
 * the lines do. */
void end_copy(told_lines *to, int indent, const char *function);

/* Prints lines to *to, whose `deepest` says how far: 0, or the exit code after a message. It may be
 * called several times, and does the same each time but for that. */
typedef int tell_lines(const void *of, told_lines *to);

/* Tells all of them, or with `all` not set and more than fit on a screen the shortened form. 0, or
 * the exit code after a message. */
int print_lines(FILE *file, bool all, tell_lines *tell, const void *of);

#endif
