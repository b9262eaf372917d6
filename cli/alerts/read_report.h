/* SPDX-License-Identifier: Apache-2.0
 *
 * read_report.h: reports of earlier runs, read back: SARIF of any tool, and baselines.
 */
#ifndef CFLR_CLI_ALERTS_READ_REPORT_H
#define CFLR_CLI_ALERTS_READ_REPORT_H

#include "cli/alerts/baseline.h"

/* What a report says of one alert. Texts belong to the report. */
typedef struct reported {
    const char *tool, *rule, *uri, *text, *level; /* "" where the report has none */
    const char *state;                            /* beside a baseline: "new", "unchanged" ... */
    const char *help;                             /* an address that tells about the rule */
    uint32_t line, column;                        /* 0: likewise */
    json_t *fingerprints;                         /* an object of texts by name; may be NULL */
    json_t *result;                               /* of SARIF: the result */
    bool matched;                                 /* the other report has it, too (cmd_diff.c) */
} reported;

typedef struct report {
    const char *path;
    json_t *sarif;     /* the document; NULL: a baseline */
    baseline baseline; /* else empty */
    reported *list;
    size_t n, capacity;
} report;

/* A place on the path of an alert. */
typedef struct reported_step {
    const char *uri, *text; /* "" where the report has none */
    uint32_t line, column;  /* 0: likewise */
} reported_step;

/* 0, or the exit code after a message: no such file, no report, or one of a run that was stopped
 * early. To be freed in any case. */
int report_read(const char *path, report *r);
void report_free(report *r);

/* Step `i` of the first path of an alert; false: it has no more. */
bool report_step(const reported *r, size_t i, reported_step *step);
/* A message as people read it, in which SARIF escapes braces and what looks like a link; to be
 * freed. Ends the program when memory is refused. */
char *report_plain(const char *text);

#endif
