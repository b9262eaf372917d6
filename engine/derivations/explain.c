/* SPDX-License-Identifier: Apache-2.0
 *
 * explain.c: derivations of single pairs of a closure, found anew.
 *
 * A result says that a pair holds and not why. To keep why would take a reason for each of a
 * thousand million pairs, so a derivation is searched for when it is asked for, and what the
 * result holds tells where there is none.
 *
 * A derivation is a word of the symbol's automaton (automaton.h) along a path. It is searched for
 * from both ends at once, the nearest states first; a state is a place in the word and a vertex:
 *
 *     A(u,w):     (begin, u) -> (n, v4) -> (m, v9) = (m, v9) <- (o, v2) <- (end, w)
 *
 * Where a symbol remains to be derived, or is derived, a state is only known when the result has
 * that pair, or one that would follow from it. Calls are entered like other symbols, and the
 * stack of frames is a part of the state. So a path that was found is a derivation, with others
 * inside where frames of called symbols begin and end. Filters hold for pairs, both ends of which
 * are those of a frame, or one of them and a place where a loop comes back: the frame of the word
 * has its ends from the first, others are looked at when they are left, or when the searches meet
 * in them.
 *
 * That finds what is near. In large results nearly all pairs hold, the result refuses little, and
 * stacks are many. Then the pairs of each level are made once (levels.h), and a call is one step
 * along a pair of the level below. A level is a bound of how deep calls are nested, so no
 * derivation rests on itself, and a pair that is in a level has one. Rows are shared by thousands
 * of vertices: what a row leads to is known when it is met again, so each different one is read
 * once.
 *
 *     search       states at most, from one end         calls
 *     near         NEAR_STATES                          entered
 *     by levels    all that there are                   steps along pairs of the level below
 *
 * Costs: an edge is one step. A call costs more, the more the rarer the edges are that lead on
 * behind it; and so does an edge from a vertex to itself, which stands for anything that is not
 * known.
 *
 * Depth of recursion: levels. Memory: the states of two searches, the pairs of the levels, and
 * what was found. Work is bounded by the caller, but for levels, which the limits of the context
 * bound.
 */
#include "cflr/explain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/sized.h"
#include "engine/closure/filter.h"
#include "engine/derivations/levels.h"
#include "engine/results/result.h"

enum {
    NEAR_STATES = 1 << 13,
    FIRST_LEVELS = 3,
    MOST_LEVELS = 64,
    CALL_COST = 2,
    LOOP_COST = 12, /* of an edge from a vertex to itself */
    MOST_COST = 16,
    USUAL_WORK = 100, /* million steps */
    LOOK_EVERY = 1 << 12,
};

#define NONE UINT32_MAX

/* ---- what is kept of a question ---- */

typedef struct pair {
    uint32_t symbol, source, target;
} pair;

typedef struct step {
    uint32_t from, to;
    cflri_word_reading reading;
    uint32_t derivation; /* NONE: an edge */
} step;

typedef struct derivation {
    pair of;
    size_t first, n; /* steps */
} derivation;

typedef struct implied {
    const cflri_relation *pairs; /* NULL: nothing is known */
    bool made, swapped;
} implied;

struct cflr_explainer {
    cflr_context *context;
    cflri_ground *ground;
    cflri_filters filters;
    cflri_automaton automaton;
    cflri_ports ports;
    const cflri_relation **relation; /* by ground symbol; NULL: not held */
    implied *implied;                /* by ground symbol: a relation that has each of its pairs */
    uint64_t *kinds;                 /* by vertex: of its ports */
    cflri_levels levels;             /* as many as were needed so far */
    /* of a question */
    CFLRI_VEC(derivation) derivations;
    CFLRI_VEC(step) steps;
    cflri_seen derived;   /* pairs, by number of their derivation */
    cflri_numbers order;  /* derivations that are part of the answer */
    cflri_numbers number; /* by derivation: its place among them */
    CFLRI_VEC(cflr_derivation_step) told;
    uint64_t work, most_work, next_look;
    bool spent;      /* the work is done */
    cflr_status end; /* CFLR_OK while it goes on */
    cflri_failure failure;
    cflr_error *error;
};

static bool refused(cflr_explainer *e) {
    if (e->end == CFLR_OK) e->end = cflri_fail_memory(e->context, e->error);
    return false;
}

/* Ends what goes on after a look-up that failed. */
static bool looked_up(cflr_explainer *e, bool found) {
    if (e->end == CFLR_OK) e->end = cflri_tell_failure(&e->failure, e->error);
    return found;
}

/* False when it is time to end. */
static bool worked(cflr_explainer *e, uint64_t work) {
    e->work += work;
    if (e->work < e->next_look) return true;
    e->next_look = e->work + LOOK_EVERY;
    cflr_status st = cflri_interrupted(e->context);
    if (st != CFLR_OK) e->end = cflri_fail_interrupted(e->context, st, e->error);
    if (e->work > e->most_work) e->spent = true;
    return st == CFLR_OK && !e->spent;
}

static bool goes_on(const cflr_explainer *e) {
    return e->end == CFLR_OK && !e->spent;
}

/* ---- what the result tells ---- */

/* A symbol that has rules, and follows from another as it is, or with something empty beside it; no
 * filter keeps it from that. */
typedef struct following {
    uint32_t symbol;
    bool swapped;
} following;

enum { MOST_FOLLOWING = 64 };

static bool is_filtered(const cflr_explainer *e, uint32_t symbol) {
    return e->filters.of && e->filters.of[symbol];
}

static void add_following(const cflr_explainer *e, following *list, uint32_t *n, following one) {
    if (is_filtered(e, one.symbol)) return;
    for (uint32_t i = 0; i < *n; i++)
        if (list[i].symbol == one.symbol && list[i].swapped == one.swapped) return;
    if (*n < MOST_FOLLOWING) list[(*n)++] = one;
}

static void add_all_following(const cflr_explainer *e, following *list, uint32_t *n, following of) {
    const cflri_ground *ground = e->ground;
    const cflri_join_index *unary = &ground->by_unary, *converse = &ground->by_converse;
    const cflri_join_index *const binary[] = {&ground->by_left, &ground->by_right};
    for (uint32_t j = unary->start[of.symbol]; j < unary->start[of.symbol + 1]; j++)
        add_following(e, list, n, (following){unary->join[j].left, of.swapped});
    for (uint32_t j = converse->start[of.symbol]; j < converse->start[of.symbol + 1]; j++)
        add_following(e, list, n, (following){converse->join[j].left, !of.swapped});
    for (int side = 0; side < 2; side++)
        for (uint32_t j = binary[side]->start[of.symbol]; j < binary[side]->start[of.symbol + 1];
             j++) {
            const cflri_join *join = &binary[side]->join[j];
            if (e->automaton.nullable[join->partner])
                add_following(e, list, n, (following){join->left, of.swapped});
        }
}

static const implied *implied_of(cflr_explainer *e, uint32_t symbol) {
    implied *made = &e->implied[symbol];
    following list[MOST_FOLLOWING] = {{symbol, false}};
    uint32_t n = 1;
    for (uint32_t i = 0; i < n && !made->made; i++) {
        const cflri_relation *pairs = e->relation[list[i].symbol];
        if (pairs) *made = (implied){pairs, true, list[i].swapped};
        add_all_following(e, list, &n, list[i]);
    }
    made->made = true;
    return made;
}

/* May the pair be one of the symbol? */
static bool may_hold(cflr_explainer *e, uint32_t symbol, uint32_t source, uint32_t target) {
    const implied *known = implied_of(e, symbol);
    worked(e, 1);
    if (!cflri_filters_keep(&e->filters, symbol, source, target)) return false;
    if (!known->pairs) return true;
    uint32_t from = known->swapped ? target : source, to = known->swapped ? source : target;
    return looked_up(e, cflri_relation_has(known->pairs, from, to, &e->failure));
}

/* ---- searches ---- */

typedef struct state {
    uint32_t frame, node, vertex;
    uint32_t before; /* state, NONE at the first */
    uint32_t distance;
    cflri_word_reading reading; /* of the edge that led here, in the direction of the word */
    bool stepped;               /* there was one */
    bool called;                /* it is a pair of a called symbol */
} state;

typedef CFLRI_VEC(state) states;

/* A row of pairs, and the states that it was read for. */
typedef struct read_row {
    uint64_t at; /* identity of the row */
    uint32_t frame, node;
} read_row;

typedef struct side {
    states known;
    cflri_seen seen;
    states waiting[MOST_COST]; /* by distance, round about */
    size_t n_waiting;
    uint32_t distance;       /* of those that are known last */
    CFLRI_VEC(read_row) row; /* that were read */
    cflri_seen rows;
} side;

typedef struct search {
    cflr_explainer *e;
    pair of;
    size_t most;     /* states of a side */
    uint32_t calls;  /* levels of calls, NONE: they are entered */
    uint32_t frame;  /* of the word */
    uint32_t end[2]; /* nodes at its begin and end */
    side side[2];    /* backward and forward */
    uint32_t met[2]; /* states, NONE: the best so far */
    uint32_t best;   /* distance of that path */
    cflr_row row;    /* of a level */
} search;

static uint32_t hash_state(const state *s) {
    uint64_t hash = cflri_seen_mix(cflri_seen_mix(0, s->frame, s->node), s->vertex, 0);
    return (uint32_t)(hash >> 32);
}

static uint32_t find_state(const side *d, const state *s, uint32_t hash) {
    uint32_t i;
    for (size_t at = cflri_seen_first(&d->seen, hash);
         (i = cflri_seen_next(&d->seen, hash, &at)) != CFLRI_NOT_SEEN;) {
        const state *have = &d->known.at[i];
        if (have->frame == s->frame && have->node == s->node && have->vertex == s->vertex) return i;
    }
    return NONE;
}

/* In a frame between two vertices: does the filter keep the pair that begins, or ends, here? */
static bool is_kept(const cflr_explainer *e, const state *at, uint32_t begin, uint32_t end) {
    const cflri_automaton_node *node = &e->automaton.node.at[at->node];
    if (node->kind == CFLRI_NODE_MIDDLE) return true;
    if (node->kind == CFLRI_NODE_BEGIN) begin = at->vertex;
    if (node->kind == CFLRI_NODE_END) end = at->vertex;
    return cflri_filters_keep(&e->filters, node->of, begin, end);
}

/* What remains, or is done, of the word is a pair of some symbol: may that hold? */
static bool may_lead(search *s, bool forward, const state *made) {
    cflr_explainer *e = s->e;
    const cflri_automaton_node *node = &e->automaton.node.at[made->node];
    if (made->frame != s->frame || node->kind == CFLRI_NODE_MIDDLE) return true;
    if (!is_kept(e, made, s->of.source, s->of.target)) return false;
    uint32_t from = forward ? made->vertex : s->of.source;
    uint32_t to = forward ? s->of.target : made->vertex;
    bool near = (node->kind == CFLRI_NODE_BEGIN) == forward;
    if (near) return may_hold(e, node->of, from, to);
    cflri_word_loop loop = e->automaton.loop[e->automaton.component[s->of.symbol]];
    if (loop != (forward ? CFLRI_LOOP_LEFT : CFLRI_LOOP_RIGHT)) return from == to;
    return !e->automaton.nullable[node->of] || may_hold(e, s->of.symbol, from, to);
}

/* Is there a way on from the state? */
static bool has_way(search *s, bool forward, const state *made) {
    cflr_explainer *e = s->e;
    if (made->frame == s->frame && made->node == s->end[forward]) return true;
    bool right = cflri_automaton_right(&e->automaton, made->frame, forward);
    const cflri_arc_list *arcs = cflri_automaton_arcs(&e->automaton, made->node, right);
    return !arcs || arcs->n_free || (arcs->kinds & e->kinds[made->vertex]);
}

/* It waits until it is the nearest. */
static bool enter(search *s, bool forward, state made) {
    side *d = &s->side[forward];
    if (!has_way(s, forward, &made)) return true;
    d->n_waiting++;
    return cflri_vec_push(s->e->context, &d->waiting[made.distance % MOST_COST], made) ||
           refused(s->e);
}

/* The first state that a side had in the frame that a later one is in, or in one inside of it. */
static uint32_t entered_at(const search *s, bool way, uint32_t frame, uint32_t number) {
    const state *known = s->side[way].known.at;
    uint32_t outer = s->e->automaton.frame.at[frame].parent;
    while (known[known[number].before].frame != outer) number = known[number].before;
    return number;
}

/* What a side knows of a frame up to a state, if the frame is between two vertices. */
static bool side_is_kept(const search *s, bool way, uint32_t frame, uint32_t number, uint32_t begin,
                         uint32_t end) {
    const state *known = s->side[way].known.at;
    uint32_t outer = s->e->automaton.frame.at[frame].parent;
    for (uint32_t i = number; known[i].frame != outer; i = known[i].before)
        if (known[i].frame == frame && !is_kept(s->e, &known[i], begin, end)) return false;
    return true;
}

/* Do filters keep what is derived in a frame? `last` is the last state in it of each side, the
 * backward one first; NONE: that side was not there, and the frame ends where the other is. */
static bool frame_is_kept(const search *s, uint32_t frame, const uint32_t last[2]) {
    const cflri_stack_frame *of = &s->e->automaton.frame.at[frame];
    uint32_t end[2];
    if (!is_filtered(s->e, of->symbol)) return true;
    for (int k = 0; k < 2; k++) {
        const state *known = s->side[k].known.at;
        if (last[k] == NONE)
            end[k] = s->side[!k].known.at[last[!k]].vertex;
        else
            end[k] = known[entered_at(s, k, frame, last[k])].vertex;
    }
    uint32_t begin = end[!of->back];
    for (int k = 0; k < 2; k++)
        if (last[k] != NONE && !side_is_kept(s, k, frame, last[k], begin, end[of->back]))
            return false;
    return true;
}

/* The same of all frames in which the searches meet, but that of the word. */
static bool meeting_is_kept(const search *s, const uint32_t met[2]) {
    uint32_t frame = s->side[1].known.at[met[1]].frame;
    for (; frame != s->frame; frame = s->e->automaton.frame.at[frame].parent)
        if (!frame_is_kept(s, frame, met)) return false;
    return true;
}

/* The rarer the edges with which a walk goes on behind a call, the less likely it comes out. */
static uint32_t cost_of_call(search *s, bool forward, uint32_t frame, const cflri_arc *arc) {
    cflr_explainer *e = s->e;
    bool right = cflri_automaton_right(&e->automaton, frame, forward);
    uint32_t node = cflri_automaton_behind(&e->automaton, frame, arc, right), cost = CALL_COST;
    const cflri_arc_list *on =
        node == CFLRI_NO_NODE ? NULL : cflri_automaton_arcs(&e->automaton, node, right);
    if (!on || on->n_free) return cost;
    uint64_t exits = 1 + on->exits, all = e->ground->graph->n_vertices;
    for (; exits < all && cost < MOST_COST - 1; exits *= 2) cost++;
    return cost;
}

/* Was the row read for this before? From now on it was. */
static bool is_read(search *s, bool forward, uint64_t at, const state *made, bool *read) {
    side *d = &s->side[forward];
    const read_row key = {at, made->frame, made->node};
    uint64_t mixed = cflri_seen_mix(at, key.frame, key.node);
    uint32_t hash = (uint32_t)(mixed >> 32), i;
    *read = true;
    for (size_t k = cflri_seen_first(&d->rows, hash);
         (i = cflri_seen_next(&d->rows, hash, &k)) != CFLRI_NOT_SEEN;)
        if (d->row.at[i].at == at && d->row.at[i].frame == key.frame &&
            d->row.at[i].node == key.node)
            return true;
    *read = false;
    return (cflri_vec_push(s->e->context, &d->row, key) &&
            cflri_seen_add(s->e->context, &d->rows, hash, (uint32_t)d->row.n - 1)) ||
           refused(s->e);
}

/* To all that stands in the row of a source, `made` but for the vertex. */
static bool enter_row(search *s, bool forward, const cflri_relation *relation, uint32_t source,
                      state made) {
    bool read;
    cflr_context *context = s->e->context;
    uint32_t r = cflri_relation_find(relation, source);
    if (r == relation->n_rows) return true;
    if (!is_read(s, forward, cflri_relation_identity(relation, r), &made, &read)) return false;
    if (read) return true;
    if (cflri_relation_read(context, relation, r, &s->row, NULL) != CFLR_OK) return refused(s->e);
    if (!worked(s->e, s->row.count / 8)) return false;
    for (uint64_t i = 0; i < s->row.count; i++) {
        made.vertex = s->row.target[i];
        if (!enter(s, forward, made)) return false;
    }
    return true;
}

/* Along the pairs of a level from where they end to where they begin. */
static bool enter_sources(search *s, bool forward, uint32_t symbol, uint32_t level, state made) {
    const cflri_turned_rows *turned = cflri_levels_turned(&s->e->levels, symbol);
    uint64_t n_sets;
    const uint32_t *set = cflri_relation_row(&turned->containing, made.vertex, &n_sets);
    for (uint64_t i = 0; i < n_sets && set[i] < turned->n_sets[level]; i++) {
        if (!worked(s->e, 1) || !enter_row(s, forward, &turned->having[level], set[i], made))
            return false;
    }
    return true;
}

/* A call as a step, along the pairs of the level. */
static bool call(search *s, bool forward, uint32_t from, const cflri_arc *arc) {
    cflr_explainer *e = s->e;
    uint32_t deeper = e->automaton.deeper[arc->reading / 2];
    if (s->calls < deeper) return true;
    const state at = s->side[forward].known.at[from];
    bool right = cflri_automaton_right(&e->automaton, at.frame, forward);
    cflri_word_reading reading =
        arc->reading ^ (cflri_word_reading)e->automaton.frame.at[at.frame].back;
    state made = {.frame = at.frame,
                  .node = cflri_automaton_behind(&e->automaton, at.frame, arc, right),
                  .before = from,
                  .distance = at.distance + cost_of_call(s, forward, at.frame, arc),
                  .reading = reading,
                  .stepped = true,
                  .called = true};
    if (made.node == CFLRI_NO_NODE) return refused(e);
    bool turned = (reading & 1) != !forward;
    uint32_t symbol = reading / 2, level = s->calls - deeper;
    made.vertex = at.vertex;
    if (turned) return enter_sources(s, forward, symbol, level, made);
    return enter_row(s, forward, cflri_levels_pairs(&e->levels, level, symbol), at.vertex, made);
}

/* Into a frame, or out of it. */
static bool cross(search *s, bool forward, uint32_t from, const cflri_arc *arc) {
    cflri_automaton *automaton = &s->e->automaton;
    const state at = s->side[forward].known.at[from];
    state made = {.vertex = at.vertex, .before = from, .distance = at.distance};
    if (arc->use == CFLRI_ARC_LEAVE) {
        const uint32_t last[2] = {forward ? NONE : from, forward ? from : NONE};
        if (at.frame == s->frame || !frame_is_kept(s, at.frame, last)) return true;
        made.frame = cflri_automaton_leave(automaton, at.frame, forward, &made.node);
    } else {
        bool called = automaton->called[arc->reading / 2];
        if (called && s->calls != NONE) return call(s, forward, from, arc);
        made.frame = cflri_automaton_enter(automaton, at.frame, arc, forward, &made.node);
        if (called) made.distance += cost_of_call(s, forward, at.frame, arc);
    }
    return made.frame == CFLRI_NO_FRAME ? refused(s->e) : enter(s, forward, made);
}

/* One arc from a state. */
static bool follow(search *s, bool forward, uint32_t from, const cflri_arc *arc,
                   cflri_port_range ports) {
    const state at = s->side[forward].known.at[from];
    state made = {.frame = at.frame,
                  .node = arc->to,
                  .vertex = at.vertex,
                  .before = from,
                  .distance = at.distance};
    if (arc->use == CFLRI_ARC_PASS) return enter(s, forward, made);
    if (arc->use != CFLRI_ARC_EDGE) return cross(s, forward, from, arc);
    made.reading = arc->reading ^ (cflri_word_reading)s->e->automaton.frame.at[at.frame].back;
    made.stepped = true;
    for (uint32_t i = 0; i < ports.n; i++) {
        made.vertex = ports.at[i].vertex;
        made.distance = at.distance + (made.vertex == at.vertex ? LOOP_COST : 1);
        if (!enter(s, forward, made)) return false;
    }
    return true;
}

/* The first of n ports of arcs, ascending by symbol, that is not below it. */
static uint32_t seek_port(const cflri_arc_port *port, uint32_t n, uint32_t symbol) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (port[middle].symbol < symbol)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The arcs that go on where the vertex has edges on this side: by whichever are fewer. */
static bool meet(search *s, bool forward, uint32_t from, cflri_direction where,
                 const cflri_arc_list *list) {
    uint32_t vertex = s->side[forward].known.at[from].vertex;
    const cflri_arc_port *port = where == CFLRI_OUT ? list->port : list->port + list->n_out;
    uint32_t n = where == CFLRI_OUT ? list->n_out : list->n_ports - list->n_out;
    cflri_port_range all =
        n ? cflri_ports_at(&s->e->ports, where, vertex) : (cflri_port_range){NULL, 0};
    if (all.n == 0) return true;
    if (n <= all.n) {
        for (uint32_t i = 0; i < n; i++) {
            cflri_port_range ports = cflri_ports_of(all, port[i].symbol);
            const cflri_arc *arc = &list->arc[port[i].arc];
            if (ports.n && !follow(s, forward, from, arc, ports)) return false;
        }
        return true;
    }
    for (uint32_t p = 0, next; p < all.n; p = next) {
        uint32_t symbol = all.at[p].label;
        for (next = p + 1; next < all.n && all.at[next].label == symbol;) next++;
        const cflri_port_range ports = {all.at + p, next - p};
        for (uint32_t i = seek_port(port, n, symbol); i < n && port[i].symbol == symbol; i++)
            if (!follow(s, forward, from, &list->arc[port[i].arc], ports)) return false;
    }
    return true;
}

static bool leave(search *s, bool forward, uint32_t from) {
    const state at = s->side[forward].known.at[from];
    bool right = cflri_automaton_right(&s->e->automaton, at.frame, forward);
    const cflri_arc_list *arcs = cflri_automaton_arcs(&s->e->automaton, at.node, right);
    if (!arcs) return refused(s->e);
    const cflri_arc_list list = *arcs; /* nodes move when others are made */
    const cflri_port_range none = {NULL, 0};
    for (uint32_t i = 0; i < list.n_free; i++)
        if (!follow(s, forward, from, &list.arc[i], none)) return false;
    return meet(s, forward, from, CFLRI_OUT, &list) && meet(s, forward, from, CFLRI_IN, &list);
}

/* The nearest state that waits is known from now on, and those behind it wait. False when it is
 * time to end. */
static bool go_on(search *s, bool forward) {
    cflr_explainer *e = s->e;
    side *d = &s->side[forward], *other = &s->side[!forward];
    while (d->waiting[d->distance % MOST_COST].n == 0) d->distance++;
    states *nearest = &d->waiting[d->distance % MOST_COST];
    const state made = nearest->at[--nearest->n];
    uint32_t hash = hash_state(&made), number = (uint32_t)d->known.n;
    d->n_waiting--;
    if (!worked(e, 1)) return false;
    if (find_state(d, &made, hash) != NONE || !may_lead(s, forward, &made)) return true;
    if (!cflri_vec_push(e->context, &d->known, made) ||
        !cflri_seen_add(e->context, &d->seen, hash, number))
        return refused(e);
    uint32_t met = find_state(other, &made, hash);
    uint32_t distance = met == NONE ? NONE : made.distance + other->known.at[met].distance;
    const uint32_t both[2] = {forward ? met : number, forward ? number : met};
    if (distance < s->best && meeting_is_kept(s, both)) {
        s->best = distance;
        memcpy(s->met, both, sizeof both);
    }
    return leave(s, forward, number);
}

/* The side to go on with, the one that knows fewer states; NONE when there is no better path, or
 * enough is known. */
static uint32_t next_side(const search *s) {
    const side *d = s->side;
    if (s->best != NONE && d[0].distance + d[1].distance >= s->best) return NONE;
    for (int k = 0; k < 2; k++)
        if (d[k].n_waiting == 0 || d[k].known.n >= s->most) return NONE;
    return d[1].known.n <= d[0].known.n;
}

/* False when it is time to end. */
static bool run(search *s) {
    cflri_automaton *automaton = &s->e->automaton;
    uint32_t symbol = s->of.symbol, next;
    s->met[0] = s->met[1] = s->best = NONE;
    s->frame = cflri_automaton_word(automaton, symbol);
    s->end[0] = cflri_automaton_node_at(automaton, symbol, CFLRI_NODE_BEGIN, symbol);
    s->end[1] = cflri_automaton_node_at(automaton, symbol, CFLRI_NODE_END, symbol);
    if (s->frame == CFLRI_NO_FRAME || s->end[0] == CFLRI_NO_NODE || s->end[1] == CFLRI_NO_NODE)
        return refused(s->e);
    state first = {.frame = s->frame, .node = s->end[0], .vertex = s->of.source, .before = NONE};
    if (!enter(s, true, first)) return false;
    first.node = s->end[1];
    first.vertex = s->of.target;
    if (!enter(s, false, first)) return false;
    while ((next = next_side(s)) != NONE)
        if (!go_on(s, next)) return false;
    return true;
}

static void end_search(search *s) {
    cflr_context *context = s->e->context;
    cflr_row_free(&s->row);
    for (int i = 0; i < 2; i++) {
        cflri_vec_free(context, &s->side[i].known);
        cflri_seen_free(context, &s->side[i].seen);
        cflri_vec_free(context, &s->side[i].row);
        cflri_seen_free(context, &s->side[i].rows);
        for (int k = 0; k < MOST_COST; k++) cflri_vec_free(context, &s->side[i].waiting[k]);
    }
}

/* ---- derivations ---- */

static uint32_t hash_pair(pair p) {
    return (uint32_t)(cflri_seen_mix(cflri_seen_mix(0, p.symbol, p.source), p.target, 0) >> 32);
}

/* The derivation that was found for the pair, or NONE. */
static uint32_t find_derivation(const cflr_explainer *e, pair p) {
    uint32_t hash = hash_pair(p), i;
    for (size_t at = cflri_seen_first(&e->derived, hash);
         (i = cflri_seen_next(&e->derived, hash, &at)) != CFLRI_NOT_SEEN;) {
        const pair of = e->derivations.at[i].of;
        if (of.symbol == p.symbol && of.source == p.source && of.target == p.target) return i;
    }
    return NONE;
}

static uint32_t keep_derivation(cflr_explainer *e, pair of, const step *steps, size_t n) {
    const derivation made = {of, e->steps.n, n};
    uint32_t number = find_derivation(e, of);
    if (number != NONE) return number;
    number = (uint32_t)e->derivations.n;
    if (!cflri_vec_reserve(e->context, &e->steps, n) ||
        !cflri_vec_push(e->context, &e->derivations, made) ||
        !cflri_seen_add(e->context, &e->derived, hash_pair(of), number)) {
        refused(e);
        return NONE;
    }
    for (size_t i = 0; i < n; i++) e->steps.at[e->steps.n++] = steps[i];
    return number;
}

/* ---- paths ---- */

/* A place on a path, and the step that leads there from the one before. */
typedef struct place {
    uint32_t frame, vertex;
    bool stepped, called;
    cflri_word_reading reading;
    uint32_t over; /* derivation of a call, once it is found */
} place;

typedef CFLRI_VEC(place) path;

static bool add_place(cflr_explainer *e, path *to, const place *made) {
    return cflri_vec_push(e->context, to, *made) || refused(e);
}

static place place_of(const state *at, const state *by) {
    return (place){at->frame, at->vertex, by->stepped, by->called, by->reading, NONE};
}

/* From the first state of the front side to this one. */
static bool add_ahead(const search *s, uint32_t last, path *to) {
    const state *at = s->side[1].known.at;
    for (uint32_t i = last; i != NONE; i = at[i].before) {
        const place made = place_of(&at[i], &at[i]);
        if (!add_place(s->e, to, &made)) return false;
    }
    for (size_t i = 0, k = to->n; i + 1 < k; i++) {
        place kept = to->at[i];
        to->at[i] = to->at[--k];
        to->at[k] = kept;
    }
    return true;
}

/* From this state of the other side, where the path is, to its first one. */
static bool add_behind(const search *s, uint32_t first, path *to) {
    const state *at = s->side[0].known.at;
    for (uint32_t i = first; at[i].before != NONE; i = at[i].before) {
        const place made = place_of(&at[at[i].before], &at[i]);
        if (!add_place(s->e, to, &made)) return false;
    }
    return true;
}

/* ---- from a path to derivations ---- */

/* A frame of a called symbol, or of the word, that the path is in. */
typedef struct opened {
    uint32_t frame;
    uint32_t vertex; /* where it came in */
    size_t first;    /* step of the path, which what is inside replaces */
} opened;

typedef struct telling {
    cflr_explainer *e;
    CFLRI_VEC(opened) open;
    CFLRI_VEC(step) steps;
} telling;

static void turn_round(step *steps, size_t n) {
    for (size_t i = 0; i < n; i++)
        steps[i] = (step){steps[i].to, steps[i].from, steps[i].reading ^ 1, steps[i].derivation};
    for (size_t i = 0, k = n; i + 1 < k; i++) {
        step kept = steps[i];
        steps[i] = steps[--k];
        steps[k] = kept;
    }
}

/* The last frame ends at the vertex: its steps become one. NONE when memory is refused. */
static uint32_t close_frame(telling *t, uint32_t vertex) {
    cflr_explainer *e = t->e;
    const opened last = t->open.at[--t->open.n];
    const cflri_stack_frame frame = e->automaton.frame.at[last.frame];
    size_t n = t->steps.n - last.first;
    step *steps = n ? t->steps.at + last.first : NULL;
    if (frame.back) turn_round(steps, n);
    const pair of = {frame.symbol, frame.back ? vertex : last.vertex,
                     frame.back ? last.vertex : vertex};
    uint32_t made = keep_derivation(e, of, steps, n);
    t->steps.n = last.first;
    const step over = {last.vertex, vertex, 2 * frame.symbol + frame.back, made};
    if (made != NONE && !cflri_vec_push(e->context, &t->steps, over)) refused(e);
    return made;
}

/* The path comes to a place. */
static bool come_to(telling *t, const place *at) {
    const cflri_automaton *automaton = &t->e->automaton;
    uint32_t frame = at->frame;
    while (automaton->frame.at[frame].parent != CFLRI_NO_FRAME &&
           !automaton->called[automaton->frame.at[frame].symbol])
        frame = automaton->frame.at[frame].parent;
    uint32_t depth = automaton->frame.at[frame].depth;
    while (t->open.n > depth + 1 || (t->open.n == depth + 1 && t->open.at[depth].frame != frame))
        if (close_frame(t, at->vertex) == NONE) return false;
    if (t->open.n == depth + 1) return true;
    const opened made = {frame, at->vertex, t->steps.n};
    return cflri_vec_push(t->e->context, &t->open, made) || refused(t->e);
}

/* The derivation of the path of a word. */
static uint32_t tell_path(cflr_explainer *e, const path *p) {
    telling t = {.e = e};
    bool told = true;
    for (size_t i = 0; i < p->n && told; i++) {
        const place *at = &p->at[i];
        if (at->stepped) {
            const step made = {p->at[i - 1].vertex, at->vertex, at->reading, at->over};
            told = cflri_vec_push(e->context, &t.steps, made) || refused(e);
        }
        told = told && come_to(&t, at);
    }
    uint32_t made = told ? close_frame(&t, p->at[p->n - 1].vertex) : NONE;
    cflri_vec_free(e->context, &t.open);
    cflri_vec_free(e->context, &t.steps);
    return made;
}

/* ---- searches for a derivation ---- */

/* The shortest path with calls of so many levels (NONE: entered), if there is one. */
static bool find_path(cflr_explainer *e, pair of, uint32_t calls, size_t most, path *to) {
    search s = {.e = e, .of = of, .calls = calls, .most = most};
    bool found =
        run(&s) && s.best != NONE && add_ahead(&s, s.met[1], to) && add_behind(&s, s.met[0], to);
    end_search(&s);
    return found;
}

static uint32_t derive_near(cflr_explainer *e, pair of) {
    path p = {0};
    uint32_t made = find_path(e, of, NONE, NEAR_STATES, &p) ? tell_path(e, &p) : NONE;
    cflri_vec_free(e->context, &p);
    return made;
}

/* The first level that has the pair. */
static uint32_t find_level(cflr_explainer *e, pair of) {
    uint32_t level = cflri_levels_find(&e->levels, of.symbol, of.source, of.target, &e->failure);
    looked_up(e, true);
    return level;
}

/* Of a pair of the level `calls`: deeper calls are of the levels below. Depth: levels, and at each
 * of them the filtered symbols that do not recur. */
static uint32_t derive_by_levels(cflr_explainer *e, pair of, uint32_t calls) {
    uint32_t made = find_derivation(e, of);
    if (made != NONE) return made;
    path p = {0};
    bool found = find_path(e, of, calls, SIZE_MAX, &p);
    for (size_t i = 1; i < p.n && found; i++) {
        place *at = &p.at[i];
        bool back = at->reading & 1;
        uint32_t before = p.at[i - 1].vertex;
        const pair over = {at->reading / 2, back ? at->vertex : before, back ? before : at->vertex};
        if (!at->called) continue;
        uint32_t level = find_level(e, over);
        at->over = derive_by_levels(e, over, level);
        found = at->over != NONE;
    }
    if (found) made = tell_path(e, &p);
    cflri_vec_free(e->context, &p);
    return made;
}

/* Twice as many levels as there are, in their place. False when there are no more, or it is time to
 * end. */
static bool make_levels(cflr_explainer *e) {
    uint32_t n = e->levels.n ? 2 * e->levels.n : FIRST_LEVELS;
    if (e->levels.all || n > MOST_LEVELS) return false;
    cflri_levels_free(e->context, &e->levels);
    e->end = cflri_levels_make(&e->automaton, n, &e->levels, e->error);
    if (e->end != CFLR_OK) cflri_levels_free(e->context, &e->levels);
    return e->end == CFLR_OK;
}

/* With calls of as few levels as can be. */
static uint32_t derive_far(cflr_explainer *e, pair of) {
    bool called = e->automaton.called[of.symbol];
    uint32_t made = NONE, calls = 0;
    for (;;) {
        if (called) calls = find_level(e, of);
        for (; calls < e->levels.n && made == NONE && goes_on(e); calls++)
            made = derive_by_levels(e, of, calls);
        if (made != NONE || !goes_on(e)) return made;
        if (!make_levels(e)) break;
    }
    return made;
}

/* ---- the entry ---- */

void cflr_explainer_free(cflr_explainer *e) {
    if (!e) return;
    cflr_context *context = e->context;
    cflri_levels_free(context, &e->levels);
    cflri_automaton_free(&e->automaton);
    cflri_filters_free(&e->filters);
    cflri_ports_free(&e->ports);
    cflri_free(context, (void *)e->relation);
    cflri_free(context, e->implied);
    cflri_free(context, e->kinds);
    cflri_vec_free(context, &e->derivations);
    cflri_vec_free(context, &e->steps);
    cflri_seen_free(context, &e->derived);
    cflri_vec_free(context, &e->order);
    cflri_vec_free(context, &e->number);
    cflri_vec_free(context, &e->told);
    cflri_ground_free(e->ground);
    cflri_free(context, e);
}

/* What walking needs: which symbols are known, and the edges at each vertex. */
static cflr_status prepare(cflr_explainer *e, const cflr_graph *graph, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t n = e->ground->n_symbols;
    const cflri_relation **input = NULL;
    bool *mark = cflri_alloc_array_zero(e->context, (size_t)n + 1, sizeof *mark);
    if (!mark) return cflri_fail_memory(e->context, error);
    for (uint32_t s = 0; s < n; s++) mark[s] = e->relation[s] != NULL;
    CFLR_TRY(cflri_automaton_make(e->ground, mark, &e->automaton, error));
    for (uint32_t s = 0; s < n; s++) mark[s] = e->ground->symbol[s].label != CFLR_NO_LABEL;
    CFLR_TRY(cflri_problem_inputs(graph, e->ground, &input, error));
    const cflri_problem problem = {.context = e->context,
                                   .n_vertices = graph->n_vertices,
                                   .ground = e->ground,
                                   .input = input};
    const bool *const needed[2] = {mark, mark};
    CFLR_TRY(cflri_ports_init(&e->ports, &problem, needed, error));
    e->kinds = cflri_alloc_array_zero(e->context, (size_t)graph->n_vertices + 1, sizeof *e->kinds);
    if (!e->kinds) CFLR_TRY(cflri_fail_memory(e->context, error));
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        for (int k = CFLRI_OUT; k <= CFLRI_IN; k++) {
            cflri_port_range all = cflri_ports_at(&e->ports, (cflri_direction)k, v);
            for (uint32_t i = 0; i < all.n; i++)
                e->kinds[v] |= cflri_port_kind((cflri_direction)k, all.at[i].label);
        }
out:
    cflri_free(e->context, (void *)input);
    cflri_free(e->context, mark);
    return st;
}

cflr_status cflr_explainer_new(const cflr_grammar *grammar, const cflr_result *result,
                               cflr_explainer **explainer, cflr_error *error) {
    cflr_context *context = result->context;
    cflr_status st = CFLR_OK;
    *explainer = NULL;
    if (!cflri_question_is_all(&result->question))
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "the result answers a question: derivations may read what it left out");
    cflr_explainer *e = cflri_alloc_zero(context, sizeof *e);
    if (!e) return cflri_fail_memory(context, error);
    e->context = context;
    CFLR_TRY(cflri_ground_new(grammar, result->graph, &e->ground, error));
    CFLR_TRY(cflri_filters_make(e->ground, &e->filters, error));
    size_t n = (size_t)e->ground->n_symbols + 1;
    e->relation = cflri_alloc_array_zero(context, n, sizeof *e->relation);
    e->implied = cflri_alloc_array_zero(context, n, sizeof *e->implied);
    if (!e->relation || !e->implied) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(cflri_result_match(result, e->ground, e->relation, error));
    CFLR_TRY(prepare(e, result->graph, error));
    *explainer = e;
    e = NULL;
out:
    cflr_explainer_free(e);
    return st;
}

static void forget(cflr_explainer *e) {
    cflri_automaton_forget_frames(&e->automaton);
    cflri_seen_free(e->context, &e->derived);
    e->derivations.n = e->steps.n = e->order.n = e->number.n = e->told.n = 0;
    e->work = e->next_look = 0;
    e->spent = false;
    e->end = e->failure.st = CFLR_OK;
}

/* Those that the last one needs: a derivation is made behind those that it is about, so their
 * order is the reverse. */
static bool put_in_order(cflr_explainer *e, uint32_t last) {
    size_t n = e->derivations.n;
    if (!cflri_vec_reserve(e->context, &e->number, n)) return refused(e);
    e->number.n = n;
    for (size_t i = 0; i < n; i++) e->number.at[i] = NONE;
    e->number.at[last] = 0;
    for (size_t i = last + 1; i-- > 0;) {
        if (e->number.at[i] == NONE) continue;
        const derivation *d = &e->derivations.at[i];
        e->number.at[i] = (uint32_t)e->order.n;
        if (!cflri_vec_push(e->context, &e->order, (uint32_t)i)) return refused(e);
        for (size_t k = d->first; k < d->first + d->n; k++)
            if (e->steps.at[k].derivation != NONE) e->number.at[e->steps.at[k].derivation] = 0;
    }
    return true;
}

static const char *name_of(const cflr_explainer *e, uint32_t symbol) {
    return e->ground->grammar->symbol[e->ground->symbol[symbol].symbol].name;
}

static bool tell_steps(cflr_explainer *e) {
    for (size_t i = 0; i < e->steps.n; i++) {
        const step *s = &e->steps.at[i];
        const cflr_derivation_step told = {
            .from = s->from,
            .to = s->to,
            .symbol = name_of(e, s->reading / 2),
            .index = cflri_ground_index_text(e->ground, s->reading / 2),
            .backwards = s->reading & 1,
            .derivation = s->derivation == NONE ? CFLR_NO_DERIVATION : e->number.at[s->derivation]};
        if (!cflri_vec_push(e->context, &e->told, told)) return refused(e);
    }
    return true;
}

static uint32_t find_symbol(const cflr_explainer *e, const char *name, const char *index) {
    for (uint32_t s = 0; s < e->ground->n_symbols; s++)
        if (strcmp(name_of(e, s), name) == 0 &&
            strcmp(cflri_ground_index_text(e->ground, s), index) == 0)
            return s;
    return NONE;
}

cflr_status cflr_explain(cflr_explainer *e, const char *symbol, const char *index, uint32_t source,
                         uint32_t target, uint32_t work, size_t *n, cflr_error *error) {
    *n = 0;
    forget(e);
    e->error = error;
    e->most_work = (uint64_t)(work ? work : USUAL_WORK) * 1000000;
    uint32_t found = find_symbol(e, symbol, index);
    if (found == NONE)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the grammar has no %.60s%s%.60s%s here",
                          symbol, index[0] ? "[" : "", index, index[0] ? "]" : "");
    cflri_word_reading reading = cflri_automaton_reading(e->ground, found);
    bool back = reading & 1;
    const pair of = {reading / 2, back ? target : source, back ? source : target};
    if (!may_hold(e, of.symbol, of.source, of.target)) return e->end;
    uint32_t made = derive_near(e, of);
    if (made == NONE && goes_on(e)) made = derive_far(e, of);
    if (made != NONE && put_in_order(e, made) && tell_steps(e)) *n = e->order.n;
    return e->end;
}

void cflr_explanation_sized(const cflr_explainer *e, size_t i, cflr_derivation *told,
                            size_t struct_size) {
    assert(i < e->order.n);
    const derivation *d = &e->derivations.at[e->order.at[i]];
    const cflr_derivation known = {.symbol = name_of(e, d->of.symbol),
                                   .index = cflri_ground_index_text(e->ground, d->of.symbol),
                                   .source = d->of.source,
                                   .target = d->of.target,
                                   .step = d->n ? e->told.at + d->first : NULL,
                                   .n_steps = d->n};
    CFLRI_GIVE(told, struct_size, known);
}
