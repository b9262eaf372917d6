/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c: the table of traversals that the GPU's library has, and what that library calls.
 */
#include "engine/traverse/device.h"

#include "base/context.h"
#include "engine/device/library.h"

const cflri_device *cflri_device_load(char *why, size_t size) {
    return cflri_library_table("libcflr_cuda.so", CFLRI_DEVICE_SYMBOL, CFLRI_DEVICE_VERSION, why,
                               size);
}

static cflr_status tick(cflr_context *context) {
    return cflri_tick(context, "traverse", 0, 0);
}

const cflri_services cflri_device_services = {tick, cflr_schedule_name};
