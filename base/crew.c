/* SPDX-License-Identifier: Apache-2.0
 *
 * crew.c: threads that do one thing together.
 *
 * The threads are OpenMP's. To wait, a thread looks for a while whether the others have come, since
 * steps may take less than it takes to wake a sleeper, and then sleeps. The while is a millisecond
 * at most: with less, all would sleep, and have to be woken, whenever one of them is held up for a
 * moment. Where there are more threads than processors a thread sleeps at once: one that looks
 * would hold up the one it waits for. So it does under OMP_WAIT_POLICY=passive, as OpenMP's own
 * waits do: other programs have the processors, too.
 */
#include "base/crew.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <strings.h>

enum { PATIENCE = 20000 };

static bool is_passive(void) {
    const char *policy = getenv("OMP_WAIT_POLICY");
    return policy && strcasecmp(policy, "passive") == 0;
}

static void begin(cflri_crew *crew, uint32_t threads) {
    bool alone = threads <= (uint32_t)omp_get_num_procs() && !is_passive();
    crew->threads = threads;
    crew->patience = alone ? PATIENCE : 0;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->all_here, NULL);
}

void cflri_crew_run(uint32_t threads, cflri_crew_work *work, void *what) {
    cflri_crew crew = {.threads = 1};
    if (threads < 2) {
        work(what, &crew, 0);
        return;
    }
#pragma omp parallel num_threads((int)threads)
    {
#pragma omp single
        begin(&crew, (uint32_t)omp_get_num_threads());
        work(what, &crew, (uint32_t)omp_get_thread_num());
    }
    pthread_mutex_destroy(&crew.lock);
    pthread_cond_destroy(&crew.all_here);
}

static bool is_over(cflri_crew *crew, uint32_t turn) {
    return atomic_load_explicit(&crew->turn, memory_order_acquire) != turn;
}

static void rest(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void cflri_crew_rest(const cflri_crew *crew, uint32_t looks) {
    if (looks < crew->patience)
        rest();
    else
        sched_yield();
}

static void end_turn(cflri_crew *crew, uint32_t turn) {
    atomic_store_explicit(&crew->here, 0, memory_order_relaxed);
    pthread_mutex_lock(&crew->lock);
    atomic_store_explicit(&crew->turn, turn + 1, memory_order_release);
    pthread_cond_broadcast(&crew->all_here);
    pthread_mutex_unlock(&crew->lock);
}

void cflri_crew_wait(cflri_crew *crew) {
    if (crew->threads == 1) return;
    uint32_t turn = atomic_load_explicit(&crew->turn, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&crew->here, 1, memory_order_acq_rel) + 1 == crew->threads) {
        end_turn(crew, turn);
        return;
    }
    for (uint32_t i = 0; i < crew->patience; i++) {
        if (is_over(crew, turn)) return;
        rest();
    }
    pthread_mutex_lock(&crew->lock);
    while (!is_over(crew, turn)) pthread_cond_wait(&crew->all_here, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

/* The thread that holds the latch may have to run first. */
void cflri_latch_wait(cflri_latch *latch) {
    do {
        while (atomic_load_explicit(&latch->taken, memory_order_relaxed)) sched_yield();
    } while (atomic_exchange_explicit(&latch->taken, true, memory_order_acquire));
}
