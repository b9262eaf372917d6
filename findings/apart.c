/* SPDX-License-Identifier: Apache-2.0
 *
 * apart.c: what a `no` rests on.
 *
 * With --aliasing strict and --callees types a `no` holds for programs that keep to C's rules of
 * types. Often it holds without them: two pointers that have nothing to do with each other. That is
 * found by unification, which does not look at types: each value is in one class, what it points to
 * is one class of memory, whose content is one value.
 *
 *     a, nonnull, call, ret     x -> y    both point to one class
 *     text                      x -> y    the same, of memory that is copied as characters
 *     f, any                    p -> m    the same: members are not told apart
 *     d, store, held            p -> c    c is the content of what p points to
 *     alloc                     o -> v    v points to o
 *     s[k], s[k:t]              g -> p    p points to parameter k of all in the class of g
 *
 * When two classes of memory become one, so do what they point to and their slots. Values that
 * point to different classes are apart. Vertices of unknown code have edges to themselves, which
 * make all that they reach one class.
 *
 * Source: Steensgaard, "Points-to analysis in almost linear time" (POPL 1996).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/graph/graph.h"
#include "cflr/findings.h"
#include "cflr/solve.h"

#define NONE UINT32_MAX

struct cflr_apart {
    const cflr_graph *graph;
    bool made;
    uint32_t n; /* values, and memory that no vertex stands for */
    uint32_t *parent, *points_to, *slots;
    bool known; /* false: nothing is known apart */
};

/* ---- assumptions ---- */

static bool has_edges(const cflr_graph *graph, const char *name) {
    uint32_t label = cflr_graph_find_label(graph, name, ""), vertex;
    uint64_t cursor = 0, n;
    return label != CFLR_NO_LABEL &&
           cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &vertex, &n) != NULL;
}

static bool has_call_types(const cflr_graph *graph) {
    bool has = false;
    for (uint32_t i = 0; i < cflr_graph_calls(graph) && !has; i++) {
        cflr_call_info call;
        cflr_graph_call(graph, i, &call);
        has = call.type[0] != '\0';
    }
    return has;
}

cflr_assumption cflr_graph_assumption(const cflr_graph *graph) {
    return (cflr_assumption){
        .aliasing = cflr_graph_find_label(graph, "address", NULL) != CFLR_NO_LABEL &&
                    cflr_graph_find_label(graph, "any", NULL) != CFLR_NO_LABEL,
        .text = has_edges(graph, "text") || has_edges(graph, "held"),
        .callees = has_call_types(graph)};
}

/* ---- classes ---- */

/* A slot of a class of memory; slots of one class are a list. */
typedef struct slot {
    uint32_t number; /* of the label's text */
    uint32_t memory; /* where the parameter or result lies */
    uint32_t next;
} slot;

typedef struct unifying {
    const cflr_graph *graph;
    cflr_apart *a;
    uint32_t room; /* of classes */
    slot *slot;
    uint32_t n_slots, slot_room;
    CFLRI_VEC(cflr_pair) pairs; /* of classes that are to become one */
    bool good;
} unifying;

static uint32_t find(cflr_apart *a, uint32_t x) {
    while (a->parent[x] != x) {
        a->parent[x] = a->parent[a->parent[x]];
        x = a->parent[x];
    }
    return x;
}

static void later(unifying *u, uint32_t x, uint32_t y) {
    if (x == NONE || y == NONE || !u->good) return;
    u->good = cflri_vec_push(u->graph->context, &u->pairs, (cflr_pair){x, y});
}

static uint32_t new_class(unifying *u) {
    cflr_apart *a = u->a;
    if (a->n == u->room || !u->good) {
        u->good = false;
        return NONE;
    }
    a->parent[a->n] = a->n;
    a->points_to[a->n] = a->slots[a->n] = NONE;
    return a->n++;
}

/* The class to which a value of that class points, made when it is asked for. */
static uint32_t pointee(unifying *u, uint32_t value) {
    uint32_t x = find(u->a, value);
    if (u->a->points_to[x] == NONE) u->a->points_to[x] = new_class(u);
    return u->a->points_to[x];
}

/* The slots of both are those of `to`. */
static void join_slots(unifying *u, uint32_t to, uint32_t from) {
    for (uint32_t s = u->a->slots[from], next; s != NONE; s = next) {
        uint32_t known = u->a->slots[to];
        next = u->slot[s].next;
        while (known != NONE && u->slot[known].number != u->slot[s].number)
            known = u->slot[known].next;
        if (known != NONE) {
            later(u, u->slot[known].memory, u->slot[s].memory);
            continue;
        }
        u->slot[s].next = u->a->slots[to];
        u->a->slots[to] = s;
    }
    u->a->slots[from] = NONE;
}

static void unify(unifying *u, uint32_t one, uint32_t other) {
    cflr_apart *a = u->a;
    later(u, one, other);
    while (u->pairs.n > 0 && u->good) {
        const cflr_pair pair = u->pairs.at[--u->pairs.n];
        uint32_t x = find(a, pair.source), y = find(a, pair.target);
        if (x == y) continue;
        a->parent[y] = x;
        if (a->points_to[x] == NONE)
            a->points_to[x] = a->points_to[y];
        else
            later(u, a->points_to[x], a->points_to[y]);
        join_slots(u, x, y);
    }
}

/* Where that slot of a class of memory lies. */
static uint32_t slot_of(unifying *u, uint32_t memory, uint32_t number) {
    uint32_t x = memory == NONE ? NONE : find(u->a, memory);
    if (x == NONE) return NONE;
    for (uint32_t s = u->a->slots[x]; s != NONE; s = u->slot[s].next)
        if (u->slot[s].number == number) return u->slot[s].memory;
    assert(u->n_slots < u->slot_room); /* an edge each */
    u->slot[u->n_slots] = (slot){number, new_class(u), u->a->slots[x]};
    u->a->slots[x] = u->n_slots++;
    return u->slot[u->n_slots - 1].memory;
}

/* ---- edges ---- */

typedef enum effect {
    EFFECT_NONE, /* of types and places, and of values that are no pointers */
    EFFECT_SAME,
    EFFECT_CONTENT,
    EFFECT_OBJECT,
    EFFECT_SLOT,
    EFFECT_OTHER, /* one that is not known: nothing can be said */
} effect;

static effect effect_of(const char *name) {
    static const struct {
        const char *name;
        effect effect;
    } rows[] = {
        {"a", EFFECT_SAME},       {"nonnull", EFFECT_SAME}, {"call", EFFECT_SAME},
        {"text", EFFECT_SAME},    {"held", EFFECT_CONTENT}, {"ret", EFFECT_SAME},
        {"f", EFFECT_SAME},       {"b", EFFECT_SAME},       {"around", EFFECT_SAME},
        {"any", EFFECT_SAME},     {"d", EFFECT_CONTENT},    {"store", EFFECT_CONTENT},
        {"alloc", EFFECT_OBJECT}, {"s", EFFECT_SLOT},       {"null", EFFECT_NONE},
        {"data", EFFECT_NONE},    {"address", EFFECT_NONE}, {"member", EFFECT_NONE},
        {"slot", EFFECT_NONE},    {"whole", EFFECT_NONE},   {"in", EFFECT_NONE},
        {"reads", EFFECT_NONE},   {"holds", EFFECT_NONE},   {"fits", EFFECT_NONE},
        {"is", EFFECT_NONE},      {"of", EFFECT_NONE},      {"writes", EFFECT_NONE},
        {"changes", EFFECT_NONE}, {"enters", EFFECT_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].effect;
    return EFFECT_OTHER;
}

/* "2", "ret" and "..." of "2:i4(p)" and so on. */
static uint32_t slot_number(const char *index) {
    if (strncmp(index, "ret", 3) == 0) return NONE - 1;
    return index[0] == '.' ? NONE - 2 : (uint32_t)strtoul(index, NULL, 10);
}

static void follow(unifying *u, effect does, uint32_t number, uint32_t from, uint32_t to) {
    switch (does) {
        case EFFECT_SAME:
            unify(u, pointee(u, from), pointee(u, to));
            break;
        case EFFECT_CONTENT:
            unify(u, pointee(u, from), to);
            break;
        case EFFECT_OBJECT:
            unify(u, pointee(u, to), from);
            break;
        case EFFECT_SLOT:
            unify(u, slot_of(u, pointee(u, from), number), pointee(u, to));
            break;
        default:
            break;
    }
}

static void follow_label(unifying *u, uint32_t label) {
    effect does = effect_of(cflr_graph_label_name(u->graph, label));
    uint32_t number =
        does == EFFECT_SLOT ? slot_number(cflr_graph_label_index(u->graph, label)) : 0;
    uint64_t cursor = 0, count;
    uint32_t from;
    const uint32_t *to;
    if (does == EFFECT_OTHER) u->good = false;
    while (does != EFFECT_NONE && u->good &&
           (to = cflr_graph_next_row(u->graph, label, CFLR_OUT, &cursor, &from, &count)))
        for (uint64_t i = 0; i < count; i++) follow(u, does, number, from, to[i]);
}

/* A class for each vertex, and for each edge at most two pointees and a slot. */
static bool make_room(unifying *u) {
    cflr_apart *a = u->a;
    uint64_t edges = cflr_graph_edges(u->graph), n = cflr_graph_vertices(u->graph);
    uint64_t room = n + 3 * edges;
    if (room >= NONE) return false;
    u->room = (uint32_t)room;
    u->slot_room = (uint32_t)edges + 1;
    cflr_context *context = u->graph->context;
    a->parent = cflri_alloc_array(context, room, sizeof *a->parent);
    a->points_to = cflri_alloc_array(context, room, sizeof *a->points_to);
    a->slots = cflri_alloc_array(context, room, sizeof *a->slots);
    u->slot = cflri_alloc_array(context, u->slot_room, sizeof *u->slot);
    u->good = a->parent && a->points_to && a->slots && u->slot;
    for (uint64_t v = 0; v < n && u->good; v++) new_class(u);
    return u->good;
}

/* Where types tell the functions that are called, they do so of functions without model as well. */
static bool follows_all(const cflr_graph *graph) {
    bool follows = cflr_graph_outside(graph) == CFLR_NO_VERTEX;
    uint32_t n = has_call_types(graph) ? cflr_graph_functions(graph) : 0;
    for (uint32_t i = 1; i < n && follows; i++) {
        cflr_function_info info;
        cflr_graph_function(graph, i, &info);
        follows = info.body != CFLR_BODY_UNKNOWN || info.vertex == CFLR_NO_VERTEX;
    }
    return follows;
}

static void make(cflr_apart *a) {
    unifying u = {.graph = a->graph, .a = a};
    a->made = true;
    if (follows_all(a->graph) && make_room(&u)) {
        for (uint32_t label = 0; label < cflr_graph_labels(a->graph) && u.good; label++)
            follow_label(&u, label);
        a->known = u.good;
    }
    cflri_free(a->graph->context, u.slot);
    cflri_vec_free(a->graph->context, &u.pairs);
}

cflr_status cflr_apart_new(const cflr_graph *graph, cflr_apart **apart, cflr_error *error) {
    *apart = cflri_alloc_zero(graph->context, sizeof **apart);
    if (!*apart) return cflri_fail_memory(graph->context, error);
    (*apart)->graph = graph;
    return CFLR_OK;
}

void cflr_apart_free(cflr_apart *apart) {
    if (!apart) return;
    cflr_context *context = apart->graph->context;
    cflri_free(context, apart->parent);
    cflri_free(context, apart->points_to);
    cflri_free(context, apart->slots);
    cflri_free(context, apart);
}

/* Of an object: no other value is ever there. */
static bool is_address(const cflr_graph *graph, uint32_t vertex) {
    uint32_t alloc = cflr_graph_find_label(graph, "alloc", "");
    cflr_vertex_info info;
    uint64_t n = 0;
    cflr_graph_vertex(graph, vertex, &info);
    if (info.kind == CFLR_VERTEX_ADDRESS && alloc != CFLR_NO_LABEL)
        cflr_graph_row(graph, alloc, CFLR_IN, vertex, &n);
    return n > 0;
}

bool cflr_apart_are(cflr_apart *a, const uint32_t *p, size_t n_p, const uint32_t *q, size_t n_q) {
    if (!a->made) make(a);
    bool are = a->known;
    for (size_t i = 0; i < n_p && are; i++)
        for (size_t k = 0; k < n_q && are; k++) {
            uint32_t x = a->points_to[find(a, p[i])], y = a->points_to[find(a, q[k])];
            are = x == NONE || y == NONE || find(a, x) != find(a, y) ||
                  (is_address(a->graph, p[i]) && is_address(a->graph, q[k]));
        }
    return are;
}

/* Is the object one that the pointers may point to, as far as classes tell? */
static bool is_meant(cflr_apart *a, const uint32_t *pointers, size_t n, uint32_t object) {
    bool meant = false;
    for (size_t i = 0; i < n && !meant; i++) {
        if (is_address(a->graph, pointers[i])) continue;
        uint32_t to = a->points_to[find(a, pointers[i])];
        meant = to != NONE && find(a, to) == find(a, object);
    }
    return meant;
}

bool cflr_apart_has_all(cflr_apart *a, const uint32_t *pointers, size_t n_pointers,
                        const uint32_t *objects, size_t n_objects) {
    uint32_t alloc = cflr_graph_find_label(a->graph, "alloc", ""), object;
    uint64_t cursor = 0, count;
    if (!a->made) make(a);
    bool all = a->known && alloc != CFLR_NO_LABEL;
    while (all && cflr_graph_next_row(a->graph, alloc, CFLR_OUT, &cursor, &object, &count)) {
        bool listed = !is_meant(a, pointers, n_pointers, object);
        for (size_t i = 0; i < n_objects && !listed; i++) listed = objects[i] == object;
        all = listed;
    }
    return all;
}
