/* SPDX-License-Identifier: Apache-2.0
 *
 * types.c: classes, fields and leaves of C types, each record worked out once.
 *
 * A record is known by its declaration: its fields are listed when it is first asked for, its
 * leaves when something copies it. The leaves of a record are those of its fields, each with the
 * field's offset in front; offset 0 adds no step, and neither does an anonymous record, whose
 * fields are measured from the named record around it. Members of a union start at 0 and so fall
 * together.
 *
 * The size of the list is the number of pointers in the type (arrays count once, or once for each
 * element that is apart), which can grow exponentially with the nesting of types; from MOST_LEAVES
 * on the type is not split.
 *
 * Traps: libclang tells the offset of a member of an anonymous record relative to that record
 * (clang_Cursor_getOffsetOfField) and relative to the outer one (clang_Type_getOffsetOf); and
 * canonical types still differ by qualifiers.
 */
#include "frontend/walk/names/types.h"

#include <assert.h>
#include <string.h>

#include "frontend/walk/names/layout.h"

enum {
    MOST_LEAVES = 1024,
    MOST_ELEMENTS = 16, /* of an array that are apart: for each pointer to all, a step to each */
    MOST_ELEMENT_LEAVES = 64, /* of all of them */
    MOST_NESTING = 400,       /* records inside records, by value */
    NARROWEST_BITS = 32,      /* a bit-field this wide may hold a squeezed pointer */
};

void cflri_types_init(cflri_types *types, const cflri_facts *facts, CXTranslationUnit unit) {
    memset(types, 0, sizeof *types);
    types->context = facts->context;
    types->sensitivity = facts->chosen.fields;
    types->data_flow = facts->chosen.data_flow;
    types->elements = facts->chosen.arrays == CFLR_ARRAYS_CONSTANT &&
                      facts->chosen.fields == CFLR_FIELDS_SENSITIVE;
    CXTargetInfo target = cflri_clang_getTranslationUnitTargetInfo(unit);
    types->pointer_size = cflri_clang_TargetInfo_getPointerWidth(target) / 8;
    cflri_clang_TargetInfo_dispose(target);
    if (types->pointer_size <= 0) types->pointer_size = 8;
}

void cflri_types_free(cflri_types *types) {
    if (!types->context) return;
    cflri_cursors_free(types->context, &types->known);
    cflri_cursors_free(types->context, &types->holders);
    cflri_vec_free(types->context, &types->fields);
    cflri_vec_free(types->context, &types->records);
    cflri_vec_free(types->context, &types->leaves);
    cflri_vec_free(types->context, &types->steps);
    cflri_vec_free(types->context, &types->step_fields);
}

/* ---- classes ---- */

bool cflri_type_is_opaque(CXType type) {
    return type.kind == CXType_Record &&
           cflri_clang_Type_getSizeOf(type) == CXTypeLayoutError_Incomplete;
}

bool cflri_type_is_integer(CXType type) {
    return type.kind >= CXType_Char_U && type.kind <= CXType_Int128;
}

bool cflri_type_is_number(CXType type) {
    switch (type.kind) {
        case CXType_Float:
        case CXType_Double:
        case CXType_LongDouble:
        case CXType_Float128:
        case CXType_Complex:
        case CXType_Vector:
        case CXType_ExtVector:
            return true;
        default:
            return cflri_type_is_integer(type);
    }
}

CXType cflri_type_canonical(CXType type) {
    CXType plain = cflri_clang_getCanonicalType(type);
    while (plain.kind == CXType_Atomic)
        plain = cflri_clang_getCanonicalType(cflri_clang_Type_getValueType(plain));
    return plain;
}

/* libclang crashes on an invalid type without qualifiers. */
bool cflri_types_equal(CXType a, CXType b) {
    return a.kind != CXType_Invalid && b.kind != CXType_Invalid &&
           cflri_clang_equalTypes(cflri_clang_getUnqualifiedType(a),
                                  cflri_clang_getUnqualifiedType(b));
}

/* Asking for a size lays the type out each time; there are few kinds of integers. */
static bool is_wide(cflri_types *types, CXType integer) {
    uint8_t *known = &types->wide[integer.kind];
    if (*known == 0) *known = cflri_clang_Type_getSizeOf(integer) >= types->pointer_size ? 1 : 2;
    return *known == 1;
}

static cflri_type_class number_class(const cflri_types *types) {
    return types->data_flow ? CFLRI_TYPE_NUMBER : CFLRI_TYPE_NONE;
}

cflri_type_class cflri_type_classify(cflri_types *types, CXType type) {
    return cflri_type_classify_plain(types, cflri_type_plain(type));
}

cflri_type_class cflri_type_classify_plain(cflri_types *types, CXType plain) {
    switch (plain.kind) {
        case CXType_Pointer:
        case CXType_BlockPointer:
        case CXType_NullPtr:
            return CFLRI_TYPE_POINTER;
        case CXType_Record:
            return CFLRI_TYPE_RECORD;
        case CXType_ConstantArray:
        case CXType_IncompleteArray:
        case CXType_VariableArray:
        case CXType_DependentSizedArray:
            return CFLRI_TYPE_ARRAY;
        case CXType_FunctionProto:
        case CXType_FunctionNoProto:
            return CFLRI_TYPE_FUNCTION;
        case CXType_UInt:
        case CXType_Int:
        case CXType_ULong:
        case CXType_Long:
        case CXType_ULongLong:
        case CXType_LongLong:
        case CXType_UInt128:
        case CXType_Int128:
            return is_wide(types, plain) ? CFLRI_TYPE_INTEGER : number_class(types);
        case CXType_Bool:
        case CXType_Char_U:
        case CXType_UChar:
        case CXType_Char16:
        case CXType_Char32:
        case CXType_UShort:
        case CXType_Char_S:
        case CXType_SChar:
        case CXType_WChar:
        case CXType_Short:
        case CXType_Float:
        case CXType_Double:
        case CXType_LongDouble:
        case CXType_Float128:
        case CXType_Half:
        case CXType_Float16:
        case CXType_Complex:
        case CXType_Enum:
            return number_class(types);
        default:
            return CFLRI_TYPE_NONE;
    }
}

static bool is_array(CXType type) {
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray || type.kind == CXType_DependentSizedArray;
}

CXType cflri_type_element(CXType type) {
    CXType element = cflri_type_plain(type);
    while (is_array(element)) element = cflri_type_plain(cflri_clang_getArrayElementType(element));
    return element;
}

/* ---- fields ---- */

static CXCursor enclosing_named_record(CXCursor record) {
    while (cflri_clang_Cursor_isAnonymousRecordDecl(record)) {
        CXCursor parent = cflri_clang_getCursorSemanticParent(record);
        if (parent.kind != CXCursor_StructDecl && parent.kind != CXCursor_UnionDecl) break;
        record = parent;
    }
    return record;
}

static bool has_name(CXCursor cursor) {
    CXString name = cflri_clang_getCursorSpelling(cursor);
    const char *text = cflri_clang_getCString(name);
    bool named = text && *text;
    cflri_clang_disposeString(name);
    return named;
}

/* In bytes; 0 when libclang does not know (an error in the record). */
static uint32_t asked_offset(CXCursor field) {
    CXCursor record = cflri_clang_getCursorSemanticParent(field);
    CXCursor named = enclosing_named_record(record);
    long long bits;
    if (cflri_clang_equalCursors(record, named)) {
        bits = cflri_clang_Cursor_getOffsetOfField(field);
    } else {
        CXString name = cflri_clang_getCursorSpelling(field);
        bits = cflri_clang_Type_getOffsetOf(cflri_clang_getCursorType(named),
                                            cflri_clang_getCString(name));
        cflri_clang_disposeString(name);
    }
    if (bits < 0 || bits / 8 > INT32_MAX) return 0;
    return (uint32_t)(bits / 8);
}

/* Spelling of an unnamed field of record type may be the record's, so the record is asked. */
static bool is_anonymous_record(CXType type) {
    return type.kind == CXType_Record &&
           cflri_clang_Cursor_isAnonymousRecordDecl(cflri_clang_getTypeDeclaration(type));
}

static cflri_field describe_field(cflri_types *types, CXCursor cursor) {
    cflri_field field = {.cursor = cursor,
                         .type = cflri_type_plain(cflri_clang_getCursorType(cursor))};
    field.class = cflri_type_classify(types, field.type);
    field.anonymous = is_anonymous_record(field.type);
    if (cflri_clang_Cursor_isBitField(cursor)) {
        if (cflri_clang_getFieldDeclBitWidth(cursor) < NARROWEST_BITS)
            field.class = number_class(types);
        field.unnamed_bits = !has_name(cursor);
    }
    return field;
}

typedef struct listing {
    cflri_types *types;
    uint32_t record;
    uint32_t n;
    cflri_layout layout;
} listing;

/* The members of an anonymous record must find it. */
static bool add_known(cflri_types *types, const cflri_field *field, uint32_t number) {
    return cflri_cursors_add(types->context, &types->known, field->cursor, number) &&
           (!field->anonymous ||
            cflri_cursors_add(types->context, &types->holders,
                              cflri_clang_getTypeDeclaration(field->type), number));
}

static enum CXVisitorResult list_field(CXCursor cursor, CXClientData user) {
    listing *l = user;
    cflri_types *types = l->types;
    cflri_field field = describe_field(types, cursor);
    field.record = l->record;
    field.position = l->n;
    uint64_t start = types->records.at[l->record].start + cflri_layout_next(&l->layout, cursor);
    if (start <= INT32_MAX) field.start = (uint32_t)start;
    uint32_t number = (uint32_t)types->fields.n;
    if (!cflri_vec_push(types->context, &types->fields, field) ||
        !add_known(types, &field, number)) {
        types->refused = true;
        return CXVisit_Break;
    }
    l->n++;
    return CXVisit_Continue;
}

/* Is it known where the named record around it has this one? Then `start` is that place. */
static bool find_start(cflri_types *types, CXCursor record, uint32_t *start) {
    if (cflri_clang_equalCursors(record, enclosing_named_record(record))) return true;
    CXType outer = cflri_clang_getCursorType(cflri_clang_getCursorSemanticParent(record));
    cflri_type_record(types, outer);
    uint32_t holder = cflri_cursors_find(&types->holders, record);
    if (holder == CFLRI_NO_NUMBER) return false;
    *start = types->fields.at[holder].start;
    return types->records.at[types->fields.at[holder].record].placed;
}

static void list_fields(cflri_types *types, uint32_t number, CXType plain) {
    listing l = {types, number, 0, cflri_layout_begin(plain)};
    cflri_clang_Type_visitFields(plain, list_field, &l);
    cflri_record *record = &types->records.at[number];
    record->n_fields = l.n;
    record->placed = record->placed && cflri_layout_end(&l.layout);
    for (uint32_t i = 0; i < l.n; i++) {
        cflri_field *field = &types->fields.at[record->first_field + i];
        if (field->anonymous) continue;
        field->offset = record->placed ? field->start : asked_offset(field->cursor);
    }
}

uint32_t cflri_type_record(cflri_types *types, CXType type) {
    CXType plain = cflri_type_plain(type);
    assert(plain.kind == CXType_Record);
    CXCursor cursor = cflri_clang_getTypeDeclaration(plain);
    uint32_t number = cflri_cursors_find(&types->known, cursor);
    if (number != CFLRI_NO_NUMBER || types->refused) return number;
    cflri_record made = {.cursor = cursor, .is_union = cursor.kind == CXCursor_UnionDecl};
    made.placed = find_start(types, cursor, &made.start);
    made.first_field = (uint32_t)types->fields.n;
    number = (uint32_t)types->records.n;
    if (!cflri_vec_push(types->context, &types->records, made) ||
        !cflri_cursors_add(types->context, &types->known, cursor, number)) {
        types->refused = true;
        return CFLRI_NO_NUMBER;
    }
    list_fields(types, number, plain);
    return number;
}

uint32_t cflri_type_field(cflri_types *types, CXCursor field) {
    uint32_t number = cflri_cursors_find(&types->known, field);
    if (number != CFLRI_NO_NUMBER) return number;
    CXType record = cflri_clang_getCursorType(cflri_clang_getCursorSemanticParent(field));
    if (cflri_type_plain(record).kind != CXType_Record) return CFLRI_NO_NUMBER;
    cflri_type_record(types, record);
    return cflri_cursors_find(&types->known, field);
}

/* ---- leaves ---- */

static int compare_steps(const cflri_types *types, const cflri_leaf *a, const cflri_leaf *b) {
    uint32_t shared = a->n_steps < b->n_steps ? a->n_steps : b->n_steps;
    for (uint32_t i = 0; i < shared; i++) {
        uint32_t x = types->steps.at[a->first_step + i];
        uint32_t y = types->steps.at[b->first_step + i];
        if (x != y) return x < y ? -1 : 1;
    }
    return a->n_steps < b->n_steps ? -1 : a->n_steps > b->n_steps;
}

/* Inserts into the sorted range that starts at `first` and ends the vector. Fields come in order of
 * their offset, so the place is nearly always the end. */
static void insert_leaf(cflri_types *types, uint32_t first, cflri_leaf leaf) {
    size_t at = types->leaves.n;
    int order = 1;
    while (at > first) {
        order = compare_steps(types, &leaf, &types->leaves.at[at - 1]);
        if (order >= 0) break;
        at--;
    }
    if (at > first && order == 0) {
        cflri_leaf *same = &types->leaves.at[at - 1];
        bool number = same->carrier == CFLRI_CARRIES_NUMBER;
        if (number || leaf.carrier == CFLRI_CARRIES_POINTER) same->carrier = leaf.carrier;
        return;
    }
    if (!cflri_vec_reserve(types->context, &types->leaves, 1)) {
        types->refused = true;
        return;
    }
    cflri_leaf *place = types->leaves.at + at;
    memmove(place + 1, place, (types->leaves.n - at) * sizeof *place);
    *place = leaf;
    types->leaves.n++;
}

static void add_step(cflri_types *types, uint32_t offset, uint32_t field) {
    types->steps.at[types->steps.n++] = offset;
    types->step_fields.at[types->step_fields.n++] = field;
}

/* Adds the leaf that lies `inner` beyond the element that lies `within` the field; without a field,
 * that has no steps. */
static void add_leaf(cflri_types *types, uint32_t first, uint32_t field, uint32_t within,
                     const cflri_leaf *inner) {
    cflri_leaf leaf = {.first_step = (uint32_t)types->steps.n, .carrier = inner->carrier};
    bool split = types->sensitivity == CFLR_FIELDS_SENSITIVE;
    if (!cflri_vec_reserve(types->context, &types->steps, inner->n_steps + 1) ||
        !cflri_vec_reserve(types->context, &types->step_fields, inner->n_steps + 1)) {
        types->refused = true;
        return;
    }
    if (split && field != CFLRI_NO_NUMBER) {
        const cflri_field *f = &types->fields.at[field];
        uint32_t offset = (f->anonymous ? 0 : f->offset) + within;
        if (offset > 0) add_step(types, offset, field);
    }
    for (uint32_t i = 0; split && i < inner->n_steps; i++)
        add_step(types, types->steps.at[inner->first_step + i],
                 types->step_fields.at[inner->first_step + i]);
    leaf.n_steps = (uint32_t)types->steps.n - leaf.first_step;
    insert_leaf(types, first, leaf);
}

static cflri_leaves record_leaves(cflri_types *types, uint32_t record, int depth);

/* Leaves of the field's record or of its array's records, worked out before they are listed. */
static cflri_leaves inner_leaves(cflri_types *types, uint32_t field, int depth) {
    CXType element = cflri_type_element(types->fields.at[field].type);
    if (element.kind != CXType_Record) return (cflri_leaves){0};
    uint32_t record = cflri_type_record(types, element);
    if (record == CFLRI_NO_NUMBER) return (cflri_leaves){0};
    return record_leaves(types, record, depth + 1);
}

static cflri_type_class scalar_class(cflri_types *types, const cflri_field *field) {
    if (field->class != CFLRI_TYPE_ARRAY) return field->class;
    return cflri_type_classify(types, cflri_type_element(field->type));
}

static bool is_scalar(cflri_type_class class) {
    return class == CFLRI_TYPE_POINTER || class == CFLRI_TYPE_INTEGER || class == CFLRI_TYPE_NUMBER;
}

static cflri_carrier scalar_carrier(cflri_type_class class) {
    if (class == CFLRI_TYPE_POINTER) return CFLRI_CARRIES_POINTER;
    return class == CFLRI_TYPE_INTEGER ? CFLRI_CARRIES_INTEGER : CFLRI_CARRIES_NUMBER;
}

static bool holds_value(cflri_types *types, uint32_t field) {
    return is_scalar(scalar_class(types, &types->fields.at[field]));
}

static void add_element_leaves(cflri_types *types, uint32_t first, uint32_t field,
                               uint32_t within) {
    cflri_type_class class = scalar_class(types, &types->fields.at[field]);
    if (is_scalar(class)) {
        const cflri_leaf value = {.carrier = scalar_carrier(class)};
        add_leaf(types, first, field, within, &value);
        return;
    }
    cflri_leaves inner = inner_leaves(types, field, 0);
    for (uint32_t i = 0; i < inner.n; i++) {
        const cflri_leaf leaf = types->leaves.at[inner.first + i];
        add_leaf(types, first, field, within, &leaf);
    }
}

static void add_field_leaves(cflri_types *types, uint32_t first, uint32_t field) {
    const cflri_elements elements = cflri_field_elements(types, &types->fields.at[field]);
    for (uint32_t k = 0; k < elements.n; k++)
        add_element_leaves(types, first, field, k * elements.size);
}

static cflri_leaves record_leaves(cflri_types *types, uint32_t record, int depth) {
    const cflri_record r = types->records.at[record];
    if (r.leaves_known) return r.leaves;
    cflri_leaves leaves = {.too_many = depth > MOST_NESTING};
    uint64_t expected = 0;
    for (uint32_t i = 0; i < r.n_fields && !leaves.too_many; i++) {
        cflri_leaves inner = inner_leaves(types, r.first_field + i, depth);
        const cflri_field field = types->fields.at[r.first_field + i];
        uint32_t n = inner.too_many ? 1 : cflri_field_elements(types, &field).n;
        expected += (uint64_t)n * (inner.n + holds_value(types, r.first_field + i));
        leaves.too_many = inner.too_many || expected > MOST_LEAVES;
    }
    leaves.first = (uint32_t)types->leaves.n;
    for (uint32_t i = 0; i < r.n_fields && !leaves.too_many; i++)
        add_field_leaves(types, leaves.first, r.first_field + i);
    leaves.n = (uint32_t)types->leaves.n - leaves.first;
    types->records.at[record].leaves = leaves;
    types->records.at[record].leaves_known = true;
    return leaves;
}

/* The one leaf, without steps, of all arrays of pointers, of integers or of numbers. */
static cflri_leaves scalar_leaf(cflri_types *types, cflri_leaves *shared, cflri_carrier carrier) {
    if (shared->n == 0) {
        const cflri_leaf value = {.carrier = carrier};
        shared->first = (uint32_t)types->leaves.n;
        add_leaf(types, shared->first, CFLRI_NO_NUMBER, 0, &value);
        shared->n = (uint32_t)types->leaves.n - shared->first;
    }
    return *shared;
}

cflri_leaves cflri_type_leaves(cflri_types *types, CXType type) {
    CXType element = cflri_type_element(type);
    if (element.kind == CXType_Record) {
        uint32_t record = cflri_type_record(types, element);
        return record == CFLRI_NO_NUMBER ? (cflri_leaves){0} : record_leaves(types, record, 0);
    }
    cflri_type_class class = cflri_type_classify(types, element);
    if (class == CFLRI_TYPE_POINTER)
        return scalar_leaf(types, &types->pointer_leaf, CFLRI_CARRIES_POINTER);
    if (class == CFLRI_TYPE_INTEGER)
        return scalar_leaf(types, &types->integer_leaf, CFLRI_CARRIES_INTEGER);
    if (class == CFLRI_TYPE_NUMBER)
        return scalar_leaf(types, &types->number_leaf, CFLRI_CARRIES_NUMBER);
    return (cflri_leaves){0};
}

cflri_carrier cflri_type_carrier(cflri_types *types, CXType type) {
    CXType element = cflri_type_element(type);
    switch (cflri_type_classify(types, element)) {
        case CFLRI_TYPE_POINTER:
            return CFLRI_CARRIES_POINTER;
        case CFLRI_TYPE_INTEGER:
            return CFLRI_CARRIES_INTEGER;
        case CFLRI_TYPE_NUMBER:
            return CFLRI_CARRIES_NUMBER;
        case CFLRI_TYPE_RECORD:
            break;
        default:
            return CFLRI_CARRIES_OBJECT;
    }
    cflri_leaves leaves = cflri_type_leaves(types, element);
    if (leaves.too_many) return CFLRI_CARRIES_POINTER;
    bool at_start = leaves.n > 0 && types->leaves.at[leaves.first].n_steps == 0;
    return at_start && types->leaves.at[leaves.first].carrier == CFLRI_CARRIES_POINTER
               ? CFLRI_CARRIES_POINTER
               : CFLRI_CARRIES_OBJECT;
}

/* ---- elements ---- */

uint64_t cflri_type_count(CXType type) {
    uint64_t n = 1;
    for (type = cflri_type_plain(type); type.kind == CXType_ConstantArray;
         type = cflri_type_plain(cflri_clang_getArrayElementType(type))) {
        n *= (uint64_t)cflri_clang_getArraySize(type);
        if (n > UINT32_MAX) n = UINT32_MAX;
    }
    return n;
}

/* The length of an array without a size is said elsewhere, and another unit may know it: it is as
 * long as need be. Only the whole program knows that of a variable, so it is one element. */
static uint64_t length_of(CXType array) {
    uint64_t rows = 1;
    if (array.kind == CXType_IncompleteArray) {
        rows = MOST_ELEMENTS;
        array = cflri_type_plain(cflri_clang_getArrayElementType(array));
    }
    CXType inner = array;
    while (inner.kind == CXType_ConstantArray)
        inner = cflri_type_plain(cflri_clang_getArrayElementType(inner));
    return is_array(inner) ? 1 : rows * cflri_type_count(array);
}

/* How many leaves an element has; 0 when it is none to be told apart: no pointer is in it. */
static uint32_t element_leaves(cflri_types *types, CXType element) {
    bool points = false;
    cflri_type_class class = cflri_type_classify_plain(types, element);
    if (class == CFLRI_TYPE_POINTER) return 1;
    if (class != CFLRI_TYPE_RECORD) return 0;
    const cflri_leaves leaves = cflri_type_leaves(types, element);
    for (uint32_t i = 0; i < leaves.n && !points; i++)
        points = types->leaves.at[leaves.first + i].carrier == CFLRI_CARRIES_POINTER;
    return points ? leaves.n : 0;
}

cflri_elements cflri_type_elements(cflri_types *types, CXType type) {
    cflri_elements elements = {.n = 1};
    type = cflri_type_plain(type);
    if (!types->elements || !is_array(type)) return elements;
    CXType element = cflri_type_element(type);
    uint32_t leaves = element_leaves(types, element);
    if (leaves == 0 || leaves > MOST_ELEMENT_LEAVES) return elements;
    long long size = cflri_clang_Type_getSizeOf(element);
    if (size <= 0 || size > UINT32_MAX / MOST_ELEMENTS) return elements;
    uint64_t n = length_of(type);
    if (n > MOST_ELEMENTS) n = MOST_ELEMENTS;
    if (n > MOST_ELEMENT_LEAVES / leaves) n = MOST_ELEMENT_LEAVES / leaves;
    if (n > 1) elements = (cflri_elements){(uint32_t)n, (uint32_t)size};
    return elements;
}

cflri_elements cflri_field_elements(cflri_types *types, const cflri_field *field) {
    bool split = field->class == CFLRI_TYPE_ARRAY && field->type.kind != CXType_IncompleteArray;
    return split ? cflri_type_elements(types, field->type) : (cflri_elements){.n = 1};
}

bool cflri_type_carries(cflri_types *types, CXType type) {
    cflri_leaves leaves;
    switch (cflri_type_classify(types, type)) {
        case CFLRI_TYPE_POINTER:
        case CFLRI_TYPE_INTEGER:
        case CFLRI_TYPE_NUMBER:
            return true;
        case CFLRI_TYPE_RECORD:
        case CFLRI_TYPE_ARRAY:
            leaves = cflri_type_leaves(types, type);
            return leaves.n > 0 || leaves.too_many;
        default:
            return false;
    }
}

bool cflri_type_may_point(cflri_types *types, CXType type) {
    cflri_type_class class = cflri_type_classify(types, type);
    if (class == CFLRI_TYPE_POINTER || class == CFLRI_TYPE_INTEGER) return true;
    if (class != CFLRI_TYPE_RECORD && class != CFLRI_TYPE_ARRAY) return false;
    cflri_leaves leaves = cflri_type_leaves(types, type);
    bool any = leaves.too_many;
    for (uint32_t i = 0; i < leaves.n && !any; i++)
        any = types->leaves.at[leaves.first + i].carrier != CFLRI_CARRIES_NUMBER;
    return any;
}
