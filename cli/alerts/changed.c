/* SPDX-License-Identifier: Apache-2.0
 *
 * changed.c: which alerts have to do with the files of a change: those whose path comes through
 * one. The list is sorted, so that a place costs O(log files); the last answer is kept, since steps
 * of a path are mostly in one file.
 */
#include "cli/alerts/changed.h"

#include <stdlib.h>
#include <string.h>

#include "cli/alerts/tree.h"

static struct {
    char **path;
    size_t n, capacity;
    const char *last; /* the file of the last question, and its answer */
    bool last_answer;
} files;

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "./src/a.c" and a name in quotes, as git prints one with other than plain characters where
 * core.quotePath is on, mean files as well. */
static int keep_path(void *user, char *line, size_t number) {
    (void)user;
    (void)number;
    while (strncmp(line, "./", 2) == 0) line += 2;
    if (!line[0]) return 0;
    if (line[0] == '"') {
        complain("--changed-files: %s: names are read as they are: git -c core.quotePath=off",
                 shown(line));
        return EXIT_USAGE;
    }
    if (!make_room(&files.path, &files.capacity, files.n, sizeof *files.path)) return fail_memory();
    char *kept = files.path[files.n] = strdup(tree_name(line));
    if (!kept) return fail_memory();
    files.n++;
    return 0;
}

int changed_read(const char *path) {
    int code = each_line(path, keep_path, NULL);
    if (files.n > 0) qsort(files.path, files.n, sizeof *files.path, compare_paths);
    return code;
}

static bool is_changed(const char *file) {
    if (file == files.last) return files.last_answer;
    const char *below = tree_path(file);
    files.last = file;
    files.last_answer = below && files.n > 0 &&
                        bsearch(&below, files.path, files.n, sizeof *files.path, compare_paths);
    return files.last_answer;
}

static bool comes_through(const alert *a) {
    if (is_changed(a->place.file)) return true;
    if (!a->finding) return false;
    if (is_changed(a->finding->origin.file)) return true;
    for (size_t i = 0; i < a->finding->n_steps; i++) {
        const cflr_step *step = &a->finding->step[i];
        if (is_changed(step->place.file)) return true;
        for (size_t k = 0; k < step->n_route; k++)
            if (is_changed(step->route[k].place.file)) return true;
    }
    return false;
}

void changed_apply(alerts *a) {
    for (size_t i = 0; i < a->n; i++) a->list[i].elsewhere = !comes_through(&a->list[i]);
}

void changed_free(void) {
    for (size_t i = 0; i < files.n; i++) free(files.path[i]);
    free(files.path);
    memset(&files, 0, sizeof files);
}
