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
    MOST_LEVELS = 24,
    EFFORTS = 3,
    ROW_STATES = 1 << 12, /* of the search for a row, in the first effort */
    WAY_STATES = 1 << 16, /* of a thorough search, from one end */
    BRIDGE_STATES = 1 << 10,
    BRIDGES = 1 << 8,  /* that are looked at in one search */
    TESTS = 1 << 12,   /* whether the result has them */
    DEEP_TRIES = 1 << 3, /* bridges that are tried at each further level */
    ROWS_KEPT = 1 << 24, /* vertices of rows */
    USUAL_WORK = 200,    /* million steps */
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

/* What was tried for a pair. */
typedef struct attempt {
    pair of;
    uint32_t derivation; /* NONE: none is found */
    int thorough;        /* levels below this have none, as far as a thorough search goes */
    int tried;           /* likewise with bridges */
    int effort;          /* at which that was tried */
} attempt;

typedef struct row {
    uint32_t symbol, vertex;
    int level;
    bool forward; /* targets of the vertex; else sources */
    size_t first, n;
} row;

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
    /* of a question */
    CFLRI_VEC(derivation) derivations;
    CFLRI_VEC(step) steps;
    CFLRI_VEC(attempt) attempts;
    CFLRI_VEC(row) rows;
    cflri_seen attempted, rowed;
    cflri_numbers targets; /* of rows */
    cflri_numbers order;   /* derivations that are part of the answer */
    cflri_numbers number;  /* by derivation: its place among them */
    CFLRI_VEC(cflr_derivation_step) told;
    uint64_t work, most_work, next_look;
    int effort;
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
    uint32_t node, vertex;
    uint32_t before; /* state, NONE at the first */
    uint32_t distance;
    cflri_reading reading; /* of the step that led here, in the direction of the word */
    cflri_arc_use use;
} state;

/* A call that a state of one side would make. */
typedef struct call {
    uint32_t from, to; /* nodes, in the direction of the word */
    cflri_reading reading;
    uint32_t state;
} call;

typedef struct side {
    bool forward;
    CFLRI_VEC(state) states;
    cflri_seen seen;
    uint32_t layer; /* where the last layer of states begins: those of one distance */
    CFLRI_VEC(call) calls;
} side;

typedef struct search {
    cflr_explainer *e;
    uint32_t symbol;
    uint32_t source, target; /* NONE: a search for a row, or in one */
    uint32_t wanted;         /* in a row: that ends it; NONE: nothing */
    uint32_t begin, end;     /* nodes */
    int level;
    bool apart; /* neither side goes through loops that the other goes through */
    bool bridges;
    size_t most; /* states of a side */
    side side[2]; /* backward and forward */
    uint32_t met[2]; /* states, NONE */
    cflri_numbers found; /* vertices at the other end, of a search for a row */
} search;

static uint32_t hash_state(uint32_t node, uint32_t vertex) {
    return (uint32_t)(cflri_seen_mix(0, node, vertex) >> 32);
}

static uint32_t find_state(const side *d, uint32_t node, uint32_t vertex) {
    uint32_t hash = hash_state(node, vertex), i;
    for (size_t at = cflri_seen_first(&d->seen, hash);
         (i = cflri_seen_next(&d->seen, hash, &at)) != CFLRI_NOT_SEEN;)
        if (d->states.at[i].node == node && d->states.at[i].vertex == vertex) return i;
    return NONE;
}

static bool is_row(const search *s) {
    return s->source == NONE || s->target == NONE;
}

/* What remains, or is done, of the asked symbol is a pair of some symbol: may that hold? */
static bool may_lead(search *s, bool forward, uint32_t number, uint32_t vertex) {
    cflr_explainer *e = s->e;
    const cflri_spine_node node = e->spine.node.at[number];
    if (is_row(s) || node.frame != e->spine.node.at[s->begin].frame) return true;
    uint32_t from = forward ? vertex : s->source, to = forward ? s->target : vertex;
    if (node.kind == CFLRI_NODE_MIDDLE) return true;
    bool near = (node.kind == CFLRI_NODE_BEGIN) == forward;
    if (near && number != (forward ? s->begin : s->end)) return may_hold(e, node.of, from, to);
    cflri_loop loop = e->spine.loop[e->spine.component[s->symbol]];
    bool loops = loop == (forward ? CFLRI_LOOP_LEFT : CFLRI_LOOP_RIGHT);
    if (near) return may_hold(e, s->symbol, from, to);
    if (!loops) return from == to;
    return !e->spine.nullable[node.of] || may_hold(e, s->symbol, from, to);
}

static bool enter(search *s, bool forward, state made) {
    cflr_explainer *e = s->e;
    side *d = &s->side[forward];
    if (!worked(e, 1)) return false;
    if (find_state(d, made.node, made.vertex) != NONE) return true;
    if (!may_lead(s, forward, made.node, made.vertex)) return true;
    uint32_t number = (uint32_t)d->states.n;
    if (!cflri_vec_push(e->context, &d->states, made) ||
        !cflri_seen_add(e->context, &d->seen, hash_state(made.node, made.vertex), number))
        return refused(e);
    if (!is_row(s)) {
        uint32_t other = find_state(&s->side[!forward], made.node, made.vertex);
        if (other == NONE) return true;
        s->met[forward] = number;
        s->met[!forward] = other;
    } else if (made.node == (forward ? s->end : s->begin)) {
        if (!cflri_vec_push(e->context, &s->found, made.vertex)) return refused(e);
        if (made.vertex == s->wanted) s->met[forward] = number;
    }
    return true;
}

static bool has_met(const search *s) {
    return s->met[0] != NONE || s->met[1] != NONE;
}

/* NONE, or the number of the row. */
static uint32_t row_of(cflr_explainer *e, cflri_reading reading, bool forward, uint32_t vertex,
                       int level);

static bool follow_call(search *s, bool forward, uint32_t from, const cflri_arc *arc) {
    cflr_explainer *e = s->e;
    const state at = s->side[forward].states.at[from];
    if (s->bridges) {
        const call made = {forward ? at.node : arc->to, forward ? arc->to : at.node, arc->reading,
                           from};
        if (!cflri_vec_push(e->context, &s->side[forward].calls, made)) return refused(e);
    }
    if (s->level == 0) return true;
    uint32_t number = row_of(e, arc->reading, forward, at.vertex, s->level - 1);
    if (number == NONE) return goes_on(e);
    const row found = e->rows.at[number];
    for (size_t i = 0; i < found.n && !has_met(s); i++) {
        const state made = {arc->to,          e->targets.at[found.first + i], from,
                            at.distance + 1, arc->reading,                    CFLRI_ARC_CALL};
        if (!enter(s, forward, made)) return false;
    }
    return true;
}

/* One arc from a state: those without a step when they are asked for, or the others. */
static bool follow(search *s, bool forward, uint32_t from, uint32_t number, bool passing,
                   cflri_port_range ports) {
    const state at = s->side[forward].states.at[from];
    cflri_arc arc = s->e->spine.node.at[at.node].list[forward].arc[number];
    if ((arc.use == CFLRI_ARC_PASS) != passing || (arc.loop && s->apart)) return true;
    arc.to = cflri_spine_to(&s->e->spine, at.node, forward, number);
    if (arc.to == CFLRI_NO_NODE) return refused(s->e);
    if (arc.use == CFLRI_ARC_CALL) return follow_call(s, forward, from, &arc);
    if (passing) {
        const state made = {arc.to, at.vertex, from, at.distance, 0, CFLRI_ARC_PASS};
        return enter(s, forward, made);
    }
    for (uint32_t i = 0; i < ports.n && !has_met(s); i++) {
        const state made = {arc.to,          ports.at[i].vertex, from,
                            at.distance + 1, arc.reading,        CFLRI_ARC_EDGE};
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
static bool meet(search *s, bool forward, uint32_t from, bool passing, cflri_direction where,
                 const cflri_arc_list *list) {
    uint32_t vertex = s->side[forward].states.at[from].vertex;
    const cflri_arc_port *port = where == CFLRI_OUT ? list->port : list->port + list->n_out;
    uint32_t n = where == CFLRI_OUT ? list->n_out : list->n_ports - list->n_out;
    cflri_port_range all = n ? cflri_ports_at(&s->e->ports, where, vertex) : (cflri_port_range){0};
    if (all.n == 0) return true;
    if (n <= all.n) {
        for (uint32_t i = 0; i < n; i++) {
            cflri_port_range ports = cflri_ports_of(all, port[i].symbol);
            if (ports.n && !follow(s, forward, from, port[i].arc, passing, ports)) return false;
        }
        return true;
    }
    for (uint32_t p = 0, next; p < all.n; p = next) {
        uint32_t symbol = all.at[p].label;
        for (next = p + 1; next < all.n && all.at[next].label == symbol;) next++;
        const cflri_port_range ports = {all.at + p, next - p};
        for (uint32_t i = seek_port(port, n, symbol); i < n && port[i].symbol == symbol; i++)
            if (!follow(s, forward, from, port[i].arc, passing, ports)) return false;
    }
    return true;
}

static bool leave(search *s, bool forward, uint32_t from, bool passing) {
    const cflri_arc_list *arcs =
        cflri_spine_arcs(&s->e->spine, s->side[forward].states.at[from].node, forward);
    if (!arcs) return refused(s->e);
    const cflri_arc_list list = *arcs; /* nodes move when others are made */
    const cflri_port_range none = {NULL, 0};
    for (uint32_t i = 0; i < list.n_free; i++)
        if (!follow(s, forward, from, i, passing, none)) return false;
    return meet(s, forward, from, passing, CFLRI_OUT, &list) &&
           meet(s, forward, from, passing, CFLRI_IN, &list);
}

/* From the states of one distance to those of the next; what is had without a step is first. */
static bool go_on(search *s, bool forward) {
    side *d = &s->side[forward];
    uint32_t from = d->layer;
    for (uint32_t i = from; i < d->states.n && !has_met(s); i++)
        if (!leave(s, forward, i, true)) return false;
    uint32_t end = (uint32_t)d->states.n;
    for (uint32_t i = from; i < end && !has_met(s); i++)
        if (!leave(s, forward, i, false)) return false;
    d->layer = end;
    return true;
}

static bool is_done(const search *s, bool forward) {
    const side *d = &s->side[forward];
    return d->layer == d->states.n || d->states.n >= s->most;
}

/* The side to go on with; NONE: no more is to be found. */
static uint32_t next_side(const search *s) {
    bool done[2] = {is_done(s, false), is_done(s, true)};
    if (done[0] && done[1]) return NONE;
    if (is_row(s)) return done[0];
    bool empty = s->side[0].layer == s->side[0].states.n || s->side[1].layer == s->side[1].states.n;
    if (empty && !s->apart && !s->bridges) return NONE; /* all of one side is known */
    if (done[0] || done[1]) return done[0];
    size_t n[2] = {s->side[0].states.n - s->side[0].layer, s->side[1].states.n - s->side[1].layer};
    return n[1] <= n[0];
}

static bool begin_side(search *s, bool forward, uint32_t vertex) {
    const state first = {.node = forward ? s->begin : s->end, .vertex = vertex, .before = NONE};
    s->side[forward].forward = forward;
    return enter(s, forward, first);
}

/* False when it is time to end. */
static bool run(search *s) {
    cflri_spine *spine = &s->e->spine;
    s->met[0] = s->met[1] = NONE;
    s->begin = cflri_spine_root(spine, s->symbol, false);
    s->end = cflri_spine_root(spine, s->symbol, true);
    if (s->begin == CFLRI_NO_NODE || s->end == CFLRI_NO_NODE) return refused(s->e);
    if (s->source != NONE && !begin_side(s, true, s->source)) return false;
    if (s->target != NONE && !begin_side(s, false, s->target)) return false;
    uint32_t forward;
    while (!has_met(s) && (forward = next_side(s)) != NONE)
        if (!go_on(s, forward)) return false;
    return true;
}

static void end_search(search *s) {
    cflr_context *context = s->e->context;
    for (int i = 0; i < 2; i++) {
        cflri_vec_free(context, &s->side[i].states);
        cflri_seen_free(context, &s->side[i].seen);
        cflri_vec_free(context, &s->side[i].calls);
    }
    cflri_vec_free(context, &s->found);
}

/* ---- rows ---- */

static uint32_t hash_row(const row *r) {
    uint32_t kind = 2 * (uint32_t)r->level + r->forward;
    return (uint32_t)(cflri_seen_mix(cflri_seen_mix(0, r->symbol, kind), r->vertex, 0) >> 32);
}

static uint32_t find_row(const cflr_explainer *e, const row *r) {
    uint32_t hash = hash_row(r), i;
    for (size_t at = cflri_seen_first(&e->rowed, hash);
         (i = cflri_seen_next(&e->rowed, hash, &at)) != CFLRI_NOT_SEEN;) {
        const row *have = &e->rows.at[i];
        if (have->symbol == r->symbol && have->vertex == r->vertex && have->level == r->level &&
            have->forward == r->forward)
            return i;
    }
    return NONE;
}

static search row_search(cflr_explainer *e, const row *r) {
    return (search){.e = e,
                    .symbol = r->symbol,
                    .source = r->forward ? r->vertex : NONE,
                    .target = r->forward ? NONE : r->vertex,
                    .wanted = NONE,
                    .level = r->level,
                    .most = (size_t)ROW_STATES << (2 * e->effort)};
}

static bool keep_row(cflr_explainer *e, row *r, const cflri_numbers *found) {
    r->first = e->targets.n;
    r->n = found->n;
    if (!cflri_vec_reserve(e->context, &e->targets, found->n)) return refused(e);
    for (size_t i = 0; i < found->n; i++) e->targets.at[e->targets.n++] = found->at[i];
    uint32_t number = (uint32_t)e->rows.n;
    return (cflri_vec_push(e->context, &e->rows, *r) &&
            cflri_seen_add(e->context, &e->rowed, hash_row(r), number)) ||
           refused(e);
}

static void forget_rows(cflr_explainer *e) {
    cflri_seen_free(e->context, &e->rowed);
    e->rows.n = e->targets.n = 0;
}

static row row_key(cflri_reading reading, bool forward, uint32_t vertex, int level) {
    bool back = reading & 1;
    return (row){.symbol = reading / 2, .vertex = vertex, .level = level, .forward = forward != back};
}

static uint32_t row_of(cflr_explainer *e, cflri_reading reading, bool forward, uint32_t vertex,
                       int level) {
    row r = row_key(reading, forward, vertex, level);
    uint32_t number = find_row(e, &r);
    if (number != NONE) return number;
    search s = row_search(e, &r);
    bool kept = run(&s) && keep_row(e, &r, &s.found);
    end_search(&s);
    return kept ? (uint32_t)e->rows.n - 1 : NONE;
}

/* ---- derivations ---- */

static bool same_pair(pair a, pair b) {
    return a.symbol == b.symbol && a.source == b.source && a.target == b.target;
}

/* The number of the attempt at a pair; NONE when memory is refused. */
static uint32_t attempt_at(cflr_explainer *e, pair of) {
    uint32_t hash = (uint32_t)(cflri_seen_mix(cflri_seen_mix(0, of.symbol, of.source), of.target, 0) >> 32), i;
    for (size_t at = cflri_seen_first(&e->attempted, hash);
         (i = cflri_seen_next(&e->attempted, hash, &at)) != CFLRI_NOT_SEEN;)
        if (same_pair(e->attempts.at[i].of, of)) return i;
    const attempt made = {of, NONE, 0, 0, 0};
    uint32_t number = (uint32_t)e->attempts.n;
    if (cflri_vec_push(e->context, &e->attempts, made) &&
        cflri_seen_add(e->context, &e->attempted, hash, number))
        return number;
    refused(e);
    return NONE;
}

/* A step of a path, and for a call how it was found. */
typedef struct path_step {
    step step;
    bool called, forward;
} path_step;

typedef CFLRI_VEC(path_step) path;

/* Appends the steps that led to a state, in the order of the word: to the front side's from the first state on, from
 * the other's to it. */
static bool append_side(search *s, bool forward, uint32_t last, path *way) {
    const state *at = s->side[forward].states.at;
    size_t first = way->n;
    for (uint32_t i = last; i != NONE; i = at[i].before) {
        if (at[i].use == CFLRI_ARC_PASS || at[i].before == NONE) continue;
        uint32_t here = at[i].vertex, there = at[at[i].before].vertex;
        const path_step made = {{forward ? there : here, forward ? here : there, at[i].reading, NONE},
                                at[i].use == CFLRI_ARC_CALL,
                                forward};
        if (!cflri_vec_push(s->e->context, way, made)) return refused(s->e);
    }
    for (size_t i = first, k = way->n; forward && i + 1 < k; i++) {
        path_step kept = way->at[i];
        way->at[i] = way->at[--k];
        way->at[k] = kept;
    }
    return true;
}

static uint32_t keep_derivation(cflr_explainer *e, pair of, const path *way) {
    const derivation made = {of, e->steps.n, way->n};
    for (size_t i = 0; i < way->n; i++)
        if (!cflri_vec_push(e->context, &e->steps, way->at[i].step)) goto out;
    uint32_t number = attempt_at(e, of);
    if (number == NONE || !cflri_vec_push(e->context, &e->derivations, made)) goto out;
    e->attempts.at[number].derivation = (uint32_t)e->derivations.n - 1;
    return e->attempts.at[number].derivation;
out:
    refused(e);
    return NONE;
}

static pair called_pair(const step *s) {
    bool back = s->reading & 1;
    return (pair){s->reading / 2, back ? s->to : s->from, back ? s->from : s->to};
}

/* Gives each call of the path, which is one of a row of `level` or below, a derivation. */
static bool derive_calls(cflr_explainer *e, path *way, int level);

/* Of a call that is in a row: the search for that row once more, up to it. */
static uint32_t derive_in_row(cflr_explainer *e, const path_step *of, int level) {
    const pair called = called_pair(&of->step);
    uint32_t vertex = of->forward ? of->step.from : of->step.to;
    row r = row_key(of->step.reading, of->forward, vertex, level);
    search s = row_search(e, &r);
    path way = {0};
    s.wanted = of->forward ? of->step.to : of->step.from;
    bool done = run(&s) && has_met(&s) && append_side(&s, r.forward, s.met[r.forward], &way);
    end_search(&s);
    uint32_t made = NONE;
    if (done && derive_calls(e, &way, level - 1)) made = keep_derivation(e, called, &way);
    cflri_vec_free(e->context, &way);
    return made;
}

static uint32_t derive_call(cflr_explainer *e, const path_step *of, int level) {
    uint32_t number = attempt_at(e, called_pair(&of->step));
    if (number == NONE) return NONE;
    uint32_t made = e->attempts.at[number].derivation;
    for (int l = 0; l <= level && made == NONE && goes_on(e); l++) made = derive_in_row(e, of, l);
    return made;
}

static bool derive_calls(cflr_explainer *e, path *way, int level) {
    for (size_t i = 0; i < way->n; i++) {
        path_step *at = &way->at[i];
        if (!at->called || at->step.derivation != NONE) continue;
        at->step.derivation = derive_call(e, at, level);
        if (at->step.derivation == NONE) return false;
    }
    return true;
}

/* A call that joins the two sides. */
typedef struct bridge {
    uint32_t state[2];
    uint32_t distance; /* of both */
    cflri_reading reading;
} bridge;

/* The derivation of a path through both sides, by the bridge unless there is none. */
static uint32_t join(search *s, pair of, const bridge *by, uint32_t over, int level) {
    cflr_explainer *e = s->e;
    const uint32_t *at = by ? by->state : s->met;
    path way = {0};
    uint32_t made = NONE;
    bool done = append_side(s, true, at[1], &way);
    if (done && by) {
        const path_step between = {{s->side[1].states.at[at[1]].vertex,
                                   s->side[0].states.at[at[0]].vertex, by->reading, over},
                                  true,
                                  true};
        done = cflri_vec_push(e->context, &way, between) || refused(e);
    }
    done = done && append_side(s, false, at[0], &way);
    if (done && derive_calls(e, &way, level)) made = keep_derivation(e, of, &way);
    cflri_vec_free(e->context, &way);
    return made;
}

/* ---- thorough searches ---- */

static search pair_search(cflr_explainer *e, pair of, int level) {
    return (search){.e = e,
                    .symbol = of.symbol,
                    .source = of.source,
                    .target = of.target,
                    .wanted = NONE,
                    .level = level,
                    .most = WAY_STATES};
}

static uint32_t derive_thoroughly(cflr_explainer *e, pair of, int level) {
    uint32_t number = attempt_at(e, of), made = NONE;
    if (number == NONE || e->attempts.at[number].thorough > level) return NONE;
    search s = pair_search(e, of, level);
    s.apart = cflri_spine_parted(&e->spine, of.symbol);
    if (run(&s) && has_met(&s)) made = join(&s, of, NULL, NONE, level - 1);
    end_search(&s);
    if (goes_on(e) && made == NONE) e->attempts.at[number].thorough = level + 1;
    return made;
}

/* ---- bridges ---- */

static int compare_calls(const void *a, const void *b) {
    const call *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->reading != y->reading) return x->reading < y->reading ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

static int compare_bridges(const void *a, const void *b) {
    const bridge *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    if (x->state[1] != y->state[1]) return x->state[1] < y->state[1] ? -1 : 1;
    return (x->state[0] > y->state[0]) - (x->state[0] < y->state[0]);
}

static bool same_call(const call *a, const call *b) {
    return a->from == b->from && a->to == b->to && a->reading == b->reading;
}

typedef CFLRI_VEC(bridge) bridges;

static pair bridged_pair(const search *s, const bridge *b) {
    const step over = {s->side[1].states.at[b->state[1]].vertex,
                       s->side[0].states.at[b->state[0]].vertex, b->reading, NONE};
    return called_pair(&over);
}

/* The calls of one place, of either side, the near ones first: those that the result has. */
static bool add_bridges(search *s, const call *ahead, size_t n_ahead, const call *behind,
                        size_t n_behind, bridges *found) {
    size_t tests = 0, from = found->n;
    for (size_t sum = 0; sum < n_ahead + n_behind - 1; sum++) {
        for (size_t i = sum < n_behind ? 0 : sum - n_behind + 1; i <= sum && i < n_ahead; i++) {
            uint32_t a = ahead[i].state, b = behind[sum - i].state;
            const bridge one = {{b, a},
                                s->side[1].states.at[a].distance + s->side[0].states.at[b].distance,
                                ahead[i].reading};
            const pair of = bridged_pair(s, &one);
            if (tests++ >= TESTS || found->n - from >= BRIDGES) return true;
            if (!may_hold(s->e, of.symbol, of.source, of.target)) continue;
            if (!cflri_vec_push(s->e->context, found, one)) return refused(s->e);
        }
    }
    return true;
}

static size_t equal_calls(const call *calls, size_t n) {
    size_t i = 1;
    while (i < n && same_call(&calls[0], &calls[i])) i++;
    return i;
}

static bool find_bridges(search *s, bridges *found) {
    call *at[2] = {s->side[0].calls.at, s->side[1].calls.at};
    size_t n[2] = {s->side[0].calls.n, s->side[1].calls.n}, i[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        if (n[k]) qsort(at[k], n[k], sizeof *at[k], compare_calls);
    while (i[0] < n[0] && i[1] < n[1]) {
        const call *behind = &at[0][i[0]], *ahead = &at[1][i[1]];
        size_t n_behind = equal_calls(behind, n[0] - i[0]), n_ahead = equal_calls(ahead, n[1] - i[1]);
        bool same = same_call(behind, ahead);
        call probe[2] = {*behind, *ahead};
        probe[0].state = probe[1].state = 0;
        int order = compare_calls(&probe[0], &probe[1]);
        if (same && !add_bridges(s, ahead, n_ahead, behind, n_behind, found)) return false;
        if (order <= 0) i[0] += n_behind;
        if (order >= 0) i[1] += n_ahead;
    }
    if (found->n) qsort(found->at, found->n, sizeof *found->at, compare_bridges);
    return true;
}

static uint32_t derive(cflr_explainer *e, pair of, int level);

/* Tries bridges at each level, the low ones first. */
static uint32_t cross(search *s, pair of, const bridges *found, int level) {
    cflr_explainer *e = s->e;
    for (int l = e->effort + 1; l < level; l++) {
        size_t tries = l == e->effort + 1 ? found->n : (size_t)DEEP_TRIES << e->effort;
        for (size_t i = 0; i < tries && i < found->n && goes_on(e); i++) {
            uint32_t over = derive(e, bridged_pair(s, &found->at[i]), l);
            if (over != NONE) return join(s, of, &found->at[i], over, s->level - 1);
        }
    }
    return NONE;
}

static uint32_t derive_by_bridge(cflr_explainer *e, pair of, int level) {
    search s = pair_search(e, of, e->effort + 1);
    bridges found = {0};
    uint32_t made = NONE;
    s.bridges = true;
    s.most = (size_t)BRIDGE_STATES << (2 * e->effort);
    if (run(&s)) {
        if (has_met(&s))
            made = join(&s, of, NULL, NONE, s.level - 1);
        else if (find_bridges(&s, &found))
            made = cross(&s, of, &found, level);
    }
    cflri_vec_free(e->context, &found);
    end_search(&s);
    return made;
}

/* NONE when there is none of the level, as far as the effort goes. Depth: levels. */
static uint32_t derive(cflr_explainer *e, pair of, int level) {
    uint32_t number = attempt_at(e, of);
    if (number == NONE) return NONE;
    attempt *a = &e->attempts.at[number];
    if (a->derivation != NONE) return a->derivation;
    if (a->effort == e->effort && a->tried > level) return NONE;
    int most = level <= e->effort + 1 ? level : e->effort + 1;
    uint32_t made = derive_thoroughly(e, of, most);
    if (made == NONE && level > most && goes_on(e)) made = derive_by_bridge(e, of, level);
    a = &e->attempts.at[number]; /* they move */
    if (made == NONE && goes_on(e)) {
        a->effort = e->effort;
        a->tried = level + 1;
    }
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
    cflri_vec_free(context, &e->derivations);
    cflri_vec_free(context, &e->steps);
    cflri_vec_free(context, &e->attempts);
    cflri_vec_free(context, &e->rows);
    cflri_seen_free(context, &e->attempted);
    cflri_seen_free(context, &e->rowed);
    cflri_vec_free(context, &e->targets);
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
    forget_rows(e);
    cflri_seen_free(e->context, &e->attempted);
    e->derivations.n = e->steps.n = e->attempts.n = e->order.n = e->number.n = e->told.n = 0;
    e->work = e->next_look = 0;
    e->spent = false;
    e->end = CFLR_OK;
}

static uint32_t derive_with_effort(cflr_explainer *e, pair of) {
    uint32_t made = NONE;
    for (e->effort = 0; e->effort < EFFORTS && made == NONE && goes_on(e); e->effort++)
        for (int level = 0; level <= MOST_LEVELS && made == NONE && goes_on(e); level++) {
            made = derive(e, of, level);
            if (e->targets.n > ROWS_KEPT) forget_rows(e);
        }
    return made;
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
    uint32_t made = derive_with_effort(e, of);
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
