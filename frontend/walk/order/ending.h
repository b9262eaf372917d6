/* SPDX-License-Identifier: Apache-2.0
 *
 * ending.h: functions that never return, for control.c: what comes after a call of one is not
 * reached; and what those that return show of their arguments.
 */
#ifndef CFLRI_ENDING_H
#define CFLRI_ENDING_H

#include "frontend/walk/walk.h"

/* Finds out about a function with a body, and about all that it calls in this unit, before it is
 * walked: its tree is in w->tree, and no locals are. The answers do not depend on the order in
 * which the unit defines them. */
void cflri_endings_find(cflri_walk *w, uint32_t number);

/* Is it certain that the function (its number in the names) never returns to its caller: by its
 * name, its declaration, or a body in this unit? */
bool cflri_function_never_returns(cflri_walk *w, uint32_t number);

/* What a call of it that returns shows of the arguments: nothing of a function whose body was not
 * found out about. */
cflri_shows cflri_function_shows(cflri_walk *w, uint32_t number);

/* The arguments that are not 0 where a call returns, by a summary: a bit for each. */
uint32_t cflri_function_needs(cflri_walk *w, uint32_t number);

/* Does a function, or what a pointer points to, never return by its type alone? */
bool cflri_type_never_returns(CXType type);

void cflri_endings_free(cflr_context *context, cflri_endings *endings);

#endif
