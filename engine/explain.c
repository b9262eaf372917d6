/* SPDX-License-Identifier: Apache-2.0
 *
 * explain.c: derivations of single pairs of a closure, found anew.
 *
 * A result says that a pair holds and not why. It would take a reason for each of a thousand million pairs to keep that, so a
 * derivation is searched for when it is asked for, and what the result holds tells where there is none.
 *
 * A derivation is a word of the symbol's automaton (spine.h) along a path: a search from both ends at once through
 * states (node, vertex), by steps, the fewer states first. A state at which a symbol remains to be derived, or is
 * derived, is only entered when the result has that pair, or one that would follow from it.
 *
 *     A(u,w):     (begin, u) -> (n, v4) -> (m, v9) = (m, v9) <- (o, v2) <- (end, w)
 *
 * Steps of the word are edges and calls, and a call is a pair with a derivation of its own. The *level* of a derivation is how
 * deep calls are nested in it. A pair has a derivation of level 0 where edges alone lead from end to end; one of level n by calls
 * whose pairs have derivations of a smaller level. So derivations are found level by level, and none rests on itself.
 *
 *     row        all that a call leads to from a vertex by derivations of a level: a search from one end, kept
 *     thorough   a search whose calls go by rows
 *     bridge     a search that ends nowhere, from both ends; then a call from a vertex of the one to a vertex of the
 *                other, whose pair the result has, is derived by the same means, at a smaller level
 *
 * In large results nearly all pairs hold, and the result refuses little. There rows of a high level are long, and the
 * way is to guess: most pairs have a derivation of a few levels, so that a few bridges must be tried until one holds. What failed at
 * a level is not tried there again. Efforts grow: each next one has longer rows, rows of a higher level, and tries
 * more bridges.
 *
 * Recursion is by level, of which there are few. Memory: the states of two searches for each level, rows up to
 * a bound, and what was found. Work is bounded by the caller.
 */
#include "cflr/explain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/result.h"
#include "engine/spine.h"

enum {
    FIRST_STATES = 1 << 10, /* of one side */
    EFFORTS = 6,
    TRIES = 1 << 7, /* of bridges, with the least effort */
    MOST_BRIDGES = 1 << 6, /* at one place */
    MOST_TESTS = 1 << 10,
    CALL_COST = 2,
    LOOP_COST = 12,
    MOST_COST = 16,
    USUAL_WORK = 200, /* million steps */
    LOOK_EVERY = 1 << 12,
};

#define NONE UINT32_MAX

/* ---- what is kept of a question ---- */

typedef struct pair {
    uint32_t symbol, source, target;
} pair;

typedef struct step {
    uint32_t from, to;
    cflri_reading reading;
    uint32_t derivation; /* NONE: an edge */
} step;

typedef struct derivation {
    pair of;
    size_t first, n; /* steps */
} derivation;

/* What was tried for a pair of a symbol; or between two places of words, at one node. */
typedef struct attempt {
    pair of; /* its symbol: the frame, for places */
    uint32_t node; /* NONE: a pair */
    uint32_t derivation; /* NONE: none is found */
    int efforts;         /* with which none was found */
} attempt;

typedef struct implied {
    const cflri_relation *pairs; /* NULL: nothing is known */
    bool made, swapped;
} implied;

struct cflr_explainer {
    cflr_context *context;
    cflri_ground *ground;
    cflri_spine spine;
    cflri_ports ports;
    const cflri_relation **relation; /* by ground symbol; NULL: not held */
    implied *implied;                /* by ground symbol: a relation that has each of its pairs */
    uint64_t *kinds;                 /* by vertex: of its ports */
    /* of a question */
    CFLRI_VEC(derivation) derivations;
    CFLRI_VEC(step) steps;
    CFLRI_VEC(attempt) attempts;
    cflri_seen attempted;
    cflri_numbers order;   /* derivations that are part of the answer */
    cflri_numbers number;  /* by derivation: its place among them */
    CFLRI_VEC(cflr_derivation_step) told;
    uint64_t work, most_work, next_look;
    bool spent;      /* the work is done */
    cflr_status end; /* CFLR_OK while it goes on */
    cflr_error *error;
};

static bool refused(cflr_explainer *e) {
    if (e->end == CFLR_OK) e->end = cflri_fail_memory(e->context, e->error);
    return false;
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

/* A symbol that has rules, and follows from another as it is, or with something empty beside it. */
typedef struct following {
    uint32_t symbol;
    bool swapped;
} following;

enum { MOST_FOLLOWING = 64 };

static void add_following(following *list, uint32_t *n, following one) {
    for (uint32_t i = 0; i < *n; i++)
        if (list[i].symbol == one.symbol && list[i].swapped == one.swapped) return;
    if (*n < MOST_FOLLOWING) list[(*n)++] = one;
}

static void add_all_following(const cflr_explainer *e, following *list, uint32_t *n, following of) {
    const cflri_ground *ground = e->ground;
    const cflri_join_index *unary = &ground->by_unary, *converse = &ground->by_converse;
    const cflri_join_index *const binary[] = {&ground->by_left, &ground->by_right};
    for (uint32_t j = unary->start[of.symbol]; j < unary->start[of.symbol + 1]; j++)
        add_following(list, n, (following){unary->join[j].left, of.swapped});
    for (uint32_t j = converse->start[of.symbol]; j < converse->start[of.symbol + 1]; j++)
        add_following(list, n, (following){converse->join[j].left, !of.swapped});
    for (int side = 0; side < 2; side++)
        for (uint32_t j = binary[side]->start[of.symbol]; j < binary[side]->start[of.symbol + 1];
             j++) {
            const cflri_join *join = &binary[side]->join[j];
            if (e->spine.nullable[join->partner])
                add_following(list, n, (following){join->left, of.swapped});
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
    if (!known->pairs) return true;
    worked(e, 1);
    return known->swapped ? cflri_relation_has(known->pairs, target, source)
                          : cflri_relation_has(known->pairs, source, target);
}

/* ---- searches ---- */

typedef struct state {
    uint32_t frame, node, vertex;
    uint32_t before;       /* state, NONE at the first */
    uint32_t distance;
    cflri_reading reading; /* of the edge that led here, in the direction of the word */
    bool stepped;          /* there was one */
} state;

typedef CFLRI_VEC(state) states;

/* Where a state could enter a symbol whose pairs are known, the same for both sides; or go round in loops: then the
 * rule is NONE, and the position is the node. */
typedef struct call {
    uint32_t frame, rule, position;
    cflri_reading reading; /* in the direction of the word */
    uint32_t state;
} call;

typedef struct side {
    states known;
    cflri_seen seen;
    states waiting[MOST_COST]; /* by distance, round about */
    size_t n_waiting;
    uint32_t distance; /* of those that are known last */
    CFLRI_VEC(call) calls;
} side;

/* From a state to another one, in the word of a pair. */
typedef struct way {
    pair of;
    state from, to;
} way;

typedef struct search {
    cflr_explainer *e;
    pair of;
    int effort;
    uint32_t frame;   /* of the word */
    uint32_t end[2];  /* nodes at its begin and end */
    side side[2];     /* backward and forward */
    uint32_t met[2];  /* states, NONE: the best so far */
    uint32_t best;    /* distance of that path */
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

/* What remains, or is done, of the word is a pair of some symbol: may that hold? */
static bool may_lead(search *s, bool forward, const state *made) {
    cflr_explainer *e = s->e;
    const cflri_spine_node *node = &e->spine.node.at[made->node];
    if (made->frame != s->frame || node->kind == CFLRI_NODE_MIDDLE) return true;
    uint32_t from = forward ? made->vertex : s->of.source;
    uint32_t to = forward ? s->of.target : made->vertex;
    bool near = (node->kind == CFLRI_NODE_BEGIN) == forward;
    if (near) return may_hold(e, node->of, from, to);
    cflri_loop loop = e->spine.loop[e->spine.component[s->of.symbol]];
    if (loop != (forward ? CFLRI_LOOP_LEFT : CFLRI_LOOP_RIGHT)) return from == to;
    return !e->spine.nullable[node->of] || may_hold(e, s->of.symbol, from, to);
}

/* Is there a way on from the state? */
static bool has_way(search *s, bool forward, const state *made) {
    cflr_explainer *e = s->e;
    if (made->frame == s->frame && made->node == s->end[forward]) return true;
    bool right = cflri_spine_right(&e->spine, made->frame, forward);
    const cflri_arc_list *arcs = cflri_spine_arcs(&e->spine, made->node, right);
    return !arcs || (arcs->kinds & e->kinds[made->vertex]);
}

/* It waits until it is the nearest. */
static bool enter(search *s, bool forward, state made) {
    side *d = &s->side[forward];
    if (!has_way(s, forward, &made)) return true;
    d->n_waiting++;
    return cflri_vec_push(s->e->context, &d->waiting[made.distance % MOST_COST], made) ||
           refused(s->e);
}

static bool keep_call(search *s, bool forward, uint32_t from, const cflri_arc *arc) {
    cflr_explainer *e = s->e;
    uint32_t frame = s->side[forward].known.at[from].frame;
    cflri_reading reading = arc->reading ^ (cflri_reading)e->spine.frame.at[frame].back;
    const call made = {frame, arc->rule, arc->position, reading, from};
    if (!e->relation[arc->reading / 2]) return true;
    return cflri_vec_push(e->context, &s->side[forward].calls, made) || refused(e);
}

/* The rarer the edges with which a walk goes on behind a call, the less likely it comes out. */
static uint32_t cost_of_call(search *s, bool forward, uint32_t frame, const cflri_arc *arc) {
    cflr_explainer *e = s->e;
    bool right = cflri_spine_right(&e->spine, frame, forward);
    uint32_t node = cflri_spine_behind(&e->spine, frame, arc, right), cost = CALL_COST;
    const cflri_arc_list *on = node == CFLRI_NO_NODE ? NULL : cflri_spine_arcs(&e->spine, node, right);
    if (!on || on->n_free) return cost;
    uint64_t exits = 1, all = e->ground->graph->n_vertices;
    for (uint32_t i = 0; i < on->n_ports; i++) {
        uint32_t label = e->ground->symbol[on->port[i].symbol].label;
        const cflr_graph *graph = e->ground->graph;
        exits += on->port[i].side == CFLRI_OUT ? graph->out[label].n_rows : graph->in[label].n_rows;
    }
    while (exits < all && cost < MOST_COST - 1) {
        exits *= 2;
        cost++;
    }
    return cost;
}

/* Into a frame, or out of it. */
static bool cross(search *s, bool forward, uint32_t from, const cflri_arc *arc) {
    cflri_spine *spine = &s->e->spine;
    const state at = s->side[forward].known.at[from];
    state made = {.vertex = at.vertex, .before = from, .distance = at.distance};
    if (arc->use == CFLRI_ARC_LEAVE) {
        if (at.frame == s->frame) return true;
        made.frame = cflri_spine_leave(spine, at.frame, forward, &made.node);
    } else {
        bool called = spine->called[arc->reading / 2];
        if (called && s->effort > 0 && !keep_call(s, forward, from, arc)) return false;
        made.frame = cflri_spine_enter(spine, at.frame, arc, forward, &made.node);
        if (called) made.distance += cost_of_call(s, forward, at.frame, arc);
    }
    return made.frame == CFLRI_NO_FRAME ? refused(s->e) : enter(s, forward, made);
}

/* One arc from a state. */
static bool follow(search *s, bool forward, uint32_t from, const cflri_arc *arc,
                   cflri_port_range ports) {
    const state at = s->side[forward].known.at[from];
    state made = {at.frame, arc->to, at.vertex, from, at.distance, 0, false};
    if (arc->use == CFLRI_ARC_PASS) return enter(s, forward, made);
    if (arc->use != CFLRI_ARC_EDGE) return cross(s, forward, from, arc);
    made.reading = arc->reading ^ (cflri_reading)s->e->spine.frame.at[at.frame].back;
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
    bool right = cflri_spine_right(&s->e->spine, at.frame, forward);
    const cflri_arc_list *arcs = cflri_spine_arcs(&s->e->spine, at.node, right);
    if (!arcs) return refused(s->e);
    const cflri_arc_list list = *arcs; /* nodes move when others are made */
    const cflri_port_range none = {NULL, 0};
    for (uint32_t i = 0; i < list.n_free; i++)
        if (!follow(s, forward, from, &list.arc[i], none)) return false;
    return meet(s, forward, from, CFLRI_OUT, &list) && meet(s, forward, from, CFLRI_IN, &list);
}

/* Loops go on from here: another way through them may lead to where the other side is. */
static bool keep_loop(search *s, bool forward, uint32_t number) {
    cflr_explainer *e = s->e;
    const state at = s->side[forward].known.at[number];
    const cflri_spine_node *node = &e->spine.node.at[at.node];
    cflri_loop loop = e->spine.loop[e->spine.component[node->symbol]];
    bool loops = (node->kind == CFLRI_NODE_BEGIN && loop == CFLRI_LOOP_RIGHT) ||
                 (node->kind == CFLRI_NODE_END && loop == CFLRI_LOOP_LEFT);
    if (!loops || e->spine.frame.at[at.frame].depth > 0) return true;
    const call made = {at.frame, NONE, at.node, 0, number};
    return cflri_vec_push(e->context, &s->side[forward].calls, made) || refused(e);
}

/* The nearest state that waits is known from now on, and those behind it wait. False when it is time to end. */
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
    if (s->effort > 0 && !keep_loop(s, forward, number)) return false;
    uint32_t met = find_state(other, &made, hash);
    uint32_t distance = met == NONE ? NONE : made.distance + other->known.at[met].distance;
    if (distance < s->best) {
        s->best = distance;
        s->met[forward] = number;
        s->met[!forward] = met;
    }
    return leave(s, forward, number);
}

/* The side to go on with, the one that knows fewer states; NONE when there is no better path, or enough is known. */
static uint32_t next_side(const search *s) {
    const side *d = s->side;
    if (s->best != NONE && d[0].distance + d[1].distance >= s->best) return NONE;
    for (int k = 0; k < 2; k++)
        if (d[k].n_waiting == 0 || d[k].known.n >= (size_t)FIRST_STATES << (2 * s->effort)) return NONE;
    return d[1].known.n <= d[0].known.n;
}

/* False when it is time to end. */
static bool run(search *s, const way *w) {
    cflri_spine *spine = &s->e->spine;
    uint32_t symbol = s->of.symbol, next;
    s->met[0] = s->met[1] = s->best = NONE;
    s->frame = cflri_spine_word(spine, symbol);
    s->end[0] = cflri_spine_node_at(spine, symbol, CFLRI_NODE_BEGIN, symbol);
    s->end[1] = cflri_spine_node_at(spine, symbol, CFLRI_NODE_END, symbol);
    if (!enter(s, true, w->from) || !enter(s, false, w->to)) return false;
    while ((next = next_side(s)) != NONE)
        if (!go_on(s, next)) return false;
    return true;
}

static void end_search(search *s) {
    cflr_context *context = s->e->context;
    for (int i = 0; i < 2; i++) {
        cflri_vec_free(context, &s->side[i].known);
        cflri_seen_free(context, &s->side[i].seen);
        cflri_vec_free(context, &s->side[i].calls);
        for (int k = 0; k < MOST_COST; k++) cflri_vec_free(context, &s->side[i].waiting[k]);
    }
}

/* ---- derivations ---- */

static bool same_attempt(const attempt *a, const attempt *b) {
    return a->of.symbol == b->of.symbol && a->of.source == b->of.source &&
           a->of.target == b->of.target && a->node == b->node;
}

/* The number of the attempt at a pair, or between places; NONE when memory is refused. */
static uint32_t attempt_at(cflr_explainer *e, pair of, uint32_t node) {
    const attempt made = {of, node, NONE, 0};
    uint64_t hashed = cflri_seen_mix(cflri_seen_mix(0, of.symbol, node), of.source, of.target);
    uint32_t hash = (uint32_t)(hashed >> 32), number = (uint32_t)e->attempts.n, i;
    for (size_t at = cflri_seen_first(&e->attempted, hash);
         (i = cflri_seen_next(&e->attempted, hash, &at)) != CFLRI_NOT_SEEN;)
        if (same_attempt(&e->attempts.at[i], &made)) return i;
    if (cflri_vec_push(e->context, &e->attempts, made) &&
        cflri_seen_add(e->context, &e->attempted, hash, number))
        return number;
    refused(e);
    return NONE;
}

static uint32_t keep_derivation(cflr_explainer *e, pair of, const step *steps, size_t n) {
    const derivation made = {of, e->steps.n, n};
    uint32_t number = attempt_at(e, of, NONE);
    if (number == NONE) return NONE;
    if (e->attempts.at[number].derivation != NONE) return e->attempts.at[number].derivation;
    if (!cflri_vec_reserve(e->context, &e->steps, n) ||
        !cflri_vec_push(e->context, &e->derivations, made)) {
        refused(e);
        return NONE;
    }
    for (size_t i = 0; i < n; i++) e->steps.at[e->steps.n++] = steps[i];
    e->attempts.at[number].derivation = (uint32_t)e->derivations.n - 1;
    return (uint32_t)e->derivations.n - 1;
}

/* ---- paths ---- */

/* A place on a path, and the step that leads there from the one before. */
typedef struct place {
    uint32_t frame, vertex;
    bool stepped;
    cflri_reading reading;
    uint32_t over; /* derivation of the step, NONE: it is an edge */
} place;

typedef CFLRI_VEC(place) path;

static bool add_place(cflr_explainer *e, path *to, const place *made) {
    return cflri_vec_push(e->context, to, *made) || refused(e);
}

/* From the first state of the front side to this one; the first place is left out where the path has it. */
static bool add_ahead(const search *s, uint32_t last, path *to) {
    const state *at = s->side[1].known.at;
    size_t first = to->n;
    for (uint32_t i = last; i != NONE; i = at[i].before) {
        const place made = {at[i].frame, at[i].vertex, at[i].stepped, at[i].reading, NONE};
        if ((at[i].before != NONE || first == 0) && !add_place(s->e, to, &made)) return false;
    }
    for (size_t i = first, k = to->n; i + 1 < k; i++) {
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
        const state *next = &at[at[i].before];
        const place made = {next->frame, next->vertex, at[i].stepped, at[i].reading, NONE};
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
    const cflri_frame frame = e->spine.frame.at[last.frame];
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
    const cflri_spine *spine = &t->e->spine;
    uint32_t frame = at->frame;
    while (spine->frame.at[frame].parent != CFLRI_NO_FRAME &&
           !spine->called[spine->frame.at[frame].symbol])
        frame = spine->frame.at[frame].parent;
    uint32_t depth = spine->frame.at[frame].depth;
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

/* ---- bridges ---- */

/* Between states of the two sides: a call, or a way through loops. */
typedef struct bridge {
    uint32_t state[2];
    uint32_t distance; /* of both */
    cflri_reading reading;
    bool called;
} bridge;

typedef CFLRI_VEC(bridge) bridges;

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_places(const call *x, const call *y) {
    int order = compare_numbers(x->frame, y->frame);
    if (!order) order = compare_numbers(x->rule, y->rule);
    return order ? order : compare_numbers(x->position, y->position);
}

static int compare_calls(const void *a, const void *b) {
    const call *x = a, *y = b;
    int order = compare_places(x, y);
    return order ? order : compare_numbers(x->state, y->state);
}

static int compare_bridges(const void *a, const void *b) {
    const bridge *x = a, *y = b;
    int order = compare_numbers(x->distance, y->distance);
    if (!order) order = compare_numbers(x->state[1], y->state[1]);
    if (!order) order = compare_numbers(x->state[0], y->state[0]);
    return order ? order : x->called - y->called;
}

static const state *end_of(const search *s, const bridge *b, bool forward) {
    return &s->side[forward].known.at[b->state[forward]];
}

static pair called_pair(const search *s, const bridge *b) {
    uint32_t from = end_of(s, b, true)->vertex, to = end_of(s, b, false)->vertex;
    bool back = b->reading & 1;
    return (pair){b->reading / 2, back ? to : from, back ? from : to};
}

/* Does the result say that there may be a way? */
static bool may_bridge(search *s, const bridge *b) {
    const state *from = end_of(s, b, true), *to = end_of(s, b, false);
    if (b->called) {
        const pair of = called_pair(s, b);
        return may_hold(s->e, of.symbol, of.source, of.target);
    }
    const cflri_spine_node *node = &s->e->spine.node.at[from->node];
    bool back = s->e->spine.frame.at[from->frame].back;
    if (!s->e->spine.nullable[node->of]) return true;
    return back ? may_hold(s->e, node->of, to->vertex, from->vertex)
                : may_hold(s->e, node->of, from->vertex, to->vertex);
}

/* What the two sides have at one place; the near ones are first. */
typedef struct calls {
    const call *at[2];
    size_t n[2];
} calls;

static bool add_bridges(search *s, const calls *c, bridges *found) {
    size_t tests = 0, before = found->n;
    for (size_t sum = 0; sum + 1 < c->n[0] + c->n[1]; sum++) {
        for (size_t i = sum < c->n[0] ? 0 : sum - c->n[0] + 1; i <= sum && i < c->n[1]; i++) {
            const call *ahead = &c->at[1][i], *behind = &c->at[0][sum - i];
            bridge one = {.state = {behind->state, ahead->state},
                          .reading = ahead->reading,
                          .called = ahead->rule != NONE};
            one.distance = end_of(s, &one, true)->distance + end_of(s, &one, false)->distance;
            if (tests++ >= MOST_TESTS || found->n - before >= MOST_BRIDGES) return true;
            if (!may_bridge(s, &one)) continue;
            if (!cflri_vec_push(s->e->context, found, one)) return refused(s->e);
        }
    }
    return true;
}

static size_t equal_places(const call *at, size_t n) {
    size_t i = 0;
    while (i < n && compare_places(&at[0], &at[i]) == 0) i++;
    return i;
}

static bool find_bridges(search *s, bridges *found) {
    size_t i[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        if (s->side[k].calls.n)
            qsort(s->side[k].calls.at, s->side[k].calls.n, sizeof(call), compare_calls);
    while (i[0] < s->side[0].calls.n && i[1] < s->side[1].calls.n) {
        calls c;
        for (int k = 0; k < 2; k++) {
            c.at[k] = s->side[k].calls.at + i[k];
            c.n[k] = equal_places(c.at[k], s->side[k].calls.n - i[k]);
        }
        int order = compare_places(c.at[0], c.at[1]);
        if (order == 0 && !add_bridges(s, &c, found)) return false;
        if (order <= 0) i[0] += c.n[0];
        if (order >= 0) i[1] += c.n[1];
    }
    if (found->n) qsort(found->at, found->n, sizeof *found->at, compare_bridges);
    return true;
}

static uint32_t derive(cflr_explainer *e, pair of, int effort);
static bool find_path(cflr_explainer *e, const way *w, int effort, path *to);

/* The same as find_path, unless that has failed before. */
static bool find_loops(cflr_explainer *e, const way *w, int effort, path *to) {
    const pair between = {w->from.frame, w->from.vertex, w->to.vertex};
    uint32_t number = attempt_at(e, between, w->from.node);
    if (number == NONE || e->attempts.at[number].efforts > effort) return false;
    size_t n = to->n;
    if (find_path(e, w, effort, to)) return true;
    to->n = n;
    e->attempts.at[number].efforts = effort + 1;
    return false;
}

/* The path up to the bridge, over it and behind it. */
static bool cross_bridge(search *s, const bridge *b, int effort, path *to) {
    cflr_explainer *e = s->e;
    if (b->called) {
        uint32_t over = derive(e, called_pair(s, b), effort);
        const state *end = end_of(s, b, false);
        const place made = {end->frame, end->vertex, true, b->reading, over};
        return over != NONE && add_ahead(s, b->state[1], to) && add_place(e, to, &made) &&
               add_behind(s, b->state[0], to);
    }
    way inner = {s->of, *end_of(s, b, true), *end_of(s, b, false)};
    inner.from.before = inner.to.before = NONE;
    inner.from.distance = inner.to.distance = 0;
    inner.from.stepped = inner.to.stepped = false;
    path between = {0};
    bool found = find_loops(e, &inner, effort, &between) && add_ahead(s, b->state[1], to);
    for (size_t i = 1; i < between.n && found; i++) found = add_place(e, to, &between.at[i]);
    cflri_vec_free(e->context, &between);
    return found && add_behind(s, b->state[0], to);
}

static bool find_by_bridge(search *s, int effort, path *to) {
    cflr_explainer *e = s->e;
    bridges found = {0};
    bool made = false;
    if (find_bridges(s, &found))
        for (int k = 0; k < effort; k++)
            for (size_t i = 0; i < found.n && i < (size_t)(TRIES >> (2 * k)) && !made && goes_on(e); i++) {
                size_t n = to->n;
                made = cross_bridge(s, &found.at[i], k, to);
                if (!made) to->n = n;
            }
    cflri_vec_free(e->context, &found);
    return made;
}

/* False when none is found with this effort. Depth: efforts. */
static bool find_path(cflr_explainer *e, const way *w, int effort, path *to) {
    search s = {.e = e, .of = w->of, .effort = effort};
    bool found = run(&s, w);
    if (found && s.best != NONE)
        found = add_ahead(&s, s.met[1], to) && add_behind(&s, s.met[0], to);
    else
        found = found && effort > 0 && find_by_bridge(&s, effort, to);
    end_search(&s);
    return found;
}

/* NONE when none is found with this effort. */
static uint32_t derive(cflr_explainer *e, pair of, int effort) {
    uint32_t number = attempt_at(e, of, NONE), made = NONE;
    if (number == NONE) return NONE;
    if (e->attempts.at[number].derivation != NONE) return e->attempts.at[number].derivation;
    if (e->attempts.at[number].efforts > effort) return NONE;
    way w = {.of = of};
    path p = {0};
    uint32_t frame = cflri_spine_word(&e->spine, of.symbol);
    uint32_t begin = cflri_spine_node_at(&e->spine, of.symbol, CFLRI_NODE_BEGIN, of.symbol);
    uint32_t end = cflri_spine_node_at(&e->spine, of.symbol, CFLRI_NODE_END, of.symbol);
    if (frame == CFLRI_NO_FRAME || begin == CFLRI_NO_NODE || end == CFLRI_NO_NODE) {
        refused(e);
        return NONE;
    }
    w.from = (state){.frame = frame, .node = begin, .vertex = of.source, .before = NONE};
    w.to = (state){.frame = frame, .node = end, .vertex = of.target, .before = NONE};
    if (find_path(e, &w, effort, &p)) made = tell_path(e, &p);
    cflri_vec_free(e->context, &p);
    if (goes_on(e)) e->attempts.at[number].efforts = effort + 1;
    return made;
}

/* ---- the entry ---- */

void cflr_explainer_free(cflr_explainer *e) {
    if (!e) return;
    cflr_context *context = e->context;
    cflri_spine_free(&e->spine);
    cflri_ports_free(&e->ports);
    cflri_free(context, (void *)e->relation);
    cflri_free(context, e->implied);
    cflri_free(context, e->kinds);
    cflri_vec_free(context, &e->derivations);
    cflri_vec_free(context, &e->steps);
    cflri_vec_free(context, &e->attempts);
    cflri_seen_free(context, &e->attempted);
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
    CFLR_TRY(cflri_spine_make(e->ground, mark, &e->spine, error));
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
    cflri_spine_forget_frames(&e->spine);
    cflri_seen_free(e->context, &e->attempted);
    e->derivations.n = e->steps.n = e->attempts.n = e->order.n = e->number.n = e->told.n = 0;
    e->work = e->next_look = 0;
    e->spent = false;
    e->end = CFLR_OK;
}

/* Those that the last one needs: a derivation is made behind those that it is about, so their order is the reverse. */
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
            .derivation =
                s->derivation == NONE ? CFLR_NO_DERIVATION : e->number.at[s->derivation]};
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
    cflri_reading reading = cflri_spine_reading(e->ground, found);
    bool back = reading & 1;
    const pair of = {reading / 2, back ? target : source, back ? source : target};
    if (!may_hold(e, of.symbol, of.source, of.target)) return CFLR_OK;
    uint32_t made = NONE;
    for (int effort = 0; effort < EFFORTS && made == NONE && goes_on(e); effort++)
        made = derive(e, of, effort);
    if (made != NONE && put_in_order(e, made) && tell_steps(e)) *n = e->order.n;
    return e->end;
}

void cflr_explanation(const cflr_explainer *e, size_t i, cflr_derivation *told) {
    assert(i < e->order.n);
    const derivation *d = &e->derivations.at[e->order.at[i]];
    *told = (cflr_derivation){.symbol = name_of(e, d->of.symbol),
                              .index = cflri_ground_index_text(e->ground, d->of.symbol),
                              .source = d->of.source,
                              .target = d->of.target,
                              .step = d->n ? e->told.at + d->first : NULL,
                              .n_steps = d->n};
}
