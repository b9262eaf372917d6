/* SPDX-License-Identifier: Apache-2.0
 *
 * shell_names.c: names of a program, sorted, so that those with one beginning lie side by side.
 * Made when the first name is to be completed: O(vertices + names log names).
 */
#include "cli/query/shell_names.h"

#include <stdlib.h>
#include <string.h>

#include "cli/names/names.h"

enum { MOST_NAMES = 1 << 22 };

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(shell_names *names, char *name) {
    if (!name || !make_room(&names->at, &names->capacity, names->n, sizeof *names->at)) {
        free(name);
        return;
    }
    names->at[names->n++] = name;
}

static char *name_of(const cflr_vertex_info *info) {
    char *name;
    if (!info->function[0]) return strdup(info->name);
    return asprintf(&name, "%s::%s", info->function, info->name) < 0 ? NULL : name;
}

static bool is_named(const cflr_vertex_info *info) {
    return (is_variable(info) || info->kind == CFLR_VERTEX_FUNCTION) && info->name[0] &&
           !strpbrk(info->name, " \t\"");
}

void shell_names_make(const cflr_graph *graph, shell_names *names) {
    cflr_vertex_info last = {.name = "", .function = ""};
    for (uint32_t v = 0; v < cflr_graph_vertices(graph) && names->n < MOST_NAMES; v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        bool same = info.name == last.name && info.function == last.function; /* a version of it */
        if (!is_named(&info) || same) continue;
        add_name(names, name_of(&info));
        last = info;
    }
    size_t kept = 0;
    if (names->n > 0) qsort(names->at, names->n, sizeof *names->at, compare_names);
    for (size_t i = 0; i < names->n; i++) {
        if (kept > 0 && strcmp(names->at[kept - 1], names->at[i]) == 0)
            free(names->at[i]);
        else
            names->at[kept++] = names->at[i];
    }
    names->n = kept;
}

void shell_names_free(shell_names *names) {
    for (size_t i = 0; i < names->n; i++) free(names->at[i]);
    free(names->at);
    *names = (shell_names){0};
}

/* The first name that is not before the text, or, with `past`, behind all that begin with it. */
static size_t seek(const shell_names *names, const char *text, size_t length, bool past) {
    size_t low = 0, high = names->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(names->at[middle], text, length);
        if (order < 0 || (past && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t shell_names_find(const shell_names *names, const char *text, size_t length, size_t *end) {
    *end = seek(names, text, length, true);
    return seek(names, text, length, false);
}
