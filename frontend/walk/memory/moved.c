/* SPDX-License-Identifier: Apache-2.0
 *
 * moved.c: pointers that are moved by numbers.
 *
 *     (char *)h + 16          s - sizeof(struct header)          ((struct header *)s)[-1]
 *     (char *)e + tree->offset                                   (uintptr_t)p & ~4095
 *
 * An array is one element, so a pointer that goes along one stays what it is, and nearly all sums
 * of a pointer and a number are that. But code that sees memory as bytes may walk from member to
 * member, and from what lies behind a header back to it.
 *
 * Where the types before and after the sum are known, they tell the way:
 *
 *     (struct node *)((char *)item + n)        to a node in an item
 *     (struct item *)((char *)node - n)        from there
 *     (struct item *)((char *)item + n)        to another item of the array
 *     (char *)item + sizeof *item              behind it
 *
 * Else the whole program shows which of both it is; so the value is both: the pointer as it was,
 * and a root of its own, into which it flows (facts.h: moved) and that closing drops, or takes
 * apart by the offsets that there are (moves.c):
 *
 *     q = p + 16        p -a-> q        p -a-> [moved by 16] -a-> q
 *
 * Such roots are made for pointers to bytes, for integers that may hide a pointer, and for pointers
 * to records that are moved back: the record in front of the first one is a header, however far
 * back the program goes. By a number that is not known and may be less than 0, as one of a signed
 * type and a difference may, a pointer goes both ways:
 *
 *     q = p + n     p -a-> [back] -a-> q     p -a-> [forth] -a-> q     [back] -a-> [forth]
 *
 * The last of these is left out where q is to a record: nearly always that is the one that *p is a
 * member of.
 *
 * And where the address of a member is moved in the same expression, the record tells which member
 * that comes to:
 *
 *     (&s.a)[1]         &s.a + n
 */
#include "frontend/walk/walk.h"

/* The low bits of an address are used for other things: masks leave out so many, and sums put in
 * less than this. */
enum { TAG_BITS = 4, LEAST_STEP = 4 };
enum { MOST_DEPTH = 16 }; /* of records in records that are looked into */

/* The distance in bytes; `far`: it is not known, and `bytes` is the direction. */
typedef struct distance {
    bool far;
    bool both;    /* far, and in this direction or the other one */
    bool strided; /* of a pointer to a record */
    int32_t bytes;
} distance;

/* A sum: what is moved, what it pointed to before it was bytes, and what the sum is made to point
 * to. Types that are not known are invalid. */
typedef struct sum {
    uint32_t e;
    const cflri_value *pointers;
    distance by;
    CXType before, after;
    bool member;    /* the address of one is moved */
    CXType pointer; /* to what is behind */
} sum;

static bool is_bytes(CXType type) {
    return type.kind == CXType_Void || type.kind == CXType_Invalid || cflri_type_is_opaque(type) ||
           (cflri_type_is_integer(type) && cflri_clang_Type_getSizeOf(type) == 1);
}

static bool is_record(CXType type) {
    return type.kind == CXType_Record && !cflri_type_is_opaque(type);
}

/* The root of a pointer that is moved by so many bytes, or in that direction; the pointers flow
 * into it. */
static cflri_value moved_root(cflri_walk *w, const sum *s, const char *key, int32_t bytes) {
    bool far = s->by.far, forth = bytes > 0;
    const cflri_node_record record = {
        .kind = far ? CFLR_VERTEX_UNKNOWN : CFLR_VERTEX_TEMPORARY,
        .carrier = CFLRI_CARRIES_POINTER,
        .name = cflri_facts_string(w->facts, "moved"),
        .type = is_bytes(s->after) ? 0 : cflri_type_text(&w->names, s->pointer),
        .moved = true,
        .smeared = far && forth,
        .far = far,
        .strided = s->by.strided,
        .step = (uint32_t)bytes};
    cflri_node root = cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, s->e), key, &record);
    for (uint32_t i = 0; i < s->pointers->n; i++) {
        const cflri_value one = cflri_one_value(s->pointers->at[i]);
        if (!cflri_is_null(w, one.at[0])) cflri_flow_value(w, &cflri_plain_flow, &one, root);
    }
    return cflri_one_value(root);
}

/* A pointer that goes back by an unknown distance comes to records; where it is seen to be one to
 * something else, to any of their members. */
static cflri_value moved_far(cflri_walk *w, const sum *s) {
    const CXType after = s->after;
    bool cell = !is_bytes(after) && !is_record(after);
    if (s->by.bytes > 0 && !s->by.both) return moved_root(w, s, "!moved", 1);
    const cflri_value back = moved_root(w, s, "!moved", -1);
    if (!s->by.both && !cell) return back;
    const cflri_value forth = moved_root(w, s, "!moved forth", 1);
    if (!is_record(after) && forth.n) cflri_flow_value(w, &cflri_plain_flow, &back, forth.at[0]);
    return cflri_join(w, s->e, &back, &forth);
}

static cflri_value moved(cflri_walk *w, const sum *s) {
    if (s->by.bytes == 0) return *s->pointers;
    const cflri_value to = s->by.far ? moved_far(w, s) : moved_root(w, s, "!moved", s->by.bytes);
    return cflri_join(w, s->e, s->pointers, &to);
}

/* ---- where types tell ---- */

/* The last member that begins at the offset or before it; CFLRI_NO_NUMBER: there is none. */
static uint32_t member_at(cflri_walk *w, CXType record, uint32_t offset) {
    uint32_t number = cflri_type_record(&w->types, record), found = CFLRI_NO_NUMBER;
    if (number == CFLRI_NO_NUMBER) return found;
    const cflri_record r = w->types.records.at[number];
    for (uint32_t i = 0; i < r.n_fields && !r.is_union; i++) {
        const cflri_field *field = &w->types.fields.at[r.first_field + i];
        if (!field->anonymous && field->offset <= offset) found = r.first_field + i;
    }
    return found;
}

/* To what lies so far inside the record; false where that is no place of its own. */
static bool step_inside(cflri_walk *w, cflri_value *at, CXType record, uint32_t offset) {
    while (offset > 0) {
        uint32_t number = is_record(record) ? member_at(w, record, offset) : CFLRI_NO_NUMBER;
        if (number == CFLRI_NO_NUMBER) return false;
        const cflri_field field = w->types.fields.at[number];
        *at = cflri_field_of(w, at, (int32_t)field.offset);
        offset -= field.offset;
        record = field.type;
    }
    return true;
}

/* All that a record has inside of one type, or of any (bytes), as steps from `at` or back to it. */
typedef struct inside {
    uint32_t e;
    CXType wanted;
    bool back;
    bool found;
    cflri_value value;
} inside;

static void find_inside(cflri_walk *w, inside *in, CXType type, const cflri_value *at, int depth) {
    uint32_t number = is_record(type) ? cflri_type_record(&w->types, type) : CFLRI_NO_NUMBER;
    if (number == CFLRI_NO_NUMBER || depth == MOST_DEPTH) return;
    for (uint32_t i = 0; i < w->types.records.at[number].n_fields; i++) {
        const cflri_field field = w->types.fields.at[w->types.records.at[number].first_field + i];
        const CXType member = cflri_type_element(field.type);
        int32_t step = field.anonymous ? 0 : (int32_t)field.offset;
        bool any = is_bytes(in->wanted) && cflri_type_may_point(&w->types, member);
        cflri_value to = in->back ? *at : cflri_field_of(w, at, step);
        if (in->back) { /* out of what is inside first */
            inside deeper = {.e = in->e, .wanted = in->wanted, .back = true};
            find_inside(w, &deeper, member, at, depth + 1);
            if (cflri_types_equal(member, in->wanted)) deeper.value = *at;
            deeper.found |= cflri_types_equal(member, in->wanted);
            in->found |= deeper.found;
            to = cflri_field_of(w, &deeper.value, -step);
            in->value = cflri_join(w, in->e, &in->value, &to);
            continue;
        }
        if (any || cflri_types_equal(member, in->wanted)) {
            in->found = true;
            in->value = cflri_join(w, in->e, &in->value, &to);
        }
        find_inside(w, in, member, &to, depth + 1);
    }
}

/* Forth: the members of that type; behind the record; or any of its members, too, where it becomes
 * bytes. */
static cflri_value forth(cflri_walk *w, const sum *s) {
    inside in = {.e = s->e, .wanted = s->after};
    find_inside(w, &in, s->before, s->pointers, 0);
    if (in.found && !is_bytes(s->after)) return in.value;
    const cflri_value rest =
        cflri_field_of(w, s->pointers, (int32_t)cflri_clang_Type_getSizeOf(s->before));
    in.value = cflri_join(w, s->e, &in.value, &rest);
    return cflri_join(w, s->e, &in.value, s->pointers);
}

/* Back: the records that have a member of that type; or the record is a header. */
static cflri_value back(cflri_walk *w, const sum *s) {
    inside in = {.e = s->e, .wanted = s->before, .back = true};
    find_inside(w, &in, s->after, s->pointers, 0);
    if (in.found) return in.value;
    const cflri_value header =
        cflri_field_of(w, s->pointers, -(int32_t)cflri_clang_Type_getSizeOf(s->after));
    return cflri_join(w, s->e, &header, s->pointers);
}

/* False: they do not tell. */
static bool move_by_types(cflri_walk *w, const sum *s, cflri_value *to) {
    const int32_t bytes = s->by.bytes;
    long long size = is_bytes(s->before) ? 0 : cflri_clang_Type_getSizeOf(s->before);
    *to = *s->pointers;
    if (size <= 0) return false;
    bool element = !s->member && (s->by.far || bytes % size == 0);
    if (cflri_types_equal(s->before, s->after) && element) return true;
    if (!s->by.far && bytes > 0 && is_record(s->before)) {
        if (bytes < size) return step_inside(w, to, s->before, (uint32_t)bytes);
        *to = cflri_field_of(w, s->pointers, bytes);
        return true;
    }
    if (!s->by.far) return false;
    bool leads_forth = (bytes > 0 || s->by.both) && is_record(s->before);
    bool leads_back = (bytes < 0 || s->by.both) && is_record(s->after);
    if (!leads_forth && !leads_back) return false;
    *to = leads_forth ? forth(w, s) : back(w, s);
    const cflri_value other = leads_back ? back(w, s) : *to;
    *to = cflri_join(w, s->e, to, &other);
    if (leads_back) return true;
    cflri_hides(w, s->pointers, true); /* the record may lie in another one */
    const cflri_value beyond = moved(w, s);
    *to = cflri_join(w, s->e, to, &beyond);
    return true;
}

/* ---- sums ---- */

static CXType pointee(const cflri_walk *w, uint32_t e) {
    return cflri_type_plain(cflri_clang_getPointeeType(cflri_expr_plain(w, e)));
}

static bool is_signed(CXType type) {
    return type.kind >= CXType_Char_S && type.kind <= CXType_Int128;
}

static bool is_difference(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_BinaryOperator &&
           cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
               CXBinaryOperator_Sub;
}

/* By a number that is not known. */
static distance far_by(const cflri_walk *w, uint32_t amount, bool subtracted) {
    amount = cflri_expr_bare(w, amount);
    bool both = is_signed(cflri_expr_plain(w, amount)) || is_difference(w, amount);
    if (cflri_is_minus(w, amount)) subtracted = !subtracted;
    return (distance){.far = true, .both = both, .bytes = subtracted ? -1 : 1};
}

/* By so many things of that type. */
static distance distance_of(cflri_walk *w, uint32_t amount, bool subtracted, CXType type) {
    long long n = 0, unit = is_bytes(type) ? 1 : cflri_clang_Type_getSizeOf(type);
    if (!cflri_expr_constant(w, amount, &n) || n > INT32_MAX || n < -INT32_MAX)
        return far_by(w, amount, subtracted);
    n *= subtracted ? -unit : unit;
    if (n > INT32_MAX || n < -INT32_MAX) return far_by(w, amount, subtracted);
    return (distance){.strided = !is_bytes(type), .bytes = (int32_t)n};
}

/* The operand of the sum `e` that is the pointer. */
static uint32_t pointer_operand(cflri_walk *w, uint32_t e, uint32_t amount) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    return first == amount ? cflri_tree_next(&w->tree, first) : first;
}

/* ---- from a member to another one ---- */

/* The member of `&s.m`; CFLRI_NO_CHILD: it is something else, or an array. */
static uint32_t member_taken(cflri_walk *w, uint32_t e) {
    e = cflri_expr_bare(w, e);
    uint32_t inner = cflri_tree_first(&w->tree, e);
    if (cflri_tree_kind(&w->tree, e) != CXCursor_UnaryOperator || inner == CFLRI_NO_CHILD)
        return CFLRI_NO_CHILD;
    inner = cflri_expr_unwrapped(w, inner);
    uint32_t field = cflri_tree_kind(&w->tree, inner) == CXCursor_MemberRefExpr
                         ? cflri_member_field(w, inner)
                         : CFLRI_NO_NUMBER;
    bool one = field != CFLRI_NO_NUMBER && !w->types.fields.at[field].anonymous &&
               w->types.fields.at[field].class != CFLRI_TYPE_ARRAY;
    return one ? inner : CFLRI_NO_CHILD;
}

/* The type of the record that the member lies in, around anonymous ones. */
static CXType record_around(cflri_walk *w, uint32_t member) {
    uint32_t base = cflri_tree_first(&w->tree, member);
    for (;; base = cflri_tree_first(&w->tree, base)) {
        if (base == CFLRI_NO_CHILD) return (CXType){.kind = CXType_Invalid};
        base = cflri_expr_bare(w, base);
        uint32_t field = cflri_tree_kind(&w->tree, base) == CXCursor_MemberRefExpr
                             ? cflri_member_field(w, base)
                             : CFLRI_NO_NUMBER;
        if (field == CFLRI_NO_NUMBER || !w->types.fields.at[field].anonymous) break;
    }
    bool pointer = cflri_expr_class(w, base) == CFLRI_TYPE_POINTER;
    return pointer ? cflri_expr_pointee(w, base) : cflri_expr_plain(w, base);
}

/* `(&s.a)[n]`: another member of s, or any. */
static cflri_value moved_member(cflri_walk *w, uint32_t e, const cflri_value *pointers,
                                const distance *by, uint32_t member) {
    const CXType record = record_around(w, member);
    int64_t offset = w->types.fields.at[cflri_member_field(w, member)].offset;
    cflri_value to = cflri_before_steps(w, pointers, offset > 0);
    if (by->far) {
        const cflri_value any = cflri_view_anywhere(w, e, &to);
        return cflri_join(w, e, pointers, &any);
    }
    offset += by->bytes;
    bool within = offset >= 0 && offset < cflri_clang_Type_getSizeOf(record);
    if (!within || !step_inside(w, &to, record, (uint32_t)offset)) return *pointers;
    cflri_mention(w, e,
                  &to); /* the first member lies where the record does, which stands elsewhere */
    return to;
}

/* ---- from behind a header to it ---- */

/* Back by so many records; the one in front of the first is the header. */
static cflri_value moved_to_header(cflri_walk *w, const sum *s, CXType type) {
    long long size = is_record(type) ? cflri_clang_Type_getSizeOf(type) : 0;
    if (size <= 0 || size > INT32_MAX) return *s->pointers;
    const cflri_value header = moved_root(w, s, "!header", -(int32_t)size);
    const cflri_value to = cflri_join(w, s->e, s->pointers, &header);
    if (s->by.far || s->by.bytes == -size) return to;
    const cflri_value further = moved_root(w, s, "!moved", s->by.bytes);
    return cflri_join(w, s->e, &to, &further);
}

cflri_value cflri_moved_back(cflri_walk *w, uint32_t e, const cflri_value *pointers) {
    const CXType type = pointee(w, e);
    if (w->facts->chosen.fields != CFLR_FIELDS_SENSITIVE) return *pointers;
    const sum s = {.e = e,
                   .pointers = pointers,
                   .by = {.far = true, .bytes = -1, .strided = true},
                   .before = type,
                   .after = type,
                   .pointer = cflri_expr_plain(w, e)};
    return moved_to_header(w, &s, type);
}

/* ---- sums of bytes, and of integers ---- */

static bool is_tag(const distance *by) {
    return !by->far && by->bytes < LEAST_STEP && by->bytes > -LEAST_STEP;
}

cflri_value cflri_moved_value(cflri_walk *w, uint32_t e, const cflri_value *pointers,
                              uint32_t amount, bool subtracted) {
    const CXType nothing = {.kind = CXType_Invalid};
    const uint32_t operand = pointer_operand(w, e, amount);
    if (pointers->n == 0 || w->facts->chosen.fields != CFLR_FIELDS_SENSITIVE) return *pointers;
    bool cast = w->sum.e == e;
    bool integer = cflri_expr_class(w, e) == CFLRI_TYPE_INTEGER &&
                   cflri_tree_kind(&w->tree, e) != CXCursor_ArraySubscriptExpr;
    const CXType type = integer ? nothing : pointee(w, operand);
    uint32_t member = integer ? CFLRI_NO_CHILD : member_taken(w, operand);
    bool cells = !is_bytes(type) && type.kind != CXType_Record;
    if (cells && member == CFLRI_NO_CHILD) return *pointers;
    sum s = {.e = e, .pointers = pointers, .by = distance_of(w, amount, subtracted, type)};
    if (cells) return moved_member(w, e, pointers, &s.by, member);
    s.after = cast ? pointee(w, w->sum.cast) : nothing;
    s.pointer = cast ? cflri_expr_plain(w, w->sum.cast) : nothing;
    if (!is_bytes(type)) {
        s.by.strided = true;
        return s.by.bytes < 0 ? moved_to_header(w, &s, type) : *pointers;
    }
    s.before = cflri_expr_pointee(w, cflri_expr_bare(w, operand));
    s.member = member_taken(w, operand) != CFLRI_NO_CHILD;
    s.by.strided = is_record(s.before) && s.by.bytes < 0 && !s.by.both;
    cflri_value to;
    if (integer && is_tag(&s.by)) return *pointers;
    return move_by_types(w, &s, &to) ? to : moved(w, &s);
}

cflri_value cflri_masked_value(cflri_walk *w, uint32_t e, const cflri_value *pointers,
                               uint32_t mask) {
    long long bits = 0;
    const CXType nothing = {.kind = CXType_Invalid};
    bool known = cflri_expr_constant(w, mask, &bits);
    bool tag = known && (~bits >> TAG_BITS == 0 || bits >> TAG_BITS == 0);
    if (tag || w->facts->chosen.fields != CFLR_FIELDS_SENSITIVE) return *pointers;
    const sum s = {.e = e,
                   .pointers = pointers,
                   .by = {.far = true, .bytes = -1},
                   .before = nothing,
                   .after = nothing,
                   .pointer = nothing};
    return moved(w, &s);
}
