/* SPDX-License-Identifier: Apache-2.0
 *
 * check_signals.c: voltages of circuits and activations of neurons in float64.
 *
 *     GCS     v'(x) = sum over edges y -> x of w v(y) / W(x)           W(x): the sum of w
 *     NNDR    a'(v) = tanh(d sum over edges u -> v of w a(u) / W(v))   W(v): the sum of |w|
 *
 * All begin at 0, but sources, which are held: at 1, and of a circuit all but the first one at 0.
 * Where W is 0 a value stays 0. Parallel edges count each. O(n + m) a step.
 *
 * A run is held to what the same number k of steps gives. Terms of voltages are all positive, and
 * so nothing cancels: k steps are off by a factor of (1 + e)^k at most. With weights, voltages and
 * their products as float32 e would be some 2^-22, but most of it cancels; BOUND and as much as
 * BOUND_A_STEP for every step leave room for sums in float32 that are made in pieces, as the
 * threads of a warp do.
 *
 * Activations have signs, so their bound is not a share of them. W bounds what a sum can be off by:
 * ERROR_A_STEP, 2^-18, is some sixty roundings of float32 at its scale. A step makes errors of the
 * one before smaller by d, and k of them leave e (1 - d^k) / (1 - d).
 *
 * A product that is too small for a float32 is off by 2^-149, of which 1 / W comes to the value:
 * negligible, but where weights of 1e-40 meet such of 1e38.
 */
#include <math.h>

#include "engine/traverse/check.h"

static const double BOUND = 1e-5, BOUND_A_STEP = 0x1p-21, ERROR_A_STEP = 0x1p-18,
                    SMALLEST = 0x1p-149;

typedef struct signals {
    double *value, *next;
    double *size; /* W; 0 where the value stays as it is */
    bool has_signs;
    double change, change_before; /* the largest of the last step, of the one before */
    double lost;                  /* of a value in a step, by products that are too small */
} signals;

static double weight_of(const cflr_csr *csr, uint64_t e) {
    if (csr->weights == CFLR_WEIGHTS_INT32) return ((const int32_t *)csr->weight)[e];
    return (double)((const float *)csr->weight)[e];
}

/* ---- begin ---- */

static void add_sizes(const cflri_check *c, const signals *s) {
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) s->value[v] = s->next[v] = s->size[v] = 0;
    for (uint64_t e = 0; e < c->csr->n_edges; e++) {
        s->size[c->csr->target[e]] += fabs(weight_of(c->csr, e));
        s->next[c->csr->target[e]] += SMALLEST;
    }
}

static void hold_sources(const cflri_check *c, const signals *s) {
    const cflri_primitive_task *task = c->t->task;
    for (uint32_t i = task->n_sources; i--;) {
        s->value[task->source[i]] = i == 0 || s->has_signs ? 1 : 0;
        s->size[task->source[i]] = 0;
    }
}

static cflr_status signals_new(cflri_check *c, signals *s, bool has_signs) {
    uint32_t n = c->csr->n_vertices;
    s->value = cflri_alloc_array(c->context, n, sizeof *s->value);
    s->next = cflri_alloc_array(c->context, n, sizeof *s->next);
    s->size = cflri_alloc_array(c->context, n, sizeof *s->size);
    s->has_signs = has_signs;
    s->change = s->change_before = INFINITY;
    if (!s->value || !s->next || !s->size) return cflri_check_have(c, false);
    add_sizes(c, s);
    for (uint32_t v = 0; v < n; v++)
        if (s->size[v] > 0 && s->next[v] / s->size[v] > s->lost) s->lost = s->next[v] / s->size[v];
    s->lost += SMALLEST;
    hold_sources(c, s);
    return CFLR_OK;
}

static void signals_free(const cflri_check *c, signals *s) {
    cflri_free(c->context, s->value);
    cflri_free(c->context, s->next);
    cflri_free(c->context, s->size);
}

/* ---- steps ---- */

static double value_of(const cflri_check *c, const signals *s, uint32_t v) {
    if (s->size[v] == 0) return s->value[v];
    double mean = s->next[v] / s->size[v];
    return s->has_signs ? tanh(c->t->opts.damping * mean) : mean;
}

static void step(const cflri_check *c, signals *s) {
    const cflr_csr *csr = c->csr;
    double *swap = s->value;
    for (uint32_t v = 0; v < csr->n_vertices; v++) s->next[v] = 0;
    for (uint32_t v = 0; v < csr->n_vertices; v++)
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            s->next[csr->target[e]] += weight_of(csr, e) * s->value[v];
    s->change_before = s->change;
    s->change = 0;
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        s->next[v] = value_of(c, s, v);
        s->change = fmax(s->change, fabs(s->next[v] - s->value[v]));
    }
    s->value = s->next;
    s->next = swap;
}

/* ---- comparing ---- */

static double bound_of(const cflri_check *c, const signals *s, double expected) {
    double k = (double)c->t->stats.iterations, d = c->t->opts.damping;
    double lost = k * s->lost;
    if (!s->has_signs) return (BOUND + k * BOUND_A_STEP) * expected + lost;
    return ERROR_A_STEP * (1 - pow(d, k)) / (1 - d) + lost;
}

static cflr_status check(cflri_check *c, const char *name, bool has_signs) {
    const float *found = cflri_check_column(c, name).values;
    cflr_status st = CFLR_OK;
    signals s = {0};
    CFLR_TRY(signals_new(c, &s, has_signs));
    for (uint64_t k = 0; k < c->t->stats.iterations; k++) {
        step(c, &s);
        CFLR_TRY(cflri_check_worked(c, 2 * (c->csr->n_vertices + c->csr->n_edges)));
    }
    for (uint32_t v = 0; v < c->csr->n_vertices; v++)
        cflri_check_real(c, name, v, (double)found[v], s.value[v], bound_of(c, &s, s.value[v]));
    cflri_check_end(c, s.change_before, s.change, 2 * bound_of(c, &s, 1));
out:
    signals_free(c, &s);
    return st;
}

cflr_status cflri_check_GCS(cflri_check *c) {
    return check(c, "voltage", false);
}

cflr_status cflri_check_NNDR(cflri_check *c) {
    return check(c, "activation", true);
}
