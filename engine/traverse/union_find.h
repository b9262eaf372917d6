/* SPDX-License-Identifier: Apache-2.0
 *
 * union_find.h: vertices in sets that are united, by all threads at once.
 *
 *     parent  0 <- 3 <- 7     5 <- 6        every vertex points to a smaller one of its set; the
 *     smallest is its root
 *     unite 7 and 6: follow both to their roots, 0 and 5; the larger root then points to the
 *     smaller
 *
 * A root is moved by compare and swap, and only downwards, so that no order of the threads matters.
 * A thread that follows pointers makes the path shorter (path halving): each vertex on it then
 * points two steps on. That needs no compare: only roots are moved to other trees, and whatever a
 * vertex below points to stays above it.
 *
 * Close to O(1) a call in practice. Source: J. Jaiganesh, M. Burtscher, "A high-performance
 * connected components implementation for GPUs", HPDC 2018.
 */
#ifndef CFLRI_UNION_FIND_H
#define CFLRI_UNION_FIND_H

#include "engine/traverse/dialect.h"

CFLRI_FUNCTOR uint32_t cflri_root(uint32_t *parent, uint32_t v) {
    uint32_t here = cflri_glance(&parent[v]), before = v, next;
    if (here == v) return v;
    while ((next = cflri_glance(&parent[here])) < here) {
        cflri_put(&parent[before], next);
        before = here;
        here = next;
    }
    return here;
}

/* v then points at least two steps on. */
CFLRI_FUNCTOR void cflri_skip_two(uint32_t *parent, uint32_t v) {
    uint32_t above = cflri_glance(&parent[v]), on = cflri_glance(&parent[above]);
    on = cflri_glance(&parent[on]);
    if (on != above) cflri_put(&parent[v], on);
}

CFLRI_FUNCTOR void cflri_unite(uint32_t *parent, uint32_t v, uint32_t w) {
    uint32_t a = cflri_root(parent, v), b = cflri_root(parent, w);
    while (a != b) {
        uint32_t high = a > b ? a : b, low = a > b ? b : a;
        uint32_t there = cflri_swap_if(&parent[high], high, low);
        if (there == high) return;
        a = there; /* another thread moved it to a smaller one first */
        b = low;
    }
}

/* v then points to its root. For a step of its own, in which nothing is united: nothing else is
 * changed on the way, or a slower thread would put back what has been made flat. */
CFLRI_FUNCTOR uint32_t cflri_flatten(uint32_t *parent, uint32_t v) {
    uint32_t before = cflri_glance(&parent[v]), root = before, above;
    while ((above = cflri_glance(&parent[root])) != root) root = above;
    if (root != before) cflri_put(&parent[v], root);
    return root;
}

#endif
