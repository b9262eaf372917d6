/* SPDX-License-Identifier: Apache-2.0
 *
 * labels.h: what the labels of a graph mean to findings (docs/reference/labels.md). Names of labels
 * are compared when these are made, and nowhere else.
 */
#ifndef CFLRI_FINDINGS_LABELS_H
#define CFLRI_FINDINGS_LABELS_H

#include "base/vec.h"
#include "cflr/result.h"

typedef enum cflri_meaning {
    CFLRI_MEANS_NOTHING, /* to findings */
    CFLRI_MEANS_FLOW,    /* a: an assignment */
    CFLRI_MEANS_TEST,    /* nonnull */
    CFLRI_MEANS_NULL,    /* null */
    CFLRI_MEANS_CONTENT, /* d: from a pointer to what it points to */
    CFLRI_MEANS_ADDRESS, /* alloc: from an object to its address */
    CFLRI_MEANS_MEMBER,  /* f[n]: from the address of a record to that of a member */
    CFLRI_MEANS_SLOT,    /* s[k]: from a function to the address of a parameter or the result */
    CFLRI_MEANS_SOURCE,  /* source[r] */
    CFLRI_MEANS_BYTES,   /* bytes[r]: a source whose bytes the pointer points to */
    CFLRI_MEANS_SINK,    /* sink[r] */
    CFLRI_MEANINGS
} cflri_meaning;

typedef struct cflri_labels {
    const cflr_graph *graph;
    uint8_t *meaning;                 /* by label: a cflri_meaning */
    cflri_numbers of[CFLRI_MEANINGS]; /* the labels of each but NOTHING, ascending */
} cflri_labels;

/* False when memory is refused. Free in every case. */
bool cflri_labels_make(const cflr_graph *graph, cflri_labels *labels);
void cflri_labels_free(cflri_labels *labels);

/* The row of a vertex along the label of a meaning that has one at most (FLOW to ADDRESS); *n is 0
 * where the graph has no such label. */
const uint32_t *cflri_labels_row(const cflri_labels *labels, cflri_meaning meaning,
                                 cflr_direction direction, uint32_t vertex, uint64_t *n);
uint64_t cflri_labels_degree(const cflri_labels *labels, cflri_meaning meaning,
                             cflr_direction direction, uint32_t vertex);

/* Has the vertex an edge of some label of the meaning in this direction? *other becomes its first
 * neighbour by the first such label. */
bool cflri_labels_neighbour(const cflri_labels *labels, cflri_meaning meaning,
                            cflr_direction direction, uint32_t vertex, uint32_t *other);

/* The symbol that answers a question; CFLR_NO_LABEL: none, or it was not asked for. */
uint32_t cflri_answering(const cflr_result *result, const char *question);

#endif
