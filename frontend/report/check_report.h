/* SPDX-License-Identifier: Apache-2.0
 *
 * check_report.h: the checks of a program, for the report.
 */
#ifndef CFLRI_CHECK_REPORT_H
#define CFLRI_CHECK_REPORT_H

#include "frontend/contexts/clone.h"
#include "frontend/report/report.h"

/* Adds the checks of the program, sorted, with the vertices that they have in each instance of
 * their function. To be called once. O(instances + checks * (log + copies)). */
cflr_status cflri_report_checks(cflr_extract_report *report, const cflri_contexts *contexts,
                                cflr_error *error);

/* Gives the checks of the report, which are sorted, their fingerprints. O(checks * log). */
cflr_status cflri_report_fingerprints(cflr_extract_report *report, cflr_error *error);

#endif
