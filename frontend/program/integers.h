/* SPDX-License-Identifier: Apache-2.0
 *
 * integers.h: which integers may hold a pointer.
 */
#ifndef CFLRI_INTEGERS_H
#define CFLRI_INTEGERS_H

#include "frontend/program/link.h"

/* Drops the assignments of a program that touch an integer no pointer passes through; with data
 * flow they stay, as data. To be called by closing, when roles are known. O(program). */
cflr_status cflri_drop_idle_integers(cflri_program *program, cflr_error *error);

#endif
