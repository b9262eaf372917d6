/* SPDX-License-Identifier: Apache-2.0
 *
 * numbering.c: numbers for vertices under which sets of vertices take fewer blocks.
 *
 * A set is a tree over blocks of 512 consecutive ids (radix_tree.h). So it takes less memory, and
 * less time, if its ids are close together; and the ids of a set are mostly vertices that are near
 * each other in the graph. A depth-first search that gives a number to each vertex when it leaves
 * it makes whole subtrees of the search consecutive:
 *
 *     0 --> 7 --> 3       ids of the subtree of 7 before     3 7 8
 *           |                                     after      0 1 2
 *           '---> 8
 *
 * There are three such orders: along the edges, against them, and both ways. Which one is best, or
 * whether the numbers are good as they are, depends on the graph, and is estimated from samples: of
 * vertices spread over all numbers, the ball of the nearest ones along the edges, against them, and
 * both ways. The order under which the balls touch the fewest blocks is taken, if they are much
 * fewer. Where balls touch few blocks already, no search is made.
 *
 * O(vertices + edges). Memory: 44 bytes a vertex and 8 bytes an edge.
 */
#include "engine/spine/numbering.h"

#include <string.h>

#include "base/context.h"
#include "engine/sets/radix_tree.h"

enum {
    SAMPLES = 24,     /* balls of each kind */
    BALL = 1024,      /* vertices of a ball, at most */
    LEAST_BLOCKS = 6, /* of a ball, on average: numbers under which it has fewer are good */
};

/* An order has to touch fewer blocks than this part of what the numbers touch that are there. */
#define MUCH_FEWER 0.77

/* In which direction edges are followed. */
enum { ALONG = 1, AGAINST = 2, BOTH = ALONG | AGAINST, KINDS = 3 };

/* The vertices to which edges lead from each vertex, or from which they come. */
typedef struct neighbours {
    uint64_t *start; /* n + 1 */
    uint32_t *at;
} neighbours;

typedef struct numbering {
    cflr_context *context;
    const cflri_problem *problem;
    const uint32_t *number; /* vertex of the problem -> the number that it has */
    uint32_t n;
    neighbours side[2]; /* along edges, and against them; of numbers, as all below */
    uint32_t *met;      /* by vertex: the last search or ball that has met it */
    uint32_t *block;    /* by block: the last ball that has touched it */
    uint32_t searches, touches;
    uint64_t *next;                                 /* by vertex on the stack: its next edge */
    uint32_t *stack, *order, *best;                 /* `order` and `best`: the new numbers */
    uint32_t *ball, size[KINDS * SAMPLES], n_balls; /* BALL vertices each */
} numbering;

/* ---- neighbours ---- */

/* Counts the neighbours of each vertex in start[v + 1], or writes them at start[v]. */
static void each_edge(numbering *g, int side, bool writes) {
    neighbours *to = &g->side[side];
    for (uint32_t s = 0; s < g->problem->ground->n_symbols; s++) {
        const cflri_relation *input = g->problem->input[s];
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            for (uint64_t p = input->start[r]; p < input->start[r + 1]; p++) {
                uint32_t source = g->number[input->row[r]], target = g->number[input->target[p]];
                uint32_t from = side ? target : source, other = side ? source : target;
                if (writes)
                    to->at[to->start[from]++] = other;
                else
                    to->start[from + 1]++;
            }
        }
    }
}

/* Writing has moved each start to the next one's. */
static bool find_neighbours(numbering *g, int side) {
    neighbours *to = &g->side[side];
    uint32_t n = g->n;
    to->start = cflri_alloc_array_zero(g->context, n + (size_t)2, sizeof *to->start);
    if (!to->start) return false;
    each_edge(g, side, false);
    for (uint32_t v = 0; v < n; v++) to->start[v + 1] += to->start[v];
    to->at = cflri_alloc_array(g->context, to->start[n] + 1, sizeof *to->at);
    if (!to->at) return false;
    each_edge(g, side, true);
    memmove(to->start + 1, to->start, n * sizeof *to->start);
    to->start[0] = 0;
    return true;
}

static uint64_t degree(const numbering *g, int side, uint32_t v) {
    return g->side[side].start[v + 1] - g->side[side].start[v];
}

/* The neighbour `*next` of a vertex, or a later one that the search has not met. False: there is
 * none. */
static bool next_neighbour(numbering *g, unsigned kind, uint32_t v, uint64_t *next, uint32_t *to) {
    uint64_t along = kind & ALONG ? degree(g, 0, v) : 0;
    uint64_t all = along + (kind & AGAINST ? degree(g, 1, v) : 0);
    while (*next < all) {
        uint64_t i = (*next)++;
        const neighbours *side = &g->side[i >= along];
        *to = side->at[side->start[v] + (i >= along ? i - along : i)];
        if (g->met[*to] == g->searches) continue;
        g->met[*to] = g->searches;
        return true;
    }
    return false;
}

/* ---- balls ---- */

static void make_ball(numbering *g, unsigned kind, uint32_t centre) {
    uint32_t *ball = g->ball + (size_t)g->n_balls * BALL, n = 1, to;
    g->searches++;
    g->met[centre] = g->searches;
    ball[0] = centre;
    for (uint32_t i = 0; i < n; i++) {
        for (uint64_t next = 0; n < BALL && next_neighbour(g, kind, ball[i], &next, &to);) {
            ball[n++] = to;
        }
    }
    g->size[g->n_balls++] = n;
}

static void make_balls(numbering *g, unsigned kind) {
    for (uint64_t i = 0; i < SAMPLES; i++) {
        make_ball(g, kind, (uint32_t)((2 * i + 1) * g->n / (2 * SAMPLES)));
    }
}

/* The number of blocks that the balls touch under an order; NULL: under the numbers as they are. */
static uint64_t blocks_of(numbering *g, const uint32_t *order) {
    uint64_t blocks = 0;
    for (uint32_t b = 0; b < g->n_balls; b++) {
        g->touches++;
        for (uint32_t i = 0; i < g->size[b]; i++) {
            uint32_t v = g->ball[(size_t)b * BALL + i];
            uint32_t *block = &g->block[(order ? order[v] : v) / CFLRI_BLOCK_IDS];
            blocks += *block != g->touches;
            *block = g->touches;
        }
    }
    return blocks;
}

/* ---- orders ---- */

/* Numbers what can be reached from the vertex in the order in which the search leaves it. */
static void search(numbering *g, unsigned kind, uint32_t from, uint32_t *n) {
    uint32_t depth = 0, to;
    g->stack[depth++] = from;
    g->next[from] = 0;
    while (depth) {
        uint32_t v = g->stack[depth - 1];
        if (next_neighbour(g, kind, v, &g->next[v], &to)) {
            g->next[to] = 0;
            g->stack[depth++] = to;
        } else {
            g->order[v] = (*n)++;
            depth--;
        }
    }
}

static void make_order(numbering *g, unsigned kind) {
    uint32_t n = 0;
    g->searches++;
    for (uint32_t v = 0; v < g->n; v++) {
        if (g->met[v] == g->searches) continue;
        g->met[v] = g->searches;
        search(g, kind, v, &n);
    }
}

static bool make_room(numbering *g) {
    size_t n = g->n + (size_t)1;
    g->met = cflri_alloc_array_zero(g->context, n, sizeof *g->met);
    g->block = cflri_alloc_array_zero(g->context, n / CFLRI_BLOCK_IDS + 1, sizeof *g->block);
    g->ball = cflri_alloc_array(g->context, (size_t)KINDS * SAMPLES * BALL, sizeof *g->ball);
    return g->met && g->block && g->ball && find_neighbours(g, 0) && find_neighbours(g, 1);
}

static bool make_room_for_orders(numbering *g) {
    size_t n = g->n + (size_t)1;
    g->next = cflri_alloc_array(g->context, n, sizeof *g->next);
    g->stack = cflri_alloc_array(g->context, n, sizeof *g->stack);
    g->order = cflri_alloc_array(g->context, n, sizeof *g->order);
    g->best = cflri_alloc_array(g->context, n, sizeof *g->best);
    return g->next && g->stack && g->order && g->best;
}

/* Leaves the best order in `best`. False: there is no better one. */
static bool find_order(numbering *g) {
    if (!make_room(g)) return false;
    make_balls(g, ALONG);
    make_balls(g, AGAINST);
    if (blocks_of(g, NULL) < (uint64_t)LEAST_BLOCKS * g->n_balls) return false;
    if (!make_room_for_orders(g)) return false;
    make_balls(g, BOTH);
    uint64_t least = (uint64_t)((double)blocks_of(g, NULL) * MUCH_FEWER);
    bool found = false;
    for (unsigned kind = ALONG; kind <= BOTH; kind++) {
        if (cflri_interrupted(g->context) != CFLR_OK) return false;
        make_order(g, kind);
        uint64_t blocks = blocks_of(g, g->order);
        if (blocks >= least) continue;
        uint32_t *worse = g->best;
        g->best = g->order;
        g->order = worse;
        least = blocks;
        found = true;
    }
    return found;
}

bool cflri_numbering_improve(const cflri_problem *problem, uint32_t n, uint32_t *number) {
    numbering g = {.context = problem->context, .problem = problem, .number = number, .n = n};
    if (n / CFLRI_BLOCK_IDS < 2 * LEAST_BLOCKS) return false;
    bool found = find_order(&g);
    for (uint32_t v = 0; found && v < problem->n_vertices; v++) {
        if (number[v] != CFLRI_UNNUMBERED) number[v] = g.best[number[v]];
    }
    for (int side = 0; side < 2; side++) {
        cflri_free(g.context, g.side[side].start);
        cflri_free(g.context, g.side[side].at);
    }
    cflri_free(g.context, g.met);
    cflri_free(g.context, g.block);
    cflri_free(g.context, g.next);
    cflri_free(g.context, g.stack);
    cflri_free(g.context, g.order);
    cflri_free(g.context, g.best);
    cflri_free(g.context, g.ball);
    return found;
}
