/* SPDX-License-Identifier: Apache-2.0
 *
 * verdict.h: verdicts on checks in the source, told to people and as JSON.
 */
#ifndef CFLR_CLI_ANALYZE_VERDICT_H
#define CFLR_CLI_ANALYZE_VERDICT_H

#include "cli/alerts/alerts.h"
#include "cli/answer/member.h"
#include "cli/run/writer.h"

/* A verdict, and what is printed of its objects besides. */
typedef struct verdict {
    const cflr_check *check;
    cflr_verdict says;
    members members[2]; /* of those that the two arguments point to */
    const alert *alert; /* NULL: it has passed */
} verdict;

/* 0, or the exit code after a message; to be freed in both cases. */
int verdict_make(const cflr_result *result, const cflr_check *check, cflr_apart *apart, verdict *v);
void verdict_free(verdict *v);

/* What was expected and found, in one line without its place, to be freed; NULL when memory is
 * refused. */
char *verdict_text(const verdict *v, const cflr_graph *graph);

/* Is it not known whether the check holds? */
bool verdict_unknown(const verdict *v);

/* Rows are of type verdict, with their graph in common: a line, or a member of `checks` in
 * docs/reference/json.md. */
extern const row_kind verdict_rows;

#endif
