/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.h: makes the relations of a closure from the rows of a device (collect.c).
 */
#ifndef CFLRI_BITS_COLLECT_H
#define CFLRI_BITS_COLLECT_H

#include "engine/closure/bits/device.h"
#include "engine/closure/bits/rules.h"
#include "engine/spine/plan.h"

typedef struct cflri_bits_collecting {
    const cflri_spine_plan *plan;
    const cflri_bit_system *system;
    const cflri_bit_device *device;
    void *state; /* of the device */
} cflri_bits_collecting;

/* `ended`: CFLR_OK, or why the device has not all rows. As cflri_solver.solve. */
cflr_status cflri_bits_collect(const cflri_bits_collecting *how, cflr_status ended,
                               cflri_closure *closure, cflr_error *error);

#endif
