/* SPDX-License-Identifier: Apache-2.0
 *
 * cells.h: hidden variables of libraries that nothing is stored in.
 */
#ifndef CFLRI_CELLS_H
#define CFLRI_CELLS_H

#include "frontend/program/link.h"

/* Drops what reads, calls or follows the content of such a variable in a program that is closed to
 * others. O(program) for each length of a chain of cells. */
cflr_status cflri_drop_empty_cells(cflri_program *program, cflr_error *error);

#endif
