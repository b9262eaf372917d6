/* SPDX-License-Identifier: Apache-2.0
 *
 * deep.c: room for sources that nest deeply.
 *
 * clang parses, checks and shows a tree by recursion, as deep as the source nests, and bounds the
 * nesting of brackets only: a conversion of a conversion, an operand of an operand may be a hundred
 * thousand deep in code that was generated. Two things are done about that:
 *
 *     a large stack     the threads of OpenMP have whatever the environment gave them, and libclang
 *                       would make a thread of 8 MB for each parse if it were not told to stay in
 *                       ours (clang.c)
 *     a way back        libclang catches the signals of a crash and gives the unit up, but a
 *                       handler cannot run on the stack that has overflowed: it gets a small one of
 *                       its own
 *
 * So what is deeper than the large stack loses one unit, and says so, and not the process.
 */
#include "frontend/clang/deep.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { HANDLER_BYTES = 64 << 10 }; /* the kernel puts all registers there: up to 12 kB of them */

typedef struct deep {
    void (*job)(void *);
    void *user;
} deep;

static void *run(void *user) {
    deep *d = user;
    char stack[HANDLER_BYTES];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, before;
    bool given = sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE) &&
                 sigaltstack(&own, NULL) == 0;
    d->job(d->user);
    if (given) sigaltstack(&before, NULL);
    return NULL;
}

/* Without a thread to be had the job runs here: less room, same result. */
void cflri_deep_run(void (*job)(void *), void *user) {
    deep d = {job, user};
    pthread_attr_t attributes;
    pthread_t thread;
    bool started = false;
    if (pthread_attr_init(&attributes) == 0) {
        started = pthread_attr_setstacksize(&attributes, CFLRI_DEEP_BYTES) == 0 &&
                  pthread_create(&thread, &attributes, run, &d) == 0;
        pthread_attr_destroy(&attributes);
    }
    if (started)
        pthread_join(thread, NULL);
    else
        run(&d);
}

void cflri_deep_watch(void) {
    static const int signals[] = {SIGSEGV, SIGBUS};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) != 0 || (action.sa_flags & SA_ONSTACK)) continue;
        action.sa_flags |= SA_ONSTACK;
        sigaction(signals[i], &action, NULL);
    }
}
