/* SPDX-License-Identifier: Apache-2.0
 *
 * analysis.h: this program, run to make the result and the report that are served.
 */
#ifndef CFLR_CLI_SERVE_ANALYSIS_H
#define CFLR_CLI_SERVE_ANALYSIS_H

#include <limits.h>
#include <sys/types.h>
#include <time.h>

#include "cli/run/run.h"

struct server;

typedef enum analysis_stage {
    STAGE_NONE,    /* nothing runs */
    STAGE_ANALYZE, /* `cflr analyze` does */
    STAGE_CHECK,   /* `cflr check` does */
} analysis_stage;

/* Zero bytes and a file are one of a result that is given. */
typedef struct analysis {
    const char *given;    /* a result that is only read, and read anew when it changes; or NULL */
    const char *database; /* of -p; NULL: the nearest one */
    char directory[PATH_MAX];
    analysis_stage stage;
    pid_t child;
    int messages; /* what it prints; -1: its end */
    char *line;   /* of that, which has no end yet */
    size_t n_line, line_capacity;
    char *failure;         /* the last line that is no warning */
    char *told;            /* the failure that was shown last */
    struct timespec begun; /* when the analysis that runs began */
    bool wanted;           /* one more */
    double due;            /* when it begins, seconds_now */
    double looked;         /* when the given file was looked at */
    struct timespec made;  /* of the given file, as it was read, or refused */
    off_t size;
    ino_t number;
    int token; /* of $/progress: how many there were */
    bool token_known, token_shown;
} analysis;

/* Finds where results are kept, once there is a root, and loads the last one. */
void analysis_begin(struct server *s);
/* Something has changed: an analysis begins in a moment, when none runs. */
void analysis_want(struct server *s, double delay);
/* The client has answered that it shows progress, or not. */
void analysis_progress_answered(struct server *s, const json_t *message);
/* What is to be done by now; how many milliseconds from now to do it again. */
int analysis_step(struct server *s);
/* Reads what the child has printed. */
void analysis_read(struct server *s);
/* Ends the child. */
void analysis_end(struct server *s);

#endif
