/* SPDX-License-Identifier: Apache-2.0
 *
 * test_check_plan.c: the function that validates a plan reports each thing that a test has broken.
 */
#include "batch_support.h"
#include "check_support.h"
#include "engine/spine/check.h"

static const char graph[] =
    "0 4 d; 1 5 d; 2 6 d; 3 9 d; 0 1 a; 1 2 a; 2 0 a; 1 3 a; 3 7 f[0]; 2 8 f[0]; 7 3 a; 30 31 a";

static bool validate(const void *plan, FILE *to) {
    return cflri_spine_plan_validate(plan, to);
}

static void dump(const void *plan, FILE *to) {
    cflri_spine_plan_dump(plan, to);
}

Test(check_plan, nothing_wrong) {
    for (uint32_t slices = 1; slices < 20; slices++) {
        batch_world m;
        batch_world_plan(&m, TEST_ALIASES, graph, 1, slices);
        must_be_right(validate, &m.plan);
        cflri_spine_plan_end_solving(&m.plan);
        must_be_right(validate, &m.plan);
        batch_world_end_plan(&m);
    }
}

static void lose_ids(void *what) {
    ((cflri_spine_plan *)what)->split.universe--;
}

static void narrow_slices(void *what) {
    ((cflri_spine_plan *)what)->split.width--;
}

static void turn_vertices(void *what) {
    cflri_spine_plan *plan = what;
    cr_assert_not_null(plan->reduced.vertex);
    plan->reduced.vertex[1] = plan->reduced.vertex[0];
}

static void have_large_vertex(void *what) {
    cflri_spine_plan *plan = what;
    plan->reduced.vertex[plan->reduced.problem.n_vertices - 1] = 1000;
}

static void move_guard(void *what) {
    cflri_spine_plan *plan = what;
    cr_assert_gt(plan->n_guards, 1);
    plan->guard_of[plan->guard[0]] = 1;
}

static void lose_guard(void *what) {
    cflri_spine_plan *plan = what;
    plan->guard_of[plan->guard[0]] = CFLRI_NO_GUARD;
}

static void change_told(void *what) {
    cflri_spine_plan *plan = what;
    plan->broadcast[0] = !plan->broadcast[0];
}

static void read_later(void *what) {
    cflri_equations *all = ((cflri_spine_plan *)what)->equations;
    uint32_t last = 0;
    for (uint32_t f = 0; f < all->family.n; f++) {
        if (all->family.at[f].stratum > all->family.at[last].stratum) last = f;
    }
    all->family.at[last].stratum = (uint32_t)all->stratum.n - 1;
    for (size_t i = 0; i < all->equation.n; i++) {
        cflri_equation *e = &all->equation.at[i];
        if (e->kind != CFLRI_COPY || e->stratum + 1 == all->stratum.n) continue;
        e->right = last;
        return;
    }
    cr_assert(false, "no COPY before the last stratum");
}

static void have_no_family(void *what) {
    cflri_equations *all = ((cflri_spine_plan *)what)->equations;
    all->equation.at[0].left = (uint32_t)all->family.n;
}

static void move_equation(void *what) {
    cflri_equations *all = ((cflri_spine_plan *)what)->equations;
    all->equation.at[0].stratum = all->equation.at[all->equation.n - 1].stratum;
}

Test(check_plan, what_is_broken_is_told) {
    static const breakage broken[] = {
        {lose_ids, "ids are split"},
        {narrow_slices, "slice 2 from"},
        {turn_vertices, "vertex 1 is vertex"},
        {have_large_vertex, "is vertex 1000"},
        {move_guard, "is guard 1, which is another"},
        {lose_guard, "are guards"},
        {change_told, "family 0 is"},
        {read_later, "reads a later one"},
        {have_no_family, "equation 0 is of no family"},
        {move_equation, "equation 0 does not stand in stratum"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        batch_world m;
        batch_world_plan(&m, TEST_ALIASES, graph, 1, 3);
        broken[i].damage(&m.plan);
        must_tell(validate, &m.plan, broken[i].tells);
        batch_world_end_plan(&m);
    }
}

Test(check_plan, dumps) {
    batch_world m;
    batch_world_plan(&m, TEST_ALIASES, graph, 1, 3);
    must_dump(dump, &m.plan, "12 vertices of 32, ");
    must_dump(dump, &m.plan, " by PAIR ");
    batch_world_end_plan(&m);
}
