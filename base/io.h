/* SPDX-License-Identifier: Apache-2.0
 *
 * io.h: the table of graph formats, one reader and one writer each in io_<format>.c.
 *
 * Readers get the whole unpacked input and feed a builder; they never trust a byte. Writers get a
 * frozen graph. A format is added by one file, one line in the table of io.c, one damaged file in
 * tests/bad and one line in the fuzz target.
 */
#ifndef CFLRI_IO_H
#define CFLRI_IO_H

#include "base/graph.h"
#include "base/stream.h"

typedef struct cflri_format {
    cflr_graph_format format;
    /* How sure is this format that `data` is its own, 0 (no) to 100? Looks at the first lines only. */
    int (*recognise)(const char *data, size_t size);
    /* NULL: cannot be read. */
    cflr_status (*read)(cflr_context *context, const char *data, size_t size, const char *subject,
                        cflr_graph **graph, cflr_error *error);
    /* NULL: cannot be written. */
    cflr_status (*write)(const cflr_graph *graph, cflri_output *output, cflr_error *error);
} cflri_format;

/* Sections of a graph inside a container (used by .cflg and .cflr alike). */
struct cflri_section;
cflr_status cflri_graph_write_sections(const cflr_graph *graph, cflri_output *output,
                                       cflr_error *error);
cflr_status cflri_graph_read_sections(cflr_context *context, const struct cflri_section *sections,
                                      size_t count, const char *subject, cflr_graph **graph,
                                      cflr_error *error);

#endif
