/* SPDX-License-Identifier: Apache-2.0
 *
 * uncalled.h: functions that nothing in the program enters.
 */
#ifndef CFLRI_UNCALLED_H
#define CFLRI_UNCALLED_H

#include "frontend/program/link.h"

/* By function: does the closed program define it, and can nothing that was read enter it? The
 * caller frees the array; NULL when memory is refused. O(functions + calls). */
bool *cflri_uncalled_find(const cflri_program *program);

#endif
