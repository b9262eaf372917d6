/* SPDX-License-Identifier: Apache-2.0
 *
 * files.c: the files that a run has read, in the source tree, sorted: those of units, and headers
 * of which something is in the graph.
 */
#include "cli/alerts/alerts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/alerts/tree.h"

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t keep_different(const char **path, size_t n) {
    size_t kept = 0;
    qsort(path, n, sizeof *path, compare_paths);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(path[i], path[kept - 1]) != 0) path[kept++] = path[i];
    return kept;
}

/* Files come again and again, so a full list is sorted, and grows only where that does not help. */
static void add_file(alert_files *list, const char *path) {
    if (!list->path || path == list->last || !tree_path(path)) return;
    list->path[list->n++] = list->last = path;
    if (list->n < list->capacity) return;
    list->n = keep_different(list->path, list->n);
    if (list->n < list->capacity / 2) return;
    const char **grown = realloc(list->path, 2 * list->capacity * sizeof *grown);
    if (!grown) free(list->path);
    list->path = grown;
    list->capacity *= 2;
}

int alerts_list_files(alerts *a) {
    const char *path;
    alert_files list = {.capacity = 1024};
    list.path = malloc(list.capacity * sizeof *list.path);
    for (size_t i = 0; (path = cflr_extract_unit(a->report, i)); i++) add_file(&list, path);
    for (uint32_t v = 0; v < cflr_graph_vertices(a->graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(a->graph, v, &info);
        add_file(&list, info.file);
    }
    if (list.path && list.n > 0) list.n = keep_different(list.path, list.n);
    a->files = list;
    return list.path ? 0 : fail_memory();
}

/* Paths below the root may be spelled in several ways: names in the tree are compared, of which
 * the order is another one. */
bool alerts_have_read(const alerts *a, const char *name) {
    for (size_t i = 0; i < a->files.n; i++)
        if (strcmp(tree_name(a->files.path[i]), name) == 0) return true;
    return false;
}
