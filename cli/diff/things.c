/* SPDX-License-Identifier: Apache-2.0
 *
 * things.c: vertices of two graphs are matched by what does not change when lines move: the file
 * (files.c), the function, the kind and the spelling.
 *
 *     key                                  lines in OLD    in NEW
 *     list.c, main, variable, got          17              17         one thing
 *     list.c, main, temporary, malloc()    20, 31          22, 25, 33
 *
 * Of several with one key, each place is a thing. When there are as many in both, they are the same
 * in their order. Otherwise code was added or taken away between them: those at the beginning that
 * have moved by as many lines as the first one are the same, and those at the end that have moved
 * as the last one, the longer of the two runs first; between the runs they are matched in their
 * order, as far as they go:
 *
 *     20, 31   22, 25, 33       31 and 33 have moved by 2, and so have 20 and 22; 25 is new
 *
 * Vertices with one key and one place are one thing: versions of a local, and copies for contexts,
 * which are named by lines, and by what another option makes of them.
 *
 * Texts become numbers once, so that keys are compared as numbers. O(vertices log vertices).
 */
#include "cli/diff/things.h"

#include <stdlib.h>
#include <string.h>

#include "cli/diff/files.h"

/* ---- keys ---- */

typedef struct keyed {
    uint32_t key[4]; /* file, function, kind, spelling */
    uint32_t line, column, vertex;
} keyed;

typedef struct side {
    const cflr_graph *graph;
    json_t *file_numbers;
    file_list files;
    keyed *list;
    size_t n;
    uint32_t *thing; /* by vertex */
} side;

/* Texts as numbers, in order of their first appearance. False when memory is refused. */
static bool number_text(json_t *texts, const char *text, uint32_t *number) {
    const json_t *known = json_object_get(texts, text);
    *number = known ? (uint32_t)json_integer_value(known) : (uint32_t)json_object_size(texts);
    return known || json_object_set_new_nocheck(texts, text, json_integer(*number)) == 0;
}

static bool has_name(const cflr_vertex_info *info) {
    return info->name[0] || info->file[0] || info->kind == CFLR_VERTEX_OUTSIDE;
}

static bool add_vertex(side *s, json_t *texts, uint32_t vertex) {
    cflr_vertex_info info;
    keyed *k = &s->list[s->n];
    cflr_graph_vertex(s->graph, vertex, &info);
    if (!has_name(&info)) return true;
    k->key[2] = (uint32_t)info.kind;
    k->line = info.line;
    k->column = info.column;
    k->vertex = vertex;
    s->n++;
    return number_text(s->file_numbers, info.file, &k->key[0]) &&
           number_text(texts, info.function, &k->key[1]) &&
           number_text(texts, info.name, &k->key[3]);
}

/* Lists the files of a side in the order of their numbers. */
static bool list_files(side *s) {
    const char *path;
    json_t *number;
    size_t n = json_object_size(s->file_numbers);
    s->files.path = calloc(n + 1, sizeof *s->files.path);
    s->files.number = calloc(n + 1, sizeof *s->files.number);
    s->files.n = n;
    if (!s->files.path || !s->files.number) return false;
    json_object_foreach(s->file_numbers, path, number) {
        s->files.path[json_integer_value(number)] = path;
    }
    return true;
}

static bool read_side(side *s, json_t *texts, const cflr_graph *graph) {
    uint32_t n = cflr_graph_vertices(graph);
    s->graph = graph;
    s->file_numbers = json_object();
    s->list = malloc(((size_t)n + 1) * sizeof *s->list);
    s->thing = malloc(((size_t)n + 1) * sizeof *s->thing);
    if (!s->file_numbers || !s->list || !s->thing) return false;
    for (uint32_t v = 0; v < n; v++) {
        s->thing[v] = NO_THING;
        if (!add_vertex(s, texts, v)) return false;
    }
    return list_files(s);
}

static void free_side(side *s) {
    json_decref(s->file_numbers);
    free(s->files.path);
    free(s->files.number);
    free(s->list);
    free(s->thing);
}

/* ---- order ---- */

static int compare_keys(const keyed *a, const keyed *b) {
    for (size_t i = 0; i < sizeof a->key / sizeof *a->key; i++)
        if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_keyed(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    int order = compare_keys(x, y);
    if (!order) order = compare_numbers(x->line, y->line);
    if (!order) order = compare_numbers(x->column, y->column);
    return order ? order : compare_numbers(x->vertex, y->vertex);
}

static void sort_side(side *s) {
    for (size_t i = 0; i < s->n; i++) s->list[i].key[0] = s->files.number[s->list[i].key[0]];
    qsort(s->list, s->n, sizeof *s->list, compare_keyed);
}

/* ---- places of one key ---- */

/* Where places of one key begin in the list; [n] is the end. */
typedef struct places {
    size_t *begin;
    size_t n, capacity;
} places;

static bool is_same_place(const keyed *a, const keyed *b) {
    return a->line == b->line && a->column == b->column;
}

/* Those from list[at] on; *end is behind the last one. False when memory is refused. */
static bool find_places(const side *s, size_t at, size_t *end, places *p) {
    const keyed *list = s->list;
    p->n = 0;
    size_t i = at;
    for (; i < s->n && compare_keys(&list[i], &list[at]) == 0; i++) {
        if (i > at && is_same_place(&list[i], &list[i - 1])) continue;
        if (!make_room(&p->begin, &p->capacity, p->n + 1, sizeof *p->begin)) return false;
        p->begin[p->n++] = i;
    }
    *end = p->begin[p->n] = i;
    return true;
}

static void name_place(side *s, const places *p, size_t place, uint32_t thing) {
    for (size_t i = p->begin[place]; i < p->begin[place + 1]; i++)
        s->thing[s->list[i].vertex] = thing;
}

/* How far a place of NEW has moved. */
static int64_t moved(const side s[SIDES], const places p[SIDES], size_t old, size_t new) {
    return (int64_t)s[NEW].list[p[NEW].begin[new]].line - s[OLD].list[p[OLD].begin[old]].line;
}

/* How many at the beginning have moved alike; with `back`, at the end. */
static size_t count_alike(const side s[SIDES], const places p[SIDES], bool back) {
    size_t a = p[OLD].n, b = p[NEW].n, most = a < b ? a : b, n = 0;
    int64_t by = 0;
    for (; n < most; n++) {
        int64_t now = back ? moved(s, p, a - 1 - n, b - 1 - n) : moved(s, p, n, n);
        if (n == 0) by = now;
        if (now != by) break;
    }
    return n;
}

/* Gives numbers to all things of a key that both have, or one. */
static void name_group(side s[SIDES], const places p[SIDES], uint32_t *next) {
    size_t a = p[OLD].n, b = p[NEW].n, most = a < b ? a : b;
    size_t back = 0;
    if (a != b && most > 0) {
        size_t front = count_alike(s, p, false);
        back = count_alike(s, p, true);
        if (front >= back && back > most - front) back = most - front;
    }
    size_t together = most - back; /* those in front, and between the runs in their order */
    for (size_t i = 0; i < most; i++) {
        size_t old = i < together ? i : a - (most - i), new = i < together ? i : b - (most - i);
        name_place(&s[OLD], &p[OLD], old, *next);
        name_place(&s[NEW], &p[NEW], new, (*next)++);
    }
    for (size_t i = together; i < a - back; i++) name_place(&s[OLD], &p[OLD], i, (*next)++);
    for (size_t i = together; i < b - back; i++) name_place(&s[NEW], &p[NEW], i, (*next)++);
}

/* Goes over the keys of both in their order. False when memory is refused. */
static bool name_things(side s[SIDES], uint32_t *next) {
    places p[SIDES] = {{0}};
    size_t at[SIDES] = {0, 0};
    bool good = true;
    while (good && (at[OLD] < s[OLD].n || at[NEW] < s[NEW].n)) {
        int order = at[OLD] == s[OLD].n ? 1
                    : at[NEW] == s[NEW].n
                        ? -1
                        : compare_keys(&s[OLD].list[at[OLD]], &s[NEW].list[at[NEW]]);
        p[OLD].n = p[NEW].n = 0;
        if (order <= 0) good = find_places(&s[OLD], at[OLD], &at[OLD], &p[OLD]);
        if (order >= 0) good = good && find_places(&s[NEW], at[NEW], &at[NEW], &p[NEW]);
        if (good) name_group(s, p, next);
    }
    free(p[OLD].begin);
    free(p[NEW].begin);
    return good;
}

/* ---- graphs without names ---- */

static bool same_rows(const cflr_graph *a, const cflr_graph *b, uint32_t label) {
    cflr_graph_rows x, y;
    uint32_t other =
        cflr_graph_find_label(b, cflr_graph_label_name(a, label), cflr_graph_label_index(a, label));
    if (other == CFLR_NO_LABEL) return false;
    cflr_graph_get_rows(a, label, CFLR_OUT, &x);
    cflr_graph_get_rows(b, other, CFLR_OUT, &y);
    if (x.n_rows != y.n_rows) return false;
    if (x.n_rows == 0) return true;
    return memcmp(x.vertex, y.vertex, x.n_rows * sizeof *x.vertex) == 0 &&
           memcmp(x.start, y.start, (x.n_rows + 1) * sizeof *x.start) == 0 &&
           memcmp(x.target, y.target, x.start[x.n_rows] * sizeof *x.target) == 0;
}

static bool same_graphs(const cflr_graph *a, const cflr_graph *b) {
    bool same = cflr_graph_vertices(a) == cflr_graph_vertices(b) &&
                cflr_graph_labels(a) == cflr_graph_labels(b);
    for (uint32_t label = 0; same && label < cflr_graph_labels(a); label++)
        same = same_rows(a, b, label);
    return same;
}

static int match_numbers(side s[SIDES], const char *const path[SIDES], uint32_t *next) {
    const char *without = path[s[OLD].n ? NEW : OLD];
    if (s[OLD].n || s[NEW].n) {
        complain(
            "%s: its vertices have no names, those of the other result have: what is the same "
            "in both is not known",
            shown(without));
        return EXIT_USAGE;
    }
    if (!same_graphs(s[OLD].graph, s[NEW].graph)) {
        complain(
            "%s: neither it nor %s has names of vertices, and their graphs differ: what is "
            "the same in both is not known",
            shown(path[NEW]), shown(path[OLD]));
        return EXIT_USAGE;
    }
    *next = cflr_graph_vertices(s[NEW].graph);
    for (uint32_t v = 0; v < *next; v++) s[OLD].thing[v] = s[NEW].thing[v] = v;
    return 0;
}

/* ---- both ---- */

/* The vertices by thing. */
static bool list_vertices(side *s, uint32_t n_things, side_things *to) {
    uint32_t n = cflr_graph_vertices(s->graph);
    to->graph = s->graph;
    to->thing = s->thing;
    s->thing = NULL;
    to->first = calloc((size_t)n_things + 2, sizeof *to->first);
    to->vertex = malloc(((size_t)n + 1) * sizeof *to->vertex);
    if (!to->first || !to->vertex) return false;
    for (uint32_t v = 0; v < n; v++)
        if (to->thing[v] != NO_THING) to->first[to->thing[v] + 2]++;
    for (uint32_t t = 0; t < n_things; t++) to->first[t + 2] += to->first[t + 1];
    for (uint32_t v = 0; v < n; v++)
        if (to->thing[v] != NO_THING) to->vertex[to->first[to->thing[v] + 1]++] = v;
    return true;
}

static int match_names(side s[SIDES], uint32_t *next) {
    int code = files_match(&s[OLD].files, &s[NEW].files);
    if (code) return code;
    sort_side(&s[OLD]);
    sort_side(&s[NEW]);
    return name_things(s, next) ? 0 : fail_memory();
}

int things_match(const cflr_graph *const graph[SIDES], const char *const path[SIDES], things *t) {
    side s[SIDES] = {{0}};
    int code = 0;
    json_t *texts = json_object();
    *t = (things){0};
    bool good =
        texts && read_side(&s[OLD], texts, graph[OLD]) && read_side(&s[NEW], texts, graph[NEW]);
    json_decref(texts);
    if (!good) code = fail_memory();
    if (!code) code = s[OLD].n && s[NEW].n ? match_names(s, &t->n) : match_numbers(s, path, &t->n);
    if (!code && !(list_vertices(&s[OLD], t->n, &t->side[OLD]) &&
                   list_vertices(&s[NEW], t->n, &t->side[NEW])))
        code = fail_memory();
    free_side(&s[OLD]);
    free_side(&s[NEW]);
    return code;
}

void things_free(things *t) {
    for (int i = 0; i < SIDES; i++) {
        free(t->side[i].thing);
        free(t->side[i].first);
        free(t->side[i].vertex);
    }
}
