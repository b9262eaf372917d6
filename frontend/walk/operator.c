/* SPDX-License-Identifier: Apache-2.0
 *
 * operator.c: unary and binary operators, assignment and the conditional.
 *
 * Arithmetic on a pointer stays inside its object, and an array is one element here, so p + i, p -
 * i and p++ have the value of p. Adding an offsetof is the step to that member, also of a pointer
 * that is cast to an integer; moved.c says what other sums may mean besides. Sums, masks and shifts
 * of integers pass on whatever pointers their operands may hide. A difference of two pointers is a
 * plain number, and so is the result of a comparison.
 *
 * Generated code has sums and commas of many thousand operands: they lean to the left, so the left
 * spine is walked down first and then evaluated from its end, without recursion. Conditionals lean
 * to the right and are a loop, too.
 */
#include <string.h>

#include "frontend/walk/walk.h"

static CXCursor cursor_of(const cflri_walk *w, uint32_t e) {
    return cflri_tree_cursor(&w->tree, e);
}

static const cflri_tag in_place = {
    .call = CFLRI_NO_CALL, .flow = CFLRI_FLOW_ASSIGN, .in_place = true};

/* ---- unary ---- */

cflri_lvalue cflri_deref_place(cflri_walk *w, uint32_t e, bool taken) {
    uint32_t operand = cflri_tree_first(&w->tree, e);
    cflri_lvalue place = {.addressed = true, .type = cflri_expr_plain(w, e)};
    place.class = cflri_type_classify_plain(&w->types, place.type);
    if (operand != CFLRI_NO_CHILD) place.nodes = cflri_expr_value(w, operand);
    if (place.class == CFLRI_TYPE_INTEGER || place.class == CFLRI_TYPE_NUMBER)
        cflri_bytes_accessed(w, e, &place.nodes);
    if (!taken && place.class != CFLRI_TYPE_FUNCTION) cflri_followed(w, e, &place.nodes);
    return place;
}

static cflri_value deref_value(cflri_walk *w, uint32_t e) {
    if (cflri_expr_class(w, e) == CFLRI_TYPE_NONE) {
        cflri_expr_looked_through(w, e);
        return cflri_no_value();
    }
    cflri_lvalue place = cflri_deref_place(w, e, false);
    cflri_value value = cflri_place_value(w, &place);
    cflri_mention_access(w, e, &place, &value);
    return value;
}

cflri_lvalue cflri_complex_part(cflri_walk *w, uint32_t e, bool taken) {
    bool imaginary =
        cflri_clang_getCursorUnaryOperatorKind(cursor_of(w, e)) == CXUnaryOperator_Imag;
    cflri_lvalue whole =
        cflri_taken_place(w, cflri_expr_unwrapped(w, cflri_tree_first(&w->tree, e)));
    cflri_lvalue part = {.addressed = true, .type = cflri_expr_plain(w, e)};
    part.class = cflri_type_classify_plain(&w->types, part.type);
    const cflri_value real = cflri_place_address(w, &whole);
    const cflri_value other =
        cflri_field_of(w, &real, (int32_t)cflri_clang_Type_getSizeOf(part.type));
    part.nodes = taken ? (imaginary ? other : real) : cflri_join(w, e, &real, &other);
    return part;
}

cflri_lvalue cflri_taken_place(cflri_walk *w, uint32_t e) {
    enum CXUnaryOperatorKind kind;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_MemberRefExpr:
            return cflri_member_place(w, e, true);
        case CXCursor_ArraySubscriptExpr:
            return cflri_subscript_place(w, e, true);
        case CXCursor_UnaryOperator:
            kind = cflri_clang_getCursorUnaryOperatorKind(cursor_of(w, e));
            if (kind == CXUnaryOperator_Deref) return cflri_deref_place(w, e, true);
            if (kind == CXUnaryOperator_Real || kind == CXUnaryOperator_Imag)
                return cflri_complex_part(w, e, true);
            break;
        default:
            break;
    }
    return cflri_expr_place(w, e);
}

static cflri_value address_value(cflri_walk *w, uint32_t e, uint32_t operand) {
    cflri_lvalue place = cflri_taken_place(w, cflri_expr_unwrapped(w, operand));
    cflri_value value = cflri_place_address(w, &place);
    cflri_mention(w, e, &value);
    return value;
}

/* `p++` and `++p` change p within its object: its value is that of p. `--p` may go to a header in
 * front of it. */
static cflri_value stepped_value(cflri_walk *w, uint32_t e, uint32_t operand) {
    enum CXUnaryOperatorKind kind = cflri_clang_getCursorUnaryOperatorKind(cursor_of(w, e));
    cflri_type_class class = cflri_expr_class(w, e);
    if (class == CFLRI_TYPE_NONE) {
        cflri_expr_effects(w, operand);
        return cflri_no_value();
    }
    bool back = kind == CXUnaryOperator_PreDec || kind == CXUnaryOperator_PostDec;
    if (!back || class != CFLRI_TYPE_POINTER) return cflri_expr_value(w, operand);
    cflri_lvalue place = cflri_expr_place(w, operand);
    const cflri_value value = cflri_place_value(w, &place);
    cflri_mention(w, operand, &value);
    const cflri_value moved = cflri_moved_back(w, e, &value);
    cflri_flow_into(w, &in_place, &moved, &place);
    return moved;
}

cflri_value cflri_unary_value(cflri_walk *w, uint32_t e) {
    uint32_t operand = cflri_tree_first(&w->tree, e);
    if (operand == CFLRI_NO_CHILD) return cflri_no_value();
    switch (cflri_clang_getCursorUnaryOperatorKind(cursor_of(w, e))) {
        case CXUnaryOperator_Deref:
            return deref_value(w, e);
        case CXUnaryOperator_AddrOf:
            return address_value(w, e, operand);
        case CXUnaryOperator_LNot:
            cflri_expr_effects(w, operand);
            return cflri_no_value();
        default: /* ++ -- + - ~ __extension__ __real __imag */
            return stepped_value(w, e, operand);
    }
}

/* ---- assignment ---- */

/* `p->next = p->next + n`: the place holds what it held. Asked only where one node stands for both
 * sides. */
static bool changes(cflri_walk *w, uint32_t left, uint32_t right, const cflri_value *value,
                    const cflri_lvalue *place) {
    char to[CFLRI_SPELLING_SIZE], from[CFLRI_SPELLING_SIZE];
    const cflri_value content =
        place->class == CFLRI_TYPE_POINTER ? cflri_place_content(w, place) : cflri_no_value();
    bool same = false;
    for (uint32_t i = 0; i < content.n; i++)
        for (uint32_t k = 0; k < value->n; k++) same |= content.at[i] == value->at[k];
    if (!same) return false;
    right = cflri_expr_bare(w, right);
    while (cflri_tree_kind(&w->tree, right) == CXCursor_BinaryOperator &&
           cflri_tree_first(&w->tree, right) != CFLRI_NO_CHILD)
        right = cflri_expr_bare(w, cflri_tree_first(&w->tree, right));
    cflri_spell(w, cflri_expr_bare(w, left), to);
    cflri_spell(w, right, from);
    return strcmp(to, from) == 0;
}

static cflri_value assign_value(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    uint32_t right = cflri_tree_next(&w->tree, left);
    size_t accesses = w->accesses.n;
    if (cflri_expr_class(w, left) == CFLRI_TYPE_NONE) {
        cflri_expr_effects(w, left);
        cflri_expr_effects(w, right);
        cflri_bytes_moved(w, accesses, left, right);
        return cflri_no_value();
    }
    cflri_lvalue place = cflri_expr_place(w, left);
    cflri_value value = cflri_expr_value(w, right);
    if (place.class == CFLRI_TYPE_INTEGER || place.class == CFLRI_TYPE_NUMBER)
        cflri_bytes_moved(w, accesses, left, right);
    if (place.class == CFLRI_TYPE_POINTER || cflri_is_number(w, place.class)) {
        cflri_value content = cflri_place_content(w, &place);
        cflri_mention(w, left, &content);
    }
    const cflri_value stored = cflri_stored_value(w, left, &value);
    cflri_flow_into(w, changes(w, left, right, &value, &place) ? &in_place : &cflri_plain_flow,
                    &stored, &place);
    return value;
}

/* Pointers and a number: the offset of a member, or another one. */
static cflri_value moved_by(cflri_walk *w, uint32_t e, const cflri_value *pointers, uint32_t amount,
                            bool subtracted) {
    if (cflri_is_offsetof(w, amount)) return cflri_offset_moved(w, pointers, amount, subtracted);
    cflri_expr_effects(w, amount);
    return cflri_moved_value(w, e, pointers, amount, subtracted);
}

/* A split local is a new one after `n += x`: it becomes the place, and has the old value. */
static cflri_value changed_value(cflri_walk *w, uint32_t e, cflri_lvalue *place,
                                 const cflri_value *value) {
    uint32_t name = cflri_local_changed(w, e);
    if (name != CFLRI_NO_CHILD)
        place->nodes = cflri_one_value(cflri_version_content(w, e, cflri_referenced_decl(w, name)));
    cflri_flow_into(w, &cflri_plain_flow, value, place);
    return name == CFLRI_NO_CHILD ? *value : place->nodes;
}

/* `u += n`, `u -= n` and `u &= n` of an integer that may be a pointer. */
static cflri_value integer_moved(cflri_walk *w, uint32_t e, const cflri_value *value,
                                 uint32_t right) {
    switch (cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e))) {
        case CXBinaryOperator_AddAssign:
            return cflri_moved_value(w, e, value, right, false);
        case CXBinaryOperator_SubAssign:
            return cflri_moved_value(w, e, value, right, true);
        case CXBinaryOperator_AndAssign:
            return cflri_masked_value(w, e, value, right);
        default:
            return *value;
    }
}

/* `p += n` moves p; integers take in both sides. */
static cflri_value compound_assign_value(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    uint32_t right = cflri_tree_next(&w->tree, left);
    cflri_type_class class = cflri_expr_class(w, left);
    size_t accesses = w->accesses.n;
    if (class == CFLRI_TYPE_NONE) {
        cflri_expr_effects(w, left);
        cflri_expr_effects(w, right);
        cflri_bytes_moved(w, accesses, left, right);
        return cflri_no_value();
    }
    cflri_lvalue place = cflri_expr_place(w, left);
    cflri_value value = cflri_place_value(w, &place);
    if (class == CFLRI_TYPE_POINTER || cflri_is_number(w, class)) cflri_mention(w, left, &value);
    if (class == CFLRI_TYPE_INTEGER || class == CFLRI_TYPE_NUMBER) {
        const cflri_value added = cflri_expr_value(w, right);
        if (class == CFLRI_TYPE_NUMBER) cflri_bytes_moved(w, accesses, left, right);
        if (class == CFLRI_TYPE_INTEGER) value = integer_moved(w, e, &value, right);
        value = changed_value(w, e, &place, &value);
        cflri_flow_into(w, &cflri_plain_flow, &added, &place);
    } else {
        bool back =
            cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e)) == CXBinaryOperator_SubAssign;
        const cflri_value moved = moved_by(w, e, &value, right, back);
        cflri_flow_into(w, &in_place, &moved, &place);
    }
    return value;
}

/* ---- binary ---- */

typedef enum operands {
    NEITHER, /* comparisons, logic, remainders, differences of pointers */
    RIGHT,   /* comma */
    LEFT,    /* shifts, quotients; with data flow they are as sums are */
    BOTH,    /* sums, masks and products of integers */
    POINTER, /* a pointer and a distance */
} operands;

static bool both_pointers(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    uint32_t right = cflri_tree_next(&w->tree, left);
    return cflri_expr_class(w, left) == CFLRI_TYPE_POINTER &&
           cflri_expr_class(w, right) == CFLRI_TYPE_POINTER;
}

/* `p - (char *)0` is how old code makes an integer of a pointer. */
static bool from_null(const cflri_walk *w, uint32_t e) {
    long long value = 1;
    uint32_t right = cflri_expr_bare(w, cflri_tree_last(&w->tree, e));
    return cflri_tree_kind(&w->tree, right) == CXCursor_IntegerLiteral &&
           cflri_expr_constant(w, right, &value) && value == 0;
}

/* Which operands the value comes from. */
static operands sources(cflri_walk *w, uint32_t e) {
    enum CXBinaryOperatorKind kind = cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e));
    if (kind == CXBinaryOperator_Comma) return RIGHT;
    cflri_type_class class = cflri_expr_class(w, e);
    if (class == CFLRI_TYPE_NONE) return NEITHER;
    switch (kind) {
        case CXBinaryOperator_Add:
            return class == CFLRI_TYPE_POINTER ? POINTER : BOTH;
        case CXBinaryOperator_Sub:
            if (class == CFLRI_TYPE_POINTER) return POINTER;
            if (both_pointers(w, e)) return from_null(w, e) ? LEFT : NEITHER;
            return BOTH;
        case CXBinaryOperator_Mul:
        case CXBinaryOperator_And:
        case CXBinaryOperator_Or:
        case CXBinaryOperator_Xor:
            return BOTH;
        case CXBinaryOperator_Div:
        case CXBinaryOperator_Shl:
        case CXBinaryOperator_Shr:
            return w->facts->chosen.data_flow ? BOTH : LEFT;
        case CXBinaryOperator_Rem:
            return w->facts->chosen.data_flow ? BOTH : NEITHER;
        default:
            return NEITHER;
    }
}

static bool only_nulls(const cflri_walk *w, const cflri_value *value) {
    for (uint32_t i = 0; i < value->n; i++)
        if (!cflri_is_null(w, value->at[i])) return false;
    return true;
}

/* p + i, where `left` is the value of whichever stands left. An integer added to a null pointer is
 * a pointer made from it. */
static cflri_value moved_value(cflri_walk *w, uint32_t e, const cflri_value *left, uint32_t right) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    bool subtracted =
        cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e)) == CXBinaryOperator_Sub;
    if (cflri_expr_class(w, first) != CFLRI_TYPE_POINTER) { /* it is evaluated */
        const cflri_value pointer = cflri_expr_value(w, right);
        if (cflri_is_offsetof(w, first)) return cflri_offset_moved(w, &pointer, first, false);
        return only_nulls(w, &pointer) ? *left : cflri_moved_value(w, e, &pointer, first, false);
    }
    if (only_nulls(w, left) && !cflri_is_offsetof(w, right)) return cflri_expr_value(w, right);
    return moved_by(w, e, left, right, subtracted);
}

static bool is_cast_pointer(cflri_walk *w, uint32_t e) {
    return cflri_expr_class(w, cflri_expr_bare(w, e)) == CFLRI_TYPE_POINTER;
}

/* A sum of integers, of which either may be the pointer; one that is cast from a pointer is. `left`
 * is the value of the operand `first`. */
static cflri_value moved_sum(cflri_walk *w, uint32_t e, const cflri_value *left, bool subtracted) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    uint32_t right = cflri_tree_next(&w->tree, first);
    const cflri_value other = cflri_expr_value(w, right);
    const cflri_value all = cflri_join(w, e, left, &other);
    bool right_moves = is_cast_pointer(w, right) && !is_cast_pointer(w, first);
    if (!subtracted && (right_moves || left->n == 0)) {
        const cflri_value moved = cflri_moved_value(w, e, &other, first, false);
        return cflri_join(w, e, &moved, left);
    }
    bool left_moves = subtracted || is_cast_pointer(w, first);
    const cflri_value moved = cflri_moved_value(w, e, left_moves ? left : &all, right, subtracted);
    return cflri_join(w, e, &moved, &other);
}

/* An integer plus or minus a number, or without its low bits. One that is not seen to be a pointer
 * is far more often a length: what it comes to is dropped when the program is known (moves.c), and
 * with offsetof it stays as well. */
static bool moved_integer(cflri_walk *w, uint32_t e, const cflri_value *left, cflri_value *value) {
    enum CXBinaryOperatorKind kind = cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e));
    uint32_t first = cflri_tree_first(&w->tree, e);
    uint32_t right = cflri_tree_next(&w->tree, first);
    bool added = kind == CXBinaryOperator_Add, subtracted = kind == CXBinaryOperator_Sub;
    if ((added || subtracted) && cflri_is_offsetof(w, right)) {
        *value = cflri_offset_moved(w, left, right, subtracted);
        if (!is_cast_pointer(w, first)) *value = cflri_join(w, e, value, left);
    } else if (added && cflri_is_offsetof(w, first)) {
        const cflri_value pointer = cflri_expr_value(w, right);
        *value = cflri_offset_moved(w, &pointer, first, false);
        if (!is_cast_pointer(w, right)) *value = cflri_join(w, e, value, &pointer);
    } else if (added || subtracted) {
        *value = moved_sum(w, e, left, subtracted);
    } else if (kind == CXBinaryOperator_And) {
        const cflri_value mask = cflri_expr_value(w, right);
        const cflri_value kept = cflri_masked_value(w, e, left, right);
        *value = cflri_join(w, e, &kept, &mask);
    } else {
        return false;
    }
    return true;
}

/* `(uintptr_t)high << 32`: half of a pointer may become one again (integers.c). */
static bool widens(cflri_walk *w, uint32_t e) {
    if (cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e)) != CXBinaryOperator_Shl ||
        cflri_expr_class(w, e) != CFLRI_TYPE_INTEGER)
        return false;
    uint32_t left = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
    CXType from = cflri_expr_plain(w, left);
    return cflri_type_is_integer(from) &&
           cflri_tree_kind(&w->tree, left) != CXCursor_IntegerLiteral &&
           cflri_clang_Type_getSizeOf(from) < cflri_clang_Type_getSizeOf(cflri_expr_plain(w, e));
}

static cflri_value widened(cflri_walk *w, uint32_t e, const cflri_value *value) {
    cflri_node whole = cflri_temporary(w, e, "!widened", CFLRI_CARRIES_INTEGER);
    if (whole == CFLRI_NO_NODE) return *value;
    w->facts->nodes.at[whole].widened = true;
    cflri_flow_value(w, &cflri_plain_flow, value, whole);
    return cflri_one_value(whole);
}

/* One operator, given the value of its left operand. */
static cflri_value combine(cflri_walk *w, uint32_t e, const cflri_value *left, operands from,
                           bool used) {
    uint32_t right = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, e));
    if (!used || from == NEITHER || from == LEFT) {
        cflri_expr_effects(w, right);
        if (used && widens(w, e)) return widened(w, e, left);
        return from == LEFT ? *left : cflri_no_value();
    }
    if (from == POINTER) return moved_value(w, e, left, right);
    cflri_value value;
    if (from == BOTH && moved_integer(w, e, left, &value)) return value;
    value = cflri_expr_value(w, right);
    if (from == RIGHT) return value;
    value = cflri_join(w, e, left, &value);
    return widens(w, e) ? widened(w, e, &value) : value;
}

static bool has_spine(const cflri_walk *w, uint32_t e) {
    if (cflri_tree_kind(&w->tree, e) != CXCursor_BinaryOperator) return false;
    return cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e)) != CXBinaryOperator_Assign &&
           cflri_tree_count(&w->tree, e) == 2;
}

/* Does this move a pointer by an offsetof, forth or back? */
static bool moves(cflri_walk *w, const cflri_spine_entry *entry, bool back) {
    if (entry->sources != POINTER) return false;
    uint32_t right = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, entry->e));
    bool subtracted =
        cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, entry->e)) == CXBinaryOperator_Sub;
    return subtracted == back && cflri_is_offsetof(w, right);
}

/* p + offsetof(T, b) - offsetof(T, a): p is the member a, so the way back comes first. */
static void take_back_first(cflri_walk *w) {
    cflri_spine_entry *next = &w->spine.at[w->spine.n - 1], *after = next - 1;
    if (!moves(w, next, false) || !moves(w, after, true)) return;
    const cflri_spine_entry swap = *next;
    *next = *after;
    *after = swap;
}

/* The spine is kept in w->spine as (expression, its value is used) pairs, above what callers have
 * there. */
static cflri_value spine_value(cflri_walk *w, uint32_t e, bool used) {
    size_t base = w->spine.n;
    while (has_spine(w, e)) {
        const cflri_spine_entry entry = {e, (uint8_t)sources(w, e), used};
        if (!cflri_vec_push(w->context, &w->spine, entry)) {
            cflri_walk_refuse(w);
            break;
        }
        used = used && entry.sources != NEITHER && entry.sources != RIGHT;
        e = cflri_expr_unwrapped(w, cflri_tree_first(&w->tree, e));
    }
    cflri_value value = cflri_no_value();
    bool summand = w->spine.n > base && cflri_is_offsetof(w, e); /* the sum that adds it reads it */
    if (used && !summand)
        value = cflri_expr_value(w, e);
    else
        cflri_expr_effects(w, e);
    while (w->spine.n > base) {
        if (w->spine.n > base + 1) take_back_first(w);
        const cflri_spine_entry entry = w->spine.at[--w->spine.n];
        value = combine(w, entry.e, &value, (operands)entry.sources, entry.used);
    }
    return value;
}

cflri_value cflri_binary_value(cflri_walk *w, uint32_t e, bool used) {
    if (cflri_tree_count(&w->tree, e) != 2) { /* an operand did not parse */
        cflri_expr_effects_within(w, e);
        return cflri_no_value();
    }
    if (cflri_tree_kind(&w->tree, e) == CXCursor_CompoundAssignOperator)
        return compound_assign_value(w, e);
    if (cflri_clang_getCursorBinaryOperatorKind(cursor_of(w, e)) == CXBinaryOperator_Assign)
        return assign_value(w, e);
    return spine_value(w, e, used);
}

/* ---- conditional ---- */

/* `c ? a : d ? b : ...`: the last arm again and again. */
/* Is it written in a macro of a system header? */
static bool is_of_library(const cflri_walk *w, uint32_t e) {
    CXFile file = NULL;
    unsigned offset;
    cflri_clang_getSpellingLocation(
        cflri_clang_getRangeStart(cflri_clang_getCursorExtent(cursor_of(w, e))), &file, NULL, NULL,
        &offset);
    return file && cflri_clang_Location_isInSystemHeader(
                       cflri_clang_getLocationForOffset(w->unit, file, offset));
}

/* A choice that such a macro makes (CMSG_FIRSTHDR) gives null where a length is too small; a
 * program that has set it knows that it is not. So what is found of it is unlikely
 * (findings/rank.c), told by the name. */
static void name_nulls(cflri_walk *w, uint32_t e, const cflri_value *value) {
    for (uint32_t i = 0; i < value->n; i++)
        if (cflri_is_null(w, value->at[i]) && is_of_library(w, e))
            w->facts->nodes.at[value->at[i]].name =
                cflri_facts_string(w->facts, CFLRI_NULL_OF_LIBRARY);
}

cflri_value cflri_conditional_value(cflri_walk *w, uint32_t e, bool used) {
    cflri_value value = cflri_no_value();
    used = used && cflri_expr_class(w, e) != CFLRI_TYPE_NONE;
    for (uint32_t at = e;;) {
        if (cflri_tree_kind(&w->tree, at) != CXCursor_ConditionalOperator ||
            cflri_tree_count(&w->tree, at) != 3) {
            if (!used) {
                cflri_expr_effects(w, at);
                return value;
            }
            const cflri_value last = cflri_expr_value(w, at);
            name_nulls(w, e, &last);
            return cflri_join(w, e, &value, &last);
        }
        uint32_t condition = cflri_tree_first(&w->tree, at);
        uint32_t then = cflri_tree_next(&w->tree, condition);
        cflri_expr_effects(w, condition);
        if (used) {
            const cflri_value arm = cflri_expr_value(w, then);
            name_nulls(w, e, &arm);
            value = cflri_join(w, e, &value, &arm);
        } else {
            cflri_expr_effects(w, then);
        }
        at = cflri_expr_unwrapped(w, cflri_tree_next(&w->tree, then));
    }
}
