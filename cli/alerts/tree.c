/* SPDX-License-Identifier: Apache-2.0
 *
 * tree.c: paths below the root of the source tree.
 *
 *     /home/me/project/.git        root: /home/me/project
 *     /home/me/project/src/a b.c   src/a b.c      src/a%20b.c
 *     /usr/include/stdio.h         -              file:///usr/include/stdio.h
 *
 * A build may name the same directory by another path, through a link: a path that is not below the
 * root is resolved once, and remembered.
 */
#include "cli/alerts/tree.h"

#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run/run.h"

static char *root;     /* as it really is; without a slash at the end */
static void *resolved; /* tsearch: paths that are not below it as they are */

static bool holds_repository(const char *directory) {
    char path[PATH_MAX + 8];
    struct stat about;
    snprintf(path, sizeof path, "%s/.git", directory);
    return stat(path, &about) == 0; /* a directory, or a file in a worktree */
}

/* How many bytes of the path are below the nearest directory upward that holds a repository; 0:
 * there is none. */
static size_t below_repository(const char *path) {
    char upward[PATH_MAX];
    size_t length = strlen(path);
    snprintf(upward, sizeof upward, "%s", path);
    while (!holds_repository(upward)) {
        char *slash = strrchr(upward, '/');
        if (!slash) return 0;
        *slash = '\0';
    }
    return length - strlen(upward);
}

int tree_open(const char *named) {
    char real[PATH_MAX];
    struct stat about;
    if (!realpath(named ? named : ".", real) || stat(real, &about) != 0 ||
        !S_ISDIR(about.st_mode)) {
        complain("--source-root %s: no such directory", named ? named : ".");
        return EXIT_USAGE;
    }
    size_t length = strlen(real) - (named ? 0 : below_repository(real));
    root = strndup(real, length > 1 ? length : 0); /* of `/` nothing */
    return root ? 0 : fail_memory();
}

/* A path, and what it really is below the root; NULL: it is not there. */
typedef struct resolved_path {
    char *path, *below;
} resolved_path;

static void free_resolved(void *node) {
    resolved_path *r = node;
    free(r->path);
    free(r->below);
    free(r);
}

void tree_close(void) {
    tdestroy(resolved, free_resolved);
    resolved = NULL;
    free(root);
    root = NULL;
}

static const char *cut_root(const char *path) {
    size_t n = root ? strlen(root) : 0;
    return root && strncmp(path, root, n) == 0 && path[n] == '/' && path[n + 1] ? path + n + 1
                                                                                : NULL;
}

static int compare_resolved(const void *a, const void *b) {
    const resolved_path *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static const char *resolve(const char *path) {
    char real[PATH_MAX];
    resolved_path *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) exit(fail_memory());
    resolved_path **at = tsearch(made, &resolved, compare_resolved);
    if (!at) exit(fail_memory());
    if (*at != made) {
        free_resolved(made);
        return (*at)->below;
    }
    const char *below = realpath(path, real) ? cut_root(real) : NULL;
    if (below && !(made->below = strdup(below))) exit(fail_memory());
    return made->below;
}

const char *tree_path(const char *path) {
    if (!path[0]) return NULL;
    if (path[0] != '/') return strncmp(path, "../", 3) == 0 ? NULL : path;
    const char *below = cut_root(path);
    return below ? below : resolve(path);
}

const char *tree_name(const char *path) {
    const char *below = tree_path(path);
    return below ? below : path;
}

static char *make_uri(const char *scheme, const char *path) {
    static const char hex[] = "0123456789ABCDEF";
    char *uri = malloc(3 * strlen(path) + strlen(scheme) + 1), *to = uri;
    if (!uri) exit(fail_memory());
    for (to = stpcpy(to, scheme); *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);
        if (plain) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = hex[c >> 4];
            *to++ = hex[c & 15];
        }
    }
    *to = '\0';
    return uri;
}

char *tree_uri(const char *path) {
    const char *below = tree_path(path);
    return below ? make_uri("", below) : file_uri(path);
}

char *file_uri(const char *path) {
    return make_uri("file://", path);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool tree_of_uri(const char *uri, char *path, size_t size) {
    bool absolute = strncmp(uri, "file://", 7) == 0;
    int n = snprintf(path, size, "%s%s", absolute ? "" : root, absolute ? "" : "/");
    size_t at = (size_t)n;
    if (absolute) uri += 7;
    for (; *uri; uri++) {
        bool escaped = uri[0] == '%' && hex_digit(uri[1]) >= 0 && hex_digit(uri[2]) >= 0;
        if (at + 1 >= size) return false;
        path[at++] = escaped ? (char)(16 * hex_digit(uri[1]) + hex_digit(uri[2])) : *uri;
        uri += escaped ? 2 : 0;
    }
    path[at] = '\0';
    return true;
}
