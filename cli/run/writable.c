/* SPDX-License-Identifier: Apache-2.0
 *
 * writable.c: can a file or directory be written? Asked before the work, which may be long.
 *
 * A file that is written has a temporary name first, and is then renamed: its directory must be
 * writable, and so must what is replaced. A device or a pipe is written as it is.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run/run.h"

static int refuse(const char *path, int reason) {
    complain("%s: cannot write: %s", path, strerror(reason));
    return cflr_status_exit_code(CFLR_IO);
}

bool ends_with(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* 0, or why nothing can be made in the directory that `path` lies in. */
static int check_parent(const char *path) {
    char *directory = strdup(path);
    if (!directory) return ENOMEM;
    char *slash = strrchr(directory, '/');
    if (slash) slash[slash == directory] = '\0';
    int reason = access(slash ? directory : ".", W_OK | X_OK) == 0 ? 0 : errno;
    free(directory);
    return reason;
}

/* 0, or why the file that is there cannot be replaced. A symbolic link stays, its target is
 * replaced. */
static int check_present(const char *path, const struct stat *about) {
    if (S_ISDIR(about->st_mode)) return EISDIR;
    if (access(path, W_OK) != 0) return errno;
    if (!S_ISREG(about->st_mode)) return 0;
    char *real = realpath(path, NULL);
    int reason = real ? check_parent(real) : errno;
    free(real);
    return reason;
}

int check_writable(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0) return 0;
    if (!path[0]) return usage_error("the name of the file to write is empty");
    int reason;
    if (stat(path, &about) == 0)
        reason = check_present(path, &about);
    else if (errno != ENOENT)
        reason = errno;
    else
        reason = ends_with(path, "/") ? EISDIR : check_parent(path);
    return reason ? refuse(path, reason) : 0;
}

/* ---- directories of facts ---- */

static bool is_facts_directory(const char *path, cflr_graph_format format) {
    struct stat about;
    if (format != CFLR_GRAPH_AUTO) return format == CFLR_GRAPH_SOUFFLE;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return true;
    return ends_with(path, "/") || ends_with(path, ".facts");
}

/* Does the directory hold what is no .facts file, so that it will not be replaced? */
static bool holds_others(const char *path) {
    bool others = false;
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory && !others && (entry = readdir(directory)) != NULL) {
        const char *name = entry->d_name;
        others = strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !ends_with(name, ".facts");
    }
    if (directory) closedir(directory);
    return others;
}

static int check_directory(const char *path) {
    struct stat about;
    bool there = lstat(path, &about) == 0;
    int reason = there || errno == ENOENT ? check_parent(path) : errno;
    if (!reason && there && !S_ISDIR(about.st_mode)) reason = ENOTDIR;
    if (!reason && there && access(path, R_OK | W_OK | X_OK) != 0) reason = errno;
    if (reason) return refuse(path, reason);
    if (!there || !holds_others(path)) return 0;
    complain("%s: not replaced: the directory holds more than .facts files", path);
    return cflr_status_exit_code(CFLR_IO);
}

int check_graph_target(const char *path, cflr_graph_format format) {
    cflr_error error;
    if (path[0] && cflr_graph_check_target(path, format, &error) != CFLR_OK) return fail(&error);
    if (!path[0] || !is_facts_directory(path, format)) return check_writable(path);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    char *plain = strndup(path, length);
    if (!plain) return fail_memory();
    int code = check_directory(plain);
    free(plain);
    return code;
}
