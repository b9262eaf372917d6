/* SPDX-License-Identifier: Apache-2.0
 *
 * change.h: a graph of C with parts of it changed: what it would be if a function had a model, each
 * call had memory of its own, or nothing were stored in a place. Closing it tells what an analysis
 * would say then.
 */
#ifndef CFLR_CHANGE_H
#define CFLR_CHANGE_H

#include "cflr/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a vertex. */
typedef enum cflr_change {
    CFLR_CHANGE_NONE = 0,
    CFLR_CHANGE_CUT = 1,   /* it has no edges */
    CFLR_CHANGE_EMPTY = 2, /* nothing is assigned to it; nothing is stored at it, a location */
    CFLR_CHANGE_FRESH = 3, /* nothing but the address of a new object, which can hold anything */
    CFLR_CHANGE_APART = 4, /* nothing is assigned to it from another one that is to be apart */
    CFLR_CHANGE_STILL = 5, /* it has no edge to itself: a pointer that is moved stays where it is */
    CFLR_CHANGES
} cflr_change;

/* `change`: a cflr_change for each vertex. Vertices keep their numbers; new ones come behind them.
 * The changed graph does not know where its vertices come from. Labels are those of
 * docs/reference/labels.md. *changed is owned by the caller. O(E). */
CFLR_EXPERIMENTAL cflr_status cflr_graph_change(const cflr_graph *graph, const uint8_t *change,
                                                cflr_graph **changed, cflr_error *error);

#ifdef __cplusplus
}
#endif
#endif
