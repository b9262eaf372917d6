/* SPDX-License-Identifier: Apache-2.0
 *
 * apart.h: a device that closes a problem in a process of its own, which may be left at any time
 * (apart.c).
 */
#ifndef CFLRI_APART_H
#define CFLRI_APART_H

#include "engine/closure/bits/bits.h"

/* Forks the process. It waits for problem->on->head_start seconds, loads the device if none is
 * named, and closes the problem. *made is for problem->on->apart, which has no device yet, and may
 * be ended by cflri_apart_end whatever was returned. CFLR_UNAVAILABLE where no process can be
 * made. */
cflr_status cflri_apart_begin(const cflri_problem *problem, cflri_apart **made, cflr_error *error);

/* Waits until the device has begun to close. Every few milliseconds it asks whether the run is
 * still wanted: CFLR_LIMIT or CFLR_CANCELLED. CFLR_UNAVAILABLE without a device, CFLR_NO_MEMORY
 * when the problem does not fit there. */
cflr_status cflri_apart_await(cflri_apart *apart, cflr_error *error);

/* The process is left, and ends by itself. NULL is allowed. */
void cflri_apart_end(cflri_apart *apart);

/* The device of a problem that has on->apart: what the process closes is fetched from there. */
extern const cflri_bit_device cflri_bit_device_apart;

#endif
