/* SPDX-License-Identifier: Apache-2.0
 *
 * generate.h: what the kinds of generated graphs share.
 *
 * A kind is one function that draws a graph into a sketch. The graph is a function of kind,
 * vertices, seed and the kind's own number only: all arithmetic is on integers, so that every
 * machine and compiler draws the same one. bench/generate/check.py holds digests that say so.
 */
#ifndef BENCH_GENERATE_GENERATE_H
#define BENCH_GENERATE_GENERATE_H

#include <cflr/cflr.h>

#include "bench/generate/draw.h"

/* A graph being drawn. After a failure nothing is added any more, and `status` stays: kinds do not
 * look at it, they are short of work soon anyway. */
typedef struct sketch {
    draw random;
    uint32_t vertices; /* that the graph must have: the last one must get an edge */
    uint64_t number;   /* the kind's own option */
    cflr_graph_builder *builder;
    cflr_status status;
    cflr_error error;
} sketch;

void sketch_edge(sketch *s, uint32_t source, uint32_t target, uint32_t label);

/* The number of a label without an index, and of one whose index is a number. */
uint32_t sketch_label(sketch *s, const char *name);
uint32_t sketch_indexed(sketch *s, const char *name, uint32_t index);

/* A table of `n` elements of `size` bytes, freed with free(); NULL after a failure. */
void *sketch_table(sketch *s, uint64_t n, size_t size);

/* Puts down a failure of the caller's arguments. */
__attribute__((format(printf, 2, 3))) void sketch_refuse(sketch *s, const char *format, ...);

typedef void sketch_kind(sketch *s);

sketch_kind sketch_pointers, sketch_valueflow, sketch_dataflow, sketch_dyck;
sketch_kind sketch_pa_psql, sketch_pa_httpd, sketch_fpa_hdfs, sketch_dfa_linux;
sketch_kind sketch_chain, sketch_grid, sketch_clique, sketch_random;

#endif
