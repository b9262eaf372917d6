/* SPDX-License-Identifier: Apache-2.0
 *
 * mentions.c: the table that finds a vertex by the place where it is spelled.
 *
 * Mentions come file by file and mostly line by line, so runs of them are in order already. A merge
 * sort from below takes this in: blocks of 16 are sorted by insertion, and two neighbours whose
 * ends fit are copied without a comparison. O(n log n) at worst, O(n) for each doubling when in
 * order.
 */
#include <assert.h>
#include <string.h>

#include "base/graph.h"

enum { BLOCK = 16 };

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

cflr_status cflri_mentions_sort(cflr_context *context, cflri_mention *mentions, uint64_t *n,
                                cflr_error *error) {
    cflri_mention *scratch = cflri_alloc_array(context, *n, sizeof *scratch);
    if (!scratch) return cflri_fail_memory(context, error);
    const cflri_mention *sorted = merge_all(mentions, scratch, *n);
    if (sorted == scratch) memcpy(mentions, scratch, *n * sizeof *scratch);
    cflri_free(context, scratch);
    *n = drop_duplicates(mentions, *n);
    return CFLR_OK;
}

/* The first mention that is not before (file, line). */
static uint64_t first_from(const cflr_graph *graph, uint32_t file, uint64_t line) {
    uint64_t low = 0, high = graph->n_mentions;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const cflri_mention *m = &graph->mention[middle];
        if (m->file < file || (m->file == file && m->line < line)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const cflri_mention *cflri_mentions_of_line(const cflr_graph *graph, uint32_t file, uint32_t line,
                                            uint64_t *count) {
    uint64_t first = first_from(graph, file, line);
    *count = first_from(graph, file, (uint64_t)line + 1) - first;
    return *count ? graph->mention + first : NULL;
}
