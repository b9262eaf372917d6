/* SPDX-License-Identifier: Apache-2.0
 *
 * files.c: two versions of a program seldom lie in the same directory, and files move.
 *
 *     /home/a/old/src/list.c        /builds/7/src/list.c        the last two names agree
 *     /home/a/old/lib/list.c        /builds/7/lib/list.c        likewise
 *     /usr/include/stdio.h          /usr/include/stdio.h        all names agree
 *
 * Two paths are one file when they end in the same names, as many as possible, and no other file of
 * either version ends in these: first whole paths are compared, then ever fewer of their last
 * names. What is left is new or gone; but where that is one file on each side, it was renamed.
 */
#include "cli/diff/files.h"

#include <stdlib.h>
#include <string.h>

typedef struct tail {
    const char *text;
    size_t file;
    bool new;
} tail;

#define UNKNOWN UINT32_MAX

/* The last so many names of a path; NULL when it has fewer. */
static const char *cut_tail(const char *path, size_t names) {
    const char *at = path + strlen(path);
    while (at > path) {
        if (*--at == '/' && --names == 0) return at + 1;
    }
    return names == 1 ? path : NULL;
}

static size_t count_names(const char *path) {
    size_t n = 1;
    for (; *path; path++) n += *path == '/';
    return n;
}

static int compare_tails(const void *a, const void *b) {
    const tail *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (int)x->new - (int)y->new;
}

static size_t add_tails(const file_list *list, size_t names, bool new, tail *to) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const char *text = names ? cut_tail(list->path[i], names) : list->path[i];
        if (list->number[i] == UNKNOWN && text) to[n++] = (tail){text, i, new};
    }
    return n;
}

static void join(file_list *old, size_t i, file_list *new, size_t k, uint32_t *next) {
    old->number[i] = new->number[k] = (*next)++;
}

/* Joins the files that end in the same names, and are the only ones; 0: all names of the path. */
static void match_tails(file_list *old, file_list *new, size_t names, tail *tails, uint32_t *next) {
    size_t n = add_tails(old, names, false, tails);
    n += add_tails(new, names, true, tails + n);
    qsort(tails, n, sizeof *tails, compare_tails);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(tails[end].text, tails[i].text) == 0; end++) continue;
        if (end - i == 2 && !tails[i].new &&tails[i + 1].new)
            join(old, tails[i].file, new, tails[i + 1].file, next);
    }
}

/* Those that are left: how many, and the last. */
static size_t count_left(const file_list *list, size_t *last) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (list->number[i] != UNKNOWN || !list->path[i][0]) continue;
        *last = i;
        n++;
    }
    return n;
}

static size_t prepare(file_list *list) {
    size_t depth = 0;
    for (size_t i = 0; i < list->n; i++) {
        size_t names = count_names(list->path[i]);
        if (names > depth) depth = names;
        list->number[i] = UNKNOWN;
    }
    return depth;
}

static void number_rest(file_list *list, uint32_t *next) {
    for (size_t i = 0; i < list->n; i++)
        if (list->number[i] == UNKNOWN) list->number[i] = (*next)++;
}

int files_match(file_list *old, file_list *new) {
    uint32_t next = 0;
    size_t of_old = prepare(old), of_new = prepare(new), i = 0, k = 0;
    tail *tails = malloc((old->n + new->n + 1) * sizeof *tails);
    if (!tails) return fail_memory();
    match_tails(old, new, 0, tails, &next);
    for (size_t names = of_old < of_new ? of_old : of_new; names > 0; names--)
        match_tails(old, new, names, tails, &next);
    free(tails);
    if (count_left(old, &i) == 1 && count_left(new, &k) == 1) join(old, i, new, k, &next);
    number_rest(old, &next);
    number_rest(new, &next);
    return 0;
}
