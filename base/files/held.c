/* SPDX-License-Identifier: Apache-2.0
 *
 * held.c: signals of writes are held back and taken away.
 */
#include "base/files/held.h"

#include <errno.h>
#include <pthread.h>

static const int of_writes[] = {SIGPIPE, SIGXFSZ};

enum { N_OF_WRITES = sizeof of_writes / sizeof *of_writes };

cflri_held cflri_hold_write_signals(void) {
    cflri_held held;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int i = 0; i < N_OF_WRITES; i++) sigaddset(&blocked, of_writes[i]);
    sigpending(&held.pending);
    pthread_sigmask(SIG_BLOCK, &blocked, &held.mask);
    return held;
}

void cflri_release_write_signals(const cflri_held *held) {
    int kept = errno, taken;
    sigset_t pending, one;
    sigpending(&pending);
    for (int i = 0; i < N_OF_WRITES; i++) {
        if (!sigismember(&pending, of_writes[i]) || sigismember(&held->pending, of_writes[i]))
            continue;
        sigemptyset(&one);
        sigaddset(&one, of_writes[i]);
        sigwait(&one, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
    errno = kept;
}
