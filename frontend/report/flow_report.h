/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_report.h: where the edges of a graph are stated, for the report.
 */
#ifndef CFLRI_FLOW_REPORT_H
#define CFLRI_FLOW_REPORT_H

#include "frontend/program/link.h"
#include "frontend/report/report.h"

/* Adds the places that emission has left in the program, sorted by edge. To be called once. O(n log
 * n). */
cflr_status cflri_report_flows(cflr_extract_report *report, const cflri_program *program,
                               cflr_error *error);

#endif
