/* SPDX-License-Identifier: Apache-2.0
 *
 * turns.c: a count of parses, a count of forks that wait for their end, and a lock of both that is
 * held during a fork: the child has a copy that its one thread holds.
 */
#include "frontend/clang/turns.h"

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t no_fork = PTHREAD_COND_INITIALIZER; /* is wanted */
static unsigned parsing, wanted;

void cflri_parse_begin(void) {
    pthread_mutex_lock(&lock);
    while (wanted > 0) pthread_cond_wait(&no_fork, &lock);
    parsing++;
    pthread_mutex_unlock(&lock);
}

void cflri_parse_end(void) {
    pthread_mutex_lock(&lock);
    assert(parsing > 0);
    parsing--;
    pthread_mutex_unlock(&lock);
}

void cflri_fork_want(void) {
    pthread_mutex_lock(&lock);
    wanted++;
    pthread_mutex_unlock(&lock);
}

static void want_no_more(void) {
    assert(wanted > 0);
    if (--wanted == 0) pthread_cond_broadcast(&no_fork);
}

void cflri_fork_give_up(void) {
    pthread_mutex_lock(&lock);
    want_no_more();
    pthread_mutex_unlock(&lock);
}

bool cflri_fork_begin(void) {
    pthread_mutex_lock(&lock);
    if (parsing == 0) return true;
    pthread_mutex_unlock(&lock);
    return false;
}

void cflri_fork_end(bool in_child) {
    if (in_child)
        wanted = 0; /* those that wait are elsewhere, and so is what they wait for */
    else
        want_no_more();
    pthread_mutex_unlock(&lock);
}
