/* SPDX-License-Identifier: Apache-2.0
 *
 * search.c: where headers are looked for.
 *
 *     flags         -Iinclude -isystem=/opt/x -iwithprefix y     as seen from the unit's directory
 *     environment   CPATH=a:b  C_INCLUDE_PATH=c
 *     by itself     ROOT/usr/local/include  ROOT/usr/include  ROOT/include
 *                   ROOT/usr/include/TRIPLE  ROOT/usr/TRIPLE/include  ROOT/TRIPLE/include
 *
 * for each ROOT that a flag names, and each TRIPLE that this machine or a flag may mean. Which of
 * the last six a compiler really searches depends on its version, its target and on what is
 * installed; to notice a new file in any of them, it is enough to look in all of them.
 */
#include "frontend/compdb/search.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct search {
    cflr_context *context;
    const cflri_unit *unit;
    cflri_buffer *to;
    bool good;
} search;

size_t cflri_search_join(const char *directory, size_t directory_length, const char *name,
                         size_t name_length, char path[PATH_MAX]) {
    if (name[0] == '/') directory_length = 0;
    bool slash = directory_length > 0;
    if (directory_length + slash + name_length >= PATH_MAX) return 0;
    memcpy(path, directory, directory_length);
    path[directory_length] = '/';
    memcpy(path + directory_length + slash, name, name_length);
    path[directory_length + slash + name_length] = '\0';
    return directory_length + slash + name_length;
}

const char *cflri_search_argument(const cflri_unit *unit, int i, const char *flag) {
    size_t length = strlen(flag);
    if (strncmp(unit->arguments[i], flag, length) != 0) return NULL;
    if (unit->arguments[i][length]) return unit->arguments[i] + length;
    return i + 1 < unit->n_arguments ? unit->arguments[i + 1] : NULL;
}

/* The argument of the last such flag, or `otherwise`. */
static const char *last_argument(const cflri_unit *unit, const char *const flags[2],
                                 const char *otherwise) {
    for (int i = unit->n_arguments; i-- > 0;)
        for (int f = 0; f < 2; f++) {
            const char *argument = cflri_search_argument(unit, i, flags[f]);
            if (argument) return argument;
        }
    return otherwise;
}

/* Adds the directory whose name the parts are together. */
static void add(search *s, const char *first, const char *second, const char *third,
                const char *fourth) {
    char name[PATH_MAX], path[PATH_MAX];
    const char *base = s->unit->directory;
    int length = snprintf(name, sizeof name, "%s%s%s%s", first, second, third, fourth);
    if (length <= 0 || length >= PATH_MAX) return;
    if (cflri_search_join(base, strlen(base), name, (size_t)length, path) > 0)
        s->good = s->good && cflri_buffer_text(s->context, s->to, path);
}

/* ---- by itself ---- */

static void add_triple(search *s, const char *root, const char *triple) {
    if (!triple[0]) return;
    add(s, root, "/usr/include/", triple, "");
    add(s, root, "/usr/", triple, "/include");
    add(s, root, "/", triple, "/include");
}

/* A target, and without its vendor, as distributions write it: riscv64-unknown-linux-gnu. */
static void add_target(search *s, const char *root, const char *target) {
    char plain[128];
    const char *vendor = strchr(target, '-');
    const char *system = vendor ? strchr(vendor + 1, '-') : NULL;
    add_triple(s, root, target);
    if (!system || !strchr(system + 1, '-')) return;
    int length = snprintf(plain, sizeof plain, "%.*s%s", (int)(vendor - target), target, system);
    if (length > 0 && length < (int)sizeof plain) add_triple(s, root, plain);
}

static void add_root(search *s, const char *root) {
    static const char *const flags[2] = {"--target=", "-target"};
    add(s, root, "/usr/local/include", "", "");
    add(s, root, "/usr/include", "", "");
    add(s, root, "/include", "", "");
    add_triple(s, root, CFLR_MULTIARCH);
    add_target(s, root, last_argument(s->unit, flags, ""));
    for (int i = 0; i < s->unit->n_arguments; i++)
        if (strcmp(s->unit->arguments[i], "-m32") == 0) add_triple(s, root, "i386-linux-gnu");
}

/* ---- flags and environment ---- */

static void add_flagged(search *s, const char *const root[2]) {
    static const char *const flags[] = {"-I", "-isystem", "-iquote", "-idirafter"};
    static const char *const prefixed[] = {"-iwithprefixbefore", "-iwithprefix"};
    const char *prefix = "", *argument;
    for (int i = 0; i < s->unit->n_arguments; i++) {
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            if (!(argument = cflri_search_argument(s->unit, i, flags[f]))) continue;
            bool rooted = argument[0] == '=';
            for (int r = 0; r < 1 + rooted; r++)
                add(s, rooted ? root[r] : "", argument + rooted, "", "");
        }
        if ((argument = cflri_search_argument(s->unit, i, "-iprefix"))) prefix = argument;
        for (size_t f = 0; f < sizeof prefixed / sizeof *prefixed; f++) {
            if (!(argument = cflri_search_argument(s->unit, i, prefixed[f]))) continue;
            add(s, prefix, argument, "", "");
            break;
        }
    }
}

/* A variable with directories between colons; an empty one is the unit's. */
static void add_listed(search *s, const char *variable) {
    const char *at = getenv(variable);
    char one[PATH_MAX];
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (length < sizeof one) {
            snprintf(one, sizeof one, "%.*s", (int)length, at);
            add(s, length ? one : ".", "", "", "");
        }
        at += length + (at[length] == ':');
    }
}

bool cflri_search_list(cflr_context *context, const cflri_unit *unit, cflri_buffer *directories) {
    static const char *const sysroot[2] = {"--sysroot=", "--sysroot"};
    static const char *const isysroot[2] = {"-isysroot", "-isysroot"};
    search s = {.context = context, .unit = unit, .to = directories, .good = true};
    const char *root[2] = {last_argument(unit, sysroot, "")};
    root[1] = last_argument(unit, isysroot, root[0]);
    add_flagged(&s, root);
    for (int r = 0; r < 1 + (root[1] != root[0]); r++) add_root(&s, root[r]);
    add_listed(&s, "CPATH");
    add_listed(&s, "C_INCLUDE_PATH");
    return s.good;
}
