/* SPDX-License-Identifier: Apache-2.0
 *
 * io_plain.h: formats of graphs without labels. A reader hands each edge to a sink, which makes a
 * labelled graph (cflri_plain_graph) or rows with weights (csr_read.c) of it.
 */
#ifndef CFLRI_IO_PLAIN_H
#define CFLRI_IO_PLAIN_H

#include "base/formats/io.h"

struct cflri_edge_sink {
    void *user;
    /* The edge of the scan's current line; an undirected one is handed over both ways, the other
     * way second. `weight` is the number of the field with its weight, spelled like a real number,
     * or 0. */
    cflr_status (*edge)(void *user, const cflri_scan *scan, uint32_t source, uint32_t target,
                        unsigned weight);
    uint64_t n_vertices; /* set by the reader */
};

/* Reads with label e; weights are dropped. */
cflr_status cflri_plain_graph(cflr_context *context, cflri_plain_reader *reader, cflri_field text,
                              const char *subject, cflr_graph **graph, cflr_error *error);

/* Looks at the clock now and then. */
cflr_status cflri_plain_tick(cflr_context *context, const cflri_scan *scan);

#endif
