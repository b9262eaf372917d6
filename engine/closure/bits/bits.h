/* SPDX-License-Identifier: Apache-2.0
 *
 * bits.h: the place where a device closes a slice, with rows as bits (bits.c).
 */
#ifndef CFLRI_BITS_H
#define CFLRI_BITS_H

#include "engine/closure/bits/device.h"
#include "engine/closure/model.h"

/* What closes a problem that is not closed by the processor. */
typedef struct cflri_bits_on {
    const cflri_bit_device *device;
    cflri_bit_options options;
    cflri_bit_stats stats; /* written when rows are collected */
} cflri_bits_on;

/* As cflri_solver.solve, on the device of the problem. */
cflr_status cflri_solve_bits(const cflri_problem *problem, cflri_closure *closure,
                             cflr_error *error);

#endif
