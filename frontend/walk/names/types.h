/* SPDX-License-Identifier: Apache-2.0
 *
 * types.h: what a C type means for the flow of pointers.
 *
 * Every type is one of six classes; and a record or array is the list of its leaves: the places
 * inside it where a pointer may live, each as the steps that lead there. Copying a record copies
 * its leaves.
 *
 *     struct d { int n; struct { char *a, *b; } in[4]; union { void *u; long v; }; };
 *
 *     leaves     [8]      in.a     (`in` is 8 bytes in, `a` 0 bytes into that: steps of 0 are none)
 *                [8 8]    in.b
 *                [72]     u and v together
 *
 * One step is one named record level: members of anonymous records count as members of the record
 * around them, so that `&d->in` and then `->b` takes the same two steps as `d->in.b`.
 *
 * That is with arrays of one element. Where elements with a constant index are apart, `in` has a
 * leaf for each of them, [8] [8 8] [24] [24 8] ...: the step of an element is that of the array,
 * plus where it lies in it. Which elements are apart follows from the type alone, so all code
 * agrees about it.
 */
#ifndef CFLRI_TYPES_H
#define CFLRI_TYPES_H

#include "base/vec.h"
#include "frontend/clang/clang.h"
#include "frontend/clang/cursors.h"
#include "frontend/facts/facts.h"

typedef enum cflri_type_class {
    CFLRI_TYPE_NONE,    /* cannot hold a pointer: void, small integers, floating point, vectors */
    CFLRI_TYPE_NUMBER,  /* with data flow: of these, what is one number */
    CFLRI_TYPE_INTEGER, /* as wide as a pointer */
    CFLRI_TYPE_POINTER,
    CFLRI_TYPE_RECORD,
    CFLRI_TYPE_ARRAY,
    CFLRI_TYPE_FUNCTION,
} cflri_type_class;

enum { CFLRI_INTEGER_KINDS = CXType_Int128 + 1 };

typedef struct cflri_leaf {
    uint32_t first_step; /* in cflri_types.steps and .step_fields */
    uint32_t n_steps;
    cflri_carrier carrier;
} cflri_leaf;

/* Which elements of an array are apart: the first `n`, which lie `size` bytes from each other. The
 * others lie where the first one does. An array of arrays counts as one of their elements. 1: it is
 * one element. */
typedef struct cflri_elements {
    uint32_t n;
    uint32_t size;
} cflri_elements;

/* A range of cflri_types.leaves. */
typedef struct cflri_leaves {
    uint32_t first;
    uint32_t n;
    bool too_many; /* the type is too large to be split: copies must make addresses alias */
} cflri_leaves;

typedef struct cflri_field {
    CXCursor cursor;
    CXType type; /* canonical */
    cflri_type_class class;
    uint32_t record;   /* the record that lists it */
    uint32_t position; /* among that record's fields */
    uint32_t offset;   /* bytes from the start of the innermost named record around it; of one
                          that is anonymous 0 */
    uint32_t start;    /* in a record that is placed: the same, of an anonymous record too */
    uint32_t name;     /* for the user of the types: a string of its own; 0 at first */
    bool anonymous;    /* an unnamed record whose members count as the outer record's */
    bool unnamed_bits; /* an unnamed bit-field: padding that initialisers skip */
} cflri_field;

typedef struct cflri_record {
    CXCursor cursor;
    uint32_t first_field; /* in cflri_types.fields */
    uint32_t n_fields;
    uint32_t text; /* for the user of the types: a string of its own; 0 at first */
    uint32_t
        start;   /* of one that is anonymous: bytes from the start of the named record around it */
    bool placed; /* where its fields are is worked out, not asked */
    bool is_union;
    bool leaves_known;
    cflri_leaves leaves;
} cflri_record;

typedef struct cflri_types {
    cflr_context *context;
    cflr_fields sensitivity;
    bool data_flow;                    /* numbers count, too */
    bool elements;                     /* those of arrays are apart */
    long long pointer_size;            /* bytes */
    uint8_t wide[CFLRI_INTEGER_KINDS]; /* by kind of integer: 1 as wide as a pointer, 2 not */
    cflri_cursors known;               /* FieldDecl -> fields, record declaration -> records */
    cflri_cursors holders;             /* anonymous record -> the field that it is */
    CFLRI_VEC(cflri_field) fields;
    CFLRI_VEC(cflri_record) records;
    CFLRI_VEC(cflri_leaf) leaves;
    CFLRI_VEC(uint32_t) steps;
    CFLRI_VEC(uint32_t) step_fields; /* the field that each step goes to */
    cflri_leaves pointer_leaf;       /* of arrays of pointers; n == 0: not made yet */
    cflri_leaves integer_leaf;
    cflri_leaves number_leaf;
    bool refused; /* an allocation failed: what is asked for then is empty */
} cflri_types;

/* Zero bytes are a valid argument of free. */
void cflri_types_init(cflri_types *types, const cflri_facts *facts, CXTranslationUnit unit);
void cflri_types_free(cflri_types *types);

/* The canonical type without _Atomic. */
CXType cflri_type_canonical(CXType type);

/* The same. Of the kinds that are looked at first is only what has no other name: most questions
 * end there. */
static inline CXType cflri_type_plain(CXType type) {
    bool plain = (type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin) ||
                 type.kind == CXType_Record || type.kind == CXType_Enum;
    return plain ? type : cflri_type_canonical(type);
}

/* Are these one type but for qualifiers? An invalid one (what an integer points to) is none. */
bool cflri_types_equal(CXType a, CXType b);

/* Is this canonical type a record that is not completed? */
bool cflri_type_is_opaque(CXType type);

/* Is this canonical type an integer of any width? */
bool cflri_type_is_integer(CXType type);

/* Is it that, floating point, complex, or a vector? */
bool cflri_type_is_number(CXType type);

/* Class of any type. */
cflri_type_class cflri_type_classify(cflri_types *types, CXType type);
/* The same for a type that is plain already. */
cflri_type_class cflri_type_classify_plain(cflri_types *types, CXType plain);

/* Element of an array of any number of dimensions; any other type is itself. Canonical. */
CXType cflri_type_element(CXType type);

/* The kind of value that a place of this type holds: an array is as its element, a record as what
 * lies at its start. */
cflri_carrier cflri_type_carrier(cflri_types *types, CXType type);

/* Does a place of this type hold a pointer, or an integer that is as wide, anywhere? With data
 * flow: or a number. */
bool cflri_type_carries(cflri_types *types, CXType type);

/* The same of pointers and integers that are as wide alone. */
bool cflri_type_may_point(cflri_types *types, CXType type);

/* Leaves of a record, or of the elements of an array; n == 0 for all else. Sorted, no two alike.
 * Valid until the next call for a new type: indexes stay, pointers may not. */
cflri_leaves cflri_type_leaves(cflri_types *types, CXType type);

/* Which elements are apart of a variable of this type, if that is an array; of a member (a flexible
 * one has as many as fit into its memory, and so is one element). */
cflri_elements cflri_type_elements(cflri_types *types, CXType type);
cflri_elements cflri_field_elements(cflri_types *types, const cflri_field *field);

/* How many innermost elements an array of constant size has; 1 for what is no array. */
uint64_t cflri_type_count(CXType type);

/* The record of a RECORD type, UINT32_MAX when memory was refused. */
uint32_t cflri_type_record(cflri_types *types, CXType type);

/* The field of a FieldDecl, UINT32_MAX when there is none (a unit with errors). */
uint32_t cflri_type_field(cflri_types *types, CXCursor field);

#endif
