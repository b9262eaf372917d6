/* SPDX-License-Identifier: Apache-2.0
 *
 * finding_print.h: findings of rules, told to people and as JSON (docs/reference/rules.md,
 * docs/reference/json.md).
 */
#ifndef CFLR_CLI_ANALYZE_FINDING_PRINT_H
#define CFLR_CLI_ANALYZE_FINDING_PRINT_H

#include "cli/alerts/alerts.h"
#include "cli/run/writer.h"

/* The findings of a run have this in common. */
typedef struct told_findings {
    const cflr_graph *graph;
    const alert *list; /* one for each finding, in their order */
    bool grouped;      /* those of one source are one */
} told_findings;

/* Finds out which of n findings lead, once they are judged. 0, or the exit code after a message. */
int findings_group(alert *list, size_t n);

/* Does text tell this finding by itself, and not as one more place of another? */
bool finding_is_told(const told_findings *of, const alert *a);

/* Rows are of type alert, each with a finding, and told_findings in common. Text tells some, JSON
 * all. */
extern const row_kind finding_rows;

#endif
