/* SPDX-License-Identifier: Apache-2.0
 *
 * varargs.h: numbered and variable arguments of one function.
 */
#ifndef CFLRI_VARARGS_H
#define CFLRI_VARARGS_H

#include "frontend/program/link.h"

/* Makes the slots that a call may use otherwise than the function's body alias with those of the
 * body. To be called by closing, when it is known which functions are called through a value.
 * O(program), and one step for each variadic function that is a value and each number of an
 * argument that calls through values have. */
void cflri_join_varargs(cflri_program *program);

#endif
