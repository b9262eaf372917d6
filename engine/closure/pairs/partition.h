/* SPDX-License-Identifier: Apache-2.0
 *
 * partition.h: what is kept for a share of the vertices: rows by source, lists by target, and
 * which rows have pairs that are not joined yet.
 *
 *     vertex:   0    1    2    3    4    5    6    7    ...
 *     owner:    0    0    1    1    0    0    1    1           blocks of vertices assigned in turn
 *     rows:    [dir][dir][dir][dir] ...                        targets by label, of each vertex
 *     lists:   [dir][dir][dir][dir] ...                        sources by label, of each vertex
 *     queue:    rows with pending pairs, first in first out
 *
 * Every pair has one home, the partition of its source; its row there is the only place where it is
 * looked up. Lists hold settled pairs only, and are kept for labels that the plan says are read by
 * target.
 */
#ifndef CFLRI_PARTITION_H
#define CFLRI_PARTITION_H

#include "base/vec.h"
#include "engine/closure/pairs/indexed.h"
#include "engine/closure/pairs/plan.h"
#include "engine/spine/split.h"

typedef struct cflri_partition {
    cflr_context *context;
    const cflri_plan *plan;
    cflri_source_split split;
    uint32_t self;
    cflri_indexed at[CFLRI_SIDES]; /* rows and lists */
    CFLRI_VEC(cflri_hashed_row *) queue;
    size_t queue_head;
    uint64_t pairs; /* in rows, reflexive ones of nullable symbols without a row left out */
} cflri_partition;

/* An empty partition; directories of vertices are those of all partitions. */
void cflri_partition_init(cflri_partition *part, const cflri_plan *plan, uint32_t n_vertices,
                          cflri_directory *const of[CFLRI_SIDES]);
void cflri_partition_free(cflri_partition *part);

/* Frees what only solving needs; rows and their directories stay. */
void cflri_partition_end_solving(cflri_partition *part);

static inline bool cflri_partition_owns(const cflri_partition *part, uint32_t vertex) {
    return cflri_source_owner(part->split, vertex) == part->self;
}

/* The row of an own vertex, made when there is none; NULL when memory is refused. A new row of a
 * nullable label holds its vertex, settled. */
cflri_hashed_row *cflri_partition_make_row(cflri_partition *part, uint32_t label, uint32_t vertex);

/* A row of a fixed label, whose items stay in its relation unless they are few. NULL when memory is
 * refused. */
cflri_hashed_row *cflri_partition_fixed_row(cflri_partition *part, uint32_t label, uint32_t vertex,
                                            const uint32_t *items, uint32_t n);

/* Adds targets to a row of this partition and queues it when that gave it something to join. */
bool cflri_partition_add(cflri_partition *part, cflri_hashed_row *row, const uint32_t *targets,
                         uint32_t n);

/* Appends to a list of an own vertex. */
bool cflri_partition_append(cflri_partition *part, uint32_t label, uint32_t target,
                            uint32_t source);

/* Puts a row at the end of the queue, unless it is there. */
bool cflri_partition_enqueue(cflri_partition *part, cflri_hashed_row *row);
/* Takes the first row of the queue, which stays marked as queued: the caller clears the mark
 * when the row has nothing pending left. NULL when the queue is empty. */
cflri_hashed_row *cflri_partition_dequeue(cflri_partition *part);

#endif
