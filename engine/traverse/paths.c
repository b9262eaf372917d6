/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.c: what least distances and greatest widths need and give (paths.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/paths.h"
#include "engine/traverse/primitives.h"

static void run_sssp(cflri_thread *m, void *task) {
    sssp_run(m, task);
}

static void run_sswp(cflri_thread *m, void *task) {
    sswp_run(m, task);
}

#define PATHS_COLUMNS(name)                                                                    \
    {                                                                                          \
        {name, CFLRI_COLUMN_OF_WEIGHT, CFLRI_PER_VERTEX, offsetof(paths, key), false},         \
            {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(paths, near_list), false},   \
            {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(paths, next_list), false},   \
            {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(paths, far_list), false},    \
            {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(paths, sifted_list), false}, \
            {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(paths, is_near), false},       \
            {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(paths, is_next), false},       \
            {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(paths, is_far), false},        \
            {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_CELL, offsetof(paths, least), false},         \
    }

const cflri_primitive cflri_primitive_SSSP = {
    .name = "sssp",
    .which = CFLR_SSSP,
    .needs = {.weights = true, .least_sources = 1, .most_sources = 1},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_IDEMPOTENT,
    .relaxes = true,
    .split = CFLRI_SPLIT_ZERO,
    .goes_far = true,
    .task_size = sizeof(paths),
    .count = "reached",
    .column = PATHS_COLUMNS("distance"),
    .run = run_sssp,
};

const cflri_primitive cflri_primitive_SSWP = {
    .name = "sswp",
    .which = CFLR_SSWP,
    .by_width = true,
    .needs = {.weights = true, .least_sources = 1, .most_sources = 1},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_IDEMPOTENT,
    .relaxes = true,
    .split = CFLRI_SPLIT_GREATEST,
    .goes_far = true,
    .task_size = sizeof(paths),
    .count = "reached",
    .column = PATHS_COLUMNS("width"),
    .run = run_sswp,
};
