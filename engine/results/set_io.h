/* SPDX-License-Identifier: Apache-2.0
 *
 * set_io.h: sets of targets in a .cflr file. Only engine/results uses it.
 */
#ifndef CFLRI_SET_IO_H
#define CFLRI_SET_IO_H

#include "base/files/container.h"
#include "base/graph/relation.h"
#include "engine/sets/set_writer.h"
#include "engine/sets/stored_sets.h"

cflr_status cflri_result_damaged(const char *subject, const char *what, cflr_error *error);

/* Reads the sets of targets below n_vertices. Set i of the file gets the number
 * cflri_read_set(stored, i). The counts are not believed. Freed with stored->sets.free. */
cflr_status cflri_sets_read(cflr_context *context, const cflri_section *sections, size_t n_sections,
                            const cflri_set_counts *counts, uint32_t n_vertices,
                            const char *subject, cflri_stored_sets **stored, cflr_error *error);
/* Also gives the number of targets. */
uint32_t cflri_read_set(const cflri_stored_sets *stored, uint32_t i, uint32_t *n_targets);

#endif
