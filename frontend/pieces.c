/* SPDX-License-Identifier: Apache-2.0
 *
 * pieces.c: which copies in pieces (bytes.c) may copy pointers.
 *
 * Nearly all are of text: a copy whose source is no untyped memory (untyped.c) is dropped. Linear.
 */
#include "frontend/pieces.h"

void cflri_drop_text(const cflri_untyped *untyped) {
    cflri_facts *facts = &untyped->program->facts;
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        cflri_node root = cflri_facts_piece_of(facts, &assign);
        if (root == CFLRI_NO_NODE && untyped->source[assign.to]) root = assign.to;
        if (root == CFLRI_NO_NODE || untyped->fed[root]) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
}
