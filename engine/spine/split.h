/* SPDX-License-Identifier: Apache-2.0
 *
 * split.h: the distribution of a graph: by targets into slices, or by sources into partitions.
 *
 *     ids:      0 .......... 16384 .......... 32768 ..... 40000
 *     slice:    |     0      |       1        |     2     |         3 slices, grain 8192
 *
 * A slice is a range of targets: for every row, the ids that lie in it (place.h). Borders are
 * multiples of a grain. With CFLRI_SPLIT_GRAIN a child of the root of a set's tree lies in one
 * slice, so the parts of a set are shared as those of the whole set would be.
 */
#ifndef CFLRI_SPLIT_H
#define CFLRI_SPLIT_H

#include <stdint.h>

enum { CFLRI_SPLIT_GRAIN = 8192 };

typedef struct cflri_split {
    uint32_t universe; /* ids are below this */
    uint32_t slices;
    uint32_t width; /* ids of a slice; the last slices may have fewer, or none */
} cflri_split;

/* One of the slices: ids from `first` to before `end`. */
typedef struct cflri_slice {
    uint32_t self;
    uint32_t first, end;
} cflri_slice;

static inline cflri_split cflri_split_of(uint32_t universe, uint32_t slices, uint32_t grain) {
    uint64_t share = ((uint64_t)universe + slices - 1) / slices;
    uint64_t width = (share + grain - 1) / grain * grain;
    return (cflri_split){universe, slices, (uint32_t)(width < universe ? width : universe)};
}

static inline cflri_slice cflri_split_slice(cflri_split split, uint32_t self) {
    uint64_t first = (uint64_t)split.width * self, end = first + split.width;
    if (first > split.universe) first = split.universe;
    if (end > split.universe || self + 1 == split.slices) end = split.universe;
    return (cflri_slice){self, (uint32_t)first, (uint32_t)end};
}

/* Returns the slice of an id. */
static inline uint32_t cflri_split_owner(cflri_split split, uint32_t id) {
    return id / split.width;
}

/* By source: blocks of 2^shift vertices, assigned to the partitions in turn. Neighbours mostly
 * share a block and so an owner. There are many blocks for each partition, so that the busy parts
 * of a graph spread over all of them. */
typedef struct cflri_source_split {
    uint32_t parts;
    uint32_t shift;
} cflri_source_split;

static inline cflri_source_split cflri_source_split_of(uint32_t n_vertices, uint32_t parts) {
    enum { BLOCKS_A_PART = 32 };
    cflri_source_split split = {.parts = parts};
    uint64_t blocks = (uint64_t)parts * BLOCKS_A_PART;
    while (split.shift < 31 && (blocks << (split.shift + 1)) <= n_vertices) split.shift++;
    return split;
}

static inline uint32_t cflri_source_owner(cflri_source_split split, uint32_t vertex) {
    return split.parts == 1 ? 0 : (vertex >> split.shift) % split.parts;
}

#endif
