/* SPDX-License-Identifier: Apache-2.0
 *
 * indexed.h: adjacency with an index by label: the rows of each vertex, one a label.
 *
 *     of[v]:   | a, row | f[8], row | V, row |          a directory of the labels that v has
 *
 * A directory holds only labels that the vertex has: up to 16 in an array that is searched from end
 * to end, more in an open-addressing table. So tens of thousands of labels cost what their edges
 * cost. Rows keep their address.
 */
#ifndef CFLRI_INDEXED_H
#define CFLRI_INDEXED_H

#include "engine/closure/hashed_row.h"

typedef struct cflri_label_row {
    uint32_t label;
    cflri_hashed_row *row;
} cflri_label_row;

typedef struct cflri_directory {
    cflri_label_row *at;
    uint32_t n;
    uint32_t capacity;
} cflri_directory;

typedef struct cflri_indexed {
    cflri_directory *of; /* one a vertex; the caller's, perhaps shared by several partitions */
    size_t row_size;     /* of a struct that begins with a cflri_hashed_row */
    cflri_arena rows;
    cflri_pool directories;
    cflri_hashed_row_store store;
} cflri_indexed;

void cflri_indexed_init(cflri_indexed *indexed, cflr_context *context, cflri_directory *of,
                        uint32_t n_vertices, size_t row_size);
void cflri_indexed_free(cflri_indexed *indexed);

/* The row of a label, or NULL. */
cflri_hashed_row *cflri_directory_find(const cflri_directory *directory, uint32_t label);

/* Goes through a directory: the row at *at or after it, *at moved past it; NULL at the end. */
cflri_hashed_row *cflri_directory_next(const cflri_directory *directory, uint32_t *at);

/* The row of label and vertex; an empty one, what follows it zero bytes, when there was none. NULL
 * when memory is refused. */
cflri_hashed_row *cflri_indexed_make(cflri_indexed *indexed, uint32_t label, uint32_t vertex);

#endif
