/* SPDX-License-Identifier: Apache-2.0
 *
 * lines.h: line and column of an offset in a file.
 */
#ifndef CFLRI_LINES_H
#define CFLRI_LINES_H

#include "base/vec.h"

/* Zero bytes are valid: a file that was not looked at. */
typedef struct cflri_lines {
    const char *text;          /* not owned */
    CFLRI_VEC(uint32_t) start; /* offset at which each line begins */
    size_t last;               /* the line that was asked for last, from 0 */
} cflri_lines;

/* Finds the lines of a text, which must stay; false when memory is refused. */
bool cflri_lines_make(cflr_context *context, cflri_lines *lines, const char *text, size_t size);
void cflri_lines_free(cflr_context *context, cflri_lines *lines);

/* Both count from 1. An offset behind the end belongs to the last line. */
void cflri_lines_find(cflri_lines *lines, uint32_t offset, uint32_t *line, uint32_t *column);

#endif
