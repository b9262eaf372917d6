/* SPDX-License-Identifier: Apache-2.0
 *
 * pieces.c: which copies in pieces (bytes.c) may copy pointers.
 *
 * Nearly all are of text: a copy whose source is no untyped memory (untyped.c) is dropped. With
 * --aliasing text what is copied as characters (made.c) carries no pointers, and becomes edges with
 * a label of their own, which tell on what the answers rest. Linear.
 */
#include "frontend/typing/pieces.h"

static bool is_text(const cflri_untyped *untyped, const cflri_assign *assign) {
    cflri_node root = cflri_facts_piece_of(&untyped->program->facts, assign);
    if (root == CFLRI_NO_NODE && untyped->source[assign->to]) root = assign->to;
    return root != CFLRI_NO_NODE && !untyped->fed[root];
}

/* The copy as what it is to pointers: it needs no contents then, which would be read and
 * written. */
static cflri_assign as_text(const cflri_facts *facts, const cflri_assign *copy) {
    const cflri_node_record *from = &facts->nodes.at[copy->from], *to = &facts->nodes.at[copy->to];
    cflri_assign text = *copy;
    text.data = true;
    text.text = CFLRI_TEXT_HELD;
    if (from->how == CFLRI_DEREF && to->how == CFLRI_DEREF) {
        text.text = CFLRI_TEXT_BETWEEN;
        text.to = to->base;
    }
    if (from->how == CFLRI_DEREF) {
        text.from = from->base;
    } else {
        text.from = to->base;
        text.to = copy->from;
    }
    return text;
}

void cflri_drop_text(const cflri_untyped *untyped, const cflri_made *made) {
    cflri_facts *facts = &untyped->program->facts;
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        if (is_text(untyped, &assign)) continue;
        facts->assigns.at[kept] = assign;
        if (made && cflri_is_copy_of_text(made, &assign))
            facts->assigns.at[kept] = as_text(facts, &assign);
        kept++;
    }
    facts->assigns.n = kept;
}
