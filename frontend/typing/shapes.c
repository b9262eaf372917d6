/* SPDX-License-Identifier: Apache-2.0
 *
 * shapes.c: records and their parts.
 *
 * A record's parts are itself, and those of each member, shifted. The parts of the members are
 * found first: a stack, since records may lie deep in each other. Two records of one name may
 * contain each other, which C forbids of one: such a member has no parts.
 */
#include "frontend/typing/shapes.h"

#include <assert.h>
#include <stdlib.h>

#include "base/context.h"
#include "base/ids.h"

enum { MOST_PARTS = 4096 };

static int by_place(const void *a, const void *b) {
    const cflri_member *x = a, *y = b;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

static int by_offset(const void *a, const void *b) {
    const cflri_part *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

static cflr_status no_memory(const cflri_shapes *x, cflr_error *error) {
    return cflri_fail_memory(x->context, error);
}

/* Sorts the members, and finds those of each record. */
static cflr_status group(cflri_shapes *x, cflr_error *error) {
    cflri_free(x->context, x->shape);
    x->n = cflri_classes_count(x->classes);
    x->shape = cflri_alloc_array_zero(x->context, x->n, sizeof *x->shape);
    if (!x->shape) return no_memory(x, error);
    if (x->members.n) qsort(x->members.at, x->members.n, sizeof *x->members.at, by_place);
    for (size_t i = 0; i < x->members.n; i++) {
        cflri_shape *shape = &x->shape[x->members.at[i].class];
        if (shape->n_members == 0) shape->first_member = i;
        shape->n_members++;
    }
    return CFLR_OK;
}

cflr_status cflri_shapes_init(cflri_shapes *x, cflri_classes *classes, const cflri_facts *facts,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    *x = (cflri_shapes){.context = classes->context, .classes = classes};
    for (size_t i = 0; i < facts->members.n; i++) {
        const cflri_facts_member *fact = &facts->members.at[i];
        cflri_member member = {.offset = fact->offset, .type = fact->type};
        uint32_t content;
        CFLR_TRY(cflri_class_of_content(classes, fact->record, &member.class, error));
        CFLR_TRY(cflri_class_of_content(classes, fact->type, &content, error));
        if (!cflri_is_record_class(classes, member.class)) continue; /* what a foreign file says */
        if (!cflri_vec_push(x->context, &x->members, member)) return no_memory(x, error);
    }
    st = group(x, error);
out:
    return st;
}

/* ---- parts ---- */

static bool add_part(cflri_shapes *x, uint64_t offset, uint32_t class) {
    return offset > INT32_MAX ||
           cflri_vec_push(x->context, &x->parts, (cflri_part){(uint32_t)offset, class});
}

/* Adds the parts of a member that is a record, or the member itself. */
static bool add_member(cflri_shapes *x, uint32_t offset, uint32_t class) {
    const cflri_shape *inner = &x->shape[class];
    if (inner->n_parts == 0) return add_part(x, offset, class);
    for (size_t i = 0; i < inner->n_parts; i++) {
        const cflri_part part = x->parts.at[inner->first_part + i];
        if (!add_part(x, (uint64_t)offset + part.offset, part.class)) return false;
    }
    return true;
}

static void drop_doubles(cflri_shapes *x, cflri_shape *shape) {
    cflri_part *part = x->parts.at + shape->first_part;
    size_t n = x->parts.n - shape->first_part, kept = 0;
    qsort(part, n, sizeof *part, by_offset);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || by_offset(&part[kept - 1], &part[i]) != 0) part[kept++] = part[i];
    shape->whole = shape->whole || kept > MOST_PARTS;
    if (shape->whole) kept = 0;
    shape->n_parts = kept;
    x->parts.n = shape->first_part + kept;
}

static cflr_status finish(cflri_shapes *x, uint32_t class, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_shape *shape = &x->shape[class];
    shape->first_part = x->parts.n;
    if (!add_part(x, 0, class)) return no_memory(x, error);
    for (size_t i = 0; i < shape->n_members && !shape->whole; i++) {
        const cflri_member member = x->members.at[shape->first_member + i];
        uint32_t inner;
        CFLR_TRY(cflri_class_of_content(x->classes, member.type, &inner, error));
        shape->whole = x->shape[inner].whole || x->parts.n - shape->first_part > 4 * MOST_PARTS;
        if (!add_member(x, member.offset, inner)) return no_memory(x, error);
    }
    drop_doubles(x, shape);
    if (shape->n_parts == 0 && !add_part(x, 0, class)) return no_memory(x, error);
    if (shape->n_parts == 0) shape->n_parts = 1;
out:
    return st;
}

/* A record whose parts are looked for, and its member that is looked at next. */
typedef struct visit {
    uint32_t class;
    size_t next;
} visit;

/* The next member of a record that is one whose parts are not known; ANYTHING when there is no
 * more. */
static cflr_status next_inner(const cflri_shapes *x, visit *at, uint32_t *inner,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_shape *shape = &x->shape[at->class];
    *inner = CFLRI_CLASS_ANYTHING;
    while (at->next < shape->n_members && *inner == CFLRI_CLASS_ANYTHING) {
        uint32_t type = x->members.at[shape->first_member + at->next++].type, found;
        CFLR_TRY(cflri_class_of_content(x->classes, type, &found, error));
        if (cflri_is_record_class(x->classes, found) && !x->shape[found].known) *inner = found;
    }
out:
    return st;
}

static cflr_status flatten(cflri_shapes *x, uint32_t class, cflr_error *error) {
    CFLRI_VEC(visit) stack = {0};
    cflr_status st = CFLR_OK;
    while (class != CFLRI_CLASS_ANYTHING || stack.n) {
        if (class != CFLRI_CLASS_ANYTHING) {
            x->shape[class].known = true;
            if (!cflri_vec_push(x->context, &stack, (visit){class, 0}))
                CFLR_TRY(no_memory(x, error));
        }
        CFLR_TRY(next_inner(x, &stack.at[stack.n - 1], &class, error));
        if (class == CFLRI_CLASS_ANYTHING) CFLR_TRY(finish(x, stack.at[--stack.n].class, error));
    }
out:
    cflri_vec_free(x->context, &stack);
    return st;
}

static cflr_status add_also(cflri_shapes *x, const uint64_t *also, size_t n, cflr_error *error) {
    for (size_t i = 0; i < n; i++) {
        const cflri_shape from = x->shape[(uint32_t)also[i]];
        for (size_t k = 0; k < from.n_members; k++) {
            cflri_member member = x->members.at[from.first_member + k];
            member.class = (uint32_t)(also[i] >> 32);
            if (!cflri_vec_push(x->context, &x->members, member)) return no_memory(x, error);
        }
    }
    return group(x, error);
}

cflr_status cflri_shapes_flatten(cflri_shapes *x, const uint64_t *also, size_t n,
                                 cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(add_also(x, also, n, error));
    for (uint32_t class = CFLRI_FIRST_NAMED; class < x->n; class ++)
        if (cflri_is_record_class(x->classes, class) && !x->shape[class].known)
            CFLR_TRY(flatten(x, class, error));
out:
    return st;
}

void cflri_shapes_free(cflri_shapes *x) {
    cflri_vec_free(x->context, &x->members);
    cflri_vec_free(x->context, &x->parts);
    cflri_free(x->context, x->shape);
}

void cflri_shapes_at(const cflri_shapes *x, uint32_t class, uint32_t offset, size_t *first,
                     size_t *end) {
    *first = *end = 0;
    if (class >= x->n) return;
    const cflri_shape *shape = &x->shape[class];
    size_t last = (size_t)shape->first_member + shape->n_members;
    CFLRI_BISECT(*first, shape->first_member, last, x->members.at[*first].offset < offset);
    for (*end = *first; *end < last && x->members.at[*end].offset == offset;) ++*end;
}
