/* SPDX-License-Identifier: Apache-2.0
 *
 * member.c: which member of an object a pointer points to.
 *
 * A pointer to a member points to the object that the member is part of: that is what relations of objects say. The
 * step to the member is an edge of the graph, and the address of the member an alias of the pointer:
 *
 *     struct { int *root, n; } e;  p = &e.n;        &e -f[8]-> &e.n,  p aliases &e.n        p points to e, at n
 *
 * So the member is known where one step leads from the object's address to an alias of the pointer, and no alias is
 * where another step leads: all addresses of members among the aliases must be f[8] away from something. Nothing is
 * said where the whole object's address is an alias, too. What the member is called its address says: `&e.n`.
 */
#include "cli/member.h"

#include <stdlib.h>
#include <string.h>

static bool is_step(const cflr_graph *graph, uint32_t label) {
    return strcmp(cflr_graph_label_name(graph, label), "f") == 0;
}

static bool leads_to(const cflr_graph *graph, uint32_t label, uint32_t vertex) {
    uint64_t count;
    cflr_graph_row(graph, label, CFLR_IN, vertex, &count);
    return count > 0;
}

/* Leaves the labels that lead to this address of a member. */
static void keep_labels(members *m, const cflr_graph *graph, uint32_t vertex) {
    size_t kept = 0;
    for (size_t i = 0; i < m->n_labels; i++)
        if (leads_to(graph, m->label[i], vertex)) m->label[kept++] = m->label[i];
    m->n_labels = kept;
}

static void keep_labels_of(members *m, const cflr_graph *graph, uint32_t pointer, bool *any) {
    cflr_result_label info;
    cflr_result_get_label(m->result, m->alias, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t count;
        const uint32_t *row = cflr_result_row(m->result, m->alias, i, pointer, &count);
        for (uint64_t k = 0; k < count && m->n_labels > 0; k++) {
            cflr_vertex_info vertex;
            cflr_graph_vertex(graph, row[k], &vertex);
            if (vertex.kind != CFLR_VERTEX_FIELD) continue;
            keep_labels(m, graph, row[k]);
            *any = true;
        }
    }
}

bool members_find(const cflr_result *result, const uint32_t *pointer, size_t n, members *m) {
    const cflr_graph *graph = cflr_result_graph(result);
    bool any = false;
    *m = (members){.result = result,
                   .pointer = pointer,
                   .n_pointers = n,
                   .alias = answering_label(result, "alias")};
    m->label = calloc((size_t)cflr_graph_labels(graph) + 1, sizeof *m->label);
    if (!m->label) {
        fail_memory();
        return false;
    }
    if (m->alias == CFLR_NO_LABEL) return true;
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++)
        if (is_step(graph, label)) m->label[m->n_labels++] = label;
    for (size_t i = 0; i < n && m->n_labels > 0; i++) keep_labels_of(m, graph, pointer[i], &any);
    if (!any) m->n_labels = 0;
    return true;
}

void members_free(members *m) {
    free(m->label);
}

static bool is_alias(const members *m, uint32_t vertex) {
    for (size_t i = 0; i < m->n_pointers; i++)
        if (m->pointer[i] == vertex || cflr_result_has(m->result, m->alias, m->pointer[i], vertex))
            return true;
    return false;
}

/* "&e.in.x" of e: "in.x"; an empty text where the address is called otherwise. */
static void name_member(const cflr_graph *graph, uint32_t object, uint32_t address,
                        char text[MEMBER_SIZE]) {
    cflr_vertex_info whole, member;
    cflr_graph_vertex(graph, object, &whole);
    cflr_graph_vertex(graph, address, &member);
    size_t length = strlen(whole.name);
    const char *name = member.name;
    text[0] = '\0';
    if (name[0] != '&' || strncmp(name + 1, whole.name, length) != 0) return;
    name += 1 + length;
    if (*name == '.' || *name == '[') snprintf(text, MEMBER_SIZE, "%s", name + (*name == '.'));
}

bool members_one(const members *m, uint32_t object, char text[MEMBER_SIZE]) {
    const cflr_graph *graph = cflr_result_graph(m->result);
    uint32_t alloc = cflr_graph_find_label(graph, "alloc", "");
    uint64_t n_addresses = 0, count;
    const uint32_t *address = NULL;
    char name[MEMBER_SIZE];
    if (m->n_labels > 0 && alloc != CFLR_NO_LABEL)
        address = cflr_graph_row(graph, alloc, CFLR_OUT, object, &n_addresses);
    text[0] = '\0';
    for (uint64_t a = 0; a < n_addresses; a++) {
        if (is_alias(m, address[a])) return false;
        for (size_t i = 0; i < m->n_labels; i++) {
            const uint32_t *row = cflr_graph_row(graph, m->label[i], CFLR_OUT, address[a], &count);
            for (uint64_t k = 0; k < count; k++) {
                if (!is_alias(m, row[k])) continue;
                name_member(graph, object, row[k], name);
                if (text[0] && strcmp(text, name) != 0) return false;
                memcpy(text, name, sizeof name);
            }
        }
    }
    return text[0] != '\0';
}
