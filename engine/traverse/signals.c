/* SPDX-License-Identifier: Apache-2.0
 *
 * signals.c: what circuits and networks of neurons need and give (signals.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/primitives.h"
#include "engine/traverse/signals.h"

static void run_circuit(cflri_thread *m, void *task) {
    circuit_run(m, task);
}

static void run_neurons(cflri_thread *m, void *task) {
    neurons_run(m, task);
}

#define SIGNALS_COLUMNS(name)                                                            \
    {name, CFLR_COLUMN_FLOAT32, CFLRI_PER_VERTEX, offsetof(signals, value), false},      \
        {NULL, CFLR_COLUMN_FLOAT32, CFLRI_PER_VERTEX, offsetof(signals, next), false},   \
        {NULL, CFLR_COLUMN_FLOAT64, CFLRI_PER_VERTEX, offsetof(signals, part), false}, { \
        NULL, CFLR_COLUMN_UINT32, CFLRI_PER_CELL, offsetof(signals, cell), false         \
    }

const cflri_primitive cflri_primitive_GCS = {
    .name = "gcs",
    .which = CFLR_GCS,
    .needs = {.symmetric = true,
              .weights = true,
              .least_sources = 1,
              .most_sources = UINT32_MAX,
              .usual_sources = 2},
    .safety = CFLRI_ALL_ACTIVE,
    .adds_weights = true,
    .task_size = sizeof(signals),
    .number = "change",
    .column = {SIGNALS_COLUMNS("voltage")},
    .run = run_circuit,
};

const cflri_primitive cflri_primitive_NNDR = {
    .name = "nndr",
    .which = CFLR_NNDR,
    .needs = {.weights = true, .least_sources = 1, .most_sources = UINT32_MAX},
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_ALL_ACTIVE,
    .any_weight = true,
    .adds_weights = true,
    .task_size = sizeof(signals),
    .number = "change",
    .column = {SIGNALS_COLUMNS("activation")},
    .run = run_neurons,
};
