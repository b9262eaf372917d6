/* SPDX-License-Identifier: Apache-2.0
 *
 * cache_program.h: the file form of a whole program in the cache: its graph and its report.
 */
#ifndef CFLRI_CACHE_PROGRAM_H
#define CFLRI_CACHE_PROGRAM_H

#include "base/digest.h"
#include "base/files/container.h"
#include "frontend/report/report.h"

/* The results of an extraction. */
typedef struct cflri_extracted {
    cflr_graph *graph;
    cflr_extract_report *report;
} cflri_extracted;

/* The report need not be sorted yet. */
cflr_status cflri_extracted_write(cflr_context *context, cflri_output *output, cflri_digest key,
                                  const cflri_extracted *extracted, cflr_error *error);

/* Makes graph and report, or neither: CFLR_FORMAT or CFLR_UNSUPPORTED for bytes that are no program
 * of this key. */
cflr_status cflri_extracted_read(cflr_context *context, const void *data, size_t size,
                                 cflri_digest key, cflri_extracted *extracted, cflr_error *error);

#endif
