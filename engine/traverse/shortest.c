/* SPDX-License-Identifier: Apache-2.0
 *
 * shortest.c: what numbers of shortest paths and betweenness need and give (shortest.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/primitives.h"
#include "engine/traverse/shortest.h"

static void run_ssnsp(cflri_thread *m, void *task) {
    ssnsp_run(m, task);
}

static void run_bc(cflri_thread *m, void *task) {
    bc_run(m, task);
}

#define SHORTEST_COLUMN(name, type, per, field) \
    { name, CFLR_COLUMN_##type, CFLRI_PER_##per, offsetof(shortest, field), false }
#define SHORTEST_COLUMNS                                        \
    SHORTEST_COLUMN(NULL, UINT32, VERTEX, search.level),        \
        SHORTEST_COLUMN(NULL, UINT32, VERTEX, search.list),     \
        SHORTEST_COLUMN(NULL, UINT64, WORD, search.front),      \
        SHORTEST_COLUMN(NULL, UINT64, WORD, search.next_front), \
        SHORTEST_COLUMN(NULL, UINT64, WORD, search.done),       \
        SHORTEST_COLUMN(NULL, UINT64, VERTEX, odd_paths),       \
        SHORTEST_COLUMN(NULL, UINT64, LEVEL, begin)

const cflri_primitive cflri_primitive_SSNSP = {
    .name = "ssnsp",
    .which = CFLR_SSNSP,
    .needs = {.least_sources = 1, .most_sources = 1},
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .counts_edges = true,
    .goes_far = true,
    .task_size = sizeof(shortest),
    .count = "reached",
    .column = {SHORTEST_COLUMN("paths", UINT64, VERTEX, paths), SHORTEST_COLUMNS},
    .run = run_ssnsp,
};

const cflri_primitive cflri_primitive_BC = {
    .name = "bc",
    .which = CFLR_BC,
    .needs = {.least_sources = 1, .most_sources = UINT32_MAX},
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .counts_edges = true,
    .goes_far = true,
    .task_size = sizeof(shortest),
    .column = {SHORTEST_COLUMN("centrality", FLOAT64, VERTEX, centrality),
               SHORTEST_COLUMN(NULL, UINT64, VERTEX, paths),
               SHORTEST_COLUMN(NULL, UINT64, VERTEX, part),
               SHORTEST_COLUMN(NULL, UINT64, VERTEX, odd_part), SHORTEST_COLUMNS},
    .run = run_bc,
};
