/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_reorder.c: the same graph with other numbers for its vertices.
 *
 *     degree   the vertex of most edges is 0: what is asked for most often lies side by side, and
 *              stays in caches
 *     search   as a search by levels comes to them, each search from a vertex of fewest edges:
 *              neighbours have numbers that are close, as on a map (Cuthill and McKee's order, but
 *              for the order within a row)
 *     sampled  as rounds of sampling find out: what is read together lies together
 *              (csr_sampled_order.c)
 *
 * Numbers first, by a counting sort, or a search; then all edges with their new ends, which become
 * rows as any others do.
 *
 * O(vertices + edges); the list of edges takes 8 bytes an edge, 12 with weights, and what rows take
 * to be built.
 *
 * Source: E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM National
 * Conference 1969.
 */
#include "base/context.h"
#include "base/plain/csr.h"
#include "base/words.h"

/* ---- numbers ---- */

/* Degrees from n on count as n: only parallel edges can make them so. */
static uint64_t class_of(const cflr_csr *csr, uint32_t v) {
    uint64_t degree = csr->start[v + 1] - csr->start[v];
    return csr->n_vertices - (degree < csr->n_vertices ? degree : csr->n_vertices);
}

bool cflri_csr_by_degree(const cflr_csr *csr, uint32_t *vertex) {
    uint64_t n = csr->n_vertices, at = 0;
    uint64_t *begin = cflri_alloc_array_zero(csr->context, n + 1, sizeof *begin);
    if (!begin) return false;
    for (uint32_t v = 0; v < n; v++) begin[class_of(csr, v)]++;
    for (uint64_t k = 0; k <= n; k++) {
        uint64_t here = begin[k];
        begin[k] = at;
        at += here;
    }
    for (uint32_t v = 0; v < n; v++) vertex[begin[class_of(csr, v)]++] = v;
    cflri_free(csr->context, begin);
    return true;
}

/* number[v]: CFLR_MAX_VERTICES while v has none. */
static void search_from(const cflr_csr *csr, uint32_t source, uint32_t *vertex, uint32_t *number,
                        uint32_t *n) {
    number[source] = *n;
    vertex[(*n)++] = source;
    for (uint32_t at = number[source]; at < *n; at++) {
        uint32_t v = vertex[at];
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            uint32_t to = csr->target[e];
            if (number[to] != CFLR_MAX_VERTICES) continue;
            number[to] = *n;
            vertex[(*n)++] = to;
        }
    }
}

static bool by_search(const cflr_csr *csr, uint32_t *vertex, uint32_t *number) {
    uint32_t n = 0;
    uint32_t *seed = cflri_alloc_array(csr->context, csr->n_vertices, sizeof *seed);
    bool made = seed && cflri_csr_by_degree(csr, seed);
    for (uint32_t v = 0; made && v < csr->n_vertices; v++) number[v] = CFLR_MAX_VERTICES;
    for (uint32_t i = csr->n_vertices; made && i-- > 0;)
        if (number[seed[i]] == CFLR_MAX_VERTICES) search_from(csr, seed[i], vertex, number, &n);
    cflri_free(csr->context, seed);
    return made;
}

/* ---- the whole ---- */

static const char *const order_words[] = {
#define ORDER_WORD(name, number, word, text) [number] = word,
    CFLR_ORDER_LIST(ORDER_WORD)
#undef ORDER_WORD
};

enum { ORDERS = sizeof order_words / sizeof *order_words };

const char *cflr_order_name(cflr_order order) {
    return (unsigned)order < ORDERS ? order_words[order] : "unknown";
}

cflr_status cflr_order_parse(const char *word, cflr_order *order, cflr_error *error) {
    uint32_t number = 0;
    cflr_status st = cflri_find_word(word, order_words, ORDERS, "order", &number, error);
    if (st == CFLR_OK) *order = (cflr_order)number;
    return st;
}

static cflr_status reorder(const cflr_csr *csr, cflr_order order, cflr_csr **made, uint32_t *vertex,
                           cflr_error *error) {
    uint32_t n = csr->n_vertices;
    if (order == CFLR_ORDER_SAMPLED) return cflri_csr_sampled_order(csr, vertex, made, error);
    uint32_t *number = cflri_alloc_array(csr->context, n, sizeof *number);
    if (!number) return cflri_fail_memory(csr->context, error);
    bool numbered = order == CFLR_ORDER_DEGREE ? cflri_csr_by_degree(csr, vertex)
                                               : by_search(csr, vertex, number);
    for (uint32_t i = 0; numbered && i < n; i++) number[vertex[i]] = i;
    cflr_status st = numbered ? cflri_csr_remake(csr, number, false, made, error)
                              : cflri_fail_memory(csr->context, error);
    cflri_free(csr->context, number);
    return st;
}

cflr_status cflr_csr_reorder(const cflr_csr *csr, cflr_order order, cflr_csr **made,
                             uint32_t *vertex, cflr_error *error) {
    *made = NULL;
    if ((unsigned)order >= ORDERS)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "there is no order %d", (int)order);
    cflr_status st = cflri_csr_need_rows(csr, error);
    if (st == CFLR_OK) st = reorder(csr, order, made, vertex, error);
    if (st == CFLR_OK) st = cflri_csr_copy_names(csr, vertex, *made, error);
    if (st == CFLR_OK) return st;
    cflr_csr_free(*made);
    *made = NULL;
    return st;
}
