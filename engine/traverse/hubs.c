/* SPDX-License-Identifier: Apache-2.0
 *
 * hubs.c: what hubs and authorities need and give (hubs.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/hubs.h"
#include "engine/traverse/primitives.h"

static void run_hits(cflri_thread *m, void *task) {
    hits_run(m, task);
}

static void run_salsa(cflri_thread *m, void *task) {
    salsa_run(m, task);
}

#define HUBS_COLUMN(name, field) \
    { name, CFLR_COLUMN_FLOAT32, CFLRI_PER_VERTEX, offsetof(hubs, field), false }

const cflri_primitive cflri_primitive_HITS = {
    .name = "hits",
    .which = CFLR_HITS,
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ALL_ACTIVE,
    .counts_edges = true,
    .task_size = sizeof(hubs),
    .number = "change",
    .column = {HUBS_COLUMN("hub", hub), HUBS_COLUMN("authority", authority),
               HUBS_COLUMN(NULL, give_hub)},
    .run = run_hits,
};

const cflri_primitive cflri_primitive_SALSA = {
    .name = "salsa",
    .which = CFLR_SALSA,
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ALL_ACTIVE,
    .counts_edges = true,
    .task_size = sizeof(hubs),
    .number = "change",
    .column = {HUBS_COLUMN("hub", hub), HUBS_COLUMN("authority", authority),
               HUBS_COLUMN(NULL, give_hub), HUBS_COLUMN(NULL, give_authority)},
    .run = run_salsa,
};
