/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.c: the consequences of each of the nine kinds of equations, forwards and backwards.
 *
 * Equations that go by edges are matched with the edges of a vertex. There may be thousands of
 * both, so the shorter list is traversed and looked up in the longer one.
 */
#include "engine/closure/batch/rules.h"

#include "base/context.h"
#include "engine/closure/batch/slice.h"

/* The current row, and the sink for its consequences. */
typedef struct visit {
    cflri_batch *b;
    cflri_sink *sink;
    uint32_t family, vertex;
    cflri_set_number set; /* the row, or the ids that are new in it */
} visit;

/* Reports that the row contains the set, unless the set is empty. */
static bool row_has(const visit *v, uint32_t family, uint32_t vertex, cflri_set_number set) {
    if (set == CFLRI_NO_SET) return cflri_batch_refused(v->b);
    return set == CFLRI_EMPTY_SET || v->sink->row(v->sink, family, vertex, set);
}

/* Reports that the row contains a set that was made of ids, some of which other slices may own. */
static bool row_has_ids(const visit *v, uint32_t family, uint32_t vertex, cflri_set_number set) {
    if (v->b->sliced && set != CFLRI_NO_SET) set = cflri_batch_own(v->b, family, vertex, set);
    return row_has(v, family, vertex, set);
}

/* ---- sets ---- */

/* Returns the set of one vertex, for rows of the family. It is empty when the family is guarded and
 * the vertex is no guard. */
static cflri_set_number single_of(cflri_batch *b, uint32_t family, uint32_t vertex) {
    if (!b->equations->family.at[family].guarded) return cflri_sets_single(b->sets, vertex);
    uint32_t guard = b->guard_of[vertex];
    return guard == CFLRI_NO_GUARD ? CFLRI_EMPTY_SET : cflri_sets_single(b->sets, guard);
}

/* ---- equations and edges ---- */

/* Finds the first of the equations, which ascend by (by_back, by), that is not before (back,
 * by). */
static size_t seek_equation(const cflri_batch *b, const uint32_t *list, size_t n, bool back,
                            uint32_t by) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cflri_equation *e = cflri_batch_equation(b, list[middle]);
        if (e->by_back < back || (e->by_back == back && e->by < by)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Equations to match with the edges of a vertex, ascending by (by_back, by), and the function to
 * call for each match. */
typedef struct meeting {
    const uint32_t *equation;
    size_t n;
    /* By an equation, edges lead from the vertex rather than to it. */
    bool ahead;
    bool (*each)(const visit *v, const cflri_equation *e, cflri_port_range ports);
} meeting;

static cflri_port_range ports_of(const visit *v, const meeting *m, bool back) {
    cflri_direction direction = m->ahead ? cflri_port_ahead(back) : cflri_port_behind(back);
    return cflri_ports_at(v->b->ports, direction, v->vertex);
}

/* Goes through equations from `first` to before `end`. */
static bool meet_by_equations(const visit *v, const meeting *m, size_t first, size_t end,
                              cflri_port_range all) {
    for (size_t i = first; i < end; i++) {
        const cflri_equation *e = cflri_batch_equation(v->b, m->equation[i]);
        cflri_port_range ports = cflri_ports_of(all, e->by);
        if (ports.n && !m->each(v, e, ports)) return false;
    }
    return true;
}

static bool meet_by_ports(const visit *v, const meeting *m, bool back, size_t end,
                          cflri_port_range all) {
    for (uint32_t p = 0; p < all.n;) {
        uint32_t label = all.at[p].label, next = p;
        while (next < all.n && all.at[next].label == label) next++;
        cflri_port_range ports = {all.at + p, next - p};
        for (size_t i = seek_equation(v->b, m->equation, m->n, back, label); i < end; i++) {
            const cflri_equation *e = cflri_batch_equation(v->b, m->equation[i]);
            if (e->by != label) break;
            if (!m->each(v, e, ports)) return false;
        }
        p = next;
    }
    return true;
}

static bool meet_in(const visit *v, const meeting *m, bool back) {
    cflri_port_range all = ports_of(v, m, back);
    if (!all.n || cflri_batch_equation(v->b, m->equation[0])->by_back > back ||
        cflri_batch_equation(v->b, m->equation[m->n - 1])->by_back < back) {
        return true;
    }
    size_t first = seek_equation(v->b, m->equation, m->n, back, 0);
    size_t end = back ? m->n : seek_equation(v->b, m->equation, m->n, true, 0);
    if (first == end) return true;
    if (end - first <= all.n) return meet_by_equations(v, m, first, end, all);
    return meet_by_ports(v, m, back, end, all);
}

/* Many families have only one such equation. */
static bool meet_one(const visit *v, const meeting *m) {
    const cflri_equation *e = cflri_batch_equation(v->b, m->equation[0]);
    cflri_port_range all = ports_of(v, m, e->by_back);
    if (!all.n) return true;
    cflri_port_range ports = cflri_ports_of(all, e->by);
    return !ports.n || m->each(v, e, ports);
}

static inline bool meet(const visit *v, const meeting *m) {
    if (!m->n) return true;
    return m->n == 1 ? meet_one(v, m) : meet_in(v, m, false) && meet_in(v, m, true);
}

/* ---- forwards: rows whole ---- */

/* No work is attributed to the equation when the caller only asks where rows move. */
static void works_on(const visit *v, const cflri_equation *e) {
    if (v->set != CFLRI_EMPTY_SET) cflri_batch_works_on(v->b, e);
}

static bool do_edge(const visit *v, const cflri_equation *e, cflri_port_range ports) {
    works_on(v, e);
    for (uint32_t p = 0; p < ports.n; p++) {
        if (!v->sink->row(v->sink, e->left, ports.at[p].vertex, v->set)) return false;
    }
    return true;
}

bool cflri_rules_whole(cflri_batch *b, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number whole) {
    const cflri_readers *r = &b->readers[family];
    const visit v = {b, sink, family, vertex, whole};
    const meeting edges = {r->edge.at, r->edge.n, false, do_edge};
    for (size_t i = 0; i < r->copy.n; i++) {
        const cflri_equation *e = cflri_batch_equation(b, r->copy.at[i]);
        works_on(&v, e);
        if (!sink->row(sink, e->left, vertex, whole)) return false;
    }
    return meet(&v, &edges);
}

/* ---- forwards: ids ---- */

/* R(u) contains S(v) for the new pairs (u,v) of Q; turned, R(v) contains S(u). */
static bool do_pair(const visit *v, const cflri_equation *e) {
    cflri_sink *sink = v->sink;
    cflri_batch_works_on(v->b, e);
    return e->by_back ? sink->spread(sink, e->left, v->set, e->right, v->vertex)
                      : sink->flows(sink, e->left, v->vertex, e->right, v->set);
}

static bool do_turn(const visit *v, const cflri_equation *e) {
    uint32_t id;
    cflri_batch_works_on(v->b, e);
    cflri_set_number single = single_of(v->b, e->left, v->vertex);
    cflri_row row = cflri_sets_row(v->b->sets, v->set);
    cflri_row_walk walk = cflri_sets_begin(v->b->sets, &row);
    while (cflri_row_next(&walk, &id)) {
        if (!row_has_ids(v, e->left, id, single)) return false;
    }
    return true;
}

static bool do_guards(const visit *v, const cflri_numbers *equations) {
    if (!equations->n) return true;
    cflri_batch_works_on(v->b, cflri_batch_equation(v->b, equations->at[0]));
    cflri_set_number guards = cflri_batch_guards(v->b, v->set);
    for (size_t i = 0; i < equations->n; i++) {
        const cflri_equation *e = cflri_batch_equation(v->b, equations->at[i]);
        cflri_batch_works_on(v->b, e);
        if (!row_has(v, e->left, v->vertex, guards)) return false;
    }
    return true;
}

static cflri_edge_kind kind_of_step(const visit *v, const cflri_equation *e) {
    return cflri_edge_kind_of(v->b, e->by, e->by_back, v->family, e->left);
}

static cflri_edge_kind kind_of_close(const visit *v, const cflri_equation *e) {
    return cflri_edge_kind_of(v->b, e->close, e->close_back, v->family, e->left);
}

static bool do_step(const visit *v, const cflri_equation *e) {
    cflri_batch_works_on(v->b, e);
    cflri_set_number reached = cflri_batch_step(v->b, v->set, kind_of_step(v, e));
    return row_has_ids(v, e->left, v->vertex, reached);
}

static bool do_between(const visit *v, const cflri_equation *e, cflri_port_range opens) {
    cflri_batch_works_on(v->b, e);
    cflri_set_number reached = cflri_batch_step(v->b, v->set, kind_of_close(v, e));
    for (uint32_t o = 0; o < opens.n; o++) {
        if (!row_has_ids(v, e->left, opens.at[o].vertex, reached)) return false;
    }
    return true;
}

static bool do_all(const visit *v, const cflri_numbers *equations,
                   bool (*each)(const visit *v, const cflri_equation *e)) {
    for (size_t i = 0; i < equations->n; i++) {
        if (!each(v, cflri_batch_equation(v->b, equations->at[i]))) return false;
    }
    return true;
}

bool cflri_rules_ids(cflri_batch *b, cflri_sink *sink, uint32_t family, uint32_t vertex,
                     cflri_set_number more) {
    const cflri_readers *r = &b->readers[family];
    const visit v = {b, sink, family, vertex, more};
    const meeting betweens = {r->between.at, r->between.n, false, do_between};
    return do_all(&v, &r->pair_by, do_pair) && do_all(&v, &r->turn, do_turn) &&
           do_guards(&v, &r->guards) && do_all(&v, &r->step, do_step) && meet(&v, &betweens);
}

bool cflri_rules_pairs(cflri_batch *b, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number more) {
    const visit v = {b, sink, family, vertex, more};
    return do_all(&v, &b->readers[family].pair_by, do_pair);
}

bool cflri_rules_grown(cflri_batch *b, cflri_sink *sink, uint32_t family, uint32_t vertex,
                       cflri_set_number whole, cflri_set_number before) {
    const cflri_readers *r = &b->readers[family];
    if (!cflri_rules_whole(b, sink, family, vertex, whole)) return false;
    if (!(r->turn.n | r->guards.n | r->step.n | r->between.n | r->pair_by.n)) return true;
    cflri_set_number more = cflri_sets_minus(b->sets, whole, before);
    if (more == CFLRI_NO_SET) return cflri_batch_refused(b);
    return cflri_rules_ids(b, sink, family, vertex, more);
}

/* ---- forwards: steps that will be asked for ---- */

/* Lists steps in place of taking them. */
typedef struct asking {
    visit v; /* the first member: it is found by its address */
    cflri_step_questions *steps;
} asking;

static bool ask(const visit *v, cflri_edge_kind kind) {
    cflri_step_question step = {kind, v->set};
    return cflri_vec_push(v->b->context, ((const asking *)v)->steps, step) ||
           cflri_batch_refused(v->b);
}

static bool ask_step(const visit *v, const cflri_equation *e) {
    return ask(v, kind_of_step(v, e));
}

static bool ask_between(const visit *v, const cflri_equation *e, cflri_port_range opens) {
    (void)opens;
    return ask(v, kind_of_close(v, e));
}

bool cflri_rules_ask(cflri_batch *b, uint32_t family, uint32_t vertex, cflri_set_number more,
                     cflri_step_questions *steps) {
    const cflri_readers *r = &b->readers[family];
    const asking a = {{b, NULL, family, vertex, more}, steps};
    const meeting betweens = {r->between.at, r->between.n, false, ask_between};
    return do_all(&a.v, &r->step, ask_step) && meet(&a.v, &betweens);
}

/* ---- forwards: what follows ---- */

static bool follow_left(const visit *v, const cflri_numbers *equations) {
    for (size_t i = 0; i < equations->n; i++) {
        const cflri_equation *e = cflri_batch_equation(v->b, equations->at[i]);
        bool turned = e->kind == CFLRI_PAIR && e->by_back;
        if (!turned && !v->sink->row(v->sink, e->left, v->vertex, CFLRI_EMPTY_SET)) return false;
    }
    return true;
}

bool cflri_rules_follow(cflri_batch *b, cflri_sink *sink, uint32_t family, uint32_t vertex) {
    const cflri_readers *r = &b->readers[family];
    const visit v = {b, sink, family, vertex, CFLRI_EMPTY_SET};
    const meeting betweens = {r->between.at, r->between.n, false, do_edge};
    return cflri_rules_whole(b, sink, family, vertex, CFLRI_EMPTY_SET) &&
           follow_left(&v, &r->pair_by) && follow_left(&v, &r->guards) &&
           follow_left(&v, &r->step) && meet(&v, &betweens);
}

/* ---- forwards: seeds ---- */

/* The share of one thread. */
typedef struct seeds {
    visit v;
    uint32_t self, threads;
} seeds;

static bool seed_relation(cflri_batch *b, const seeds *s, uint32_t left,
                          const cflri_relation *input) {
    bool guarded = b->equations->family.at[left].guarded;
    cflri_share own = cflri_share_of(input->n_rows, s->self, s->threads);
    for (uint32_t r = (uint32_t)own.begin; r < own.end; r++) {
        uint64_t n = cflri_relation_count(input, r);
        const uint32_t *target = cflri_relation_targets(input, r);
        for (; n && target[0] < b->slice.first; n--) target++;
        while (n && target[n - 1] >= b->slice.end) n--;
        cflri_set_number set = cflri_batch_set_of(b, guarded, target, (uint32_t)n);
        if (!row_has(&s->v, left, input->row[r], set)) return false;
    }
    return true;
}

/* The thread that reverses an input processes all of its rows. */
static bool seed_turned(cflri_batch *b, const seeds *s, const cflri_equation *e) {
    const seeds whole = {s->v, 0, 1};
    cflri_relation turned;
    if (cflri_relation_reverse(b->context, b->problem->input[e->by], 1, &turned, NULL) != CFLR_OK) {
        return cflri_batch_refused(b);
    }
    bool done = seed_relation(b, &whole, e->left, &turned);
    cflri_relation_free(b->context, &turned);
    return done;
}

static bool seed_diagonal(cflri_batch *b, const seeds *s, const cflri_equation *e) {
    bool guarded = b->equations->family.at[e->left].guarded;
    uint32_t first = b->own_first[guarded], n = b->own_end[guarded] - first;
    cflri_share own = cflri_share_of(n, s->self, s->threads);
    for (uint32_t i = first + (uint32_t)own.begin; i < first + own.end; i++) {
        uint32_t vertex = guarded ? b->guard[i] : i;
        if (!row_has(&s->v, e->left, vertex, single_of(b, e->left, vertex))) return false;
    }
    return true;
}

static bool seed(cflri_batch *b, const seeds *s, const cflri_equation *e, size_t number) {
    if (e->kind == CFLRI_DIAGONAL) return seed_diagonal(b, s, e);
    if (!e->by_back) return seed_relation(b, s, e->left, b->problem->input[e->by]);
    return number % s->threads != s->self || seed_turned(b, s, e);
}

bool cflri_rules_seeds(cflri_batch *b, cflri_sink *sink, uint32_t self, uint32_t threads) {
    const seeds s = {{.b = b, .sink = sink}, self, threads};
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_INPUT && e->kind != CFLRI_DIAGONAL) continue;
        cflri_batch_works_on(b, e);
        if (!seed(b, &s, e, i)) return false;
    }
    return true;
}

/* ---- backwards ---- */

static bool has_vertex(const visit *v, uint32_t vertex) {
    if (vertex < v->b->slice.first || vertex >= v->b->slice.end) return true;
    return row_has(v, v->family, v->vertex, single_of(v->b, v->family, vertex));
}

static bool has_row(const visit *v, uint32_t family, uint32_t vertex) {
    return v->sink->flow(v->sink, v->family, v->vertex, family, vertex);
}

static bool has_targets(const visit *v, const cflri_equation *e, cflri_port_range ports) {
    cflri_batch_works_on(v->b, e);
    for (uint32_t i = 0; i < ports.n; i++) {
        if (!has_vertex(v, ports.at[i].vertex)) return false;
    }
    return true;
}

static bool has_rows_ahead(const visit *v, const cflri_equation *e, cflri_port_range ports) {
    cflri_batch_works_on(v->b, e);
    for (uint32_t i = 0; i < ports.n; i++) {
        if (!has_row(v, e->right, ports.at[i].vertex)) return false;
    }
    return true;
}

/* Finds S(v) for the v in a row of Q, or in the part of that row that other slices own. */
static bool has_rows_of(const visit *v, const cflri_equation *e, uint32_t family) {
    uint32_t by = cflri_batch_find(v->b, family, v->vertex);
    cflri_set_number set = by == CFLRI_NO_NODE ? CFLRI_EMPTY_SET : cflri_batch_value(v->b, by);
    return !set || v->sink->flows(v->sink, v->family, v->vertex, e->right, set);
}

static bool has_pairs(const visit *v, const cflri_equation *e, cflri_set_number *const *turned) {
    cflri_batch *b = v->b;
    cflri_batch_works_on(b, e);
    if (e->by_back) {
        cflri_set_number set = turned[e->by][v->vertex];
        return !set || v->sink->flows(v->sink, v->family, v->vertex, e->right, set);
    }
    return has_rows_of(v, e, e->by) &&
           (!b->sliced || has_rows_of(v, e, cflri_batch_received(b, e->by)));
}

bool cflri_rules_contained(cflri_batch *b, cflri_sink *sink, const cflri_lefts *lefts,
                           uint32_t family, uint32_t vertex) {
    const visit v = {b, sink, family, vertex, CFLRI_EMPTY_SET};
    const uint32_t *of = lefts->equation, *start = lefts->start + (size_t)family * CFLRI_UNITING;
    const meeting inputs = {of + start[CFLRI_INPUT], start[CFLRI_COPY] - start[CFLRI_INPUT], true,
                            has_targets};
    const meeting edges = {of + start[CFLRI_EDGE], start[CFLRI_PAIR] - start[CFLRI_EDGE], true,
                           has_rows_ahead};
    if (start[CFLRI_DIAGONAL] < start[CFLRI_INPUT]) {
        cflri_batch_works_on(b, cflri_batch_equation(b, of[start[CFLRI_DIAGONAL]]));
        if (!has_vertex(&v, vertex)) return false;
    }
    if (!meet(&v, &inputs)) return false;
    for (uint32_t i = start[CFLRI_COPY]; i < start[CFLRI_COPY + 1]; i++) {
        const cflri_equation *e = cflri_batch_equation(b, of[i]);
        cflri_batch_works_on(b, e);
        if (!has_row(&v, e->right, vertex)) return false;
    }
    if (!meet(&v, &edges)) return false;
    for (uint32_t i = start[CFLRI_PAIR]; i < start[CFLRI_PAIR + 1]; i++) {
        if (!has_pairs(&v, cflri_batch_equation(b, of[i]), lefts->turned)) return false;
    }
    return true;
}
