/* SPDX-License-Identifier: Apache-2.0
 *
 * alignment.c: which line of a text is which line of an older one.
 *
 *     now   0 1 2 3 4 5 6        equal from the beginning (0 1) and from the end (5 6); between, a
 *           | |    /    | |      line that each text has once is an anchor (4 of now, 2 of then),
 *     then  0 1   2   3 4 5      and its neighbours belong together as long as they are equal
 *
 * Anchors that cross others are left out: of the rest the most are kept, by the longest ascending
 * subsequence. A line that is equal to another one by chance, as many are that hold a brace, has
 * its place by its neighbours only. A line without a partner counts as changed, so that an answer
 * is rather missing than about another line.
 */
#include "cli/serve/alignment.h"

#include <stdlib.h>
#include <string.h>

void alignment_free(alignment *a) {
    free(a->then);
    *a = (alignment){0};
}

size_t line_then(const alignment *a, size_t now) {
    return now < a->n ? a->then[now] : NO_LINE;
}

/* Lines that have partners ascend in both texts. O(lines). */
size_t line_now(const alignment *a, size_t then) {
    for (size_t i = 0; i < a->n; i++)
        if (a->then[i] == then) return i;
    return NO_LINE;
}

static bool same_line(piece a, piece b, bool narrow) {
    size_t i = 0, k = 0;
    if (!narrow) return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
    while (i < a.n && k < b.n)
        if (next_character(a, &i, true) != next_character(b, &k, true)) return false;
    return i == a.n && k == b.n;
}

/* FNV-1a of the characters. */
static uint64_t hash_line(piece line, bool narrow) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t at = 0; at < line.n;)
        hash = (hash ^ next_character(line, &at, narrow)) * UINT64_C(1099511628211);
    return hash;
}

/* ---- anchors ---- */

typedef struct hashed_line {
    uint64_t hash;
    size_t line;
    bool older;
} hashed_line;

typedef struct anchor {
    size_t now, then;
    size_t before; /* in the longest sequence that ends here: number of the anchor plus 1 */
} anchor;

static int compare_hashes(const void *left, const void *right) {
    const hashed_line *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return (a->older > b->older) - (a->older < b->older);
}

static int compare_anchors(const void *left, const void *right) {
    const anchor *a = left, *b = right;
    return (a->now > b->now) - (a->now < b->now);
}

/* The part of both texts that is not equal from the beginning or the end. */
typedef struct middle {
    lined_text *now, *then;
    size_t first, end_now, end_then;
} middle;

static void *allocate(size_t n, size_t size) {
    void *made = calloc(n + 1, size);
    if (!made) exit(fail_memory());
    return made;
}

/* Pairs of lines that each text has once. */
static size_t find_anchors(const middle *m, anchor *found) {
    size_t n = 0, n_found = 0, most = m->end_now - m->first + (m->end_then - m->first);
    bool narrow = m->then->narrow;
    hashed_line *all = allocate(most, sizeof *all);
    for (size_t i = m->first; i < m->end_now; i++)
        all[n++] = (hashed_line){hash_line(text_line(m->now, i), narrow), i, false};
    for (size_t i = m->first; i < m->end_then; i++)
        all[n++] = (hashed_line){hash_line(text_line(m->then, i), narrow), i, true};
    qsort(all, n, sizeof *all, compare_hashes);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end].hash == all[i].hash;) end++;
        bool pair = end - i == 2 && !all[i].older && all[i + 1].older;
        if (pair &&
            same_line(text_line(m->now, all[i].line), text_line(m->then, all[i + 1].line), narrow))
            found[n_found++] = (anchor){all[i].line, all[i + 1].line, 0};
    }
    free(all);
    qsort(found, n_found, sizeof *found, compare_anchors);
    return n_found;
}

/* Enters those of the longest sequence in which `then` ascends. O(n log n). */
static void keep_ascending(alignment *a, anchor *found, size_t n) {
    size_t length = 0, *last = allocate(n, sizeof *last); /* by length: the anchor that ends it */
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            size_t half = low + (high - low) / 2;
            if (found[last[half]].then < found[i].then)
                low = half + 1;
            else
                high = half;
        }
        found[i].before = low ? last[low - 1] + 1 : 0;
        last[low] = i;
        length += low == length;
    }
    for (size_t at = length ? last[length - 1] + 1 : 0; at; at = found[at - 1].before)
        a->then[found[at - 1].now] = found[at - 1].then;
    free(last);
}

/* ---- neighbours ---- */

/* Do both lines have no partner, and are they equal? */
static bool may_pair(const middle *m, size_t now, size_t then) {
    return now < m->end_now && then < m->end_then &&
           same_line(text_line(m->now, now), text_line(m->then, then), m->then->narrow);
}

static void extend(alignment *a, const middle *m) {
    size_t next = m->first; /* of then: behind the last partner */
    for (size_t i = m->first; i < m->end_now; i++) {
        bool behind = i > m->first && a->then[i - 1] != NO_LINE && a->then[i] == NO_LINE;
        if (behind && may_pair(m, i, next)) a->then[i] = next;
        if (a->then[i] != NO_LINE) next = a->then[i] + 1;
    }
    next = m->end_then;
    for (size_t i = m->end_now; i-- > m->first;) {
        bool before = i + 1 < m->end_now && a->then[i + 1] != NO_LINE && a->then[i] == NO_LINE;
        if (before && next > m->first && may_pair(m, i, next - 1)) a->then[i] = next - 1;
        if (a->then[i] != NO_LINE) next = a->then[i];
    }
}

/* A partner that an earlier line has, or that is before that, is none: both passes may have met. */
static void drop_crossing(alignment *a) {
    size_t next = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (a->then[i] == NO_LINE) continue;
        if (a->then[i] < next)
            a->then[i] = NO_LINE;
        else
            next = a->then[i] + 1;
    }
}

void alignment_make(alignment *a, lined_text *now, lined_text *then) {
    size_t n_now = text_lines(now), n_then = text_lines(then), first = 0, behind = 0;
    size_t least = n_now < n_then ? n_now : n_then;
    bool narrow = then->narrow;
    alignment_free(a);
    *a = (alignment){allocate(n_now, sizeof *a->then), n_now};
    while (first < least && same_line(text_line(now, first), text_line(then, first), narrow)) {
        a->then[first] = first;
        first++;
    }
    while (behind < least - first && same_line(text_line(now, n_now - behind - 1),
                                               text_line(then, n_then - behind - 1), narrow)) {
        behind++;
        a->then[n_now - behind] = n_then - behind;
    }
    const middle m = {now, then, first, n_now - behind, n_then - behind};
    for (size_t i = first; i < m.end_now; i++) a->then[i] = NO_LINE;
    anchor *found = allocate(m.end_now - first, sizeof *found);
    keep_ascending(a, found, find_anchors(&m, found));
    free(found);
    extend(a, &m);
    drop_crossing(a);
}
