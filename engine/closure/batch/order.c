/* SPDX-License-Identifier: Apache-2.0
 *
 * order.c: the components of a graph, each before the components that it leads to.
 *
 * A node is placed when all nodes that lead to it are placed (Kahn 1962). A thread continues with
 * the targets of the node that it placed last, so the order follows one path after the other:
 *
 *     0 --> 1 --> 2 --> 5        order: 0 1 3 4 2 5
 *      \     \     ^
 *       \     3 --> 4 <--> ...
 *
 * A loop that processes nodes in this order finds the next ones in the caches. Several threads
 * place nodes together. Each fills its own stretch of the order, and hands nodes that are ready to
 * threads that have none. So an edge from one stretch to another may lead backwards. That costs no
 * more than processing both stretches at the same time.
 *
 * A node that a cycle leads to is never ready. But most such nodes lead to no cycle themselves,
 * which the same algorithm finds from the other end. They are placed behind the nodes that are
 * left:
 *
 *     ahead              left                     behind
 *     0 1 3 4 2   {7 9} 8 {10 12 11}     13 17 14 15 16
 *                 cycles, and nodes between them
 *
 * For the other end, the edges among the nodes that are not ahead are stored once more, reversed
 * and with numbers among these nodes. One thread finds the components of the nodes that are left,
 * by Tarjan's algorithm.
 *
 * O(nodes + edges).
 */
#include "engine/closure/batch/order.h"

#include <string.h>

#include "base/components.h"

typedef cflri_order_part part;

static void refuse(cflri_order *o) {
    atomic_store_explicit(&o->refused, true, memory_order_relaxed);
}

static bool is_refused(const cflri_order *o) {
    return atomic_load_explicit(&o->refused, memory_order_relaxed);
}

/* ---- memory ---- */

bool cflri_order_begin(cflri_order *o, cflr_context *context, uint32_t n, uint64_t targets,
                       uint32_t threads) {
    size_t room = (size_t)n + 1;
    *o = (cflri_order){.context = context, .n = n, .threads = threads};
    o->begin = cflri_alloc_array(context, room, sizeof *o->begin);
    o->target = cflri_alloc_array(context, targets + 1, sizeof *o->target);
    o->part = cflri_alloc_array_zero(context, threads, sizeof *o->part);
    o->alone = cflri_alloc_array_zero(context, room, sizeof *o->alone);
    if (!o->begin || !o->target || !o->part || !o->alone) return false;
    o->begin[n] = targets;
    cflri_bag_init(&o->ready, context, threads);
    return true;
}

/* Done by one thread, when the caller has written the graph and freed what it was made of. */
static void begin_finding(part *p) {
    cflri_order *o = p->order;
    size_t room = (size_t)o->n + 1;
    if (p->self) return;
    o->component = cflri_alloc_array(o->context, room, sizeof *o->component);
    o->first = cflri_alloc_array_zero(o->context, room + 1, sizeof *o->first);
    o->member = cflri_alloc_array(o->context, room, sizeof *o->member);
    o->entering = cflri_alloc_array_zero(o->context, room, sizeof *o->entering);
    if (!o->component || !o->first || !o->member || !o->entering) refuse(o);
}

/* Frees what only finding needs and takes most: as many words as there are edges. */
static void end_finding(cflri_order *o) {
    cflri_free(o->context, (void *)o->entering);
    cflri_free(o->context, o->rest);
    cflri_free(o->context, o->turned);
    cflri_free(o->context, o->source);
    cflri_free(o->context, (void *)o->leaving);
    o->entering = o->leaving = NULL;
    o->rest = o->source = NULL;
    o->turned = NULL;
}

void cflri_order_free(cflri_order *o) {
    end_finding(o);
    for (uint32_t i = 0; o->part && i < o->threads; i++) {
        cflri_vec_free(o->context, &o->part[i].ready);
        cflri_vec_free(o->context, &o->part[i].rest);
    }
    cflri_bag_free(&o->ready);
    cflri_free(o->context, o->part);
    cflri_free(o->context, o->alone);
    cflri_free(o->context, o->begin);
    cflri_free(o->context, o->target);
    cflri_free(o->context, o->component);
    cflri_free(o->context, o->first);
    cflri_free(o->context, o->member);
    *o = (cflri_order){0};
}

uint64_t cflri_order_bytes(const cflri_order *o) {
    uint64_t bytes = cflri_block_bytes(o->part) + cflri_block_bytes(o->entering) +
                     cflri_block_bytes(o->alone) + cflri_block_bytes(o->begin) +
                     cflri_block_bytes(o->target) + cflri_block_bytes(o->component) +
                     cflri_block_bytes(o->first) + cflri_block_bytes(o->member) +
                     cflri_block_bytes(o->rest) + cflri_block_bytes(o->turned) +
                     cflri_block_bytes(o->source) + cflri_block_bytes(o->leaving) +
                     cflri_block_bytes(o->ready.item.at);
    for (uint32_t i = 0; o->part && i < o->threads; i++) {
        const cflri_order_part *own = &o->part[i];
        bytes += cflri_block_bytes(own->ready.at) + cflri_block_bytes(own->rest.at);
    }
    return bytes;
}

/* ---- placing nodes ---- */

/* A direction in which to place nodes. A node is ready when no edge that leads to it is missing. */
typedef struct line {
    const uint64_t *begin;
    const uint32_t *to;
    _Atomic uint32_t *missing;
} line;

static line line_ahead(const cflri_order *o) {
    return (line){o->begin, o->target, o->entering};
}

static line line_back(const cflri_order *o) {
    return (line){o->turned, o->source, o->leaving};
}

/* With one thread, counting needs no atomic addition. */
static void count(const cflri_order *o, _Atomic uint32_t *missing) {
    if (o->threads > 1) {
        atomic_fetch_add_explicit(missing, 1, memory_order_relaxed);
    } else {
        atomic_store_explicit(missing, *missing + 1, memory_order_relaxed);
    }
}

/* Counts the edges of a node as missing at their targets. */
static void count_edges_of(const cflri_order *o, uint32_t node) {
    for (uint64_t t = o->begin[node]; t < o->begin[node + 1]; t++) {
        if (o->target[t] != node) count(o, &o->entering[o->target[t]]);
    }
}

/* Returns how many are still missing. */
static uint32_t count_down(const cflri_order *o, _Atomic uint32_t *missing) {
    if (o->threads > 1) return atomic_fetch_sub_explicit(missing, 1, memory_order_relaxed) - 1;
    uint32_t left = *missing - 1;
    atomic_store_explicit(missing, left, memory_order_relaxed);
    return left;
}

static bool push(cflri_order *o, cflri_numbers *list, uint32_t node) {
    if (cflri_vec_push(o->context, list, node)) return true;
    refuse(o);
    return false;
}

/* Finds the nodes that are ready from the beginning. The first one will be placed first. */
static void find_ready(part *p, line l, uint32_t first, uint32_t end) {
    for (uint32_t i = end; i-- > first;) {
        if (!l.missing[i] && !push(p->order, &p->ready, i)) return;
    }
}

static void append(const cflri_order *o, cflri_order_line *list, uint32_t node) {
    if (list->n++) {
        o->component[list->last] = node;
    } else {
        list->first = node;
    }
    list->last = node;
}

/* Without a list, it is only known of the node that it is not missing. */
static bool put_in_line(part *p, line l, cflri_order_line *list, uint32_t node) {
    cflri_order *o = p->order;
    if (list) append(o, list, node);
    for (uint64_t t = l.begin[node]; t < l.begin[node + 1]; t++) {
        uint32_t to = l.to[t];
        if (to != node && !count_down(o, &l.missing[to]) && !push(o, &p->ready, to)) return false;
    }
    return true;
}

static bool put_ready(part *p, line l, cflri_order_line *list) {
    while (p->ready.n) {
        if (!cflri_bag_share(&p->order->ready, &p->ready)) return false;
        if (!put_in_line(p, l, list, p->ready.at[--p->ready.n])) return false;
    }
    return true;
}

/* Places nodes until no thread has a node to place. */
static void put_all(part *p, line l, cflri_order_line *list) {
    bool goes_on;
    do {
        goes_on = put_ready(p, l, list) && cflri_bag_take(&p->order->ready, &p->ready);
    } while (goes_on && p->ready.n);
    if (goes_on) return;
    refuse(p->order);
    cflri_bag_end(&p->order->ready);
}

/* Makes each node a component: numbers ascend from `number` on, places among all nodes from `place`
 * on. */
static void number_line(cflri_order *o, const cflri_order_line *list, uint32_t number,
                        uint32_t place) {
    for (uint32_t i = 0, node = list->first, next; i < list->n; i++, node = next) {
        next = o->component[node];
        o->component[node] = number + i;
        o->member[place + i] = node;
        o->first[number + i] = place + i;
    }
}

/* ---- ahead ---- */

static void count_entering(part *p) {
    for (uint32_t i = p->first; i < p->end; i++) count_edges_of(p->order, i);
}

static void find_ahead(part *p) {
    find_ready(p, line_ahead(p->order), p->first, p->end);
}

static void put_ahead(part *p) {
    put_all(p, line_ahead(p->order), &p->ahead);
}

static void number_ahead(part *p) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < p->self; i++) before += p->order->part[i].ahead.n;
    number_line(p->order, &p->ahead, before, before);
}

/* ---- the rest, from the other end ---- */

/* Only nodes that a cycle leads to still have entering edges. Their edges lead only to each
 * other. */
static void list_rest(part *p) {
    const _Atomic uint32_t *entering = p->order->entering;
    p->turned_at = 0; /* a count, for now */
    for (uint32_t i = p->first; i < p->end; i++) {
        if (!entering[i]) continue;
        if (!push(p->order, &p->rest, i)) return;
        p->turned_at += entering[i];
    }
}

/* Done by one thread. */
static void begin_rest(part *p) {
    cflri_order *o = p->order;
    uint64_t edges = 0;
    if (p->self) return;
    for (uint32_t i = 0; i < o->threads; i++) {
        uint64_t own = o->part[i].turned_at;
        o->part[i].turned_at = edges;
        o->part[i].rest_at = o->n_rest;
        o->n_rest += (uint32_t)o->part[i].rest.n;
        edges += own;
    }
    o->rest = cflri_alloc_array(o->context, (size_t)o->n_rest + 1, sizeof *o->rest);
    o->turned = cflri_alloc_array(o->context, (size_t)o->n_rest + 1, sizeof *o->turned);
    o->source = cflri_alloc_array(o->context, edges + 1, sizeof *o->source);
    o->leaving = cflri_alloc_array_zero(o->context, (size_t)o->n_rest + 1, sizeof *o->leaving);
    if (!o->rest || !o->turned || !o->source || !o->leaving) {
        refuse(o);
        return;
    }
    o->turned[o->n_rest] = edges;
    cflri_bag_begin(&o->ready);
}

static void number_rest(part *p) {
    cflri_order *o = p->order;
    uint64_t at = p->turned_at;
    for (uint32_t i = 0; i < p->rest.n; i++) {
        uint32_t node = p->rest.at[i], number = p->rest_at + i;
        o->rest[number] = node;
        o->component[node] = number;
        o->turned[number] = at;
        at += o->entering[node];
    }
}

/* The entering edges of a node are filled in from the last one on, in the order in which threads
 * come: `entering` is the number of edges still to fill in. */
static void turn_edges(part *p) {
    const cflri_order *o = p->order;
    for (uint32_t i = 0; i < p->rest.n; i++) {
        uint32_t node = p->rest.at[i], number = p->rest_at + i, n = 0;
        for (uint64_t t = o->begin[node]; t < o->begin[node + 1]; t++) {
            uint32_t to = o->target[t];
            if (to == node) continue;
            o->source[o->turned[o->component[to]] + count_down(o, &o->entering[to])] = number;
            n++;
        }
        atomic_store_explicit(&o->leaving[number], n, memory_order_relaxed);
    }
    find_ready(p, line_back(o), p->rest_at, p->rest_at + (uint32_t)p->rest.n);
}

static void put_back(part *p) {
    put_all(p, line_back(p->order), NULL);
}

/* ---- the nodes that are left ---- */

static bool list_left(cflri_order *o, cflri_numbers *left) {
    for (uint32_t i = 0; i < o->n_rest; i++) {
        uint32_t node = o->rest[i];
        if (!o->leaving[i]) {
            o->component[node] = UINT32_MAX; /* not among the nodes that are left */
        } else if (!push(o, left, node)) {
            return false;
        }
    }
    return true;
}

/* Places the nodes that are left behind the nodes ahead, by component. Each component comes before
 * those that it leads to. */
static void place_left(cflri_order *o, const cflri_numbers *left, uint32_t n_components) {
    uint32_t ahead = o->n - o->n_rest;
    uint32_t *first = o->first + ahead; /* shifted by one while it is filled */
    for (size_t i = 0; i < left->n; i++) {
        uint32_t c = n_components - 1 - o->component[left->at[i]];
        o->component[left->at[i]] = ahead + c;
        first[c + 1]++;
    }
    first[0] = ahead;
    for (uint32_t c = 0; c < n_components; c++) first[c + 1] += first[c];
    for (size_t i = left->n; i-- > 0;) {
        o->member[--o->first[o->component[left->at[i]] + 1]] = left->at[i];
    }
    memmove(first, first + 1, n_components * sizeof *first);
}

/* Done by one thread. */
static void find_left(part *p) {
    cflri_order *o = p->order;
    const cflri_successors graph = {o->n, o->begin, o->target, o->alone};
    cflri_numbers left = {0};
    uint32_t n_components = 0;
    if (p->self) return;
    if (list_left(o, &left) && cflri_components_of(o->context, &graph, left.at, (uint32_t)left.n,
                                                   o->component, &n_components, NULL) == CFLR_OK) {
        o->n_behind = o->n_rest - (uint32_t)left.n;
        o->n_components = o->n - o->n_rest + n_components + o->n_behind;
        place_left(o, &left, n_components);
        o->first[o->n_components] = o->n;
    } else {
        refuse(o);
    }
    cflri_vec_free(o->context, &left);
}

/* ---- behind ---- */

/* Nodes that lead to no cycle are placed in the same way as the nodes ahead: only edges among them
 * are missing now. */
static void count_behind(part *p) {
    const cflri_order *o = p->order;
    for (uint32_t i = p->rest_at; i < p->rest_at + p->rest.n; i++) {
        if (!o->leaving[i]) count_edges_of(o, o->rest[i]);
    }
}

static void find_behind(part *p) {
    cflri_order *o = p->order;
    if (!p->self) cflri_bag_begin(&o->ready);
    for (uint32_t i = p->rest_at; i < p->rest_at + p->rest.n; i++) {
        uint32_t node = o->rest[i];
        if (!o->leaving[i] && !o->entering[node] && !push(o, &p->ready, node)) return;
    }
}

static void put_behind(part *p) {
    put_all(p, line_ahead(p->order), &p->behind);
}

static void number_behind(part *p) {
    cflri_order *o = p->order;
    uint32_t before = 0;
    for (uint32_t i = 0; i < p->self; i++) before += o->part[i].behind.n;
    number_line(o, &p->behind, o->n_components - o->n_behind + before, o->n - o->n_behind + before);
}

/* ---- all ---- */

static void tell_apart(cflri_order *o) {
    for (uint32_t i = 0; i <= o->n; i++) o->first[i] = i;
    for (uint32_t i = 0; i < o->n; i++) o->component[o->member[i]] = i;
    o->n_components = o->n;
}

bool cflri_order_find(cflri_order *o, cflri_crew *crew, cflri_share own, uint32_t self,
                      bool merges) {
    static void (*const phases[])(part *) = {
        begin_finding, count_entering, find_ahead,  put_ahead,  number_ahead,
        list_rest,     begin_rest,     number_rest, turn_edges, put_back,
        count_behind,  find_left,      find_behind, put_behind, number_behind,
    };
    part *p = &o->part[self];
    *p = (part){.order = o, .self = self, .first = (uint32_t)own.begin, .end = (uint32_t)own.end};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (!is_refused(o)) phases[i](p);
        cflri_crew_wait(crew);
    }
    if (!merges && !self && !is_refused(o)) tell_apart(o);
    if (!self) end_finding(o);
    cflri_crew_wait(crew);
    return !is_refused(o);
}
