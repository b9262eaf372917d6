/* SPDX-License-Identifier: Apache-2.0
 *
 * slice.c: sends ids from a slice of a batch to other slices.
 *
 * Besides rows, a slice has two families for each family R, with nodes where there is an id:
 *
 *     sent(R)        at u: ids of R(u) in other slices that this slice has found, and sent to them
 *     received(R)    at u: ids of R(u) in other slices that they have sent, where R is a Q of PAIR
 *
 * So each id goes to its slice once, and an equation that needs all of Q(u) finds it in two sets:
 * the row, and received(Q) at u. A pair belongs to the slice of its target, and only that slice
 * reports it to other slices, for its filter may drop a pair that another slice has found.
 */
#include "engine/closure/batch/slice.h"

#include "base/context.h"

static bool is_guarded(const cflri_batch *b, uint32_t family) {
    return b->equations->family.at[family].guarded;
}

/* ---- ids of the slice ---- */

static cflri_set_number make_own(cflri_batch *b, bool guarded) {
    for (uint32_t id = b->own_first[guarded]; id < b->own_end[guarded]; id++) {
        cflri_row_sum_add_id(&b->sets->sum, id);
    }
    return cflri_sets_take(b->sets);
}

bool cflri_batch_make_slice(cflri_batch *b) {
    b->own[false] = make_own(b, false);
    b->own[true] = make_own(b, true);
    return b->own[false] != CFLRI_NO_SET && b->own[true] != CFLRI_NO_SET;
}

/* ---- sending ---- */

/* Sends all ids of a set to one slice, as one run. */
static bool send_all(cflri_batch *b, uint32_t to, uint32_t label, uint32_t vertex,
                     cflri_set_number set) {
    cflri_row row = cflri_sets_row(b->sets, set);
    cflri_row_walk walk = cflri_sets_begin(b->sets, &row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        cflri_run run = {label, vertex, 1, &id};
        if (!cflri_exchange_put(b->post, to, b->sets->self, run)) return cflri_batch_refused(b);
    }
    return true;
}

/* Sends each id to its slice. */
static bool send(cflri_batch *b, uint32_t family, uint32_t vertex, cflri_set_number set) {
    cflri_row row = cflri_sets_row(b->sets, set);
    cflri_row_walk walk = cflri_sets_begin(b->sets, &row);
    bool guarded = is_guarded(b, family);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        uint32_t to = cflri_spine_owner(b->plan, guarded, id);
        cflri_run run = {family, vertex, 1, &id};
        if (!cflri_exchange_put(b->post, to, b->sets->self, run)) return cflri_batch_refused(b);
    }
    return true;
}

bool cflri_batch_add_more(cflri_batch *b, uint32_t family, uint32_t vertex, cflri_set_number set,
                          cflri_set_number *more) {
    cflri_set_number before, now;
    uint32_t node = cflri_batch_node(b, family, vertex, NULL);
    if (node == CFLRI_NO_NODE) return cflri_batch_refused(b);
    if (!cflri_batch_add(b, node, set, &before, &now)) return false;
    *more = cflri_sets_minus(b->sets, set, before);
    return *more != CFLRI_NO_SET || cflri_batch_refused(b);
}

cflri_set_number cflri_batch_own(cflri_batch *b, uint32_t family, uint32_t vertex,
                                 cflri_set_number set) {
    cflri_set_number more = CFLRI_EMPTY_SET;
    cflri_set_number others = cflri_sets_minus(b->sets, set, b->own[is_guarded(b, family)]);
    if (others == CFLRI_EMPTY_SET || others == CFLRI_NO_SET) return others ? others : set;
    if (!cflri_batch_add_more(b, cflri_batch_sent(b, family), vertex, others, &more))
        return CFLRI_NO_SET;
    if (!send(b, family, vertex, more)) return CFLRI_NO_SET;
    return cflri_sets_minus(b->sets, set, others);
}

bool cflri_batch_broadcast(cflri_batch *b, uint32_t family, uint32_t vertex,
                           cflri_set_number more) {
    uint32_t label = (uint32_t)b->equations->family.n + family;
    for (uint32_t to = 0; to < b->plan->split.slices; to++) {
        if (to == b->slice.self) continue;
        if (!send_all(b, to, label, vertex, more)) return false;
    }
    return true;
}

bool cflri_batch_broadcast_all(cflri_batch *b, uint32_t self, uint32_t threads) {
    uint64_t rows = 0;
    for (uint32_t family = 0; family < b->equations->family.n; family++) {
        if (!b->plan->broadcast[family] || b->equations->family.at[family].stratum != b->number)
            continue;
        cflri_node_walk walk = cflri_batch_nodes(b, family);
        uint32_t vertex;
        cflri_set_number value;
        while (cflri_batch_next(&walk, &vertex, &value)) {
            if (!cflri_is_dealt(&rows, self, threads)) continue;
            if (!cflri_batch_broadcast(b, family, vertex, value)) return false;
        }
    }
    return true;
}
