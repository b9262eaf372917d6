/* SPDX-License-Identifier: Apache-2.0
 *
 * shown.c: which aliases of a result are worth a reader's time.
 *
 * A pointer that may point to a thousand objects aliases everything and tells nothing. So pointers
 * are ranked by how many objects they may point to, the fewest first, those to unknown ones and to
 * none left out:
 *
 *     rank       1          2           3                     shown:    got  text
 *     pointer    got {a}    text {a}    item {a, b, c}                  item got
 *
 * From the first rank on, each pointer is shown with one partner behind it: in another file, if
 * there is one, and of the best rank. O(pointers log pointers) and the rows of those that are
 * looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/analyze/shown.h"

#include "cli/answer/loading.h"
#include "cli/names/names.h"

enum { FEW = 16, NAME_SIZE = 512 };

typedef struct ranked {
    uint32_t vertex;
    uint64_t objects;
} ranked;

typedef struct ranking {
    const cflr_result *result;
    const cflr_graph *graph;
    ranked *pointer; /* by rank */
    size_t n;
    uint32_t *rank; /* by vertex, from 1; 0: not ranked */
} ranking;

/* Of what was installed, and is no code of the reader's. */
static bool is_installed(const char *file) {
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(file, folders[i], strlen(folders[i])) == 0) return true;
    return false;
}

/* A pointer that a reader of the source would name. */
static bool worth_showing(const cflr_vertex_info *info) {
    bool named = is_variable(info) || info->kind == CFLR_VERTEX_DEREFERENCE;
    return named && info->line && info->name[0] && strchr(info->type, '*') &&
           !is_installed(info->file);
}

static bool is_known(const cflr_graph *graph, uint32_t object) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, object, &info);
    return info.kind != CFLR_VERTEX_UNKNOWN && info.kind != CFLR_VERTEX_LOST &&
           info.kind != CFLR_VERTEX_OUTSIDE;
}

static bool are_known(const ranking *r, uint32_t points_to, uint32_t i, uint32_t vertex) {
    cflr_row row = {0};
    bool known = true;
    read_row(r->result, points_to, i, vertex, &row);
    for (uint64_t k = 0; k < row.count && known; k++) known = is_known(r->graph, row.target[k]);
    cflr_row_free(&row);
    return known;
}

/* How many objects the vertex may point to; 0 where one of a few is none of the program's. */
static uint64_t count_objects(const ranking *r, uint32_t points_to, uint32_t vertex) {
    cflr_result_label info;
    uint64_t sum = 0;
    cflr_result_get_label(r->result, points_to, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t count = cflr_result_count(r->result, points_to, i, vertex);
        if (count <= FEW && !are_known(r, points_to, i, vertex)) return 0;
        sum += count;
    }
    return sum;
}

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->objects != y->objects) return x->objects < y->objects ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* 0, or the exit code after a message. */
static int rank(const cflr_result *result, ranking *r) {
    uint32_t points_to = answering_label(result, "points-to");
    *r = (ranking){.result = result, .graph = cflr_result_graph(result)};
    uint32_t n = cflr_graph_vertices(r->graph);
    r->pointer = calloc((size_t)n + 1, sizeof *r->pointer);
    r->rank = calloc((size_t)n + 1, sizeof *r->rank);
    if (!r->pointer || !r->rank) return fail_memory();
    for (uint32_t v = 0; v < n && !out_of_time(); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(r->graph, v, &info);
        if (!worth_showing(&info)) continue;
        uint64_t objects = points_to == CFLR_NO_LABEL ? 1 : count_objects(r, points_to, v);
        if (objects) r->pointer[r->n++] = (ranked){v, objects};
    }
    qsort(r->pointer, r->n, sizeof *r->pointer, compare_ranked);
    for (size_t i = 0; i < r->n; i++) r->rank[r->pointer[i].vertex] = (uint32_t)i + 1;
    return 0;
}

/* Not in one function, not of one name, as an argument and its parameter often are, and of one
 * type: what aliases by way of untyped memory may be far from the truth. */
static bool is_news(const cflr_vertex_info *a, const cflr_vertex_info *b) {
    return strcmp(a->function, b->function) != 0 && strcmp(a->name, b->name) != 0 &&
           strcmp(a->type, b->type) == 0;
}

/* The alias of the best rank behind that of `vertex`, in another file if there is one;
 * CFLR_NO_VERTEX: there is none. */
static uint32_t partner(const ranking *r, const cflr_vertex_list *aliases, uint32_t vertex) {
    cflr_vertex_info a, b;
    uint32_t best = CFLR_NO_VERTEX;
    bool best_far = false;
    const uint32_t *row = aliases->vertices;
    cflr_graph_vertex(r->graph, vertex, &a);
    for (size_t k = 0; k < aliases->count; k++) {
        uint32_t rank = r->rank[row[k]];
        bool better = best == CFLR_NO_VERTEX || rank < r->rank[best];
        if (rank <= r->rank[vertex] || (best_far && !better)) continue;
        cflr_graph_vertex(r->graph, row[k], &b);
        bool far = strcmp(a.file, b.file) != 0;
        if (!is_news(&a, &b) || (far == best_far && !better) || (best_far && !far)) continue;
        best = row[k];
        best_far = far;
    }
    return best;
}

/* 0, or the exit code after a message. */
static int choose(const ranking *r, uint32_t alias, shown_alias *aliases, size_t most, size_t *n) {
    const char *last_function = "";
    for (size_t i = 0; i < r->n && *n < most && !out_of_time(); i++) {
        cflr_vertex_info info;
        cflr_vertex_list list;
        cflr_error error;
        uint32_t vertex = r->pointer[i].vertex;
        cflr_graph_vertex(r->graph, vertex, &info);
        if (strcmp(info.function, last_function) == 0) continue;
        if (cflr_result_targets(r->result, alias, &vertex, 1, &list, &error) != CFLR_OK)
            return fail(&error);
        uint32_t other = partner(r, &list, vertex);
        cflr_vertex_list_free(session(), &list);
        if (other == CFLR_NO_VERTEX) continue;
        aliases[(*n)++] = (shown_alias){vertex, other};
        last_function = info.function;
    }
    return 0;
}

int choose_aliases(const cflr_result *result, shown_alias *aliases, size_t most, size_t *n) {
    uint32_t alias = answering_label(result, "alias");
    ranking r = {0};
    *n = 0;
    if (alias == CFLR_NO_LABEL || most == 0) return 0;
    int code = rank(result, &r);
    if (!code) code = choose(&r, alias, aliases, most, n);
    free(r.pointer);
    free(r.rank);
    return code;
}

/* ---- what to ask next ---- */

/* The name by which a question finds this vertex alone; false: it has none that is easy to read. */
static bool name_of(const cflr_graph *graph, uint32_t vertex, char name[NAME_SIZE]) {
    cflr_vertex_info info;
    cflr_error error;
    uint32_t found;
    size_t n;
    cflr_graph_vertex(graph, vertex, &info);
    const char *between = info.function[0] ? "::" : "";
    int length = snprintf(name, NAME_SIZE, "%s%s%s", info.function, between, info.name);
    bool plain = length < NAME_SIZE && !strpbrk(name, " '\"\\");
    return plain && cflr_graph_find(graph, name, &found, 1, &n, &error) == CFLR_OK && n == 1 &&
           found == vertex;
}

void suggest_questions(const cflr_result *result, const char *path) {
    enum { TRIED = 16 };
    const cflr_graph *graph = cflr_result_graph(result);
    shown_alias alias[TRIED];
    char first[NAME_SIZE], second[NAME_SIZE];
    size_t n = 0;
    if (common.quiet || choose_aliases(result, alias, TRIED, &n)) return;
    for (size_t i = 0; i < n; i++) {
        if (!name_of(graph, alias[i].first, first) || !name_of(graph, alias[i].second, second))
            continue;
        remark("ask: cflr query %s 'alias %s %s' 'points-to %s'", path, first, second, second);
        return;
    }
}
