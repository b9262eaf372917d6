/* SPDX-License-Identifier: Apache-2.0
 *
 * device.h: what a device other than the processor does for traversals, as a table of the library
 * that is loaded for it (engine/device/library.h).
 */
#ifndef CFLRI_DEVICE_H
#define CFLRI_DEVICE_H

#include "base/plain/csr_packed.h"
#include "engine/traverse/traversal.h"

/* What the device's library asks of this one. */
typedef struct cflri_services {
    cflr_status (*tick)(cflr_context *context); /* is the run still wanted? */
    const char *(*schedule_name)(cflr_schedule schedule);
    const char *(*transfer_name)(cflr_transfer transfer);
    /* Runs work(what, 0, threads), work(what, 1, threads), ... side by side, by the threads of the
     * context, and returns when all have returned. */
    void (*run_by_all)(cflr_context *context,
                       void (*work)(void *what, uint32_t self, uint32_t threads), void *what);
    int (*threads)(const cflr_context *context);
    /* base/plain/csr_packed.h */
    cflri_row_code (*row_code_of)(const cflri_plain_rows *rows, cflr_weights kind, int threads);
    void (*packed_measure)(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                           uint64_t *at);
    void (*packed_write)(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                         const uint64_t *at, uint32_t *words);
} cflri_services;

typedef struct cflri_device {
    uint32_t version; /* CFLRI_DEVICE_VERSION, a digest of headers: cmake/library_version.cmake */
    /* Copies the graph, makes room for columns; *state is the device's. CFLR_UNAVAILABLE without a
     * device, CFLR_NO_MEMORY when the graph does not fit. Fills in the statistics' device name,
     * schedule, why, and what was copied. */
    cflr_status (*prepare)(cflr_traversal *t, void **state, const cflri_services *services,
                           cflr_error *error);
    /* Runs from t->task->source, and brings back the columns that have names, and the outcome. */
    cflr_status (*run)(cflr_traversal *t, void *state, const cflri_services *services,
                       cflr_error *error);
    void (*release)(void *state);
} cflri_device;

/* The symbol of a device's library that is its cflri_device. */
#define CFLRI_DEVICE_SYMBOL "cflr_cuda_device"

/* The table of the GPU's library; NULL, and why, where there is none. */
const cflri_device *cflri_device_load(char *why, size_t size);

extern const cflri_services cflri_device_services;

#endif
