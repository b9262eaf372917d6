/* SPDX-License-Identifier: Apache-2.0
 *
 * order.c: order, fingerprints and causes of findings.
 *
 * A fingerprint names a finding from one state of the source to the next: a hash of the rule and of
 * what both ends look like without lines and columns, and which it is of those that agree in this
 * in its function:
 *
 *     hash("null", "list.c find NULL", "list.c main f->value")-0
 *
 * Fingerprints count in the order of places. Readers begin with what is likely, so the list is
 * sorted by rank then. Findings of one rule whose sources look the same have one cause, the first
 * of them, and are linked in their order. O(findings log findings), and those of one function by
 * pairs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"

/* ---- order ---- */

static int compare_places(const cflr_place *a, const cflr_place *b) {
    int order = strcmp(a->file, b->file);
    if (order) return order;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

int cflri_finding_compare(const void *a, const void *b) {
    const cflr_finding *x = a, *y = b;
    int order = compare_places(&x->place, &y->place);
    if (!order) order = strcmp(x->rule->name, y->rule->name);
    return order ? order : (x->sink > y->sink) - (x->sink < y->sink);
}

static int compare_ranks(const void *a, const void *b) {
    const cflr_finding *f = a, *g = b;
    return f->rank != g->rank ? (f->rank > g->rank ? 1 : -1) : cflri_finding_compare(a, b);
}

/* ---- fingerprints ---- */

static uint64_t hash_text(uint64_t hash, const char *text) { /* FNV-1a, with the NUL */
    do hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

static uint64_t hash_vertex(uint64_t hash, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    const char *slash = strrchr(info.file, '/');
    hash = hash_text(hash, slash ? slash + 1 : info.file);
    return hash_text(hash_text(hash, info.function), info.name);
}

bool cflri_same_function(const cflr_graph *graph, uint32_t a, uint32_t b) {
    cflr_vertex_info x, y;
    cflr_graph_vertex(graph, a, &x);
    cflr_graph_vertex(graph, b, &y);
    return strcmp(x.function, y.function) == 0 && strcmp(x.file, y.file) == 0;
}

static cflr_status put_fingerprints(cflr_findings *found, cflr_error *error) {
    const cflr_graph *graph = found->graph;
    cflr_finding *list = found->list.at;
    uint64_t *hash = cflri_alloc_array(found->context, found->list.n, sizeof *hash);
    if (!hash) return cflri_fail_memory(found->context, error);
    for (size_t i = 0; i < found->list.n; i++) {
        cflr_finding *f = &list[i];
        hash[i] = hash_text(UINT64_C(0xcbf29ce484222325), f->rule->name);
        hash[i] = hash_vertex(hash_vertex(hash[i], graph, f->source), graph, f->sink);
        uint32_t earlier = 0;
        for (size_t k = i; k-- > 0 && cflri_same_function(graph, list[k].sink, f->sink);)
            earlier += hash[k] == hash[i];
        snprintf(f->fingerprint, sizeof f->fingerprint, "%016" PRIx64 "-%" PRIu32, hash[i],
                 earlier);
    }
    cflri_free(found->context, hash);
    return CFLR_OK;
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
