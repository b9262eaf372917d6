/* SPDX-License-Identifier: Apache-2.0
 *
 * unnamed.c: the expressions that libclang shows without saying what they are.
 *
 * They are distinguished by their children, counting expressions only:
 *
 *     offsetof        names members (MemberRef); and so does a designated item whose object does
 *                     not matter, of which only the effects are asked
 *     a ?: b          four; the first three are the same expression, shown three times. With data
 *                     flow its value is behind a `nonnull` edge where it is that of a
 *     va_arg          the last is a va_list, which the whole is not; expressions in the type before
 *     implicit cast   one child
 *     atomics         two or more; the first is a pointer. Then the order of memory and the
 *                     operands, in an order of clang's own
 *     choose_expr     three; the first is no pointer
 *
 * Which atomic operation it is can be seen in the tokens only, and those lie in a macro where the
 * standard header is used. So the types of the operands say what they are: T is a value that may be
 * stored in a place of type T, T * is a place that may be loaded to or stored from. That is what
 * the operations do, apart from the direction of copies between two places, which is taken as both.
 */
#include "frontend/walk/walk.h"

#include <string.h>

typedef enum unnamed_kind {
    NOTHING,
    MEMBERS, /* offsetof, designated item */
    IMPLICIT_CAST,
    VA_ARG,
    ELVIS, /* a ?: b */
    CHOOSE,
    ATOMIC,
    OTHER,
} unnamed_kind;

static CXCursor cursor_of(const cflri_walk *w, uint32_t e) {
    return cflri_tree_cursor(&w->tree, e);
}

static bool is_va_list_name(CXType type) {
    if (type.kind == CXType_Pointer || type.kind == CXType_Record)
        return false; /* as most are: no name at all */
    CXString name = cflri_clang_getTypedefName(type);
    const char *text = cflri_clang_getCString(name);
    bool is = text && (strcmp(text, "va_list") == 0 || strcmp(text, "__builtin_va_list") == 0 ||
                       strcmp(text, "__gnuc_va_list") == 0 || strcmp(text, "__va_list") == 0);
    cflri_clang_disposeString(name);
    return is;
}

static bool is_va_list_tag(CXType type) {
    if (type.kind != CXType_Record) return false;
    CXString name = cflri_clang_getCursorSpelling(cflri_clang_getTypeDeclaration(type));
    const char *text = cflri_clang_getCString(name);
    bool is = text && (strcmp(text, "__va_list_tag") == 0 || strcmp(text, "__va_list") == 0);
    cflri_clang_disposeString(name);
    return is;
}

/* A va_list under any of its disguises: the array or record of the target, what it decays to, or a
 * plain pointer, known by its typedef only. `plain` is the type's. */
static bool is_va_list(CXType type, CXType plain) {
    if (is_va_list_name(type)) return true;
    if (plain.kind != CXType_Pointer && plain.kind != CXType_Record)
        plain = cflri_type_element(plain);
    if (plain.kind == CXType_Pointer) plain = cflri_type_plain(cflri_clang_getPointeeType(plain));
    return is_va_list_tag(plain);
}

static bool is_va_arg(cflri_walk *w, uint32_t e, uint32_t operand) {
    cflri_type_class class = cflri_expr_class(w, operand);
    if (class != CFLRI_TYPE_POINTER && class != CFLRI_TYPE_RECORD) return false;
    CXType type = cflri_expr_type(w, e);
    CXType list = cflri_expr_type(w, operand);
    if (cflri_clang_equalTypes(type, list)) return false; /* a mere read, as nearly all are */
    return is_va_list(list, cflri_expr_plain(w, operand)) &&
           !is_va_list(type, cflri_expr_plain(w, e));
}

static bool same_expression(const cflri_walk *w, uint32_t a, uint32_t b) {
    return cflri_clang_equalCursors(cursor_of(w, a), cursor_of(w, b));
}

bool cflri_is_elvis(const cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    return cflri_tree_count(&w->tree, e) == 4 &&
           same_expression(w, first, cflri_tree_next(&w->tree, first));
}

static unnamed_kind kind_of(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    if (first == CFLRI_NO_CHILD) return NOTHING;
    if (cflri_named_member(w, e) != CFLRI_NO_CHILD) return MEMBERS;
    bool alone = cflri_tree_next(&w->tree, first) == CFLRI_NO_CHILD;
    if (!alone && cflri_is_elvis(w, e)) return ELVIS;
    if (is_va_arg(w, e, cflri_tree_last(&w->tree, e))) return VA_ARG;
    if (alone) return IMPLICIT_CAST;
    if (cflri_expr_class(w, first) == CFLRI_TYPE_POINTER) return ATOMIC;
    return cflri_tree_count(&w->tree, e) == 3 ? CHOOSE : OTHER;
}

/* Can a test show anything of it? An address is not null, and a null constant never passes. */
static bool is_tested(const cflri_walk *w, const cflri_value *value) {
    for (uint32_t i = 0; i < value->n; i++)
        if (w->facts->nodes.at[value->at[i]].how != CFLRI_ADDRESS) return true;
    return false;
}

/* `first` is evaluated once, and is the whole where it is not null. */
cflri_value cflri_not_null(cflri_walk *w, uint32_t first, const cflri_value *value) {
    const cflri_tag shown = {.call = CFLRI_NO_CALL, .flow = CFLRI_FLOW_NONNULL};
    cflri_type_class class = cflri_expr_class(w, first);
    bool pointer = class == CFLRI_TYPE_POINTER || class == CFLRI_TYPE_INTEGER;
    if (!w->facts->chosen.data_flow || !pointer || !is_tested(w, value)) return *value;
    cflri_carrier carrier =
        class == CFLRI_TYPE_POINTER ? CFLRI_CARRIES_POINTER : CFLRI_CARRIES_INTEGER;
    cflri_node kept = cflri_temporary(w, first, "!kept", carrier);
    cflri_flow_value(w, &shown, value, kept);
    return cflri_one_value(kept);
}

static cflri_value elvis_value(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    const cflri_value value = cflri_expr_value(w, first);
    const cflri_value kept = cflri_not_null(w, first, &value);
    const cflri_value other = cflri_expr_value(w, cflri_tree_last(&w->tree, e));
    return cflri_join(w, e, &kept, &other);
}

static uint32_t chosen(cflri_walk *w, uint32_t e) {
    uint32_t condition = cflri_tree_first(&w->tree, e);
    uint32_t yes = cflri_tree_next(&w->tree, condition);
    long long constant = 0;
    cflri_expr_constant(w, condition, &constant);
    return constant ? yes : cflri_tree_next(&w->tree, yes);
}

static cflri_value any_child(cflri_walk *w, uint32_t e) {
    cflri_value value = cflri_no_value();
    if (cflri_expr_class(w, e) == CFLRI_TYPE_NONE) {
        cflri_expr_effects_within(w, e);
        return value;
    }
    cflri_assumed(w, e, "unnamed expression: taken as any of its parts");
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        const cflri_value part = cflri_expr_value(w, c);
        value = cflri_join(w, e, &value, &part);
    }
    return value;
}

/* ---- atomics ---- */

typedef struct atomic_place {
    cflri_value pointers;
    CXType type; /* of the place, plain */
} atomic_place;

static void move(cflri_walk *w, const cflri_value *from, const cflri_value *to, CXType type) {
    cflri_copy_content(w, &cflri_plain_flow, from, to, type);
}

static void store(cflri_walk *w, const cflri_value *value, const atomic_place *place) {
    const cflri_lvalue to = {.class = cflri_type_classify(&w->types, place->type),
                             .addressed = true,
                             .nodes = place->pointers,
                             .type = place->type};
    cflri_flow_into(w, &cflri_plain_flow, value, &to);
}

static void atomic_operand(cflri_walk *w, uint32_t operand, const atomic_place *place) {
    CXType type = cflri_expr_plain(w, operand);
    const cflri_value value = cflri_expr_value(w, operand);
    bool is_place =
        type.kind == CXType_Pointer &&
        cflri_types_equal(cflri_type_plain(cflri_clang_getPointeeType(type)), place->type);
    if (!is_place) {
        store(w, &value, place);
        return;
    }
    move(w, &value, &place->pointers, place->type);
    move(w, &place->pointers, &value, place->type);
}

static cflri_value atomic_value(cflri_walk *w, uint32_t e, bool used) {
    uint32_t pointer = cflri_tree_first(&w->tree, e);
    CXType pointer_type = cflri_expr_plain(w, pointer);
    atomic_place place = {.pointers = cflri_expr_value(w, pointer)};
    if (pointer_type.kind == CXType_Pointer)
        place.type = cflri_type_plain(cflri_clang_getPointeeType(pointer_type));
    bool carries = cflri_type_carries(&w->types, place.type);
    for (uint32_t c = cflri_tree_next(&w->tree, pointer); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (carries)
            atomic_operand(w, c, &place);
        else
            cflri_expr_effects(w, c);
    }
    if (!used || !carries || cflri_expr_class(w, e) == CFLRI_TYPE_NONE) return cflri_no_value();
    const cflri_lvalue read = {.class = cflri_type_classify(&w->types, place.type),
                               .addressed = true,
                               .nodes = place.pointers,
                               .type = place.type};
    return cflri_place_value(w, &read);
}

/* ---- all of them ---- */

cflri_value cflri_unnamed_value(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    switch (kind_of(w, e)) {
        case NOTHING:
            return cflri_no_value();
        case MEMBERS: /* the sum that moves a pointer by it reads it (container.c) */
            return cflri_no_value();
        case IMPLICIT_CAST:
            return cflri_cast_value(w, e, first);
        case VA_ARG:
            return cflri_va_arg_value(w, e, cflri_tree_last(&w->tree, e));
        case ELVIS:
            return elvis_value(w, e);
        case CHOOSE:
            return cflri_expr_value(w, chosen(w, e));
        case ATOMIC:
            return atomic_value(w, e, true);
        default:
            return any_child(w, e);
    }
}

/* The children before the members are a type or a constant. */
static void member_effects(cflri_walk *w, uint32_t e) {
    for (uint32_t c = cflri_named_member(w, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c))
        cflri_expr_effects(w, c);
}

void cflri_unnamed_effects(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    switch (kind_of(w, e)) {
        case MEMBERS:
            member_effects(w, e);
            break;
        case VA_ARG:
            cflri_expr_effects(w, cflri_tree_last(&w->tree, e));
            break;
        case ELVIS:
            cflri_expr_effects(w, first);
            cflri_expr_effects(w, cflri_tree_last(&w->tree, e));
            break;
        case CHOOSE:
            cflri_expr_effects(w, chosen(w, e));
            break;
        case ATOMIC:
            atomic_value(w, e, false);
            break;
        default:
            cflri_expr_effects_within(w, e);
            break;
    }
}

uint32_t cflri_unnamed_converted(cflri_walk *w, uint32_t e) {
    bool unnamed = cflri_tree_kind(&w->tree, e) == CXCursor_UnexposedExpr;
    bool converts = unnamed && kind_of(w, e) == IMPLICIT_CAST;
    return converts ? cflri_tree_first(&w->tree, e) : CFLRI_NO_CHILD;
}
