/* SPDX-License-Identifier: Apache-2.0
 *
 * order.c: order, fingerprints and causes of findings.
 *
 * A fingerprint (base/fingerprint.h) is a hash of the rule and of what both ends look like without
 * lines and columns:
 *
 *     hash("null", "list.c" "find" "NULL", "list.c" "main" "f->value")-0
 *
 * A second one is without the names of files, for findings of a file that has another name now.
 * Fingerprints count in the order of places. Readers begin with what is likely, so the list is
 * sorted by rank then. Findings of one rule whose sources look the same have one cause, the first
 * of them, and are linked in their order. O(findings log findings).
 */
#include <stdlib.h>
#include <string.h>

#include "base/fingerprint.h"
#include "findings/findings.h"

/* ---- order ---- */

int cflri_place_compare(const void *a, const void *b) {
    const cflr_place *p = a, *q = b;
    int order = p->file == q->file ? 0 : strcmp(p->file, q->file);
    if (!order) order = (p->line > q->line) - (p->line < q->line);
    return order ? order : (p->column > q->column) - (p->column < q->column);
}

int cflri_finding_compare(const void *a, const void *b) {
    const cflr_finding *x = a, *y = b;
    int order = cflri_place_compare(&x->place, &y->place);
    if (!order) order = strcmp(x->rule->name, y->rule->name);
    return order ? order : (x->sink > y->sink) - (x->sink < y->sink);
}

static int compare_ranks(const void *a, const void *b) {
    const cflr_finding *f = a, *g = b;
    return f->rank != g->rank ? (f->rank > g->rank ? 1 : -1) : cflri_finding_compare(a, b);
}

/* ---- fingerprints ---- */

static uint64_t hash_end(uint64_t hash, const char *file, const char *function, const char *name) {
    if (file) hash = cflri_fingerprint_file(hash, file);
    return cflri_fingerprint_text(cflri_fingerprint_text(hash, function), name);
}

static uint64_t hash_finding(const cflr_graph *graph, const cflr_finding *f, bool files) {
    cflr_vertex_info source, sink;
    uint64_t hash = cflri_fingerprint_text(CFLRI_FINGERPRINT_BEGIN, f->rule->name);
    cflr_graph_vertex(graph, f->source, &source);
    cflr_graph_vertex(graph, f->sink, &sink);
    hash = hash_end(hash, files ? source.file : NULL, source.function, source.name);
    return hash_end(hash, files ? f->place.file : NULL, f->function, sink.name);
}

static cflr_status put_fingerprints(cflr_findings *found, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_finding *list = found->list.at;
    size_t n = found->list.n;
    if (n == 0) return CFLR_OK;
    uint64_t *hash = cflri_alloc_array(found->context, n, sizeof *hash);
    if (!hash) return cflri_fail_memory(found->context, error);
    for (int files = 0; files < 2; files++) {
        for (size_t i = 0; i < n; i++) hash[i] = hash_finding(found->graph, &list[i], files);
        char *text = files ? list->fingerprint : list->fingerprint_any_file;
        CFLR_TRY(cflri_fingerprints_write(found->context, hash, n, text, sizeof *list, error));
    }
out:
    cflri_free(found->context, hash);
    return st;
}

/* ---- causes ---- */

/* A finding by its source, for sorting. */
typedef struct of_cause {
    const char *rule;
    cflr_vertex_info source;
    size_t number;
} of_cause;

static int compare_sources(const of_cause *a, const of_cause *b) {
    int order = strcmp(a->rule, b->rule);
    return order ? order : cflr_vertex_compare(&a->source, &b->source);
}

static int compare_causes(const void *a, const void *b) {
    const of_cause *x = a, *y = b;
    int order = compare_sources(x, y);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static cflr_status link_causes(cflr_findings *found, cflr_error *error) {
    cflr_finding *all = found->list.at;
    size_t n = found->list.n;
    of_cause *list = cflri_alloc_array(found->context, n, sizeof *list);
    if (!list) return cflri_fail_memory(found->context, error);
    for (size_t i = 0; i < n; i++) {
        list[i].rule = all[i].rule->name;
        list[i].number = i;
        cflr_graph_vertex(found->graph, all[i].source, &list[i].source);
    }
    qsort(list, n, sizeof *list, compare_causes);
    for (size_t i = 0; i < n; i++) {
        size_t number = list[i].number;
        bool first = i == 0 || compare_sources(&list[i - 1], &list[i]) != 0;
        all[number].cause = first ? number : all[list[i - 1].number].cause;
        all[number].next = number;
        if (!first) all[list[i - 1].number].next = number;
    }
    cflri_free(found->context, list);
    return CFLR_OK;
}

/* ---- all ---- */

cflr_status cflri_findings_order(cflr_findings *found, cflr_error *error) {
    cflr_finding *list = found->list.at;
    size_t n = found->list.n;
    if (n) qsort(list, n, sizeof *list, cflri_finding_compare);
    cflr_status st = put_fingerprints(found, error);
    if (n) qsort(list, n, sizeof *list, compare_ranks);
    found->counts.findings = n;
    for (size_t i = 0; i < n; i++) found->counts.likely += list[i].likely;
    return st == CFLR_OK ? link_causes(found, error) : st;
}
