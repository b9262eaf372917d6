/* SPDX-License-Identifier: Apache-2.0
 *
 * suppressions.c: which alerts are suppressed, by what, and what suppresses nothing.
 *
 * Suppressions of lists come first, then those of comments, file by file in the order of their
 * names; so the comments of one file are found by halving. The first one that fits an alert counts,
 * and comments before lists: a list may be about more.
 */
#include "cli/alerts/suppressions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/tree.h"

static struct {
    suppression *at;
    size_t n, capacity;
    size_t n_listed; /* the first ones */
} all;

/* Room for one more, which is zero; NULL after a message. */
static suppression *add(const char *file, uint32_t line) {
    if (!make_room(&all.at, &all.capacity, all.n, sizeof *all.at)) {
        fail_memory();
        return NULL;
    }
    all.at[all.n] = (suppression){.file = file, .line = line};
    return &all.at[all.n++];
}

/* Words with one blank between each two, to be freed. */
static char *copy_words(const char *text, size_t n) {
    char *copy = malloc(n + 1), *to = copy;
    if (!copy) return NULL;
    for (size_t i = 0; i < n; i++) {
        bool blank = strchr(" \t,\r", text[i]) != NULL;
        if (!blank)
            *to++ = text[i];
        else if (to > copy && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > copy && to[-1] == ' ') to--;
    *to = '\0';
    return copy;
}

/* ---- lists ---- */

static int refuse_line(const char *path, size_t line, const char *why) {
    complain("%s:%zu: %s", shown(path), line, why);
    return EXIT_USAGE;
}

/* "RULE[,RULE...] FILE [FUNCTION] -- REASON" */
static int read_line(void *user, char *text, size_t line) {
    enum { MOST = 3 };
    const char *path = *(const char *const *)user, *begin = text + strspn(text, " \t");
    char *word[MOST], *dashes = strstr(text, " -- ");
    if (!*begin || *begin == '#') return 0;
    if (!dashes || !dashes[4 + strspn(dashes + 4, " \t")])
        return refuse_line(path, line, "a suppression ends in ' -- ' and a reason");
    *dashes = '\0';
    int n = cut_words(text, word, MOST);
    if (n < 2 || n > MOST)
        return refuse_line(path, line, "a suppression is RULE FILE [FUNCTION] -- REASON");
    suppression *s = add(path, (uint32_t)line);
    if (!s) return cflr_status_exit_code(CFLR_NO_MEMORY);
    s->rules = copy_words(word[0], strlen(word[0]));
    s->path = strdup(word[1]);
    s->function = n == MOST ? strdup(word[2]) : NULL;
    s->reason = strdup(dashes + 4 + strspn(dashes + 4, " \t"));
    return s->rules && s->path && s->reason && (n < MOST || s->function) ? 0 : fail_memory();
}

int suppressions_read(const char *path) {
    int code = each_line(path, read_line, &path);
    all.n_listed = all.n;
    return code;
}

/* ---- comments ---- */

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

typedef struct file_list {
    const char **path; /* NULL: memory was refused */
    size_t n, capacity;
    const char *last;
} file_list;

/* Files come again and again, so a full list is sorted, and grows only where that does not help. */
static void add_file(file_list *list, const char *path) {
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

/* The files of the program in the source tree, sorted: those of units, and headers of which
 * something is in the graph. Their list is to be freed. */
static file_list files_of(const alerts *a) {
    const char *path;
    file_list list = {.capacity = 1024};
    list.path = malloc(list.capacity * sizeof *list.path);
    for (size_t i = 0; (path = cflr_extract_unit(a->report, i)); i++) add_file(&list, path);
    for (uint32_t v = 0; v < cflr_graph_vertices(a->graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(a->graph, v, &info);
        add_file(&list, info.file);
    }
    if (list.path && list.n > 0) list.n = keep_different(list.path, list.n);
    return list;
}

static int keep_comment(void *user, const found_comment *c) {
    const char *const *path = user;
    suppression *s = add(*path, c->line);
    if (!s) return cflr_status_exit_code(CFLR_NO_MEMORY);
    s->first = c->first;
    s->last = c->last;
    s->rules = copy_words(c->rules, c->n_rules);
    s->reason = strndup(c->reason, c->n_reason);
    return s->rules && s->reason ? 0 : fail_memory();
}

static int read_comments(const alerts *a) {
    int code = 0;
    file_list files = files_of(a);
    if (!files.path) return fail_memory();
    for (size_t i = 0; i < files.n && !code; i++)
        code = comments_scan(files.path[i], keep_comment, &files.path[i]);
    free(files.path);
    return code;
}

/* ---- which suppresses what ---- */

static bool about_rule(const suppression *s, const char *rule) {
    char word[128];
    for (const char *at = s->rules; *at;) {
        size_t n = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        if (fnmatch(word, rule, 0) == 0) return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

static bool listed_fits(const suppression *s, const alert *a) {
    return about_rule(s, a->rule) && fnmatch(s->path, tree_name(a->place.file), 0) == 0 &&
           (!s->function || fnmatch(s->function, a->function, 0) == 0);
}

static size_t first_of_file(const char *file) {
    size_t low = all.n_listed, high = all.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(all.at[middle].file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static suppression *find_for(const alert *a) {
    for (size_t i = first_of_file(a->place.file);
         i < all.n && strcmp(all.at[i].file, a->place.file) == 0; i++) {
        suppression *s = &all.at[i];
        if (s->first <= a->place.line && a->place.line <= s->last && about_rule(s, a->rule))
            return s;
    }
    for (size_t i = 0; i < all.n_listed; i++)
        if (listed_fits(&all.at[i], a)) return &all.at[i];
    return NULL;
}

int suppressions_apply(alerts *a) {
    int code = read_comments(a);
    for (size_t i = 0; i < a->n && !code; i++) {
        suppression *s = find_for(&a->list[i]);
        a->list[i].suppressed = s;
        if (s) s->used = true;
    }
    return code;
}

/* Is it about something that this run has looked for? */
static bool was_asked(const suppression *s, const alerts *a) {
    for (size_t i = 0; i < a->n_rules; i++)
        if (about_rule(s, a->rule[i])) return true;
    return false;
}

void suppressions_audit(const alerts *a) {
    if (!a->complete) return; /* what it suppresses may not have been found */
    for (size_t i = 0; i < all.n; i++) {
        const suppression *s = &all.at[i];
        if (s->used || !was_asked(s, a)) continue;
        remark("%s:%u: warning: nothing is suppressed here: %s -- %s", shown(short_path(s->file)),
               s->line, shown(s->rules), shown(s->reason));
    }
}

json_t *suppressions_json(const alerts *a) {
    json_t *list = json_array();
    for (size_t i = 0; i < all.n; i++) {
        const suppression *s = &all.at[i];
        if (!was_asked(s, a)) continue;
        json_t *object = json_object();
        json_set_text(object, "file", s->file);
        json_set_count(object, "line", s->line);
        json_set_text(object, "rules", s->rules);
        json_set_text(object, "reason", s->reason);
        json_set(object, "used", json_boolean(s->used));
        json_array_append_new(list, object);
    }
    return list;
}

void suppressions_free(void) {
    for (size_t i = 0; i < all.n; i++) {
        free(all.at[i].rules);
        free(all.at[i].reason);
        free(all.at[i].path);
        free(all.at[i].function);
    }
    free(all.at);
    memset(&all, 0, sizeof all);
}
