/* SPDX-License-Identifier: Apache-2.0
 *
 * demand.c: the demand-driven solver: only what a question needs.
 *
 *     goal      (factor, vertex): all y that the factor leads to from the vertex. Questions by
 *               target are goals of the factor read backwards
 *     state     where in the products of a factor a walk stands: a node of a tree (machine.h) in a
 *               frame
 *     frame     (factor, state behind it): the goal's own factor, or a closure that was entered
 *               from a state and is left to it
 *     lane      (goal, state): the vertices that the goal's walk reached in that state
 *
 * A goal starts with its vertex at the root of its tree, and its answers are the lane at the end of
 * it.
 *
 *     V(x):   {x} --~A--> {x 4 9} --M--> {17} --A--> {17 20 31}  answers
 *                          |  |
 *                          |  call M at 4, at 9 ... each answer goes to the lane behind the call
 *                          `--~f[1]--> {8} --V--> ...
 *
 * A vertex that is new in a lane goes along the inputs that leave the state (those it has ports
 * of), enters closures, and makes calls. A call is a goal, opened once however many ask; it keeps
 * the lanes that wait for its answers, and answers that were there before go to a lane that comes
 * later. So each answer reaches each waiting lane once, which is semi-naive evaluation, and only
 * goals that another one needs exist: what magic sets do for rules, on products and closures
 * instead of the normal form. (Tabled evaluation: Tamaki and Sato 1986; recursive state machines:
 * Alur and others 2005; for grammars: Scott and Johnstone's GLL.)
 *
 * It ends when no lane has new vertices, or when all asked pairs are found, or when the work passes
 * problem->budget: then the whole closure is cheaper, and closure->gave_up says so.
 *
 * Time and memory: O(edges along which vertices of lanes go + answers delivered); at worst that of
 * the whole closure for each goal.
 */
#include "engine/closure/demand/demand.h"

#include <string.h>

#include "base/context.h"
#include "engine/closure/demand/machine.h"
#include "engine/closure/hashed_row.h"
#include "engine/closure/ports.h"
#include "engine/closure/question.h"

enum { CHECK_EVERY = 1 << 16, FIRST_SLOTS = 64 };

#define NONE UINT32_MAX

/* ---- numbers for pairs ---- */

/* Two numbers, packed, get a number of their own. Open addressing. */
typedef struct numbering {
    CFLRI_VEC(uint64_t) key;
    uint32_t *slot; /* number + 1, or 0 */
    uint32_t mask;
} numbering;

static uint32_t *slot_for(const numbering *t, uint64_t key) {
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(hash >> 32) & t->mask;
    while (t->slot[at] && t->key.at[t->slot[at] - 1] != key) at = (at + 1) & t->mask;
    return &t->slot[at];
}

static bool grow(cflr_context *context, numbering *t) {
    uint32_t slots = t->slot ? 2 * (t->mask + 1) : FIRST_SLOTS;
    uint32_t *grown = slots ? cflri_alloc_array_zero(context, slots, sizeof *grown) : NULL;
    if (!grown) return false;
    cflri_free(context, t->slot);
    t->slot = grown;
    t->mask = slots - 1;
    for (uint32_t i = 0; i < t->key.n; i++) *slot_for(t, t->key.at[i]) = i + 1;
    return true;
}

/* NONE when memory is refused. */
static uint32_t number(cflr_context *context, numbering *t, uint32_t a, uint32_t b, bool *new) {
    uint64_t key = cflri_pair(a, b);
    *new = false;
    if ((!t->slot || t->key.n >= t->mask / 2) && !grow(context, t)) return NONE;
    uint32_t *slot = slot_for(t, key);
    if (*slot) return *slot - 1;
    if (!cflri_vec_push(context, &t->key, key)) return NONE;
    *new = true;
    *slot = (uint32_t)t->key.n;
    return *slot - 1;
}

static uint32_t find(const numbering *t, uint32_t a, uint32_t b) {
    return t->slot ? *slot_for(t, cflri_pair(a, b)) - 1 : NONE;
}

static uint32_t first_of(const numbering *t, uint32_t i) {
    return (uint32_t)(t->key.at[i] >> 32);
}

static uint32_t second_of(const numbering *t, uint32_t i) {
    return (uint32_t)t->key.at[i];
}

static void free_numbering(cflr_context *context, numbering *t) {
    cflri_vec_free(context, &t->key);
    cflri_free(context, t->slot);
    t->slot = NULL;
}

/* ---- the evaluation ---- */

typedef struct subgoal {
    uint32_t answers;           /* lane */
    uint32_t waiting;           /* the last of those that wait, or NONE */
    bool asked;                 /* by the question */
    const cflri_filter *filter; /* of the answers, or NULL */
} subgoal;

typedef struct waiter {
    uint32_t lane;
    uint32_t next;
} waiter;

typedef struct demand {
    cflr_context *context;
    const cflri_problem *problem;
    cflri_algebra algebra;
    cflri_machine machine;
    cflri_ports ports;
    bool by_source;         /* goals start at sources; else at targets */
    numbering frames;       /* factor, state behind it (NONE: the goal's own) */
    numbering states;       /* node, frame */
    numbering goals, lanes; /* factor, vertex; goal, state */
    CFLRI_VEC(subgoal) goal;
    CFLRI_VEC(cflri_hashed_row) row; /* of each lane; `label` is its state, `vertex` its goal */
    cflri_hashed_row_store store;
    CFLRI_VEC(waiter) waiting;
    CFLRI_VEC(uint32_t) queue; /* lanes with pending vertices */
    size_t front;
    CFLRI_VEC(uint32_t) batch;   /* those of the lane that is worked on */
    CFLRI_VEC(uint32_t) reached; /* along some ports */
    CFLRI_VEC(uint32_t) kept;    /* by a filter */
    uint64_t to_find;            /* pairs that are asked for and not found yet */
    uint64_t found;
    uint64_t work, check_at;
    bool gave_up;
    cflr_status end; /* CFLR_OK while it goes on */
    cflr_error *error;
} demand;

static bool refused(demand *d) {
    if (d->end == CFLR_OK) d->end = cflri_fail_memory(d->context, d->error);
    return false;
}

/* False when it is time to end. */
static bool worked(demand *d, uint64_t work) {
    d->work += work;
    if (d->work < d->check_at) return true;
    d->check_at = d->work + CHECK_EVERY;
    cflr_status st = cflri_tick(d->context, "solve", d->found, 0);
    if (st != CFLR_OK) d->end = cflri_fail_interrupted(d->context, st, d->error);
    d->gave_up = st == CFLR_OK && d->work > d->problem->budget;
    return st == CFLR_OK && !d->gave_up;
}

/* ---- lanes ---- */

static uint32_t state_of(demand *d, uint32_t node, uint32_t frame) {
    bool new;
    return number(d->context, &d->states, node, frame, &new);
}

static uint32_t frame_of(demand *d, cflri_factor factor, uint32_t behind) {
    bool new;
    return number(d->context, &d->frames, factor, behind, &new);
}

/* The lane of a goal at a node in a frame, made when it is missing; NONE when memory is refused. */
static uint32_t lane_at(demand *d, uint32_t goal, uint32_t node, uint32_t frame) {
    uint32_t state = frame == NONE ? NONE : state_of(d, node, frame);
    bool new = false;
    uint32_t lane = state == NONE ? NONE : number(d->context, &d->lanes, goal, state, &new);
    if (!new) return lane;
    return cflri_vec_push(d->context, &d->row, cflri_hashed_row_empty(state, goal)) ? lane : NONE;
}

/* Lists the answers that the filter of the goal keeps. */
static bool keep_answers(demand *d, uint32_t g, const uint32_t *answer, uint32_t n) {
    uint32_t vertex = second_of(&d->goals, g);
    bool back = cflri_factor_back(first_of(&d->goals, g));
    d->kept.n = 0;
    if (!cflri_vec_reserve(d->context, &d->kept, n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t source = back ? answer[i] : vertex, target = back ? vertex : answer[i];
        if (!cflri_filter_keeps(d->goal.at[g].filter, source, target)) continue;
        d->kept.at[d->kept.n++] = answer[i];
    }
    return true;
}

/* Adds vertices, which are not those of the lane itself. */
static bool add(demand *d, uint32_t lane, const uint32_t *vertices, uint32_t n) {
    if (lane == NONE) return refused(d);
    uint32_t g = d->row.at[lane].vertex;
    if (d->goal.at[g].filter && d->goal.at[g].answers == lane) {
        if (!keep_answers(d, g, vertices, n)) return refused(d);
        vertices = d->kept.at;
        n = (uint32_t)d->kept.n;
    }
    cflri_hashed_row *row = &d->row.at[lane];
    if (!cflri_hashed_row_merge(&d->store, row, vertices, n)) return refused(d);
    if (row->queued || row->count == row->settled) return worked(d, n);
    row->queued = true;
    return cflri_vec_push(d->context, &d->queue, lane) ? worked(d, n) : refused(d);
}

/* Begins to walk a factor: a star may be over at once. */
static bool enter(demand *d, uint32_t goal, cflri_factor factor, uint32_t frame,
                  const uint32_t *vertices, uint32_t n) {
    bool star = cflri_machine_kind(&d->machine, factor) == CFLRI_SET_STAR;
    uint32_t node = star ? CFLRI_MACHINE_END : d->machine.root[factor];
    return add(d, lane_at(d, goal, node, frame), vertices, n);
}

/* ---- goals ---- */

/* The goal's number, opened when it is not; NONE when it is time to end. */
static uint32_t open_goal(demand *d, cflri_factor factor, uint32_t vertex) {
    bool new;
    uint32_t g = number(d->context, &d->goals, factor, vertex, &new);
    if (g != NONE && !new) return g;
    uint32_t frame = g == NONE ? NONE : frame_of(d, factor, NONE);
    const cflri_set *set = &d->algebra.set.at[cflri_factor_set(factor)];
    subgoal made = {lane_at(d, g, CFLRI_MACHINE_END, frame), NONE, false, NULL};
    if (set->filtered) made.filter = cflri_problem_filter(d->problem, set->symbol);
    if (made.answers == NONE || !cflri_vec_push(d->context, &d->goal, made)) {
        refused(d);
        return NONE;
    }
    return enter(d, g, factor, frame, &vertex, 1) ? g : NONE;
}

/* The lane gets all answers of a goal, those that were delivered already now. */
static bool wait_for(demand *d, uint32_t g, uint32_t lane) {
    subgoal *called = &d->goal.at[g];
    if (called->answers == lane) return true;
    if (called->waiting != NONE && d->waiting.at[called->waiting].lane == lane) return true;
    waiter made = {lane, called->waiting};
    if (!cflri_vec_push(d->context, &d->waiting, made)) return refused(d);
    called->waiting = (uint32_t)d->waiting.n - 1;
    const cflri_hashed_row *answers = &d->row.at[called->answers];
    return add(d, lane, cflri_hashed_row_items(answers), answers->settled);
}

static bool is_asked(const demand *d, uint32_t g, uint32_t answer) {
    uint32_t vertex = second_of(&d->goals, g);
    return d->by_source ? cflri_question_asks(d->problem->question, vertex, answer)
                        : cflri_question_asks(d->problem->question, answer, vertex);
}

/* The batch are new answers of a goal. */
static bool deliver(demand *d, uint32_t g) {
    uint32_t n = (uint32_t)d->batch.n;
    for (uint32_t i = 0; d->goal.at[g].asked && i < n; i++) {
        if (!is_asked(d, g, d->batch.at[i])) continue;
        d->found++;
        d->to_find--;
    }
    for (uint32_t w = d->goal.at[g].waiting; w != NONE; w = d->waiting.at[w].next) {
        if (!add(d, d->waiting.at[w].lane, d->batch.at, n)) return false;
    }
    return true;
}

/* ---- going on from a lane ---- */

typedef struct place {
    uint32_t goal, frame;
    const cflri_machine_node *node;
} place;

/* The batch is at the end of a product: another round of a closure, and what is behind the
 * frame. */
static bool leave(demand *d, const place *at) {
    uint32_t n = (uint32_t)d->batch.n;
    cflri_factor factor = first_of(&d->frames, at->frame);
    uint32_t behind = second_of(&d->frames, at->frame);
    if (cflri_is_closure(cflri_machine_kind(&d->machine, factor))) {
        uint32_t root = lane_at(d, at->goal, d->machine.root[factor], at->frame);
        if (!add(d, root, d->batch.at, n)) return false;
    }
    if (behind == NONE) return deliver(d, at->goal);
    uint32_t node = first_of(&d->states, behind), frame = second_of(&d->states, behind);
    return add(d, lane_at(d, at->goal, node, frame), d->batch.at, n);
}

static bool call(demand *d, const place *at, const cflri_machine_edge *edge, uint32_t vertex) {
    uint32_t lane = lane_at(d, at->goal, edge->to, at->frame);
    if (lane == NONE) return refused(d);
    uint32_t g = open_goal(d, edge->by, vertex);
    return g != NONE && wait_for(d, g, lane);
}

/* Edges that go on whatever the vertex: closures, and calls. */
static bool go_freely(demand *d, const place *at, const cflri_machine_edge *edge) {
    uint32_t n = (uint32_t)d->batch.n;
    if (d->machine.enters[cflri_factor_set(edge->by)]) {
        uint32_t state = state_of(d, edge->to, at->frame);
        uint32_t frame = state == NONE ? NONE : frame_of(d, edge->by, state);
        return enter(d, at->goal, edge->by, frame, d->batch.at, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!call(d, at, edge, d->batch.at[i]) || !worked(d, 1)) return false;
    }
    return true;
}

/* The vertex has these ports of the input that the edge begins with. */
static bool go_by_ports(demand *d, const place *at, const cflri_machine_edge *edge, uint32_t vertex,
                        cflri_port_range ports) {
    if (cflri_machine_kind(&d->machine, edge->by) != CFLRI_SET_INPUT) {
        return call(d, at, edge, vertex);
    }
    d->reached.n = 0;
    if (!cflri_vec_reserve(d->context, &d->reached, ports.n)) return refused(d);
    for (uint32_t p = 0; p < ports.n; p++) d->reached.at[d->reached.n++] = ports.at[p].vertex;
    return add(d, lane_at(d, at->goal, edge->to, at->frame), d->reached.at, ports.n);
}

/* The first of n ports, ascending by symbol, that is not below it. */
static uint32_t seek_port(const cflri_machine_port *port, uint32_t n, uint32_t symbol) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (port[middle].symbol < symbol) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Meets the edges' ports on one side with those of a vertex, going through whichever are fewer. */
static bool meet(demand *d, const place *at, cflri_direction side, uint32_t vertex) {
    const cflri_machine_node *node = at->node;
    const cflri_machine_port *port = side == CFLRI_OUT ? node->port : node->port + node->n_out;
    uint32_t n = side == CFLRI_OUT ? node->n_out : node->n_ports - node->n_out;
    cflri_port_range all = n ? cflri_ports_at(&d->ports, side, vertex) : (cflri_port_range){0};
    if (!all.n) return true;
    if (n <= all.n) {
        for (uint32_t i = 0; i < n; i++) {
            cflri_port_range ports = cflri_ports_of(all, port[i].symbol);
            if (ports.n && !go_by_ports(d, at, &node->edge[port[i].edge], vertex, ports)) {
                return false;
            }
        }
        return worked(d, n);
    }
    for (uint32_t p = 0, next; p < all.n; p = next) {
        uint32_t symbol = all.at[p].label;
        for (next = p + 1; next < all.n && all.at[next].label == symbol;) next++;
        cflri_port_range ports = {all.at + p, next - p};
        for (uint32_t i = seek_port(port, n, symbol); i < n && port[i].symbol == symbol; i++) {
            if (!go_by_ports(d, at, &node->edge[port[i].edge], vertex, ports)) return false;
        }
    }
    return worked(d, all.n);
}

/* The vertices that came to a lane go on. */
static bool work_off(demand *d, uint32_t lane) {
    cflri_hashed_row *row = &d->row.at[lane];
    uint32_t n = row->count - row->settled, state = row->label;
    const uint32_t *pending = cflri_hashed_row_items(row) + row->settled;
    d->batch.n = 0; /* rows move while others are made */
    if (!cflri_vec_reserve(d->context, &d->batch, n)) return refused(d);
    for (uint32_t i = 0; i < n; i++) d->batch.at[d->batch.n++] = pending[i];
    row->settled = row->count;
    row->queued = false;

    uint32_t node = first_of(&d->states, state);
    place at = {row->vertex, second_of(&d->states, state), &d->machine.node.at[node]};
    if (node == CFLRI_MACHINE_END) return leave(d, &at);
    if (at.node->ends) {
        uint32_t end = lane_at(d, at.goal, CFLRI_MACHINE_END, at.frame);
        if (!add(d, end, d->batch.at, n)) return false;
    }
    for (uint32_t e = 0; e < at.node->n_free; e++) {
        if (!go_freely(d, &at, &at.node->edge[e])) return false;
    }
    for (uint32_t i = 0; at.node->n_ports && i < n; i++) {
        uint32_t vertex = d->batch.at[i];
        if (!meet(d, &at, CFLRI_OUT, vertex) || !meet(d, &at, CFLRI_IN, vertex)) return false;
    }
    return true;
}

/* The lane that waits longest; NONE: there is none. */
static uint32_t next_lane(demand *d) {
    if (d->front == d->queue.n) return NONE;
    if (d->front >= CHECK_EVERY && d->front > d->queue.n / 2) {
        d->queue.n -= d->front;
        memmove(d->queue.at, d->queue.at + d->front, d->queue.n * sizeof *d->queue.at);
        d->front = 0;
    }
    return d->queue.at[d->front++];
}

static void run(demand *d) {
    uint32_t lane;
    while (d->to_find && (lane = next_lane(d)) != NONE) {
        if (!work_off(d, lane)) return;
    }
}

/* ---- the question ---- */

/* Of a symbol of the ground grammar, read from where goals start. */
static cflri_factor asked_factor(const demand *d, uint32_t symbol) {
    cflri_factor factor = d->algebra.symbol[symbol];
    return d->by_source ? factor : cflri_flip(&d->algebra, factor);
}

static bool is_wanted(const demand *d, uint32_t symbol) {
    return !d->problem->wanted || d->problem->wanted[symbol];
}

/* The factors that are asked for, and what walking them takes. */
static cflr_status prepare(demand *d) {
    cflr_status st = CFLR_OK;
    const cflri_ground *ground = d->problem->ground;
    CFLRI_VEC(cflri_factor) wanted = {0};
    cflri_input_kind *input = cflri_inputs_of(ground);
    if (!input) return cflri_fail_memory(d->context, d->error);
    CFLR_TRY(cflri_algebra_make(ground, input, d->context->techniques, &d->algebra, d->error));
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        if (!is_wanted(d, s)) continue;
        if (!cflri_vec_push(d->context, &wanted, asked_factor(d, s))) {
            st = cflri_fail_memory(d->context, d->error);
            goto out;
        }
    }
    CFLR_TRY(cflri_machine_make(&d->algebra, wanted.at, wanted.n, &d->machine, d->error));
    const bool *const needed[2] = {d->machine.needed[0], d->machine.needed[1]};
    CFLR_TRY(cflri_ports_init(&d->ports, d->problem, needed, d->error));
out:
    cflri_vec_free(d->context, &wanted);
    cflri_free(d->context, input);
    return st;
}

/* Opens what is asked for. */
static bool ask(demand *d, const cflri_starts *starts) {
    for (uint32_t s = 0; s < d->problem->ground->n_symbols; s++) {
        for (size_t i = 0; is_wanted(d, s) && i < starts->n; i++) {
            uint32_t g = open_goal(d, asked_factor(d, s), starts->vertex[i]);
            if (g == NONE) return false;
            if (d->goal.at[g].asked) continue; /* another symbol with the same pairs */
            d->goal.at[g].asked = true;
            bool every = starts->pairs[i] == CFLRI_EVERY_PAIR;
            d->to_find = every ? CFLRI_EVERY_PAIR : d->to_find + starts->pairs[i];
        }
    }
    return true;
}

/* ---- the answers ---- */

/* What only solving needs. */
static void end_solving(demand *d) {
    cflri_machine_free(&d->machine);
    cflri_ports_free(&d->ports);
    free_numbering(d->context, &d->frames);
    free_numbering(d->context, &d->states);
    free_numbering(d->context, &d->lanes);
    cflri_vec_free(d->context, &d->waiting);
    cflri_vec_free(d->context, &d->queue);
    cflri_vec_free(d->context, &d->batch);
    cflri_vec_free(d->context, &d->reached);
    cflri_vec_free(d->context, &d->kept);
    cflri_pool_free(&d->store.sets);
}

/* May be called again. */
static void free_demand(demand *d) {
    end_solving(d);
    free_numbering(d->context, &d->goals);
    cflri_vec_free(d->context, &d->goal);
    cflri_vec_free(d->context, &d->row);
    cflri_hashed_row_store_free(&d->store);
    if (d->algebra.context) cflri_algebra_free(&d->algebra);
}

typedef CFLRI_VEC(uint64_t) packed_pairs;

/* The answers of one goal that are asked for, while there are no more than `most` pairs. */
static bool gather(const demand *d, uint32_t g, uint64_t most, packed_pairs *pairs) {
    const cflri_hashed_row *row = &d->row.at[d->goal.at[g].answers];
    const uint32_t *answer = cflri_hashed_row_items(row);
    uint32_t vertex = second_of(&d->goals, g);
    for (uint32_t i = 0; i < row->count && pairs->n < most; i++) {
        if (!is_asked(d, g, answer[i])) continue;
        uint64_t pair =
            d->by_source ? cflri_pair(vertex, answer[i]) : cflri_pair(answer[i], vertex);
        if (!cflri_vec_push(d->context, pairs, pair)) return false;
    }
    return true;
}

static bool build_symbol(const demand *d, const cflri_starts *starts, uint32_t symbol,
                         uint64_t most, cflri_relation *relation) {
    packed_pairs pairs = {0};
    bool done = true;
    for (size_t i = 0; done && i < starts->n; i++) {
        uint32_t g = find(&d->goals, asked_factor(d, symbol), starts->vertex[i]);
        if (g < d->goal.n) done = gather(d, g, most, &pairs);
    }
    done = done && cflri_relation_build(d->context, pairs.at, pairs.n, relation, NULL) == CFLR_OK;
    cflri_vec_free(d->context, &pairs);
    return done;
}

/* At most so many pairs of each symbol. */
static bool build(const demand *d, const cflri_starts *starts, uint64_t most,
                  cflri_closure *closure) {
    uint32_t n = d->problem->ground->n_symbols;
    *closure = (cflri_closure){.n_symbols = n, .rounds = d->goal.n, .derivations = d->work};
    closure->relation =
        cflri_alloc_array_zero(d->context, (size_t)n + 1, sizeof *closure->relation);
    if (!closure->relation) return false;
    for (uint32_t s = 0; s < n; s++) {
        if (is_wanted(d, s) && !build_symbol(d, starts, s, most, &closure->relation[s]))
            return false;
    }
    return true;
}

/* As cflri_solver.solve; what does not fit is left out. */
static cflr_status collect(demand *d, const cflri_starts *starts, cflri_closure *closure) {
    if (d->end != CFLR_OK && d->end != CFLR_LIMIT && d->end != CFLR_CANCELLED) return d->end;
    cflri_log(d->context, CFLR_LOG_INFO, "demand: %zu goals, %zu lanes, %llu steps", d->goal.n,
              d->row.n, (unsigned long long)d->work);
    end_solving(d);
    for (uint64_t most = d->found + d->row.n; !build(d, starts, most, closure); most /= 2) {
        cflri_closure_free(d->context, closure);
        if (d->end == CFLR_OK) refused(d);
        if (d->end == CFLR_NO_MEMORY) return d->end;
        if (most) continue;
        free_demand(d);
        return cflri_closure_empty(d->problem, d->end, closure, d->error);
    }
    return d->end;
}

cflr_status cflri_solve_demand(const cflri_problem *problem, cflri_closure *closure,
                               cflr_error *error) {
    cflr_context *context = problem->context;
    cflri_starts starts;
    demand d = {.context = context, .problem = problem, .error = error};
    *closure = (cflri_closure){0};
    cflr_status st = cflri_starts_make(context, problem->question, &starts, error);
    if (st != CFLR_OK) return st;
    d.by_source = starts.by_source;
    cflri_hashed_row_store_init(&d.store, context, problem->n_vertices);
    d.end = prepare(&d);
    if (d.end == CFLR_OK && ask(&d, &starts)) run(&d);
    if (d.gave_up) {
        closure->gave_up = true;
    } else {
        st = collect(&d, &starts, closure);
    }
    free_demand(&d);
    cflri_starts_free(context, &starts);
    return st;
}
