/* SPDX-License-Identifier: Apache-2.0
 *
 * child.c: another program, run to its end.
 *
 * While it runs, signals are not handled but waited for, one by one, so that nothing races: its end
 * (SIGCHLD), and requests to stop. A key at a terminal goes to the whole foreground, the
 * child included; what a program sends (kill, timeout) has reached us alone, and is sent on.
 */
#include "cli/extract/child.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool is_program(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

bool child_exists(const char *name) {
    const char *folders = getenv("PATH");
    char path[4096];
    if (strchr(name, '/')) return is_program(name);
    while (folders && *folders) {
        int length = (int)strcspn(folders, ":");
        int n = snprintf(path, sizeof path, "%.*s/%s", length, length ? folders : ".", name);
        if (n < (int)sizeof path && is_program(path)) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* A program that was started with a signal ignored (nohup, `&` in a script) keeps ignoring it. */
static void add_unless_ignored(sigset_t *set, int signal_number) {
    struct sigaction now;
    sigaction(signal_number, NULL, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(set, signal_number);
}

/* Our own ignoring of SIGPIPE and SIGXFSZ is not the child's, nor are the signals that we wait
 * for. */
static int start(const char *const *argument, bool to_stderr, const sigset_t *mask, pid_t *child) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    int failure = posix_spawnattr_init(&attributes);
    if (failure) return failure;
    failure = posix_spawn_file_actions_init(&actions);
    if (!failure) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attributes, mask);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        if (to_stderr)
            failure = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
        if (!failure)
            failure = posix_spawnp(child, argument[0], &actions, &attributes,
                                   (char *const *)argument, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return failure;
}

static void wait_for(pid_t child, const sigset_t *awaited, child_end *end) {
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        siginfo_t info;
        int signal_number = sigwaitinfo(awaited, &info);
        if (signal_number != SIGINT && signal_number != SIGTERM) continue;
        end->interrupted = true;
        if (info.si_code <= 0) kill(child, signal_number);
    }
    end->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int child_run(const char *const *argument, bool to_stderr, child_end *end) {
    sigset_t awaited, before;
    pid_t child;
    *end = (child_end){0};
    signal(SIGCHLD, SIG_DFL); /* ignored, ends of children would be lost */
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    add_unless_ignored(&awaited, SIGINT);
    add_unless_ignored(&awaited, SIGTERM);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    int failure = start(argument, to_stderr, &before, &child);
    if (!failure) wait_for(child, &awaited, end);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return failure;
}
