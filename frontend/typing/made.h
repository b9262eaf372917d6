/* SPDX-License-Identifier: Apache-2.0
 *
 * made.h: which copies of characters carry pointers, with --aliasing text.
 */
#ifndef CFLRI_MADE_H
#define CFLRI_MADE_H

#include "frontend/typing/untyped.h"

typedef struct cflri_made {
    const cflri_untyped *untyped;
    bool *made; /* by node: made of a pointer to something else, or the root of a copy of such */
    size_t n;   /* on the stack of `untyped` */
} cflri_made;

/* Before anything is dropped from the bodies. O(program). CFLR_OUT_OF_MEMORY. Free it also when
 * this fails. */
cflr_status cflri_made_make(cflri_made *made, const cflri_untyped *untyped, cflr_error *error);
void cflri_made_free(cflri_made *made);

/* Is it a copy to or from characters that carries no pointers? */
bool cflri_is_copy_of_text(const cflri_made *made, const cflri_assign *assign);

#endif
