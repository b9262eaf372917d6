/* SPDX-License-Identifier: Apache-2.0
 *
 * bytes.c: pointers that travel in pieces.
 *
 * Code that copies memory of any type does so byte by byte, or in words of any length:
 *
 *     void copy(void *to, const void *from, size_t n) {
 *         unsigned char *t = to;
 *         const unsigned char *f = from;
 *         while (n--) *t++ = *f++;
 *     }
 *
 * One integer of it holds no pointer, the whole run does. So a statement that moves an integer from
 * what one pointer points to into what another one points to is a copy of memory whose type is not
 * known (facts.h: smeared): whatever lies at any offset of the source may come to lie at any offset
 * of the target. So may floating point and vectors be such words, and arrays in unions, whose
 * other members hold pointers. A character, or a word as wide as a pointer or wider, may stop in a
 * local variable on its way, as when two places are swapped. A record that holds no pointer by its
 * type, and characters in a record, are copied so too (assign.c). Integers as wide as a pointer
 * hold one where they are, which assign.c states; here the other offsets are added.
 *
 * By far the most of it is text: what only ever was that is dropped when the program is known
 * (pieces.c).
 *
 * An access is remembered when its pointer is evaluated, since nothing may be evaluated twice; the
 * assignment that it is in looks it up by its expression.
 */
#include "frontend/walk/walk.h"

/* Does a copy of memory hold this in a variable? Characters, and what is as wide as a pointer, or
 * wider. */
static bool may_stop(const cflri_walk *w, CXType type) {
    long long size = cflri_clang_Type_getSizeOf(type);
    return cflri_type_is_number(type) && (size == 1 || size >= w->types.pointer_size);
}

static CXType plain_type(const cflri_walk *w, uint32_t e) {
    return cflri_expr_plain(w, e);
}

void cflri_bytes_accessed(cflri_walk *w, uint32_t e, const cflri_value *pointers) {
    const cflri_access access = {e, *pointers};
    if (pointers->n == 0 || !cflri_type_is_number(plain_type(w, e))) return;
    if (!cflri_vec_push(w->context, &w->accesses, access)) cflri_walk_refuse(w);
}

/* The pointers that an access goes through; NULL when `e` is none. */
static const cflri_value *accessed(const cflri_walk *w, uint32_t e, size_t base) {
    for (size_t i = w->accesses.n; i-- > base;)
        if (w->accesses.at[i].e == e) return &w->accesses.at[i].pointers;
    return NULL;
}

/* The content at any offset of what these point to. */
static cflri_value any_content(cflri_walk *w, uint32_t e, const cflri_value *pointers) {
    const cflri_value roots =
        cflri_one_value(cflri_smeared(w, e, "bytes", &cflri_plain_flow, pointers, true));
    return cflri_content_of(w, &roots, CFLRI_CARRIES_INTEGER);
}

/* The content that a local variable has of memory that is copied: not its value, which is no
 * pointer. */
static cflri_value variable_content(cflri_walk *w, uint32_t number) {
    const cflri_decl *decl = &w->names.decls.at[number];
    bool local = decl->kind == CFLRI_DECL_VARIABLE &&
                 cflri_clang_getCursorLinkage(decl->cursor) == CXLinkage_NoLinkage;
    if (!local || !cflri_type_is_number(decl->type)) return cflri_no_value();
    const cflri_node_record record = {
        .kind = CFLR_VERTEX_TEMPORARY, .carrier = CFLRI_CARRIES_INTEGER, .name = decl->name};
    return cflri_one_value(cflri_piece_node(&w->names, decl->cursor, &record));
}

static cflri_value named_variable(cflri_walk *w, uint32_t e) {
    uint32_t number = cflri_referenced_decl(w, e);
    return number == CFLRI_NO_NUMBER ? cflri_no_value() : variable_content(w, number);
}

/* ---- where an integer comes from ---- */

typedef struct pieces {
    cflri_value from;
    bool memory; /* some of it comes from memory */
} pieces;

static void add_pieces(cflri_walk *w, uint32_t e, size_t base, bool stopping, pieces *found);

static void add_children(cflri_walk *w, uint32_t e, size_t base, bool stopping, pieces *found) {
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c))
        add_pieces(w, c, base, stopping, found);
}

static bool passes_on(const cflri_walk *w, uint32_t e) {
    switch (cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e))) {
        case CXBinaryOperator_Or:
        case CXBinaryOperator_Xor:
        case CXBinaryOperator_Assign:
            return true;
        default:
            return false;
    }
}

/* Through what leaves an integer as it is, or joins two. `stopping`: it is moved to or from a
 * variable. */
static void add_pieces(cflri_walk *w, uint32_t e, size_t base, bool stopping, pieces *found) {
    cflri_value value = cflri_no_value();
    e = cflri_expr_bare(w, e);
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_ArraySubscriptExpr:
        case CXCursor_UnaryOperator: {
            const cflri_value *pointers = accessed(w, e, base);
            if (!pointers || (stopping && !may_stop(w, plain_type(w, e)))) return;
            const cflri_value through = *pointers;
            value = any_content(w, e, &through);
            found->memory = true;
            break;
        }
        case CXCursor_DeclRefExpr:
            if (stopping) value = named_variable(w, e);
            break;
        case CXCursor_ConditionalOperator:
            add_children(w, e, base, stopping, found);
            return;
        case CXCursor_BinaryOperator:
            if (passes_on(w, e)) add_children(w, e, base, stopping, found);
            return;
        default:
            return;
    }
    found->from = cflri_join(w, e, &found->from, &value);
}

/* ---- statements ---- */

static void state(cflri_walk *w, const cflri_value *from, const cflri_value *to) {
    for (uint32_t i = 0; i < to->n; i++) cflri_flow_value(w, &cflri_plain_flow, from, to->at[i]);
}

void cflri_bytes_moved(cflri_walk *w, size_t base, uint32_t left, uint32_t right) {
    if (w->accesses.n == base || w->facts->status != CFLR_OK) return;
    left = cflri_expr_bare(w, left);
    const cflri_value *pointers = accessed(w, left, base);
    pieces found = {0};
    if (pointers) {
        const cflri_value through = *pointers;
        add_pieces(w, right, base, may_stop(w, plain_type(w, left)), &found);
        if (found.from.n == 0) return;
        const cflri_value target = any_content(w, left, &through);
        state(w, &found.from, &target);
    } else if (cflri_tree_kind(&w->tree, left) == CXCursor_DeclRefExpr) {
        add_pieces(w, right, base, true, &found);
        if (!found.memory) return;
        const cflri_value target = named_variable(w, left);
        state(w, &found.from, &target);
    }
}

void cflri_bytes_copied(cflri_walk *w, const cflri_value *from, const cflri_value *to) {
    const cflri_value out =
        cflri_one_value(cflri_smeared(w, w->stated, "copied", &cflri_plain_flow, from, true));
    const cflri_value in =
        cflri_one_value(cflri_smeared(w, w->stated, "copy", &cflri_plain_flow, to, true));
    const cflri_value source = cflri_content_of(w, &out, CFLRI_CARRIES_INTEGER);
    const cflri_value target = cflri_content_of(w, &in, CFLRI_CARRIES_INTEGER);
    state(w, &source, &target);
}

void cflri_bytes_initialise(cflri_walk *w, size_t base, uint32_t number, uint32_t right) {
    pieces found = {0};
    if (w->accesses.n == base) return;
    add_pieces(w, right, base, true, &found);
    if (!found.memory) return;
    const cflri_value target = variable_content(w, number);
    state(w, &found.from, &target);
}
