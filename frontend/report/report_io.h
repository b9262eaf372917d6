/* SPDX-License-Identifier: Apache-2.0
 *
 * report_io.h: the report of a program as bytes, and back.
 */
#ifndef CFLRI_REPORT_IO_H
#define CFLRI_REPORT_IO_H

#include "frontend/facts/buffer.h"
#include "frontend/report/report.h"

/* Appends the report, but for what is of the list of units (cflri_report_units), of the rules
 * (cflri_report_rules) or of this run, not of the program. It need not be sorted yet. False when
 * memory is refused. */
bool cflri_report_write(const cflr_extract_report *report, cflri_buffer *to);

/* Adds to a new report what cflri_report_write wrote. CFLR_FORMAT for anything else, or for checks
 * and flows of vertices that are not below n_vertices. */
cflr_status cflri_report_read(cflr_extract_report *report, const void *data, size_t size,
                              uint64_t n_vertices, cflr_error *error);

#endif
