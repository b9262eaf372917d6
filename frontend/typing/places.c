/* SPDX-License-Identifier: Apache-2.0
 *
 * places.c: which nodes are one place, by the type of the record.
 *
 * What is stored through one pointer is read through another one, and which pointers are one is not
 * known before the closure. So where a mark has to follow memory (untyped.c), a member is one in
 * all records of its type:
 *
 *     struct ring { char *bytes; unsigned char store[64]; };
 *
 *     r->bytes        the content at 0 of any struct ring
 *     q->store        the array at 8
 *     *p              of a char **, and all variables of that type whose address is taken
 *
 * Contents are asked for where they may be pointers to characters or void: others tell what they
 * point to.
 *
 * A node of a record in another one is taken from the inner one, where its type is known. Linear.
 */
#include "frontend/typing/places.h"

#include <stdio.h>
#include <string.h>

#include "frontend/facts/facts_table.h"

enum { AN_ARRAY = 0, A_CONTENT = 1 };

typedef struct maker {
    cflri_facts *facts;
    const cflri_flows *flows; /* forward */
    cflri_triples *known;     /* (what, type, offset) -> a node there */
    /* By string, twice: type_of as it is, and of a pointer to it, plus 1; 0: not asked for. */
    uint32_t *made;
} maker;

static const cflri_node_record *record(const maker *m, cflri_node n) {
    return &m->facts->nodes.at[n];
}

static const char *text(const maker *m, uint32_t string) {
    return cflri_string(&m->facts->strings, string);
}

const char *cflri_unqualified(const char *type) {
    static const char *const words[] = {"const ", "volatile "};
    for (size_t i = 0; i < sizeof words / sizeof *words;) {
        size_t length = strlen(words[i]);
        bool there = strncmp(type, words[i], length) == 0;
        type += there ? length : 0;
        i = there ? 0 : i + 1;
    }
    return type;
}

/* Is this the type of a pointer to bytes, or not known? */
static bool may_point_to_bytes(const char *type) {
    static const char *const types[] = {"char *", "void *", "unsigned char *", "signed char *"};
    bool is = type[0] == '\0';
    type = cflri_unqualified(type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i]); /* qualifiers may follow */
        is |= strncmp(type, types[i], length) == 0 && !strchr(type + length, '*');
    }
    return is;
}

/* The type without qualifiers in front, or that of a pointer to it, as a string of the facts; 0:
 * not known, too long. */
static uint32_t make_type(const maker *m, uint32_t type, bool pointer) {
    enum { TYPE_BYTES = 256 };
    char buffer[TYPE_BYTES];
    const char *plain = cflri_unqualified(text(m, type));
    size_t length = strlen(plain);
    const char *star = length > 0 && plain[length - 1] == '*' ? "*" : " *";
    int n = snprintf(buffer, sizeof buffer, "%s%s", plain, pointer ? star : "");
    return type != 0 && n < TYPE_BYTES ? cflri_facts_string(m->facts, buffer) : 0;
}

/* The same; programs have few types. */
static uint32_t type_of(const maker *m, uint32_t type, bool pointer) {
    uint32_t *made = &m->made[2 * (size_t)type + pointer];
    if (*made == 0) *made = make_type(m, type, pointer) + 1;
    return *made - 1;
}

static uint32_t pointer_type(const maker *m, cflri_node pointer) {
    const cflri_node_record *node = record(m, pointer);
    if (node->how == CFLRI_ADDRESS) return type_of(m, record(m, node->base)->type, true);
    return type_of(m, node->type, node->how == CFLRI_FIELD);
}

/* Where a pointer to a member leads: its type becomes that of the record, 0 where that is not
 * known. */
static cflri_triple place_at(const maker *m, cflri_node pointer, uint32_t what) {
    cflri_triple place = {what, 0, 0};
    while (record(m, pointer)->how == CFLRI_FIELD) {
        place.c += record(m, pointer)->step;
        pointer = record(m, pointer)->base;
        if (record(m, pointer)->how == CFLRI_FIELD && record(m, pointer)->type) break;
    }
    place.b = pointer_type(m, pointer);
    return place;
}

/* A variable or parameter that others may hold the address of. */
static bool is_taken(const maker *m, cflri_node n) {
    const cflri_node_record *node = record(m, n);
    const uint32_t *row = m->flows->start;
    if (node->kind == CFLR_VERTEX_VARIABLE)
        return cflri_facts_derived(m->facts, CFLRI_ADDRESS, n, 0) != CFLRI_NO_NODE;
    bool slot = node->kind == CFLR_VERTEX_PARAMETER && node->how == CFLRI_DEREF;
    return slot && row[node->base] < row[node->base + 1];
}

/* The content of a variable is that of its first member, too. The target of a pointer to bytes is
 * no place. */
static cflri_triple place_of(const maker *m, cflri_node n) {
    const cflri_node_record *node = record(m, n);
    const cflri_triple none = {0, 0, 0};
    if (node->how == CFLRI_FIELD) return place_at(m, n, AN_ARRAY);
    if (is_taken(m, n)) return (cflri_triple){A_CONTENT, type_of(m, node->type, true), 0};
    if (node->kind != CFLR_VERTEX_DEREFERENCE || !may_point_to_bytes(text(m, node->type)))
        return none;
    const cflri_triple place = place_at(m, node->base, A_CONTENT);
    return may_point_to_bytes(text(m, place.b)) ? none : place;
}

/* Puts a node into the ring of its place. */
static bool join(maker *m, cflri_node *next, cflri_node n) {
    const cflri_triple place = place_of(m, n);
    next[n] = n;
    if (place.b == 0) return true;
    cflri_node other = cflri_triples_find(m->known, place);
    if (other == CFLRI_NO_VALUE) return cflri_triples_add(m->known, place, n);
    next[n] = next[other];
    next[other] = n;
    return true;
}

cflri_node *cflri_places_make(cflri_program *program, const cflri_flows *flows) {
    cflr_context *context = program->context;
    size_t n = program->facts.nodes.n;
    maker m = {&program->facts, flows, cflri_triples_new(context), NULL};
    m.made = cflri_alloc_array_zero(context, program->facts.strings.text.n, 2 * sizeof *m.made);
    cflri_node *next = cflri_alloc_array(context, n, sizeof *next);
    bool good = m.known && m.made && next;
    for (cflri_node i = 0; good && i < n; i++) good = join(&m, next, i);
    cflri_triples_free(m.known);
    cflri_free(context, m.made);
    if (good && program->facts.status == CFLR_OK) return next;
    cflri_free(context, next);
    return NULL;
}
