/* SPDX-License-Identifier: Apache-2.0
 *
 * revision.c: a file as it is at a revision of git, by `git show REVISION:./FILE`.
 *
 * git runs in the directory of the file, which may be in another repository than the working
 * directory, and writes into a temporary file. What it says of a revision that it does not know is
 * about objects, so it is asked for that first, and its messages go nowhere. Nothing goes through a
 * shell, and a revision that begins with a minus is none.
 */
#include "cli/alerts/revision.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run/run.h"

extern char **environ;

/* Runs git with these words; its output goes to a file, or with -1 nowhere. The status that it
 * exits with, or -1 after a message. */
static int run_git(char *const words[], int output) {
    char git[] = "git";
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0, failure = posix_spawn_file_actions_init(&actions);
    if (!failure) {
        const char *nowhere = "/dev/null";
        failure = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, nowhere, O_WRONLY, 0);
        if (!failure && output < 0)
            failure =
                posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, nowhere, O_WRONLY, 0);
        else if (!failure)
            failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (!failure) failure = posix_spawnp(&child, git, &actions, NULL, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    while (!failure && waitpid(child, &status, 0) < 0)
        if (errno != EINTR) failure = errno;
    if (!failure) return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    complain("git: cannot run: %s", strerror(failure));
    return -1;
}

/* Does git know the revision? Else false after a message. */
static bool is_known(char *directory, const char *revision) {
    char git[] = "git", option[] = "-C", parse[] = "rev-parse", verify[] = "--verify",
         quiet[] = "--quiet", *object = NULL;
    if (asprintf(&object, "%s^{commit}", revision) < 0) return fail_memory(), false;
    char *words[] = {git, option, directory, parse, verify, quiet, object, NULL};
    int status = run_git(words, -1);
    free(object);
    if (status == 1)
        complain(
            "revision '%s' is not here: a shallow checkout? (`git fetch` it, or check out with "
            "`fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab)",
            shown(revision));
    else if (status > 1)
        complain("%s: not in a repository of git", shown(directory));
    return status == 0;
}

/* Cuts a path into its directory, where it has one, and its name. */
static const char *cut_path(char *path, char **directory) {
    static char root[] = "/";
    char *slash = strrchr(path, '/');
    if (!slash) return path;
    *directory = slash == path ? root : path;
    *slash = '\0';
    return slash + 1;
}

/* The content of the object, as a file; NULL after a message. */
static FILE *open_object(char *directory, char *object, const char *path, const char *revision) {
    char git[] = "git", option[] = "-C", show[] = "show";
    char *words[] = {git, option, directory, show, object, NULL};
    FILE *file = tmpfile();
    int status = file ? run_git(words, fileno(file)) : -1;
    if (!file) complain("a temporary file: %s", strerror(errno));
    if (status > 0) complain("%s: not found at revision '%s'", shown(path), shown(revision));
    if (status == 0) {
        rewind(file);
        return file;
    }
    if (file) fclose(file);
    return NULL;
}

FILE *revision_open(const char *revision, const char *path) {
    char here[] = ".", *directory = here, *copy = strdup(path), *object = NULL;
    const char *name = copy ? cut_path(copy, &directory) : "";
    FILE *file = NULL;
    if (!copy || asprintf(&object, "%s:./%s", revision, name) < 0)
        fail_memory();
    else if (is_known(directory, revision))
        file = open_object(directory, object, path, revision);
    free(copy);
    free(object);
    return file;
}
