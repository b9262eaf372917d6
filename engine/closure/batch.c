/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.c: the batch solver: sets move, not edges.
 *
 * The grammar is turned into equations between rows (grammar/equations.h), and they are closed by
 * semi-naive evaluation on whole rows:
 *
 *     fill the rows that inputs and the diagonal give; those with something new are queued
 *     while a row S(u) is queued:
 *         delta = what is new in S(u)
 *         COPY, EDGE, PAIR from the right     R(t) |= delta     for each t that the equation names
 *         PAIR by S                           R(u) |= S'(v)     for each v of delta, S' whole
 *         TURN, STEP, BETWEEN                 ids of delta one by one
 *
 * `|=` adds to the row and notes what was new in the same pass (base/row.h). A pair is new once, so
 * each id goes once along each edge; and it goes there in blocks of 512. O(sum over equations of
 * edges x blocks of the row) in the worst case that every block arrives alone.
 */
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch.h"
#include "engine/closure/models.h"

enum { CHECK_EVERY = 1 << 18 };

static bool refused(cflri_batch *b) {
    b->end = cflri_fail_memory(b->context, b->error);
    return false;
}

/* ---- looking up now and then ---- */

/* Relations of all rows would take so much. */
static uint64_t bytes_of_result(const cflri_batch *b) {
    return b->pairs * sizeof(uint32_t) + (uint64_t)b->node.n * 4 * sizeof(uint64_t) +
           (uint64_t)b->problem->n_vertices * sizeof(uint64_t);
}

static bool look_up(cflri_batch *b) {
    b->check_at = b->work + CHECK_EVERY;
    cflr_status st = cflri_tick(b->context, "solve", b->pairs, 0);
    if (st != CFLR_OK) {
        b->end = cflri_fail_interrupted(b->context, st, b->error);
    } else if (bytes_of_result(b) > cflri_memory_left(b->context)) {
        b->end = cflri_fail(b->error, CFLR_LIMIT, NULL,
                            "memory limit reached: the result would not fit any more");
    }
    return b->end == CFLR_OK;
}

/* ---- adding ---- */

/* The number of the node's delta; the node is queued. CFLRI_NO_NODE when memory is refused. */
static uint32_t delta_of(cflri_batch *b, uint32_t number) {
    uint32_t delta = b->node.at[number].delta;
    if (delta != CFLRI_NO_NODE) return delta;
    if (b->spare_delta == CFLRI_NO_NODE) {
        cflri_delta made = {.next_spare = CFLRI_NO_NODE};
        if (!cflri_vec_push(b->context, &b->delta, made)) return CFLRI_NO_NODE;
        b->spare_delta = (uint32_t)b->delta.n - 1;
    }
    delta = b->spare_delta;
    if (!cflri_vec_push(b->context, &b->queue, delta)) return CFLRI_NO_NODE;
    b->spare_delta = b->delta.at[delta].next_spare;
    b->delta.at[delta] = (cflri_delta){.node = number, .next_spare = CFLRI_NO_NODE};
    b->node.at[number].delta = delta;
    return delta;
}

/* After an addition that found nothing new: a node is queued only for something. */
static void forget_empty(cflri_batch *b, uint32_t number) {
    uint32_t delta = b->node.at[number].delta;
    if (b->delta.at[delta].row.n || b->queue.at[b->queue.n - 1] != delta) return;
    b->queue.n--;
    b->node.at[number].delta = CFLRI_NO_NODE;
    b->delta.at[delta].next_spare = b->spare_delta;
    b->spare_delta = delta;
}

bool cflri_batch_add_row(cflri_batch *b, uint32_t family, uint32_t vertex, const cflri_row *from) {
    b->derivations += from->n;
    b->work += 8 + (from->shape == CFLRI_ROW_BLOCKS ? 4 * from->n_blocks : from->n);
    if (b->work >= b->check_at && !look_up(b)) return false;
    uint32_t number = cflri_batch_node(b, family, vertex);
    if (number == CFLRI_NO_NODE) return refused(b);
    uint32_t delta = delta_of(b, number);
    if (delta == CFLRI_NO_NODE) return refused(b);
    cflri_row *all = &b->node.at[number].all;
    uint32_t before = all->n;
    bool added = cflri_row_merge(&b->rows, all, &b->delta.at[delta].row, from);
    b->pairs += (uint64_t)(all->n - before) * b->copies[family];
    b->fruitful += all->n != before;
    forget_empty(b, number);
    return added || refused(b);
}

/* The row of the node gets the row of another. */
static bool add_node(cflri_batch *b, uint32_t family, uint32_t vertex, uint32_t from) {
    if (from == CFLRI_NO_NODE) return true;
    if (b->node.at[from].family == family && b->node.at[from].vertex == vertex) return true;
    if (cflri_batch_node(b, family, vertex) == CFLRI_NO_NODE) return refused(b);
    return cflri_batch_add_row(b, family, vertex,
                               &b->node.at[from].all); /* no node moves any more */
}

static bool add_ids(cflri_batch *b, uint32_t family, uint32_t vertex, const uint32_t *ids,
                    uint32_t n) {
    cflri_row view = {.n = n, .shape = CFLRI_ROW_LIST};
    view.list = (uint32_t *)(uintptr_t)ids; /* only read */
    return cflri_batch_add_row(b, family, vertex, &view);
}

static bool add_id(cflri_batch *b, uint32_t family, uint32_t vertex, uint32_t id) {
    bool is_new, fresh;
    b->derivations++;
    b->work += 8;
    if (b->work >= b->check_at && !look_up(b)) return false;
    uint32_t number = cflri_batch_node(b, family, vertex);
    if (number == CFLRI_NO_NODE) return refused(b);
    if (!cflri_row_add(&b->rows, &b->node.at[number].all, id, &is_new)) return refused(b);
    if (!is_new) return true;
    b->pairs += b->copies[family];
    uint32_t delta = delta_of(b, number);
    if (delta == CFLRI_NO_NODE) return refused(b);
    return cflri_row_add(&b->rows, &b->delta.at[delta].row, id, &fresh) || refused(b);
}

/* ---- filling ---- */

static bool fill_input(cflri_batch *b, const cflri_equation *e) {
    const cflri_relation *input = b->problem->input[e->by];
    for (uint32_t r = 0; r < input->n_rows; r++) {
        const uint32_t *target = input->target + input->start[r];
        uint32_t n = (uint32_t)(input->start[r + 1] - input->start[r]);
        if (!e->by_back) {
            if (!add_ids(b, e->left, input->row[r], target, n)) return false;
            continue;
        }
        for (uint32_t i = 0; i < n; i++) {
            if (!add_id(b, e->left, target[i], input->row[r])) return false;
        }
    }
    return true;
}

static bool fill(cflri_batch *b) {
    for (size_t i = 0; i < b->equations->equation.n; i++) {
        const cflri_equation *e = &b->equations->equation.at[i];
        if (e->kind == CFLRI_INPUT && !fill_input(b, e)) return false;
        if (e->kind != CFLRI_DIAGONAL) continue;
        for (uint32_t v = 0; v < b->problem->n_vertices; v++) {
            if (!add_id(b, e->left, v, v)) return false;
        }
    }
    return true;
}

/* ---- equations ---- */

/* A row that is being worked off. */
typedef struct turn {
    const cflri_readers *readers;
    uint32_t vertex;
    uint32_t node;
    const cflri_row *delta;
} turn;

static const cflri_equation *equation_at(const cflri_batch *b, uint32_t number) {
    return &b->equations->equation.at[number];
}

static bool do_copies(cflri_batch *b, const turn *t) {
    for (size_t i = 0; i < t->readers->copy.n; i++) {
        uint32_t left = equation_at(b, t->readers->copy.at[i])->left;
        if (!cflri_batch_add_row(b, left, t->vertex, t->delta)) return false;
    }
    return true;
}

static bool do_turns(cflri_batch *b, const turn *t) {
    for (size_t i = 0; i < t->readers->turn.n; i++) {
        uint32_t left = equation_at(b, t->readers->turn.at[i])->left, id;
        cflri_row_walk walk = cflri_row_begin(t->delta);
        while (cflri_row_next(&walk, &id)) {
            if (!add_id(b, left, id, t->vertex)) return false;
        }
    }
    return true;
}

/* The first of the equations, which ascend by (by_back, by), that is not before that. */
static size_t seek_equation(const cflri_batch *b, const uint32_t *list, size_t n, bool back,
                            uint32_t by) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cflri_equation *e = equation_at(b, list[middle]);
        if (e->by_back < back || (e->by_back == back && e->by < by)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Meets the equations of one direction with the ports of the vertex, going through whichever are
 * fewer, and calls `each` for those that have ports. */
typedef bool (*port_step)(cflri_batch *b, const turn *t, const cflri_equation *e,
                          cflri_port_range ports);

static bool meet_ports(cflri_batch *b, const turn *t, const uint32_t *list, size_t n, bool back,
                       port_step each) {
    cflri_port_range all = cflri_ports_at(&b->ports, cflri_port_behind(back), t->vertex);
    size_t first = seek_equation(b, list, n, back, 0);
    size_t end = back ? n : seek_equation(b, list, n, true, 0);
    if (!all.n || first == end) return true;
    if (end - first <= all.n) {
        for (size_t i = first; i < end; i++) {
            const cflri_equation *e = equation_at(b, list[i]);
            cflri_port_range ports = cflri_ports_of(all, e->by);
            if (ports.n && !each(b, t, e, ports)) return false;
        }
        return true;
    }
    for (uint32_t p = 0; p < all.n;) {
        uint32_t label = all.at[p].label, next = p;
        while (next < all.n && all.at[next].label == label) next++;
        cflri_port_range ports = {all.at + p, next - p};
        for (size_t i = seek_equation(b, list, n, back, label); i < end; i++) {
            const cflri_equation *e = equation_at(b, list[i]);
            if (e->by != label) break;
            if (!each(b, t, e, ports)) return false;
        }
        p = next;
    }
    return true;
}

static bool do_edge(cflri_batch *b, const turn *t, const cflri_equation *e,
                    cflri_port_range ports) {
    for (uint32_t p = 0; p < ports.n; p++) {
        if (!cflri_batch_add_row(b, e->left, ports.at[p].vertex, t->delta)) return false;
    }
    return true;
}

static bool do_between(cflri_batch *b, const turn *t, const cflri_equation *e,
                       cflri_port_range opens) {
    cflri_row_walk walk = cflri_row_begin(t->delta);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        cflri_port_range all = cflri_ports_at(&b->ports, cflri_port_ahead(e->close_back), id);
        if (!all.n) continue;
        cflri_port_range closes = cflri_ports_of(all, e->close);
        for (uint32_t o = 0; closes.n && o < opens.n; o++) {
            for (uint32_t c = 0; c < closes.n; c++) {
                if (!add_id(b, e->left, opens.at[o].vertex, closes.at[c].vertex)) return false;
            }
        }
    }
    return true;
}

static bool do_steps(cflri_batch *b, const turn *t) {
    for (size_t i = 0; i < t->readers->step.n; i++) {
        const cflri_equation *e = equation_at(b, t->readers->step.at[i]);
        cflri_row_walk walk = cflri_row_begin(t->delta);
        uint32_t id;
        while (cflri_row_next(&walk, &id)) {
            cflri_port_range all = cflri_ports_at(&b->ports, cflri_port_ahead(e->by_back), id);
            cflri_port_range ports = cflri_ports_of(all, e->by);
            for (uint32_t p = 0; p < ports.n; p++) {
                if (!add_id(b, e->left, t->vertex, ports.at[p].vertex)) return false;
            }
        }
    }
    return true;
}

/* R(u) |= delta for those that have the vertex in their row of Q, alone or in groups. */
static bool to_sources(cflri_batch *b, const cflri_equation *e, uint32_t hub, const turn *t) {
    const cflri_sources *sources = &b->sources[e->by][t->vertex];
    for (size_t s = 0; s < sources->vertex.n; s++) {
        uint64_t before = b->fruitful;
        if (!cflri_batch_add_row(b, e->left, sources->vertex.at[s], t->delta)) return false;
        b->hubs[e->by].useless += before == b->fruitful;
    }
    for (size_t g = 0; g < sources->group.n; g++) {
        if (!cflri_batch_add_row(b, hub, sources->group.at[g], t->delta)) return false;
    }
    return true;
}

/* R(u) |= delta for each u that goes by Q to the vertex of the delta. */
static bool do_pairs_right(cflri_batch *b, const turn *t) {
    for (size_t i = 0; i < t->readers->pair_right.n; i++) {
        const cflri_equation *e = equation_at(b, t->readers->pair_right.at[i]);
        if (!e->by_back) {
            if (!to_sources(b, e, b->hub[t->readers->pair_right.at[i]], t)) return false;
            continue;
        }
        uint32_t by = cflri_batch_find(b, e->by, t->vertex), id;
        if (by == CFLRI_NO_NODE || !b->node.at[by].all.n) continue;
        cflri_row copy = {0}; /* R may be Q, and grow */
        if (!cflri_row_merge(&b->rows, &copy, NULL, &b->node.at[by].all)) return refused(b);
        cflri_row_walk walk = cflri_row_begin(&copy);
        bool done = true;
        while (done && cflri_row_next(&walk, &id))
            done = cflri_batch_add_row(b, e->left, id, t->delta);
        cflri_row_clear(&b->rows, &copy);
        if (!done) return false;
    }
    return true;
}

static bool note_sources(cflri_batch *b, const turn *t) {
    cflri_sources *sources = b->sources[b->node.at[t->node].family];
    cflri_row_walk walk = cflri_row_begin(t->delta);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        if (!cflri_vec_push(b->context, &sources[id].vertex, t->vertex)) return refused(b);
    }
    return true;
}

/* R(u) |= S(v) for the new pairs (u,v) of Q, or R(v) |= S(u). */
static bool do_pairs_by(cflri_batch *b, const turn *t) {
    if (t->readers->sources && !note_sources(b, t)) return false;
    for (size_t i = 0; i < t->readers->pair_by.n; i++) {
        const cflri_equation *e = equation_at(b, t->readers->pair_by.at[i]);
        cflri_row_walk walk = cflri_row_begin(t->delta);
        uint32_t id;
        while (cflri_row_next(&walk, &id)) {
            uint32_t to = e->by_back ? id : t->vertex, from = e->by_back ? t->vertex : id;
            if (!add_node(b, e->left, to, cflri_batch_find(b, e->right, from))) return false;
        }
    }
    return true;
}

static bool work_off(cflri_batch *b, const turn *t) {
    const cflri_readers *r = t->readers;
    return do_pairs_by(b, t) && do_copies(b, t) && do_turns(b, t) && do_steps(b, t) &&
           do_pairs_right(b, t) && meet_ports(b, t, r->edge.at, r->edge.n, false, do_edge) &&
           meet_ports(b, t, r->edge.at, r->edge.n, true, do_edge) &&
           meet_ports(b, t, r->between.at, r->between.n, false, do_between) &&
           meet_ports(b, t, r->between.at, r->between.n, true, do_between);
}

/* The next delta of the queue: its row is moved out, its node may be queued again. */
static turn take_delta(cflri_batch *b, cflri_row *row) {
    uint32_t number = b->queue.at[b->queue_head++];
    if (b->queue_head > (1 << 16) && b->queue_head > b->queue.n / 2) {
        b->queue.n -= b->queue_head;
        memmove(b->queue.at, b->queue.at + b->queue_head, b->queue.n * sizeof *b->queue.at);
        b->queue_head = 0;
    }
    cflri_delta *delta = &b->delta.at[number];
    cflri_node *node = &b->node.at[delta->node];
    turn t = {&b->readers[node->family], node->vertex, delta->node, row};
    *row = delta->row;
    node->delta = CFLRI_NO_NODE;
    *delta = (cflri_delta){.next_spare = b->spare_delta};
    b->spare_delta = number;
    return t;
}

/* Groups are made when the family's PAIR equations have brought too little. */
static void regroup_if_due(cflri_batch *b, const turn *t) {
    for (size_t i = 0; b->end == CFLR_OK && i < t->readers->pair_right.n; i++) {
        uint32_t family = equation_at(b, t->readers->pair_right.at[i])->by;
        if (b->hubs[family].useless <= b->hubs[family].patience) continue;
        if (!cflri_batch_regroup(b, family) && b->end == CFLR_OK) refused(b);
    }
}

static void solve(cflri_batch *b) {
    b->check_at = CHECK_EVERY;
    if (!look_up(b) || !fill(b)) return;
    while (b->end == CFLR_OK && b->queue_head < b->queue.n) {
        cflri_row row;
        turn t = take_delta(b, &row);
        uint32_t family = b->node.at[t.node].family;
        if (family >= b->equations->n_rows) {
            cflri_batch_feed_group(b, family, t.vertex, &row);
        } else if (work_off(b, &t)) {
            regroup_if_due(b, &t);
        }
        cflri_row_clear(&b->rows, &row);
        b->rounds++;
    }
}

cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error) {
    cflri_batch b;
    *closure = (cflri_closure){0};
    cflr_status st = cflri_batch_init(&b, problem, error);
    if (st == CFLR_OK) {
        solve(&b);
        st = cflri_batch_collect(&b, closure);
    }
    cflri_batch_free(&b);
    return st;
}
