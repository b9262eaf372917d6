/* SPDX-License-Identifier: Apache-2.0
 *
 * baseline.h: the alerts of an earlier run, as a file that people keep beside the source
 * (docs/reference/pipelines.md, *Baselines*).
 */
#ifndef CFLR_CLI_ALERTS_BASELINE_H
#define CFLR_CLI_ALERTS_BASELINE_H

#include "cli/alerts/alerts.h"

/* One alert of a baseline. Texts belong to the baseline. */
typedef struct baseline_entry {
    const char *rule, *fingerprint, *fingerprint_any_file;
    const char *uri;  /* of the file that it was reported in */
    const char *text; /* function and what was wrong, for people */
    enum {
        BASELINE_UNREAD, /* no alert of this run, which may not have read what it is in */
        BASELINE_THERE,  /* an alert of this run is the same */
        BASELINE_GONE,   /* none is */
        BASELINE_OTHER,  /* of a rule that was not asked for */
    } state;             /* once compared */
} baseline_entry;

typedef struct baseline {
    char **line; /* n_lines of the file, which the entries point into */
    size_t n_lines, line_capacity;
    char *rules;                  /* those that were asked for, with blanks between them */
    bool all;                     /* --findings all */
    uint32_t units, units_faulty; /* then; and not read in full */
    baseline_entry *list;
    size_t n, capacity;
} baseline;

/* Reads a file that was opened under this name; 0, or the exit code after a message. To be freed in
 * any case, as a zeroed one may be. */
int baseline_read(FILE *file, const char *name, baseline *b);
void baseline_free(baseline *b);

/* Is it of what this run looks for? 0, or the exit code after a message. */
int baseline_check(const baseline *b, const char *name, const alerts *a);

/* Marks the alerts that it knows, and tells the state of its entries: gone are those whose file was
 * read, or is no longer there, by a run that was not stopped and has read as many units in full. 0,
 * or the exit code after a message. */
int baseline_compare(baseline *b, alerts *a);
size_t baseline_count(const baseline *b, int state);

/* Writes the alerts that were asked for and are not suppressed, and what the old one has that was
 * not read. The exit code. */
int baseline_write(const char *path, const alerts *a, const baseline *old);

#endif
