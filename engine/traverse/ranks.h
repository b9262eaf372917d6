/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.h: PageRank, from everywhere or from some vertices, by steps of all or by what is yet to be
 * handed on.
 *
 *     r'(v) = (1 - d) o(v) + d (sum over edges u -> v of r(u) / degree(u) + D o(v))
 *
 * o is where walks begin: everywhere alike, or at the sources alike; D is the rank of vertices
 * without edges, from where they begin anew. d is the damping.
 *
 * By power iteration: all vertices in every step, until a step changes all ranks together by less
 * than the tolerance. Pulling, a vertex adds up what comes in, in the order of its row: no two
 * threads write one element, and every run gives the same bits. Pushing adds to the targets
 * instead.
 *
 * With a tolerance, pulling goes through the vertices in blocks, and what one block has got counts
 * for the next ones in the same step: about two thirds of the steps do. What is lost then stays
 * lost: without D the equations have the same solution but for a factor, and the ranks are made 1
 * in all at the end. A step in blocks does not keep the sum of the ranks as a whole one does, and
 * that would converge slowest of all: so after each step the ranks are scaled until as many walks
 * end as begin, which is to say that the next step begins with more or fewer walks. Vertices that
 * no edge leads to, often half of a graph, have o times that, whatever it is: they are left out
 * while it is looked for, for it would converge slowly with them, and what their edges carry is
 * made right before each step. (Else the walks that begin would come back to where they are counted
 * some steps late, and in a star whose edges lead to its centre they would swing forever.)
 *
 * What is left is a Markov chain without those vertices, and a step in blocks hands all walks on,
 * or lets 1 - d of them at least begin anew: it brings ranks nearer by d or more, weighed by how
 * much of a vertex's rank is still to be handed on in the same step, which is between 1 - d and 1
 * of it.
 *
 * With a tolerance of 0 there are as many steps as are asked for, and all are whole.
 *
 * By deltas: a vertex has a rank and a rest, more or less than nothing, that it has not handed on
 * yet. A step moves rests that are not tiny to the ranks, and d of them on to the targets, where
 * they are rests again; vertices that have only tiny ones have nothing to do. Rests shrink by d a
 * step at least, so that what is missing of the ranks is at most rests / (1 - d), and it stops when
 * the rests are below d times the tolerance, as sure as power iteration then.
 *
 * O(n + m) a step. Ranks are float32, sums of them and rests float64.
 *
 * Sources: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank citation ranking", 1999; Y.
 * Zhang, Q. Gao, L. Gao, C. Wang, "Accelerate large-scale iterative computation through
 * asynchronous accumulative updates", ScienceCloud 2012.
 */
#ifndef CFLRI_RANKS_H
#define CFLRI_RANKS_H

#include <math.h>

#include "engine/traverse/task.h"

typedef struct ranks {
    cflri_primitive_task task;
    float *rank;
    float *share,
        /* what each edge out of a vertex carries: so far, and out of the block at work */
        *next_share;
    float *part;       /* of what a vertex has to give: each edge's; 0 where there is none */
    double *rest;      /* what came in: while pushing, and by deltas */
    double *collected; /* by deltas, without an order: of vertices without edges */
    cflri_shared_word *active; /* the same: those whose rests are worth it, */
    uint32_t *list;            /* as a list */
    float *origin;             /* o, when it is not everywhere the same */
    double even;               /* o, when it is */
    double lost;               /* D, of deltas */
    double tiny;               /* rests that wait */
    double all;                /* the sum of the ranks */
    double begins;   /* walks that begin anew, in the scale of the ranks: (1 - d) all + d D */
    double apart;    /* o, in all, of vertices that no edge leads to */
    double isolated; /* and of those from which none leads either */
    uint64_t block;  /* the first vertex of the one that is at work */
    bool whole;      /* steps are whole, whatever the tolerance */
} ranks;

/* Blocks of a step, of about the same number of vertices; they begin where operators may. */
enum { RANKS_BLOCKS = 8, RANKS_ALIGN = 1024 };

/* Above that, what the vertices that are not apart have at first is no scale to begin in: it may be
 * nothing. */
#define RANKS_MOST_APART 0.999

enum { RANKS_CHANGE, RANKS_LOST, RANKS_ALL }; /* real sums: |r' - r|, or rests; D; r */
enum { RANKS_APART = RANKS_CHANGE, RANKS_ISOLATED = RANKS_ALL }; /* in the first pass */

CFLRI_FUNCTOR double ranks_origin(const ranks *r, uint32_t v) {
    return r->origin ? r->origin[v] : r->even;
}

/* Shares lie where gathers find them. */
CFLRI_FUNCTOR uint32_t ranks_slot(const ranks *r, uint32_t v) {
    return cflri_slot_of(&r->task.in, v);
}

/* What a vertex has to give goes to its edges, or is lost. No branch: whether a vertex has edges is
 * hard to foresee. */
CFLRI_FUNCTOR float ranks_share(cflri_step_tally *tally, float part, double give) {
    tally->real[RANKS_LOST] += give * (double)(part == 0);
    return (float)(give * part);
}

CFLRI_FUNCTOR float ranks_part(const ranks *r, uint32_t v) {
    uint64_t degree = cflri_degree(&r->task.out, v);
    return degree ? 1 / (float)degree : 0;
}

/* ---- where walks begin ---- */

CFLRI_FUNCTOR void ranks_no_origin(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((ranks *)task)->origin[v] = 0;
}

CFLRI_FUNCTOR void ranks_is_origin(cflri_step_tally *tally, void *task, uint32_t i) {
    ranks *r = (ranks *)task;
    (void)tally;
    cflri_add_float(&r->origin[r->task.source[i]], 1 / (float)r->task.n_sources);
}

CFLRI_DRIVER ranks_find_origin(CFLRI_TEAM *m, ranks *r) {
    r->even = 1 / (double)r->task.out.n;
    if (!r->origin) return;
    cflri_each(m, r->task.out.n, r, ranks_no_origin);
    cflri_each(m, r->task.n_sources, r, ranks_is_origin);
}

/* ---- power iteration ---- */

CFLRI_FUNCTOR void ranks_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    double origin = ranks_origin(r, v), apart = cflri_degree(&r->task.in, v) == 0 ? origin : 0;
    r->rank[v] = (float)origin;
    r->part[v] = ranks_part(r, v);
    r->share[ranks_slot(r, v)] = ranks_share(tally, r->part[v], origin);
    tally->real[RANKS_APART] += apart;
    if (cflri_degree(&r->task.out, v) == 0) tally->real[RANKS_ISOLATED] += apart;
    if (r->rest) r->rest[v] = 0;
}

CFLRI_FUNCTOR const float *ranks_of_edge(void *task, uint32_t from, uint64_t edge) {
    (void)edge;
    return &((ranks *)task)->share[from];
}

/* All is read before anything is written, for both come from far. */
CFLRI_FUNCTOR void ranks_become(cflri_step_tally *tally, ranks *r, uint32_t v, double sum,
                                uint32_t slot) {
    float before = r->rank[v], part = r->part[v];
    double now = r->begins * ranks_origin(r, v) + r->task.damping * sum;
    tally->real[RANKS_CHANGE] += fabs(now - before);
    tally->real[RANKS_ALL] += now;
    r->rank[v] = (float)now;
    r->next_share[slot] = ranks_share(tally, part, now);
}

CFLRI_FUNCTOR void ranks_take(cflri_step_tally *tally, void *task, uint32_t v, double sum) {
    ranks_become(tally, (ranks *)task, v, sum, v);
}

/* The same where shares have slots. */
CFLRI_FUNCTOR void ranks_take_slotted(cflri_step_tally *tally, void *task, uint32_t v, double sum) {
    ranks_become(tally, (ranks *)task, v, sum, ((ranks *)task)->task.in.slot[v]);
}

CFLRI_FUNCTOR void ranks_take_rest(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    double sum = r->rest[v];
    r->rest[v] = 0;
    ranks_take(tally, task, v, sum);
}

/* From now on edges carry it. */
CFLRI_FUNCTOR void ranks_show(cflri_step_tally *tally, void *task, uint32_t i) {
    ranks *r = (ranks *)task;
    (void)tally;
    uint32_t slot = ranks_slot(r, (uint32_t)r->block + i);
    r->share[slot] = r->next_share[slot];
}

CFLRI_FUNCTOR void ranks_swap(ranks *r) {
    float *swap = r->share;
    r->share = r->next_share;
    r->next_share = swap;
}

/* What the edges of a vertex apart carry in the step to come. */
CFLRI_FUNCTOR void ranks_foresee(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    (void)tally;
    if (cflri_degree(&r->task.in, v) == 0)
        r->share[ranks_slot(r, v)] = (float)(r->begins * ranks_origin(r, v)) * r->part[v];
}

typedef struct ranks_step {
    double change, all, lost; /* sums over its blocks */
} ranks_step;

CFLRI_DRIVER ranks_add_block(CFLRI_TEAM *m, ranks_step *s) {
    s->change += m->real_total[RANKS_CHANGE];
    s->all += m->real_total[RANKS_ALL];
    s->lost += m->real_total[RANKS_LOST];
}

CFLRI_DRIVER ranks_make_step(CFLRI_TEAM *m, ranks *r, uint64_t block, ranks_step *s) {
    uint64_t n = r->task.in.n;
    s->change = s->all = s->lost = 0;
    if (r->rest) {
        cflri_scatter(m, &r->task.out, r, r->rest, ranks_of_edge);
        cflri_each_summed(m, n, r, ranks_take_rest);
        ranks_add_block(m, s);
        ranks_swap(r);
        return;
    }
    for (r->block = 0; r->block < n; r->block += block) {
        uint64_t end = n - r->block < block ? n : r->block + block;
        if (r->task.in.slot)
            cflri_gather(m, &r->task.in, r->block, end, r, ranks_of_edge, ranks_take_slotted);
        else
            cflri_gather(m, &r->task.in, r->block, end, r, ranks_of_edge, ranks_take);
        ranks_add_block(m, s);
        if (block < n)
            cflri_each(m, end - r->block, r, ranks_show);
        else
            ranks_swap(r);
    }
}

/* How many walks begin anew in the next step, after one, or a begin, with these sums. After a step
 * in blocks: as many as make begins = (1 - d) all + d D true with what the vertices apart will have
 * then, which have begins times their origin. */
CFLRI_FUNCTOR void ranks_walk_anew(ranks *r, bool in_blocks, double all, double lost) {
    double d = r->task.damping, theirs = 1 - (1 - d) * r->apart - d * r->isolated;
    double linked = all - r->begins * r->apart, linked_lost = lost - r->begins * r->isolated;
    r->all = all;
    if (in_blocks && theirs > 1e-9)
        r->begins = ((1 - d) * linked + d * linked_lost) / theirs;
    else
        r->begins = (1 - d) * all + d * lost;
}

CFLRI_FUNCTOR void ranks_norm(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    (void)tally;
    r->rank[v] = (float)(r->rank[v] / r->all);
}

CFLRI_DRIVER ranks_end(CFLRI_TEAM *m, ranks *r, uint64_t steps, double change) {
    if (cflri_is_first(m)) {
        r->task.outcome->iterations = steps;
        r->task.outcome->number = change;
    }
}

CFLRI_DRIVER ranks_run(CFLRI_TEAM *m, ranks *r) {
    uint64_t n = r->task.out.n, steps = 0, block = n;
    double change = INFINITY;
    bool in_blocks = r->task.tolerance > 0 && !r->rest && !r->whole;
    if (in_blocks) block = (n / RANKS_BLOCKS + RANKS_ALIGN) / RANKS_ALIGN * RANKS_ALIGN;
    ranks_find_origin(m, r);
    cflri_each_summed(m, n, r, ranks_begin);
    r->apart = m->real_total[RANKS_APART];
    r->isolated = m->real_total[RANKS_ISOLATED];
    r->begins = 1;
    if (!in_blocks || r->apart < RANKS_MOST_APART)
        ranks_walk_anew(r, in_blocks, 1, m->real_total[RANKS_LOST]);
    while (change >= r->task.tolerance && steps < r->task.most_iterations && !m->stop) {
        ranks_step s;
        if (in_blocks && r->apart > r->isolated) cflri_each(m, n, r, ranks_foresee);
        ranks_make_step(m, r, block, &s);
        ranks_walk_anew(r, in_blocks, s.all, s.lost);
        change = s.change / s.all;
        steps++;
    }
    if (in_blocks && steps) cflri_each(m, n, r, ranks_norm);
    ranks_end(m, r, steps, change);
}

/* ---- deltas ---- */

/* As if o had been the ranks, and d of them handed on: what comes in makes up for it, or does
 * not. */
CFLRI_FUNCTOR void ranks_begin_deltas(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    double origin = ranks_origin(r, v), handed_on = r->task.damping * origin;
    r->rank[v] = (float)origin;
    r->rest[v] = -handed_on;
    r->part[v] = ranks_part(r, v);
    r->share[ranks_slot(r, v)] = ranks_share(tally, r->part[v], handed_on);
}

CFLRI_FUNCTOR void ranks_take_delta(cflri_step_tally *tally, void *task, uint32_t v, double sum) {
    ranks *r = (ranks *)task;
    r->rest[v] += sum + r->lost * ranks_origin(r, v);
    tally->real[RANKS_CHANGE] += fabs(r->rest[v]);
}

CFLRI_FUNCTOR void ranks_take_nothing(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks_take_delta(tally, task, v, 0);
}

/* Moves a rest to the rank; d of it is what the edges carry. */
CFLRI_FUNCTOR void ranks_hand_on(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    double rest = r->rest[v];
    uint32_t slot = ranks_slot(r, v);
    r->share[slot] = 0;
    if (fabs(rest) <= r->tiny) return;
    r->rank[v] = (float)(r->rank[v] + rest);
    r->rest[v] = 0;
    r->share[slot] = ranks_share(tally, r->part[v], r->task.damping * rest);
}

/* What comes along the edges, and what was lost. */
CFLRI_DRIVER ranks_spread(CFLRI_TEAM *m, ranks *r) {
    if (r->task.way == CFLR_WAY_PUSH) {
        cflri_scatter(m, &r->task.out, r, r->rest, ranks_of_edge);
        cflri_each_summed(m, r->task.out.n, r, ranks_take_nothing);
    } else {
        cflri_gather(m, &r->task.in, 0, r->task.in.n, r, ranks_of_edge, ranks_take_delta);
    }
}

/* ---- deltas without an order ----
 *
 * All that begins is a rest, and ranks are what has been handed on. A vertex that is visited takes
 * its rest; those of vertices without edges are collected, and begin anew when all is still: that
 * is a step. */

CFLRI_FUNCTOR void ranks_begin_rests(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    (void)tally;
    r->rank[v] = 0;
    r->rest[v] = (1 - r->task.damping) * ranks_origin(r, v);
    r->part[v] = ranks_part(r, v);
    r->share[v] = 0;
    if (v == 0) *r->collected = 0;
}

CFLRI_FUNCTOR bool ranks_is_worth_it(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    (void)tally;
    return fabs(r->rest[v]) > r->tiny;
}

CFLRI_FUNCTOR void ranks_leave(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    (void)tally;
    if (!cflri_take_bit(r->active, v)) return;
    double rest = cflri_take_real(&r->rest[v]), give = r->task.damping * rest;
    r->rank[v] = (float)(r->rank[v] + rest);
    r->share[v] = (float)(give * r->part[v]);
    if (r->part[v] == 0) cflri_add_real(r->collected, give);
}

CFLRI_FUNCTOR bool ranks_improve(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                 cflri_row_edge edge) {
    ranks *r = (ranks *)task;
    double share = r->share[from];
    (void)tally, (void)edge;
    if (fabs(cflri_add_real(&r->rest[to], share) + share) > r->tiny) cflri_add_bit(r->active, to);
    return false;
}

CFLRI_FUNCTOR void ranks_begin_anew(cflri_step_tally *tally, void *task, uint32_t v) {
    ranks *r = (ranks *)task;
    r->rest[v] += r->lost * ranks_origin(r, v);
    tally->real[RANKS_CHANGE] += fabs(r->rest[v]);
}

CFLRI_DRIVER ranks_relax(CFLRI_TEAM *m, ranks *r) {
    uint64_t n = r->task.out.n, steps = 0;
    double rests = INFINITY, enough = r->task.tolerance * r->task.damping;
    ranks_find_origin(m, r);
    r->tiny = enough / 2 / (double)n;
    cflri_each(m, n, r, ranks_begin_rests);
    while (rests > enough && steps < r->task.most_iterations && !m->stop) {
        cflri_bits_where(m, n, r->active, r, ranks_is_worth_it);
        cflri_relax(m, &r->task.out, r->active, r->list, r, ranks_leave, ranks_improve);
        r->lost = *r->collected;
        cflri_step_end(m);
        if (cflri_is_first(m)) *r->collected = 0;
        cflri_each_summed(m, n, r, ranks_begin_anew);
        rests = m->real_total[RANKS_CHANGE];
        steps++;
    }
    ranks_end(m, r, steps, rests);
}

CFLRI_DRIVER ranks_delta_run(CFLRI_TEAM *m, ranks *r) {
    if (cflri_relaxes(m)) {
        ranks_relax(m, r);
        return;
    }
    uint64_t steps = 0;
    double rests = INFINITY, enough = r->task.tolerance * r->task.damping;
    ranks_find_origin(m, r);
    r->tiny = enough / 2 / (double)r->task.out.n;
    cflri_each_summed(m, r->task.out.n, r, ranks_begin_deltas);
    while (rests > enough && steps < r->task.most_iterations && !m->stop) {
        r->lost = m->real_total[RANKS_LOST];
        ranks_spread(m, r);
        rests = m->real_total[RANKS_CHANGE];
        cflri_each_summed(m, r->task.out.n, r, ranks_hand_on);
        steps++;
    }
    ranks_end(m, r, steps, rests);
}

#endif
