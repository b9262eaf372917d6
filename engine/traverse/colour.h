/* SPDX-License-Identifier: Apache-2.0
 *
 * colour.h: colours for vertices, different ones at both ends of every edge, and few of them.
 *
 * Vertices of many edges come first (then those of smaller drawn number), and take the smallest
 * colour that no neighbour has. A vertex waits for the neighbours before it (precedence.h), so that
 * all vertices without such a neighbour choose at once, and the colours are those that one after
 * another would have chosen: never more than one above the largest degree.
 *
 * Which colours are taken is gathered for 64 of them at a time; a vertex that finds all of these
 * taken looks at the next 64.
 *
 * O(n + m) while 64 colours do, and (colours / 64) m at most.
 *
 * Sources: M. Jones, P. Plassmann, "A parallel graph coloring heuristic", SISC 1993; W.
 * Hasenplaugh, T. Kaler, T. Schardl, C. Leiserson, "Ordering heuristics for parallel graph
 * coloring", SPAA 2014.
 */
#ifndef CFLRI_COLOUR_H
#define CFLRI_COLOUR_H

#include "engine/traverse/precedence.h"

typedef struct colour {
    cflri_primitive_task task;
    uint32_t *colour; /* CFLRI_NONE: not yet */
    uint32_t *waiting;
    uint32_t *ready_list, *next_list, *again_list, *again_too_list;
    uint32_t window; /* the first of the 64 colours that are looked at */
} colour;

/* Degrees count by their powers of two only, or vertices of many edges would wait for each
 * other in a row. */
CFLRI_FUNCTOR bool colour_precedes(const colour *c, uint32_t a, uint32_t b) {
    int da = cflri_logarithm(cflri_degree(&c->task.out, a));
    int db = cflri_logarithm(cflri_degree(&c->task.out, b));
    return da != db ? da > db : cflri_drawn(a) < cflri_drawn(b);
}

CFLRI_FUNCTOR void colour_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    colour *c = (colour *)task;
    (void)tally;
    c->colour[v] = CFLRI_NONE;
    c->waiting[v] = 0;
}

CFLRI_FUNCTOR bool colour_wait(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                               cflri_row_edge edge) {
    colour *c = (colour *)task;
    (void)tally, (void)edge;
    if (from != to && colour_precedes(c, to, from)) cflri_more(&c->waiting[from], 1);
    return false;
}

CFLRI_FUNCTOR bool colour_is_first(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    return ((colour *)task)->waiting[v] == 0;
}

CFLRI_FUNCTOR bool colour_let_go(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                 cflri_row_edge edge) {
    colour *c = (colour *)task;
    (void)tally, (void)edge;
    return from != to && colour_precedes(c, from, to) && cflri_less(&c->waiting[to], 1) == 1;
}

/* ---- choosing ---- */

CFLRI_FUNCTOR uint64_t colour_of_edge(void *task, uint32_t v, uint32_t from, cflri_row_edge edge) {
    colour *c = (colour *)task;
    uint32_t at = cflri_look(&c->colour[from]) - c->window;
    (void)v, (void)edge;
    return at < 64 ? UINT64_C(1) << at : 0;
}

CFLRI_FUNCTOR uint64_t colour_either(uint64_t a, uint64_t b) {
    return a | b;
}

/* Neighbours do not choose at the same time, so that a colour can be given at once. */
CFLRI_FUNCTOR void colour_choose(cflri_step_tally *tally, void *task, uint32_t v, uint64_t taken) {
    colour *c = (colour *)task;
    uint32_t free = 0;
    (void)tally;
    if (~taken == 0) return;
    while (taken >> free & 1) free++;
    cflri_put(&c->colour[v], c->window + free);
}

CFLRI_FUNCTOR bool colour_has_none(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    return ((colour *)task)->colour[v] == CFLRI_NONE;
}

CFLRI_DRIVER colour_all_of(CFLRI_TEAM *m, colour *c, cflri_list ready) {
    cflri_list again = {c->again_list, 0}, rest = {c->again_too_list, 0};
    c->window = 0;
    cflri_gather_of(m, &c->task.out, ready, c, 0, colour_of_edge, colour_either, colour_choose);
    cflri_filter(m, ready, &again, c, colour_has_none);
    while (again.n && !m->stop) {
        c->window += 64;
        cflri_gather_of(m, &c->task.out, again, c, 0, colour_of_edge, colour_either, colour_choose);
        rest.n = 0;
        cflri_filter(m, again, &rest, c, colour_has_none);
        cflri_list swap = again;
        again = rest;
        rest = swap;
    }
}

/* ---- the driver ---- */

CFLRI_FUNCTOR void colour_most(cflri_step_tally *tally, void *task, uint32_t v) {
    colour *c = (colour *)task;
    uint32_t colours = c->colour[v] + 1;
    (void)tally;
    if (colours > cflri_look(c->waiting)) cflri_most(c->waiting, colours);
}

CFLRI_DRIVER colour_run(CFLRI_TEAM *m, colour *c) {
    uint64_t n = c->task.out.n, steps = 0;
    cflri_list ready = {c->ready_list, 0}, next = {c->next_list, 0};
    cflri_each(m, n, c, colour_begin);
    cflri_advance_all(m, &c->task.out, (cflri_list *)NULL, c, colour_wait);
    cflri_filter_all(m, n, &ready, c, colour_is_first);
    while (ready.n && !m->stop) {
        colour_all_of(m, c, ready);
        next.n = 0;
        cflri_advance(m, &c->task.out, ready, &next, c, colour_let_go);
        cflri_list swap = ready;
        ready = next;
        next = swap;
        steps++;
    }
    cflri_each(m, n, c, colour_most); /* no vertex waits any more: the first counter is free */
    if (cflri_is_first(m)) {
        c->task.outcome->iterations = steps;
        c->task.outcome->count = c->waiting[0];
    }
}

#endif
