/* SPDX-License-Identifier: Apache-2.0
 *
 * uncalled_report.h: functions that nothing enters, with their vertices, for the report.
 */
#ifndef CFLRI_UNCALLED_REPORT_H
#define CFLRI_UNCALLED_REPORT_H

#include "frontend/contexts/clone.h"
#include "frontend/report/report.h"

/* Adds them, by their first vertices, where places are kept. To be called once. O(functions + calls
 * + copies of functions). */
cflr_status cflri_report_uncalled(cflr_extract_report *report, const cflri_contexts *contexts,
                                  cflr_error *error);

#endif
