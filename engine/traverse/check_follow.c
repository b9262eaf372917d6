/* SPDX-License-Identifier: Apache-2.0
 *
 * check_follow.c: what to follow, by its definition in float64.
 *
 *     ranks         as many whole steps as the run has taken (check_ranks.c)
 *     circle        the source, and the N vertices of greatest rank beside it
 *     relevance(y)  = sum over edges x -> y out of the circle of similarity(x) / out-degree(x)
 *     similarity(x) = (1 - d) at the source
 *                     + d (sum over edges x -> y of relevance(y) / edges from the circle to y)
 *
 * Similarity begins as 1 at the source. The scores are the relevance of the last of 1 / (1 - d)
 * rounds, but of what the source follows.
 *
 * Ranks in float32 are within BOUND of themselves and FLOOR / n, as those of `ppr`, so which
 * vertices are in the circle is certain only where ranks are further from the border than that:
 * those above must be in, those below must not, and it must be as large as it should. Scores are
 * held to what the run's own circle gives.
 *
 * The run counts in units of 2^-60. A part that a vertex hands on is short of what it should be by
 * less than 70 units for each round, by what is lost in two divisions and in a product of 53 bits;
 * a relevance by that for each edge from the circle. SLACK_A_ROUND is 128 units. And it is
 * rounded to float32.
 */
#include <math.h>
#include <stdlib.h>

#include "engine/traverse/check.h"

static const double BOUND = 1e-4, FLOOR = 1e-9, CHANGE_SLACK = 1e-5, ROUNDING = 0x1p-23,
                    SLACK_A_ROUND = 0x1p-53;

enum { USUAL_CIRCLE = 1000 };

typedef struct follow {
    const uint8_t *circle; /* as the run found it */
    double *rank, *order, *similar, *relevant;
    double *into; /* edges from the circle */
    uint32_t source;
} follow;

/* ---- the circle ---- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double bound_of(const cflri_check *c, double rank) {
    return BOUND * rank + FLOOR / c->csr->n_vertices;
}

static uint32_t room_of(const cflri_check *c) {
    return c->t->opts.circle ? c->t->opts.circle : USUAL_CIRCLE;
}

/* The least rank in the circle; 0 where there is room for all. */
static double find_border(const cflri_check *c, const follow *f) {
    uint32_t n = c->csr->n_vertices, others = 0;
    for (uint32_t v = 0; v < n; v++)
        if (v != f->source) f->order[others++] = f->rank[v];
    qsort(f->order, others, sizeof *f->order, compare);
    return others < room_of(c) ? 0 : f->order[room_of(c) - 1];
}

static void check_member(cflri_check *c, const follow *f, uint32_t v, double border) {
    double rank = f->rank[v], slack = bound_of(c, rank) + bound_of(c, border);
    bool in = f->circle[v] != 0;
    bool good = in ? rank > 0 && rank >= border - slack : rank <= border + slack;
    cflri_check_that(c, good && f->circle[v] <= 1,
                     "circle of vertex %u is %u: its rank is %.9g, and %.9g at the border", v,
                     f->circle[v], rank, border);
}

static void check_circle(cflri_check *c, const follow *f) {
    uint32_t n = c->csr->n_vertices, members = 0;
    double border = find_border(c, f);
    bool full = border > bound_of(c, border);
    for (uint32_t v = 0; v < n; v++) {
        members += f->circle[v] != 0;
        if (v == f->source)
            cflri_check_number(c, "circle", v, f->circle[v], 1);
        else
            check_member(c, f, v, border);
    }
    uint64_t room = (uint64_t)room_of(c) + 1;
    cflri_check_that(c, full ? members == room : members <= room,
                     "the circle is %u vertices large, should be %llu", members,
                     (unsigned long long)room);
    cflri_check_count(c, "circle", members);
}

/* ---- Money ---- */

static void find_relevance(const cflri_check *c, const follow *f) {
    const cflr_csr *csr = c->csr;
    for (uint32_t v = 0; v < csr->n_vertices; v++) f->relevant[v] = 0;
    for (uint32_t x = 0; x < csr->n_vertices; x++)
        for (uint64_t e = csr->start[x]; f->circle[x] && e < csr->start[x + 1]; e++)
            f->relevant[csr->target[e]] += f->similar[x] / (double)cflri_check_degree(c, x);
}

static void find_similarity(const cflri_check *c, const follow *f) {
    const cflr_csr *csr = c->csr;
    double d = c->t->opts.damping;
    for (uint32_t x = 0; x < csr->n_vertices; x++) {
        double sum = 0;
        for (uint64_t e = csr->start[x]; f->circle[x] && e < csr->start[x + 1]; e++)
            sum += f->relevant[csr->target[e]] / f->into[csr->target[e]];
        f->similar[x] = d * sum + (x == f->source ? 1 - d : 0);
    }
}

static uint64_t rounds_of(const cflri_check *c) {
    double rounds = round(1 / (1 - c->t->opts.damping));
    uint32_t most = c->t->opts.most_iterations;
    return rounds < most ? (uint64_t)rounds : most;
}

static cflr_status find_scores(cflri_check *c, const follow *f) {
    const cflr_csr *csr = c->csr;
    cflr_status st = CFLR_OK;
    for (uint32_t v = 0; v < csr->n_vertices; v++) f->similar[v] = f->into[v] = f->relevant[v] = 0;
    for (uint32_t x = 0; x < csr->n_vertices; x++)
        for (uint64_t e = csr->start[x]; f->circle[x] && e < csr->start[x + 1]; e++)
            f->into[csr->target[e]]++;
    f->similar[f->source] = 1;
    for (uint64_t k = 0; k < rounds_of(c) && st == CFLR_OK; k++) {
        if (k) find_similarity(c, f);
        find_relevance(c, f);
        st = cflri_check_worked(c, csr->n_vertices);
    }
    return st;
}

static void check_scores(cflri_check *c, const follow *f) {
    const cflr_csr *csr = c->csr;
    const float *found = cflri_check_column(c, "score").values;
    double slack = (double)rounds_of(c) * SLACK_A_ROUND;
    f->relevant[f->source] = 0;
    for (uint64_t e = csr->start[f->source]; e < csr->start[f->source + 1]; e++)
        f->relevant[csr->target[e]] = 0;
    for (uint32_t v = 0; v < csr->n_vertices; v++)
        cflri_check_real(c, "score", v, (double)found[v], f->relevant[v],
                         ROUNDING * f->relevant[v] + slack * f->into[v]);
}

/* ---- all of it ---- */

static cflr_status follow_new(cflri_check *c, follow *f) {
    uint32_t n = c->csr->n_vertices;
    f->rank = cflri_alloc_array(c->context, n, sizeof *f->rank);
    f->order = cflri_alloc_array(c->context, n, sizeof *f->order);
    f->similar = cflri_alloc_array(c->context, n, sizeof *f->similar);
    f->relevant = cflri_alloc_array(c->context, n, sizeof *f->relevant);
    f->into = cflri_alloc_array(c->context, n, sizeof *f->into);
    f->circle = cflri_check_column(c, "circle").values;
    f->source = c->t->task->source[0];
    return cflri_check_have(c, f->rank && f->order && f->similar && f->relevant && f->into);
}

static void follow_free(const cflri_check *c, follow *f) {
    cflri_free(c->context, f->rank);
    cflri_free(c->context, f->order);
    cflri_free(c->context, f->similar);
    cflri_free(c->context, f->relevant);
    cflri_free(c->context, f->into);
}

cflr_status cflri_check_WTF(cflri_check *c) {
    cflr_status st = CFLR_OK;
    double change, change_before;
    follow f = {0};
    CFLR_TRY(follow_new(c, &f));
    CFLR_TRY(cflri_check_ranks(c, c->t->stats.iterations, f.rank, &change_before, &change));
    check_circle(c, &f);
    CFLR_TRY(find_scores(c, &f));
    check_scores(c, &f);
    cflri_check_end(c, change_before, change, CHANGE_SLACK);
out:
    follow_free(c, &f);
    return st;
}
