/* SPDX-License-Identifier: Apache-2.0
 *
 * moves.h: what pointers that are moved by numbers come to.
 */
#ifndef CFLRI_MOVES_H
#define CFLRI_MOVES_H

#include "frontend/typing/untyped.h"

/* For closing a program, before integers are dropped: moved roots (moved.c) go, or become steps.
 * The assignments are others then, and there are more nodes: `untyped` is of no use any more.
 * O(program), and for each move by a known number O(offsets of members). CFLR_LIMIT,
 * CFLR_OUT_OF_MEMORY. */
cflr_status cflri_settle_moves(const cflri_untyped *untyped, cflr_error *error);

#endif
