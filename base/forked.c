/* SPDX-License-Identifier: Apache-2.0
 *
 * forked.c: how a forked process settles, and what goes through the socket to its caller.
 */
#include "base/forked.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void set_signals(void) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    static const int ignored[] = {SIGINT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
}

/* 0 would still start the program that a system has for cores, 1 does not. */
static void leave_no_core(void) {
    struct rlimit core = {.rlim_cur = 1};
    struct rlimit before;
    if (getrlimit(RLIMIT_CORE, &before) != 0 || before.rlim_max == 0) return;
    core.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_CORE, &core);
}

void cflri_forked_settle(void) {
    set_signals();
    leave_no_core();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++) dup2(null, fd);
}

void cflri_hang_up(int channel) {
    shutdown(channel, SHUT_RDWR);
    close(channel);
}

bool cflri_send_all(int channel, const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        ssize_t n = send(channel, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool cflri_receive_all(int channel, void *data, size_t size) {
    char *at = data;
    while (size > 0) {
        ssize_t n = recv(channel, at, size, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}
