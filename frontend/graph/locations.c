/* SPDX-License-Identifier: Apache-2.0
 *
 * locations.c: memory as vertices.
 *
 * Three passes over the nodes of all instances: what values read; the objects, each with a location
 * for each of its parts; and the slots of functions, since a function may come behind its slots.
 *
 * O(vertices + assignments + parts of objects), and for each object the pairs (record, part) where
 * one begins in it.
 */
#include "frontend/graph/locations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/decimal.h"
#include "base/graph/graph.h"
#include "base/ids.h"
#include "frontend/facts/facts_table.h"
#include "frontend/facts/told.h"
#include "frontend/graph/emit.h"
#include "frontend/program/callees.h"
#include "frontend/typing/readings.h"
#include "frontend/typing/uses.h"

enum { NAME_BYTES = 96 };
#define NO_LOCATION UINT32_MAX

typedef struct locations {
    const cflri_contexts *contexts;
    const cflri_program *program;
    const cflri_facts *facts;
    cflr_context *context;
    cflr_graph_builder *builder;
    cflri_classes classes;
    cflri_shapes shapes;
    cflri_readings readings;
    cflri_uses uses;
    cflri_numbers used; /* of one allocation: the classes that it is read as */
    CFLRI_VEC(uint64_t)
    casts; /* sorted pairs of records: a pointer to the first may lead to the second */
    cflri_numbers offsets;   /* sorted: at which some member lies that is named */
    cflri_numbers member;    /* their labels */
    cflri_triples *slot;     /* (slot, type, 0) -> label; type NO_SIGNATURE: of any */
    cflri_numbers slots;     /* these labels */
    cflri_numbers slot_type; /* and by which signature */
    cflri_numbers type;      /* vertex of each class */
    bool *read; /* by class: some value reads it, and memory of the allocators may have it */
    uint32_t *location;  /* by vertex: where what it is the address of begins, or NO_LOCATION */
    const char *name;    /* of the object whose locations are made */
    cflri_numbers at;    /* of one object: the location of each different offset */
    cflri_node *content; /* by node: of what lies there, or NO_NODE */
    bool *turned;    /* by node: the address of constant text, and given to a pointer to a record */
    bool open_packs; /* records are had from variable arguments */
    bool read_code;  /* a pointer to a function becomes one to characters */
    uint32_t n_vertices; /* before any was added */
    uint32_t reads, is, fits, of, address, in, whole, holds, writes, changes, any; /* labels */
    cflr_error *error;
} locations;

static cflr_status no_memory(const locations *x) {
    return cflri_fail_memory(x->context, x->error);
}

static const cflri_node_record *record(const locations *x, cflri_node node) {
    return &x->facts->nodes.at[node];
}

static cflr_status edge(const locations *x, uint32_t source, uint32_t target, uint32_t label) {
    return cflr_graph_builder_edge(x->builder, source, target, label, x->error);
}

static cflr_status label(const locations *x, const char *name, const char *index,
                         uint32_t *number) {
    return cflr_graph_builder_label(x->builder, name, index, number, x->error);
}

/* ---- what fits ---- */

/* The class of the object whose address the node is; ANYTHING for none. */
static cflr_status class_of_object(locations *x, cflri_node n, uint32_t *class) {
    const cflri_node_record *node = record(x, n);
    *class = CFLRI_CLASS_ANYTHING;
    if (node->how != CFLRI_ADDRESS) return CFLR_OK;
    const cflri_node_record *object = record(x, node->base);
    bool text = object->kind == CFLR_VERTEX_STRING ||
                (cflri_is_constant_text(&x->classes, object->type) && !x->turned[n]);
    if (object->kind == CFLR_VERTEX_ALLOCATION) return CFLR_OK;
    if (text) *class = CFLRI_CLASS_LITERAL;
    if (object->kind == CFLR_VERTEX_FUNCTION) *class = CFLRI_CLASS_FUNCTION;
    if (*class != CFLRI_CLASS_ANYTHING) return CFLR_OK;
    return cflri_class_of_content(&x->classes, object->type, class, x->error);
}

/* A `void *` lies where any pointer may lie. */
static bool are_pointers(const locations *x, uint32_t class, uint32_t other) {
    return (class == CFLRI_CLASS_POINTER || other == CFLRI_CLASS_POINTER) &&
           cflri_is_pointer_class(&x->classes, class) && cflri_is_pointer_class(&x->classes, other);
}

static cflr_status add_cast(locations *x, uint32_t to, uint32_t from) {
    if (to == CFLRI_CLASS_FUNCTION || from == CFLRI_CLASS_FUNCTION || to == from) return CFLR_OK;
    if (from == CFLRI_CLASS_ANYTHING || from == CFLRI_CLASS_CHARACTERS) return CFLR_OK;
    if (from == CFLRI_CLASS_LITERAL) return CFLR_OK;
    if (cflri_begins_with(&x->shapes, to, from) || cflri_begins_with(&x->shapes, from, to))
        return CFLR_OK;
    if (are_pointers(x, to, from)) return CFLR_OK;
    if (!cflri_vec_push(x->context, &x->casts, cflri_pair(to, from))) return no_memory(x);
    return CFLR_OK;
}

/* Of a union the value is one of several types, and may be that of the other side. */
static bool share_class(const locations *x, cflri_node a, cflri_node b) {
    const cflri_readings *r = &x->readings;
    bool share = false;
    for (size_t i = r->start[a]; i < r->start[a + 1]; i++)
        for (size_t k = r->start[b]; k < r->start[b + 1]; k++)
            share |= r->class.at[i] == r->class.at[k];
    return share;
}

static bool leads_to_record(const locations *x, cflri_node n) {
    const cflri_readings *r = &x->readings;
    bool leads = false;
    for (size_t i = r->start[n]; i < r->start[n + 1]; i++)
        leads |= cflri_is_record_class(&x->classes, r->class.at[i]);
    return leads;
}

/* A pointer to characters that may lead to other objects: to any, but to no function. */
static bool leads_to_data(const locations *x, cflri_node n) {
    const cflri_readings *r = &x->readings;
    const cflri_node_record *node = record(x, n);
    bool value = node->how == CFLRI_ROOT || node->how == CFLRI_DEREF;
    return value && r->raw_node[n] && r->start[n] == r->start[n + 1];
}

static bool is_function(const locations *x, cflri_node n, uint32_t object) {
    const cflri_readings *r = &x->readings;
    return object == CFLRI_CLASS_FUNCTION ||
           (r->start[n] < r->start[n + 1] && r->class.at[r->start[n]] == CFLRI_CLASS_FUNCTION);
}

static cflr_status add_casts(locations *x, const cflri_assign *assign) {
    cflr_status st = CFLR_OK;
    const cflri_readings *r = &x->readings;
    uint32_t object;
    if (share_class(x, assign->from, assign->to)) return CFLR_OK;
    CFLR_TRY(class_of_object(x, assign->from, &object));
    x->turned[assign->from] |= leads_to_record(x, assign->to);
    x->read_code |= leads_to_data(x, assign->to) && is_function(x, assign->from, object);
    for (size_t t = r->start[assign->to]; t < r->start[assign->to + 1]; t++) {
        CFLR_TRY(add_cast(x, r->class.at[t], object));
        for (size_t f = r->start[assign->from]; f < r->start[assign->from + 1]; f++)
            CFLR_TRY(add_cast(x, r->class.at[t], r->class.at[f]));
    }
out:
    return st;
}

/* ((struct s *)q)->next: the cast has no node of its own. */
static cflr_status add_member_casts(locations *x, cflri_node n) {
    cflr_status st = CFLR_OK;
    const cflri_readings *r = &x->readings;
    cflri_node base = record(x, n)->base;
    for (size_t k = r->record_start[n]; k < r->record_start[n + 1]; k++) {
        uint32_t object;
        CFLR_TRY(class_of_object(x, base, &object));
        x->turned[base] = true;
        CFLR_TRY(add_cast(x, r->record.at[k], object));
        for (size_t i = r->start[base]; i < r->start[base + 1]; i++)
            CFLR_TRY(add_cast(x, r->record.at[k], r->class.at[i]));
    }
out:
    return st;
}

/* Is a record had from variable arguments? They are memory of any type then. */
static bool find_open_packs(const locations *x) {
    const cflri_readings *r = &x->readings;
    bool found = false;
    for (cflri_node n = 0; n < x->facts->nodes.n && !found; n++) {
        uint32_t type = record(x, n)->how == CFLRI_ROOT ? 0 : record(x, record(x, n)->base)->type;
        const char *text = cflri_string(&x->facts->strings, type);
        bool list = strstr(text, "__va_list") != NULL;
        for (size_t k = r->record_start[n]; k < r->record_start[n + 1] && list; k++)
            found |= !cflri_is_argument_list(&x->classes, r->record.at[k]);
    }
    return found;
}

/* Pointers to records that are given to ones to others, with nothing between. */
static cflr_status find_casts(locations *x) {
    cflr_status st = CFLR_OK;
    size_t kept = 0;
    for (cflri_node n = 0; n < x->facts->nodes.n; n++) CFLR_TRY(add_member_casts(x, n));
    for (size_t i = 0; i < x->facts->assigns.n; i++)
        if (!x->facts->assigns.at[i].data) CFLR_TRY(add_casts(x, &x->facts->assigns.at[i]));
    if (x->casts.n) qsort(x->casts.at, x->casts.n, sizeof *x->casts.at, cflri_pairs_compare);
    for (size_t i = 0; i < x->casts.n; i++)
        if (kept == 0 || x->casts.at[kept - 1] != x->casts.at[i])
            x->casts.at[kept++] = x->casts.at[i];
    x->casts.n = kept;
out:
    return st;
}

/* The record that a summary's step leads into; ANYTHING where its base does not tell one. */
static uint32_t record_of_step(const locations *x, cflri_node n) {
    const cflri_readings *r = &x->readings;
    cflri_node base = record(x, n)->base;
    uint32_t class = CFLRI_CLASS_ANYTHING;
    if (r->start[base + 1] == r->start[base] + 1) class = r->class.at[r->start[base]];
    if (record(x, base)->how == CFLRI_ADDRESS && record(x, record(x, base)->base)->type)
        class = x->classes.content[record(x, record(x, base)->base)->type] - 1;
    return cflri_is_record_class(&x->classes, class) ? class : CFLRI_CLASS_ANYTHING;
}

/* Summaries name members that no code of the program reads, or that no record has. */
static cflr_status add_summary_members(locations *x) {
    for (cflri_node n = 0; n < x->facts->nodes.n; n++) {
        if (!cflri_is_summary_step(x->facts, n) || !x->program->kept[n]) continue;
        const cflri_member member = {record_of_step(x, n), record(x, n)->step, 0};
        size_t first, end;
        if (member.class == CFLRI_CLASS_ANYTHING) continue;
        cflri_shapes_at(&x->shapes, member.class, member.offset, &first, &end);
        if (first == end && !cflri_vec_push(x->context, &x->shapes.members, member))
            return no_memory(x);
    }
    return CFLR_OK;
}

/* A record that is taken for another one has the other's members, too. */
static cflr_status find_parts(locations *x) {
    cflr_status st = CFLR_OK;
    CFLRI_VEC(uint64_t) also = {0};
    for (size_t i = 0; i < x->casts.n; i++) {
        uint32_t to = (uint32_t)(x->casts.at[i] >> 32), from = (uint32_t)x->casts.at[i];
        uint64_t turned = cflri_pair(from, to);
        bool records =
            cflri_is_record_class(&x->classes, to) && cflri_is_record_class(&x->classes, from);
        if (records && !cflri_vec_push(x->context, &also, turned)) CFLR_TRY(no_memory(x));
    }
    st = cflri_shapes_flatten(&x->shapes, also.at, also.n, x->error);
out:
    cflri_vec_free(x->context, &also);
    return st;
}

static const char *class_name(const locations *x, uint32_t class) {
    return cflri_class_name(&x->classes, class);
}

static cflr_status emit_types(locations *x) {
    cflr_status st = CFLR_OK;
    uint32_t n = cflri_classes_count(&x->classes), list = CFLRI_CLASS_CHARACTERS;
    for (uint32_t class = 0; class < n; class ++) {
        cflr_vertex_info info = {.kind = CFLR_VERTEX_TYPE, .name = class_name(x, class)};
        uint32_t vertex;
        CFLR_TRY(cflr_graph_builder_vertex(x->builder, &info, &vertex, x->error));
        if (!cflri_vec_push(x->context, &x->type, vertex)) CFLR_TRY(no_memory(x));
    }
    for (uint32_t class = 0; class < n; class ++) {
        CFLR_TRY(edge(x, x->type.at[class], x->type.at[class], x->fits));
        if (class != CFLRI_CLASS_FUNCTION || x->read_code)
            CFLR_TRY(edge(x, x->type.at[CFLRI_CLASS_DATA], x->type.at[class], x->fits));
        if (class == CFLRI_CLASS_FUNCTION) continue; /* no memory is one */
        CFLR_TRY(edge(x, x->type.at[class], x->type.at[CFLRI_CLASS_ALL], x->fits));
        if (cflri_is_argument_list(&x->classes, class)) list = class;
        if (!cflri_is_pointer_class(&x->classes, class)) continue;
        CFLR_TRY(edge(x, x->type.at[class], x->type.at[CFLRI_CLASS_POINTER], x->fits));
        CFLR_TRY(edge(x, x->type.at[CFLRI_CLASS_POINTER], x->type.at[class], x->fits));
    }
    CFLR_TRY(edge(x, x->type.at[list], x->type.at[CFLRI_CLASS_PACK], x->fits));
    CFLR_TRY(edge(x, x->type.at[CFLRI_CLASS_CHARACTERS], x->type.at[CFLRI_CLASS_LITERAL], x->fits));
    CFLR_TRY(edge(x, x->type.at[CFLRI_CLASS_CHARACTERS], x->type.at[CFLRI_CLASS_TEXT], x->fits));
    for (size_t i = 0; i < x->casts.n; i++) {
        uint32_t to = (uint32_t)(x->casts.at[i] >> 32), from = (uint32_t)x->casts.at[i];
        CFLR_TRY(edge(x, x->type.at[to], x->type.at[from], x->fits));
    }
out:
    return st;
}

/* ---- objects ---- */

static cflr_status new_location(locations *x, uint32_t class, uint32_t offset, uint32_t *vertex) {
    char name[NAME_BYTES];
    cflr_vertex_info info = {
        .kind = CFLR_VERTEX_LOCATION, .name = name, .type = class_name(x, class)};
    char *end = name + snprintf(name, NAME_BYTES - CFLRI_DECIMAL_DIGITS - 1, "%.60s+", x->name);
    *cflri_put_decimal(end, offset) = '\0';
    return cflr_graph_builder_vertex(x->builder, &info, vertex, x->error);
}

static const uint32_t *find_offset(const locations *x, uint32_t offset) {
    if (x->offsets.n == 0) return NULL;
    return bsearch(&offset, x->offsets.at, x->offsets.n, sizeof *x->offsets.at, cflri_ids_compare);
}

/* To the parts of the record that begins at offset `start` of the shape. */
static cflr_status emit_members(locations *x, const cflri_shape *shape, uint32_t start,
                                uint32_t from, uint32_t class) {
    cflr_status st = CFLR_OK;
    const cflri_shape *inner = &x->shapes.shape[class];
    const cflri_part *part = x->shapes.parts.at + shape->first_part;
    uint32_t last = 0;
    size_t at = 0, place = 0; /* both lists are sorted: a part of the shape, and its location */
    for (size_t j = 0; j < inner->n_parts; j++) {
        uint32_t by = x->shapes.parts.at[inner->first_part + j].offset;
        const uint32_t *known = by ? find_offset(x, by) : NULL;
        if (!known || by == last) continue;
        last = by;
        for (; at < shape->n_parts && part[at].offset < start + by; at++)
            place += at + 1 < shape->n_parts && part[at + 1].offset != part[at].offset;
        if (at == shape->n_parts || part[at].offset != start + by) break; /* beyond all bounds */
        CFLR_TRY(edge(x, from, x->at.at[place], x->member.at[known - x->offsets.at]));
    }
out:
    return st;
}

/* It may be read as anything, and all that lies in it lies there. */
static cflr_status emit_whole(const locations *x, uint32_t location) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(edge(x, location, location, x->whole));
    st = edge(x, location, x->type.at[CFLRI_CLASS_ALL], x->is);
out:
    return st;
}

static cflr_status emit_class(const locations *x, uint32_t location, uint32_t class, bool raw) {
    cflr_status st = CFLR_OK;
    if (class == CFLRI_CLASS_ALL || (raw && class == CFLRI_CLASS_CHARACTERS))
        return emit_whole(x, location);
    if (class == CFLRI_CLASS_PACK) st = edge(x, location, location, x->whole);
    return st == CFLR_OK ? edge(x, location, x->type.at[class], x->is) : st;
}

static cflr_status emit_holds(locations *x, uint32_t location, const uint32_t *class, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        cflr_status st = edge(x, location, x->type.at[class[i]], x->holds);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static cflr_status emit_changes(const locations *x, uint32_t location) {
    return edge(x, location, x->type.at[CFLRI_CLASS_ANYTHING], x->changes);
}

static cflr_status emit_parts(locations *x, uint32_t address, uint32_t class, uint32_t *first) {
    cflr_status st = CFLR_OK;
    const cflri_shape shape = x->shapes.shape[class];
    uint32_t held[CFLRI_MOST_READINGS], n_held;
    size_t k = 0;
    x->at.n = 0;
    for (size_t i = 0; i < shape.n_parts; i++) {
        const cflri_part part = x->shapes.parts.at[shape.first_part + i];
        uint32_t made;
        if (i > 0 && part.offset == x->shapes.parts.at[shape.first_part + i - 1].offset) continue;
        CFLR_TRY(new_location(x, class, part.offset, &made));
        if (!cflri_vec_push(x->context, &x->at, made)) CFLR_TRY(no_memory(x));
        CFLR_TRY(edge(x, made, address, x->in));
        CFLR_TRY(emit_changes(x, made));
        if (shape.whole) continue;
        CFLR_TRY(cflri_cell_readings(&x->readings, class, part.offset, held, &n_held, x->error));
        CFLR_TRY(emit_holds(x, made, held, n_held));
    }
    for (size_t i = 0; i < shape.n_parts; i++) {
        const cflri_part part = x->shapes.parts.at[shape.first_part + i];
        k += i > 0 && part.offset != x->shapes.parts.at[shape.first_part + i - 1].offset;
        bool raw = part.class == CFLRI_CLASS_CHARACTERS &&
                   cflri_is_raw_cell(&x->readings, class, part.offset);
        CFLR_TRY(emit_class(x, x->at.at[k], part.class, raw));
        if (cflri_is_record_class(&x->classes, part.class))
            CFLR_TRY(emit_members(x, &shape, part.offset, x->at.at[k], part.class));
    }
    *first = x->at.at[0];
out:
    return st;
}

/* Emits the object that the vertex is the address of, as memory of that class. `type`: the type
 * that it is declared with, or 0. */
static cflr_status emit_object(locations *x, uint32_t address, uint32_t class, uint32_t type,
                               bool raw) {
    cflr_status st = CFLR_OK;
    uint32_t first, held[CFLRI_MOST_READINGS], n_held;
    if (cflri_is_record_class(&x->classes, class)) {
        CFLR_TRY(emit_parts(x, address, class, &first));
        if (x->shapes.shape[class].whole) CFLR_TRY(emit_whole(x, first));
    } else {
        CFLR_TRY(new_location(x, class, 0, &first));
        CFLR_TRY(edge(x, first, address, x->in));
        CFLR_TRY(emit_class(x, first, class, raw));
        if (class != CFLRI_CLASS_LITERAL && class != CFLRI_CLASS_FUNCTION)
            CFLR_TRY(emit_changes(x, first));
        CFLR_TRY(cflri_declared_readings(&x->readings, type, raw, held, &n_held, x->error));
        CFLR_TRY(emit_holds(x, first, held, n_held));
    }
    x->location[address] = first;
    st = edge(x, address, first, x->address);
out:
    return st;
}

/* May memory of that class be what is read as the other one? */
static bool is_read_as(const locations *x, uint32_t class, uint32_t other) {
    uint64_t cast = cflri_pair(other, class);
    if (class == other || are_pointers(x, class, other)) return true;
    if (x->casts.n && bsearch(&cast, x->casts.at, x->casts.n, sizeof cast, cflri_pairs_compare))
        return true;
    return cflri_is_record_class(&x->classes, class) && cflri_begins_with(&x->shapes, class, other);
}

static bool is_used_as(const locations *x, uint32_t class) {
    bool used = false;
    for (size_t i = 0; i < x->used.n && !used && x->read[class]; i++)
        used = is_read_as(x, class, x->used.at[i]);
    return used;
}

/* Memory without a type of its own, as each class that it is used as; or whole, where that cannot
 * be told. An object for each class that the program has would tell no more apart there, and takes
 * ten times the time: what comes to such memory by pointers without type comes to all of these
 * objects. */
static cflr_status emit_untyped(locations *x, uint32_t address) {
    cflr_status st = CFLR_OK;
    bool all;
    CFLR_TRY(cflri_uses_of(&x->uses, address, &x->used, &all, x->error));
    if (all) return emit_object(x, address, CFLRI_CLASS_ALL, 0, true);
    CFLR_TRY(emit_object(x, address, CFLRI_CLASS_TEXT, 0, true));
    for (uint32_t class = 0; class < x->type.n; class ++)
        if (is_used_as(x, class)) CFLR_TRY(emit_object(x, address, class, 0, true));
out:
    return st;
}

typedef cflr_status (*do_node)(locations *x, uint32_t i, cflri_node n);

static uint32_t vertex_of(const locations *x, uint32_t i, cflri_node n) {
    return cflri_contexts_vertex(x->contexts, i, n);
}

static cflr_status emit_records(const locations *x, uint32_t vertex, cflri_node n) {
    cflr_status st = CFLR_OK;
    const cflri_readings *r = &x->readings;
    for (size_t k = r->record_start[n]; k < r->record_start[n + 1]; k++) {
        x->read[r->record.at[k]] = true;
        CFLR_TRY(edge(x, vertex, x->type.at[r->record.at[k]], x->of));
    }
out:
    return st;
}

static cflr_status emit_readings(locations *x, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    const cflri_node_record *node = record(x, n);
    uint32_t vertex = vertex_of(x, i, n);
    if (node->how == CFLRI_DEREF || node->how == CFLRI_ROOT)
        CFLR_TRY(edge(x, vertex, x->type.at[CFLRI_CLASS_ANYTHING], x->writes));
    const cflri_readings *r = &x->readings;
    for (size_t k = r->start[n]; k < r->start[n + 1]; k++) {
        uint32_t class = r->class.at[k];
        CFLR_TRY(edge(x, vertex_of(x, i, n), x->type.at[class], x->reads));
        x->read[class] = x->read[class] || record(x, n)->how != CFLRI_FIELD;
    }
    if (leads_to_data(x, n)) CFLR_TRY(edge(x, vertex, x->type.at[CFLRI_CLASS_DATA], x->reads));
    CFLR_TRY(emit_records(x, vertex, n));
    if (node->how == CFLRI_SLOT) CFLR_TRY(edge(x, vertex, x->type.at[CFLRI_CLASS_FUNCTION], x->of));
    if (cflri_is_summary_step(x->facts, n) && record_of_step(x, n) == CFLRI_CLASS_ANYTHING)
        CFLR_TRY(edge(x, vertex_of(x, i, node->base), vertex, x->any));
out:
    return st;
}

/* An unknown function, or a value that is not followed. */
static bool is_beyond(const cflri_node_record *node) {
    bool unknown = node->kind == CFLR_VERTEX_UNKNOWN && !node->smeared && !node->far;
    return unknown || node->kind == CFLR_VERTEX_LOST;
}

/* Is the content a pointer to text, by its readings? */
static bool leads_to_text(const locations *x, cflri_node n) {
    const cflri_readings *r = &x->readings;
    return n != CFLRI_NO_NODE && r->start[n + 1] == r->start[n] + 1 &&
           r->class.at[r->start[n]] == CFLRI_CLASS_CHARACTERS;
}

/* Characters that are taken for something else, or a pointer to characters that may lead anywhere.
 * */
static bool is_raw_object(const locations *x, cflri_node address) {
    cflri_node object = record(x, address)->base;
    uint32_t class = x->classes.content[record(x, object)->type] - 1;
    return class == CFLRI_CLASS_CHARACTERS ? x->readings.raw_node[address]
                                           : !leads_to_text(x, object);
}

static cflr_status emit_slot_object(locations *x, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    cflri_node content = x->content[n];
    uint32_t class = CFLRI_CLASS_ALL, type = 0;
    bool varying = cflri_step_slot(record(x, n)->step) == CFLRI_SLOT_VARARGS;
    if (content != CFLRI_NO_NODE && !varying) type = record(x, content)->type;
    if (type) CFLR_TRY(cflri_class_of_content(&x->classes, type, &class, x->error));
    if (class == CFLRI_CLASS_ANYTHING) class = CFLRI_CLASS_ALL;
    if (varying && !x->open_packs) class = CFLRI_CLASS_PACK;
    st = emit_object(x, vertex_of(x, i, n), class, type, !leads_to_text(x, content));
out:
    return st;
}

static bool is_own_slot(const locations *x, cflri_node n) {
    return record(x, n)->how == CFLRI_SLOT && cflri_program_slot_owner(x->program, n) != 0;
}

/* As the source calls the object, or its function. */
static const char *name_of_object(const locations *x, cflri_node n) {
    const cflri_node_record *node = record(x, n);
    uint32_t owner = node->how == CFLRI_SLOT ? cflri_program_slot_owner(x->program, n) : 0;
    uint32_t name = node->name;
    if (node->how == CFLRI_ADDRESS) name = record(x, node->base)->name;
    if (owner) name = x->facts->functions.at[owner].name;
    return cflri_string(&x->facts->strings, name);
}

/* Code that is not known, and memory that it may have. */
static cflr_status emit_beyond(locations *x, uint32_t vertex) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(emit_object(x, vertex, CFLRI_CLASS_ALL, 0, true));
    st = edge(x, x->location[vertex], x->type.at[CFLRI_CLASS_FUNCTION], x->is);
out:
    return st;
}

static cflr_status emit_objects(locations *x, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    const cflri_node_record *node = record(x, n);
    uint32_t vertex = vertex_of(x, i, n), class;
    x->name = name_of_object(x, n);
    if (is_beyond(node)) return emit_beyond(x, vertex);
    if (is_own_slot(x, n)) return emit_slot_object(x, i, n);
    if (node->how != CFLRI_ADDRESS || !x->program->kept[node->base]) return CFLR_OK;
    CFLR_TRY(class_of_object(x, n, &class));
    st = class == CFLRI_CLASS_ANYTHING
             ? emit_untyped(x, vertex)
             : emit_object(x, vertex, class, record(x, node->base)->type, is_raw_object(x, n));
out:
    return st;
}

/* ---- slots ---- */

static cflr_status slot_edge(const locations *x, uint32_t slot, uint32_t type, uint32_t from,
                             uint32_t to) {
    uint32_t known = cflri_triples_find(x->slot, (cflri_triple){slot, type, 0});
    return known == CFLRI_NO_VALUE ? CFLR_OK : edge(x, from, to, known);
}

static cflr_status emit_slots(locations *x, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    if (!is_own_slot(x, n) || !x->contexts->instances.at[i].base) return CFLR_OK;
    if (!x->program->kept[record(x, n)->base]) return CFLR_OK;
    uint32_t from = x->location[vertex_of(x, i, record(x, n)->base)];
    uint32_t to = x->location[vertex_of(x, i, n)];
    uint32_t slot = cflri_step_slot(record(x, n)->step);
    uint32_t owner = cflri_program_slot_owner(x->program, n);
    if (from == NO_LOCATION || to == NO_LOCATION) return CFLR_OK;
    const cflri_entries by = cflri_entries_of(x->program, owner);
    CFLR_TRY(slot_edge(x, slot, CFLRI_NO_SIGNATURE, from, to));
    for (size_t k = 0; k < by.n; k++) CFLR_TRY(slot_edge(x, slot, by.signature[k], from, to));
out:
    return st;
}

/* Of a function of the outside there is only where it begins: what is known of its slots the
 * grammar says. */
static cflr_status emit_outside_value(const locations *x, uint32_t f) {
    const cflri_role *role = &x->program->role[f];
    uint32_t begins, foreign;
    if (!role->valued || role->body != CFLRI_BODY_UNKNOWN) return CFLR_OK;
    if (role->value == CFLRI_NO_NODE || !x->program->kept[role->value]) return CFLR_OK;
    begins = x->location[vertex_of(x, 0, role->value)];
    if (begins == NO_LOCATION) return CFLR_OK;
    cflr_status st = label(x, "foreign", NULL, &foreign);
    return st == CFLR_OK ? edge(x, begins, begins, foreign) : st;
}

/* The value of an unknown function has all its slots in the unknown node, as in emit.c. */
static cflr_status emit_unknown_value(const locations *x, uint32_t f) {
    cflr_status st = CFLR_OK;
    const cflri_role *role = &x->program->role[f];
    if (role->unknown == CFLRI_NO_NODE || !x->program->kept[role->unknown]) return CFLR_OK;
    if (!role->valued || role->value == CFLRI_NO_NODE) return CFLR_OK;
    uint32_t to = x->location[vertex_of(x, 0, role->unknown)];
    uint32_t from = x->location[vertex_of(x, 0, role->value)];
    for (size_t i = 0; from != NO_LOCATION && to != NO_LOCATION && i < x->slots.n; i++)
        if (cflri_enters(x->program, f, x->slot_type.at[i]))
            CFLR_TRY(edge(x, from, to, x->slots.at[i]));
out:
    return st;
}

static cflr_status add_slot(locations *x, uint32_t slot, uint32_t type) {
    cflr_status st = CFLR_OK;
    char index[CFLRI_SLOT_INDEX_BYTES];
    const cflri_triple key = {slot, type, 0};
    uint32_t made;
    if (cflri_triples_find(x->slot, key) != CFLRI_NO_VALUE) return CFLR_OK;
    cflri_slot_index(x->facts, slot, type, index);
    CFLR_TRY(label(x, "slot", index, &made));
    bool good = cflri_triples_add(x->slot, key, made) &&
                cflri_vec_push(x->context, &x->slots, made) &&
                cflri_vec_push(x->context, &x->slot_type, type);
    if (!good) st = no_memory(x);
out:
    return st;
}

/* ---- the whole ---- */

static cflr_status find_labels(locations *x, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    const cflri_node_record *node = record(x, n);
    bool named = cflri_is_told(x->facts, n) || cflri_is_summary_step(x->facts, n);
    if (named && !cflri_vec_push(x->context, &x->offsets, node->step)) return no_memory(x);
    if (node->how != CFLRI_SLOT) return CFLR_OK;
    uint32_t owner = cflri_program_slot_owner(x->program, n), slot = cflri_step_slot(node->step);
    (void)i;
    CFLR_TRY(add_slot(x, slot, CFLRI_NO_SIGNATURE));
    if (!owner)
        st = add_slot(x, slot, cflri_called_by(x->program, cflri_step_signature(node->step)));
out:
    return st;
}

static cflr_status make_member_labels(locations *x) {
    cflr_status st = CFLR_OK;
    char index[CFLRI_DECIMAL_DIGITS + 1];
    x->offsets.n = cflri_ids_sort_once(x->offsets.at, x->offsets.n);
    for (size_t i = 0; i < x->offsets.n; i++) {
        uint32_t number;
        *cflri_put_decimal(index, x->offsets.at[i]) = '\0';
        CFLR_TRY(label(x, "member", index, &number));
        if (!cflri_vec_push(x->context, &x->member, number)) CFLR_TRY(no_memory(x));
    }
out:
    return st;
}

static cflr_status each_node(locations *x, do_node what) {
    cflr_status st = CFLR_OK;
    const cflri_groups *nodes = &x->contexts->nodes;
    for (uint32_t i = 0; i < x->contexts->instances.n; i++) {
        uint32_t f = x->contexts->instances.at[i].function;
        for (uint32_t j = nodes->start[f]; j < nodes->start[f + 1]; j++)
            CFLR_TRY(what(x, i, nodes->item[j]));
        if (i % 1024 == 0) st = cflri_interrupted(x->context);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(x->context, st, x->error));
    }
out:
    return st;
}

/* All texts that are types get their class, so that the classes are known when the shapes are made.
 * */
static cflr_status find_classes(locations *x) {
    cflr_status st = CFLR_OK;
    uint32_t class;
    for (cflri_node n = 0; n < x->facts->nodes.n; n++) {
        const cflri_node_record *node = record(x, n);
        CFLR_TRY(cflri_class_of_content(&x->classes, node->type, &class, x->error));
        CFLR_TRY(cflri_class_of_value(&x->classes, node->type, &class, x->error));
    }
    for (size_t i = 0; i < x->facts->members.n; i++) {
        const cflri_facts_member *member = &x->facts->members.at[i];
        CFLR_TRY(cflri_class_of_content(&x->classes, member->record, &class, x->error));
        CFLR_TRY(cflri_class_of_content(&x->classes, member->type, &class, x->error));
        CFLR_TRY(cflri_class_of_value(&x->classes, member->type, &class, x->error));
    }
out:
    return st;
}

static cflr_status prepare(locations *x) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_classes_init(&x->classes, x->context, &x->facts->strings, x->error));
    CFLR_TRY(find_classes(x));
    CFLR_TRY(cflri_readings_begin(&x->readings, x->program, &x->classes, x->error));
    CFLR_TRY(cflri_shapes_init(&x->shapes, &x->classes, x->facts, x->error));
    CFLR_TRY(cflri_readings_make(&x->readings, &x->shapes, x->error));
    CFLR_TRY(cflri_uses_make(&x->uses, x->contexts, &x->readings, x->error));
    x->turned = cflri_alloc_array_zero(x->context, x->facts->nodes.n, sizeof *x->turned);
    if (!x->turned) return no_memory(x);
    x->open_packs = find_open_packs(x);
    CFLR_TRY(find_casts(x));
    CFLR_TRY(add_summary_members(x));
    CFLR_TRY(find_parts(x));
    CFLR_TRY(label(x, "reads", NULL, &x->reads));
    CFLR_TRY(label(x, "is", NULL, &x->is));
    CFLR_TRY(label(x, "fits", NULL, &x->fits));
    CFLR_TRY(label(x, "of", NULL, &x->of));
    CFLR_TRY(label(x, "address", NULL, &x->address));
    CFLR_TRY(label(x, "in", NULL, &x->in));
    CFLR_TRY(label(x, "whole", NULL, &x->whole));
    CFLR_TRY(label(x, "any", NULL, &x->any));
    CFLR_TRY(label(x, "holds", NULL, &x->holds));
    CFLR_TRY(label(x, "writes", NULL, &x->writes));
    CFLR_TRY(label(x, "changes", NULL, &x->changes));
    x->n_vertices = (uint32_t)x->contexts->n_vertices;
    x->location = cflri_alloc_array(x->context, x->n_vertices, sizeof *x->location);
    x->read = cflri_alloc_array_zero(x->context, cflri_classes_count(&x->classes), sizeof *x->read);
    x->content = cflri_alloc_array(x->context, x->facts->nodes.n, sizeof *x->content);
    x->slot = cflri_triples_new(x->context);
    if (!x->location || !x->read || !x->content || !x->slot) return no_memory(x);
    memset(x->content, 0xff, x->facts->nodes.n * sizeof *x->content);
    for (cflri_node n = 0; n < x->facts->nodes.n; n++)
        if (record(x, n)->how == CFLRI_DEREF) x->content[record(x, n)->base] = n;
    memset(x->location, 0xff, x->n_vertices * sizeof *x->location);
    x->read[CFLRI_CLASS_POINTER] = x->read[CFLRI_CLASS_NUMBER] = true;
    CFLR_TRY(each_node(x, find_labels));
    CFLR_TRY(make_member_labels(x));
    st = emit_types(x);
out:
    return st;
}

static void free_locations(locations *x) {
    cflri_uses_free(&x->uses);
    cflri_vec_free(x->context, &x->used);
    cflri_readings_free(&x->readings);
    cflri_shapes_free(&x->shapes);
    cflri_classes_free(&x->classes);
    cflri_vec_free(x->context, &x->casts);
    cflri_vec_free(x->context, &x->offsets);
    cflri_vec_free(x->context, &x->member);
    cflri_triples_free(x->slot);
    cflri_vec_free(x->context, &x->slots);
    cflri_vec_free(x->context, &x->slot_type);
    cflri_vec_free(x->context, &x->type);
    cflri_vec_free(x->context, &x->at);
    cflri_free(x->context, x->read);
    cflri_free(x->context, x->location);
    cflri_free(x->context, x->content);
    cflri_free(x->context, x->turned);
}

cflr_status cflri_emit_locations(const cflri_contexts *contexts, cflr_graph_builder *builder,
                                 cflr_error *error) {
    cflr_status st = CFLR_OK;
    locations x = {.contexts = contexts,
                   .program = contexts->program,
                   .facts = &contexts->program->facts,
                   .context = contexts->program->context,
                   .builder = builder,
                   .error = error};
    CFLR_TRY(prepare(&x));
    CFLR_TRY(each_node(&x, emit_readings));
    x.read[CFLRI_CLASS_FUNCTION] = x.read[CFLRI_CLASS_CHARACTERS] = false; /* TEXT is there */
    CFLR_TRY(each_node(&x, emit_objects));
    CFLR_TRY(each_node(&x, emit_slots));
    for (uint32_t f = 1; f < x.facts->functions.n; f++) {
        st = x.program->open ? emit_outside_value(&x, f) : emit_unknown_value(&x, f);
        if (st != CFLR_OK) goto out;
    }
out:
    free_locations(&x);
    return st;
}
