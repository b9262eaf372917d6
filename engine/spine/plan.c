/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.c: makes the plan that all slices of a closure share.
 */
#include "engine/spine/plan.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "engine/spine/check.h"

/* ---- ports and guards ---- */

typedef struct needs {
    bool *port[2];  /* by direction and ground symbol: whether ports are needed */
    bool *guard[2]; /* likewise: whether guarded rows are read there */
} needs;

static void need_ports(const cflri_spine_plan *p, const cflri_equation *e, const needs *n) {
    bool products = !p->equations->stratum.at[e->stratum].loops;
    bool guarded = e->right != CFLRI_NO_SYMBOL && p->equations->family.at[e->right].guarded;
    if (e->kind == CFLRI_EDGE) {
        n->port[products ? cflri_port_ahead(e->by_back) : cflri_port_behind(e->by_back)][e->by] =
            true;
    } else if (e->kind == CFLRI_INPUT && products) {
        n->port[cflri_port_ahead(e->by_back)][e->by] = true;
    } else if (e->kind == CFLRI_STEP) {
        n->port[cflri_port_ahead(e->by_back)][e->by] = true;
        n->guard[cflri_port_ahead(e->by_back)][e->by] |= guarded;
    } else if (e->kind == CFLRI_BETWEEN) {
        n->port[cflri_port_behind(e->by_back)][e->by] = true;
        n->port[cflri_port_ahead(e->close_back)][e->close] = true;
        n->guard[cflri_port_ahead(e->close_back)][e->close] |= guarded;
    }
}

static void mark_guards(cflri_spine_plan *p, const cflri_relation *input,
                        cflri_direction direction) {
    if (direction == CFLRI_OUT) {
        for (uint32_t r = 0; r < input->n_rows; r++) p->guard_of[input->row[r]] = 0;
    } else {
        for (uint64_t i = 0; i < input->n_pairs; i++) p->guard_of[input->target[i]] = 0;
    }
}

/* Guards are numbered in the order of their vertices, so neighbours remain neighbours. */
static bool make_guards(cflri_spine_plan *p, const needs *n) {
    uint32_t vertices = p->reduced.problem.n_vertices;
    bool any = false;
    for (size_t f = 0; f < p->equations->family.n; f++) any |= p->equations->family.at[f].guarded;
    p->n_guards = 0;
    if (!any) return true;
    p->guard_of = cflri_alloc_array(p->context, (size_t)vertices + 1, sizeof *p->guard_of);
    if (!p->guard_of) return false;
    memset(p->guard_of, 0xff, (size_t)vertices * sizeof *p->guard_of);
    for (uint32_t s = 0; s < p->reduced.problem.ground->n_symbols; s++) {
        if (!p->reduced.problem.input[s]) continue;
        if (n->guard[CFLRI_OUT][s]) mark_guards(p, p->reduced.problem.input[s], CFLRI_OUT);
        if (n->guard[CFLRI_IN][s]) mark_guards(p, p->reduced.problem.input[s], CFLRI_IN);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        if (p->guard_of[v] != CFLRI_NO_GUARD) p->guard_of[v] = p->n_guards++;
    }
    p->guard = cflri_alloc_array(p->context, (size_t)p->n_guards + 1, sizeof *p->guard);
    if (!p->guard) return false;
    for (uint32_t v = 0; v < vertices; v++) {
        if (p->guard_of[v] != CFLRI_NO_GUARD) p->guard[p->guard_of[v]] = v;
    }
    return true;
}

static cflr_status make_ports(cflri_spine_plan *p, cflr_error *error) {
    uint32_t symbols = p->reduced.problem.ground->n_symbols;
    bool *all = cflri_alloc_array_zero(p->context, (size_t)symbols + 1, 4 * sizeof *all);
    if (!all) return cflri_fail_memory(p->context, error);
    needs n = {{all, all + symbols}, {all + 2 * (size_t)symbols, all + 3 * (size_t)symbols}};
    for (size_t e = 0; e < p->equations->equation.n; e++) {
        need_ports(p, &p->equations->equation.at[e], &n);
    }
    cflr_status st = cflri_ports_init(&p->ports, &p->reduced.problem,
                                      (const bool *const[2]){n.port[0], n.port[1]}, error);
    if (st == CFLR_OK && !make_guards(p, &n)) st = cflri_fail_memory(p->context, error);
    cflri_free(p->context, all);
    return st;
}

/* ---- all ---- */

static bool find_broadcast(cflri_spine_plan *p) {
    p->broadcast =
        cflri_alloc_array_zero(p->context, p->equations->family.n + 1, sizeof *p->broadcast);
    for (size_t i = 0; p->broadcast && i < p->equations->equation.n; i++) {
        const cflri_equation *e = &p->equations->equation.at[i];
        if (e->kind == CFLRI_PAIR) p->broadcast[e->by] = true;
    }
    return p->broadcast;
}

bool cflri_spine_exchanges(const cflri_spine_plan *p, uint32_t stratum) {
    const cflri_stratum *s = &p->equations->stratum.at[stratum];
    if (s->loops) return true;
    for (size_t i = s->first; i < s->end; i++) {
        const cflri_equation *e = &p->equations->equation.at[i];
        bool looks = e->kind == CFLRI_TURN || e->kind == CFLRI_STEP || e->kind == CFLRI_BETWEEN;
        if (looks || p->broadcast[e->left]) return true;
    }
    return false;
}

static void find_tail(cflri_spine_plan *p) {
    p->tail = (uint32_t)p->equations->stratum.n;
    while (p->tail && !cflri_spine_exchanges(p, p->tail - 1)) p->tail--;
}

/* They do not depend on the numbers of vertices. */
static cflr_status make_equations(cflri_spine_plan *p, const cflri_problem *problem,
                                  unsigned techniques, cflr_error *error) {
    cflri_input_kind *input = cflri_inputs_of(problem->ground);
    if (!input) return cflri_fail_memory(p->context, error);
    cflr_status st = cflri_equations_new(problem->ground, input, problem->wanted, techniques,
                                         &p->equations, error);
    cflri_free(p->context, input);
    if (st != CFLR_OK) return st;
    if (!find_broadcast(p)) return cflri_fail_memory(p->context, error);
    find_tail(p);
    return CFLR_OK;
}

/* Do rows recur by equations that look at ids, and at those of many vertices? Where rows recur by
 * unions alone they share so much, and where guards are few they are so small, that other numbers
 * gain little. */
static bool numbers_matter(const cflri_spine_plan *p) {
    const cflri_equations *all = p->equations;
    bool looks = false;
    for (size_t i = 0; i < all->equation.n; i++) {
        const cflri_equation *e = &all->equation.at[i];
        bool by_union = e->kind == CFLRI_COPY || e->kind == CFLRI_EDGE;
        bool reads = e->kind != CFLRI_DIAGONAL && e->kind != CFLRI_INPUT;
        looks |= reads && !by_union && all->stratum.at[e->stratum].loops;
    }
    return looks && (!p->guard_of || p->n_guards > p->reduced.problem.n_vertices / 4);
}

/* Ports and guards follow from the numbers. */
static cflr_status renumber(cflri_spine_plan *p, cflr_error *error) {
    if (!cflri_reorder(&p->reduced)) return CFLR_OK;
    cflri_spine_plan_end_solving(p);
    return make_ports(p, error);
}

/* Guarded rows cost little, and the whole ones follow from them by unions. But where guarded rows
 * recur only by equations that look at ids, the whole rows cost as much once more. Then guards pay
 * only if they are few. */
static bool guards_pay(const cflri_spine_plan *p) {
    const cflri_family *family = p->equations->family.at;
    bool unites = false;
    for (size_t i = 0; i < p->equations->equation.n; i++) {
        const cflri_equation *e = &p->equations->equation.at[i];
        bool whole = e->kind == CFLRI_COPY || e->kind == CFLRI_EDGE || e->kind == CFLRI_PAIR;
        bool recurs = whole && family[e->left].stratum == family[e->right].stratum;
        unites |= recurs && family[e->left].guarded;
    }
    return unites || p->n_guards < p->reduced.problem.n_vertices / 2;
}

static void drop_equations(cflri_spine_plan *p) {
    cflri_spine_plan_end_solving(p);
    cflri_free(p->context, p->broadcast);
    cflri_equations_free(p->equations);
    p->broadcast = NULL;
    p->equations = NULL;
}

cflr_status cflri_spine_plan_init(cflri_spine_plan *p, const cflri_problem *problem,
                                  uint32_t slices, uint32_t grain, bool alone, cflr_error *error) {
    cflr_status st = CFLR_OK;
    unsigned techniques = problem->context->techniques;
    *p = (cflri_spine_plan){.context = problem->context, .alone = alone};
    CFLR_TRY(make_equations(p, problem, techniques, error));
    CFLR_TRY(cflri_reduce(problem, &p->reduced, error));
    CFLR_TRY(make_ports(p, error));
    if (p->guard_of && !guards_pay(p)) {
        drop_equations(p);
        techniques &= ~(unsigned)CFLR_TECHNIQUE_GUARDS;
        CFLR_TRY(make_equations(p, problem, techniques, error));
        CFLR_TRY(make_ports(p, error));
    }
    if (alone && (techniques & CFLR_TECHNIQUE_NUMBERS) && numbers_matter(p))
        CFLR_TRY(renumber(p, error));
    p->split = cflri_split_of(p->reduced.problem.n_vertices, slices, grain);
    assert(cflri_spine_plan_validate(p, stderr));
out:
    return st;
}

void cflri_spine_plan_end_solving(cflri_spine_plan *p) {
    cflri_free(p->context, p->guard_of);
    cflri_free(p->context, p->guard);
    cflri_ports_free(&p->ports);
    p->guard_of = p->guard = NULL;
}

void cflri_spine_plan_free(cflri_spine_plan *p) {
    cflri_spine_plan_end_solving(p);
    cflri_free(p->context, p->broadcast);
    cflri_equations_free(p->equations);
    cflri_reduced_free(&p->reduced);
}

/* ---- statistics ---- */

/* `start` of the inputs is the original's, unless vertices are reordered. */
static uint64_t reduced_bytes(const cflri_reduced *r) {
    uint64_t bytes = cflri_block_bytes(r->vertex) + cflri_block_bytes(r->input) +
                     cflri_block_bytes(r->inputs) + cflri_filters_bytes(&r->filters);
    if (r->original->filters) bytes += cflri_filters_bytes(r->original->filters);
    for (uint32_t s = 0; r->input && s < r->original->ground->n_symbols; s++) {
        bytes += cflri_block_bytes(r->input[s].row) + cflri_block_bytes(r->input[s].target);
        if (r->reordered) bytes += cflri_block_bytes(r->input[s].start);
    }
    return bytes;
}

uint64_t cflri_spine_plan_bytes(const cflri_spine_plan *p) {
    const cflri_equations *all = p->equations;
    uint64_t bytes = reduced_bytes(&p->reduced) + cflri_block_bytes(all) +
                     cflri_block_bytes(all->family.at) + cflri_block_bytes(all->equation.at) +
                     cflri_block_bytes(all->stratum.at) + cflri_block_bytes(all->home);
    for (int d = CFLRI_OUT; d <= CFLRI_IN; d++) {
        bytes += cflri_block_bytes(p->ports.start[d]) + cflri_block_bytes(p->ports.port[d]);
    }
    return bytes + cflri_block_bytes(p->broadcast) + cflri_block_bytes(p->guard_of) +
           cflri_block_bytes(p->guard);
}
