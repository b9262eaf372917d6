/* SPDX-License-Identifier: Apache-2.0
 *
 * partition.h: what is kept for a share of the vertices: rows by source, lists by target, and
 * which rows have pairs that are not joined yet.
 *
 *     vertex:   0    1    2    3    4    5    6    7    ...
 *     owner:    0    0    1    1    0    0    1    1           blocks of vertices dealt out in turn
 *     out:     [dir][dir][dir][dir] ...                        label -> hashed row, one directory
 *     in:      [dir][dir][dir][dir] ...                        label -> list         a vertex
 *     queue:    rows with pending pairs, first in first out
 *
 * A directory holds only labels that the vertex has: up to 16 in an array that is searched from end
 * to end, more in an open-addressing table. So tens of thousands of labels cost what their edges
 * cost. Every pair has one home, the partition of its source; its row there is the only place where
 * it is looked up. Lists hold settled pairs only, and are kept for labels that the plan says are
 * read by target.
 */
#ifndef CFLRI_PARTITION_H
#define CFLRI_PARTITION_H

#include "base/vec.h"
#include "engine/closure/pairs/plan.h"
#include "engine/closure/rows/hashed_row.h"

typedef struct cflri_entry {
    uint32_t label;
    uint32_t id; /* of a row or a list */
} cflri_entry;

typedef struct cflri_directory {
    cflri_entry *at;
    uint32_t n;
    uint32_t capacity;
} cflri_directory;

/* Sources that reach one target along a label. */
typedef struct cflri_list {
    uint32_t count;
    uint32_t class; /* of the pool; CFLRI_LIST_INSIDE while `few` is used */
    union {
        uint32_t few[2];
        uint32_t *items;
    };
} cflri_list;

#define CFLRI_LIST_INSIDE UINT32_MAX

/* Structs that keep their address, by number. */
typedef struct cflri_table {
    CFLRI_VEC(char *) chunk;
    uint32_t n;
} cflri_table;

enum { CFLRI_CHUNK_LOG2 = 10 };

/* How vertices are dealt out. Neighbours mostly share a block and so an owner; there are many
 * blocks for each partition, so that the busy parts of a graph spread over all of them. */
typedef struct cflri_deal {
    uint32_t parts;
    uint32_t shift; /* blocks of 2^shift vertices */
} cflri_deal;

cflri_deal cflri_deal_out(uint32_t n_vertices, uint32_t parts);

static inline uint32_t cflri_owner(cflri_deal deal, uint32_t vertex) {
    return deal.parts == 1 ? 0 : (vertex >> deal.shift) % deal.parts;
}

typedef struct cflri_partition {
    cflr_context *context;
    const cflri_plan *plan;
    cflri_deal deal;
    uint32_t self;
    cflri_directory *out; /* one a vertex; shared, each used by the owner of its vertex only */
    cflri_directory *in;
    cflri_table rows;
    cflri_table lists;
    cflri_hashed_row_store store;
    cflri_pool list_items;
    cflri_pool directories;
    CFLRI_VEC(cflri_hashed_row *) queue;
    size_t queue_head;
    uint64_t pairs;  /* in rows, reflexive ones of nullable symbols without a row left out */
    uint64_t copies; /* pairs that relations will hold for these: twice where there is a mirror */
} cflri_partition;

/* An empty partition without directories, which the caller then sets. */
void cflri_partition_init(cflri_partition *part, const cflri_plan *plan, uint32_t n_vertices);
void cflri_partition_free(cflri_partition *part);

/* Frees what only solving needs; rows and their directories stay. */
void cflri_partition_end_solving(cflri_partition *part);
/* Bytes that cflri_partition_end_solving would free, about. */
uint64_t cflri_partition_solving_bytes(const cflri_partition *part);

static inline bool cflri_partition_owns(const cflri_partition *part, uint32_t vertex) {
    return cflri_owner(part->deal, vertex) == part->self;
}

static inline cflri_hashed_row *cflri_partition_row(const cflri_partition *part, uint32_t id) {
    cflri_hashed_row *chunk =
        (cflri_hashed_row *)(void *)part->rows.chunk.at[id >> CFLRI_CHUNK_LOG2];
    return chunk + (id & (((uint32_t)1 << CFLRI_CHUNK_LOG2) - 1));
}

static inline cflri_list *cflri_partition_list(const cflri_partition *part, uint32_t id) {
    cflri_list *chunk = (cflri_list *)(void *)part->lists.chunk.at[id >> CFLRI_CHUNK_LOG2];
    return chunk + (id & (((uint32_t)1 << CFLRI_CHUNK_LOG2) - 1));
}

static inline const uint32_t *cflri_list_items(const cflri_list *list) {
    return list->class == CFLRI_LIST_INSIDE ? list->few : list->items;
}

/* The entry of `label`, or NULL. */
const cflri_entry *cflri_directory_find(const cflri_directory *directory, uint32_t label);

/* Adds a label that is not there; false when memory is refused. */
bool cflri_directory_enter(cflri_pool *pool, cflri_directory *directory, uint32_t label,
                           uint32_t id);

/* Goes through a directory: the entry at *at or after it, *at moved past it; NULL at the end. */
const cflri_entry *cflri_directory_next(const cflri_directory *directory, uint32_t *at);

/* The row of an own vertex, made when there is none; NULL when memory is refused. A new row of a
 * nullable label holds its vertex, settled. */
cflri_hashed_row *cflri_partition_make_row(cflri_partition *part, uint32_t label, uint32_t vertex);

/* A row of a fixed label, whose items stay in its relation unless they are few. False when memory
 * is refused. */
bool cflri_partition_fixed_row(cflri_partition *part, uint32_t label, uint32_t vertex,
                               const uint32_t *items, uint32_t n);

/* Adds targets to a row of this partition and queues it when that gave it something to join. */
bool cflri_partition_add(cflri_partition *part, cflri_hashed_row *row, const uint32_t *targets,
                         uint32_t n);

/* Appends to a list of an own vertex. */
bool cflri_partition_append(cflri_partition *part, uint32_t label, uint32_t target,
                            uint32_t source);

/* Puts a row at the end of the queue, unless it is there. */
bool cflri_partition_enqueue(cflri_partition *part, cflri_hashed_row *row);
/* Takes the first row of the queue, which stays marked as queued: whoever works on it clears the
 * mark when it has nothing pending left. NULL when the queue is empty. */
cflri_hashed_row *cflri_partition_dequeue(cflri_partition *part);

#endif
