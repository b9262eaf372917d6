/* SPDX-License-Identifier: Apache-2.0
 *
 * slots.c: records that are passed and returned by value.
 *
 * A parameter and a result are the contents of slots of their function. Where one is a record, its
 * members are passed, each the content of a member of the slot:
 *
 *     int get(struct pair p) { return *p.b; }        slot  --d-->  p           parameter
 *                                                    slot  --f[8]-->  &p.b
 *                                                    &p.b  --d-->  p.b         parameter, too
 *
 * So the vertices of a chain of f[n] have one root, and the contents of all of them are what the
 * content of the root is: parameters or results. A vertex of the unknown has edges to itself, and
 * is its own root.
 *
 * O(edges).
 */
#include "findings/slots.h"

#include "base/graph/graph.h"

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

static cflri_slot_kind slot_of_kind(cflr_vertex_kind kind) {
    if (kind == CFLR_VERTEX_PARAMETER) return CFLRI_SLOT_PARAMETER;
    return kind == CFLR_VERTEX_RETURN ? CFLRI_SLOT_RESULT : CFLRI_SLOT_NONE;
}

/* The kind of the content of an address; the address of a member is as its root. */
static cflri_slot_kind slot_of_content(const cflri_labels *labels, uint32_t address) {
    cflr_vertex_info info;
    uint64_t n;
    const uint32_t *content = cflri_labels_row(labels, CFLRI_MEANS_CONTENT, CFLR_OUT, address, &n);
    if (n == 0) return CFLRI_SLOT_NONE;
    cflr_graph_vertex(labels->graph, content[0], &info);
    return slot_of_kind(info.kind);
}

static void see_contents(const cflri_labels *labels, cflri_slots *slots) {
    const cflr_graph *graph = labels->graph;
    const cflri_numbers *label = &labels->of[CFLRI_MEANS_CONTENT];
    const uint32_t *content;
    uint32_t address;
    uint64_t cursor = 0, n;
    for (uint32_t v = 0; v < cflr_graph_vertices(graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        slots->of[v] = (uint8_t)slot_of_kind(info.kind);
    }
    while (label->n > 0 &&
           (content = cflr_graph_next_row(graph, label->at[0], CFLR_OUT, &cursor, &address, &n))) {
        if (slots->root[address] == address) continue;
        cflri_slot_kind slot = slot_of_content(labels, slots->root[address]);
        for (uint64_t i = 0; i < n && slot != CFLRI_SLOT_NONE; i++)
            slots->of[content[i]] = (uint8_t)slot;
    }
}

bool cflri_slots_make(const cflri_labels *labels, cflri_slots *slots) {
    cflr_context *context = labels->graph->context;
    const cflri_numbers *members = &labels->of[CFLRI_MEANS_MEMBER];
    uint32_t n = cflr_graph_vertices(labels->graph);
    *slots =
        (cflri_slots){cflri_alloc(context, n), cflri_alloc_array(context, n, sizeof *slots->root)};
    if (!slots->of || !slots->root) return false;
    for (uint32_t v = 0; v < n; v++) slots->root[v] = v;
    for (size_t i = 0; i < members->n; i++) see_members(labels->graph, members->at[i], slots->root);
    for (uint32_t v = 0; v < n; v++) slots->root[v] = outermost(slots->root, v);
    see_contents(labels, slots);
    return true;
}

void cflri_slots_free(cflr_context *context, cflri_slots *slots) {
    cflri_free(context, slots->of);
    cflri_free(context, slots->root);
    *slots = (cflri_slots){0};
}
