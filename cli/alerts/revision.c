/* SPDX-License-Identifier: Apache-2.0
 *
 * revision.c: a file as it is at a revision of git, by `git show REVISION:./FILE`.
 *
 * git runs in the directory of the file, which may be in another repository than the working
 * directory, and writes into a temporary file; its messages are its own. Nothing goes through a
 * shell, and a revision that begins with a minus is none.
 */
#include "cli/alerts/revision.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run/run.h"

extern char **environ;

/* 0, or why git could not be run; *status is that of waitpid. */
static int run_git(const char *directory, char *object, int output, int *status) {
    char git[] = "git", option[] = "-C", show[] = "show";
    char *folder = strdup(directory);
    char *words[] = {git, option, folder, show, object, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failure = folder ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (!failure) {
        failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (!failure) failure = posix_spawnp(&child, git, &actions, NULL, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(folder);
    if (failure) return failure;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Cuts a path into its directory and its name. */
static const char *cut_path(char *path, const char **directory) {
    char *slash = strrchr(path, '/');
    *directory = slash == path ? "/" : slash ? path : ".";
    if (!slash) return path;
    *slash = '\0';
    return slash + 1;
}

FILE *revision_open(const char *revision, const char *path) {
    const char *directory = ".";
    char *copy = strdup(path), *object = NULL;
    const char *name = copy ? cut_path(copy, &directory) : "";
    FILE *file = tmpfile();
    int status = 0, failure = 0;
    if (!copy || !file || asprintf(&object, "%s:./%s", revision, name) < 0)
        failure = errno;
    else
        failure = run_git(directory, object, fileno(file), &status);
    if (failure) complain("git: cannot run: %s", strerror(failure));
    if (!failure && status != 0)
        complain("%s: not found at revision '%s'", shown(path), shown(revision));
    free(copy);
    free(object);
    if (!failure && status == 0) {
        rewind(file);
        return file;
    }
    if (file) fclose(file);
    return NULL;
}
