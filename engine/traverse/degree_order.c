/* SPDX-License-Identifier: Apache-2.0
 *
 * degree_order.c: a graph's edges, each once, towards the end of higher degree.
 *
 *     degrees  a:3  b:1  c:2  d:2       numbers by degree: a 0, c 1, d 2, b 3
 *     a - b, a - c, a - d, c - d        c -> a    d -> a    d -> c    b -> a
 *
 * A vertex of high degree then has a short row: at most sqrt(2 m) of a graph with m edges, since so
 * many others would have to have a degree at least as high. That bounds what looks at pairs within
 * rows, as counting triangles does, by m^1.5. The targets that many rows share are the smallest
 * numbers, which lie close together.
 *
 * In a graph whose vertices have few edges each, a grid for example, any numbers bound that, and
 * vertices keep theirs; the processor then takes the rows as they are.
 *
 * Each row is made where it will lie, by one thread: renumbered, equal ones dropped, in the order
 * of the old row.
 *
 * Source: T. Schank, D. Wagner, "Finding, counting and listing all triangles in large graphs", WEA
 * 2005.
 */
#include "engine/traverse/degree_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/ids.h"

enum { PAIRS_AN_EDGE = 16 };

typedef struct order {
    bool sorted, even;
    const cflr_csr *csr;
    cflr_csr *made;
    uint32_t *number; /* by old vertex */
    uint32_t *old;    /* by new vertex */
    uint64_t *kept;   /* length of each new row */
} order;

static uint64_t degree_of(const cflr_csr *csr, uint32_t v) {
    return csr->start[v + 1] - csr->start[v];
}

/* Numbers as they are bound the pairs within rows, too, where no vertex has many more edges than
 * others. */
static bool is_even(const cflr_csr *csr, uint32_t threads) {
    uint64_t pairs = 0;
#pragma omp parallel for num_threads((int)threads) schedule(static) reduction(+ : pairs)
    for (uint32_t v = 0; v < csr->n_vertices; v++) pairs += degree_of(csr, v) * degree_of(csr, v);
    return pairs <= PAIRS_AN_EDGE * csr->n_edges;
}

static void keep_numbers(order *o) {
    for (uint32_t v = 0; v < o->csr->n_vertices; v++) o->number[v] = o->old[v] = v;
}

static bool give_numbers(order *o) {
    if (!cflri_csr_by_degree(o->csr, o->old)) return false;
    for (uint32_t i = 0; i < o->csr->n_vertices; i++) o->number[o->old[i]] = i;
    return true;
}

/* Room for each new row: its edges to smaller numbers, equal ones included. */
static void measure_rows(const order *o, uint32_t threads) {
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 1024)
    for (uint32_t v = 0; v < o->csr->n_vertices; v++) {
        uint32_t old = o->old[v];
        uint64_t n = 0;
        for (uint64_t e = o->csr->start[old]; e < o->csr->start[old + 1]; e++)
            n += o->number[o->csr->target[e]] < v;
        o->made->start[v + 1] = n;
    }
    o->made->start[0] = 0;
    for (uint32_t v = 0; v < o->csr->n_vertices; v++) o->made->start[v + 1] += o->made->start[v];
}

/* Parallel edges lie side by side in the old row. */
static uint64_t make_row(const order *o, uint32_t v) {
    const uint32_t *target = o->csr->target;
    uint32_t old = o->old[v], *row = o->made->target + o->made->start[v];
    uint64_t n = 0, begin = o->csr->start[old];
    for (uint64_t e = begin; e < o->csr->start[old + 1]; e++) {
        uint32_t to = o->number[target[e]];
        if (to < v && (e == begin || target[e] != target[e - 1])) row[n++] = to;
    }
    if (o->sorted) qsort(row, n, sizeof *row, cflri_ids_compare);
    return n;
}

/* Rows that lost equal targets leave gaps; most graphs have none. */
static void close_gaps(const order *o) {
    cflr_csr *made = o->made;
    uint64_t at = 0;
    for (uint32_t v = 0; v < made->n_vertices; v++) {
        if (at != made->start[v])
            memmove(made->target + at, made->target + made->start[v],
                    o->kept[v] * sizeof *made->target);
        made->start[v] = at;
        at += o->kept[v];
    }
    made->start[made->n_vertices] = made->n_edges = at;
}

static cflr_status make(order *o, cflr_context *context, cflr_error *error) {
    uint32_t n = o->csr->n_vertices, threads = (uint32_t)cflr_context_threads(context);
    o->made->context = context;
    o->made->n_vertices = n;
    o->number = cflri_alloc_array(context, n, sizeof *o->number);
    o->old = cflri_alloc_array(context, n, sizeof *o->old);
    o->kept = cflri_alloc_array(context, n, sizeof *o->kept);
    o->made->start = cflri_alloc_array(context, (size_t)n + 1, sizeof *o->made->start);
    if (!o->number || !o->old || !o->kept || !o->made->start)
        return cflri_fail_memory(context, error);
    if (o->even)
        keep_numbers(o);
    else if (!give_numbers(o))
        return cflri_fail_memory(context, error);
    measure_rows(o, threads);
    o->made->target = cflri_alloc_array(context, o->made->start[n], sizeof *o->made->target);
    if (!o->made->target) return cflri_fail_memory(context, error);
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 256)
    for (uint32_t v = 0; v < n; v++) o->kept[v] = make_row(o, v);
    close_gaps(o);
    return CFLR_OK;
}

cflr_status cflri_degree_order(const cflr_csr *csr, bool sorted, cflr_csr **by_degree,
                               cflr_error *error) {
    cflr_context *context = csr->context;
    uint32_t threads = (uint32_t)cflr_context_threads(context);
    bool even = is_even(csr, threads);
    *by_degree = NULL;
    if (even && !sorted && !csr->has_parallel) return CFLR_OK;
    order o = {.sorted = sorted,
               .even = even,
               .csr = csr,
               .made = cflri_alloc_zero(context, sizeof *o.made)};
    if (!o.made) return cflri_fail_memory(context, error);
    cflr_status st = make(&o, context, error);
    cflri_free(context, o.number);
    cflri_free(context, o.old);
    cflri_free(context, o.kept);
    if (st == CFLR_OK)
        *by_degree = o.made;
    else
        cflr_csr_free(o.made);
    return st;
}
