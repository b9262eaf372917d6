/* SPDX-License-Identifier: Apache-2.0
 *
 * layout.h: where the members of a record lie.
 */
#ifndef CFLRI_LAYOUT_H
#define CFLRI_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/clang/clang.h"

typedef struct cflri_layout {
    CXType record;
    bool is_union;
    bool known;     /* so far the places are those that libclang would tell */
    uint64_t bound; /* bytes: the alignment of the record; no member has more */
    uint64_t align; /* bytes: the most of the members so far */
    uint64_t end;   /* bytes from the start of the record to the end of the members so far */
} cflri_layout;

cflri_layout cflri_layout_begin(CXType record);

/* Bytes from the start of the record to its next member. Members come in their order, and all of
 * them. */
uint64_t cflri_layout_next(cflri_layout *layout, CXCursor member);

/* Were they right? Otherwise each member is to be asked for. */
bool cflri_layout_end(const cflri_layout *layout);

#endif
