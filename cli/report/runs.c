/* SPDX-License-Identifier: Apache-2.0
 *
 * runs.c: sets as few runs of numbers.
 *
 * Large sets of a program have most of their objects in common: what flows to one place that many
 * pointers read. Things that are in the very same sets get numbers in a row, so that a set is a few
 * runs however large it is:
 *
 *     thing      a  b  c  d  e         sets {a, c, d, e} {a, d, e} {b, c}
 *     in sets    01 2  02 01 01
 *     number     0  4  3  1  2         sets 0-3, 0-2, 3-4
 *
 * Which sets a thing is in is summed up by a hash; where two sums are equal by chance, runs are
 * longer than they might be, and no more. O(members of sets), and sorting.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

typedef struct membership {
    uint64_t sum;
    uint32_t sets, thing;
} membership;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

/* Those of many sets first. */
static int compare_memberships(const void *x, const void *y) {
    const membership *a = x, *b = y;
    if (a->sets != b->sets) return a->sets > b->sets ? -1 : 1;
    if (a->sum != b->sum) return a->sum < b->sum ? -1 : 1;
    return (a->thing > b->thing) - (a->thing < b->thing);
}

static membership *find_memberships(const result_page *r) {
    membership *all = take_room(r->looks.n_things, sizeof *all);
    for (uint32_t t = 0; t < r->looks.n_things; t++) all[t].thing = t;
    for (uint32_t set = 0; set < r->sets.n; set++) {
        size_t n;
        const uint32_t *ids = set_at(r, set, &n);
        for (size_t i = 0; i < n; i++) {
            all[ids[i]].sum += mix((uint64_t)set + 1);
            all[ids[i]].sets++;
        }
    }
    qsort(all, r->looks.n_things, sizeof *all, compare_memberships);
    return all;
}

static int compare_ids(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

void runs_make(result_page *r) {
    looks *l = &r->looks;
    membership *all = find_memberships(r);
    uint32_t *number = take_room(l->n_things, sizeof *number);
    uint32_t *first = take_room(l->n_things, sizeof *first);
    for (uint32_t i = 0; i < l->n_things; i++) {
        number[all[i].thing] = i;
        first[i] = l->first[all[i].thing];
    }
    free(all);
    free(l->first);
    l->first = first;
    for (uint32_t v = 0; v < cflr_graph_vertices(r->graph); v++)
        if (l->thing[v] != NONE) l->thing[v] = number[l->thing[v]];
    for (uint32_t set = 0; set < r->sets.n; set++) {
        size_t n;
        uint32_t *ids = blocks_at(&r->sets, set, &n);
        n /= sizeof *ids;
        for (size_t i = 0; i < n; i++) ids[i] = number[ids[i]];
        if (n) qsort(ids, n, sizeof *ids, compare_ids);
    }
    free(number);
}

void runs_of(const result_page *r, uint32_t set, const uint32_t *object, run_taken *take,
             void *user) {
    size_t n;
    const uint32_t *ids = set_at(r, set, &n);
    uint32_t end = 0; /* behind the run before */
    for (size_t i = 0, next; i < n; i = next) {
        uint32_t begin = object ? object[ids[i]] : ids[i], length = 1;
        for (next = i + 1; next < n && ids[next] == ids[next - 1] + 1; next++) length++;
        take(user, begin - end, length);
        end = begin + length;
    }
}
