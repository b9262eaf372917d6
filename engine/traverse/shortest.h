/* SPDX-License-Identifier: Apache-2.0
 *
 * shortest.h: how many paths of fewest hops lead from a source to each vertex (SSNSP), and how much
 * of those between all vertices lead through each (BC).
 *
 *     level   0      1      2      paths(v)  = sum of paths(u) over u -> v from the level before
 *             s ---> a ---> c      share(v)  = paths(v) * sum of (1 + share(w)) / paths(w)
 *               \--> b --/                     over v -> w to the next level
 *
 * A search by levels comes first (bfs.h), which leaves the vertices in order of their levels. Then
 * each level gathers from the one before, and for BC backwards from the one behind. No level has to
 * be looked up for that: numbers are 0 until their level has been done, an edge can lead at most
 * one level on, and levels write into two columns in turns, so that what a level writes is not what
 * it reads. So each edge costs one number of 64 bits each way, and no two threads write one
 * element.
 *
 * O(n + m) a source. SSNSP counts up to 2^64 - 1 and stops there. BC counts in float64, and from
 * the first level on where that is not enough with exponents of 24 bits (wide.h), which takes two
 * to three times as long; on its way back it changes over at the same level.
 *
 * Source: U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical
 * Sociology 2001.
 */
#ifndef CFLRI_SHORTEST_H
#define CFLRI_SHORTEST_H

#include "engine/traverse/bfs.h"
#include "engine/traverse/wide.h"

typedef struct shortest {
    bfs search;
    uint64_t *paths, *odd_paths; /* by vertex; of levels 0, 2, 4 ..., and of 1, 3, 5 ... */
    uint64_t *part, *odd_part;   /* BC: (1 + share) / paths, in the same way */
    uint64_t *begin; /* of each level in the order; as many as there are levels, and one */
    double *centrality;
    const uint64_t *from; /* of the level that is looked at: its column of what is gathered */
    uint64_t *to,
        *own; /* of the level that is being done: that of what comes out; its numbers of paths */
    uint64_t wide; /* the first level whose numbers are wide */
    uint32_t source;
} shortest;

/* How numbers of paths are written into 64 bits. */
typedef enum shortest_kind { SHORTEST_COUNT, SHORTEST_REAL, SHORTEST_WIDE } shortest_kind;

/* The bits of 2^900 as float64: what is larger has no exact reciprocal, or is endless. */
#define SHORTEST_MOST UINT64_C(0x7830000000000000)

enum { SHORTEST_ENDLESS }; /* sums: numbers of paths that are too large for float64 */

CFLRI_FUNCTOR void shortest_forget(cflri_step_tally *tally, void *task, uint32_t v) {
    shortest *s = (shortest *)task;
    (void)tally;
    s->paths[v] = s->odd_paths[v] = 0;
    if (s->part) s->part[v] = s->odd_part[v] = 0;
}

CFLRI_FUNCTOR uint64_t shortest_of_edge(void *task, uint32_t v, uint32_t from,
                                        cflri_row_edge edge) {
    (void)v, (void)edge;
    return ((shortest *)task)->from[from];
}

CFLRI_FUNCTOR cflri_list shortest_level(const shortest *s, uint64_t level) {
    cflri_list list;
    list.at = s->search.list + s->begin[level];
    list.n = s->begin[level + 1] - s->begin[level];
    return list;
}

/* ---- numbers of paths ---- */

CFLRI_FUNCTOR uint64_t shortest_add(uint64_t a, uint64_t b) {
    return a + b < a ? UINT64_MAX : a + b;
}

CFLRI_FUNCTOR uint64_t shortest_add_real(uint64_t a, uint64_t b) {
    return cflri_bits_of_double(cflri_double_of_bits(a) + cflri_double_of_bits(b));
}

CFLRI_FUNCTOR void shortest_put_paths(cflri_step_tally *tally, void *task, uint32_t v,
                                      uint64_t paths) {
    ((shortest *)task)->to[v] = paths;
    tally->sum[SHORTEST_ENDLESS] += paths > SHORTEST_MOST;
}

/* The search; afterwards levels are known. */
CFLRI_DRIVER shortest_search(CFLRI_TEAM *m, shortest *s) {
    bfs_state b;
    s->search.task.source = &s->source;
    s->search.keeps_order = true;
    bfs_begin(m, &s->search, &b);
    if (cflri_is_first(m)) s->begin[0] = 0;
    while (b.found && !m->stop) {
        if (cflri_is_first(m)) s->begin[s->search.depth + 1] = b.reached;
        b.left = b.left > b.edges ? b.left - b.edges : 0;
        bfs_turn(m, &s->search, &b);
        bfs_step(m, &s->search, &b, false);
    }
}

/* The column that has the numbers of this level. */
CFLRI_FUNCTOR uint64_t *shortest_of_level(uint64_t *even, uint64_t *odd, uint64_t level) {
    return level % 2 ? odd : even;
}

CFLRI_DRIVER shortest_count_level(CFLRI_TEAM *m, shortest *s, uint64_t level, shortest_kind kind) {
    const cflri_rows *back = &s->search.task.in;
    cflri_list list = shortest_level(s, level);
    s->from = shortest_of_level(s->paths, s->odd_paths, level - 1);
    s->to = shortest_of_level(s->paths, s->odd_paths, level);
    if (kind == SHORTEST_COUNT)
        cflri_gather_of(m, back, list, s, 0, shortest_of_edge, shortest_add, shortest_put_paths);
    else if (kind == SHORTEST_REAL)
        cflri_gather_of(m, back, list, s, 0, shortest_of_edge, shortest_add_real,
                        shortest_put_paths);
    else
        cflri_gather_of(m, back, list, s, 0, shortest_of_edge, cflri_wide_add, shortest_put_paths);
}

CFLRI_FUNCTOR void shortest_widen(cflri_step_tally *tally, void *task, uint32_t v) {
    uint64_t *to = ((shortest *)task)->to;
    (void)tally;
    to[v] = cflri_wide_of(cflri_double_of_bits(to[v]), 0);
}

CFLRI_FUNCTOR void shortest_narrow(cflri_step_tally *tally, void *task, uint32_t v) {
    uint64_t *to = ((shortest *)task)->to;
    (void)tally;
    to[v] = cflri_bits_of_double(cflri_wide_product(to[v], cflri_wide_of(1, 0)));
}

/* The level did not fit into float64: from here on numbers are wide, those that it gathers as
 * well. */
CFLRI_DRIVER shortest_go_wide(CFLRI_TEAM *m, shortest *s, uint64_t level) {
    s->wide = level;
    s->to = shortest_of_level(s->paths, s->odd_paths, level - 1);
    cflri_each_of(m, shortest_level(s, level - 1), s, shortest_widen);
    shortest_count_level(m, s, level, SHORTEST_WIDE);
}

/* As counts, or as what float64 or else wide numbers are enough for. */
CFLRI_DRIVER shortest_count(CFLRI_TEAM *m, shortest *s, shortest_kind kind) {
    uint64_t one = kind == SHORTEST_COUNT ? 1 : cflri_bits_of_double(1);
    cflri_each(m, s->search.task.out.n, s, shortest_forget);
    if (cflri_is_first(m)) s->paths[s->source] = one;
    cflri_step_end(m);
    s->wide = UINT64_MAX;
    for (uint64_t level = 1; level < s->search.depth && !m->stop; level++) {
        shortest_count_level(m, s, level, kind);
        if (kind == SHORTEST_REAL && m->total[SHORTEST_ENDLESS]) {
            kind = SHORTEST_WIDE;
            shortest_go_wide(m, s, level);
        }
    }
}

/* A vertex is in one of the columns. */
CFLRI_FUNCTOR void shortest_unite(cflri_step_tally *tally, void *task, uint32_t v) {
    shortest *s = (shortest *)task;
    (void)tally;
    s->paths[v] += s->odd_paths[v];
}

CFLRI_DRIVER ssnsp_run(CFLRI_TEAM *m, shortest *s) {
    s->source = s->search.task.source[0];
    shortest_search(m, s);
    shortest_count(m, s, SHORTEST_COUNT);
    cflri_each(m, s->search.task.out.n, s, shortest_unite);
    if (cflri_is_first(m)) {
        s->search.task.outcome->iterations = s->search.depth;
        s->search.task.outcome->count = s->begin[s->search.depth];
    }
}

/* ---- shares of paths ---- */

CFLRI_FUNCTOR void shortest_put_share(cflri_step_tally *tally, void *task, uint32_t v,
                                      uint64_t parts) {
    shortest *s = (shortest *)task;
    double paths = cflri_double_of_bits(s->own[v]), share = paths * cflri_double_of_bits(parts);
    (void)tally;
    if (v != s->source) s->centrality[v] += share;
    s->to[v] = cflri_bits_of_double((1 + share) / paths);
}

CFLRI_FUNCTOR void shortest_put_share_wide(cflri_step_tally *tally, void *task, uint32_t v,
                                           uint64_t parts) {
    shortest *s = (shortest *)task;
    double share = cflri_wide_product(s->own[v], parts);
    (void)tally;
    if (v != s->source) s->centrality[v] += share;
    s->to[v] = cflri_wide_quotient(1 + share, s->own[v]);
}

/* What the last level before the wide ones reads fits into float64: the reciprocals of numbers that
 * just did not. */
CFLRI_DRIVER shortest_leave_wide(CFLRI_TEAM *m, shortest *s, uint64_t level) {
    s->to = shortest_of_level(s->paths, s->odd_paths, level);
    cflri_each_of(m, shortest_level(s, level), s, shortest_narrow);
    s->to = shortest_of_level(s->part, s->odd_part, level + 1);
    cflri_each_of(m, shortest_level(s, level + 1), s, shortest_narrow);
}

CFLRI_DRIVER shortest_share_level(CFLRI_TEAM *m, shortest *s, uint64_t level) {
    const cflri_rows *rows = &s->search.task.out;
    cflri_list list = shortest_level(s, level);
    if (level + 1 == s->wide) shortest_leave_wide(m, s, level);
    s->from = shortest_of_level(s->part, s->odd_part, level + 1);
    s->to = shortest_of_level(s->part, s->odd_part, level);
    s->own = shortest_of_level(s->paths, s->odd_paths, level);
    if (level < s->wide)
        cflri_gather_of(m, rows, list, s, 0, shortest_of_edge, shortest_add_real,
                        shortest_put_share);
    else
        cflri_gather_of(m, rows, list, s, 0, shortest_of_edge, cflri_wide_add,
                        shortest_put_share_wide);
}

CFLRI_FUNCTOR void shortest_no_centrality(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((shortest *)task)->centrality[v] = 0;
}

CFLRI_DRIVER bc_run(CFLRI_TEAM *m, shortest *s) {
    const uint32_t *sources = s->search.task.source;
    uint64_t levels = 0;
    cflri_each(m, s->search.task.out.n, s, shortest_no_centrality);
    for (uint32_t i = 0; i < s->search.task.n_sources && !m->stop; i++) {
        s->source = sources[i];
        shortest_search(m, s);
        shortest_count(m, s, SHORTEST_REAL);
        for (uint64_t level = s->search.depth; level-- > 0 && !m->stop;)
            shortest_share_level(m, s, level);
        levels += s->search.depth;
    }
    if (cflri_is_first(m)) s->search.task.outcome->iterations = levels;
}

#endif
