/* SPDX-License-Identifier: Apache-2.0
 *
 * suppressions.h: alerts that a person has looked at and that are to be left out
 * (docs/reference/pipelines.md, *Suppressions*).
 *
 *     in C      free(p); // cflr: ignore null -- p is never null here
 *     a file    null third_party/ * -- not our code            (without the blank before the star)
 */
#ifndef CFLR_CLI_ALERTS_SUPPRESSIONS_H
#define CFLR_CLI_ALERTS_SUPPRESSIONS_H

#include "cli/alerts/alerts.h"

/* All texts are its own, but for file. */
typedef struct suppression {
    const char *file; /* of the comment, or of the list */
    uint32_t line;    /* where it stands there */
    char *rules;      /* patterns of names, with one blank between them */
    char *reason;
    uint32_t first, last;  /* of a comment: the lines of its file that it is about */
    char *path, *function; /* in a list: patterns; of a comment NULL */
    bool used;
} suppression;

/* Reads a list of suppressions. 0, or the exit code after a message. */
int suppressions_read(const char *path);

/* Reads the comments of all files that were read, and points each alert
 * to the suppression that it has. 0, or the exit code after a message. */
int suppressions_apply(alerts *a);

/* Warns of rules that are not there, and of each suppression that is about a rule that was asked
 * for and suppresses nothing: not where a part of the program was not read, as the value that it is
 * about may come from there. */
void suppressions_audit(const alerts *a);

/* A list of objects: docs/reference/json.md. */
json_t *suppressions_json(const alerts *a);

void suppressions_free(void);

/* ---- comments (comments.c) ---- */

/* One that was found, and what it is about. Texts end where the length says. */
typedef struct found_comment {
    uint32_t line, first, last;
    const char *rules, *reason;
    size_t n_rules, n_reason; /* bytes */
} found_comment;

/* Calls `found` for each suppression in the comments of a file of C; a mistake in one is warned of.
 * A file that cannot be read has none. 0, or the exit code that `found` returned. */
int comments_scan(const char *path, int (*found)(void *user, const found_comment *comment),
                  void *user);

#endif
