/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_order.c: components of a graph, and their ranks.
 *
 * One thread takes the order in which Tarjan's algorithm closes components, backwards: it goes down one path after
 * the other, which leaves in the caches what comes next.
 *
 * Several threads want many nodes of one rank, so a rank is the length of the longest way to a component. They
 * find it level by level (Kahn 1962):
 *
 *     0 --> 1 --> 2         a node to which nothing leads that has no level gets the next one
 *      \---------^ \
 *                   v
 *                  ( cycle ) --> rest
 *
 * What a cycle leads to gets no level that way. It is what is left for one thread: its components, then
 * their ranks, beginning from the levels around it. In loops there is little of it, since most cycles have been
 * merged before.
 *
 * O(nodes + edges).
 */
#include "engine/closure/batch_order.h"

#include <string.h>

#include "base/components.h"

enum { HANDFUL = 64 };

/* ---- room ---- */

static bool begin_threads(cflri_order *o, uint32_t threads) {
    o->threads = threads;
    if (threads < 2) return true;
    size_t n = (size_t)o->n + 1;
    o->part = cflri_alloc_array_zero(o->context, threads, sizeof *o->part);
    o->entering = cflri_alloc_array_zero(o->context, n, sizeof *o->entering);
    o->level = cflri_alloc_array_zero(o->context, n, sizeof *o->level);
    return o->part && o->entering && o->level;
}

bool cflri_order_begin(cflri_order *o, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads) {
    size_t room = (size_t)n + 2; /* there are at most so many components */
    *o = (cflri_order){.context = context, .n = n};
    o->begin = cflri_alloc_array(context, room, sizeof *o->begin);
    o->target = cflri_alloc_array(context, targets + 1, sizeof *o->target);
    o->component = cflri_alloc_array(context, room, sizeof *o->component);
    o->first = cflri_alloc_array_zero(context, room, sizeof *o->first);
    o->member = cflri_alloc_array(context, room, sizeof *o->member);
    o->rank = cflri_alloc_array_zero(context, room, sizeof *o->rank);
    if (!o->begin || !o->target || !o->component || !o->first || !o->member || !o->rank) {
        return false;
    }
    o->begin[n] = targets;
    return begin_threads(o, threads);
}

void cflri_order_free(cflri_order *o) {
    for (uint32_t i = 0; o->part && i < o->threads; i++) {
        cflri_vec_free(o->context, &o->part[i].front);
        cflri_vec_free(o->context, &o->part[i].next);
        cflri_vec_free(o->context, &o->part[i].levelled);
    }
    cflri_free(o->context, o->part);
    cflri_free(o->context, (void *)o->entering);
    cflri_free(o->context, (void *)o->level);
    cflri_free(o->context, o->begin);
    cflri_free(o->context, o->target);
    cflri_free(o->context, o->component);
    cflri_free(o->context, o->first);
    cflri_free(o->context, o->member);
    cflri_free(o->context, o->rank);
    *o = (cflri_order){0};
}

/* ---- levels ---- */

static void push(cflri_order *o, cflri_order_part *part, cflri_order_nodes *list, uint32_t node) {
    if (!cflri_vec_push(o->context, list, node)) part->refused = true;
}

static void count_entering(cflri_order *o, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        for (uint64_t t = o->begin[i]; t < o->begin[i + 1]; t++) {
            if (o->target[t] == i) continue;
            atomic_fetch_add_explicit(&o->entering[o->target[t]], 1, memory_order_relaxed);
        }
    }
}

/* All that leads to a node in this level writes the same level there; the last one has the node. */
static void work_off(cflri_order *o, cflri_order_part *part, uint32_t node, uint32_t level) {
    push(o, part, &part->levelled, node);
    for (uint64_t t = o->begin[node]; t < o->begin[node + 1]; t++) {
        uint32_t to = o->target[t];
        if (to == node) continue;
        atomic_store_explicit(&o->level[to], level + 1, memory_order_relaxed);
        if (atomic_fetch_sub_explicit(&o->entering[to], 1, memory_order_relaxed) == 1) {
            push(o, part, &part->next, to);
        }
    }
}

/* The nodes of a level, those of the own front first. */
static void work_level(cflri_order *o, uint32_t self, uint32_t level) {
    for (uint32_t i = 0; i < o->threads; i++) {
        cflri_order_part *whose = &o->part[(self + i) % o->threads];
        for (size_t at, end; cflri_chunks_next(&whose->deal, &at, &end);) {
            for (; at < end; at++) work_off(o, &o->part[self], whose->front.at[at], level);
        }
    }
}

static bool has_level(const cflri_order *o) {
    for (uint32_t i = 0; i < o->threads; i++) {
        if (o->part[i].front.n) return true;
    }
    return false;
}

/* Each is a component. */
static void number_levelled(cflri_order *o, uint32_t self) {
    const cflri_order_nodes *own = &o->part[self].levelled;
    uint32_t number = 0;
    for (uint32_t i = 0; i < self; i++) number += (uint32_t)o->part[i].levelled.n;
    for (size_t i = 0; i < own->n; i++, number++) {
        o->component[own->at[i]] = number;
        o->member[number] = own->at[i];
        o->first[number] = number;
        o->rank[number] = o->level[own->at[i]];
    }
}

void cflri_order_levels(cflri_order *o, cflri_crew *crew, uint32_t self, uint32_t first,
                        uint32_t end) {
    cflri_order_part *part = &o->part[self];
    count_entering(o, first, end);
    cflri_crew_wait(crew);
    for (uint32_t i = first; i < end; i++) {
        if (!o->entering[i]) push(o, part, &part->front, i);
    }
    for (uint32_t level = 0;; level++) {
        part->deal = (cflri_chunks){.n = part->front.n, .handful = HANDFUL};
        cflri_crew_wait(crew);
        if (!has_level(o)) break;
        work_level(o, self, level);
        cflri_crew_wait(crew);
        cflri_order_nodes done = part->front;
        part->front = part->next;
        part->next = done;
        part->next.n = 0;
    }
    number_levelled(o, self);
}

/* ---- what has no level ---- */

/* The nodes without a level, and what they lead to, which has none either; or the whole graph. */
typedef struct rest {
    cflri_order *o;
    uint32_t n;
    cflri_order_nodes node; /* empty: all */
    uint32_t *number;       /* of each node among them */
    CFLRI_VEC(uint64_t) begin;
    cflri_order_nodes target;
    uint32_t *component;
    uint32_t n_components;
} rest;

static uint32_t node_at(const rest *r, uint32_t i) {
    return r->node.at ? r->node.at[i] : i;
}

static bool list_nodes(rest *r) {
    cflri_order *o = r->o;
    r->number = cflri_alloc_array(o->context, (size_t)o->n + 1, sizeof *r->number);
    if (!r->number || !cflri_vec_reserve(o->context, &r->node, 1)) return false;
    for (uint32_t i = 0; i < o->n; i++) {
        if (!o->entering[i]) continue;
        r->number[i] = (uint32_t)r->node.n;
        if (!cflri_vec_push(o->context, &r->node, i)) return false;
    }
    r->n = (uint32_t)r->node.n;
    return true;
}

static bool list_targets(rest *r) {
    cflri_order *o = r->o;
    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t begin = o->begin[r->node.at[i]], end = o->begin[r->node.at[i] + 1];
        if (!cflri_vec_push(o->context, &r->begin, r->target.n) ||
            !cflri_vec_reserve(o->context, &r->target, end - begin)) {
            return false;
        }
        for (uint64_t t = begin; t < end; t++) {
            r->target.at[r->target.n++] = r->number[o->target[t]];
        }
    }
    return cflri_vec_push(o->context, &r->begin, r->target.n);
}

static bool find_components(rest *r) {
    cflri_order *o = r->o;
    bool all = !r->node.at;
    const cflri_successors graph = {r->n, all ? o->begin : r->begin.at,
                                    all ? o->target : r->target.at};
    r->component = cflri_alloc_array(o->context, (size_t)r->n + 1, sizeof *r->component);
    return r->component &&
           cflri_components(o->context, &graph, r->component, &r->n_components, NULL) == CFLR_OK;
}

/* Behind those with levels, the nodes by component; what leads to a component stands before it. */
static void sort_members(rest *r) {
    cflri_order *o = r->o;
    uint32_t levelled = o->n - r->n;
    uint32_t *first = o->first + levelled; /* one ahead while it is filled */
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t c = r->n_components - 1 - r->component[i];
        o->component[node_at(r, i)] = levelled + c;
        first[c + 1]++;
    }
    first[0] = levelled;
    for (uint32_t c = 0; c < r->n_components; c++) first[c + 1] += first[c];
    for (uint32_t i = r->n; i-- > 0;) {
        uint32_t node = node_at(r, i);
        o->member[--o->first[o->component[node] + 1]] = node;
    }
    memmove(first, first + 1, r->n_components * sizeof *first);
    first[r->n_components] = o->n;
    o->n_components = levelled + r->n_components;
}

static void raise_rank(cflri_order *o, uint32_t component, uint32_t rank) {
    if (o->rank[component] < rank) o->rank[component] = rank;
}

/* The longest way to each component of the rest. */
static void rank_rest(const rest *r) {
    cflri_order *o = r->o;
    uint32_t levelled = o->n - r->n;
    for (uint32_t i = levelled; i < o->n; i++) {
        raise_rank(o, o->component[o->member[i]], o->level[o->member[i]]);
    }
    for (uint32_t i = levelled; i < o->n; i++) {
        uint32_t node = o->member[i], component = o->component[node];
        for (uint64_t t = o->begin[node]; t < o->begin[node + 1]; t++) {
            uint32_t to = o->component[o->target[t]];
            if (to != component) raise_rank(o, to, o->rank[component] + 1);
        }
    }
}

static void rank_in_line(cflri_order *o) {
    for (uint32_t i = 0; i < o->n_components; i++) o->rank[i] = i;
}

static bool order_rest(cflri_order *o) {
    rest r = {.o = o, .n = o->n};
    bool alone = o->threads < 2;
    bool done = (alone || (list_nodes(&r) && list_targets(&r))) && find_components(&r);
    if (done) {
        sort_members(&r);
        if (alone) {
            rank_in_line(o);
        } else {
            rank_rest(&r);
        }
    }
    cflri_vec_free(o->context, &r.node);
    cflri_free(o->context, r.number);
    cflri_vec_free(o->context, &r.begin);
    cflri_vec_free(o->context, &r.target);
    cflri_free(o->context, r.component);
    return done;
}

static bool tell_apart(cflri_order *o) {
    uint32_t *rank = cflri_alloc_array(o->context, (size_t)o->n + 2, sizeof *rank);
    if (!rank) return false;
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t node = o->member[i];
        rank[i] = o->rank[o->component[node]];
        o->component[node] = i;
        o->first[i] = i;
    }
    o->first[o->n] = o->n;
    o->n_components = o->n;
    cflri_free(o->context, o->rank);
    o->rank = rank;
    return true;
}

bool cflri_order_end(cflri_order *o, bool merges) {
    for (uint32_t i = 0; o->part && i < o->threads; i++) {
        if (o->part[i].refused) return false;
    }
    if (!order_rest(o)) return false;
    for (uint32_t i = 0; i < o->n_components; i++) {
        if (o->n_ranks <= o->rank[i]) o->n_ranks = o->rank[i] + 1;
    }
    return merges || tell_apart(o);
}
