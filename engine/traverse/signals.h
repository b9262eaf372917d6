/* SPDX-License-Identifier: Apache-2.0
 *
 * signals.h: values that come over weighted edges until all are steady: the voltages of a circuit,
 * the activations of a network of neurons.
 *
 *     circuit    v'(x) = sum over x - y of w v(y) / W(x)              W(x): of all weights at x
 *     neurons    a'(v) = tanh(d sum over u -> v of w a(u) / W(v))     W(v): of all weights into v,
 *                                                                     without their signs
 *
 * Sources are held: those of neurons at 1; of a circuit the first one at 1, and all others at 0,
 * the ground. Everything else begins at 0. A step computes all values from those of the step before
 * (Jacobi's method), and the last one is that which changes no value by the tolerance or more.
 *
 * A voltage is the mean of the voltages around it, weighed by conductances: the current that comes
 * to a vertex leaves it again. So no voltage leaves [0, 1], and errors never grow. tanh brings
 * numbers no further from each other than they are, and the mean of them, times d, brings them
 * nearer by d: activations that a step changes by c at most change by d c at most in the next one.
 *
 * One gather a step: O(n + m). Each thread keeps the largest change that it sees in its own copy of
 * the task; when a step is done all threads put theirs together, in one of three cells: that of the
 * step, while slower threads still read the last one's, and the next one's is cleared.
 *
 * Sources: F. Khorasani, K. Vora, R. Gupta, L. Bhuyan, "CuSha: vertex-centric graph processing on
 * GPUs", HPDC 2014 (circuit simulation, neural network); L. Zheng et al., "Scaph: scalable
 * GPU-accelerated graph processing with value-driven differential scheduling", ATC 2020.
 */
#ifndef CFLRI_SIGNALS_H
#define CFLRI_SIGNALS_H

#include <math.h>

#include "engine/traverse/task.h"

typedef struct signals {
    cflri_primitive_task task;
    float *value, *next;
    double
        *part; /* 1 / W; 0 where the value stays as it is: no weight leads there, or it is held */
    uint32_t *cell; /* of a step, of the one before, of the next: the bits of the largest change */
    float largest;  /* change of this step that this thread has seen */
} signals;

enum { SIGNALS_CELLS = 3 };

/* ---- what comes over an edge ---- */

CFLRI_FUNCTOR const float *signals_of_edge(void *task, uint32_t from, uint64_t edge) {
    (void)edge;
    return &((signals *)task)->value[from];
}

CFLRI_FUNCTOR float signals_weight(const signals *s, uint32_t weight) {
    return s->task.real_weights ? cflri_real_of_bits(weight) : (float)(int32_t)weight;
}

CFLRI_FUNCTOR float signals_over_edge(void *task, float value, uint32_t weight) {
    return value * signals_weight((const signals *)task, weight);
}

CFLRI_FUNCTOR float signals_size_of_edge(void *task, float value, uint32_t weight) {
    (void)value;
    return fabsf(signals_weight((const signals *)task, weight));
}

/* ---- begin ---- */

CFLRI_FUNCTOR void signals_rest(cflri_step_tally *tally, void *task, uint32_t v) {
    signals *s = (signals *)task;
    (void)tally;
    s->value[v] = s->next[v] = 0;
}

CFLRI_FUNCTOR void signals_take_size(cflri_step_tally *tally, void *task, uint32_t v, double sum) {
    (void)tally;
    ((signals *)task)->part[v] = sum > 0 ? 1 / sum : 0;
}

CFLRI_FUNCTOR void signals_hold(cflri_step_tally *tally, void *task, uint32_t i) {
    signals *s = (signals *)task;
    (void)tally;
    s->part[s->task.source[i]] = 0;
}

CFLRI_FUNCTOR void signals_hold_high(cflri_step_tally *tally, void *task, uint32_t i) {
    signals *s = (signals *)task;
    signals_hold(tally, task, i);
    s->value[s->task.source[i]] = s->next[s->task.source[i]] = 1;
}

/* The first `high` sources are held at 1. */
CFLRI_DRIVER signals_begin(CFLRI_TEAM *m, signals *s, uint64_t high) {
    cflri_each(m, s->task.in.n, s, signals_rest);
    cflri_gather_weighted(m, &s->task.in, 0, s->task.in.n, s, signals_of_edge, signals_size_of_edge,
                          signals_take_size);
    cflri_each(m, s->task.n_sources, s, signals_hold);
    cflri_each(m, high, s, signals_hold_high);
    s->largest = 0;
    if (cflri_is_first(m))
        for (int k = 0; k < SIGNALS_CELLS; k++) s->cell[k] = 0;
    cflri_step_end(m);
}

/* ---- steps ---- */

CFLRI_FUNCTOR void signals_put(signals *s, uint32_t v, float now) {
    float change = fabsf(now - s->value[v]);
    s->next[v] = now;
    if (change > s->largest) s->largest = change;
}

CFLRI_FUNCTOR void signals_take_voltage(cflri_step_tally *tally, void *task, uint32_t v,
                                        double sum) {
    signals *s = (signals *)task;
    (void)tally;
    if (s->part[v] > 0) signals_put(s, v, (float)(sum * s->part[v]));
}

CFLRI_FUNCTOR void signals_take_activation(cflri_step_tally *tally, void *task, uint32_t v,
                                           double sum) {
    signals *s = (signals *)task;
    (void)tally;
    if (s->part[v] > 0) signals_put(s, v, (float)tanh(s->task.damping * (sum * s->part[v])));
}

CFLRI_FUNCTOR void signals_swap(signals *s) {
    float *swap = s->value;
    s->value = s->next;
    s->next = swap;
}

/* What is next becomes what is; the largest change of step k. */
CFLRI_DRIVER signals_agree(CFLRI_TEAM *m, signals *s, uint64_t k, double *change) {
    uint32_t *cell = &s->cell[k % SIGNALS_CELLS], bits = cflri_bits_of_real(s->largest);
    if (bits > cflri_look(cell)) cflri_most(cell, bits);
    if (cflri_is_first(m)) cflri_put(&s->cell[(k + 1) % SIGNALS_CELLS], 0);
    cflri_step_end(m);
    *change = cflri_real_of_bits(cflri_look(cell));
    s->largest = 0;
    signals_swap(s);
}

CFLRI_FUNCTOR void signals_copy(cflri_step_tally *tally, void *task, uint32_t v) {
    signals *s = (signals *)task;
    (void)tally;
    s->next[v] = s->value[v];
}

/* Values are where the caller looks for them after an even number of steps. */
CFLRI_DRIVER signals_end(CFLRI_TEAM *m, signals *s, uint64_t steps, double change) {
    if (steps % 2) cflri_each(m, s->task.in.n, s, signals_copy);
    if (cflri_is_first(m)) {
        s->task.outcome->iterations = steps;
        s->task.outcome->number = change;
    }
}

/* ---- the two primitives ---- */

CFLRI_DRIVER circuit_run(CFLRI_TEAM *m, signals *s) {
    uint64_t steps = 0;
    double change = INFINITY;
    signals_begin(m, s, 1);
    while (change >= s->task.tolerance && steps < s->task.most_iterations && !m->stop) {
        cflri_gather_weighted(m, &s->task.in, 0, s->task.in.n, s, signals_of_edge,
                              signals_over_edge, signals_take_voltage);
        signals_agree(m, s, steps++, &change);
    }
    signals_end(m, s, steps, change);
}

CFLRI_DRIVER neurons_run(CFLRI_TEAM *m, signals *s) {
    uint64_t steps = 0;
    double change = INFINITY;
    signals_begin(m, s, s->task.n_sources);
    while (change >= s->task.tolerance && steps < s->task.most_iterations && !m->stop) {
        cflri_gather_weighted(m, &s->task.in, 0, s->task.in.n, s, signals_of_edge,
                              signals_over_edge, signals_take_activation);
        signals_agree(m, s, steps++, &change);
    }
    signals_end(m, s, steps, change);
}

#endif
