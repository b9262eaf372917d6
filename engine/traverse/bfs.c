/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs.c: what breadth-first search needs and gives (bfs.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/bfs.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    if (((bfs *)task)->task.idempotent)
        bfs_idempotent_run(m, task);
    else
        bfs_run(m, task);
}

const cflri_primitive cflri_primitive_BFS = {
    .name = "bfs",
    .which = CFLR_BFS,
    .needs = {.least_sources = 1, .most_sources = 1},
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_IDEMPOTENT,
    .relaxes = true,
    .has_directions = true,
    .may_repeat = true,
    .has_levels = true,
    .goes_far = true,
    .task_size = sizeof(bfs),
    .count = "reached",
    .column = {{"level", CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(bfs, level), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(bfs, list), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(bfs, next_list), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(bfs, front), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(bfs, next_front), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(bfs, done), false}},
    .run = run,
};
