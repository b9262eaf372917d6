/* SPDX-License-Identifier: Apache-2.0
 *
 * assign.c: one value flows into one place.
 *
 *     scalar           every node of the value to every content node of the place
 *     record, array    the value is an address: what it points to is copied leaf by leaf
 *
 *     a = b;    struct { char *s; struct { int *p, *q; } in; }      b.s     -> a.s
 *                                                                   b.in.p  -> a.in.p
 *                                                                   b.in.q  -> a.in.q
 *
 * A node stands for all places that its pointer leads to. Where that may be several at one time, a
 * value that flows from one of them into another one is carried by a temporary:
 *
 *     *a[0] = *a[1]         *a[] -a-> [carried] -a-> *a[]
 *
 * A place that changes, as in p->next++ and p->next = p->next + n, is one (in_place).
 *
 * Numbers that cannot hold a pointer flow as data; there are such places with data flow only.
 *
 * A type that is too large to be split makes the two addresses flow into each other instead: then
 * all that is read through one is found through the other, which is sound and coarser.
 */
#include "frontend/walk/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const cflri_tag cflri_plain_flow = {.call = CFLRI_NO_CALL, .flow = CFLRI_FLOW_ASSIGN};

/* Where the expression or statement is that says so. */
static uint32_t stated_at(cflri_walk *w) {
    if (!w->facts->keeps_places) return 0;
    const cflri_place place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, w->stated));
    return cflri_facts_place(w->facts, &place);
}

static void state(cflri_walk *w, const cflri_tag *tag, cflri_node from, cflri_node to) {
    cflri_assign assign = {.from = from,
                           .to = to,
                           .call = tag->call,
                           .flow = tag->flow,
                           .data = tag->data,
                           .summary = tag->summary,
                           .letters = tag->letters,
                           .place = stated_at(w)};
    if (tag->data && cflri_is_null(w, from)) return; /* a pointer as a number */
    if (tag->flow == CFLRI_FLOW_ASSIGN && cflri_is_null(w, from)) assign.flow = CFLRI_FLOW_NULL;
    cflri_facts_flow(w->facts, &assign);
}

/* Content of what several pointers lead to at one time: those in an array, or in memory. The offset
 * is that of the member. */
static bool is_of_many(const cflri_walk *w, cflri_node content, uint32_t *offset) {
    const cflri_node_record *nodes = w->facts->nodes.at;
    if (nodes[content].how != CFLRI_DEREF) return false;
    cflri_node pointer = nodes[content].base;
    for (*offset = 0; nodes[pointer].how == CFLRI_FIELD; pointer = nodes[pointer].base)
        *offset += nodes[pointer].step;
    const char *type = cflri_string(&w->facts->strings, nodes[pointer].type);
    return nodes[pointer].kind == CFLR_VERTEX_DEREFERENCE || strchr(type, '[') != NULL ||
           w->facts->chosen.fields != CFLR_FIELDS_SENSITIVE;
}

static void flow(cflri_walk *w, const cflri_tag *tag, cflri_node from, cflri_node to) {
    char what[32];
    uint32_t offset;
    bool between =
        from == to && from != CFLRI_NO_NODE && !tag->in_place && is_of_many(w, from, &offset);
    if (!between) {
        state(w, tag, from, to);
        return;
    }
    snprintf(what, sizeof what, "!between%" PRIu32, offset);
    cflri_node carried = cflri_temporary(w, w->stated, what, w->facts->nodes.at[from].carrier);
    state(w, tag, from, carried);
    state(w, tag, carried, to);
}

void cflri_flow_value(cflri_walk *w, const cflri_tag *tag, const cflri_value *from, cflri_node to) {
    if (to == CFLRI_NO_NODE) return;
    for (uint32_t i = 0; i < from->n; i++) flow(w, tag, from->at[i], to);
}

cflri_tag cflri_data_flow(const cflri_tag *tag) {
    cflri_tag data = *tag;
    data.data = true;
    return data;
}

/* The content of a member that no expression has named is of the member's type: of a record or an
 * array, if the member begins with what is copied. */
static void describe_copied(cflri_walk *w, uint32_t field, cflri_node content) {
    if (w->facts->nodes.at[content].type) return;
    uint32_t type = cflri_type_text(&w->names, w->types.fields.at[field].type);
    cflri_facts_describe(w->facts, content, 0, type, NULL);
}

static cflri_node follow(cflri_walk *w, cflri_node pointer, const cflri_leaf *leaf) {
    for (uint32_t i = 0; i < leaf->n_steps; i++) {
        uint32_t at = leaf->first_step + i;
        cflri_node field = cflri_facts_field(w->facts, pointer, w->types.steps.at[at]);
        cflri_describe_field(w, pointer, w->types.step_fields.at[at], field);
        cflri_tell_member(w, w->types.step_fields.at[at], field);
        pointer = field;
    }
    cflri_node content = cflri_facts_deref(w->facts, pointer, leaf->carrier);
    if (leaf->n_steps > 0 && content != CFLRI_NO_NODE)
        describe_copied(w, w->types.step_fields.at[leaf->first_step + leaf->n_steps - 1], content);
    return content;
}

static void copy_leaves(cflri_walk *w, const cflri_tag *tag, cflri_node from, cflri_node to,
                        const cflri_leaves *leaves) {
    const cflri_tag data = cflri_data_flow(tag);
    for (uint32_t i = 0; i < leaves->n; i++) {
        const cflri_leaf leaf = w->types.leaves.at[leaves->first + i];
        bool number = leaf.carrier == CFLRI_CARRIES_NUMBER;
        flow(w, number ? &data : tag, follow(w, from, &leaf), follow(w, to, &leaf));
    }
}

static void alias(cflri_walk *w, const cflri_tag *tag, cflri_node from, cflri_node to) {
    cflri_tag back = *tag; /* what goes in as an argument comes back as a result does */
    if (tag->flow == CFLRI_FLOW_ARGUMENT) back.flow = CFLRI_FLOW_RESULT;
    if (tag->flow == CFLRI_FLOW_RESULT) back.flow = CFLRI_FLOW_ARGUMENT;
    flow(w, tag, from, to);
    flow(w, &back, to, from);
}

/* The bytes of a record besides its leaves (characters, or all of a record that holds no pointer)
 * may be pieces of anything. */
static void copy_bytes(cflri_walk *w, const cflri_value *from, const cflri_value *to, CXType type) {
    bool record = type.kind == CXType_Record;
    uint32_t number = record ? cflri_type_record(&w->types, type) : CFLRI_NO_NUMBER;
    if (number == CFLRI_NO_NUMBER) return;
    if (cflri_clang_Type_getSizeOf(type) < w->types.pointer_size) return;
    if (!cflri_type_may_point(&w->types, type)) {
        cflri_bytes_copied(w, from, to);
        return;
    }
    const cflri_record r = w->types.records.at[number];
    for (uint32_t i = 0; i < r.n_fields; i++) {
        const cflri_field field = w->types.fields.at[r.first_field + i];
        bool bytes = field.class == CFLRI_TYPE_ARRAY &&
                     cflri_clang_Type_getSizeOf(cflri_type_element(field.type)) == 1 &&
                     cflri_clang_Type_getSizeOf(field.type) >= w->types.pointer_size;
        if (!bytes) continue;
        const cflri_value out = cflri_field_of(w, from, (int32_t)field.offset);
        const cflri_value in = cflri_field_of(w, to, (int32_t)field.offset);
        cflri_bytes_copied(w, &out, &in);
    }
}

static void note_large(cflri_walk *w, CXType type) {
    CXCursor declaration = cflri_clang_getTypeDeclaration(cflri_type_element(type));
    cflri_place place = cflri_place_of(&w->names, declaration);
    cflri_facts_note_at(w->facts, CFLR_NOTE_ASSUMED, &place,
                        "record too large to copy by members: copies are taken as the same object");
}

void cflri_copy_content(cflri_walk *w, const cflri_tag *tag, const cflri_value *from,
                        const cflri_value *to, CXType type) {
    cflri_leaves leaves = cflri_type_leaves(&w->types, type);
    if (leaves.too_many) note_large(w, type);
    if (!leaves.too_many && tag->call == CFLRI_NO_CALL) copy_bytes(w, from, to, type);
    for (uint32_t i = 0; i < from->n; i++) {
        for (uint32_t j = 0; j < to->n; j++) {
            if (cflri_is_null(w, from->at[i]) || cflri_is_null(w, to->at[j])) continue;
            if (leaves.too_many)
                alias(w, tag, from->at[i], to->at[j]);
            else
                copy_leaves(w, tag, from->at[i], to->at[j], &leaves);
        }
    }
}

void cflri_flow_leaves(cflri_walk *w, const cflri_tag *tag, const cflri_value *others,
                       const cflri_value *records, CXType type, bool in) {
    const cflri_leaves leaves = cflri_type_leaves(&w->types, type);
    for (uint32_t k = 0; k < leaves.n * records->n; k++) {
        const cflri_leaf leaf = w->types.leaves.at[leaves.first + k / records->n];
        cflri_node record = records->at[k % records->n];
        if (leaf.carrier != CFLRI_CARRIES_POINTER || cflri_is_null(w, record)) continue;
        cflri_node member = follow(w, record, &leaf);
        for (uint32_t i = 0; i < others->n; i++)
            flow(w, tag, in ? others->at[i] : member, in ? member : others->at[i]);
    }
}

void cflri_flow_into(cflri_walk *w, const cflri_tag *tag, const cflri_value *from,
                     const cflri_lvalue *to) {
    if (from->n == 0 || to->class == CFLRI_TYPE_NONE) return;
    if (to->class == CFLRI_TYPE_RECORD || to->class == CFLRI_TYPE_ARRAY) {
        const cflri_value addresses = cflri_place_address(w, to);
        cflri_copy_content(w, tag, from, &addresses, to->type);
        return;
    }
    const cflri_value contents = cflri_place_content(w, to);
    const cflri_tag data = cflri_data_flow(tag);
    if (to->class == CFLRI_TYPE_NUMBER) tag = &data;
    for (uint32_t i = 0; i < contents.n; i++) cflri_flow_value(w, tag, from, contents.at[i]);
}
