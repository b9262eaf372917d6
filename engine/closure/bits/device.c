/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c: the table of closures that the GPU's library has, and what that library calls.
 */
#include "engine/closure/bits/device.h"

#include "base/context.h"
#include "engine/device/library.h"

const cflri_bit_device *cflri_bit_device_load(char *why, size_t size) {
    return cflri_library_table(CFLRI_CUDA_LIBRARY, CFLRI_BIT_DEVICE_SYMBOL,
                               CFLRI_BIT_DEVICE_VERSION, why, size);
}

static cflr_status tick(cflr_context *context, uint64_t pairs) {
    return cflri_tick(context, "solve", pairs, 0);
}

const cflri_bit_services cflri_bit_device_services = {
    .tick = tick, .claim = cflri_claim, .unclaim = cflri_unclaim};
