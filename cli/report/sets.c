/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.c: the different sets of a relation, and which look has which.
 *
 * Vertices mostly share their sets (cflr_result_alike), so each different one is read once to see
 * what is in it, and once more when it is known which of its members look the same:
 *
 *     rows of the result     4 -> {7, 8, 9}    9 -> {7, 8, 9}    5 -> {7}
 *     things                 7 is 0    8 and 9 are 1
 *     sets                   0: {}    1: {0, 1}    2: {0}        look of 4 and 9: 1, of 5: 2
 *
 * A look of several vertices has all that any of them has. Time is linear in vertices and in the
 * members of different sets, but for sorting; memory as well.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

enum { CLOCK_EVERY = 256 /* sets between two looks at the clock */ };

typedef struct gathering {
    result_page *r;
    uint32_t n; /* vertices */
    uint32_t indexes;
    uint32_t *alike; /* of a vertex: the first one that is known to have the same row */
    uint32_t *set;   /* of a vertex that is the first of its kind; NONE: not known yet */
    bool *wanted;
    cflr_row row;
    uint32_t *list; /* members that are collected */
    size_t n_list, list_room;
    int code;
} gathering;

/* ---- members ---- */

static void collect(gathering *g, const uint32_t *ids, size_t n) {
    if (g->n_list + n > g->list_room) {
        size_t room = 2 * (g->n_list + n);
        uint32_t *grown = realloc(g->list, room * sizeof *grown);
        if (!grown) exit(fail_memory());
        g->list = grown;
        g->list_room = room;
    }
    if (n) memcpy(g->list + g->n_list, ids, n * sizeof *ids);
    g->n_list += n;
}

static int compare_ids(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static uint32_t add_set(gathering *g) {
    size_t kept = 0;
    if (g->n_list) qsort(g->list, g->n_list, sizeof *g->list, compare_ids);
    for (size_t i = 0; i < g->n_list; i++)
        if (!i || g->list[i] != g->list[kept - 1]) g->list[kept++] = g->list[i];
    return blocks_add(&g->r->sets, g->list, kept * sizeof *g->list);
}

/* Targets of a vertex, in all instances of the label. */
static void read_targets(gathering *g, uint32_t vertex) {
    g->n_list = 0;
    for (uint32_t i = 0; i < g->indexes; i++) {
        read_row(g->r->result, g->r->label, i, vertex, &g->row);
        collect(g, g->row.target, g->row.count);
    }
}

/* ---- what is wanted ---- */

static bool is_row(const result_page *r, uint32_t vertex, bool has_targets) {
    cflr_vertex_info info;
    cflr_graph_vertex(r->graph, vertex, &info);
    if (!r->points_to) return has_targets;
    if (rank_of(info.kind) == RANK_NO_ROW) return false;
    if (!cflr_result_covers(r->result, vertex, CFLR_NO_VERTEX)) return false;
    return has_targets || (is_variable(&info) && strchr(info.type, '*'));
}

/* Rows that are known to be alike, of a label with one instance. */
static int find_alike(gathering *g) {
    cflr_error error;
    g->alike = take_room(g->n, sizeof *g->alike);
    for (uint32_t v = 0; v < g->n; v++) g->alike[v] = v;
    if (g->indexes != 1) return 0;
    cflr_status st = cflr_result_alike(g->r->result, g->r->label, 0, NULL, g->n, g->alike, &error);
    return st == CFLR_OK ? 0 : fail(&error);
}

/* Is the time over, at the i-th of many things? */
static bool is_late(gathering *g, uint32_t i) {
    if (!g->code && i % CLOCK_EVERY == 0 && out_of_time())
        g->code = fail_out_of_time("the page is not written");
    return g->code;
}

/* Marks rows and their targets; rows[v] says which are rows. */
static void find_wanted(gathering *g, bool *rows) {
    for (uint32_t v = 0; v < g->n && !is_late(g, v); v++) {
        uint64_t count = 0;
        for (uint32_t i = 0; i < g->indexes; i++)
            count += cflr_result_count(g->r->result, g->r->label, i, v);
        rows[v] = is_row(g->r, v, count > 0);
        g->wanted[v] |= rows[v];
        if (!count || g->alike[v] != v) continue;
        read_targets(g, v);
        for (size_t i = 0; i < g->n_list; i++) g->wanted[g->list[i]] = true;
    }
}

/* ---- sets of looks ---- */

static uint32_t set_of_vertex(gathering *g, uint32_t vertex) {
    uint32_t first = g->alike[vertex];
    if (g->set[first] != NONE) return g->set[first];
    read_targets(g, first);
    for (size_t i = 0; i < g->n_list; i++) g->list[i] = g->r->looks.thing[g->list[i]];
    return g->set[first] = add_set(g);
}

/* What any of its vertices has. */
static uint32_t set_of_look(gathering *g, uint32_t look) {
    const looks *l = &g->r->looks;
    uint32_t begin = l->start[look], end = l->start[look + 1];
    uint32_t first = set_of_vertex(g, l->in[begin]);
    bool same = true;
    for (uint32_t i = begin + 1; i < end; i++) same &= set_of_vertex(g, l->in[i]) == first;
    if (same) return first;
    g->n_list = 0;
    for (uint32_t i = begin; i < end; i++) {
        size_t n;
        const uint32_t *ids = set_at(g->r, set_of_vertex(g, l->in[i]), &n);
        collect(g, ids, n);
    }
    return add_set(g);
}

static void find_sets(gathering *g, const bool *rows) {
    result_page *r = g->r;
    r->set = take_room(r->looks.n, sizeof *r->set);
    for (uint32_t look = 0; look < r->looks.n; look++) {
        bool any = false;
        for (uint32_t i = r->looks.start[look]; i < r->looks.start[look + 1]; i++)
            any |= rows[r->looks.in[i]];
        r->set[look] = any && !is_late(g, look) ? set_of_look(g, look) : NONE;
    }
}

int sets_find(result_page *r) {
    cflr_result_label info;
    cflr_result_get_label(r->result, r->label, &info);
    gathering g = {.r = r, .n = cflr_graph_vertices(r->graph), .indexes = info.indexes};
    bool *rows = take_room(g.n, sizeof *rows);
    g.wanted = take_room(g.n, sizeof *g.wanted);
    g.set = take_room(g.n, sizeof *g.set);
    memset(g.set, 0xff, g.n * sizeof *g.set);
    g.code = find_alike(&g);
    if (!g.code) find_wanted(&g, rows);
    if (!g.code) looks_find(r->graph, g.wanted, &r->looks);
    if (!g.code) find_sets(&g, rows);
    cflr_row_free(&g.row);
    free(rows);
    free(g.alike);
    free(g.wanted);
    free(g.set);
    free(g.list);
    return g.code;
}

const uint32_t *set_at(const result_page *r, uint32_t set, size_t *n) {
    const uint32_t *ids = blocks_at(&r->sets, set, n);
    *n /= sizeof *ids;
    return ids;
}

uint32_t vertex_of(const result_page *r, uint32_t look) {
    return r->looks.in[r->looks.start[look]];
}
