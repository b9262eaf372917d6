/* SPDX-License-Identifier: Apache-2.0
 *
 * tree.c: paths below the root of the source tree.
 *
 *     /home/me/project/.git        root: /home/me/project
 *     /home/me/project/src/a b.c   src/a b.c      src/a%20b.c
 *     /usr/include/stdio.h         -              file:///usr/include/stdio.h
 *
 * A build may name the same directory by another path, through a link: so both the real path and
 * the one that the user or the shell names count.
 */
#include "cli/alerts/tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run/run.h"

static char *root[2]; /* really, and as it is named; without a slash at the end */

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

/* The working directory as the shell names it; NULL: the shell does not tell, or means another. */
static const char *logical_directory(const char *real) {
    char resolved[PATH_MAX];
    const char *named = getenv("PWD");
    return named && realpath(named, resolved) && strcmp(resolved, real) == 0 ? named : NULL;
}

int tree_open(const char *named) {
    char real[PATH_MAX];
    struct stat about;
    if (!realpath(named ? named : ".", real) || stat(real, &about) != 0 ||
        !S_ISDIR(about.st_mode)) {
        complain("--source-root %s: no such directory", named ? named : ".");
        return EXIT_USAGE;
    }
    size_t below = named ? 0 : below_repository(real), length = strlen(real);
    const char *other = named ? named : logical_directory(real);
    size_t other_length = other && other[0] == '/' ? strlen(other) : 0;
    while (named && other_length > 1 && other[other_length - 1] == '/') other_length--;
    bool alike = other_length > below &&
                 strncmp(other + other_length - below, real + length - below, below) == 0;
    root[0] = strndup(real, length - below);
    root[1] = alike ? strndup(other, other_length - below) : strdup(root[0] ? root[0] : "");
    return root[0] && root[1] ? 0 : fail_memory();
}

void tree_close(void) {
    for (int k = 0; k < 2; k++) {
        free(root[k]);
        root[k] = NULL;
    }
}

const char *tree_path(const char *path) {
    if (!path[0]) return NULL;
    if (path[0] != '/') return strncmp(path, "../", 3) == 0 ? NULL : path;
    for (int k = 0; k < 2 && root[k]; k++) {
        size_t n = strlen(root[k]);
        if (strncmp(path, root[k], n) == 0 && path[n] == '/' && path[n + 1]) return path + n + 1;
    }
    return NULL;
}

const char *tree_name(const char *path) {
    const char *below = tree_path(path);
    return below ? below : path;
}

char *tree_uri(const char *path) {
    static const char hex[] = "0123456789ABCDEF";
    const char *below = tree_path(path), *from = below ? below : path;
    char *uri = malloc(3 * strlen(from) + sizeof "file://"), *to = uri;
    if (!uri) exit(fail_memory());
    if (!below) to = stpcpy(to, "file://");
    for (; *from; from++) {
        unsigned char c = (unsigned char)*from;
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

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool tree_of_uri(const char *uri, char *path, size_t size) {
    bool absolute = strncmp(uri, "file://", 7) == 0;
    int n = snprintf(path, size, "%s%s", absolute ? "" : root[0], absolute ? "" : "/");
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
