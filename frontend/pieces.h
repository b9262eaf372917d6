/* SPDX-License-Identifier: Apache-2.0
 *
 * pieces.h: drops copies in pieces that copy no pointers.
 */
#ifndef CFLRI_PIECES_H
#define CFLRI_PIECES_H

#include "frontend/link.h"

/* For closing a program, before integers are dropped. O(program). */
cflr_status cflri_drop_text(cflri_program *program, cflr_error *error);

#endif
