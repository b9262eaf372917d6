/* SPDX-License-Identifier: Apache-2.0
 *
 * hubs.h: hubs and authorities, by HITS and SALSA: a hub leads to authorities, and an authority is
 * led to by hubs.
 *
 *     hits    authority(v) = sum over u -> v of hub(u)
 *             hub(u)       = sum over u -> v of authority(v)
 *             each divided by its length, the root of the sum of the squares
 *     salsa   authority(v) = sum over u -> v of hub(u) / degree(u)
 *             hub(u)       = sum over u -> v of authority(v) / edges into v
 *             a walk that goes along an edge and back along another: the sums stay 1
 *
 * HITS begins with all hubs alike, SALSA with all that have edges. It is over when the hubs
 * together change by less than the tolerance.
 *
 * Two gathers a step, one along edges and one against them: O(n + m). What an edge hands on is
 * computed once a vertex.
 *
 * Sources: J. Kleinberg, "Authoritative sources in a hyperlinked environment", JACM 1999; R.
 * Lempel, S. Moran, "The stochastic approach for link-structure analysis (SALSA)", Computer
 * Networks 2000.
 */
#ifndef CFLRI_HUBS_H
#define CFLRI_HUBS_H

#include <math.h>

#include "engine/traverse/task.h"

typedef struct hubs {
    cflri_primitive_task task;
    float *hub, *authority;
    float *give_hub,
        /* SALSA: what each edge hands on of them; HITS: the next hub, before it is scaled */
        *give_authority;
    double scale;
} hubs;

enum { HUBS_SQUARES, HUBS_CHANGE }; /* real sums */

CFLRI_FUNCTOR double hubs_distance(double a, double b) {
    return a < b ? b - a : a - b;
}

CFLRI_DRIVER hubs_end(CFLRI_TEAM *m, hubs *h, uint64_t steps, double change) {
    if (cflri_is_first(m)) {
        h->task.outcome->iterations = steps;
        h->task.outcome->number = change;
    }
}

/* ---- HITS ---- */

CFLRI_FUNCTOR void hits_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    hubs *h = (hubs *)task;
    (void)tally;
    h->hub[v] = (float)(1 / sqrt((double)h->task.out.n));
    h->authority[v] = 0;
}

CFLRI_FUNCTOR const float *hits_hub_of_edge(void *task, uint32_t from, uint64_t edge) {
    (void)edge;
    return &((hubs *)task)->hub[from];
}

CFLRI_FUNCTOR const float *hits_authority_of_edge(void *task, uint32_t from, uint64_t edge) {
    (void)edge;
    return &((hubs *)task)->authority[from];
}

CFLRI_FUNCTOR void hits_take_authority(cflri_step_tally *tally, void *task, uint32_t v,
                                       double sum) {
    ((hubs *)task)->authority[v] = (float)sum;
    tally->real[HUBS_SQUARES] += sum * sum;
}

CFLRI_FUNCTOR void hits_take_hub(cflri_step_tally *tally, void *task, uint32_t v, double sum) {
    hubs *h = (hubs *)task;
    h->give_hub[v] = (float)sum;
    tally->real[HUBS_SQUARES] += sum * sum;
}

CFLRI_FUNCTOR void hits_scale_authority(cflri_step_tally *tally, void *task, uint32_t v) {
    hubs *h = (hubs *)task;
    (void)tally;
    h->authority[v] = (float)(h->authority[v] * h->scale);
}

CFLRI_FUNCTOR void hits_scale_hub(cflri_step_tally *tally, void *task, uint32_t v) {
    hubs *h = (hubs *)task;
    double now = h->give_hub[v] * h->scale;
    tally->real[HUBS_CHANGE] += hubs_distance(now, h->hub[v]);
    h->hub[v] = (float)now;
}

CFLRI_FUNCTOR double hits_scale(double squares) {
    return squares > 0 ? 1 / sqrt(squares) : 0;
}

CFLRI_DRIVER hits_step(CFLRI_TEAM *m, hubs *h) {
    cflri_gather(m, &h->task.in, 0, h->task.out.n, h, hits_hub_of_edge, hits_take_authority);
    h->scale = hits_scale(m->real_total[HUBS_SQUARES]);
    cflri_each(m, h->task.out.n, h, hits_scale_authority);
    cflri_gather(m, &h->task.out, 0, h->task.out.n, h, hits_authority_of_edge, hits_take_hub);
    h->scale = hits_scale(m->real_total[HUBS_SQUARES]);
    cflri_each_summed(m, h->task.out.n, h, hits_scale_hub);
}

CFLRI_DRIVER hits_run(CFLRI_TEAM *m, hubs *h) {
    uint64_t steps = 0;
    double change = INFINITY;
    cflri_each(m, h->task.out.n, h, hits_begin);
    while (change >= h->task.tolerance && steps < h->task.most_iterations && !m->stop) {
        hits_step(m, h);
        change = m->real_total[HUBS_CHANGE];
        steps++;
    }
    hubs_end(m, h, steps, change);
}

/* ---- SALSA ---- */

CFLRI_FUNCTOR void salsa_count(cflri_step_tally *tally, void *task, uint32_t v) {
    tally->sum[0] += cflri_degree(&((hubs *)task)->task.out, v) > 0;
}

CFLRI_FUNCTOR float salsa_share(const cflri_rows *rows, uint32_t v, double give) {
    uint64_t degree = cflri_degree(rows, v);
    return degree ? (float)(give / (double)degree) : 0;
}

CFLRI_FUNCTOR void salsa_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    hubs *h = (hubs *)task;
    (void)tally;
    h->hub[v] = cflri_degree(&h->task.out, v) ? (float)h->scale : 0;
    h->give_hub[v] = salsa_share(&h->task.out, v, h->hub[v]);
    h->authority[v] = 0;
}

CFLRI_FUNCTOR const float *salsa_hub_of_edge(void *task, uint32_t from, uint64_t edge) {
    (void)edge;
    return &((hubs *)task)->give_hub[from];
}

CFLRI_FUNCTOR const float *salsa_authority_of_edge(void *task, uint32_t from, uint64_t edge) {
    (void)edge;
    return &((hubs *)task)->give_authority[from];
}

CFLRI_FUNCTOR void salsa_take_authority(cflri_step_tally *tally, void *task, uint32_t v,
                                        double sum) {
    hubs *h = (hubs *)task;
    (void)tally;
    h->authority[v] = (float)sum;
    h->give_authority[v] = salsa_share(&h->task.in, v, sum);
}

CFLRI_FUNCTOR void salsa_take_hub(cflri_step_tally *tally, void *task, uint32_t v, double sum) {
    hubs *h = (hubs *)task;
    tally->real[HUBS_CHANGE] += hubs_distance(sum, h->hub[v]);
    h->hub[v] = (float)sum;
    h->give_hub[v] = salsa_share(&h->task.out, v, sum);
}

CFLRI_DRIVER salsa_run(CFLRI_TEAM *m, hubs *h) {
    uint64_t steps = 0;
    double change = INFINITY;
    cflri_each(m, h->task.out.n, h, salsa_count);
    h->scale = m->total[0] ? 1 / (double)m->total[0] : 0;
    cflri_each(m, h->task.out.n, h, salsa_begin);
    while (change >= h->task.tolerance && steps < h->task.most_iterations && !m->stop) {
        cflri_gather(m, &h->task.in, 0, h->task.out.n, h, salsa_hub_of_edge, salsa_take_authority);
        cflri_gather(m, &h->task.out, 0, h->task.out.n, h, salsa_authority_of_edge, salsa_take_hub);
        change = m->real_total[HUBS_CHANGE];
        steps++;
    }
    hubs_end(m, h, steps, change);
}

#endif
