/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.h: the equations of a plan as rules between bit matrices, which is what a device gets.
 *
 *     matrix    of a family: a row for each vertex that can have one, a column for each vertex, or
 *               for each guard
 *     UNITE     row u of left has row v of right, for each edge (u,v)           EDGE, COPY
 *     PAIR      row u of left has row v of right, for each v in row u of by     PAIR
 *     SPREAD    the same for each v whose row of by has u                       PAIR, turned
 *     STEP      row u of left has w, for each t in row u of right, and (t,w)    STEP, GUARDS
 *               in the image
 *     IMAGE     row u of left has w, for t in row v of right, where u leads     BETWEEN
 *               to v with a label, and (t,w) in the image with the same label
 *     TURN      row v of left has u, for each v in row u of right; where left   TURN
 *               has guards, the guard that u is, if it is one
 *
 * Equations with the same left, right and rule become one rule: thousands of indexes are labels of
 * its edges. What DIAGONAL and INPUT say are the first bits of a matrix.
 *
 * BETWEEN goes through a matrix of its own, with a row for each vertex v and label with which an
 * edge leads to it: IMAGE makes the row once, and UNITE gives it to all u from which such edges
 * come. No rule needs such a row but when it changes, so the device need not keep it: it is
 * passing.
 *
 *     u1 -f->\                      u1 \
 *             v   S(v) -> w   =>        (v,f) = image of S(v) by f
 *     u2 -f->/                      u2 /
 *
 * A stage has the strata that only need strata of stages before it. It is closed when no rule of it
 * adds a bit. Rules stand by stage. Rows have numbers of their own over all matrices, by stage:
 * those of a stage are together.
 *
 * The library of a device includes this header; so it needs no other one of the engine.
 */
#ifndef CFLRI_BIT_RULES_H
#define CFLRI_BIT_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"

/* From numbers to numbers. Sources ascend, each once; edges of a source ascend by label, and then
 * by what they lead to. */
typedef struct cflri_bit_edges {
    uint32_t n_sources;
    uint32_t *source; /* n_sources; NULL where source i has the number i */
    uint64_t *start;  /* n_sources + 1; NULL: there are no edges, and no sources */
    uint32_t *label;  /* NULL: all are 0 */
    uint32_t *to;
} cflri_bit_edges;

typedef enum cflri_bit_rule_kind {
    CFLRI_BITS_UNITE,
    CFLRI_BITS_PAIR,
    CFLRI_BITS_STEP,
    CFLRI_BITS_SPREAD,
    CFLRI_BITS_IMAGE,
    CFLRI_BITS_TURN,
} cflri_bit_rule_kind;

typedef struct cflri_bit_rule {
    cflri_bit_rule_kind kind;
    uint32_t left, right, by; /* matrices; `by` of PAIR and SPREAD */
    cflri_bit_edges edges;    /* UNITE: from rows of left to rows of right; IMAGE: one each */
    cflri_bit_edges image;    /* STEP, IMAGE: from columns of right to columns of left */
} cflri_bit_rule;

#define CFLRI_NO_BIT_ROW UINT32_MAX

/* What rows may hold: row r has bits of mask of[r] alone, from 1; 0: any. */
typedef struct cflri_bit_masks {
    uint32_t *of;
    uint32_t n;
    uint32_t *bits; /* (n_columns + 31) / 32 words a mask; those of another matrix where shared */
    bool shared;
} cflri_bit_masks;

typedef struct cflri_bit_matrix {
    uint32_t stage;
    uint32_t n_rows, n_columns;
    uint32_t first;   /* the number of its first row among those of all matrices */
    bool guarded;     /* columns are guards */
    bool passing;     /* rows need not be kept; then they are of no vertex */
    uint32_t *vertex; /* of each row, ascending */
    uint32_t *row;    /* of each vertex, or CFLRI_NO_BIT_ROW; NULL: to be searched in `vertex` */
    uint64_t n_seeds;
    uint64_t *seed; /* first bits: row << 32 | column */
    cflri_bit_masks masks;
} cflri_bit_matrix;

/* The order of a stage in which rules that read the stage itself are of kind UNITE alone: once all
 * others have been applied, each node has what the nodes have that it reads. Rows that read one
 * another are one node. Nodes stand by level, and read nodes of levels before. */
typedef struct cflri_bit_order {
    uint32_t n, n_levels; /* 0: the stage has no order, or does not read itself */
    uint32_t *level;      /* n_levels + 1: the first node of each */
    uint64_t *start;      /* n + 1 */
    uint32_t *to;         /* nodes that each one reads */
    uint32_t *first;      /* n + 1: of the rows of each, in `row` */
    uint32_t *row;        /* among the rows of all matrices */
} cflri_bit_order;

typedef struct cflri_bit_system {
    struct cflr_context *context;
    uint32_t n_vertices, n_guards;
    const uint32_t *guard_of; /* vertex -> guard, or UINT32_MAX; NULL: there are none; the plan's */
    uint32_t n_matrices;
    cflri_bit_matrix *matrix;
    uint32_t n_stages;
    uint32_t *stage_of;     /* by stratum of the plan */
    uint32_t *first_rule;   /* of each stage, and one more */
    uint32_t *first_row;    /* likewise, among the rows of all matrices */
    cflri_bit_rule *rule;   /* by stage, left, kind */
    cflri_bit_order *order; /* of each stage */
    uint32_t *turned;       /* by ground symbol: its matrix, where its home is one that is turned */
} cflri_bit_system;

/* The row of a vertex, or CFLRI_NO_BIT_ROW. O(1), or O(log rows) where rows are few. */
static inline uint32_t cflri_bit_row_of(const cflri_bit_matrix *matrix, uint32_t vertex) {
    if (matrix->row) return matrix->row[vertex];
    uint64_t at = cflri_ids_seek(matrix->vertex, matrix->n_rows, vertex);
    return at < matrix->n_rows && matrix->vertex[at] == vertex ? (uint32_t)at : CFLRI_NO_BIT_ROW;
}

/* The column of a vertex, or UINT32_MAX. */
static inline uint32_t cflri_bit_column_of(const cflri_bit_system *system,
                                           const cflri_bit_matrix *matrix, uint32_t vertex) {
    return matrix->guarded ? system->guard_of[vertex] : vertex;
}

/* The place of a source, or n_sources. */
static inline uint32_t cflri_bit_source(const cflri_bit_edges *edges, uint32_t number) {
    if (!edges->source) return number;
    uint64_t at = cflri_ids_seek(edges->source, edges->n_sources, number);
    return at < edges->n_sources && edges->source[at] == number ? (uint32_t)at : edges->n_sources;
}

#endif
