/* SPDX-License-Identifier: Apache-2.0
 *
 * called_report.h: the calls through values of a program, for the report.
 */
#ifndef CFLRI_CALLED_REPORT_H
#define CFLRI_CALLED_REPORT_H

#include "frontend/clone.h"
#include "frontend/report.h"

/* Adds the calls through values, sorted, with the vertices of these in each instance of the caller. To be called once.
 * O(instances + calls * (log + copies)). */
cflr_status cflri_report_called(cflr_extract_report *report, const cflri_contexts *contexts,
                                cflr_error *error);

#endif
