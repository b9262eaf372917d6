/* SPDX-License-Identifier: Apache-2.0
 *
 * member.c: which member of an object a pointer points to.
 *
 * A pointer to a member points to the object that the member is part of: that is what relations of
 * objects say. The step to the member is an edge of the graph, and the address of the member an
 * alias of the pointer:
 *
 *     struct { int *root, n; } e;
 *     p = &e.n;                      &e -f[8]-> &e.n,  p aliases &e.n      p points to e, at n
 *
 * So the member is known where one step leads from the object's address to an alias of the pointer,
 * and no alias is where another step leads: all addresses of members among the aliases must be f[8]
 * away from something. Nothing is said where the whole object's address is an alias, too. What the
 * member is called its address says: `&e.n`.
 *
 * Where aliases are vertices that are addresses of one place (%answer alias L ~L), the places say
 * it:
 *
 *     L(p,(e+8))   (e+8) -in-> &e
 *     &e -f[8]-> &e.n   (e) -member[8]-> (e+8)                             p points to e, at n
 *
 * if that is the only place in e that p is the address of, and not the one where e begins.
 */
#include "cli/answer/member.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/names/names.h"

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

/* By the addresses of members among the aliases. Of a result that does not know all aliases there
 * is none. 0, or the exit code after a message. */
static int find_labels(members *m, const cflr_graph *graph) {
    cflr_vertex_list list;
    cflr_error error;
    bool any = false;
    cflr_status st =
        cflr_result_targets(m->result, m->alias, m->pointer, m->n_pointers, &list, &error);
    if (st == CFLR_NO_MEMORY) return fail(&error);
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++)
        if (is_step(graph, label)) m->label[m->n_labels++] = label;
    for (size_t k = 0; k < list.count; k++) {
        cflr_vertex_info vertex;
        cflr_graph_vertex(graph, list.vertices[k], &vertex);
        if (vertex.kind != CFLR_VERTEX_FIELD) continue;
        keep_labels(m, graph, list.vertices[k]);
        any = true;
    }
    if (!any) m->n_labels = 0;
    cflr_vertex_list_free(session(), &list);
    return 0;
}

int members_find(const cflr_result *result, const uint32_t *pointer, size_t n, members *m) {
    const cflr_graph *graph = cflr_result_graph(result);
    *m = (members){.result = result,
                   .pointer = pointer,
                   .n_pointers = n,
                   .alias = answering_label(result, "alias"),
                   .place = CFLR_NO_LABEL};
    m->label = calloc((size_t)cflr_graph_labels(graph) + 1, sizeof *m->label);
    if (!m->label) return fail_memory();
    if (m->alias == CFLR_NO_LABEL || !n) return 0;
    cflr_result_label info;
    cflr_result_get_label(result, m->alias, &info);
    m->place = info.meets;
    if (m->place != CFLR_NO_LABEL) cflr_result_get_label(result, m->place, &info);
    if (m->place != CFLR_NO_LABEL) {
        if (!info.indexes) m->place = CFLR_NO_LABEL; /* nothing is the address of anything */
        return 0;
    }
    return find_labels(m, graph);
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

/* ---- by places ---- */

static bool has_edge(const cflr_graph *graph, const char *name, uint32_t from, uint32_t to) {
    uint64_t n;
    const uint32_t *row = edges_of(graph, name, NULL, CFLR_OUT, from, &n);
    for (uint64_t i = 0; i < n; i++)
        if (row[i] == to) return true;
    return false;
}

/* The only place in the object that the pointers are the address of; CFLR_NO_VERTEX: there are
 * more, or it is where the object begins. */
static uint32_t only_place(const members *m, const cflr_graph *graph, uint32_t address) {
    uint32_t only = CFLR_NO_VERTEX;
    bool more = false;
    cflr_row row = {0};
    for (size_t i = 0; i < m->n_pointers; i++) {
        read_row(m->result, m->place, 0, m->pointer[i], &row);
        for (uint64_t k = 0; k < row.count && !more; k++) {
            uint32_t place = row.target[k];
            if (place == only || !has_edge(graph, "in", place, address)) continue;
            more = only != CFLR_NO_VERTEX || has_edge(graph, "address", address, place);
            only = place;
        }
    }
    cflr_row_free(&row);
    return more ? CFLR_NO_VERTEX : only;
}

/* Members lie in members, and are named as far as the source names them. */
typedef struct way {
    uint32_t address, place;
} way;

enum { WAYS = 256 };

/* Adds the members of way[at]; where one of them is at the place, *text becomes its name, and it is
 * true. */
static bool enter(const cflr_graph *graph, way *ways, size_t at, size_t *n, uint32_t object,
                  uint32_t place, char text[MEMBER_SIZE]) {
    const way from = ways[at];
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        uint64_t count;
        if (!is_step(graph, label)) continue;
        const uint32_t *row = cflr_graph_row(graph, label, CFLR_OUT, from.address, &count);
        if (!count) continue;
        uint32_t part =
            first_edge(graph, "member", cflr_graph_label_index(graph, label), CFLR_OUT, from.place);
        for (uint64_t k = 0; k < count && part != CFLR_NO_VERTEX && *n < WAYS; k++) {
            ways[(*n)++] = (way){row[k], part};
            if (part == place) name_member(graph, object, row[k], text);
            if (text[0]) return true;
        }
    }
    return false;
}

static bool one_by_place(const members *m, const cflr_graph *graph, uint32_t object,
                         uint32_t address, char text[MEMBER_SIZE]) {
    uint32_t place = only_place(m, graph, address),
             begins = first_edge(graph, "address", NULL, CFLR_OUT, address);
    way ways[WAYS] = {{address, begins}};
    size_t n = 1;
    for (size_t at = 0; place != CFLR_NO_VERTEX && begins != CFLR_NO_VERTEX && at < n; at++)
        if (enter(graph, ways, at, &n, object, place, text)) return true;
    return false;
}

bool members_one(const members *m, uint32_t object, char text[MEMBER_SIZE]) {
    const cflr_graph *graph = cflr_result_graph(m->result);
    uint32_t alloc = cflr_graph_find_label(graph, "alloc", "");
    uint64_t n_addresses = 0, count;
    const uint32_t *address = NULL;
    char name[MEMBER_SIZE];
    if ((m->n_labels > 0 || m->place != CFLR_NO_LABEL) && alloc != CFLR_NO_LABEL)
        address = cflr_graph_row(graph, alloc, CFLR_OUT, object, &n_addresses);
    text[0] = '\0';
    if (m->place != CFLR_NO_LABEL)
        return n_addresses == 1 && one_by_place(m, graph, object, address[0], text);
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
