/* SPDX-License-Identifier: Apache-2.0
 *
 * coverage.h: what summaries are missing, and which of the user's are of no use.
 */
#ifndef CFLRI_COVERAGE_H
#define CFLRI_COVERAGE_H

#include "frontend/program/link.h"
#include "frontend/report/report.h"

/* Adds to the report each function that the closed program uses and that has neither body nor
 * summary, and a note for each of the user's summaries that says nothing about it. */
cflr_status cflri_report_coverage(cflr_extract_report *report, const cflri_program *program,
                                  cflr_error *error);

#endif
