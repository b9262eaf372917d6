/* SPDX-License-Identifier: Apache-2.0
 *
 * follow.h: what to follow: vertices that the source has no edge to, recommended by what those near
 * it lead to (Twitter's WTF).
 *
 *     1  ranks      personalised PageRank from the source (ranks.h)
 *     2  circle     the source, and the N vertices of greatest rank beside it: its circle of trust
 *     3  Money      similarity of those in the circle, and relevance of what they lead to
 *
 *     circle          leads to
 *     0, the source   1, 2      relevance(y)  = sum over edges x -> y of similarity(x) / degree(x)
 *     1               2, 3      similarity(x) = a at the source, and
 *                                  d (sum over edges x -> y of relevance(y) / edges into y)
 *
 * Here 0 is similar to 1, since both lead to 2, and so 3 is what to follow.
 *
 * Edges are those out of the circle, which both degrees count; d is the damping, and a = 1 - d.
 * Similarity begins as 1 at the source and 0 elsewhere: a walk that goes along an edge and back
 * along another, and begins anew with chance a, so that 1 / a rounds are enough.
 *
 * 1. All steps are whole ones, so that a rank depends on the number of steps alone. O(n + m) each.
 *
 * 2. Ranks are positive, so their bits are in the same order. A search looks for the greatest bits
 * that N vertices reach, by counting those that reach three thresholds at a time, which gives two
 * bits of the answer: 15 passes over the ranks. Of equal ranks at the border the smaller vertices
 * are taken; a search of the same kind, through the vertices, finds the last one of them.
 *
 * 3. Numbers are integers, in units of 2^-60. They are added up by all threads in any order, and
 * the sum is the same. No sum is more than 1. O(edges out of the circle) a round, and a look at
 * each vertex.
 *
 * Sources: P. Gupta, A. Goel, J. Lin, A. Sharma, D. Wang, R. Zadeh, on WTF at Twitter, WWW 2013; A.
 * Geil, Y. Wang, J. Owens, "WTF, GPU!", COSN 2014; Y. Wang's thesis on Gunrock (Money).
 */
#ifndef CFLRI_FOLLOW_H
#define CFLRI_FOLLOW_H

#include "engine/traverse/ranks.h"

typedef struct follow {
    ranks ranks; /* its task is that of all */
    float *score;
    uint8_t *circle;
    uint32_t *list; /* the circle */
    uint32_t *into; /* edges from the circle */
    uint64_t *similar, *relevant;
    cflri_shared_word *known; /* the source, and what it follows */
    uint64_t low, quarter;    /* of a search: the answer is in 4 quarters from here on */
    uint32_t border;          /* bits of the least rank in the circle */
    uint32_t last;            /* vertices of this rank are in the circle below it */
} follow;

#define FOLLOW_ONE 0x1p60

enum { FOLLOW_KEY_BITS = 30 };       /* of ranks, which are less than 2 */
enum { FOLLOW_ABOVE, FOLLOW_EQUAL }; /* sums: ranks above the border, at it */

CFLRI_FUNCTOR uint32_t follow_source(const follow *f) {
    return f->ranks.task.source[0];
}

/* ---- the circle ---- */

/* The source is none of those that are chosen. */
CFLRI_FUNCTOR uint32_t follow_key(const follow *f, uint32_t v) {
    return v == follow_source(f) ? 0 : cflri_bits_of_real(f->ranks.rank[v]);
}

CFLRI_FUNCTOR void follow_count_keys(cflri_step_tally *tally, void *task, uint32_t v) {
    const follow *f = (const follow *)task;
    uint64_t key = follow_key(f, v);
    for (int i = 0; i < 3; i++) tally->sum[i] += key >= f->low + (uint64_t)(i + 1) * f->quarter;
}

CFLRI_FUNCTOR void follow_count_border(cflri_step_tally *tally, void *task, uint32_t v) {
    const follow *f = (const follow *)task;
    uint32_t key = follow_key(f, v);
    tally->sum[FOLLOW_ABOVE] += key > f->border;
    tally->sum[FOLLOW_EQUAL] += key == f->border;
}

CFLRI_FUNCTOR void follow_count_equal(cflri_step_tally *tally, void *task, uint32_t v) {
    const follow *f = (const follow *)task;
    if (follow_key(f, v) != f->border) return;
    for (int i = 0; i < 3; i++) tally->sum[i] += v < f->low + (uint64_t)(i + 1) * f->quarter;
}

/* The greatest bits that as many vertices as there is room for reach; 0: not so many have a
 * rank. */
CFLRI_DRIVER follow_find_border(CFLRI_TEAM *m, follow *f) {
    uint64_t n = f->ranks.task.out.n, room = f->ranks.task.circle;
    f->low = 0;
    for (f->quarter = (uint64_t)1 << (FOLLOW_KEY_BITS - 2); f->quarter; f->quarter /= 4) {
        cflri_each(m, n, f, follow_count_keys);
        uint64_t passed = 0;
        for (int i = 0; i < 3; i++) passed += m->total[i] >= room;
        f->low += passed * f->quarter;
    }
    f->border = (uint32_t)f->low;
}

/* The last vertex at the border that there is room for, and the one behind it. */
CFLRI_DRIVER follow_find_last(CFLRI_TEAM *m, follow *f) {
    uint64_t n = f->ranks.task.out.n, room = f->ranks.task.circle;
    f->last = 0;
    if (f->border == 0) return;
    cflri_each(m, n, f, follow_count_border);
    room -= m->total[FOLLOW_ABOVE];
    f->last = (uint32_t)n;
    if (m->total[FOLLOW_EQUAL] <= room) return;
    f->low = 0;
    for (f->quarter = 1; 4 * f->quarter <= n;) f->quarter *= 4;
    for (; f->quarter; f->quarter /= 4) {
        cflri_each(m, n, f, follow_count_equal);
        uint64_t passed = 0;
        for (int i = 0; i < 3; i++) passed += m->total[i] < room;
        f->low += passed * f->quarter;
    }
    f->last = (uint32_t)f->low + 1;
}

CFLRI_FUNCTOR bool follow_joins(cflri_step_tally *tally, void *task, uint32_t v) {
    follow *f = (follow *)task;
    uint32_t key = follow_key(f, v);
    bool joins = key > f->border || (key == f->border && v < f->last) || v == follow_source(f);
    (void)tally;
    f->circle[v] = joins;
    return joins;
}

/* ---- Money ---- */

CFLRI_FUNCTOR void follow_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    follow *f = (follow *)task;
    (void)tally;
    f->into[v] = 0;
    f->relevant[v] = 0;
    f->similar[v] = v == follow_source(f) ? (uint64_t)FOLLOW_ONE : 0;
}

CFLRI_FUNCTOR bool follow_is_source(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    return v == follow_source((const follow *)task);
}

CFLRI_FUNCTOR bool follow_count_into(cflri_step_tally *tally, void *task, uint32_t from,
                                     uint32_t to, cflri_row_edge edge) {
    follow *f = (follow *)task;
    (void)tally, (void)edge;
    cflri_more(&f->into[to], 1);
    if (from == follow_source(f)) cflri_add_bit(f->known, to);
    return false;
}

CFLRI_FUNCTOR bool follow_hand_on(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                  cflri_row_edge edge) {
    follow *f = (follow *)task;
    uint64_t part = f->similar[from] / cflri_degree(&f->ranks.task.out, from);
    (void)tally, (void)edge;
    if (part) cflri_more_wide(&f->relevant[to], part);
    return false;
}

CFLRI_FUNCTOR uint64_t follow_over_edge(void *task, uint32_t v, uint32_t to, cflri_row_edge edge) {
    const follow *f = (const follow *)task;
    (void)v, (void)edge;
    return f->relevant[to] / f->into[to];
}

CFLRI_FUNCTOR uint64_t follow_add(uint64_t a, uint64_t b) {
    return a + b;
}

CFLRI_FUNCTOR void follow_take(cflri_step_tally *tally, void *task, uint32_t v, uint64_t all) {
    follow *f = (follow *)task;
    double d = f->ranks.task.damping;
    (void)tally;
    f->similar[v] = v == follow_source(f) ? (uint64_t)((1 - d) * FOLLOW_ONE) : 0;
    f->similar[v] += (uint64_t)(d * (double)all);
}

CFLRI_FUNCTOR void follow_forget(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((follow *)task)->relevant[v] = 0;
}

CFLRI_FUNCTOR void follow_score(cflri_step_tally *tally, void *task, uint32_t v) {
    follow *f = (follow *)task;
    bool known = cflri_has_bit(f->known, v);
    (void)tally;
    f->score[v] = known ? 0 : (float)((double)f->relevant[v] / FOLLOW_ONE);
}

CFLRI_FUNCTOR uint64_t follow_rounds(const follow *f) {
    double rounds = 1 / (1 - f->ranks.task.damping) + 0.5;
    uint32_t most = f->ranks.task.most_iterations;
    return rounds < most ? (uint64_t)rounds : most;
}

CFLRI_DRIVER follow_money(CFLRI_TEAM *m, follow *f, cflri_list circle) {
    const cflri_rows *out = &f->ranks.task.out;
    uint64_t rounds = follow_rounds(f);
    cflri_each(m, out->n, f, follow_begin);
    cflri_bits_where(m, out->n, f->known, f, follow_is_source);
    cflri_advance(m, out, circle, NULL, f, follow_count_into);
    for (uint64_t k = 0; k < rounds && !m->stop; k++) {
        if (k) {
            cflri_gather_of(m, out, circle, f, 0, follow_over_edge, follow_add, follow_take);
            cflri_each(m, out->n, f, follow_forget);
        }
        cflri_advance(m, out, circle, NULL, f, follow_hand_on);
    }
    cflri_each(m, out->n, f, follow_score);
}

CFLRI_DRIVER follow_run(CFLRI_TEAM *m, follow *f) {
    cflri_list circle;
    circle.at = f->list;
    circle.n = 0;
    f->ranks.whole = true;
    ranks_run(m, &f->ranks);
    follow_find_border(m, f);
    follow_find_last(m, f);
    cflri_filter_all(m, f->ranks.task.out.n, &circle, f, follow_joins);
    follow_money(m, f, circle);
    if (cflri_is_first(m)) f->ranks.task.outcome->count = circle.n;
}

#endif
