/* SPDX-License-Identifier: Apache-2.0
 *
 * pieces.h: drops copies in pieces that copy no pointers.
 */
#ifndef CFLRI_PIECES_H
#define CFLRI_PIECES_H

#include "frontend/typing/made.h"

/* For closing a program, before integers are dropped. `made`: which copies of characters carry
 * pointers; NULL: any may. O(program). */
void cflri_drop_text(const cflri_untyped *untyped, const cflri_made *made);

#endif
