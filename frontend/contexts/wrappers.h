/* SPDX-License-Identifier: Apache-2.0
 *
 * wrappers.h: functions that return fresh memory.
 */
#ifndef CFLRI_WRAPPERS_H
#define CFLRI_WRAPPERS_H

#include "frontend/program/link.h"

/* *returns_fresh, by function: the result may be memory that the function, or one that it calls,
 * has just allocated. Memory is followed into parameters that are marked in `given_back`, by node
 * (NULL: none is); they reach the result of their function. To be freed with cflri_free. Of a
 * closed program; linear but for how often members of fresh records are returned through one
 * another. */
cflr_status cflri_wrappers_find(const cflri_program *program, const bool *given_back,
                                bool **returns_fresh, cflr_error *error);

#endif
