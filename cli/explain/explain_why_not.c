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
 * that is read is printed, and the first one in which the address is stored. For two pointers, the
 * addresses are those to which the second may point. O(edges).
 */
#include "cli/answer/loading.h"
#include "cli/explain/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct missing {
    const cflr_result *result;
    const cflr_graph *graph;
    uint32_t points_to; /* a label of the result */
    uint32_t object;
    bool strict; /* types say what may be led to */
} missing;

/* Is it what a pointer points to? That pointer; CFLR_NO_VERTEX: no. */
static uint32_t pointer_to(const missing *m, uint32_t content) {
    return first_edge(m->graph, "d", NULL, CFLR_IN, content);
}

static bool points(const missing *m, uint32_t vertex) {
    return cflr_result_has(m->result, m->points_to, vertex, m->object);
}

/* Of the values from which the pointer has its own, by assignments, the nearest one that is meant;
 * CFLR_NO_VERTEX: there is none. */
static uint32_t find_back(const missing *m, uint32_t pointer,
                          bool (*is_meant)(const missing *m, uint32_t value)) {
    size_t n = 1, room = (size_t)cflr_graph_vertices(m->graph) + 1;
    uint32_t *queue = calloc(room, sizeof *queue), found = CFLR_NO_VERTEX;
    bool *met = calloc(room, sizeof *met);
    if (queue) queue[0] = pointer;
    if (met) met[pointer] = true;
    for (size_t i = 0; queue && met && i < n && found == CFLR_NO_VERTEX; i++) {
        uint64_t count;
        const uint32_t *from = edges_of(m->graph, "a", NULL, CFLR_IN, queue[i], &count);
        if (is_meant(m, queue[i])) found = queue[i];
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

/* Is it read from memory? */
static bool is_read(const missing *m, uint32_t value) {
    return pointer_to(m, value) != CFLR_NO_VERTEX;
}

/* Would the object's address come to it by one more assignment, which its type forbids? What an
 * assignment does not pass on, a filter holds. */
static bool is_barrier(const missing *m, uint32_t value) {
    uint64_t n;
    const uint32_t *from = edges_of(m->graph, "a", NULL, CFLR_IN, value, &n);
    for (uint64_t k = 0; k < n; k++)
        if (points(m, from[k])) return true;
    return false;
}

/* By their pointers: are both contents one place? */
static bool is_one_place(const missing *m, uint32_t a, uint32_t b) {
    return cflr_result_alias(m->result, pointer_to(m, a), pointer_to(m, b)) == CFLR_THROUGH_PROGRAM;
}

/* A content of memory in which the object's address is stored, best the one that is read;
 * CFLR_NO_VERTEX: there is none. */
static uint32_t find_stored(const missing *m, uint32_t read) {
    uint64_t cursor = 0, n;
    uint32_t label = cflr_graph_find_label(m->graph, "d", NULL);
    uint32_t content, found = CFLR_NO_VERTEX;
    if (label == CFLR_NO_LABEL) return CFLR_NO_VERTEX;
    while (cflr_graph_next_row(m->graph, label, CFLR_IN, &cursor, &content, &n)) {
        uint64_t written;
        edges_of(m->graph, "a", NULL, CFLR_IN, content, &written);
        if (!written || !points(m, content)) continue;
        if (!m->strict) return content;
        if (read != CFLR_NO_VERTEX && is_one_place(m, content, read)) return content;
        if (found == CFLR_NO_VERTEX) found = content;
    }
    return found;
}

/* May what reads the type lead to the location? */
static bool fits_there(const missing *m, uint32_t type, uint32_t location) {
    uint64_t n, n_kinds;
    const uint32_t *fitting = edges_of(m->graph, "fits", NULL, CFLR_OUT, type, &n);
    const uint32_t *kind = edges_of(m->graph, "is", NULL, CFLR_OUT, location, &n_kinds);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n_kinds; k++)
            if (fitting[i] == kind[k]) return true;
    return false;
}

/* Is there such a location in the object? */
static bool holds(const missing *m, uint32_t type) {
    uint64_t n = 0;
    uint32_t address = first_edge(m->graph, "alloc", NULL, CFLR_OUT, m->object);
    const uint32_t *location = NULL;
    if (address != CFLR_NO_VERTEX) location = edges_of(m->graph, "in", NULL, CFLR_IN, address, &n);
    for (uint64_t i = 0; i < n; i++)
        if (fits_there(m, type, location[i])) return true;
    return false;
}

static void tell_barrier(const missing *m, uint32_t barrier, uint32_t pointer, FILE *file) {
    uint64_t n;
    const uint32_t *type = edges_of(m->graph, "reads", NULL, CFLR_OUT, barrier, &n);
    bool elsewhere = false;
    cflr_vertex_info v, o, t;
    look_at(m->graph, barrier, &v);
    look_at(m->graph, m->object, &o);
    fprintf(file, "%s would arrive at ", o.name);
    if (barrier == pointer)
        fputs(v.name, file);
    else
        print_vertex(file, m->graph, barrier);
    fprintf(file, ", but %s reads ", v.name);
    for (uint64_t i = 0; i < n; i++) {
        look_at(m->graph, type[i], &t);
        fprintf(file, "%s%s", i ? " or " : "", t.name);
        elsewhere |= holds(m, type[i]);
    }
    fprintf(file, ", which %s %s (strict aliasing)\n", o.name,
            elsewhere ? "holds at another place only" : "does not hold");
}

static void put_barrier(const missing *m, uint32_t barrier, json_t *why) {
    uint64_t n;
    const uint32_t *type = edges_of(m->graph, "reads", NULL, CFLR_OUT, barrier, &n);
    json_t *types = json_array();
    for (uint64_t i = 0; i < n; i++) {
        cflr_vertex_info t;
        look_at(m->graph, type[i], &t);
        json_array_append_new(types, json_string(t.name));
    }
    json_set(why, "barrier", vertex_json(m->graph, barrier));
    json_set(why, "reads", types);
}

/* How near the object's address comes to the pointer. */
typedef struct miss {
    bool apart;       /* it does, but at another place of the object than the other one's */
    uint32_t barrier; /* as far as to this value; the others are of memory */
    uint32_t read, stored;
    bool one_place; /* both contents are */
} miss;

static miss find_miss(const missing *m, uint32_t pointer) {
    miss found = {points(m, pointer), CFLR_NO_VERTEX, CFLR_NO_VERTEX, CFLR_NO_VERTEX, false};
    if (found.apart) return found;
    if (m->strict) found.barrier = find_back(m, pointer, is_barrier);
    if (found.barrier != CFLR_NO_VERTEX) return found;
    found.read = find_back(m, pointer, is_read);
    found.stored = find_stored(m, found.read);
    found.one_place = m->strict && found.read != CFLR_NO_VERTEX && found.stored != CFLR_NO_VERTEX &&
                      is_one_place(m, found.stored, found.read);
    return found;
}

static void tell_memory(const missing *m, const miss *found, uint32_t pointer, FILE *file) {
    cflr_vertex_info p, o;
    look_at(m->graph, pointer, &p);
    look_at(m->graph, m->object, &o);
    if (found->stored == CFLR_NO_VERTEX) {
        fprintf(file, "the address of %s is not stored in memory\n", o.name);
    } else {
        fprintf(file, "the address of %s is stored in ", o.name);
        print_vertex(file, m->graph, found->stored);
        fputc('\n', file);
    }
    if (found->read == CFLR_NO_VERTEX) {
        fprintf(file, "%s is not read from memory: no assignment leads from %s to it\n", p.name,
                o.name);
    } else {
        fprintf(file, "%s is read from ", p.name);
        print_vertex(file, m->graph, found->read);
        fputc('\n', file);
    }
    if (found->one_place)
        fprintf(file, "both may be one place, but no pointer to %s lies there (strict aliasing)\n",
                o.name);
    else if (found->read != CFLR_NO_VERTEX && found->stored != CFLR_NO_VERTEX)
        fputs("needed: that both are one place in memory\n", file);
}

static void tell(const missing *m, const miss *found, uint32_t pointer, FILE *file) {
    cflr_vertex_info o;
    look_at(m->graph, m->object, &o);
    if (found->apart)
        fprintf(file, "both point to %s, but not to one place in it\n", o.name);
    else if (found->barrier != CFLR_NO_VERTEX)
        tell_barrier(m, found->barrier, pointer, file);
    else
        tell_memory(m, found, pointer, file);
}

static json_t *miss_json(const missing *m, const miss *found) {
    json_t *why = json_object();
    json_set(why, "object", vertex_json(m->graph, m->object));
    if (found->apart) json_set(why, "apart", json_true());
    if (found->barrier != CFLR_NO_VERTEX) put_barrier(m, found->barrier, why);
    if (found->read != CFLR_NO_VERTEX) json_set(why, "read", vertex_json(m->graph, found->read));
    if (found->stored != CFLR_NO_VERTEX)
        json_set(why, "stored", vertex_json(m->graph, found->stored));
    if (found->one_place) json_set(why, "one_place", json_true());
    return why;
}

void explain_why_not(const cflr_result *result, uint32_t pointer, uint32_t other, bool alias,
                     FILE *file, json_t *answer) {
    const cflr_graph *graph = cflr_result_graph(result);
    missing m = {.result = result,
                 .graph = graph,
                 .points_to = answering_label(result, "points-to"),
                 .object = other,
                 .strict = has_locations(graph)};
    if (m.points_to == CFLR_NO_LABEL) return;
    if (alias) {
        cflr_row row = {0};
        read_row(result, m.points_to, 0, other, &row);
        if (row.count) m.object = row.target[0];
        bool known = row.count;
        cflr_row_free(&row);
        if (!known && file) fputs("the second pointer points to nothing that is known\n", file);
        if (!known) return;
    }
    const miss found = find_miss(&m, pointer);
    if (answer)
        json_set(answer, "nearest", miss_json(&m, &found));
    else
        tell(&m, &found, pointer, file);
}
