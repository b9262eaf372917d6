/* SPDX-License-Identifier: Apache-2.0
 *
 * parts.h: several linkable graphs become one list of units.
 *
 *     cflri_parts_open
 *     cflri_parts_units       the list, as one extraction of all would have it
 *     cflri_parts_report
 */
#ifndef CFLRI_PARTS_H
#define CFLRI_PARTS_H

#include "frontend/report/report.h"
#include "frontend/store/linkable.h"

typedef struct cflri_parts {
    cflr_context *context;
    cflri_part *at; /* in the order of the paths */
    size_t n;
    cflri_inclusions files;  /* of all parts, each as the first part that has it read it */
    cflri_numbers file_part; /* by file: that part */
} cflri_parts;

/* Opens all files: as cflri_part_open, and CFLR_FORMAT when their units were not read in the same
 * way. `paths` must outlive the parts. Close them also when this fails. */
cflr_status cflri_parts_open(cflr_context *context, const char *const *paths, size_t n,
                             cflri_parts *parts, cflr_error *error);
void cflri_parts_close(cflri_parts *parts);

/* Lists the units, each once; of `opts` the targets are looked at. CFLR_FORMAT: a unit that two
 * parts read at different states; CFLR_NOT_FOUND: a target is not there. On failure *units is
 * empty. The parts must outlive the units. */
cflr_status cflri_parts_units(const cflri_parts *parts, const cflr_extract_opts *opts,
                              cflri_units *units, cflr_error *error);

/* Notes of files that two parts read at different states. */
cflr_status cflri_parts_report(const cflri_parts *parts, cflr_extract_report *report,
                               cflr_error *error);

#endif
