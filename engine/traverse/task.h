/* SPDX-License-Identifier: Apache-2.0
 *
 * task.h: what every primitive works on: rows, sources, lists; and what a thread has to say of a
 * step.
 *
 * All of it can be copied byte by byte: the host fills a task, each thread has its copy.
 */
#ifndef CFLRI_TASK_H
#define CFLRI_TASK_H

#include "cflr/traverse.h"
#include "engine/traverse/dialect.h"

/* On a GPU: rows in few bits (base/plain/csr_packed.h). `at` is NULL where rows are not packed. */
typedef struct cflri_packed_rows {
    const uint64_t *at;           /* the word that a row begins with */
    const uint32_t *const *chunk; /* where words lie: the address of word 0, by chunk */
    uint32_t first_bits, step, weight_bits, least_weight;
} cflri_packed_rows;

/* Rows of a graph, not owned (cflr/csr.h). `weight` are the bits of int32_t or float, NULL
 * without. A GPU that shares a graph with others has rows for its own vertices only: those of the
 * others are empty, and `whole` says how long they are in the graph (gpu/peers). */
typedef struct cflri_rows {
    uint64_t m;            /* edges that are here */
    const uint64_t *start; /* of what is here */
    const uint64_t *whole; /* of the graph; the same, unless other GPUs have rows, too */
    const uint32_t *target;
    const uint32_t *weight;
    /* on a GPU, else NULL: where the shares of a gather begin (gpu/traverse/gather.cuh); where each
     * edge does, for schedules by edges */
    const uint32_t *share, *source;
    /* on a GPU, else NULL: targets are not vertices, but slots (gpu/traverse/order.cu); v's is
     * slot[v] */
    const uint32_t *slot;
    uint32_t n;
    cflri_packed_rows packed;
} cflri_rows;

/* An edge as a functor gets it. Rows that come to a GPU piece by piece, or in few bits, have
 * numbers for their edges where a primitive wants them (GPU_NUMBERED). */
typedef struct cflri_row_edge {
    uint64_t number; /* in the rows */
    uint32_t weight; /* its bits; 0 without */
} cflri_row_edge;

CFLRI_FUNCTOR cflri_row_edge cflri_row_edge_at(const cflri_rows *rows, uint64_t number) {
    cflri_row_edge edge;
    edge.number = number;
    edge.weight = rows->weight ? cflri_read_once(&rows->weight[number]) : 0;
    return edge;
}

/* In the graph, wherever the row is. */
CFLRI_FUNCTOR uint64_t cflri_degree(const cflri_rows *rows, uint32_t v) {
    return rows->whole[v + 1] - rows->whole[v];
}

/* Where a column that a gather reads has the value of v. */
CFLRI_FUNCTOR uint32_t cflri_slot_of(const cflri_rows *rows, uint32_t v) {
    return rows->slot ? rows->slot[v] : v;
}

/* A set of vertices as a list in no order; the room behind it is `n_vertices` long. */
typedef struct cflri_list {
    uint32_t *at;
    uint64_t n;
} cflri_list;

/* Edges by number, each with two vertices that stand for its ends. */
typedef struct cflri_edge_frontier {
    uint32_t *edge, *one, *other;
    uint64_t n;
} cflri_edge_frontier;

/* Where a functor sends what it looks at: nowhere, to the first list, to the second. */
typedef enum cflri_turn { CFLRI_DROP, CFLRI_FIRST, CFLRI_SECOND } cflri_turn;

/* What the driver leaves for the host; one thread writes it at the end. */
typedef struct cflri_outcome {
    uint64_t iterations;
    uint64_t count; /* what the primitive's description says */
    double number;  /* the same */
    bool overflow;  /* a distance does not fit */
    bool refused;   /* memory was */
} cflri_outcome;

/* The begin of every primitive's task. */
typedef struct cflri_primitive_task {
    cflri_rows out, in; /* edges as they are and backwards; the same where the graph is symmetric */
    uint64_t edges;     /* of the graph */
    uint32_t n_named;   /* vertices that the caller knows of: all, but where some were split */
    const uint32_t *source;
    uint32_t n_sources;
    uint32_t most_iterations;
    uint32_t way;  /* cflr_way */
    uint32_t hops; /* of a search: levels behind this one are not looked for */
    uint32_t circle;
    double delta; /* of paths: how much of the key is near */
    double damping, tolerance;
    bool idempotent;   /* a list may have copies of a vertex */
    bool real_weights; /* float, else int32_t */
    cflri_outcome *outcome;
} cflri_primitive_task;

/* Lists that may have copies have none of vertices with more edges than this, which schedules share
 * out in pieces. */
enum { CFLRI_LONG_ROW = 256 };

/* The length of columns for a few numbers. */
enum { CFLRI_CELLS = 1024 };

/* What functors add up: of all threads together it is in the team's `total` and `real_total` when
 * the operator has returned. Numbers that are not integers are added in an order that does not
 * depend on the threads. */
enum { CFLRI_SUMS = 3, CFLRI_REAL_SUMS = 3 };

typedef struct cflri_step_tally {
    uint64_t sum[CFLRI_SUMS];
    double real[CFLRI_REAL_SUMS];
} cflri_step_tally;

#endif
