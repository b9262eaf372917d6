/* SPDX-License-Identifier: Apache-2.0
 *
 * overview.h: what is said of a result as a whole.
 */
#ifndef CFLR_CLI_REPORT_OVERVIEW_H
#define CFLR_CLI_REPORT_OVERVIEW_H

#include "cli/report/report.h"

/* Once rows are chosen: warns if not all are shown. */
void overview_warn(const result_page *r);
/* Members of the page's object, without braces; all else is written by then. */
void overview_put(FILE *file, const result_page *r);

#endif
