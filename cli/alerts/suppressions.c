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
    for (size_t i = 0; i < a->files.n && !code; i++)
        code = comments_scan(a->files.path[i], keep_comment, &a->files.path[i]);
    return code;
}

/* ---- which suppresses what ---- */

/* Copies the next word of a suppression's rules; what follows it. */
static const char *next_rule(const char *at, char *word, size_t size) {
    size_t n = strcspn(at, " ");
    snprintf(word, size, "%.*s", (int)n, at);
    return at + n + (at[n] == ' ');
}

static bool about_rule(const suppression *s, const char *rule) {
    char word[128];
    for (const char *at = s->rules; *at;) {
        at = next_rule(at, word, sizeof word);
        if (fnmatch(word, rule, 0) == 0) return true;
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

/* Of a word that is no pattern: does it name a rule, or kind of checks, that is shipped or asked
 * for? If not, *meant is one that is spelled nearly so, or NULL. */
static bool is_rule(const alerts *a, const char *word, const char **meant) {
    enum { MOST = 256 };
    const char *known[MOST];
    size_t n = 0;
    for (int kind = CFLR_CHECK_MAY_ALIAS; kind <= CFLR_CHECK_NO_ALIAS; kind++)
        known[n++] = check_kind_name((cflr_check_kind)kind);
    for (size_t i = 0; cflr_rule_shipped(i) && n < MOST; i++) known[n++] = cflr_rule_shipped(i);
    for (size_t i = 0; i < a->n_rules && n < MOST; i++) known[n++] = a->rule[i];
    *meant = nearest(word, known, n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(known[i], word) == 0) return true;
    return strpbrk(word, "*?[") != NULL;
}

static void warn_unknown_rules(const suppression *s, const alerts *a) {
    char word[128];
    for (const char *at = s->rules; *at;) {
        const char *meant;
        at = next_rule(at, word, sizeof word);
        if (is_rule(a, word, &meant)) continue;
        remark("%s:%u: warning: no rule that is shipped or asked for is called '%s'%s%s%s",
               shown(short_path(s->file)), s->line, shown(word), meant ? "; did you mean '" : "",
               meant ? meant : "", meant ? "'?" : "");
    }
}

void suppressions_audit(const alerts *a) {
    bool all_found = a->complete && a->units_faulty == 0;
    for (size_t i = 0; i < all.n; i++) {
        const suppression *s = &all.at[i];
        warn_unknown_rules(s, a);
        if (!all_found || s->used || !was_asked(s, a)) continue;
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
