/* SPDX-License-Identifier: Apache-2.0
 *
 * graph.h (internal): the frozen label graph.
 *
 *     labels    0: a        1: d        2: f[8]      3: f[16]        (name, index) -> number
 *     out[l]    relation of label l, rows by source
 *     in[l]     the same pairs, rows by target
 *     sources   one record a vertex: kind, name, type, function, file, line, column, context
 *     mentions  (file, line, name) -> vertex, sorted: how "file.c:42:p" is found
 */
#ifndef CFLRI_GRAPH_H
#define CFLRI_GRAPH_H

#include "base/intern.h"
#include "base/relation.h"
#include "base/vec.h"
#include "cflr/graph.h"

/* Labels in order of first use; (name, index) are string ids, index 0 ("") for a plain label. */
typedef struct cflri_label {
    uint32_t name;
    uint32_t index;
} cflri_label;

/* String ids in the graph's table. 32 bytes, written to .cflg as it is. */
typedef struct cflri_source {
    uint32_t kind;
    uint32_t name;
    uint32_t type;
    uint32_t function;
    uint32_t file;
    uint32_t context;
    uint32_t line;
    uint32_t column;
} cflri_source;

typedef struct cflri_mention {
    uint32_t file;
    uint32_t line;
    uint32_t name;
    uint32_t vertex;
} cflri_mention;

struct cflr_graph {
    cflr_context *context;
    uint32_t n_vertices;
    uint32_t n_labels;
    uint64_t n_edges;
    cflri_label *label;
    cflri_relation *out;
    cflri_relation *in;
    cflri_strings strings;
    cflri_source *source; /* n_vertices, or NULL */
    uint64_t n_mentions;
    cflri_mention *mention; /* sorted, no duplicates; may be NULL */
};

#endif
