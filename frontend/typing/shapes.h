/* SPDX-License-Identifier: Apache-2.0
 *
 * shapes.h: what lies where in the records of a program.
 *
 *     struct in { int *a, *b; };
 *     struct s { long n; struct in in; union { struct t *t; char *text; }; };
 *
 *     members of struct s  8 struct in   24 struct t *   24 char *   (0 long, too)
 *     its parts            0 struct s, number   8 struct in, int * 16 int *   24 struct t *, char *
 *
 * An array is one element. A record with too many parts is not told apart: it has none but itself.
 */
#ifndef CFLRI_SHAPES_H
#define CFLRI_SHAPES_H

#include "frontend/facts/classes.h"
#include "frontend/facts/facts.h"

/* Something of that class begins that many bytes from the start of the record. */
typedef struct cflri_part {
    uint32_t offset;
    uint32_t class;
} cflri_part;

typedef struct cflri_member {
    uint32_t class; /* of the record */
    uint32_t offset;
    uint32_t type; /* text */
} cflri_member;

typedef struct cflri_shape {
    size_t first_member, n_members; /* by offset */
    size_t first_part, n_parts;     /* by offset, then class; each once */
    bool known;                     /* it has parts; set while they are looked for, too */
    bool whole;                     /* too many */
} cflri_shape;

typedef struct cflri_shapes {
    cflr_context *context;
    cflri_classes *classes;
    CFLRI_VEC(cflri_member) members;
    CFLRI_VEC(cflri_part) parts;
    cflri_shape *shape; /* by class */
    uint32_t n;
} cflri_shapes;

/* The members only. Free it also when this fails. */
cflr_status cflri_shapes_init(cflri_shapes *shapes, cflri_classes *classes,
                              const cflri_facts *facts, cflr_error *error);

/* The parts. `also`: sorted pairs (class, class) of records: the first has the members of the
 * second, too. O(parts log parts). */
cflr_status cflri_shapes_flatten(cflri_shapes *shapes, const uint64_t *also, size_t n,
                                 cflr_error *error);
void cflri_shapes_free(cflri_shapes *shapes);

/* The members of a record at an offset: [*first, *end) of shapes->members. */
void cflri_shapes_at(const cflri_shapes *shapes, uint32_t class, uint32_t offset, size_t *first,
                     size_t *end);

#endif
