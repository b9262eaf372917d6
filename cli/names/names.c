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

/* ---- places ---- */

static size_t digits_at(const char *text) {
    return strspn(text, "0123456789");
}

size_t place_length(const char *spec) {
    for (const char *at = strchr(spec, ':'); at; at = strchr(at + 1, ':')) {
        size_t line = at > spec ? digits_at(at + 1) : 0;
        if (!line || at[1 + line] != ':') continue;
        const char *column = at + line + 2;
        const char *end = column + digits_at(column);
        return end > column && (!*end || *end == ':') ? (size_t)(end - spec) : 0;
    }
    return 0;
}

/* What stands at a place, but is no pointer. */
static void print_standing(const cflr_graph *graph, const char *place) {
    bool whole = *place && place_length(place) == strlen(place);
    for (uint32_t i = 0; whole && i < cflr_graph_calls(graph); i++) {
        cflr_call_info call;
        cflr_function_info callee;
        cflr_graph_call(graph, i, &call);
        if (!names_place(call.file, call.line, call.column, place)) continue;
        cflr_graph_function(graph, call.callee, &callee);
        fprintf(stderr, "      a call of %s is there: no pointer that it returns is used\n",
                shown(call.callee ? callee.name : call.expression));
        break;
    }
    for (uint32_t i = 1; whole && i < cflr_graph_functions(graph); i++) {
        cflr_function_info f;
        cflr_graph_function(graph, i, &f);
        if (!names_place(f.file, f.line, f.column, place)) continue;
        fprintf(stderr,
                "      the function %s is there: it returns no pointer, and is not used as one\n",
                shown(f.name));
        break;
    }
}

/* Is it called as no other thing of the set? */
static bool has_own_name(const cflr_graph *graph, const place_set *set, size_t at) {
    cflr_vertex_info info, other;
    cflr_graph_vertex(graph, set->vertex[at], &info);
    size_t end = end_of_thing(graph, set, at);
    bool own = info.name[0] && !strchr(info.name, '"');
    for (size_t i = 0; i < set->n && own; i++) {
        cflr_graph_vertex(graph, set->vertex[i], &other);
        own = (i >= at && i < end) || strcmp(info.name, other.name) != 0;
    }
    return own;
}

/* How the thing at `at` is asked for. */
static void print_asking(const cflr_graph *graph, const char *spec, const place_set *set,
                         size_t at) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, set->vertex[at], &info);
    const char *quote = strpbrk(info.name, " \t") ? "\"" : "", *seen = shown(spec);
    if (has_own_name(graph, set, at))
        fprintf(stderr, "      %s%.*s:%s%s for ", quote, (int)place_length(seen), seen,
                shown(info.name), quote);
    else
        fprintf(stderr, "      %u for ", set->vertex[at]);
    print_vertex(stderr, graph, set->vertex[at]);
    fputc('\n', stderr);
}

int refuse_things(const cflr_graph *graph, const char *spec, const place_set *set) {
    size_t n = 0;
    complain("several expressions stand at %s; ask for one as", shown(spec));
    for (size_t at = 0; at < set->n; at = end_of_thing(graph, set, at))
        if (n++ < CANDIDATES_SHOWN) print_asking(graph, spec, set, at);
    if (n > CANDIDATES_SHOWN) fprintf(stderr, "      and %zu more\n", n - CANDIDATES_SHOWN);
    return cflr_status_exit_code(CFLR_AMBIGUOUS);
}

/* ---- names ---- */

static int fail_look_up(const cflr_graph *graph, const char *spec, name_place where,
                        cflr_error *error) {
    if (error->code == CFLR_NO_MEMORY) return fail_memory();
    snprintf(error->subject, sizeof error->subject, "%s", where.path);
    error->line = where.line;
    error->column = where.column;
    int code = fail(error);
    if (error->code == CFLR_NOT_FOUND) print_standing(graph, spec);
    return code;
}

int find_places(const cflr_graph *graph, cflr_finder *finder, const char *spec, name_place where,
                place_set *set) {
    cflr_error error;
    cflr_status st = look_up(graph, finder, spec, set, &error);
    if (st == CFLR_OK) return 0;
    bool many = st == CFLR_AMBIGUOUS;
    if (many && place_length(spec) && !where.path[0]) {
        int code = sort_things(graph, set);
        return code ? code : refuse_things(graph, spec, set);
    }
    int code = fail_look_up(graph, spec, where, &error);
    if (many) print_candidates(graph, set);
    return code;
}

int find_things(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set) {
    cflr_error error;
    cflr_status st = look_up(graph, finder, spec, set, &error);
    if (st == CFLR_OK || st == CFLR_AMBIGUOUS) return sort_things(graph, set);
    return fail_look_up(graph, spec, (name_place){"", 0, 0}, &error);
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
