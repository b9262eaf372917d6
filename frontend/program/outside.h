/* SPDX-License-Identifier: Apache-2.0
 *
 * outside.h: the code that calls an open program, and that it calls
 * (docs/explanation/open-programs.md).
 */
#ifndef CFLRI_OUTSIDE_H
#define CFLRI_OUTSIDE_H

#include "frontend/program/link.h"

/* Does the program define `main`? */
bool cflri_has_main(const cflri_program *program);

/* Makes the node of the outside: program->outside. For closing an open program, before anything
 * flows there. */
void cflri_outside_make(cflri_program *program);

/* Adds what the outside may do by the rules of linking alone: it calls each function that it can
 * name, and reads and writes each variable. Counts them in the program. */
void cflri_outside_enter(cflri_program *program);

/* The outside knows the address of `node`, a variable or function. */
void cflri_outside_knows(cflri_program *program, cflri_node node);

#endif
