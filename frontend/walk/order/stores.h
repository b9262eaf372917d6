/* SPDX-License-Identifier: Apache-2.0
 *
 * stores.h: what is stored in memory, and tested there at once (stores.c).
 */
#ifndef CFLRI_STORES_H
#define CFLRI_STORES_H

#include "base/vec.h"
#include "frontend/facts/facts.h"

/* A read that may see what was written, and the place that it was written to, in the tree. */
typedef struct cflri_store_read {
    uint32_t e, write;
} cflri_store_read;

/* The node of a value that is written to a place; made by the write or a read, whichever the walk
 * meets first. */
typedef struct cflri_store_node {
    uint32_t write;
    cflri_node stored;
} cflri_store_node;

/* Zero bytes are valid. */
typedef struct cflri_stores {
    CFLRI_VEC(cflri_store_read) reads;
    CFLRI_VEC(cflri_store_node) nodes;
    CFLRI_VEC(uint32_t) seen; /* by block and phase: the write that a way was followed of last */
    CFLRI_VEC(uint32_t) open; /* blocks and phases that are still to be followed */
} cflri_stores;

#endif
