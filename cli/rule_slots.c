/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_slots.c: records that are passed and returned by value.
 *
 * A parameter and a result are the contents of slots of their function. Where one is a record, what is passed are its
 * members, each the content of a member of the slot:
 *
 *     int get(struct pair p) { return *p.b; }        slot  --d-->  p           parameter
 *                                                    slot  --f[8]-->  &p.b
 *                                                    &p.b  --d-->  p.b         parameter, too
 *
 * So the vertices of a chain of f[n] have one root, and what the content of the root is, that is what the contents of
 * all of them are. A vertex of the unknown has edges to itself, and is its own root.
 *
 * O(edges).
 */
#include "cli/rule_slots.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 64 }; /* records inside records */

/* The record's address that a member's was taken from, for all members of one label. */
static void see_members(const cflr_graph *graph, uint32_t label, uint32_t *root) {
    const uint32_t *member;
    uint32_t record;
    uint64_t cursor = 0, n;
    while ((member = cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &record, &n)))
        for (uint64_t i = 0; i < n; i++)
            if (member[i] != record) root[member[i]] = record;
}

static uint32_t outermost(const uint32_t *root, uint32_t address) {
    for (int steps = 0; steps < MOST_STEPS && root[address] != address; steps++)
        address = root[address];
    return address;
}

static rule_slot slot_of_kind(cflr_vertex_kind kind) {
    if (kind == CFLR_VERTEX_PARAMETER) return SLOT_PARAMETER;
    return kind == CFLR_VERTEX_RETURN ? SLOT_RESULT : SLOT_NONE;
}

/* What the content of an address is; the address of a member is as its root. */
static rule_slot slot_of_content(const cflr_graph *graph, uint32_t label, uint32_t address) {
    cflr_vertex_info info;
    uint64_t n = 0;
    const uint32_t *content = NULL;
    if (label != CFLR_NO_LABEL) content = cflr_graph_row(graph, label, CFLR_OUT, address, &n);
    if (n == 0) return SLOT_NONE;
    cflr_graph_vertex(graph, content[0], &info);
    return slot_of_kind(info.kind);
}

static void see_contents(const cflr_graph *graph, rule_slots *slots) {
    uint32_t label = cflr_graph_find_label(graph, "d", NULL), address;
    const uint32_t *content;
    uint64_t cursor = 0, n;
    cflr_vertex_info info;
    for (uint32_t v = 0; v < cflr_graph_vertices(graph); v++) {
        cflr_graph_vertex(graph, v, &info);
        slots->of[v] = (uint8_t)slot_of_kind(info.kind);
    }
    while (label != CFLR_NO_LABEL &&
           (content = cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &address, &n))) {
        if (slots->root[address] == address) continue;
        rule_slot slot = slot_of_content(graph, label, slots->root[address]);
        for (uint64_t i = 0; i < n && slot != SLOT_NONE; i++) slots->of[content[i]] = (uint8_t)slot;
    }
}

bool rule_slots_make(const cflr_graph *graph, rule_slots *slots) {
    uint32_t n = cflr_graph_vertices(graph);
    *slots = (rule_slots){malloc((size_t)n + 1), malloc(((size_t)n + 1) * sizeof *slots->root)};
    if (!slots->of || !slots->root) return false;
    for (uint32_t v = 0; v < n; v++) slots->root[v] = v;
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++)
        if (strcmp(cflr_graph_label_name(graph, label), "f") == 0)
            see_members(graph, label, slots->root);
    for (uint32_t v = 0; v < n; v++) slots->root[v] = outermost(slots->root, v);
    see_contents(graph, slots);
    return true;
}

void rule_slots_free(rule_slots *slots) {
    free(slots->of);
    free(slots->root);
    *slots = (rule_slots){0};
}
