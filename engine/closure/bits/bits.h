/* SPDX-License-Identifier: Apache-2.0
 *
 * bits.h: the place where a device closes a slice, with rows as bits (bits.c).
 */
#ifndef CFLRI_BITS_H
#define CFLRI_BITS_H

#include "engine/closure/bits/device.h"
#include "engine/closure/model.h"

typedef struct cflri_apart cflri_apart;

/* The device that closes a problem, instead of the processor or beside it. */
typedef struct cflri_bits_on {
    const cflri_bit_device *device; /* NULL: a GPU, if there is one */
    cflri_bit_options options;
    bool beside;          /* the processor closes it, too (engine/portfolio.h), */
    double head_start;    /* and begins so many seconds before */
    cflri_apart *apart;   /* the process that closes it (apart.h); NULL: this one does */
    cflr_context *beaten; /* overtaken (base/context.h) when that process has closed; or NULL */
} cflri_bits_on;

/* Tells the caller of the context what the device did for the closure. */
void cflri_bits_tell(cflr_context *context, const cflri_closure *closure);

/* As cflri_solver.solve, on the device of the problem. */
cflr_status cflri_solve_bits(const cflri_problem *problem, cflri_closure *closure,
                             cflr_error *error);

#endif
