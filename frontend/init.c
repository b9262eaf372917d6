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
 *     struct { int n; struct { char *s, *t; } in[2]; char *u; } x = { 1, "a", .in[1].t = "b", "c"
 * };
 *
 *     frames when "b" is placed            item    goes to
 *     x        index 1 (in)                1       x.n
 *     x.in     index 1                     "a"     x.in[0].s      (two frames pushed)
 *     x.in[1]  index 1 (t)                 "b"     x.in[1].t      (frames rebuilt by the
 * designator) "c"     x.u            (two frames exhausted)
 *
 * An array is one element, but its length decides when it is full. A union takes one item: its
 * first member, or the one designated. What is not mentioned is zero; no null is recorded for that.
 *
 * One call handles one pair of braces; recursion follows written braces only, which the parser
 * bounds. O(items * depth of types).
 */
#include "frontend/walk.h"

/* `shared`: as in cflri_init_frame. */
static void init_object(cflri_walk *w, const cflri_lvalue *object, uint32_t e,
                        const cflri_value *shared);

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

static cflri_init_frame frame_of(cflri_walk *w, const cflri_lvalue *object) {
    cflri_init_frame frame = {.type = object->type, .address = cflri_place_address(w, object)};
    if (object->class == CFLRI_TYPE_RECORD) {
        uint32_t record = cflri_type_record(&w->types, object->type);
        if (record == CFLRI_NO_NUMBER) return frame;
        frame.record = record;
        frame.is_record = true;
        frame.is_union = w->types.records.at[record].is_union;
        frame.n = w->types.records.at[record].n_fields;
        if (frame.is_union && frame.n > 1) frame.n = 1;
    } else {
        long long n = cflri_clang_getArraySize(object->type);
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
    for (uint32_t i = 0; i < address.n; i++)
        cflri_describe_field(w, object->at[i], number, address.at[i]);
    return address;
}

/* The current subobject of a frame that is not full. */
static cflri_lvalue current_of(cflri_walk *w, const cflri_init_frame *frame) {
    if (!frame->is_record) {
        CXType element = cflri_clang_getArrayElementType(frame->type);
        return place_at(w, &frame->address, element);
    }
    const cflri_field field = *field_at(w, frame);
    cflri_value address = frame->address;
    if (!cflri_type_carries(&w->types, field.type))
        address = cflri_no_value(); /* nothing will be put there: make no node for it */
    else if (!field.anonymous)
        address = field_address(w, &frame->address, &field);
    cflri_lvalue place = place_at(w, &address, field.type);
    place.class = field.class; /* narrow bit-fields hold nothing */
    return place;
}

static cflri_init_frame *top(cflri_walk *w) {
    return &w->frames.at[w->frames.n - 1];
}

/* `e`: what is initialised with. */
static bool push(cflri_walk *w, const cflri_lvalue *object, uint32_t e, const cflri_value *shared) {
    cflri_init_frame frame = frame_of(w, object);
    frame.shared = *shared;
    if (frame.shared.n > 0 && !frame.is_record)
        frame.address = cflri_view_elements(w, e, &frame.address, &frame.shared);
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

/* Makes the next subobject current: full frames are left, down to the outermost one. */
static void settle(cflri_walk *w, size_t base) {
    for (;;) {
        skip_padding(w, top(w));
        if (top(w)->index < top(w)->n || w->frames.n == base + 1) return;
        w->frames.n--;
        top(w)->index++;
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
        const cflri_lvalue object = current_of(w, frame);
        const cflri_value shared = frame->shared;
        if (fits_whole(w, &object, e)) {
            init_object(w, &object, e, &shared);
            top(w)->index++;
            return;
        }
        if (!push(w, &object, e, &shared)) return;
        skip_padding(w, top(w));
        if (top(w)->n == 0) { /* a record without members takes nothing */
            w->frames.n--;
            top(w)->index++;
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
    if (next != value && cflri_tree_kind(&w->tree, next) != CXCursor_MemberRef &&
        is_range(w, index, next))
        index = next;
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
        const cflri_lvalue inner = current_of(w, top(w));
        const cflri_value shared = top(w)->shared;
        bool deeper = inner.class == CFLRI_TYPE_RECORD || inner.class == CFLRI_TYPE_ARRAY;
        if (!deeper || !push(w, &inner, value, &shared)) break;
    }
    place_item(w, base, value);
}

/* ---- objects ---- */

static void init_aggregate(cflri_walk *w, const cflri_lvalue *object, uint32_t list,
                           const cflri_value *shared) {
    size_t base = w->frames.n;
    if (!push(w, object, list, shared)) return;
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

static void init_object(cflri_walk *w, const cflri_lvalue *object, uint32_t e,
                        const cflri_value *shared) {
    bool aggregate = object->class == CFLRI_TYPE_RECORD || object->class == CFLRI_TYPE_ARRAY;
    if (object->class == CFLRI_TYPE_NONE || !cflri_type_carries(&w->types, object->type)) {
        cflri_expr_effects(w, e); /* tables of numbers are long */
        return;
    }
    if (cflri_tree_kind(&w->tree, e) == CXCursor_InitListExpr) {
        uint32_t only = cflri_tree_first(&w->tree, e);
        if (aggregate)
            init_aggregate(w, object, e, shared);
        else if (only != CFLRI_NO_CHILD)
            init_object(w, object, only, shared);
        return;
    }
    const cflri_value value = cflri_expr_value(w, e);
    cflri_flow_into(w, &cflri_plain_flow, &value, object);
}

void cflri_init_place(cflri_walk *w, const cflri_lvalue *place, uint32_t initialiser) {
    const cflri_value none = cflri_no_value();
    init_object(w, place, initialiser, &none);
}
