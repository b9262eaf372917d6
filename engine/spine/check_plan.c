/* SPDX-License-Identifier: Apache-2.0
 *
 * check_plan.c: validates and dumps a plan.
 */
#include <stdlib.h>

#include "engine/spine/check.h"

static void check_split(cflri_faults *faults, const cflri_spine_plan *p) {
    uint32_t at = 0;
    if (p->split.universe != p->reduced.problem.n_vertices) {
        cflri_fault(faults, "%u ids are split, of %u vertices", p->split.universe,
                    p->reduced.problem.n_vertices);
    }
    for (uint32_t s = 0; s < p->split.slices; s++) {
        cflri_slice slice = cflri_split_slice(p->split, s);
        if (slice.first != at || slice.end < at ||
            (at < slice.end && (cflri_split_owner(p->split, at) != s ||
                                cflri_split_owner(p->split, slice.end - 1) != s))) {
            cflri_fault(faults, "slice %u from %u to %u, where %u ids have one", s, slice.first,
                        slice.end, at);
        }
        at = slice.end;
    }
    if (at != p->split.universe) cflri_fault(faults, "%u ids have a slice", at);
}

static void check_ascending(cflri_faults *faults, const char *what, const uint32_t *vertex,
                            uint32_t n, uint32_t end) {
    for (uint32_t i = 0; vertex && i < n; i++) {
        if (vertex[i] >= end || (i && vertex[i] <= vertex[i - 1])) {
            cflri_fault(faults, "%s %u is vertex %u of %u", what, i, vertex[i], end);
        }
    }
}

static void check_guards(cflri_faults *faults, const cflri_spine_plan *p) {
    uint32_t guards = 0;
    check_ascending(faults, "guard", p->guard, p->n_guards, p->reduced.problem.n_vertices);
    for (uint32_t v = 0; p->guard_of && v < p->reduced.problem.n_vertices; v++) {
        uint32_t number = p->guard_of[v];
        if (number == CFLRI_NO_GUARD) continue;
        guards++;
        if (number >= p->n_guards || p->guard[number] != v) {
            cflri_fault(faults, "vertex %u is guard %u, which is another", v, number);
        }
    }
    if (p->guard_of && guards != p->n_guards) {
        cflri_fault(faults, "%u vertices are guards, and %u are counted", guards, p->n_guards);
    }
}

/* Does an equation go by the pairs of rows Q? */
static bool is_pair(const cflri_equation *e) {
    return e->kind == CFLRI_PAIR;
}

static void check_equation(cflri_faults *faults, const cflri_spine_plan *p, uint32_t i) {
    const cflri_equations *all = p->equations;
    const cflri_equation *e = &all->equation.at[i];
    uint32_t families = (uint32_t)all->family.n, stratum = e->stratum;
    bool reads = e->kind != CFLRI_DIAGONAL && e->kind != CFLRI_INPUT;
    if (e->left >= families || (reads && e->right >= families) ||
        (is_pair(e) && e->by >= families) || stratum >= all->stratum.n) {
        cflri_fault(faults, "equation %u is of no family, or reads none", i);
        return;
    }
    if (all->family.at[e->left].stratum != stratum || i < all->stratum.at[stratum].first ||
        i >= all->stratum.at[stratum].end) {
        cflri_fault(faults, "equation %u does not stand in stratum %u", i, stratum);
    }
    if ((reads && all->family.at[e->right].stratum > stratum) ||
        (is_pair(e) && all->family.at[e->by].stratum > stratum)) {
        cflri_fault(faults, "equation %u of stratum %u reads a later one", i, stratum);
    }
}

static void check_reordered(cflri_faults *faults, const cflri_spine_plan *p) {
    uint32_t n = p->reduced.problem.n_vertices, all = p->reduced.original->n_vertices;
    bool *there = cflri_fault_room(all, sizeof *there);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = p->reduced.vertex[i];
        if (v >= all || there[v]) cflri_fault(faults, "vertex %u has two numbers, or is none", v);
        if (v < all) there[v] = true;
    }
    if (p->split.slices > 1) cflri_fault(faults, "slices have reordered vertices");
    free(there);
}

static void check_told(cflri_faults *faults, const cflri_spine_plan *p) {
    const cflri_equations *all = p->equations;
    bool *needed = cflri_fault_room(all->family.n, sizeof *needed);
    for (size_t i = 0; i < all->equation.n; i++) {
        const cflri_equation *e = &all->equation.at[i];
        if (is_pair(e) && e->by < all->family.n) needed[e->by] = true;
    }
    for (size_t f = 0; f < all->family.n; f++) {
        if (needed[f] != p->broadcast[f]) {
            cflri_fault(faults, "family %zu is %stold", f, p->broadcast[f] ? "" : "not ");
        }
    }
    free(needed);
}

bool cflri_spine_plan_validate(const cflri_spine_plan *p, FILE *to) {
    cflri_faults faults = {.to = to};
    check_split(&faults, p);
    if (!p->reduced.reordered)
        check_ascending(&faults, "vertex", p->reduced.vertex, p->reduced.problem.n_vertices,
                        p->reduced.original->n_vertices);
    else
        check_reordered(&faults, p);
    check_guards(&faults, p);
    for (uint32_t i = 0; i < p->equations->equation.n; i++) check_equation(&faults, p, i);
    check_told(&faults, p);
    return !faults.n;
}

void cflri_spine_plan_dump(const cflri_spine_plan *p, FILE *to) {
    static const char *const kinds[] = {"DIAGONAL", "INPUT", "COPY",    "TURN",  "EDGE",
                                        "PAIR",     "STEP",  "BETWEEN", "GUARDS"};
    fprintf(to, "%u vertices of %u, %u guards, %u slices of %u\n", p->reduced.problem.n_vertices,
            p->reduced.original->n_vertices, p->n_guards, p->split.slices, p->split.width);
    for (size_t f = 0; f < p->equations->family.n; f++) {
        const cflri_family *family = &p->equations->family.at[f];
        fprintf(to, "family %zu: stratum %u%s%s%s\n", f, family->stratum,
                family->guarded ? ", guards" : "", family->filtered ? ", filtered" : "",
                p->broadcast[f] ? ", broadcast" : "");
    }
    for (size_t i = 0; i < p->equations->equation.n; i++) {
        const cflri_equation *e = &p->equations->equation.at[i];
        fprintf(to, "%s %u: %u has",
                p->equations->stratum.at[e->stratum].loops ? "loop" : "product", e->stratum,
                e->left);
        if (e->right != CFLRI_NO_SYMBOL) fprintf(to, " %u", e->right);
        fprintf(to, " by %s %u%s\n", kinds[e->kind], e->by, e->by_back ? " back" : "");
    }
}
