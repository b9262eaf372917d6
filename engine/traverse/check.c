/* SPDX-License-Identifier: Apache-2.0
 *
 * check.c: is what a run gave what a serial program would have given?
 *
 * Each primitive has a check, a textbook's algorithm on plain arrays, which knows nothing of
 * threads, frontiers and schedules. Integers must be equal, or, where many answers are right (a
 * forest, an independent set, a colouring), be one of them. Real numbers must lie within bounds
 * that come from how they are rounded, which stand with each check.
 *
 * Here stands what the checks share. None of them recurses, and none takes longer than O((n + m)
 * log n), but for triangles, O(m^1.5), for what is done once a source, and for steps, which are
 * taken again.
 */
#include "engine/traverse/check.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"

/* ---- what the run gave ---- */

cflr_column cflri_check_column(const cflri_check *c, const char *name) {
    cflr_column column = {0};
    bool there = true;
    for (uint32_t i = 0; there && (!column.name || strcmp(column.name, name) != 0); i++)
        there = cflr_traversal_column(c->t, i, &column);
    assert(there);
    return column;
}

static cflr_value value_of(const cflri_check *c, const char *name) {
    cflr_value value = {0};
    bool there = true;
    for (uint32_t i = 0; there && (!value.name || strcmp(value.name, name) != 0); i++)
        there = cflr_traversal_value(c->t, i, &value);
    assert(there);
    return value;
}

uint64_t cflri_check_counted(const cflri_check *c, const char *name) {
    return value_of(c, name).count;
}

double cflri_check_measured(const cflri_check *c, const char *name) {
    return value_of(c, name).number;
}

/* ---- counting ---- */

void cflri_check_that(cflri_check *c, bool holds, const char *format, ...) {
    cflr_traverse_report *report = c->report;
    report->checked++;
    if (holds || report->wrong++) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->first_failure, sizeof report->first_failure, format, arguments);
    va_end(arguments);
}

void cflri_check_number(cflri_check *c, const char *name, uint32_t v, uint64_t found,
                        uint64_t expected) {
    cflri_check_that(c, found == expected, "%s of vertex %u is %llu, should be %llu", name, v,
                     (unsigned long long)found, (unsigned long long)expected);
}

/* Is it within the bound? What is no number is not. Equal ones are, infinite ones too. */
static bool is_near(cflri_check *c, double found, double expected, double bound) {
    double difference = found == expected ? 0 : fabs(found - expected);
    double share = difference == 0 ? 0 : bound > 0 ? difference / bound : INFINITY;
    if (!(share <= c->report->worst)) c->report->worst = isnan(share) ? INFINITY : share;
    return difference <= bound;
}

void cflri_check_real(cflri_check *c, const char *name, uint32_t v, double found, double expected,
                      double bound) {
    cflri_check_that(c, is_near(c, found, expected, bound),
                     "%s of vertex %u is %.9g, should be %.9g", name, v, found, expected);
}

void cflri_check_count(cflri_check *c, const char *name, uint64_t expected) {
    uint64_t found = cflri_check_counted(c, name);
    cflri_check_that(c, found == expected, "%s is %llu, should be %llu", name,
                     (unsigned long long)found, (unsigned long long)expected);
}

void cflri_check_total(cflri_check *c, const char *name, double expected, double bound) {
    double found = cflri_check_measured(c, name);
    cflri_check_that(c, is_near(c, found, expected, bound), "%s is %.17g, should be %.17g", name,
                     found, expected);
}

void cflri_check_end(cflri_check *c, double change_before, double change, double slack) {
    uint64_t steps = c->t->stats.iterations, most = c->t->opts.most_iterations;
    double tolerance = c->t->opts.tolerance;
    bool early = steps < most && change >= tolerance + slack;
    bool late = steps > most || change_before < tolerance - slack;
    if (c->csr->n_vertices == 0) return;
    cflri_check_that(c, !early && !late,
                     "%llu steps were taken, of which the last two change %.3g and %.3g: that is "
                     "too %s for the tolerance",
                     (unsigned long long)steps, change_before, change, early ? "few" : "many");
    if (steps) cflri_check_total(c, "change", change, slack);
}

/* ---- on the way ---- */

cflr_status cflri_check_have(cflri_check *c, bool memory) {
    return memory ? CFLR_OK : cflri_fail_memory(c->context, c->error);
}

enum { LOOK_UP_EVERY = 1 << 20 };

cflr_status cflri_check_worked(cflri_check *c, uint64_t work) {
    c->work += work;
    if (c->work - c->looked_up_at < LOOK_UP_EVERY) return CFLR_OK;
    c->looked_up_at = c->work;
    cflr_status st = cflri_tick(c->context, "verify", c->work, 0);
    return st == CFLR_OK ? st : cflri_fail_interrupted(c->context, st, c->error);
}

/* ---- hops ---- */

static void reach_targets(const cflri_check *c, uint32_t v, uint32_t *hops, uint32_t *order,
                          uint32_t *reached) {
    for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++) {
        uint32_t to = c->csr->target[e];
        if (hops[to] != UINT32_MAX) continue;
        hops[to] = hops[v] + 1;
        order[(*reached)++] = to;
    }
}

cflr_status cflri_check_hops(cflri_check *c, uint32_t source, uint32_t *hops, uint32_t *order,
                             uint32_t *reached) {
    cflr_status st = CFLR_OK;
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) hops[v] = UINT32_MAX;
    hops[source] = 0;
    order[0] = source;
    *reached = 1;
    for (uint32_t i = 0; i < *reached && st == CFLR_OK; i++) {
        reach_targets(c, order[i], hops, order, reached);
        st = cflri_check_worked(c, cflri_check_degree(c, order[i]) + 1);
    }
    return st;
}

/* ---- sets that are joined ---- */

uint32_t *cflri_check_alone(const cflri_check *c) {
    uint32_t *up = cflri_alloc_array(c->context, c->csr->n_vertices, sizeof *up);
    for (uint32_t v = 0; up && v < c->csr->n_vertices; v++) up[v] = v;
    return up;
}

uint32_t cflri_check_smallest(uint32_t *up, uint32_t v) {
    while (up[v] != v) v = up[v] = up[up[v]];
    return v;
}

bool cflri_check_join(uint32_t *up, uint32_t a, uint32_t b) {
    a = cflri_check_smallest(up, a);
    b = cflri_check_smallest(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
    return a != b;
}

/* ---- by primitive ---- */

static cflri_check_function *const check_of[] = {
#define CHECK(name, number, word, text) [number] = cflri_check_##name,
    CFLR_PRIMITIVE_LIST(CHECK)
#undef CHECK
};

cflr_status cflri_traversal_check(const cflr_traversal *t, cflr_traverse_report *report,
                                  cflr_error *error) {
    cflri_check c = {
        .t = t, .csr = t->csr, .context = t->context, .report = report, .error = error};
    if (t->primitive->which == CFLRI_OWN_PRIMITIVE)
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "there is no check of %s",
                          t->primitive->name);
    return check_of[t->primitive->which](&c);
}
