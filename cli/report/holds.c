/* SPDX-License-Identifier: Apache-2.0
 *
 * holds.c: what is stored where pointers lead to, as far as the program reads or writes it there.
 *
 *     p -d-> *p                      p leads to *p
 *     p -f[8]-> &p->next -d-> p->next        and to p->next
 *
 * What an object holds is what the pointers to it lead to. O(edges of d and f), and sorting.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

typedef struct step {
    uint32_t from, to; /* looks */
} step;

typedef struct steps {
    const result_page *r;
    step *at;
    size_t n, room;
} steps;

static bool has_row(const result_page *r, uint32_t vertex) {
    return r->looks.look[vertex] != NONE && r->set[r->looks.look[vertex]] != NONE;
}

/* From the pointer to what lies where `address`, a vertex, leads to. */
static void add_contents(steps *s, uint32_t pointer, uint32_t address) {
    uint64_t n;
    const uint32_t *content = edges_of(s->r->graph, "d", NULL, CFLR_OUT, address, &n);
    for (uint64_t i = 0; i < n; i++) {
        if (content[i] == pointer || !has_row(s->r, content[i])) continue;
        if (!make_room(&s->at, &s->room, s->n, sizeof *s->at)) exit(fail_memory());
        const uint32_t *look = s->r->looks.look;
        s->at[s->n++] = (step){look[pointer], look[content[i]]};
    }
}

/* All edges of a label `d`, or of one `f[n]`. */
static void walk_label(steps *s, uint32_t label, bool member) {
    uint64_t cursor = 0, n;
    uint32_t pointer;
    const uint32_t *to;
    while ((to = cflr_graph_next_row(s->r->graph, label, CFLR_OUT, &cursor, &pointer, &n))) {
        if (!has_row(s->r, pointer)) continue;
        for (uint64_t i = 0; member && i < n; i++) add_contents(s, pointer, to[i]);
        if (!member) add_contents(s, pointer, pointer);
    }
}

static int compare_steps(const void *x, const void *y) {
    const step *a = x, *b = y;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

void holds_find(result_page *r) {
    steps s = {.r = r};
    for (uint32_t i = 0; i < cflr_graph_labels(r->graph); i++) {
        const char *name = cflr_graph_label_name(r->graph, i);
        bool member = strcmp(name, "f") == 0;
        if (r->points_to && (member || strcmp(name, "d") == 0)) walk_label(&s, i, member);
    }
    if (s.n) qsort(s.at, s.n, sizeof *s.at, compare_steps);
    r->holds_at = take_room((size_t)r->looks.n + 1, sizeof *r->holds_at);
    r->holds = take_room(s.n, sizeof *r->holds);
    uint64_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (i && compare_steps(&s.at[i - 1], &s.at[i]) == 0) continue;
        r->holds[n++] = s.at[i].to;
        r->holds_at[s.at[i].from + 1] = n;
    }
    for (uint32_t look = 0; look < r->looks.n; look++)
        if (r->holds_at[look + 1] < r->holds_at[look]) r->holds_at[look + 1] = r->holds_at[look];
    free(s.at);
}
