/* SPDX-License-Identifier: Apache-2.0
 *
 * ending.h: functions that never return, for control.c: what comes after a call of one is not
 * reached.
 */
#ifndef CFLRI_ENDING_H
#define CFLRI_ENDING_H

#include "frontend/walk/walk.h"

/* Is it certain that the function (its number in the names) never returns to its caller: by its
 * name, its declaration, or a body in this unit? */
bool cflri_function_never_returns(cflri_walk *w, uint32_t number);

/* The same of a function, or what a pointer points to, by the type alone. */
bool cflri_type_never_returns(CXType type);

#endif
