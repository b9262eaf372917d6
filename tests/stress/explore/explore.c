/* SPDX-License-Identifier: Apache-2.0
 *
 * explore.c: runs a scenario of threads under every schedule within a bound.
 */
#include "tests/stress/explore/explore.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/crew.h"
#include "tests/stress/need.h"

enum { THREADS = 4, STACK = 512 << 10, MOST_STEPS = 1 << 22 };

/* The threads of a crew. */
typedef struct team {
    bool active;
    uint32_t n, at; /* threads, and the one at hand */
    bool ended[THREADS], waits[THREADS];
    ucontext_t main, own[THREADS];
    cflri_crew crew;
    cflri_crew_work *work;
    void *what;
} team;

static team all;
static char stack[THREADS][STACK];

/* The schedule that runs, and the number of its delays that are over. */
static struct {
    uint64_t step, delay[EXPLORE_DELAYS];
    uint32_t n, used;
} schedule;

/* ---- threads ---- */

/* Returns the next thread that can run, which may be the running one; THREADS: none can. */
static uint32_t next_thread(void) {
    for (uint32_t i = 1; i <= all.n; i++) {
        uint32_t next = (all.at + i) % all.n;
        if (!all.ended[next] && !all.waits[next]) return next;
    }
    return THREADS;
}

static void go_to_next(void) {
    uint32_t from = all.at, next = next_thread();
    NEED(next < THREADS, "every thread waits");
    all.at = next;
    if (next != from) swapcontext(&all.own[from], &all.own[next]);
}

static bool is_delayed(void) {
    NEED(++schedule.step < MOST_STEPS, "threads do not come to an end");
    bool delayed = schedule.used < schedule.n && schedule.step == schedule.delay[schedule.used];
    schedule.used += delayed;
    return delayed;
}

void cflri_explore_point(void) {
    if (all.active && is_delayed()) go_to_next();
}

/* The running thread cannot continue before another one has run. */
static void rest(void) {
    is_delayed();
    go_to_next();
}

static void start(void) {
    uint32_t self = all.at;
    all.work(all.what, &all.crew, self);
    all.ended[self] = true;
    is_delayed();
    uint32_t next = next_thread();
    for (uint32_t i = 0; next == THREADS && i < all.n; i++) NEED(all.ended[i], "a thread waits");
    all.at = next;
    setcontext(next == THREADS ? &all.main : &all.own[next]);
}

/* ---- the functions of crew.c ---- */

void cflri_crew_run(uint32_t threads, cflri_crew_work *work, void *what) {
    NEED(!all.active && threads <= THREADS, "%u threads", threads);
    memset(&all, 0, sizeof all);
    all.n = threads;
    all.work = work;
    all.what = what;
    all.crew.threads = threads;
    for (uint32_t i = 0; i < threads; i++) {
        getcontext(&all.own[i]);
        all.own[i].uc_stack.ss_sp = stack[i];
        all.own[i].uc_stack.ss_size = STACK;
        makecontext(&all.own[i], start, 0);
    }
    all.active = threads > 1;
    swapcontext(&all.main, &all.own[0]);
    all.active = false;
}

void cflri_crew_wait(cflri_crew *crew) {
    if (crew->threads == 1) return;
    if (++crew->here == crew->threads) {
        crew->here = 0;
        memset(all.waits, 0, sizeof all.waits);
        cflri_explore_point();
        return;
    }
    all.waits[all.at] = true;
    rest();
}

void cflri_crew_rest(const cflri_crew *crew, uint32_t looks) {
    (void)crew;
    (void)looks;
    rest();
}

void cflri_latch_wait(cflri_latch *latch) {
    while (latch->taken) rest();
    latch->taken = true;
}

void cflri_explore_lock(pthread_mutex_t *lock) {
    while (pthread_mutex_trylock(lock)) rest();
}

void cflri_explore_sleep(pthread_mutex_t *lock) {
    pthread_mutex_unlock(lock);
    rest();
    cflri_explore_lock(lock);
}

/* ---- schedules ---- */

typedef struct exploring {
    bool (*scenario)(void *what);
    void *what;
    uint32_t delays;
    uint64_t distance;
    explored found;
} exploring;

/* For a run that ends the program. */
static void print_schedule(int signal_number) {
    fprintf(stderr, "signal %d in step %llu, delays at", signal_number,
            (unsigned long long)schedule.step);
    for (uint32_t i = 0; i < schedule.n; i++) {
        fprintf(stderr, " %llu", (unsigned long long)schedule.delay[i]);
    }
    fputc('\n', stderr);
    _exit(1);
}

/* Runs the schedule, and all schedules with the same first delays and more. */
static void try_schedules(exploring *e) {
    uint32_t n = schedule.n;
    schedule.step = schedule.used = 0;
    bool right = e->scenario(e->what);
    uint64_t first = n ? schedule.delay[n - 1] + 1 : 1, last = schedule.step;
    if (!e->found.runs++) e->found.steps = last;
    e->found.wrong += !right;
    if (n == e->delays) return;
    if (n && last - first > e->distance) last = first + e->distance;
    for (uint64_t step = first; step <= last; step++) {
        schedule.delay[n] = step;
        schedule.n = n + 1;
        try_schedules(e);
    }
    schedule.n = n;
}

explored explore(bool (*scenario)(void *what), void *what, uint32_t delays, uint64_t distance) {
    exploring e = {scenario, what, delays, distance, {0}};
    schedule.n = 0;
    signal(SIGABRT, print_schedule);
    signal(SIGSEGV, print_schedule);
    try_schedules(&e);
    return e.found;
}
