/* SPDX-License-Identifier: Apache-2.0
 *
 * dataflow.c: data flow of a large program: definitions and what they flow to, label e.
 *
 * The data-flow graphs of operating systems have about as many edges as vertices, and a transitive
 * closure only two or three times as large: families of short chains of definitions and uses, with
 * a join here and there. A family has 4 to 31 vertices; each but the first hangs under an earlier
 * one, mostly any, sometimes one of the last four; one in ten hangs under two. 42 million vertices
 * have 42 million edges and 113 million pairs.
 *
 * `dfa-linux` has more joins and shorter chains, by which it has as many vertices, edges and pairs
 * as the data-flow graph of Linux 4.4 that Graspan closed.
 */
#include "bench/generate/generate.h"

enum { RECENT = 4, SMALLEST = 4, LARGEST = 32 };

/* Chances, permille: that a vertex hangs under the first of its family, otherwise that it hangs
 * under a recent one; that it hangs under two. */
typedef struct chances {
    uint32_t first, recent, join;
} chances;

/* One vertex of the family that begins at `first` flows to vertex v. */
static void flow(sketch *s, const chances *form, uint32_t first, uint32_t v, uint32_t e) {
    uint32_t before = v - first, reach = before < RECENT ? before : RECENT;
    if (form->first && draw_chance(&s->random, form->first)) {
        sketch_edge(s, first, v, e);
        return;
    }
    bool near = draw_chance(&s->random, form->recent);
    uint32_t back = draw_below(&s->random, near ? reach : before);
    sketch_edge(s, v - 1 - back, v, e);
}

static void sketch_families(sketch *s, const chances *form) {
    uint32_t e = sketch_label(s, "e"), n = s->vertices;
    for (uint32_t first = 0; first < n;) {
        uint32_t size = draw_size(&s->random, SMALLEST, LARGEST);
        if (n - first < size + SMALLEST) size = n - first;
        for (uint32_t v = first + 1; v < first + size; v++) {
            flow(s, form, first, v, e);
            if (draw_chance(&s->random, form->join)) flow(s, form, first, v, e);
        }
        first += size;
    }
}

void sketch_dataflow(sketch *s) {
    sketch_families(s, &(chances){.recent = 150, .join = 100});
}

void sketch_dfa_linux(sketch *s) {
    sketch_families(s, &(chances){.first = 75, .recent = 50, .join = 158});
}
