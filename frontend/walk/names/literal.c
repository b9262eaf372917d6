/* SPDX-License-Identifier: Apache-2.0
 *
 * literal.c: strings and compound literals: objects without a name, one for each place.
 */
#include "frontend/walk/walk.h"

#include <stdio.h>

static cflri_lvalue object_place(cflri_walk *w, uint32_t e, const char *what, cflr_vertex_kind kind,
                                 const char *name) {
    CXType type = cflri_expr_plain(w, e);
    const cflri_node_record record = {.kind = kind,
                                      .carrier = cflri_type_carrier(&w->types, type),
                                      .name = cflri_facts_string(w->facts, name),
                                      .type = cflri_type_text(&w->names, type)};
    cflri_node object = cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), what, &record);
    return (cflri_lvalue){.class = cflri_type_classify_plain(&w->types, type),
                          .nodes = cflri_one_value(object),
                          .type = type};
}

cflri_lvalue cflri_string_place(cflri_walk *w, uint32_t e) {
    char text[CFLRI_SPELLING_SIZE];
    cflri_spell(w, e, text);
    return object_place(w, e, "!string", CFLR_VERTEX_STRING, text);
}

cflri_lvalue cflri_compound_literal_place(cflri_walk *w, uint32_t e) {
    char text[CFLRI_SPELLING_SIZE];
    cflri_spell(w, e, text);
    cflri_lvalue place = object_place(w, e, "!literal", CFLR_VERTEX_VARIABLE, text);
    uint32_t list = cflri_tree_last(&w->tree, e);
    if (list != CFLRI_NO_CHILD) cflri_init_place(w, &place, list);
    if (place.class == CFLRI_TYPE_ARRAY) cflri_show_elements(w, e, &place);
    return place;
}
