/* SPDX-License-Identifier: Apache-2.0
 *
 * mentions.c: the table that finds a vertex by the place where it is spelled.
 *
 * All lines of all files are thought of as one row, file after file, and the row is cut into equal
 * buckets, a quarter as many as there are mentions:
 *
 *     file 3             file 7                   first line of a file in the row: 0, 40
 *     [ 1 ... 40 ]       [ 1 ................ 900 ]
 *     bucket 0           1         2         3
 *
 * Mentions are counted by buckets, and then each is placed where its bucket begins.
 *
 * A bucket of real code holds a handful, which insertion sorts; a larger one, such as that of a
 * macro that fills a line, is merged from below, and two neighbours whose ends fit are copied
 * without a comparison. O(n) for real code, O(n log n) at worst.
 */
#include <assert.h>
#include <string.h>

#include "base/graph/graph.h"
#include "base/ids.h"

enum { BLOCK = 16, MENTIONS_A_BUCKET = 4 };

static int compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static uint64_t joined(uint32_t high, uint32_t low) {
    return (uint64_t)high << 32 | low;
}

/* Static, so that sorting has it in line. */
static int order_of(const cflri_mention *a, const cflri_mention *b) {
    int order = compare(joined(a->file, a->line), joined(b->file, b->line));
    if (!order) order = compare(joined(a->name, a->column), joined(b->name, b->column));
    return order ? order : compare(a->vertex, b->vertex);
}

int cflri_mention_compare(const cflri_mention *a, const cflri_mention *b) {
    return order_of(a, b);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void sort_block(cflri_mention *m, uint64_t n) {
    for (uint64_t i = 1; i < n; i++) {
        cflri_mention moved = m[i];
        uint64_t at = i;
        for (; at > 0 && order_of(&m[at - 1], &moved) > 0; at--) m[at] = m[at - 1];
        m[at] = moved;
    }
}

/* Merges from[0 .. middle) and from[middle .. n) into `to`. */
static void merge(const cflri_mention *from, uint64_t middle, uint64_t n, cflri_mention *to) {
    if (middle == n || order_of(&from[middle - 1], &from[middle]) <= 0) {
        memcpy(to, from, n * sizeof *to);
        return;
    }
    uint64_t left = 0, right = middle;
    for (uint64_t i = 0; i < n; i++) {
        bool take_left = right == n || (left < middle && order_of(&from[left], &from[right]) <= 0);
        to[i] = from[take_left ? left++ : right++];
    }
}

/* Returns where the sorted mentions are: one of the two arrays. */
static cflri_mention *merge_all(cflri_mention *from, cflri_mention *to, uint64_t n) {
    for (uint64_t at = 0; at < n; at += BLOCK) sort_block(from + at, smaller(BLOCK, n - at));
    for (uint64_t width = BLOCK; width < n; width *= 2) {
        for (uint64_t at = 0; at < n; at += 2 * width) {
            uint64_t here = smaller(2 * width, n - at);
            merge(from + at, smaller(width, here), here, to + at);
        }
        cflri_mention *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static uint64_t drop_duplicates(cflri_mention *m, uint64_t n) {
    uint64_t kept = n > 0;
    for (uint64_t i = 1; i < n; i++) {
        if (order_of(&m[i], &m[kept - 1]) != 0) m[kept++] = m[i];
    }
    return kept;
}

/* ---- buckets ---- */

/* The row of all lines. Numbers of lines are 32 bits, and so are those of files, so positions fit
 * in 64. */
typedef struct row {
    uint64_t *first; /* by file; of `n_files` + 1 */
    uint64_t n_files;
    unsigned shift; /* a bucket is 2^shift lines */
    uint64_t n_buckets;
} row;

static uint64_t bucket_of(const row *r, const cflri_mention *m) {
    return (r->first[m->file] + m->line) >> r->shift;
}

/* False when memory is refused. */
static bool make_row(cflr_context *context, row *r, const cflri_mention *m, uint64_t n) {
    uint32_t last = 0;
    for (uint64_t i = 0; i < n; i++) last = m[i].file > last ? m[i].file : last;
    r->n_files = (uint64_t)last + 1;
    r->first = cflri_alloc_array_zero(context, r->n_files + 1, sizeof *r->first);
    if (!r->first) return false;
    uint64_t *lines = r->first + 1; /* at first the number of lines, counted from 0, of each file */
    for (uint64_t i = 0; i < n; i++)
        if (lines[m[i].file] <= m[i].line) lines[m[i].file] = (uint64_t)m[i].line + 1;
    for (uint64_t f = 0; f < r->n_files; f++) r->first[f + 1] += r->first[f];
    while (r->first[r->n_files] >> r->shift > n / MENTIONS_A_BUCKET) r->shift++;
    r->n_buckets = (r->first[r->n_files] >> r->shift) + 1;
    return true;
}

/* Puts the mentions into `to`, bucket after bucket; then start[b] is where bucket b ends. */
static void spread(const row *r, const cflri_mention *from, uint64_t n, cflri_mention *to,
                   uint64_t *start) {
    for (uint64_t i = 0; i < n; i++) start[bucket_of(r, &from[i])]++;
    uint64_t before = 0;
    for (uint64_t b = 0; b < r->n_buckets; b++) {
        uint64_t count = start[b];
        start[b] = before;
        before += count;
    }
    for (uint64_t i = 0; i < n; i++) to[start[bucket_of(r, &from[i])]++] = from[i];
}

/* Sorts the mentions of each bucket of `from`, which end at end[b], into `to`. */
static void sort_buckets(const row *r, cflri_mention *from, cflri_mention *to,
                         const uint64_t *end) {
    for (uint64_t b = 0, at = 0; b < r->n_buckets; at = end[b++]) {
        uint64_t here = end[b] - at;
        if (here == 0) continue;
        const cflri_mention *sorted = merge_all(from + at, to + at, here);
        if (sorted != to + at) memcpy(to + at, sorted, here * sizeof *to);
    }
}

cflr_status cflri_mentions_sort(cflr_context *context, cflri_mention *mentions, uint64_t *n,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    row r = {0};
    uint64_t *start = NULL;
    cflri_mention *scratch = cflri_alloc_array(context, *n, sizeof *scratch);
    if (scratch && make_row(context, &r, mentions, *n))
        start = cflri_alloc_array_zero(context, r.n_buckets, sizeof *start);
    if (start) {
        spread(&r, mentions, *n, scratch, start);
        sort_buckets(&r, scratch, mentions, start);
        *n = drop_duplicates(mentions, *n);
    } else {
        st = cflri_fail_memory(context, error);
    }
    cflri_free(context, start);
    cflri_free(context, r.first);
    cflri_free(context, scratch);
    return st;
}

/* The first mention that is not before (file, line). */
static uint64_t first_from(const cflr_graph *graph, uint32_t file, uint64_t line) {
    const cflri_mention *m = graph->mention;
    uint64_t i;
    CFLRI_BISECT(i, 0, graph->n_mentions,
                 m[i].file < file || (m[i].file == file && m[i].line < line));
    return i;
}

const cflri_mention *cflri_mentions_of_line(const cflr_graph *graph, uint32_t file, uint32_t line,
                                            uint64_t *count) {
    uint64_t first = first_from(graph, file, line);
    *count = first_from(graph, file, (uint64_t)line + 1) - first;
    return *count ? graph->mention + first : NULL;
}

bool cflr_graph_common_line(const cflr_graph *graph, uint32_t first, uint32_t second,
                            cflr_mention *at) {
    bool met = false;
    const cflri_mention *other = NULL;
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        const cflri_mention *m = &graph->mention[i];
        bool same = i > 0 && m->file == m[-1].file && m->line == m[-1].line;
        if (!same) {
            met = false;
            other = NULL;
        }
        met |= m->vertex == first;
        if (m->vertex == second && !other) other = m;
        if (!met || !other) continue;
        *at = (cflr_mention){.file = cflri_string(&graph->strings, other->file),
                             .line = other->line,
                             .column = other->column,
                             .name = cflri_string(&graph->strings, other->name)};
        return true;
    }
    return false;
}
