/* SPDX-License-Identifier: Apache-2.0
 *
 * on_device.h: which device closes a problem.
 */
#ifndef CFLRI_ON_DEVICE_H
#define CFLRI_ON_DEVICE_H

#include "cflr/solve.h"
#include "engine/closure/bits/bits.h"

/* Chooses what the options ask for: on->device is NULL for the processor alone, and where
 * on->beside is set. CFLR_UNAVAILABLE where a GPU is asked for and its library is not there;
 * CFLR_UNSUPPORTED where it is asked for what it cannot do. */
cflr_status cflri_choose_device(const cflri_problem *problem, const cflr_solve_opts *opts,
                                cflri_bits_on *on, cflr_error *error);

#endif
