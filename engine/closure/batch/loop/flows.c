/* SPDX-License-Identifier: Apache-2.0
 *
 * flows.c: the consequences of a row of a loop that has grown: it moves on by the equations, along
 * flows and through hubs and fans (loop.c).
 *
 * Other threads can find a hub before it is filled. So its flows are linked first, and the values
 * of the sources are read only then: any later value comes along the flow.
 */
#include "base/context.h"
#include "engine/closure/batch/loop/loop.h"
#include "engine/closure/batch/slice.h"

enum { DIRECT = 2 /* most new pairs of Q at once that need no hub */ };

/* Puts an entry, whose link is `next`, in front of a list. From then on other threads can see
 * it. */
static void push(const cflri_loop *l, _Atomic uint32_t *list, uint32_t entry, uint32_t *next) {
    uint32_t first = *next = atomic_load_explicit(list, memory_order_relaxed);
    if (!cflri_loop_is_shared(l)) {
        atomic_store_explicit(list, entry, memory_order_relaxed);
        return;
    }
    while (!atomic_compare_exchange_weak(list, &first, entry)) *next = first;
}

/* ---- flows ---- */

static bool link_flow(cflri_loop *l, uint32_t from, uint32_t to) {
    uint32_t flow;
    if (!cflri_draw_number(&l->all->flow, &l->flow_draw, UINT32_MAX, &flow))
        return cflri_batch_refused(l->b);
    cflri_flow *made = cflri_segment_at(&l->all->flow, cflri_flow, flow);
    made->to = to;
    push(l, &cflri_loop_at(l, from)->flows, flow, &made->next);
    l->flows++;
    return cflri_loop_know(l, from);
}

static bool add_flow(cflri_loop *l, uint32_t from, uint32_t to) {
    if (from == to) return true;
    return link_flow(l, from, to) && cflri_loop_wait(l, to, cflri_loop_value(l, from));
}

/* R(to) contains S(vertex) from now on. */
static bool flow_from(cflri_loop *l, uint32_t family, uint32_t vertex, uint32_t to) {
    cflri_batch *b = l->b;
    uint32_t from;
    if (cflri_batch_finished(b, family)) {
        from = cflri_batch_find(b, family, vertex);
        return from == CFLRI_NO_NODE || cflri_loop_wait(l, to, cflri_batch_value(b, from));
    }
    return cflri_loop_node(l, family, vertex, &from, NULL) && add_flow(l, from, to);
}

static bool hub_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *hub);

/* Finds the value of a hub that was complete before this stratum. */
static bool is_old_hub(const cflri_loop *l, uint32_t family, cflri_set_number set,
                       cflri_set_number *value) {
    uint32_t node = cflri_batch_find(l->b, cflri_batch_hub(l->b, family), set);
    if (node == CFLRI_NO_NODE || !cflri_batch_is_old(l->b, node)) return false;
    *value = cflri_batch_value(l->b, node);
    return true;
}

/* Other threads can find a hub as soon as it is made. Until it is filled, the empty set is pending
 * at it. So a thread that brings another set is not the first one and does not queue the hub, and
 * no other thread processes it. */
static const cflri_waits held = {CFLRI_EMPTY_SET, true, 0};

static bool hold_hub(cflri_loop *l, uint32_t hub) {
    atomic_store(&cflri_loop_at(l, hub)->waits, cflri_waits_word(held));
    return cflri_loop_rank(l, hub);
}

/* The hub is filled. Queues it if other threads have brought it sets meanwhile. */
static void let_hub_go(cflri_loop *l, uint32_t hub) {
    uint64_t word = cflri_waits_word(held);
    bool alone = atomic_compare_exchange_strong(&cflri_loop_at(l, hub)->waits, &word, 0);
    if (!alone && l->all->ordered) cflri_loop_queue(l, hub);
}

/* Links a flow from a node to a hub, gives the hub a rank that is not before the node's, and
 * appends the value of the node. */
static bool hub_has(cflri_loop *l, uint32_t hub, uint32_t from, cflri_set_list *values) {
    uint32_t rank = cflri_looped_rank(cflri_loop_at(l, from));
    cflri_looped *own = cflri_loop_at(l, hub);
    if (rank != CFLRI_UNRANKED && cflri_looped_rank(own) < rank)
        atomic_store_explicit(&own->rank, rank, memory_order_relaxed);
    return link_flow(l, from, hub) &&
           (cflri_vec_push(l->b->context, values, cflri_loop_value(l, from)) ||
            cflri_batch_refused(l->b));
}

/* Adds a part of the hub's set: one vertex, or a set that has a hub of its own. */
static bool hub_has_part(cflri_loop *l, uint32_t hub, uint32_t family, cflri_set_number part,
                         cflri_set_list *values) {
    cflri_batch *b = l->b;
    cflri_row row = cflri_sets_row(b->sets, part);
    cflri_set_number value = CFLRI_EMPTY_SET;
    uint32_t from;
    if (row.n > 1 && !is_old_hub(l, family, part, &value)) {
        return hub_of(l, family, part, &from) && hub_has(l, hub, from, values);
    }
    if (row.n == 1 && !cflri_batch_finished(b, family)) {
        return cflri_loop_node(l, family, row.few[0], &from, NULL) && hub_has(l, hub, from, values);
    }
    if (row.n == 1) {
        from = cflri_batch_find(b, family, row.few[0]);
        if (from != CFLRI_NO_NODE) value = cflri_batch_value(b, from);
    }
    return cflri_vec_push(b->context, values, value) || cflri_batch_refused(l->b);
}

/* Fills the hub over S at the ids of a set with the rows of S at these ids. */
static bool fill_hub(cflri_loop *l, uint32_t hub, uint32_t family, cflri_set_number set) {
    cflri_batch *b = l->b;
    cflri_set_list parts = {0}, values = {0};
    bool filled =
        hold_hub(l, hub) && (cflri_batch_split(b, set, &parts) || cflri_batch_refused(l->b));
    for (size_t i = 0; filled && i < parts.n; i++) {
        filled = hub_has_part(l, hub, family, parts.at[i], &values);
    }
    if (filled) {
        cflri_set_number value = cflri_sets_union_all(b->sets, values.at, values.n);
        filled = value != CFLRI_NO_SET || cflri_batch_refused(l->b);
        if (filled) cflri_loop_put(l, hub, value);
        filled = filled && cflri_loop_flow(l, hub, value);
        if (filled) let_hub_go(l, hub);
    }
    size_t n = parts.n;
    cflri_vec_free(b->context, &parts);
    cflri_vec_free(b->context, &values);
    return filled && cflri_batch_worked(b, n);
}

/* Finds or makes the hub over S at the ids of a set of several ids. The recursion is as deep as the
 * tree of ids. */
static bool hub_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *hub) {
    bool made;
    return cflri_loop_node(l, cflri_batch_hub(l->b, family), set, hub, &made) &&
           (!made || fill_hub(l, *hub, family, set));
}

/* R(to) contains S(v) for each v of the set from now on. */
static bool flow_from_all(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t to) {
    cflri_set_number value;
    uint32_t hub;
    if (is_old_hub(l, family, set, &value)) return cflri_loop_wait(l, to, value);
    return hub_of(l, family, set, &hub) && add_flow(l, hub, to);
}

/* ---- fans ---- */

static bool fan_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *fan);

/* Links the flows from a fan to the parts of its set. Other threads may have brought it sets
 * meanwhile. */
static bool fill_fan(cflri_loop *l, uint32_t fan, uint32_t family, cflri_set_number set) {
    cflri_batch *b = l->b;
    cflri_set_list parts = {0};
    bool filled = cflri_batch_split(b, set, &parts) || cflri_batch_refused(b);
    for (size_t i = 0; filled && i < parts.n; i++) {
        cflri_row row = cflri_sets_row(b->sets, parts.at[i]);
        uint32_t to;
        filled = (row.n > 1 ? fan_of(l, family, parts.at[i], &to)
                            : cflri_loop_node(l, family, row.few[0], &to, NULL)) &&
                 add_flow(l, fan, to);
    }
    size_t n = parts.n;
    cflri_vec_free(b->context, &parts);
    return filled && cflri_batch_worked(b, n);
}

/* Finds or makes the fan to R at the ids of a set of several ids. The recursion is as deep as the
 * tree of ids. */
static bool fan_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *fan) {
    bool made;
    return cflri_loop_node(l, cflri_batch_fan(l->b, family), set, fan, &made) &&
           (!made || fill_fan(l, *fan, family, set));
}

/* ---- consequences of a row ---- */

static bool flow(cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                 uint32_t from_vertex) {
    cflri_loop *l = (cflri_loop *)sink;
    uint32_t node;
    return cflri_loop_node(l, family, vertex, &node, NULL) &&
           flow_from(l, from_family, from_vertex, node);
}

static bool flows(cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                  cflri_set_number from) {
    cflri_loop *l = (cflri_loop *)sink;
    cflri_row ids = cflri_sets_row(l->b->sets, from);
    cflri_row_walk walk = cflri_sets_begin(l->b->sets, &ids);
    uint32_t node, id;
    if (ids.n > DIRECT) {
        return cflri_loop_node(l, family, vertex, &node, NULL) &&
               flow_from_all(l, from_family, from, node);
    }
    while (cflri_row_next(&walk, &id)) {
        if (!flow(sink, family, vertex, from_family, id)) return false;
    }
    return true;
}

static bool spread(cflri_sink *sink, uint32_t family, cflri_set_number vertices,
                   uint32_t from_family, uint32_t from_vertex) {
    cflri_loop *l = (cflri_loop *)sink;
    cflri_row ids = cflri_sets_row(l->b->sets, vertices);
    cflri_row_walk walk = cflri_sets_begin(l->b->sets, &ids);
    uint32_t fan, id;
    if (ids.n > DIRECT) {
        return fan_of(l, family, vertices, &fan) && flow_from(l, from_family, from_vertex, fan);
    }
    while (cflri_row_next(&walk, &id)) {
        if (!flow(sink, family, id, from_family, from_vertex)) return false;
    }
    return true;
}

cflri_sink cflri_loop_sink(void) {
    return (cflri_sink){cflri_loop_bring, flow, flows, spread};
}

/* Reports new pairs by which PAIR goes to other slices. */
static bool broadcast(cflri_batch *b, uint32_t family, uint32_t vertex, cflri_set_number whole,
                      cflri_set_number before) {
    if (!b->plan->broadcast[family]) return true;
    cflri_set_number more = cflri_sets_minus(b->sets, whole, before);
    return more == CFLRI_NO_SET ? cflri_batch_refused(b)
                                : cflri_batch_broadcast(b, family, vertex, more);
}

bool cflri_loop_grown(cflri_loop *l, uint32_t member, cflri_set_number whole,
                      cflri_set_number before) {
    cflri_batch *b = l->b;
    uint32_t node = cflri_batch_there(b, member), family = cflri_batch_family(b, node);
    if (!cflri_is_row(b, family)) return true;
    uint64_t more = cflri_sets_count(b->sets, whole) - cflri_sets_count(b->sets, before);
    b->pairs += more * b->copies[family];
    b->rows += before ? 0 : b->copies[family];
    uint32_t vertex = cflri_batch_vertex(b, node);
    return cflri_rules_grown(b, &l->sink, family, vertex, whole, before) &&
           (!b->sliced || broadcast(b, family, vertex, whole, before)) && cflri_batch_worked(b, 4);
}

bool cflri_loop_flow(cflri_loop *l, uint32_t node, cflri_set_number whole) {
    for (uint32_t f = cflri_loop_flows(l, node); f; f = cflri_loop_flow_at(l, f)->next) {
        if (!cflri_loop_wait(l, cflri_loop_flow_at(l, f)->to, whole)) return false;
    }
    return true;
}
