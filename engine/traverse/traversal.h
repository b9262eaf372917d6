/* SPDX-License-Identifier: Apache-2.0
 *
 * traversal.h: a primitive on a graph, with room for what it computes.
 */
#ifndef CFLRI_TRAVERSAL_H
#define CFLRI_TRAVERSAL_H

#include "engine/traverse/primitive.h"

struct cflr_traversal {
    cflr_context *context;
    cflr_csr *csr; /* the caller's, or `simple` */
    cflr_csr
        *simple; /* the caller's without weights and what they kept apart; owned, NULL for none */
    const cflri_primitive *primitive;
    cflr_traverse_opts opts;
    cflr_csr *made; /* what it runs on instead, by degree or split; owned, NULL for none */
    cflri_primitive_task *task; /* the begin of primitive->task_size bytes; its columns are owned */
    uint64_t *edge; /* of CFLRI_PER_EDGE_WORD: the column that callers see, outcome.count long */
    double mean_weight;
    cflri_outcome outcome;
    bool done; /* columns and values say something */
    uint32_t threads;
    const struct cflri_device *device; /* NULL: the processor */
    void *device_state;
    struct cflri_team *team;
    cflr_traversal_stats stats;
};

/* What a run with these sources gave, as a serial program that shares no code with it sees it
 * (check.c). */
cflr_status cflri_traversal_check(const cflr_traversal *t, cflr_traverse_report *report,
                                  cflr_error *error);

#endif
