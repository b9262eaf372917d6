/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_why_not.c: why an answer is no: the nearest miss.
 *
 * The object's address comes to some values and is stored from there. The pointer has its value
 * from others, back to contents of memory that are read. It would have the address if a content
 * that is read were one that it is stored in:
 *
 *     *slot = &x;              the address of x is stored in *slot
 *     p = *other;              p is read through *other
 *                              needed: slot and other hold one address
 *
 * Values are followed back from the pointer by assignments, the nearest first; the first content
 * that is read is told, and the first one in which the address is stored. For two pointers, the
 * addresses are those to which the second may point. O(edges).
 */
#include "cli/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct missing {
    const cflr_result *result;
    const cflr_graph *graph;
    uint32_t points_to, assign, content; /* labels */
    uint32_t object;
} missing;

static const uint32_t *edges(const missing *m, uint32_t label, cflr_direction way, uint32_t vertex,
                             uint64_t *n) {
    *n = 0;
    return label == CFLR_NO_LABEL ? NULL : cflr_graph_row(m->graph, label, way, vertex, n);
}

/* Is it what a pointer points to? That pointer; CFLR_NO_VERTEX: no. */
static uint32_t pointer_to(const missing *m, uint32_t content) {
    uint64_t n;
    const uint32_t *row = edges(m, m->content, CFLR_IN, content, &n);
    return n ? row[0] : CFLR_NO_VERTEX;
}

/* The nearest content of memory from which the pointer has its value; CFLR_NO_VERTEX: there is
 * none. */
static uint32_t find_read(const missing *m, uint32_t pointer) {
    uint32_t n_vertices = cflr_graph_vertices(m->graph), found = CFLR_NO_VERTEX;
    uint32_t *queue = calloc((size_t)n_vertices + 1, sizeof *queue);
    bool *met = calloc((size_t)n_vertices + 1, sizeof *met);
    size_t n = 0;
    if (queue && met) {
        queue[n++] = pointer;
        met[pointer] = true;
    }
    for (size_t i = 0; i < n && found == CFLR_NO_VERTEX; i++) {
        uint64_t count;
        if (pointer_to(m, queue[i]) != CFLR_NO_VERTEX) found = queue[i];
        const uint32_t *from = edges(m, m->assign, CFLR_IN, queue[i], &count);
        for (uint64_t k = 0; k < count; k++) {
            if (met[from[k]]) continue;
            met[from[k]] = true;
            queue[n++] = from[k];
        }
    }
    free(queue);
    free(met);
    return found;
}

/* A content of memory in which the object's address is stored; CFLR_NO_VERTEX: there is none. */
static uint32_t find_stored(const missing *m) {
    uint64_t cursor = 0, n;
    uint32_t content;
    if (m->content == CFLR_NO_LABEL) return CFLR_NO_VERTEX;
    while (cflr_graph_next_row(m->graph, m->content, CFLR_IN, &cursor, &content, &n)) {
        uint64_t written;
        edges(m, m->assign, CFLR_IN, content, &written);
        if (written && cflr_result_has(m->result, m->points_to, content, m->object)) return content;
    }
    return CFLR_NO_VERTEX;
}

static void tell(const missing *m, uint32_t pointer, FILE *file, json_t *answer) {
    uint32_t read = find_read(m, pointer), stored = find_stored(m);
    cflr_vertex_info p, o;
    look_at(m->graph, pointer, &p);
    look_at(m->graph, m->object, &o);
    if (answer) {
        json_t *why = json_object();
        json_set(why, "object", vertex_json(m->graph, m->object));
        if (read != CFLR_NO_VERTEX) json_set(why, "read", vertex_json(m->graph, read));
        if (stored != CFLR_NO_VERTEX) json_set(why, "stored", vertex_json(m->graph, stored));
        json_set(answer, "nearest", why);
        return;
    }
    if (stored == CFLR_NO_VERTEX) {
        fprintf(file, "the address of %s is not stored in memory\n", o.name);
    } else {
        fprintf(file, "the address of %s is stored in ", o.name);
        print_vertex(file, m->graph, stored);
        fputc('\n', file);
    }
    if (read == CFLR_NO_VERTEX) {
        fprintf(file, "%s is not read from memory: no assignment leads from %s to it\n", p.name,
                o.name);
    } else {
        fprintf(file, "%s is read from ", p.name);
        print_vertex(file, m->graph, read);
        fputc('\n', file);
    }
    if (read != CFLR_NO_VERTEX && stored != CFLR_NO_VERTEX)
        fputs("needed: that both are one place in memory\n", file);
}

void explain_why_not(const cflr_result *result, uint32_t pointer, uint32_t other, bool alias,
                     FILE *file, json_t *answer) {
    const cflr_graph *graph = cflr_result_graph(result);
    missing m = {.result = result,
                 .graph = graph,
                 .points_to = answering_label(result, "points-to"),
                 .assign = cflr_graph_find_label(graph, "a", NULL),
                 .content = cflr_graph_find_label(graph, "d", NULL),
                 .object = other};
    uint64_t n = 0;
    if (m.points_to == CFLR_NO_LABEL) return;
    if (alias) {
        const uint32_t *row = cflr_result_row(result, m.points_to, 0, other, &n);
        if (n == 0 && file) fputs("the second pointer points to nothing that is known\n", file);
        if (n == 0) return;
        m.object = row[0];
    }
    tell(&m, pointer, file, answer);
}
