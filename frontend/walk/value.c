/* SPDX-License-Identifier: Apache-2.0
 *
 * value.c: the small sets of nodes that values and places are.
 *
 * Most values come from one node; a conditional has one for each arm. Up to CFLRI_VALUE_MOST are
 * carried along as they are, so that `p = c ? a : b` is two edges and no node; more are joined in a
 * temporary, which keeps products such as `*(c ? p : q) = d ? a : b` small.
 *
 * A step from a null pointer leads nowhere: `&((struct s *)0)->m` is a number.
 */
#include "frontend/walk/walk.h"

cflri_value cflri_no_value(void) {
    return (cflri_value){0};
}

cflri_value cflri_one_value(cflri_node node) {
    cflri_value value = {0};
    if (node != CFLRI_NO_NODE) value.at[value.n++] = node;
    return value;
}

bool cflri_is_null(const cflri_walk *w, cflri_node node) {
    return node != CFLRI_NO_NODE && w->facts->nodes.at[node].kind == CFLR_VERTEX_NULL_VALUE;
}

static bool contains(const cflri_value *value, cflri_node node) {
    for (uint32_t i = 0; i < value->n; i++)
        if (value->at[i] == node) return true;
    return false;
}

cflri_value cflri_single(cflri_walk *w, uint32_t e, const cflri_value *value) {
    if (value->n <= 1) return *value;
    bool integer = cflri_expr_class(w, e) == CFLRI_TYPE_INTEGER;
    cflri_node joined =
        cflri_temporary(w, e, "!value", integer ? CFLRI_CARRIES_INTEGER : CFLRI_CARRIES_POINTER);
    if (joined == CFLRI_NO_NODE) return cflri_no_value();
    cflri_flow_value(w, &cflri_plain_flow, value, joined);
    return cflri_one_value(joined);
}

cflri_value cflri_join(cflri_walk *w, uint32_t e, const cflri_value *a, const cflri_value *b) {
    cflri_value all = *a;
    cflri_node overflow = CFLRI_NO_NODE;
    for (uint32_t i = 0; i < b->n; i++) {
        if (contains(&all, b->at[i])) continue;
        if (all.n == CFLRI_VALUE_MOST) {
            all = cflri_single(w, e, &all);
            if (all.n == 0) return all;
            overflow = all.at[0];
        }
        if (overflow == CFLRI_NO_NODE) {
            all.at[all.n++] = b->at[i];
        } else {
            const cflri_value one = cflri_one_value(b->at[i]);
            cflri_flow_value(w, &cflri_plain_flow, &one, overflow);
        }
    }
    return all;
}

cflri_value cflri_field_of(cflri_walk *w, const cflri_value *pointers, int32_t offset) {
    cflri_value fields = {0};
    for (uint32_t i = 0; i < pointers->n; i++) {
        if (cflri_is_null(w, pointers->at[i])) continue;
        cflri_node field = cflri_facts_field(w->facts, pointers->at[i], offset);
        if (field != CFLRI_NO_NODE) fields.at[fields.n++] = field;
    }
    return fields;
}

cflri_value cflri_before_steps(const cflri_walk *w, const cflri_value *pointers, uint32_t most) {
    cflri_value at = *pointers;
    for (uint32_t i = 0; i < at.n; i++) {
        for (uint32_t k = 0; k < most; k++) {
            const cflri_node_record *node = &w->facts->nodes.at[at.at[i]];
            if (node->how != CFLRI_FIELD) break;
            at.at[i] = node->base;
        }
    }
    return at;
}

cflri_value cflri_content_of(cflri_walk *w, const cflri_value *pointers, cflri_carrier carrier) {
    cflri_value contents = {0};
    for (uint32_t i = 0; i < pointers->n; i++) {
        if (cflri_is_null(w, pointers->at[i])) continue;
        cflri_node content = cflri_facts_deref(w->facts, pointers->at[i], carrier);
        if (content != CFLRI_NO_NODE) contents.at[contents.n++] = content;
    }
    return contents;
}

cflri_value cflri_place_address(cflri_walk *w, const cflri_lvalue *place) {
    if (place->addressed) return place->nodes;
    cflri_value addresses = {0};
    for (uint32_t i = 0; i < place->nodes.n; i++) {
        cflri_node address = cflri_facts_address(w->facts, place->nodes.at[i]);
        if (address != CFLRI_NO_NODE) addresses.at[addresses.n++] = address;
    }
    return addresses;
}

static cflri_carrier carrier_of(cflri_walk *w, const cflri_lvalue *place) {
    switch (place->class) {
        case CFLRI_TYPE_POINTER:
            return CFLRI_CARRIES_POINTER;
        case CFLRI_TYPE_INTEGER:
            return CFLRI_CARRIES_INTEGER;
        case CFLRI_TYPE_NUMBER:
            return CFLRI_CARRIES_NUMBER;
        default:
            return cflri_type_carrier(&w->types, place->type);
    }
}

cflri_value cflri_place_content(cflri_walk *w, const cflri_lvalue *place) {
    if (!place->addressed) return place->nodes;
    if (!place->record) return cflri_content_of(w, &place->nodes, carrier_of(w, place));
    cflri_value contents = {0};
    for (uint32_t i = 0; i < place->nodes.n; i++) {
        cflri_node pointer = place->nodes.at[i];
        if (cflri_is_null(w, pointer)) continue;
        cflri_node content = cflri_facts_deref_member(w->facts, pointer, carrier_of(w, place));
        cflri_facts_tell_record(w->facts, content, place->record);
        if (content != CFLRI_NO_NODE) contents.at[contents.n++] = content;
    }
    return contents;
}

cflri_value cflri_place_value(cflri_walk *w, const cflri_lvalue *place) {
    switch (place->class) {
        case CFLRI_TYPE_POINTER:
        case CFLRI_TYPE_INTEGER:
        case CFLRI_TYPE_NUMBER:
            return cflri_place_content(w, place);
        case CFLRI_TYPE_RECORD:
        case CFLRI_TYPE_ARRAY:
        case CFLRI_TYPE_FUNCTION:
            return cflri_place_address(w, place);
        default:
            return cflri_no_value();
    }
}

cflri_node cflri_temporary(cflri_walk *w, uint32_t e, const char *what, cflri_carrier carrier) {
    char text[CFLRI_SPELLING_SIZE];
    cflri_spell(w, e, text);
    const cflri_node_record record = {.kind = CFLR_VERTEX_TEMPORARY,
                                      .carrier = carrier,
                                      .name = cflri_facts_string(w->facts, text),
                                      .type = cflri_type_text(&w->names, cflri_expr_type(w, e))};
    return cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), what, &record);
}
