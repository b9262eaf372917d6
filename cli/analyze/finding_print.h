/* SPDX-License-Identifier: Apache-2.0
 *
 * finding_print.h: findings of rules, told to people and as JSON (docs/reference/rules.md,
 * docs/reference/json.md).
 */
#ifndef CFLR_CLI_ANALYZE_FINDING_PRINT_H
#define CFLR_CLI_ANALYZE_FINDING_PRINT_H

#include "cflr/findings.h"
#include "cli/run/writer.h"

/* The findings of a run have this in common. */
typedef struct told_findings {
    const cflr_findings *found;
    const cflr_graph *graph;
    bool all; /* else the likely ones, one for each cause */
} told_findings;

/* Does text tell this finding? */
bool finding_is_told(const told_findings *of, const cflr_finding *f);

/* Rows are of type cflr_finding, with told_findings in common. Text tells some, JSON all. */
extern const row_kind finding_rows;

#endif
