/* SPDX-License-Identifier: Apache-2.0
 *
 * init.c: initialisers.
 *
 * libclang shows an initialiser as it was written, so what each item initialises is worked out
 * here, as the language says (C11 6.7.9): there is a current subobject, each item goes to it, and
 * then the next subobject is current. A record or array without braces of its own takes as many
 * items as it needs (brace elision); a designator moves the current subobject anywhere in the
 * innermost braces, and the next item goes on from there, at whatever depth that is.
 *
 *     struct { int n; struct { char *s, *t; } in[2]; char *u; } x =
 *         { 1, "a", .in[1].t = "b", "c" };
 *
 *     frames when "b" is placed            item    goes to
 *     x        index 1 (in)                1       x.n
 *     x.in     index 1                     "a"     x.in[0].s      (two frames pushed)
 *     x.in[1]  index 1 (t)                 "b"     x.in[1].t      (the designator rebuilds frames)
 *                                          "c"     x.u            (two frames exhausted)
 *
 * The length of an array decides when it is full, also where it is one element. An item for a range
 * of elements may go to any. A union takes one item: its first member, or the one designated. A
 * member that is not mentioned is zero; no null is recorded for that.
 *
 * One call handles one pair of braces; recursion follows written braces only, which the parser
 * bounds. O(items * depth of types).
 */
#include "frontend/walk/walk.h"

/* The object that is initialised. Of an array `place` has the class and type alone. */
typedef struct subobject {
    cflri_lvalue place;
    cflri_array array;  /* it, or the one that it is a row of */
    uint64_t first;     /* element of that, with which it begins; CFLRI_ANY_ELEMENT: with any */
    cflri_value shared; /* the union around it whose members share memory (view.c), if any */
} subobject;

static void init_object(cflri_walk *w, const subobject *o, uint32_t e);

static CXCursor cursor_of(const cflri_walk *w, uint32_t e) {
    return cflri_tree_cursor(&w->tree, e);
}

/* ---- subobjects ---- */

static cflri_lvalue place_at(cflri_walk *w, const cflri_value *address, CXType type) {
    return (cflri_lvalue){.class = cflri_type_classify(&w->types, type),
                          .addressed = true,
                          .nodes = *address,
                          .type = cflri_type_plain(type)};
}

static cflri_init_frame frame_of(cflri_walk *w, const subobject *o) {
    cflri_init_frame frame = {
        .type = o->place.type, .shared = o->shared, .array = o->array, .first = o->first};
    if (o->place.class == CFLRI_TYPE_RECORD) {
        frame.address = cflri_place_address(w, &o->place);
        uint32_t record = cflri_type_record(&w->types, o->place.type);
        if (record == CFLRI_NO_NUMBER) return frame;
        frame.record = record;
        frame.is_record = true;
        frame.is_union = w->types.records.at[record].is_union;
        frame.n = w->types.records.at[record].n_fields;
        if (frame.is_union && frame.n > 1) frame.n = 1;
    } else {
        long long n = cflri_clang_getArraySize(o->place.type);
        frame.n = n >= 0 ? (uint64_t)n : UINT64_MAX; /* of unknown size: as long as it needs */
    }
    return frame;
}

static const cflri_field *field_at(const cflri_walk *w, const cflri_init_frame *frame) {
    uint32_t first = w->types.records.at[frame->record].first_field;
    return &w->types.fields.at[first + frame->index];
}

static cflri_value field_address(cflri_walk *w, const cflri_value *object,
                                 const cflri_field *field) {
    uint32_t number = w->types.records.at[field->record].first_field + field->position;
    const cflri_value address = cflri_field_of(w, object, field->offset);
    for (uint32_t i = 0; i < address.n; i++) {
        cflri_describe_field(w, object->at[i], number, address.at[i]);
        cflri_tell_member(w, number, address.at[i]);
    }
    return address;
}

/* The element that is current, for an item `e`. */
static subobject element_of(cflri_walk *w, const cflri_init_frame *frame, uint32_t e) {
    CXType type = cflri_clang_getArrayElementType(frame->type);
    subobject o = {.array = frame->array, .first = CFLRI_ANY_ELEMENT};
    if (!frame->is_range && frame->first != CFLRI_ANY_ELEMENT)
        o.first = frame->first + frame->index * cflri_type_count(type);
    o.place = place_at(w, &frame->address, type);
    if (o.place.class != CFLRI_TYPE_ARRAY)
        o.place.nodes = cflri_element_address(w, e, &o.array, o.first);
    return o;
}

static subobject member_of(cflri_walk *w, const cflri_init_frame *frame) {
    const cflri_field field = *field_at(w, frame);
    uint32_t number = w->types.records.at[frame->record].first_field + (uint32_t)frame->index;
    cflri_value address = frame->address, within = frame->address;
    subobject o = {.first = 0};
    if (!cflri_type_carries(&w->types, field.type))
        address = within = cflri_no_value(); /* nothing will be put there: make no node for it */
    else if (!field.anonymous)
        address = field_address(w, &frame->address, &field);
    o.place = place_at(w, &address, field.type);
    o.place.class = field.class; /* narrow bit-fields hold nothing */
    if (field.class == CFLRI_TYPE_ARRAY)
        o.array = cflri_array_at(w, &within, field.offset, number, field.type);
    return o;
}

/* The current subobject of a frame that is not full, for an item `e`. */
static subobject current_of(cflri_walk *w, const cflri_init_frame *frame, uint32_t e) {
    subobject o = frame->is_record ? member_of(w, frame) : element_of(w, frame, e);
    o.shared = frame->shared;
    return o;
}

static cflri_init_frame *top(cflri_walk *w) {
    return &w->frames.at[w->frames.n - 1];
}

/* `e`: what is initialised with. */
static bool push(cflri_walk *w, const subobject *o, uint32_t e) {
    cflri_init_frame frame = frame_of(w, o);
    if (frame.shared.n > 0 && !frame.is_record)
        frame.array.view = cflri_view_anywhere(w, e, &frame.shared);
    if (frame.shared.n == 0 && frame.is_record && cflri_view_shares(w, frame.record))
        frame.shared = frame.address;
    if (cflri_vec_push(w->context, &w->frames, frame)) return true;
    cflri_walk_refuse(w);
    return false;
}

static void skip_padding(cflri_walk *w, cflri_init_frame *frame) {
    while (frame->is_record && frame->index < frame->n && field_at(w, frame)->unnamed_bits)
        frame->index++;
}

static void advance(cflri_init_frame *frame) {
    frame->index++;
    frame->is_range = false;
}

/* Makes the next subobject current: full frames are left, down to the outermost one. */
static void settle(cflri_walk *w, size_t base) {
    for (;;) {
        skip_padding(w, top(w));
        if (top(w)->index < top(w)->n || w->frames.n == base + 1) return;
        w->frames.n--;
        advance(top(w));
    }
}

/* ---- items ---- */

/* Is this initialiser one whole value for an object of that class and type? */
static bool fits_whole(cflri_walk *w, const cflri_lvalue *object, uint32_t e) {
    if (object->class != CFLRI_TYPE_RECORD && object->class != CFLRI_TYPE_ARRAY) return true;
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, cflri_expr_bare(w, e));
    if (cflri_tree_kind(&w->tree, e) == CXCursor_InitListExpr) return true;
    CXType type = cflri_expr_plain(w, e);
    if (object->class == CFLRI_TYPE_RECORD) return cflri_types_equal(type, object->type);
    CXType element = cflri_type_plain(cflri_clang_getArrayElementType(object->type));
    bool characters = element.kind <= CXType_Int && element.kind >= CXType_Char_U;
    return (kind == CXCursor_StringLiteral && characters) || kind == CXCursor_CompoundLiteralExpr;
}

/* Puts an item at the current subobject, going into records and arrays without braces. */
static void place_item(cflri_walk *w, size_t base, uint32_t e) {
    settle(w, base);
    for (;;) {
        cflri_init_frame *frame = top(w);
        if (frame->index >= frame->n) { /* one item too many */
            cflri_expr_effects(w, e);
            return;
        }
        const subobject o = current_of(w, frame, e);
        if (fits_whole(w, &o.place, e)) {
            init_object(w, &o, e);
            advance(top(w));
            return;
        }
        if (!push(w, &o, e)) return;
        skip_padding(w, top(w));
        if (top(w)->n == 0) { /* a record without members takes nothing */
            w->frames.n--;
            advance(top(w));
            settle(w, base);
        }
    }
}

/* ---- designators ---- */

static bool is_designated(const cflri_walk *w, uint32_t item) {
    return cflri_tree_kind(&w->tree, item) == CXCursor_UnexposedExpr &&
           cflri_expr_type(w, item).kind == CXType_Void && cflri_tree_count(&w->tree, item) >= 2;
}

static void designate_member(cflri_walk *w, uint32_t member) {
    CXCursor to = cflri_clang_getCursorReferenced(cursor_of(w, member));
    uint32_t number =
        to.kind == CXCursor_FieldDecl ? cflri_type_field(&w->types, to) : CFLRI_NO_NUMBER;
    if (number == CFLRI_NO_NUMBER) return;
    cflri_init_frame *frame = top(w);
    const cflri_field *field = &w->types.fields.at[number];
    if (!frame->is_record || field->record != frame->record) return;
    frame->index = field->position;
    if (frame->is_union) frame->n = field->position + 1;
}

/* `[1 ... 2]` or `[1][2]`: both are two expressions; what stands between them tells. */
static bool is_range(const cflri_walk *w, uint32_t low, uint32_t high) {
    CXSourceRange between = cflri_clang_getRange(
        cflri_clang_getRangeEnd(cflri_clang_getCursorExtent(cursor_of(w, low))),
        cflri_clang_getRangeStart(cflri_clang_getCursorExtent(cursor_of(w, high))));
    CXToken *tokens = NULL;
    unsigned n = 0;
    bool found = false;
    cflri_clang_tokenize(w->unit, between, &tokens, &n);
    for (unsigned i = 0; i < n && !found; i++) {
        CXString text = cflri_clang_getTokenSpelling(w->unit, tokens[i]);
        const char *chars = cflri_clang_getCString(text);
        found = chars && chars[0] == '.' && chars[1] == '.';
        cflri_clang_disposeString(text);
    }
    cflri_clang_disposeTokens(w->unit, tokens, n);
    return found;
}

/* Returns the designator that was used last: of a range, its upper end. */
static uint32_t designate_element(cflri_walk *w, uint32_t index, uint32_t value) {
    uint32_t next = cflri_tree_next(&w->tree, index);
    top(w)->is_range = next != value && cflri_tree_kind(&w->tree, next) != CXCursor_MemberRef &&
                       is_range(w, index, next);
    if (top(w)->is_range) index = next;
    long long constant = 0;
    if (!top(w)->is_record && cflri_expr_constant(w, index, &constant) && constant >= 0)
        top(w)->index = (uint64_t)constant;
    return index;
}

/* Rebuilds the frames along the designators and places the value there. */
static void place_designated(cflri_walk *w, size_t base, uint32_t item) {
    uint32_t value = cflri_tree_last(&w->tree, item);
    w->frames.n = base + 1;
    for (uint32_t d = cflri_tree_first(&w->tree, item); d != value;
         d = cflri_tree_next(&w->tree, d)) {
        if (cflri_tree_kind(&w->tree, d) == CXCursor_MemberRef)
            designate_member(w, d);
        else
            d = designate_element(w, d, value);
        if (top(w)->index >= top(w)->n) break;
        if (cflri_tree_next(&w->tree, d) == value) break;
        const subobject inner = current_of(w, top(w), value);
        cflri_type_class class = inner.place.class;
        bool deeper = class == CFLRI_TYPE_RECORD || class == CFLRI_TYPE_ARRAY;
        if (!deeper || !push(w, &inner, value)) break;
    }
    place_item(w, base, value);
}

/* ---- objects ---- */

static void init_aggregate(cflri_walk *w, const subobject *o, uint32_t list) {
    size_t base = w->frames.n;
    if (!push(w, o, list)) return;
    for (uint32_t item = cflri_tree_first(&w->tree, list); item != CFLRI_NO_CHILD;
         item = cflri_tree_next(&w->tree, item)) {
        if (w->facts->status != CFLR_OK) break;
        if (is_designated(w, item))
            place_designated(w, base, item);
        else
            place_item(w, base, item);
    }
    w->frames.n = base;
}

static void init_object(cflri_walk *w, const subobject *o, uint32_t e) {
    cflri_lvalue place = o->place;
    bool aggregate = place.class == CFLRI_TYPE_RECORD || place.class == CFLRI_TYPE_ARRAY;
    if (place.class == CFLRI_TYPE_NONE || !cflri_type_carries(&w->types, place.type)) {
        cflri_expr_effects(w, e); /* tables of numbers are long */
        return;
    }
    if (cflri_tree_kind(&w->tree, e) == CXCursor_InitListExpr) {
        uint32_t only = cflri_tree_first(&w->tree, e);
        if (aggregate)
            init_aggregate(w, o, e);
        else if (only != CFLRI_NO_CHILD)
            init_object(w, o, only);
        return;
    }
    const cflri_value value = cflri_expr_value(w, e);
    if (place.class == CFLRI_TYPE_ARRAY) {
        place.addressed = true;
        place.nodes = cflri_element_address(w, e, &o->array, CFLRI_ANY_ELEMENT);
    }
    cflri_flow_into(w, &cflri_plain_flow, &value, &place);
}

void cflri_init_place(cflri_walk *w, const cflri_lvalue *place, uint32_t initialiser) {
    subobject o = {.place = *place};
    if (place->class == CFLRI_TYPE_ARRAY) {
        const cflri_value address = cflri_place_address(w, place);
        o.array = cflri_array_at(w, &address, 0, CFLRI_NO_NUMBER, place->type);
    }
    init_object(w, &o, initialiser);
}
