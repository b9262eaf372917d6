/* SPDX-License-Identifier: Apache-2.0
 *
 * set_io.h: sets of targets in a .cflr file. Only engine/results uses it.
 */
#ifndef CFLRI_SET_IO_H
#define CFLRI_SET_IO_H

#include "base/files/container.h"
#include "base/graph/relation.h"
#include "engine/sets/stored_sets.h"

/* What the file says of its sets. */
typedef struct cflri_set_counts {
    uint32_t n_sets, n_nodes;
} cflri_set_counts;

cflr_status cflri_result_damaged(const char *subject, const char *what, cflr_error *error);

/* Is there memory for so many bytes that make a file smaller, beside that which writing needs? */
bool cflri_spares(const cflr_context *context, uint64_t bytes);

typedef struct cflri_set_writer cflri_set_writer;

/* Writes sections to `output`, which the caller owns. */
cflr_status cflri_set_writer_new(cflr_context *context, cflri_output *output,
                                 cflri_set_writer **writer, cflr_error *error);
void cflri_set_writer_free(cflri_set_writer *writer);
/* Writes the targets of a row, which has some, unless an equal set was written; with `plain`, none
 * is looked for. *number becomes the number of the set: sets are numbered from 0 as they are
 * written. */
cflr_status cflri_set_writer_put(cflri_set_writer *writer, const cflr_row *row, bool plain,
                                 uint32_t *number, cflr_error *error);
/* Writes what is left to be written. */
cflr_status cflri_set_writer_end(cflri_set_writer *writer, cflri_set_counts *counts,
                                 cflr_error *error);

/* Reads the sets of targets below n_vertices. Set i of the file gets the number
 * cflri_read_set(stored, i). The counts are not believed. Freed with stored->sets.free. */
cflr_status cflri_sets_read(cflr_context *context, const cflri_section *sections, size_t n_sections,
                            const cflri_set_counts *counts, uint32_t n_vertices,
                            const char *subject, cflri_stored_sets **stored, cflr_error *error);
/* Also gives the number of targets. */
uint32_t cflri_read_set(const cflri_stored_sets *stored, uint32_t i, uint32_t *n_targets);

#endif
