/* SPDX-License-Identifier: Apache-2.0
 *
 * outside.c: answers about an open program, told to people and as JSON.
 *
 *     caller-supplied memory (through parameter list of push, list.c:9:38)
 *     unknown memory (from pool_get, list.c:23:15)
 *     or any of the 5 objects that escape: `points-to outside`
 */
#include "cli/answer/outside.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"

static const char *const words[] = {"nothing", "program", "caller",
                                    "unknown", "lost",    "unanswered"};
static const char *const conditions[] = {"",
                                         "",
                                         ", if the caller passes the same memory",
                                         ", if code outside of the program makes it so",
                                         ", if a value that is not followed makes it so",
                                         ", if the rest of the result makes it so"};

const char *through_word(cflr_through through) {
    return words[through];
}

const char *through_condition(cflr_through through) {
    return conditions[through];
}

const char *why_unanswered(const cflr_result *result) {
    return cflr_result_complete(result)
               ? "the result does not tell what code outside may do: it needs all of `points-to`"
               : "the result is partial";
}

cflr_through places_alias(const cflr_result *result, const place_set *from, const place_set *to,
                          uint32_t pair[2]) {
    cflr_through best = CFLR_THROUGH_NOTHING;
    for (size_t i = 0; i < from->n; i++)
        for (size_t k = 0; k < to->n && best != CFLR_THROUGH_PROGRAM; k++) {
            cflr_through one = cflr_result_alias(result, from->vertex[i], to->vertex[k]);
            bool better = one != CFLR_THROUGH_NOTHING && (!best || one < best);
            if (better) best = one;
            if (!pair || (!better && (i || k))) continue;
            pair[0] = from->vertex[i];
            pair[1] = to->vertex[k];
        }
    return best;
}

static bool has_code_without_model(const cflr_graph *graph) {
    size_t n;
    const uint32_t *unknown = cflr_graph_unknowns(graph, &n);
    for (size_t i = 0; i < n; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, unknown[i], &info);
        if (info.kind == CFLR_VERTEX_UNKNOWN) return true;
    }
    return false;
}

void warn_unfollowed_outside(const cflr_result *result) {
    const cflr_graph *graph = cflr_result_graph(result);
    bool open = cflr_graph_outside(graph) != CFLR_NO_VERTEX;
    bool asked = cflr_result_answer(result, "alias")[0] != '\0';
    if ((open || has_code_without_model(graph)) && asked &&
        answering_label(result, "points-to") == CFLR_NO_LABEL)
        remark("warning: %s and the result has no `points-to`: what code outside may do is unknown",
               open ? "the program is open" : "functions have no model");
}

bool object_escapes(const cflr_result *result, uint32_t object) {
    uint32_t outside = cflr_graph_outside(cflr_result_graph(result));
    uint32_t points_to = answering_label(result, "points-to");
    return outside != CFLR_NO_VERTEX && points_to != CFLR_NO_LABEL &&
           cflr_result_has(result, points_to, outside, object);
}

/* ---- where values of the outside enter ---- */

static int compare_vertices(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Entries of all pointers, ascending; 0, or the exit code after a message. */
static int find_entries(const cflr_result *result, const place_set *pointers, place_set *all) {
    *all = (place_set){0};
    for (size_t i = 0; i < pointers->n; i++) {
        cflr_vertex_list found;
        cflr_error error;
        if (cflr_result_entries(result, pointers->vertex[i], &found, &error) != CFLR_OK)
            return fail(&error);
        uint32_t *grown = realloc(all->vertex, (all->n + found.count + 1) * sizeof *grown);
        if (grown) all->vertex = grown;
        for (size_t k = 0; grown && k < found.count; k++) all->vertex[all->n++] = found.vertices[k];
        cflr_vertex_list_free(session(), &found);
        if (!grown) return fail_memory();
    }
    if (all->n) qsort(all->vertex, all->n, sizeof *all->vertex, compare_vertices);
    size_t kept = 0;
    for (size_t i = 0; i < all->n; i++)
        if (i == 0 || all->vertex[i] != all->vertex[kept - 1]) all->vertex[kept++] = all->vertex[i];
    all->n = kept;
    return 0;
}

/* The function without model whose result enters at the vertex; NULL: callers give it. */
static const char *unknown_function(const cflr_graph *graph, uint32_t entry) {
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        uint64_t n;
        if (strcmp(cflr_graph_label_name(graph, label), "unknown") != 0) continue;
        cflr_graph_row(graph, label, CFLR_IN, entry, &n);
        if (n > 0) return cflr_graph_label_index(graph, label);
    }
    return NULL;
}

static cflr_through given(const cflr_result *result, const place_set *pointers) {
    cflr_through all = CFLR_THROUGH_NOTHING;
    for (size_t i = 0; i < pointers->n; i++) {
        cflr_through one = cflr_result_given(result, pointers->vertex[i]);
        if (one > all) all = one;
    }
    return all;
}

static size_t count_escaped(const cflr_result *result) {
    uint32_t outside = cflr_graph_outside(cflr_result_graph(result));
    return cflr_result_count(result, answering_label(result, "points-to"), 0, outside);
}

static void print_entry(FILE *file, const cflr_graph *graph, uint32_t entry) {
    cflr_vertex_info info;
    const char *unknown = unknown_function(graph, entry);
    look_at(graph, entry, &info);
    if (unknown)
        fprintf(file, "from %s", shown(unknown));
    else
        fprintf(file, "through %s %s%s%s", cflr_vertex_kind_name(info.kind), info.name,
                info.function[0] ? " of " : "", info.function);
    if (!info.file[0]) return;
    fputs(", ", file);
    print_place(file, info.file, info.line, info.column);
}

int print_outside(FILE *file, const cflr_result *result, const place_set *pointers) {
    enum { MOST = 5 };
    const cflr_graph *graph = cflr_result_graph(result);
    place_set entries;
    int code = find_entries(result, pointers, &entries);
    bool caller = given(result, pointers) == CFLR_THROUGH_CALLER;
    const char *what = caller ? "caller-supplied memory" : "unknown memory";
    if (!code && entries.n == 0) fprintf(file, "%s (read from memory of the outside)\n", what);
    for (size_t i = 0; !code && i < entries.n && i < MOST; i++) {
        bool unknown = unknown_function(graph, entries.vertex[i]) != NULL;
        fprintf(file, "%s (", unknown ? "unknown memory" : "caller-supplied memory");
        print_entry(file, graph, entries.vertex[i]);
        fputs(")\n", file);
    }
    if (!code && entries.n > MOST) fprintf(file, "(through %zu more places)\n", entries.n - MOST);
    if (!code)
        fprintf(file, "or any of the %zu objects that escape: `points-to outside`\n",
                count_escaped(result));
    free(entries.vertex);
    return code;
}

static json_t *entry_json(const cflr_graph *graph, uint32_t entry) {
    json_t *object = vertex_json(graph, entry);
    const char *unknown = unknown_function(graph, entry);
    json_set_text(object, "through", unknown ? "unknown" : "caller");
    if (unknown) json_set_text(object, "unknown_function", unknown);
    return object;
}

int outside_json(json_t *object, const cflr_result *result, const place_set *pointers) {
    const cflr_graph *graph = cflr_result_graph(result);
    place_set entries;
    int code = find_entries(result, pointers, &entries);
    json_t *list = json_array();
    for (size_t i = 0; !code && i < entries.n; i++)
        json_array_append_new(list, entry_json(graph, entries.vertex[i]));
    json_set_text(object, "through", through_word(given(result, pointers)));
    json_set(object, "entries", list);
    json_set_count(object, "escaped_objects", count_escaped(result));
    free(entries.vertex);
    return code;
}
