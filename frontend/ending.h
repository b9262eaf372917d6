/* SPDX-License-Identifier: Apache-2.0
 *
 * ending.h: functions that never return, for control.c: what comes after a call of one is not reached.
 */
#ifndef CFLRI_ENDING_H
#define CFLRI_ENDING_H

#include <stdbool.h>

#include "frontend/clang.h"

/* Is it certain that the function never returns to who calls it: by its name, its declaration, or a body in this
 * unit? */
bool cflri_function_never_returns(CXCursor function);

#endif
