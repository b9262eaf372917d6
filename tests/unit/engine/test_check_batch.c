/* SPDX-License-Identifier: Apache-2.0
 *
 * test_check_batch.c: the functions that validate the nodes of a batch, and a loop, report each
 * thing that a test has broken.
 */
#include "batch_support.h"
#include "check_support.h"
#include "engine/closure/batch/check.h"
#include "engine/closure/batch/loop/check.h"

/* Cycles of assignments, which merge, and a pointer that many others may be, which is a hub; so
 * many vertices that rows of fields have no places. */
static const char graph[] =
    "0 20 d; 1 21 d; 2 22 d; 3 23 d; 4 24 d; 5 25 d; 6 26 d; 0 1 a; 1 2 a; 2 0 a; 0 3 a; 0 4 a; "
    "0 5 a; 0 6 a; 20 7 a; 21 8 a; 7 9 f[0]; 3 10 f[0]; 4 11 f[8]; 9 10 a; 10 9 a; 24 12 a; "
    "12 25 a; 25 24 a; 30 50 d; 31 51 d; 32 52 d; 33 53 d; 34 54 d; 35 55 d; 36 56 d; 37 57 d; 38 "
    "58 d;"
    "39 59 d; 40 60 d; 41 61 d; 42 62 d; 43 63 d; 44 64 d; 45 65 d; 46 66 d; 47 67 d;"
    "48 68 d; 49 69 d";

static bool validate(const void *what, FILE *to) {
    return cflri_batch_validate(what, to);
}

static bool validate_loop(const void *what, FILE *to) {
    return cflri_loops_validate(what, to);
}

static void dump(const void *what, FILE *to) {
    cflri_batch_dump(what, to);
}

static void dump_loop(const void *what, FILE *to) {
    cflri_loops_dump(what, to);
}

static void begin_solved(batch_world *m) {
    batch_world_begin(m, TEST_ALIASES, graph, 1);
    for (uint32_t s = 0; s < batch_world_strata(m); s++) batch_world_work(m, s);
}

Test(check_batch, nothing_wrong) {
    batch_world m;
    batch_world_begin(&m, TEST_ALIASES, graph, 2);
    must_be_right(validate, &m.batch);
    for (uint32_t s = 0; s < batch_world_strata(&m); s++) {
        batch_world_work(&m, s);
        must_be_right(validate, &m.batch);
    }
    must_dump(dump, &m.batch, ": hub ");
    batch_world_end(&m);
}

/* ---- nodes ---- */

/* The first extra that is a hub, or the first that is none. */
static cflri_extra *extra_of(cflri_batch *b, bool hub) {
    for (uint32_t i = 1;; i++) {
        cr_assert_lt(i, b->store->extra.drawn);
        cflri_extra *extra = cflri_segment_at(&b->store->extra, cflri_extra, i);
        if (extra->family != CFLRI_NO_NODE && cflri_is_by_set(b, extra->family) == hub)
            return extra;
    }
}

static void swap_places(void *what) {
    cflri_batch *b = what;
    cr_assert_gt(b->at_place.n, 1);
    b->at_place.at[0] = b->at_place.at[1];
}

static void have_no_place(void *what) {
    cflri_batch *b = what;
    b->at_place.n--;
    b->n_placed -= b->problem->n_vertices;
    b->place[0] = (uint32_t)b->at_place.n;
}

static void miscount_places(void *what) {
    ((cflri_batch *)what)->n_placed++;
}

static void move_extra(void *what) {
    extra_of(what, false)->vertex ^= 1;
}

static void move_far(void *what) {
    extra_of(what, false)->vertex += 1000;
}

static void have_no_such_family(void *what) {
    extra_of(what, false)->family = 100000;
}

static void lose_from_list(void *what) {
    cflri_batch *b = what;
    cflri_extra *extra = extra_of(b, false);
    b->store->first_extra[extra->family] = 0;
}

static void list_in_a_ring(void *what) {
    cflri_batch *b = what;
    cflri_extra *extra = extra_of(b, false);
    extra->next = b->store->first_extra[extra->family];
}

static void list_elsewhere(void *what) {
    cflri_batch *b = what;
    cflri_extra *extra = extra_of(b, false);
    uint32_t other = !extra->family;
    b->store->first_extra[other] = b->store->first_extra[extra->family];
}

static void be_hub_of_one(void *what) {
    extra_of(what, true)->vertex = CFLRI_SINGLE_SET | 3;
}

static void have_no_set(void *what) {
    cflri_batch_put(what, 0, 100000);
}

static void have_large_id(void *what) {
    cflri_batch_put(what, 0, CFLRI_SINGLE_SET | 100000);
}

static void be_early(void *what) {
    cflri_batch *b = what;
    cr_assert_gt(b->number, 0);
    b->number = 0;
}

static void break_sets(void *what) {
    ((cflri_batch *)what)->sets->more.kept++;
}

Test(check_batch, what_is_broken_is_told) {
    static const breakage broken[] = {
        {swap_places, "which has another"},
        {have_no_place, "family 0 has place"},
        {miscount_places, "nodes have places"},
        {move_extra, "is not found so"},
        {move_far, " is at 10"},
        {have_no_such_family, "is of family 100000"},
        {lose_from_list, "is in no list"},
        {list_in_a_ring, "twice"},
        {list_elsewhere, "of family"},
        {be_hub_of_one, "is at 2147483651"},
        {have_no_set, "which is not there"},
        {have_large_id, "has ids of another slice"},
        {be_early, "has a row in stratum 0"},
        {break_sets, "are counted as"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        batch_world m;
        begin_solved(&m);
        broken[i].damage(&m.batch);
        must_tell(validate, &m.batch, broken[i].tells);
        batch_world_end(&m);
    }
}

/* ---- loops ---- */

static cflri_looped *looped(void *what, uint32_t node) {
    return cflri_loop_at(&((cflri_loops *)what)->loop[0], node);
}

/* The first node that leads itself, and that a row flows from, or that another one leads. */
static uint32_t node_of(void *what, bool leads) {
    for (uint32_t i = 0;; i++) {
        cr_assert_lt(i, ((cflri_loops *)what)->node.room);
        const cflri_looped *at = looped(what, i);
        bool member = at->rank == CFLRI_MEMBER;
        if (leads ? !member && at->flows && at->value : member) return i;
    }
}

static void lead_oneself(void *what) {
    looped(what, node_of(what, false))->rank = CFLRI_UNRANKED;
}

static void be_led_by_member(void *what) {
    uint32_t member = node_of(what, false);
    cflri_looped *at = looped(what, node_of(what, true));
    at->rank = CFLRI_MEMBER;
    at->link = member;
}

static void leave_ring(void *what) {
    *cflri_segment_at(&((cflri_loops *)what)->ring, uint32_t, node_of(what, false)) = 0;
}

static void have_own_row(void *what) {
    looped(what, node_of(what, false))->value = CFLRI_SINGLE_SET | 1;
}

static void wait_unqueued(void *what) {
    cflri_looped *at = looped(what, node_of(what, true));
    at->waits = cflri_waits_word((cflri_waits){CFLRI_SINGLE_SET | 1, true, 0});
}

static void wait_unknown(void *what) {
    wait_unqueued(what);
    ((cflri_loops *)what)->loop[0].known.n = 0;
}

static void queue_idle(void *what) {
    cflri_loops *all = what;
    cflri_loop_queue(&all->loop[0], node_of(all, true));
}

static void queue_with_other_rank(void *what) {
    queue_idle(what);
    looped(what, node_of(what, true))->rank++;
}

static void forget_group(void *what) {
    cflri_loops *all = what;
    queue_idle(what);
    for (uint32_t i = 0; i <= all->queue.n_groups / 64; i++) all->queue.some[i] = 0;
}

static void have_no_such_set(void *what) {
    looped(what, node_of(what, true))->value = 100000;
}

static void wait_in_a_ring(void *what) {
    cflri_loops *all = what;
    uint32_t entry = 0;
    cflri_loop *l = &all->loop[0];
    cr_assert(cflri_draw_number(&all->waiting, &l->waiting_draw, UINT32_MAX, &entry));
    *cflri_loop_waiting_at(l, entry) = (cflri_waiting){CFLRI_SINGLE_SET | 1, entry};
    looped(what, node_of(what, true))->waits =
        cflri_waits_word((cflri_waits){CFLRI_SINGLE_SET | 2, true, entry});
}

static void spare_in_a_ring(void *what) {
    cflri_loops *all = what;
    cflri_loop *l = &all->loop[0];
    cr_assert(cflri_draw_number(&all->waiting, &l->waiting_draw, UINT32_MAX, &l->spare));
    cflri_loop_waiting_at(l, l->spare)->next = l->spare;
}

static void know_twice(void *what) {
    cflri_loop *l = &((cflri_loops *)what)->loop[0];
    cr_assert_gt(l->known.n, 1);
    l->known.at[1] = l->known.at[0];
}

static void flow_in_a_ring(void *what) {
    cflri_loops *all = what;
    uint32_t flow = looped(what, node_of(what, true))->flows;
    cflri_segment_at(&all->flow, cflri_flow, flow)->next = flow;
}

static void lose_what_flows(void *what) {
    cflri_loops *all = what;
    uint32_t flow = looped(what, node_of(what, true))->flows;
    uint32_t to = cflri_segment_at(&all->flow, cflri_flow, flow)->to;
    looped(what, cflri_loop_leader(&all->loop[0], to))->value = CFLRI_EMPTY_SET;
}

/* Which is there as the last stratum that loops ends. */
static void break_loop(const breakage *broken) {
    batch_world m;
    uint32_t loop = 0;
    batch_world_begin(&m, TEST_ALIASES, graph, 1);
    for (uint32_t s = 0; s < batch_world_strata(&m); s++) {
        if (m.plan.equations->stratum.at[s].loops) loop = s;
    }
    for (uint32_t s = 0; s < loop; s++) batch_world_work(&m, s);
    cr_assert(cflri_batch_begin(&m.batch, loop));
    cflri_loops *loops = cflri_loop_open(&m.batch);
    cr_assert(cflri_loop_close(loops, &m.inbox, INFINITY));
    must_be_right(validate_loop, loops);
    must_dump(dump_loop, loops, ", flows to ");
    broken->damage(loops);
    must_tell(validate_loop, loops, broken->tells);
    m.batch.store->ending = true; /* what is broken is not looked at in debug builds */
    cflri_loop_end(loops);
    batch_world_end(&m);
}

Test(check_loop, what_is_broken_is_told) {
    static const breakage broken[] = {
        {lead_oneself, "the ring of node"},
        {be_led_by_member, "which does not lead"},
        {leave_ring, "the ring of node"},
        {have_own_row, "and has something itself"},
        {wait_unqueued, "waits, and is not queued"},
        {wait_unknown, "has flows, and is not known"},
        {queue_idle, "has all, and is queued"},
        {queue_with_other_rank, "is queued with rank"},
        {forget_group, "and its group is not marked"},
        {have_no_such_set, "which is not there"},
        {wait_in_a_ring, "which another list has"},
        {spare_in_a_ring, "another list has it"},
        {know_twice, "is known twice"},
        {flow_in_a_ring, "which another list has"},
        {lose_what_flows, "does not flow to node"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) break_loop(&broken[i]);
}
