/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.c: what the PageRanks need and give (ranks.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/primitives.h"
#include "engine/traverse/ranks.h"

static void run(cflri_thread *m, void *task) {
    ranks_run(m, task);
}

static void run_delta(cflri_thread *m, void *task) {
    ranks_delta_run(m, task);
}

#define RANKS_COLUMN(name, field) \
    { name, CFLR_COLUMN_FLOAT32, CFLRI_PER_VERTEX, offsetof(ranks, field), false }
#define RANKS_REST \
    { NULL, CFLR_COLUMN_FLOAT64, CFLRI_PER_VERTEX, offsetof(ranks, rest), true }

const cflri_primitive cflri_primitive_PAGERANK = {
    .name = "pagerank",
    .which = CFLR_PAGERANK,
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ALL_ACTIVE,
    .counts_edges = true,
    .has_directions = true,
    .gathers = true,
    .task_size = sizeof(ranks),
    .number = "change",
    .column = {RANKS_COLUMN("rank", rank), RANKS_COLUMN(NULL, share),
               RANKS_COLUMN(NULL, next_share), RANKS_COLUMN(NULL, part), RANKS_REST},
    .run = run,
};

const cflri_primitive cflri_primitive_PAGERANK_DELTA = {
    .name = "pagerank-delta",
    .which = CFLR_PAGERANK_DELTA,
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .counts_edges = true,
    .relaxes = true,
    .has_directions = true,
    .gathers = true,
    .task_size = sizeof(ranks),
    .number = "rest",
    .column = {RANKS_COLUMN("rank", rank),
               RANKS_COLUMN(NULL, share),
               RANKS_COLUMN(NULL, part),
               {NULL, CFLR_COLUMN_FLOAT64, CFLRI_PER_VERTEX, offsetof(ranks, rest), false},
               {NULL, CFLR_COLUMN_FLOAT64, CFLRI_PER_CELL, offsetof(ranks, collected), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(ranks, active), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(ranks, list), false}},
    .run = run_delta,
};

const cflri_primitive cflri_primitive_PPR = {
    .name = "ppr",
    .which = CFLR_PPR,
    .needs = {.least_sources = 1, .most_sources = UINT32_MAX},
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ALL_ACTIVE,
    .counts_edges = true,
    .has_directions = true,
    .gathers = true,
    .task_size = sizeof(ranks),
    .number = "change",
    .column = {RANKS_COLUMN("rank", rank), RANKS_COLUMN(NULL, share),
               RANKS_COLUMN(NULL, next_share), RANKS_COLUMN(NULL, part), RANKS_COLUMN(NULL, origin),
               RANKS_REST},
    .run = run,
};
