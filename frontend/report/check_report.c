/* SPDX-License-Identifier: Apache-2.0
 *
 * check_report.c: from checks as facts to checks as users see them.
 *
 * A check belongs to a function, and each instance of the function (clone.h) has two vertices for
 * it:
 *
 *     check in f           instances of f: 2, 5         vertex[0]: 17 40     vertex[1]: 18 41
 *
 * Where both vertices are one for all instances the pair is there once.
 */
#include "frontend/report/check_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/fingerprint.h"

typedef struct maker {
    cflr_extract_report *report;
    const cflri_contexts *contexts;
    const cflri_facts *facts;
    cflri_groups instances; /* by function */
} maker;

/* A copy that lives as long as the report; NULL when memory is refused. */
static const char *keep_text(const maker *m, uint32_t string) {
    const char *text = cflri_string(&m->facts->strings, string);
    return cflri_arena_copy_text(&m->report->arena, text, strlen(text));
}

/* The vertices; false when memory is refused. */
static bool find_vertices(const maker *m, const cflri_facts_check *from, cflr_check *to) {
    const uint32_t *start = &m->instances.start[from->function];
    size_t most = start[1] - start[0];
    uint32_t *vertex = cflri_arena_alloc(&m->report->arena, 2 * most * sizeof *vertex);
    if (!vertex) return false;
    uint32_t *first = vertex, *second = vertex + most;
    for (uint32_t i = start[0]; i < start[1]; i++) {
        uint32_t instance = m->instances.item[i];
        uint32_t a = cflri_contexts_vertex(m->contexts, instance, from->node[0]);
        uint32_t b = cflri_contexts_vertex(m->contexts, instance, from->node[1]);
        if (to->n > 0 && first[to->n - 1] == a && second[to->n - 1] == b) continue;
        first[to->n] = a;
        second[to->n++] = b;
    }
    to->vertex[0] = first;
    to->vertex[1] = second;
    return true;
}

static bool add_check(const maker *m, const cflri_facts_check *from) {
    const cflri_function *function = &m->facts->functions.at[from->function];
    cflr_check to = {
        .kind = from->kind,
        .callee = keep_text(m, from->callee),
        .expression = {keep_text(m, from->expression[0]), keep_text(m, from->expression[1])},
        .file = keep_text(m, from->place.file),
        .line = from->place.line,
        .column = from->place.column,
        .function = keep_text(m, function->name),
        .problem = keep_text(m, from->problem)};
    bool texts =
        to.callee && to.expression[0] && to.expression[1] && to.file && to.function && to.problem;
    if (!texts || (!from->problem && !find_vertices(m, from, &to))) return false;
    return cflri_vec_push(m->report->context, &m->report->checks, to);
}

/* Checks of one macro share a place. Checks that are asked come in the order of their vertices,
 * which is that of the source; of the others only the texts are seen. */
static int compare_checks(const void *a, const void *b) {
    const cflr_check *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order) return order;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if ((x->n > 0) != (y->n > 0)) return x->n > 0 ? 1 : -1;
    if (x->n > 0) return x->vertex[0][0] < y->vertex[0][0] ? -1 : x->vertex[0][0] > y->vertex[0][0];
    order = strcmp(x->callee, y->callee);
    for (int k = 0; k < 2 && !order; k++) order = strcmp(x->expression[k], y->expression[k]);
    return order ? order : strcmp(x->problem, y->problem);
}

static uint64_t hash_check(const cflr_check *c, bool files) {
    uint64_t hash = cflri_fingerprint_text(CFLRI_FINGERPRINT_BEGIN, c->callee);
    if (files) hash = cflri_fingerprint_file(hash, c->file);
    hash = cflri_fingerprint_text(hash, c->function);
    for (int k = 0; k < 2; k++) hash = cflri_fingerprint_text(hash, c->expression[k]);
    return hash;
}

cflr_status cflri_report_fingerprints(cflr_extract_report *report, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_check *list = report->checks.at;
    size_t n = report->checks.n;
    if (n == 0) return CFLR_OK;
    uint64_t *hash = cflri_alloc_array(report->context, n, sizeof *hash);
    if (!hash) return cflri_fail_memory(report->context, error);
    for (int files = 0; files < 2; files++) {
        for (size_t i = 0; i < n; i++) hash[i] = hash_check(&list[i], files);
        char *text = files ? list->fingerprint : list->fingerprint_any_file;
        CFLR_TRY(cflri_fingerprints_write(report->context, hash, n, text, sizeof *list, error));
    }
out:
    cflri_free(report->context, hash);
    return st;
}

cflr_status cflri_report_checks(cflr_extract_report *report, const cflri_contexts *contexts,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    maker m = {.report = report, .contexts = contexts, .facts = &contexts->program->facts};
    if (m.facts->checks.n == 0) return CFLR_OK;
    CFLR_TRY(cflri_contexts_group(contexts, &m.instances, error));
    for (size_t i = 0; i < m.facts->checks.n; i++) {
        if (!add_check(&m, &m.facts->checks.at[i]))
            CFLR_TRY(cflri_fail_memory(report->context, error));
    }
    qsort(report->checks.at, report->checks.n, sizeof *report->checks.at, compare_checks);
    CFLR_TRY(cflri_report_fingerprints(report, error));
out:
    cflri_free(report->context, m.instances.start);
    cflri_free(report->context, m.instances.item);
    return st;
}
