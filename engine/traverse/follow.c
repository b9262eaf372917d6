/* SPDX-License-Identifier: Apache-2.0
 *
 * follow.c: what a recommendation needs and gives (follow.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/follow.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    follow_run(m, task);
}

#define FOLLOW_COLUMN(name, type, per, field) \
    { name, CFLR_COLUMN_##type, CFLRI_PER_##per, offsetof(follow, field), false }

const cflri_primitive cflri_primitive_WTF = {
    .name = "wtf",
    .which = CFLR_WTF,
    .needs = {.least_sources = 1, .most_sources = 1},
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ALL_ACTIVE,
    .counts_edges = true,
    .has_circle = true,
    .task_size = sizeof(follow),
    .count = "circle",
    .number = "change",
    .column = {FOLLOW_COLUMN("score", FLOAT32, VERTEX, score),
               FOLLOW_COLUMN("circle", UINT8, VERTEX, circle),
               FOLLOW_COLUMN(NULL, FLOAT32, VERTEX, ranks.rank),
               FOLLOW_COLUMN(NULL, FLOAT32, VERTEX, ranks.share),
               FOLLOW_COLUMN(NULL, FLOAT32, VERTEX, ranks.next_share),
               FOLLOW_COLUMN(NULL, FLOAT32, VERTEX, ranks.part),
               FOLLOW_COLUMN(NULL, FLOAT32, VERTEX, ranks.origin),
               FOLLOW_COLUMN(NULL, UINT32, VERTEX, list), FOLLOW_COLUMN(NULL, UINT32, VERTEX, into),
               FOLLOW_COLUMN(NULL, UINT64, VERTEX, similar),
               FOLLOW_COLUMN(NULL, UINT64, VERTEX, relevant),
               FOLLOW_COLUMN(NULL, UINT64, WORD, known)},
    .run = run,
};
