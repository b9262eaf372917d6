/* SPDX-License-Identifier: Apache-2.0
 *
 * things.h: which vertices of two graphs are one thing.
 *
 * A thing is what a reader sees as one: a variable, an expression, an object. It has one vertex or
 * several in a graph (versions of a local, copies for contexts), or none in one of the two.
 */
#ifndef CFLR_CLI_DIFF_THINGS_H
#define CFLR_CLI_DIFF_THINGS_H

#include "cli/run/run.h"

#define NO_THING UINT32_MAX

enum { OLD, NEW, SIDES };

typedef struct side_things {
    const cflr_graph *graph;
    uint32_t *thing;  /* by vertex; NO_THING: nothing tells it from others */
    uint32_t *first;  /* by thing: the number of its first vertex in `vertex`; n + 1 */
    uint32_t *vertex; /* those of one thing together, ascending */
} side_things;

typedef struct things {
    side_things side[SIDES];
    uint32_t n;
} things;

/* By names, where both graphs have them; by numbers where neither has and the graphs are the same.
 * 0, or the exit code after a message; the paths are of the results, for that. Free it in any
 * case. */
int things_match(const cflr_graph *const graph[SIDES], const char *const path[SIDES], things *t);
void things_free(things *t);

static inline uint32_t thing_vertices(const things *t, int side, uint32_t thing,
                                      const uint32_t **vertex) {
    const side_things *s = &t->side[side];
    *vertex = s->vertex + s->first[thing];
    return s->first[thing + 1] - s->first[thing];
}

#endif
