/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_order.c: components of a graph, each before what it leads to.
 *
 * A node is put in line when all that leads to it is there (Kahn 1962), and who was put there last goes on with what
 * it leads to, so that the line goes down one path after the other:
 *
 *     0 --> 1 --> 2 --> 5        line: 0 1 3 4 2 5
 *      \     \     ^
 *       \     3 --> 4 <--> ...
 *
 * What works a loop off in this order finds in the caches what comes next. Several threads put nodes in line together;
 * each has its own stretch of it, and hands what is ready to those that have nothing to do. So an edge from one
 * stretch to another may lead back. That costs no more than that both stretches are worked off at the same time.
 *
 * What a cycle leads to is never ready. It is left to one thread, which finds its components by Tarjan's algorithm.
 * In loops there is little of it, since most cycles have been merged before.
 *
 * O(nodes + edges).
 */
#include "engine/closure/batch_order.h"

#include <string.h>

#include "base/components.h"

/* ---- room ---- */

bool cflri_order_begin(cflri_order *o, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads) {
    size_t room = (size_t)n + 1;
    *o = (cflri_order){.context = context, .n = n, .threads = threads};
    o->begin = cflri_alloc_array(context, room, sizeof *o->begin);
    o->target = cflri_alloc_array(context, targets + 1, sizeof *o->target);
    o->component = cflri_alloc_array(context, room, sizeof *o->component);
    o->first = cflri_alloc_array_zero(context, room + 1, sizeof *o->first);
    o->member = cflri_alloc_array(context, room, sizeof *o->member);
    o->part = cflri_alloc_array_zero(context, threads, sizeof *o->part);
    o->entering = cflri_alloc_array_zero(context, room, sizeof *o->entering);
    if (!o->begin || !o->target || !o->component || !o->first || !o->member || !o->part ||
        !o->entering) {
        return false;
    }
    o->begin[n] = targets;
    cflri_bag_init(&o->ready, context, threads);
    return true;
}

void cflri_order_free(cflri_order *o) {
    for (uint32_t i = 0; o->part && i < o->threads; i++) {
        cflri_vec_free(o->context, &o->part[i].ready);
        cflri_vec_free(o->context, &o->part[i].in_line);
        cflri_vec_free(o->context, &o->part[i].rest);
    }
    cflri_bag_free(&o->ready);
    cflri_free(o->context, o->part);
    cflri_free(o->context, (void *)o->entering);
    cflri_free(o->context, o->begin);
    cflri_free(o->context, o->target);
    cflri_free(o->context, o->component);
    cflri_free(o->context, o->first);
    cflri_free(o->context, o->member);
    *o = (cflri_order){0};
}

/* ---- the line ---- */

/* One thread counts without the price of what several must do. */
static void count(const cflri_order *o, uint32_t node) {
    _Atomic uint32_t *entering = &o->entering[node];
    if (o->threads > 1) {
        atomic_fetch_add_explicit(entering, 1, memory_order_relaxed);
    } else {
        atomic_store_explicit(entering, *entering + 1, memory_order_relaxed);
    }
}

/* Did the last edge lead to the node? */
static bool count_down(const cflri_order *o, uint32_t node) {
    _Atomic uint32_t *entering = &o->entering[node];
    if (o->threads > 1) {
        return atomic_fetch_sub_explicit(entering, 1, memory_order_relaxed) == 1;
    }
    atomic_store_explicit(entering, *entering - 1, memory_order_relaxed);
    return !*entering;
}

static void count_entering(const cflri_order *o, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        for (uint64_t t = o->begin[i]; t < o->begin[i + 1]; t++) {
            if (o->target[t] != i) count(o, o->target[t]);
        }
    }
}

static bool push(cflri_order *o, cflri_order_part *part, cflri_order_nodes *list, uint32_t node) {
    part->refused |= !cflri_vec_push(o->context, list, node);
    return !part->refused;
}

/* What nothing leads to; the first one comes first. */
static bool find_roots(cflri_order *o, cflri_order_part *part, uint32_t first, uint32_t end) {
    for (uint32_t i = end; i-- > first;) {
        if (!o->entering[i] && !push(o, part, &part->ready, i)) return false;
    }
    return true;
}

static bool put_in_line(cflri_order *o, cflri_order_part *part, uint32_t node) {
    if (!push(o, part, &part->in_line, node)) return false;
    for (uint64_t t = o->begin[node]; t < o->begin[node + 1]; t++) {
        uint32_t to = o->target[t];
        if (to != node && count_down(o, to) && !push(o, part, &part->ready, to)) return false;
    }
    return true;
}

/* Half of what is ready goes to those that have nothing to do: what would have come last. */
static bool share(cflri_order *o, cflri_order_part *part) {
    cflri_order_nodes *ready = &part->ready;
    size_t half = ready->n / 2;
    if (!half || !cflri_bag_is_wanted(&o->ready)) return true;
    part->refused |= !cflri_bag_put(&o->ready, ready->at, half);
    ready->n -= half;
    memmove(ready->at, ready->at + half, ready->n * sizeof *ready->at);
    return !part->refused;
}

static bool work_ready(cflri_order *o, cflri_order_part *part) {
    while (part->ready.n) {
        if (!share(o, part) || !put_in_line(o, part, part->ready.at[--part->ready.n])) return false;
    }
    return true;
}

static bool take(cflri_order *o, cflri_order_part *part) {
    uint32_t item[CFLRI_BAG_HANDFUL];
    size_t n = cflri_bag_take(&o->ready, item);
    for (size_t i = 0; i < n; i++) {
        if (!push(o, part, &part->ready, item[i])) return false;
    }
    return n > 0;
}

/* Each is a component. */
static void number_line(cflri_order *o, uint32_t self) {
    const cflri_order_nodes *own = &o->part[self].in_line;
    uint32_t number = 0;
    for (uint32_t i = 0; i < self; i++) number += (uint32_t)o->part[i].in_line.n;
    for (size_t i = 0; i < own->n; i++, number++) {
        o->component[own->at[i]] = number;
        o->member[number] = own->at[i];
        o->first[number] = number;
    }
}

/* The nodes that a cycle leads to, and no others, still have edges that enter. They lead to each other only. */
static void list_rest(cflri_order *o, cflri_order_part *part, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        if (o->entering[i] && !push(o, part, &part->rest, i)) return;
    }
}

void cflri_order_line(cflri_order *o, cflri_crew *crew, uint32_t self, uint32_t first,
                      uint32_t end) {
    cflri_order_part *part = &o->part[self];
    count_entering(o, first, end);
    cflri_crew_wait(crew);
    bool goes_on = find_roots(o, part, first, end);
    cflri_crew_wait(crew);
    while (goes_on) goes_on = work_ready(o, part) && take(o, part);
    if (part->refused) cflri_bag_end(&o->ready);
    cflri_crew_wait(crew);
    number_line(o, self);
    list_rest(o, part, first, end);
}

/* ---- what is not in line ---- */

/* Behind those in line, the nodes by component; what leads to a component stands before it. */
static void sort_rest(cflri_order *o, const uint32_t *rest, uint32_t n, uint32_t n_components) {
    uint32_t in_line = o->n - n;
    uint32_t *first = o->first + in_line; /* one ahead while it is filled */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = n_components - 1 - o->component[rest[i]];
        o->component[rest[i]] = in_line + c;
        first[c + 1]++;
    }
    first[0] = in_line;
    for (uint32_t c = 0; c < n_components; c++) first[c + 1] += first[c];
    for (uint32_t i = n; i-- > 0;) {
        o->member[--o->first[o->component[rest[i]] + 1]] = rest[i];
    }
    memmove(first, first + 1, n_components * sizeof *first);
    first[n_components] = o->n;
    o->n_components = in_line + n_components;
}

static bool order_rest(cflri_order *o) {
    const cflri_successors graph = {o->n, o->begin, o->target};
    cflri_order_nodes rest = {0};
    uint32_t n_components = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < o->threads; i++) {
        const cflri_order_nodes *part = &o->part[i].rest;
        done = cflri_vec_reserve(o->context, &rest, part->n);
        if (!done || !part->n) continue;
        memcpy(rest.at + rest.n, part->at, part->n * sizeof *part->at);
        rest.n += part->n;
    }
    uint32_t n = (uint32_t)rest.n;
    done = done && cflri_components_of(o->context, &graph, rest.at, n, o->component, &n_components,
                                       NULL) == CFLR_OK;
    if (done) sort_rest(o, rest.at, n, n_components);
    cflri_vec_free(o->context, &rest);
    return done;
}

static void tell_apart(cflri_order *o) {
    for (uint32_t i = 0; i <= o->n; i++) o->first[i] = i;
    for (uint32_t i = 0; i < o->n; i++) o->component[o->member[i]] = i;
    o->n_components = o->n;
}

bool cflri_order_end(cflri_order *o, bool merges) {
    for (uint32_t i = 0; i < o->threads; i++) {
        if (o->part[i].refused) return false;
    }
    if (!order_rest(o)) return false;
    if (!merges) tell_apart(o);
    return true;
}
