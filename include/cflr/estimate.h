/* SPDX-License-Identifier: Apache-2.0
 *
 * estimate.h: how much pointers point to in a graph of C, quickly, and in the same graph with parts
 * of it changed: what an analysis would say if a function had a model, or each call had memory of
 * its own.
 *
 * No answer about a program: those are made by cflr_solve. An estimate follows the labels of
 * docs/labels.md whatever the grammar is, and finds about as many objects as grammar `pointer-fs`
 * does.
 */
#ifndef CFLR_ESTIMATE_H
#define CFLR_ESTIMATE_H

#include "cflr/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a vertex. */
typedef enum cflr_change {
    CFLR_CHANGE_NONE = 0,
    CFLR_CHANGE_CUT = 1,   /* it has no edges */
    CFLR_CHANGE_FRESH = 2, /* nothing is assigned to it but the address of a new object */
} cflr_change;

typedef struct cflr_estimate cflr_estimate;

/* `change`: a cflr_change for each vertex; NULL: the graph as it is. Limits of time and memory
 * are those of the graph's context: CFLR_LIMIT or CFLR_CANCELLED, and no estimate. One thread. */
CFLR_API cflr_status cflr_estimate_new(const cflr_graph *graph, const uint8_t *change,
                                       cflr_estimate **estimate, cflr_error *error);
CFLR_API void cflr_estimate_free(cflr_estimate *estimate); /* NULL is a no-op */

/* How many vertices point to something, and to how many objects, summed over them. */
typedef struct cflr_estimate_sums {
    uint64_t pointers, objects;
} cflr_estimate_sums;
CFLR_API cflr_estimate_sums cflr_estimate_get(const cflr_estimate *estimate);

/* How many objects a vertex points to. O(1). */
CFLR_API uint32_t cflr_estimate_objects(const cflr_estimate *estimate, uint32_t vertex);

/* Writes up to `capacity` of them, ascending, and returns how many it wrote; new objects have
 * numbers from the graph's vertices on. */
CFLR_API uint32_t cflr_estimate_list(cflr_estimate *estimate, uint32_t vertex, uint32_t *objects,
                                     uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
