/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c: the table of traversals that the GPU's library has, and what that library calls.
 */
#include "engine/traverse/device.h"

#include "base/context.h"
#include "base/crew.h"
#include "engine/device/library.h"

const cflri_device *cflri_device_load(char *why, size_t size) {
    return cflri_library_table(CFLRI_CUDA_LIBRARY, CFLRI_DEVICE_SYMBOL, CFLRI_DEVICE_VERSION, why,
                               size);
}

static cflr_status tick(cflr_context *context) {
    return cflri_tick(context, "traverse", 0, 0);
}

typedef struct shared_work {
    void (*work)(void *what, uint32_t self, uint32_t threads);
    void *what;
} shared_work;

static void do_share(void *what, cflri_crew *crew, uint32_t self) {
    const shared_work *shared = what;
    shared->work(shared->what, self, crew->threads);
}

static void run_by_all(cflr_context *context,
                       void (*work)(void *what, uint32_t self, uint32_t threads), void *what) {
    shared_work shared = {work, what};
    cflri_crew_run((uint32_t)cflr_context_threads(context), do_share, &shared);
}

const cflri_services cflri_device_services = {
    .tick = tick,
    .schedule_name = cflr_schedule_name,
    .transfer_name = cflr_transfer_name,
    .run_by_all = run_by_all,
    .threads = cflr_context_threads,
    .row_code_of = cflri_row_code_of,
    .packed_measure = cflri_packed_measure,
    .packed_write = cflri_packed_write,
};
