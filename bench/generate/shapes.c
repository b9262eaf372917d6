/* SPDX-License-Identifier: Apache-2.0
 *
 * shapes.c: graphs whose transitive closure is known without computing it, and uniform ones. Label
 * e.
 *
 *     chain    i -> i+1                     n (n - 1) / 2 pairs
 *     grid     right and down, w columns    w (w + 1) / 2 * h (h + 1) / 2 - w h pairs
 *     clique   every pair both ways         n n pairs, each vertex with itself among them (n > 1)
 *     random   m draws of two vertices      an edge that is drawn twice is there once
 */
#include <inttypes.h>

#include "bench/generate/generate.h"

void sketch_chain(sketch *s) {
    uint32_t e = sketch_label(s, "e");
    for (uint32_t v = 1; v < s->vertices; v++) sketch_edge(s, v - 1, v, e);
}

/* The largest width of a grid that is no wider than high. */
static uint32_t square_root(uint32_t n) {
    uint32_t root = 1;
    while ((uint64_t)(root + 1) * (root + 1) <= n) root++;
    return root;
}

void sketch_grid(sketch *s) {
    uint32_t e = sketch_label(s, "e"), n = s->vertices;
    uint64_t width = s->number ? s->number : square_root(n);
    if (n % width) {
        sketch_refuse(s, "%" PRIu32 " vertices are no grid of width %" PRIu64, n, width);
        return;
    }
    for (uint32_t v = 0; v < n; v++) {
        if ((v + 1) % width) sketch_edge(s, v, v + 1, e);
        if (n - v > width) sketch_edge(s, v, v + (uint32_t)width, e);
    }
}

void sketch_clique(sketch *s) {
    uint32_t e = sketch_label(s, "e");
    for (uint32_t v = 0; v < s->vertices; v++) {
        for (uint32_t w = 0; w < s->vertices; w++) {
            if (v != w) sketch_edge(s, v, w, e);
        }
    }
}

/* The first edge leaves the last vertex, so that the graph has all of them. */
void sketch_random(sketch *s) {
    uint32_t e = sketch_label(s, "e"), source = s->vertices - 1;
    uint64_t edges = s->number ? s->number : 2 * (uint64_t)s->vertices;
    for (uint64_t i = 0; i < edges; i++) {
        sketch_edge(s, source, draw_below(&s->random, s->vertices), e);
        source = draw_below(&s->random, s->vertices);
    }
}
