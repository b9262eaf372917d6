/* SPDX-License-Identifier: Apache-2.0
 *
 * names.c: from what people write to vertices.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names/names.h"

enum { CANDIDATES_SHOWN = 20 };

static void print_candidates(const cflr_graph *graph, const place_set *set) {
    clear_progress();
    for (size_t i = 0; i < set->n && i < CANDIDATES_SHOWN; i++) {
        fprintf(stderr, "      %u: ", set->vertex[i]);
        print_vertex(stderr, graph, set->vertex[i]);
        fputc('\n', stderr);
    }
    if (set->n > CANDIDATES_SHOWN) {
        fprintf(stderr, "      and %zu more\n", set->n - CANDIDATES_SHOWN);
    }
}

cflr_status look_up(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set,
                    cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t capacity = 64;
    *set = (place_set){0};
    do {
        if (set->n > capacity) capacity = set->n;
        uint32_t *grown = realloc(set->vertex, capacity * sizeof *grown);
        if (!grown) {
            *error = (cflr_error){.code = CFLR_NO_MEMORY, .message = "out of memory"};
            return CFLR_NO_MEMORY;
        }
        set->vertex = grown;
        st = finder ? cflr_finder_find(finder, spec, set->vertex, capacity, &set->n, error)
                    : cflr_graph_find(graph, spec, set->vertex, capacity, &set->n, error);
    } while (set->n > capacity);
    return st;
}

int find_places(const cflr_graph *graph, cflr_finder *finder, const char *spec, name_place where,
                place_set *set) {
    cflr_error error;
    cflr_status st = look_up(graph, finder, spec, set, &error);
    if (st == CFLR_OK) return 0;
    if (st == CFLR_NO_MEMORY) return fail_memory();
    snprintf(error.subject, sizeof error.subject, "%s", where.path);
    error.line = where.line;
    error.column = where.column;
    int code = fail(&error);
    if (st == CFLR_AMBIGUOUS) print_candidates(graph, set);
    return code;
}

/* ---- functions and calls ---- */

bool ends_path(const char *path, const char *text, size_t length) {
    size_t all = strlen(path);
    return length > 0 && length <= all && strncmp(path + all - length, text, length) == 0 &&
           (length == all || path[all - length - 1] == '/');
}

bool names_function(const cflr_function_info *info, const char *spec) {
    char tail[32];
    size_t length = strlen(spec), name = strlen(info->name);
    if (strcmp(info->name, spec) == 0) return true;
    size_t line = (size_t)snprintf(tail, sizeof tail, ":%" PRIu32 ":", info->line);
    if (length < name + line || strcmp(spec + length - name, info->name) != 0) return false;
    const char *at = spec + length - name - line;
    return strncmp(at, tail, line) == 0 && ends_path(info->file, spec, (size_t)(at - spec));
}

bool names_place(const char *file, uint32_t line, uint32_t column, const char *spec) {
    char tail[48];
    size_t length = strlen(spec);
    for (int with = 0; with < 2; with++) {
        int n = with ? snprintf(tail, sizeof tail, ":%" PRIu32 ":%" PRIu32, line, column)
                     : snprintf(tail, sizeof tail, ":%" PRIu32, line);
        if (length <= (size_t)n || strcmp(spec + length - (size_t)n, tail) != 0) continue;
        if (ends_path(file, spec, length - (size_t)n)) return true;
    }
    return false;
}
