/* SPDX-License-Identifier: Apache-2.0
 *
 * nestings.c: where in other records the records of a program may lie.
 *
 * A record lies where a member of its type is declared, and where the program turns a pointer to
 * what lies there into one to it, by one conversion, or by way of values that point to no record:
 *
 *     struct out { int *h; struct in i; };                  struct in      8 bytes from a start
 *     struct pair *p = (struct pair *)&o.i;                 struct pair    8, too
 *     void *v = &flat.a;  struct in *c = v;                 struct in      where a is
 *
 * Values without a record that flow into each other are one group, and all that comes into the
 * group may leave it. Groups of more places than MOST_PLACES are those of containers, which hold
 * all that a program has; they tell of no place.
 *
 * Only records count that the program also sees as others, as wholes or by what they lie in: those
 * that a conversion leads from or to, and those of unions. Memory that is seen as several records
 * as soon as it is allocated counts, too, unless it comes from an allocator, and is seen as all.
 */
#include "frontend/typing/nestings.h"

#include "base/ids.h"
#include "frontend/facts/told.h"

enum { MOST_PLACES = 16, MOST_VIEWS = 8 }; /* of a group */

typedef struct finding {
    cflri_program *program;
    cflri_facts *facts;
    cflri_nestings *made;
    CFLRI_VEC(uint64_t) declared; /* all places, as `places` */
    bool *viewed;                 /* by class with a shape: a record that is seen as another one */
    uint32_t *group;              /* by node: another one of its group, or itself */
    /* (group, class), (group, bytes) and (group, class): sorted, each once */
    CFLRI_VEC(uint64_t) from, in, out;
    cflr_error *error;
} finding;

static cflr_status no_memory(const finding *x) {
    return cflri_fail_memory(x->program->context, x->error);
}

static uint64_t pair(uint32_t first, uint32_t second) {
    return (uint64_t)first << 32 | second;
}

/* ---- as declared ---- */

static cflr_status find_declared(finding *x) {
    cflr_status st = CFLR_OK;
    cflri_nestings *made = x->made;
    cflr_context *context = x->program->context;
    CFLR_TRY(cflri_classes_init(&made->classes, context, &x->facts->strings, x->error));
    CFLR_TRY(cflri_shapes_init(&made->shapes, &made->classes, x->facts, x->error));
    CFLR_TRY(cflri_shapes_flatten(&made->shapes, NULL, 0, x->error));
    x->viewed = cflri_alloc_array_zero(context, made->shapes.n + 1, sizeof *x->viewed);
    if (!x->viewed) CFLR_TRY(no_memory(x));
    for (size_t i = 0; i < made->shapes.parts.n; i++) {
        const cflri_part part = made->shapes.parts.at[i];
        bool inner = part.offset > 0 && cflri_is_record_class(&made->classes, part.class);
        if (inner && !cflri_vec_push(context, &x->declared, pair(part.class, part.offset)))
            CFLR_TRY(no_memory(x));
    }
    x->declared.n = cflri_pairs_sort_once(x->declared.at, x->declared.n);
out:
    return st;
}

/* Unions: a record and something else begin at one place. */
static cflr_status view_unions(finding *x) {
    cflr_status st = CFLR_OK;
    const cflri_shapes *shapes = &x->made->shapes;
    for (size_t i = 1; i < shapes->members.n; i++) {
        const cflri_member *one = &shapes->members.at[i - 1], *other = one + 1;
        uint32_t a, b;
        if (one->class != other->class || one->offset != other->offset) continue;
        CFLR_TRY(cflri_class_of_content(&x->made->classes, one->type, &a, x->error));
        CFLR_TRY(cflri_class_of_content(&x->made->classes, other->type, &b, x->error));
        x->viewed[one->class] |= cflri_is_record_class(&x->made->classes, a) ||
                                 cflri_is_record_class(&x->made->classes, b);
    }
out:
    return st;
}

/* Where records lie in those that are seen as others. */
static cflr_status add_declared(finding *x) {
    const cflri_shapes *shapes = &x->made->shapes;
    for (uint32_t class = 0; class < shapes->n; class ++) {
        const cflri_shape *shape = &shapes->shape[class];
        for (size_t i = 0; x->viewed[class] && i < shape->n_parts; i++) {
            const cflri_part part = shapes->parts.at[shape->first_part + i];
            bool inner = part.offset > 0 && cflri_is_record_class(&x->made->classes, part.class);
            if (inner && !cflri_vec_push(x->program->context, &x->made->places,
                                         pair(part.class, part.offset)))
                return no_memory(x);
        }
    }
    return CFLR_OK;
}

/* ---- as converted ---- */

/* The record that a value points to; ANYTHING: none is known. */
static cflr_status record_of(finding *x, cflri_node n, uint32_t *class) {
    const cflri_node_record *node = &x->facts->nodes.at[n];
    cflr_status st = node->how == CFLRI_FIELD
                         ? cflri_class_of_content(&x->made->classes, node->type, class, x->error)
                         : cflri_class_of_value(&x->made->classes, node->type, class, x->error);
    if (st == CFLR_OK && !cflri_is_record_class(&x->made->classes, *class))
        *class = CFLRI_CLASS_ANYTHING;
    return st;
}

static uint32_t group_of(const finding *x, uint32_t n) {
    while (x->group[n] != n) n = x->group[n] = x->group[x->group[n]];
    return n;
}

/* An address of a member is no value that others flow into. */
static cflr_status is_plain(finding *x, cflri_node n, bool *plain) {
    uint32_t class = CFLRI_CLASS_ANYTHING;
    *plain = x->facts->nodes.at[n].how != CFLRI_FIELD;
    cflr_status st = *plain ? record_of(x, n, &class) : CFLR_OK;
    *plain = *plain && class == CFLRI_CLASS_ANYTHING;
    return st;
}

static cflr_status make_groups(finding *x) {
    cflr_status st = CFLR_OK;
    size_t n = x->facts->nodes.n;
    x->group = cflri_alloc_array(x->program->context, n + 1, sizeof *x->group);
    if (!x->group) return no_memory(x);
    for (uint32_t i = 0; i < n; i++) x->group[i] = i;
    for (size_t i = 0; i < x->facts->assigns.n; i++) {
        const cflri_assign *assign = &x->facts->assigns.at[i];
        bool from, to;
        CFLR_TRY(is_plain(x, assign->from, &from));
        CFLR_TRY(is_plain(x, assign->to, &to));
        if (from && to) x->group[group_of(x, assign->from)] = group_of(x, assign->to);
    }
out:
    return st;
}

/* Where a record of that class lies, `bytes` further, comes into the group. */
static cflr_status add_places(finding *x, uint32_t group, uint32_t class, uint64_t bytes) {
    const uint64_t *places = x->declared.at;
    uint64_t at = cflri_pairs_seek(places, x->declared.n, pair(class, 0));
    for (; at < x->declared.n && places[at] >> 32 == class; at++) {
        uint64_t sum = (uint32_t)places[at] + bytes;
        if (sum > INT32_MAX) continue;
        if (!cflri_vec_push(x->program->context, &x->in, pair(group, (uint32_t)sum)))
            return no_memory(x);
    }
    return CFLR_OK;
}

/* A pointer to such a record comes into the group. */
static cflr_status add_record(finding *x, uint32_t group, uint32_t class) {
    bool good = cflri_vec_push(x->program->context, &x->from, pair(group, class));
    return good ? add_places(x, group, class, 0) : no_memory(x);
}

static cflr_status add_member(finding *x, uint32_t group, cflri_node n) {
    const cflri_node_record *node = &x->facts->nodes.at[n];
    const char *set = cflri_string(&x->facts->strings, node->key), *text;
    cflr_status st = CFLR_OK;
    if ((int32_t)node->step < 0) return CFLR_OK;
    if (!cflri_vec_push(x->program->context, &x->in, pair(group, node->step))) return no_memory(x);
    for (size_t length; (text = cflri_told_next(&set, &length)) != NULL;) {
        uint32_t class, string = cflri_strings_find(&x->facts->strings, text, length);
        if (string == CFLRI_NO_STRING) continue;
        CFLR_TRY(cflri_class_of_content(&x->made->classes, string, &class, x->error));
        CFLR_TRY(add_places(x, group, class, node->step));
    }
out:
    return st;
}

/* The groups of both ends are one already where neither points to a record. */
static cflr_status add_conversion(finding *x, cflri_node from, cflri_node to) {
    cflr_status st = CFLR_OK;
    bool member = x->facts->nodes.at[from].how == CFLRI_FIELD;
    uint32_t source, target, group = group_of(x, to);
    CFLR_TRY(record_of(x, from, &source));
    CFLR_TRY(record_of(x, to, &target));
    bool leaves = target != CFLRI_CLASS_ANYTHING && target != source;
    if (leaves && !member && source == CFLRI_CLASS_ANYTHING) group = group_of(x, from);
    if (leaves && !cflri_vec_push(x->program->context, &x->out, pair(group, target)))
        CFLR_TRY(no_memory(x));
    if (source == target && source != CFLRI_CLASS_ANYTHING) goto out;
    if (member) CFLR_TRY(add_member(x, group, from));
    if (!member && source != CFLRI_CLASS_ANYTHING) CFLR_TRY(add_record(x, group, source));
out:
    return st;
}

/* A member is taken of what the value points to, seen as such a record. */
static cflr_status add_view(finding *x, cflri_node n) {
    const cflri_node_record *node = &x->facts->nodes.at[n];
    const char *set = cflri_string(&x->facts->strings, node->key), *text;
    cflr_status st = CFLR_OK;
    uint32_t source, group = group_of(x, node->base);
    CFLR_TRY(record_of(x, node->base, &source));
    for (size_t length; (text = cflri_told_next(&set, &length)) != NULL;) {
        uint32_t class, string = cflri_strings_find(&x->facts->strings, text, length);
        if (string == CFLRI_NO_STRING) continue;
        CFLR_TRY(cflri_class_of_content(&x->made->classes, string, &class, x->error));
        if (class == source) continue;
        if (!cflri_vec_push(x->program->context, &x->out, pair(group, class)))
            CFLR_TRY(no_memory(x));
        if (source != CFLRI_CLASS_ANYTHING) CFLR_TRY(add_record(x, group, source));
    }
out:
    return st;
}

static cflr_status find_conversions(finding *x) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < x->facts->assigns.n; i++) {
        const cflri_assign *assign = &x->facts->assigns.at[i];
        CFLR_TRY(add_conversion(x, assign->from, assign->to));
    }
    for (cflri_node n = 0; n < x->facts->nodes.n; n++) {
        const cflri_node_record *node = &x->facts->nodes.at[n];
        bool seen = node->how == CFLRI_FIELD && cflri_is_told(x->facts, n);
        if (seen && x->facts->nodes.at[node->base].how != CFLRI_FIELD) CFLR_TRY(add_view(x, n));
    }
    x->from.n = cflri_pairs_sort_once(x->from.at, x->from.n);
    x->in.n = cflri_pairs_sort_once(x->in.at, x->in.n);
    x->out.n = cflri_pairs_sort_once(x->out.at, x->out.n);
out:
    return st;
}

/* The pairs of one group. */
typedef struct range {
    size_t begin, end;
} range;

static range of_group(const uint64_t *pairs, size_t n, uint32_t group) {
    return (range){cflri_pairs_seek(pairs, n, pair(group, 0)),
                   cflri_pairs_seek(pairs, n, pair(group + 1, 0))};
}

/* A group is left by pointers to records of other classes than it is entered by. */
static bool is_mixed(const finding *x, range from, range out) {
    size_t n = out.end - out.begin;
    bool mixed = n > 1 && (from.begin < from.end || n <= MOST_VIEWS);
    for (size_t i = from.begin; i < from.end && !mixed; i++)
        mixed = (uint32_t)x->from.at[i] != (uint32_t)x->out.at[out.begin];
    return mixed;
}

/* A record that is not defined anywhere has no shape, and nothing lies in it. */
static void view(finding *x, uint32_t class) {
    if (class < x->made->shapes.n) x->viewed[class] = true;
}

/* All that comes into a group may leave it. */
static cflr_status join_group(finding *x, uint32_t group, range out) {
    const range from = of_group(x->from.at, x->from.n, group);
    const range in = of_group(x->in.at, x->in.n, group);
    bool mixed = is_mixed(x, from, out);
    for (size_t i = from.begin; i < from.end && mixed; i++) view(x, (uint32_t)x->from.at[i]);
    for (size_t o = out.begin; o < out.end; o++) {
        if (mixed) view(x, (uint32_t)x->out.at[o]);
        for (size_t i = in.begin; i < in.end && in.end - in.begin <= MOST_PLACES; i++)
            if (!cflri_vec_push(x->program->context, &x->made->places,
                                pair((uint32_t)x->out.at[o], (uint32_t)x->in.at[i])))
                return no_memory(x);
    }
    return CFLR_OK;
}

static cflr_status join(finding *x) {
    cflr_status st = CFLR_OK;
    for (range out = {0}; out.begin < x->out.n && st == CFLR_OK; out.begin = out.end) {
        uint32_t group = (uint32_t)(x->out.at[out.begin] >> 32);
        while (out.end < x->out.n && x->out.at[out.end] >> 32 == group) out.end++;
        st = join_group(x, group, out);
    }
    return st;
}

cflr_status cflri_nestings_make(cflri_nestings *nestings, cflri_program *program,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = program->context;
    finding x = {.program = program, .facts = &program->facts, .made = nestings, .error = error};
    *nestings = (cflri_nestings){0};
    CFLR_TRY(find_declared(&x));
    CFLR_TRY(make_groups(&x));
    CFLR_TRY(find_conversions(&x));
    CFLR_TRY(join(&x));
    CFLR_TRY(view_unions(&x));
    CFLR_TRY(add_declared(&x));
    nestings->places.n = cflri_pairs_sort_once(nestings->places.at, nestings->places.n);
out:
    cflri_free(context, x.group);
    cflri_free(context, x.viewed);
    cflri_vec_free(context, &x.declared);
    cflri_vec_free(context, &x.from);
    cflri_vec_free(context, &x.in);
    cflri_vec_free(context, &x.out);
    return st;
}

void cflri_nestings_free(cflri_nestings *nestings) {
    cflr_context *context = nestings->classes.context;
    if (!context) return;
    cflri_vec_free(context, &nestings->places);
    cflri_shapes_free(&nestings->shapes);
    cflri_classes_free(&nestings->classes);
}
