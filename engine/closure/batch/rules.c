/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.c: what the equations do with one row that look at its ids one by one.
 *
 *     TURN       R(v) has u for each v in S(u)
 *     STEP       R(u) has what the edges lead to from S(u)
 *     BETWEEN    R(u) has the same, for each edge from u that opens
 *     GUARDS     R(u) has the guards in S(u)
 *
 * Answers are sets, and most have been asked for before: rows that are equal are one set, and what its
 * edges lead to is worked out once.
 */
#include "base/context.h"
#include "engine/closure/batch/state.h"

/* ---- sets ---- */

cflri_set_number cflri_batch_single(cflri_batch *b, uint32_t family, uint32_t vertex) {
    if (!b->equations->family.at[family].guarded) return cflri_sets_single(b->sets, vertex);
    uint32_t guard = b->guard_of[vertex];
    return guard == CFLRI_NO_GUARD ? CFLRI_EMPTY_SET : cflri_sets_single(b->sets, guard);
}

bool cflri_batch_split(cflri_batch *b, cflri_set_number set, cflri_set_list *parts) {
    if (b->context->techniques & CFLR_TECHNIQUE_SPLIT) {
        return cflri_sets_split(b->sets, set, parts);
    }
    cflri_row row = cflri_sets_row(b->sets, set);
    cflri_row_walk walk = cflri_row_begin(&row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        cflri_set_number single = cflri_sets_single(b->sets, id);
        if (single == CFLRI_NO_SET || !cflri_vec_push(b->context, parts, single)) return false;
    }
    return true;
}

/* Adds a vertex to the sum that is being made for rows of a family. */
static void sum_vertex(cflri_batch *b, bool guarded, uint32_t vertex) {
    uint32_t id = guarded ? b->guard_of[vertex] : vertex;
    if (!guarded || id != CFLRI_NO_GUARD) cflri_row_sum_add_id(&b->sets->sum, id);
}

cflri_set_number cflri_batch_guards(cflri_batch *b, cflri_set_number set) {
    cflri_row row = cflri_sets_row(b->sets, set);
    cflri_row_walk walk = cflri_row_begin(&row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) sum_vertex(b, true, id);
    return cflri_sets_take(b->sets);
}

/* Few edges have the label: look whether the set has where they begin. */
static void step_by_edges(cflri_batch *b, const cflri_row *row, uint32_t from, bool guarded,
                          const cflri_relation *input) {
    bool guards = b->equations->family.at[from].guarded;
    for (uint32_t r = 0; r < input->n_rows; r++) {
        uint32_t id = guards ? b->guard_of[input->row[r]] : input->row[r];
        if (id == CFLRI_NO_GUARD || !cflri_row_has(row, id)) continue;
        for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
            sum_vertex(b, guarded, input->target[i]);
        }
    }
}

static void step_by_ids(cflri_batch *b, const cflri_row *row, uint32_t from, bool guarded,
                        uint32_t label, bool back) {
    cflri_row_walk walk = cflri_row_begin(row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        uint32_t vertex = cflri_batch_id_vertex(b, from, id);
        cflri_port_range all = cflri_ports_at(&b->ports, cflri_port_ahead(back), vertex);
        if (!all.n) continue;
        cflri_port_range ports = cflri_ports_of(all, label);
        for (uint32_t p = 0; p < ports.n; p++) sum_vertex(b, guarded, ports.at[p].vertex);
    }
}

cflri_set_number cflri_batch_step(cflri_batch *b, cflri_set_number set, uint32_t from, uint32_t to,
                                  uint32_t label, bool back) {
    bool guards = b->equations->family.at[from].guarded;
    bool guarded = b->equations->family.at[to].guarded;
    uint32_t edge = label * 8 + back * 4u + guards * 2u + guarded;
    const uint32_t *known = cflri_cache_find(&b->steps, set, edge);
    if (known) return *known;
    const cflri_relation *input = b->problem->input[label];
    cflri_row row = cflri_sets_row(b->sets, set);
    if (!input) return CFLRI_EMPTY_SET;
    if (!back && input->n_rows < row.n / 2) {
        b->work += input->n_rows;
        step_by_edges(b, &row, from, guarded, input);
    } else {
        b->work += row.n;
        step_by_ids(b, &row, from, guarded, label, back);
    }
    cflri_set_number answer = cflri_sets_take(b->sets);
    if (answer != CFLRI_NO_SET) {
        cflri_cache_put(&b->steps, b->context, (cflri_cached){set, edge, answer});
    }
    return answer;
}

/* ---- equations and ports ---- */

/* The first of the equations, which ascend by (by_back, by), that is not before that. */
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

static bool meet(cflri_batch *b, const cflri_port_meeting *m, bool back) {
    cflri_direction direction = m->ahead ? cflri_port_ahead(back) : cflri_port_behind(back);
    cflri_port_range all = cflri_ports_at(&b->ports, direction, m->vertex);
    if (!all.n || cflri_batch_equation(b, m->equation[0])->by_back > back ||
        cflri_batch_equation(b, m->equation[m->n - 1])->by_back < back) {
        return true;
    }
    size_t first = seek_equation(b, m->equation, m->n, back, 0);
    size_t end = back ? m->n : seek_equation(b, m->equation, m->n, true, 0);
    if (first == end) return true;
    if (end - first <= all.n) {
        for (size_t i = first; i < end; i++) {
            const cflri_equation *e = cflri_batch_equation(b, m->equation[i]);
            cflri_port_range ports = cflri_ports_of(all, e->by);
            if (ports.n && !m->each(b, m->what, e, ports)) return false;
        }
        return true;
    }
    for (uint32_t p = 0; p < all.n;) {
        uint32_t label = all.at[p].label, next = p;
        while (next < all.n && all.at[next].label == label) next++;
        cflri_port_range ports = {all.at + p, next - p};
        for (size_t i = seek_equation(b, m->equation, m->n, back, label); i < end; i++) {
            const cflri_equation *e = cflri_batch_equation(b, m->equation[i]);
            if (e->by != label) break;
            if (!m->each(b, m->what, e, ports)) return false;
        }
        p = next;
    }
    return true;
}

/* One equation is most that many families have. */
static bool meet_one(cflri_batch *b, const cflri_port_meeting *m) {
    const cflri_equation *e = cflri_batch_equation(b, m->equation[0]);
    bool back = e->by_back;
    cflri_direction direction = m->ahead ? cflri_port_ahead(back) : cflri_port_behind(back);
    cflri_port_range all = cflri_ports_at(&b->ports, direction, m->vertex);
    if (!all.n) return true;
    cflri_port_range ports = cflri_ports_of(all, e->by);
    return !ports.n || m->each(b, m->what, e, ports);
}

bool cflri_batch_meet(cflri_batch *b, const cflri_port_meeting *m) {
    if (m->n == 1) return meet_one(b, m);
    return !m->n || (meet(b, m, false) && meet(b, m, true));
}

/* ---- equations that look at ids ---- */

/* A row that has more than before, and who gets what follows. */
typedef struct growth {
    const cflri_readers *readers;
    uint32_t family, vertex;
    cflri_set_number more;
    cflri_batch_give give;
    void *to;
} growth;

static bool give(cflri_batch *b, const growth *g, uint32_t family, uint32_t vertex,
                 cflri_set_number more) {
    if (more == CFLRI_NO_SET) return cflri_batch_refused(b);
    return more == CFLRI_EMPTY_SET || g->give(b, g->to, family, vertex, more);
}

static bool do_turns(cflri_batch *b, const growth *g) {
    for (size_t i = 0; i < g->readers->turn.n; i++) {
        const cflri_equation *e = cflri_batch_equation(b, g->readers->turn.at[i]);
        uint32_t left = e->left, id;
        cflri_batch_works_on(b, e);
        cflri_set_number single = cflri_batch_single(b, left, g->vertex);
        cflri_row row = cflri_sets_row(b->sets, g->more);
        cflri_row_walk walk = cflri_row_begin(&row);
        while (cflri_row_next(&walk, &id)) {
            if (!give(b, g, left, id, single)) return false;
        }
    }
    return true;
}

static bool do_guards(cflri_batch *b, const growth *g) {
    if (!g->readers->guards.n) return true;
    cflri_batch_works_on(b, cflri_batch_equation(b, g->readers->guards.at[0]));
    cflri_set_number guards = cflri_batch_guards(b, g->more);
    for (size_t i = 0; i < g->readers->guards.n; i++) {
        const cflri_equation *e = cflri_batch_equation(b, g->readers->guards.at[i]);
        cflri_batch_works_on(b, e);
        if (!give(b, g, e->left, g->vertex, guards)) return false;
    }
    return true;
}

static bool do_steps(cflri_batch *b, const growth *g) {
    for (size_t i = 0; i < g->readers->step.n; i++) {
        const cflri_equation *e = cflri_batch_equation(b, g->readers->step.at[i]);
        cflri_batch_works_on(b, e);
        cflri_set_number reached =
            cflri_batch_step(b, g->more, g->family, e->left, e->by, e->by_back);
        if (!give(b, g, e->left, g->vertex, reached)) return false;
    }
    return true;
}

static bool do_between(cflri_batch *b, void *what, const cflri_equation *e,
                       cflri_port_range opens) {
    const growth *g = what;
    cflri_batch_works_on(b, e);
    cflri_set_number reached =
        cflri_batch_step(b, g->more, g->family, e->left, e->close, e->close_back);
    for (uint32_t o = 0; o < opens.n; o++) {
        if (!give(b, g, e->left, opens.at[o].vertex, reached)) return false;
    }
    return true;
}

bool cflri_batch_derive(cflri_batch *b, uint32_t family, uint32_t vertex, cflri_set_number more,
                        cflri_batch_give to_whom, void *to) {
    const cflri_readers *r = &b->readers[family];
    growth g = {r, family, vertex, more, to_whom, to};
    cflri_port_meeting betweens = {r->between.at, r->between.n, false, vertex, do_between, &g};
    return do_turns(b, &g) && do_guards(b, &g) && do_steps(b, &g) && cflri_batch_meet(b, &betweens);
}

/* ---- seeds ---- */

/* The rows of an input, or of the vertices of a guarded family. */
static cflri_set_number set_of_targets(cflri_batch *b, bool guarded, const uint32_t *target,
                                       uint64_t n) {
    if (!guarded) return cflri_sets_of(b->sets, target, (uint32_t)n);
    for (uint64_t i = 0; i < n; i++) sum_vertex(b, true, target[i]);
    return cflri_sets_take(b->sets);
}

/* One thread's share. */
typedef struct seeds {
    growth to;
    uint32_t self, threads;
} seeds;

static bool seed_relation(cflri_batch *b, const seeds *s, uint32_t left,
                          const cflri_relation *input) {
    bool guarded = b->equations->family.at[left].guarded;
    cflri_share own = cflri_share_of(input->n_rows, s->self, s->threads);
    for (uint32_t r = (uint32_t)own.begin; r < own.end; r++) {
        uint64_t n = cflri_relation_count(input, r);
        cflri_set_number set = set_of_targets(b, guarded, cflri_relation_targets(input, r), n);
        if (!give(b, &s->to, left, input->row[r], set)) return false;
    }
    return true;
}

/* Who turns an input has all of its rows. */
static bool seed_turned(cflri_batch *b, const seeds *s, const cflri_equation *e) {
    const seeds whole = {s->to, 0, 1};
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
    uint32_t n = guarded ? b->n_guards : b->problem->n_vertices;
    cflri_share own = cflri_share_of(n, s->self, s->threads);
    for (uint32_t i = (uint32_t)own.begin; i < own.end; i++) {
        uint32_t vertex = guarded ? b->guard[i] : i;
        if (!give(b, &s->to, e->left, vertex, cflri_batch_single(b, e->left, vertex))) return false;
    }
    return true;
}

static bool seed(cflri_batch *b, const seeds *s, const cflri_equation *e, size_t number) {
    if (e->kind == CFLRI_DIAGONAL) return seed_diagonal(b, s, e);
    if (!e->by_back) return seed_relation(b, s, e->left, b->problem->input[e->by]);
    return number % s->threads != s->self || seed_turned(b, s, e);
}

bool cflri_batch_seeds(cflri_batch *b, uint32_t self, uint32_t threads, cflri_batch_give to_whom,
                       void *to) {
    const seeds s = {{.give = to_whom, .to = to}, self, threads};
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_INPUT && e->kind != CFLRI_DIAGONAL) continue;
        cflri_batch_works_on(b, e);
        if (!seed(b, &s, e, i)) return false;
    }
    return true;
}
