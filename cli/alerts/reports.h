/* SPDX-License-Identifier: Apache-2.0
 *
 * reports.h: the files that a run of `cflr check` writes for pipelines.
 */
#ifndef CFLR_CLI_ALERTS_REPORTS_H
#define CFLR_CLI_ALERTS_REPORTS_H

#include "cli/alerts/alerts.h"

extern struct poptOption reports_table[];
#define REPORTS_OPTIONS OPTION_TABLE(reports_table, "What to write besides:")

/* Can they be written? 0, or the exit code after a message. Where one is standard output, what else
 * would go there goes nowhere. */
int reports_check(void);
/* Writes them. The exit code to use: `code`, or that of a failure. */
int reports_write(const alerts *a, int code);

/* ---- one format each ---- */

void sarif_write(FILE *file, const alerts *a);
void code_quality_write(FILE *file, const alerts *a);
void markdown_write(FILE *file, const alerts *a);
void html_write(FILE *file, const alerts *a);

/* Is it in the reports: asked for, not suppressed, and with a place that a pipeline knows? */
bool is_reported(const alert *a);
/* How many have no such place, though they are asked for and not suppressed. */
size_t count_placeless(const alerts *a);

#endif
