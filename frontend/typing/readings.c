/* SPDX-License-Identifier: Apache-2.0
 *
 * readings.c: the classes that values lead to.
 *
 * A variable has the type that it is declared with. The content of memory has that of the place
 * that it is read from, not of the expression that reads it, since several may mean one node:
 *
 *     struct t *x                        struct t
 *     p->next, struct s *p               what struct s has at the offset of next
 *     p->u.t, p->u.s                     both, of a union of two pointers; anything, if there is a
 *                                        number in it that is large enough for a pointer
 *     *p, struct s **p                   struct s, whatever the expression is
 *     *v, v->m with void *v              anything
 *
 * A pointer to characters leads to text, unless it may lead elsewhere (text.h). Recursion ends
 * after MOST_INNER records that begin with records. Linear in the nodes.
 */
#include "frontend/typing/readings.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"
#include "base/ids.h"
#include "frontend/facts/told.h"
#include "frontend/typing/text.h"

/* The last: records in records that one question looks into. */
enum { MOST_CLASSES = CFLRI_MOST_READINGS, MOST_INNER = 256 };

typedef struct set {
    uint32_t class[MOST_CLASSES];
    uint32_t n;
    uint32_t inner;
    bool anything;
    bool raw; /* a pointer to characters among them may lead anywhere */
} set;

typedef struct reader {
    const cflri_readings *readings;
    const cflri_facts *facts;
    cflri_classes *classes;
    const cflri_shapes *shapes;
    cflr_error *error;
} reader;

static const cflri_node_record *record(const reader *r, cflri_node n) {
    return &r->facts->nodes.at[n];
}

static void add(set *s, uint32_t class) {
    bool new = true;
    for (uint32_t i = 0; i < s->n; i++) new = new && s->class[i] != class;
    if (class == CFLRI_CLASS_ANYTHING || s->n == MOST_CLASSES)
        s->anything = true;
    else if (new)
        s->class[s->n++] = class;
}

static bool is_raw(const cflri_readings *x, uint32_t class, uint32_t offset) {
    uint64_t key = cflri_pair(class, offset);
    return x->raw.n && bsearch(&key, x->raw.at, x->raw.n, sizeof key, cflri_pairs_compare) != NULL;
}

/* The pointers that lie at that offset of the record; of a record in it, at its start. */
static cflr_status add_cell(const reader *r, uint32_t class, uint32_t offset, set *s) {
    cflr_status st = CFLR_OK;
    size_t i, end;
    cflri_shapes_at(r->shapes, class, offset, &i, &end);
    if (i == end || ++s->inner > MOST_INNER) s->anything = true;
    bool others = end > i + 1;
    for (; i < end && !s->anything; i++) {
        if (others && cflri_is_pointerless(r->classes, r->shapes->members.at[i].type)) continue;
        uint32_t type = r->shapes->members.at[i].type, content, value = CFLRI_CLASS_ANYTHING;
        CFLR_TRY(cflri_class_of_content(r->classes, type, &content, r->error));
        if (cflri_is_record_class(r->classes, content)) {
            CFLR_TRY(add_cell(r, content, 0, s));
            continue;
        }
        if (cflri_is_pointer_class(r->classes, content))
            CFLR_TRY(cflri_class_of_value(r->classes, type, &value, r->error));
        add(s, value);
        s->raw |= value == CFLRI_CLASS_CHARACTERS && is_raw(r->readings, class, offset);
    }
out:
    return st;
}

static cflr_status add_declared(const reader *r, uint32_t type, set *s) {
    cflr_status st = CFLR_OK;
    uint32_t content, value;
    CFLR_TRY(cflri_class_of_content(r->classes, type, &content, r->error));
    if (cflri_is_record_class(r->classes, content)) return add_cell(r, content, 0, s);
    CFLR_TRY(cflri_class_of_value(r->classes, type, &value, r->error));
    add(s, value);
out:
    return st;
}

static bool is_hidden(const cflri_node_record *node) {
    return node->smeared || node->moved || node->kind == CFLR_VERTEX_UNKNOWN ||
           node->kind == CFLR_VERTEX_LOST || node->kind == CFLR_VERTEX_OUTSIDE ||
           node->kind == CFLR_VERTEX_ALLOCATION || node->kind == CFLR_VERTEX_FUNCTION ||
           node->kind == CFLR_VERTEX_STRING;
}

/* Adds what the pointer leads to. Its own classes are known. */
static cflr_status add_pointed(const reader *r, cflri_node n, set *s) {
    const cflri_readings *readings = r->readings;
    cflri_node base = record(r, n)->base;
    size_t first = readings->start[base], end = readings->start[base + 1];
    if (first == end) s->anything = true;
    for (size_t i = first; i < end && !s->anything; i++) {
        uint32_t class = readings->class.at[i];
        cflr_status st = CFLR_OK;
        if (cflri_is_record_class(r->classes, class))
            st = add_cell(r, class, 0, s);
        else
            add(s, cflri_class_pointed_to(r->classes, class));
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* Adds the cells of the records that units say the address, or content, is a member of. */
static cflr_status add_cells(const reader *r, cflri_node n, set *s) {
    cflr_status st = CFLR_OK;
    const cflri_readings *x = r->readings;
    s->anything = x->record_start[n] == x->record_start[n + 1];
    for (size_t i = x->record_start[n]; i < x->record_start[n + 1] && !s->anything; i++)
        CFLR_TRY(add_cell(r, x->record.at[i], record(r, n)->step, s));
out:
    return st;
}

static cflr_status add_content(const reader *r, cflri_node n, set *s) {
    const cflri_node_record *node = record(r, n), *base = record(r, node->base);
    if (r->readings->record_start[n] < r->readings->record_start[n + 1]) return add_cells(r, n, s);
    switch (base->how) {
        case CFLRI_FIELD:
            return add_cells(r, node->base, s);
        case CFLRI_SLOT:
            s->anything = cflri_program_slot_owner(r->readings->program, node->base) == 0;
            return s->anything ? CFLR_OK : add_declared(r, node->type, s);
        case CFLRI_ROOT:
        case CFLRI_DEREF:
            return add_pointed(r, n, s);
        case CFLRI_ADDRESS:
            s->anything = true;
            break;
    }
    return CFLR_OK;
}

static cflr_status add_member_of(const reader *r, uint32_t of, uint32_t offset, set *s) {
    cflr_status st = CFLR_OK;
    size_t i, end;
    cflri_shapes_at(r->shapes, of, offset, &i, &end);
    if (i == end) s->anything = true;
    for (; i < end && !s->anything; i++) {
        uint32_t class;
        CFLR_TRY(
            cflri_class_of_content(r->classes, r->shapes->members.at[i].type, &class, r->error));
        add(s, class);
    }
out:
    return st;
}

/* An address of a member leads to what the record has there. */
static cflr_status add_member(const reader *r, cflri_node n, set *s) {
    cflr_status st = CFLR_OK;
    const cflri_readings *x = r->readings;
    s->anything = x->record_start[n] == x->record_start[n + 1];
    for (size_t i = x->record_start[n]; i < x->record_start[n + 1] && !s->anything; i++)
        CFLR_TRY(add_member_of(r, x->record.at[i], record(r, n)->step, s));
out:
    return st;
}

static cflr_status read_node(const reader *r, cflri_node n, set *s) {
    const cflri_node_record *node = record(r, n);
    if (node->how == CFLRI_FIELD) return add_member(r, n, s);
    s->anything = is_hidden(node) || node->how == CFLRI_ADDRESS || node->how == CFLRI_SLOT ||
                  node->carrier == CFLRI_CARRIES_INTEGER || node->carrier == CFLRI_CARRIES_NUMBER;
    if (s->anything) return CFLR_OK;
    return node->how == CFLRI_ROOT ? add_declared(r, node->type, s) : add_content(r, n, s);
}

/* Pointers to characters that may lead elsewhere, and those that are pointers to something else,
 * too, lead anywhere. */
static void drop_raw(cflri_readings *x, const bool *raw, size_t n_nodes) {
    size_t kept = 0, begin = 0;
    for (cflri_node n = 0; n < n_nodes; n++) {
        size_t end = x->start[n + 1];
        bool anything = raw[n];
        for (size_t i = begin; i < end; i++)
            anything |= x->class.at[i] == CFLRI_CLASS_CHARACTERS && end - begin > 1;
        for (size_t i = begin; i < end && !anything; i++) x->class.at[kept++] = x->class.at[i];
        begin = end;
        x->start[n + 1] = kept;
    }
    x->class.n = kept;
}

static cflr_status find_text(cflri_readings *x, cflr_error *error) {
    cflr_context *context = x->program->context;
    size_t n = x->program->facts.nodes.n;
    bool *raw = x->raw_node = cflri_alloc_array_zero(context, n, sizeof *raw);
    if (!raw) return cflri_fail_memory(context, error);
    cflr_status st = cflri_find_raw(x, raw, &x->raw, error);
    if (x->raw.n) qsort(x->raw.at, x->raw.n, sizeof *x->raw.at, cflri_pairs_compare);
    if (st == CFLR_OK) drop_raw(x, raw, n);
    return st;
}

/* The names of the records are types of the program. */
static cflr_status list_records(cflri_readings *x, cflri_node n, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_strings *strings = &x->program->facts.strings;
    const char *next = cflri_string(strings, x->program->facts.nodes.at[n].key), *name;
    size_t length;
    if (!x->program->kept[n] || !cflri_has_record(&x->program->facts, n)) return CFLR_OK;
    while ((name = cflri_told_next(&next, &length)) != NULL) {
        uint32_t text = cflri_strings_find(strings, name, length), class;
        if (text == CFLRI_NO_STRING) continue;
        CFLR_TRY(cflri_class_of_content(x->classes, text, &class, error));
        if (!cflri_vec_push(x->program->context, &x->record, class))
            return cflri_fail_memory(x->program->context, error);
    }
out:
    return st;
}

cflr_status cflri_readings_begin(cflri_readings *x, const cflri_program *program,
                                 cflri_classes *classes, cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t n_nodes = program->facts.nodes.n;
    *x = (cflri_readings){.program = program, .classes = classes};
    x->record_start = cflri_alloc_array(x->program->context, n_nodes + 1, sizeof *x->record_start);
    if (!x->record_start) return cflri_fail_memory(x->program->context, error);
    for (cflri_node n = 0; n < n_nodes; n++) {
        x->record_start[n] = x->record.n;
        CFLR_TRY(list_records(x, n, error));
    }
    x->record_start[n_nodes] = x->record.n;
out:
    return st;
}

cflr_status cflri_readings_make(cflri_readings *x, const cflri_shapes *shapes, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_program *program = x->program;
    const cflri_facts *facts = &program->facts;
    x->shapes = shapes;
    const reader r = {x, facts, x->classes, shapes, error};
    x->start = cflri_alloc_array(program->context, facts->nodes.n + 1, sizeof *x->start);
    if (!x->start) return cflri_fail_memory(program->context, error);
    x->start[0] = 0;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        set s = {.n = 0};
        if (program->kept[n]) CFLR_TRY(read_node(&r, n, &s));
        for (uint32_t i = 0; i < s.n && !s.anything; i++)
            if (!cflri_vec_push(program->context, &x->class, s.class[i]))
                CFLR_TRY(cflri_fail_memory(program->context, error));
        x->start[n + 1] = x->class.n;
    }
    st = find_text(x, error);
out:
    return st;
}

void cflri_readings_free(cflri_readings *x) {
    if (!x->program) return;
    cflri_free(x->program->context, x->start);
    cflri_free(x->program->context, x->record_start);
    cflri_vec_free(x->program->context, &x->record);
    cflri_free(x->program->context, x->raw_node);
    cflri_vec_free(x->program->context, &x->class);
    cflri_vec_free(x->program->context, &x->raw);
}

static void tell(const set *s, uint32_t found[CFLRI_MOST_READINGS], uint32_t *n) {
    bool anything = s->anything;
    for (uint32_t i = 0; i < s->n; i++)
        anything |= s->class[i] == CFLRI_CLASS_CHARACTERS && (s->raw || s->n > 1);
    *n = anything ? 0 : s->n;
    memcpy(found, s->class, sizeof s->class);
}

static reader reader_of(const cflri_readings *x, cflr_error *error) {
    return (reader){.readings = x,
                    .facts = &x->program->facts,
                    .classes = x->classes,
                    .shapes = x->shapes,
                    .error = error};
}

cflr_status cflri_cell_readings(const cflri_readings *x, uint32_t class, uint32_t offset,
                                uint32_t found[CFLRI_MOST_READINGS], uint32_t *n,
                                cflr_error *error) {
    const reader r = reader_of(x, error);
    set s = {.n = 0};
    cflr_status st = add_cell(&r, class, offset, &s);
    tell(&s, found, n);
    return st;
}

cflr_status cflri_declared_readings(const cflri_readings *x, uint32_t type, bool raw,
                                    uint32_t found[CFLRI_MOST_READINGS], uint32_t *n,
                                    cflr_error *error) {
    const reader r = reader_of(x, error);
    set s = {.raw = raw};
    cflr_status st = add_declared(&r, type, &s);
    tell(&s, found, n);
    return st;
}

static bool is_raw_cell(const cflri_readings *x, uint32_t class, uint32_t offset, uint32_t *inner) {
    size_t i, end;
    bool raw = is_raw(x, class, offset);
    cflri_shapes_at(x->shapes, class, offset, &i, &end);
    if (++*inner > MOST_INNER) return true;
    for (; i < end && !raw; i++) {
        uint32_t member = x->classes->content[x->shapes->members.at[i].type] - 1;
        raw = cflri_is_record_class(x->classes, member) && is_raw_cell(x, member, 0, inner);
    }
    return raw;
}

bool cflri_is_raw_cell(const cflri_readings *x, uint32_t class, uint32_t offset) {
    uint32_t inner = 0;
    return is_raw_cell(x, class, offset, &inner);
}

bool cflri_is_open_content(const cflri_program *program, cflri_node node) {
    const cflri_node_record *content = &program->facts.nodes.at[node];
    if (content->how != CFLRI_DEREF) return false;
    uint32_t owner = cflri_program_slot_owner(program, content->base);
    return owner == 0 || program->role[owner].valued;
}

static bool begins_with(const cflri_shapes *shapes, uint32_t record, uint32_t other,
                        uint32_t *inner) {
    size_t i, end;
    bool found = record == other;
    cflri_shapes_at(shapes, record, 0, &i, &end);
    if (++*inner > MOST_INNER) return false;
    for (; i < end && !found; i++) {
        uint32_t class = shapes->classes->content[shapes->members.at[i].type] - 1;
        found = class == other || (cflri_is_record_class(shapes->classes, class) &&
                                   begins_with(shapes, class, other, inner));
    }
    return found;
}

bool cflri_begins_with(const cflri_shapes *shapes, uint32_t record, uint32_t other) {
    uint32_t inner = 0;
    return begins_with(shapes, record, other, &inner);
}
