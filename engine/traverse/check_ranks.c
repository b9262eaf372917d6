/* SPDX-License-Identifier: Apache-2.0
 *
 * check_ranks.c: PageRanks by steps in float64.
 *
 *     F(r)(v) = ((1 - d) + d D) o(v) + d (sum over edges u -> v of r(u) / degree(u))
 *
 * o(v) is the chance that a walk begins at v: 1/n, or what share of the sources v is; ranks begin
 * as o. D is the rank of vertices without edges: walks that end there begin anew. Parallel edges
 * count each. O(n + m) a step.
 *
 * A run with a tolerance may go to the fixpoint r = F(r) in any way; what counts is how far from
 * it, in all, it ends:
 *
 *     power iteration    2 d / (1 - d) times its last change c, at most
 *     deltas             1 / (1 - d) times its rests, at most
 *     both               8 d^k / (1 - d)^2 after k steps, and what the tolerance allows, at most
 *
 * F brings any two ranks nearer to each other by a factor of d, so ranks that a step has changed by
 * c are d c / (1 - d) from the fixpoint, whether all are changed at once or some before others;
 * twice that when they were made 1 in all behind that. Rests that are handed on, and what becomes
 * of them, make up for what is missing. The third bound, which is generous, holds for a run that
 * goes on to the end of its steps. c must be less than the tolerance, and rests than d times the
 * tolerance, unless the run had no more steps to take. ROUNDING / (1 - d) is for ranks as float32.
 *
 * The distance is found by steps from where the run has ended. After each it is known better, from
 * how far they have led and how much the last one changed; mostly a few are enough to tell that it
 * is within the bound, or not.
 *
 * Power iteration with a tolerance of 0 is held to what the same number of steps gives, vertex by
 * vertex, within BOUND = 1e-4 of the rank and FLOOR / n. Terms are all positive, so no rounding is
 * magnified: when each step of the run puts every rank off by a factor of 1 + e at most, k steps
 * put it off by (1 + e)^k. A step that began log(n / (1 - d)) / log(1 / d) steps ago, 115 for d =
 * 0.85 and 16 million vertices, no longer matters at all. With ranks and shares as float32 and sums
 * as float64, e is 2^-23, and all is off by 2e-5 at most, however many edges a vertex has. The rest
 * is for float32 sums that are made in pieces, as the threads of a warp do: each term goes through
 * some twenty roundings, most of which cancel. Float32 sums that are made term by term do not keep
 * the bound, and should not: with a million equal terms they may be some percent off. FLOOR / n, a
 * billionth of the mean rank, is for ranks as seen from sources that are far away, which get too
 * small for a float32.
 */
#include <math.h>

#include "engine/traverse/check.h"

static const double BOUND = 1e-4, FLOOR = 1e-9, CHANGE_SLACK = 1e-5, ROUNDING = 1.5e-6;
enum { MOST_STEPS = 1000 }; /* until it is plain how far it is */

typedef struct walk {
    double *begin; /* o */
    double *rank, *next;
    double change;        /* of the last step, in all */
    double change_before; /* of the step before */
} walk;

/* ---- steps ---- */

/* Adds to `next` what comes over the edges; returns D. */
static double follow_edges(const cflri_check *c, const double *rank, double *next) {
    double lost = 0;
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        uint64_t begin = c->csr->start[v], end = c->csr->start[v + 1];
        if (begin == end) lost += rank[v];
        for (uint64_t e = begin; e < end; e++)
            next[c->csr->target[e]] += rank[v] / (double)(end - begin);
    }
    return lost;
}

static void step(const cflri_check *c, walk *w) {
    double d = c->t->opts.damping, *swap = w->rank;
    uint32_t n = c->csr->n_vertices;
    for (uint32_t v = 0; v < n; v++) w->next[v] = 0;
    double anew = 1 - d + d * follow_edges(c, w->rank, w->next);
    w->change_before = w->change;
    w->change = 0;
    for (uint32_t v = 0; v < n; v++) {
        w->next[v] = anew * w->begin[v] + d * w->next[v];
        w->change += fabs(w->next[v] - w->rank[v]);
    }
    w->rank = w->next;
    w->next = swap;
}

static cflr_status take_steps(cflri_check *c, walk *w, uint64_t steps) {
    cflr_status st = CFLR_OK;
    for (uint64_t k = 0; k < steps && st == CFLR_OK; k++) {
        step(c, w);
        st = cflri_check_worked(c, c->csr->n_vertices + c->csr->n_edges);
    }
    return st;
}

/* ---- where walks begin ---- */

static void begin_anywhere(const cflri_check *c, walk *w) {
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) w->begin[v] = 1 / (double)c->csr->n_vertices;
}

static void begin_at_sources(const cflri_check *c, walk *w) {
    const cflri_primitive_task *task = c->t->task;
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) w->begin[v] = 0;
    for (uint32_t i = 0; i < task->n_sources; i++)
        w->begin[task->source[i]] += 1 / (double)task->n_sources;
}

static cflr_status walk_new(cflri_check *c, walk *w) {
    uint32_t n = c->csr->n_vertices;
    w->begin = cflri_alloc_array(c->context, n, sizeof *w->begin);
    w->rank = cflri_alloc_array(c->context, n, sizeof *w->rank);
    w->next = cflri_alloc_array(c->context, n, sizeof *w->next);
    w->change = w->change_before = INFINITY;
    if (!w->begin || !w->rank || !w->next) return cflri_check_have(c, false);
    if (c->t->task->n_sources)
        begin_at_sources(c, w);
    else
        begin_anywhere(c, w);
    return CFLR_OK;
}

static void walk_free(const cflri_check *c, walk *w) {
    cflri_free(c->context, w->begin);
    cflri_free(c->context, w->rank);
    cflri_free(c->context, w->next);
}

/* ---- as many steps ---- */

static cflr_status walk_on(cflri_check *c, walk *w, uint64_t steps) {
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) w->rank[v] = w->begin[v];
    return take_steps(c, w, steps);
}

cflr_status cflri_check_ranks(cflri_check *c, uint64_t steps, double *rank, double *change_before,
                              double *change) {
    walk w = {0};
    cflr_status st = walk_new(c, &w);
    if (st == CFLR_OK) st = walk_on(c, &w, steps);
    for (uint32_t v = 0; v < c->csr->n_vertices && st == CFLR_OK; v++) rank[v] = w.rank[v];
    *change_before = w.change_before;
    *change = w.change;
    walk_free(c, &w);
    return st;
}

static cflr_status compare_steps(cflri_check *c, walk *w) {
    const float *found = cflri_check_column(c, "rank").values;
    uint32_t n = c->csr->n_vertices;
    cflr_status st = walk_on(c, w, c->t->stats.iterations);
    if (st != CFLR_OK) return st;
    for (uint32_t v = 0; v < n; v++)
        cflri_check_real(c, "rank", v, (double)found[v], w->rank[v],
                         BOUND * w->rank[v] + FLOOR / n);
    cflri_check_end(c, w->change_before, w->change, CHANGE_SLACK);
    return CFLR_OK;
}

/* ---- near the fixpoint ---- */

/* From where a run has ended to the fixpoint. */
typedef struct distance {
    const float *found;
    double bound;
    double passed; /* by the steps so far */
    double left;   /* at most */
} distance;

/* What the run says of its last step must be enough, unless it had no more of them to take. Returns
 * the distance that it means, times 1 - d. */
static double check_last(cflri_check *c) {
    const cflr_traverse_opts *opts = &c->t->opts;
    bool delta = c->t->primitive->which == CFLR_PAGERANK_DELTA;
    uint64_t steps = c->t->stats.iterations;
    const char *name = delta ? "rest" : "change";
    double said = cflri_check_measured(c, name);
    double enough = delta ? opts->damping * opts->tolerance : opts->tolerance;
    cflri_check_that(c, said <= enough || steps == opts->most_iterations,
                     "%s is %.3g after %llu steps, should be at most %.3g", name, said,
                     (unsigned long long)steps, enough);
    return delta ? said : 2 * opts->damping * said;
}

static double distance_bound(cflri_check *c) {
    double d = c->t->opts.damping, said = check_last(c) / (1 - d);
    double by_steps = 8 * pow(d, (double)c->t->stats.iterations) / (1 - d) / (1 - d) +
                      c->t->opts.tolerance * d / (1 - d);
    return (said < by_steps ? said : by_steps) + ROUNDING / (1 - d);
}

static double passed_by(const distance *far, const walk *w, uint32_t v) {
    return fabs((double)far->found[v] - w->rank[v]);
}

/* Or does the bound lie in what is still to be found out? What is no number never gets better. */
static bool is_plain(const distance *far) {
    return !(far->passed - far->left <= far->bound && far->passed + far->left > far->bound);
}

static cflr_status measure(cflri_check *c, walk *w, distance *far) {
    double d = c->t->opts.damping;
    uint32_t n = c->csr->n_vertices;
    for (uint32_t v = 0; v < n; v++) w->rank[v] = (double)far->found[v];
    for (int k = 0; k < MOST_STEPS; k++) {
        cflr_status st = take_steps(c, w, 1);
        if (st != CFLR_OK) return st;
        far->passed = 0;
        for (uint32_t v = 0; v < n; v++) far->passed += passed_by(far, w, v);
        far->left = w->change * d / (1 - d);
        if (is_plain(far)) break;
    }
    return CFLR_OK;
}

/* When all together are too far off, those are wrong that have more than their share of it. */
static void compare_one(cflri_check *c, const distance *far, const walk *w, uint32_t v) {
    bool good =
        far->passed <= far->bound || passed_by(far, w, v) <= far->bound / c->csr->n_vertices;
    cflri_check_that(c, good,
                     "rank of vertex %u is %.9g, should be %.9g: all together they are %.3g off, "
                     "not %.3g",
                     v, (double)far->found[v], w->rank[v], far->passed, far->bound);
}

/* The worst first: that is the one whose failure is kept. */
static cflr_status compare_with_fixpoint(cflri_check *c, walk *w) {
    uint32_t n = c->csr->n_vertices, worst = 0;
    distance far = {.found = cflri_check_column(c, "rank").values, .bound = distance_bound(c)};
    cflr_status st = measure(c, w, &far);
    if (st != CFLR_OK) return st;
    for (uint32_t v = 0; v < n; v++)
        if (passed_by(&far, w, v) > passed_by(&far, w, worst)) worst = v;
    c->report->worst = isnan(far.passed) ? INFINITY : far.passed / far.bound;
    compare_one(c, &far, w, worst);
    for (uint32_t v = 0; v < n; v++)
        if (v != worst) compare_one(c, &far, w, v);
    return CFLR_OK;
}

/* ---- the three primitives ---- */

static cflr_status check(cflri_check *c, bool whole_steps) {
    walk w = {0};
    if (c->csr->n_vertices == 0) return CFLR_OK;
    cflr_status st = walk_new(c, &w);
    if (st == CFLR_OK) st = whole_steps ? compare_steps(c, &w) : compare_with_fixpoint(c, &w);
    walk_free(c, &w);
    return st;
}

cflr_status cflri_check_PAGERANK(cflri_check *c) {
    return check(c, c->t->opts.tolerance == 0);
}

cflr_status cflri_check_PPR(cflri_check *c) {
    return check(c, c->t->opts.tolerance == 0);
}

cflr_status cflri_check_PAGERANK_DELTA(cflri_check *c) {
    return check(c, false);
}
