/* SPDX-License-Identifier: Apache-2.0
 *
 * check_strong.c: strongly connected components by two searches.
 *
 *     0 -> 1 -> 2 -> 0    2 -> 3        forwards, vertices as they are left:      3 2 1 0
 *                                       backwards, from the last one that was left:  0 2 1 | 3
 *
 * A search along the edges puts each vertex into a list when all that it leads to is done. Searches
 * against the edges, from the end of that list, then find one component each: what is left of the
 * others has been taken before. O(n + m).
 *
 * Source: S. R. Kosaraju, 1978; M. Sharir, "A strong-connectivity algorithm and its applications in
 * data flow analysis", Computers and Mathematics with Applications 1981.
 */
#include "engine/traverse/check.h"

typedef struct searches {
    uint32_t *path;  /* of the search */
    uint64_t *next;  /* by vertex: the edge that it looks along next */
    uint32_t *left;  /* vertices as they were left */
    uint32_t *least; /* by vertex: the smallest of its component; UINT32_MAX before it is known */
    uint8_t *seen;
    uint32_t n_path, n_left;
} searches;

static void enter(searches *s, const cflr_csr *csr, uint32_t v) {
    s->seen[v] = 1;
    s->next[v] = csr->start[v];
    s->path[s->n_path++] = v;
}

static void search_forwards(searches *s, const cflr_csr *csr, uint32_t from) {
    enter(s, csr, from);
    while (s->n_path) {
        uint32_t v = s->path[s->n_path - 1];
        if (s->next[v] == csr->start[v + 1]) {
            s->left[s->n_left++] = s->path[--s->n_path];
            continue;
        }
        uint32_t to = csr->target[s->next[v]++];
        if (!s->seen[to]) enter(s, csr, to);
    }
}

static void take(searches *s, uint32_t v, uint32_t *least) {
    s->seen[v] = 0;
    if (v < *least) *least = v;
    s->path[s->n_path++] = v;
}

/* The component stays in `path`, from 0 on. */
static void search_backwards(searches *s, const cflr_csr *back, uint32_t from) {
    uint32_t least = from;
    s->n_path = 0;
    take(s, from, &least);
    for (uint32_t i = 0; i < s->n_path; i++) {
        uint32_t v = s->path[i];
        for (uint64_t e = back->start[v]; e < back->start[v + 1]; e++)
            if (s->seen[back->target[e]]) take(s, back->target[e], &least);
    }
    for (uint32_t i = 0; i < s->n_path; i++) s->least[s->path[i]] = least;
}

static cflr_status searches_new(cflri_check *c, searches *s) {
    uint64_t n = c->csr->n_vertices;
    s->path = cflri_alloc_array(c->context, n, sizeof *s->path);
    s->next = cflri_alloc_array(c->context, n, sizeof *s->next);
    s->left = cflri_alloc_array(c->context, n, sizeof *s->left);
    s->least = cflri_alloc_array(c->context, n, sizeof *s->least);
    s->seen = cflri_alloc_array_zero(c->context, n, sizeof *s->seen);
    return cflri_check_have(c, s->path && s->next && s->left && s->least && s->seen);
}

static cflr_status search(cflri_check *c, searches *s) {
    const cflr_csr *back, *csr = c->csr;
    cflr_status st = cflr_csr_reverse(c->t->csr, &back, c->error);
    if (st != CFLR_OK) return st;
    for (uint32_t v = 0; v < csr->n_vertices; v++)
        if (!s->seen[v]) search_forwards(s, csr, v);
    st = cflri_check_worked(c, csr->n_vertices + csr->n_edges);
    while (st == CFLR_OK && s->n_left) {
        uint32_t v = s->left[--s->n_left];
        if (s->seen[v]) search_backwards(s, back, v);
    }
    return st == CFLR_OK ? cflri_check_worked(c, csr->n_vertices + csr->n_edges) : st;
}

cflr_status cflri_check_SCC(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const uint32_t *component = cflri_check_column(c, "component").values;
    uint64_t components = 0;
    searches s = {.n_path = 0};
    CFLR_TRY(searches_new(c, &s));
    CFLR_TRY(search(c, &s));
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        components += s.least[v] == v;
        cflri_check_number(c, "component", v, component[v], s.least[v]);
    }
    cflri_check_count(c, "components", components);
out:
    cflri_free(c->context, s.path);
    cflri_free(c->context, s.next);
    cflri_free(c->context, s.left);
    cflri_free(c->context, s.least);
    cflri_free(c->context, s.seen);
    return st;
}
