/* SPDX-License-Identifier: Apache-2.0
 *
 * left_out.c: the pairs of vertices that no edge touches.
 *
 * A family has the loop at such a vertex if DIAGONAL says so, or if it follows from others that do,
 * by an equation that needs no edge.
 */
#include "engine/spine/left_out.h"

#include "base/context.h"

static void find_nullable(const cflri_equations *all, bool *nullable) {
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < all->equation.n; i++) {
            const cflri_equation *e = &all->equation.at[i];
            bool has = e->kind == CFLRI_DIAGONAL;
            if (e->kind == CFLRI_COPY || e->kind == CFLRI_TURN) has = nullable[e->right];
            if (e->kind == CFLRI_PAIR) has = nullable[e->right] && nullable[e->by];
            if (!has || nullable[e->left]) continue;
            found = nullable[e->left] = true;
        }
    }
}

bool cflri_left_out_init(cflri_left_out *l, const cflri_spine_plan *plan, bool none) {
    const cflri_reduced *reduced = &plan->reduced;
    size_t n = reduced->original->n_vertices;
    *l = (cflri_left_out){.context = plan->context};
    l->nullable = cflri_alloc_array_zero(l->context, plan->equations->family.n + 1, sizeof(bool));
    if (!l->nullable) return false;
    if (!reduced->vertex) return true;
    if (!none) find_nullable(plan->equations, l->nullable);
    l->touched = cflri_alloc_array_zero(l->context, n + 1, sizeof *l->touched);
    for (uint32_t i = 0; l->touched && i < reduced->problem.n_vertices; i++)
        l->touched[reduced->vertex[i]] = true;
    return l->touched;
}

void cflri_left_out_free(cflri_left_out *l) {
    cflri_free(l->context, l->nullable);
    cflri_free(l->context, l->touched);
}
