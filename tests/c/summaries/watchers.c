/* SPDX-License-Identifier: Apache-2.0
 *
 * watchers.c: libev: watchers and what their callbacks are given, the data of a loop.
 *
 * The library has functions of libevent's names, too: so this program is linked alone
 * (tests/c/summaries/alone/main.c).
 */
#include <ev.h>
#include <stddef.h>

#include "expect.h"

/* libev sets members through pointers of other types, as its documentation says. */
#pragma GCC diagnostic ignored "-Wstrict-aliasing"

static int tag, other_tag;
static struct ev_loop *seen_loop;
static ev_timer *seen_timer;
static ev_idle *seen_idle;
static ev_periodic *seen_periodic;
static void *seen_once, *seen_data;

static void on_time(struct ev_loop *loop, ev_timer *timer, int what) {
    (void)what;
    seen_loop = loop;
    seen_timer = timer;
    seen_data = timer->data;
}

static void on_idle(struct ev_loop *loop, ev_idle *idle, int what) {
    (void)what;
    seen_idle = idle;
    ev_idle_stop(loop, idle);
}

static void on_period(struct ev_loop *loop, ev_periodic *periodic, int what) {
    (void)loop, (void)periodic, (void)what;
}

static ev_tstamp next_period(ev_periodic *periodic, ev_tstamp now) {
    seen_periodic = periodic;
    return now + 1000;
}

static void on_once(int what, void *argument) {
    (void)what;
    seen_once = argument;
}

static void watchers(void) {
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    if (!loop) return;
    FRESH(loop);
    ev_set_userdata(loop, &tag);
    void *a = ev_userdata(loop);
    POINTS_TO(a, tag);
    ev_timer timer;
    ev_idle idle;
    ev_periodic periodic;
    ev_timer_init(&timer, on_time, 0, 0);
    timer.data = &other_tag;
    ev_timer_start(loop, &timer);
    ev_run(loop, EVRUN_ONCE);
    struct ev_loop *b = seen_loop;
    SAME(b, loop);
    ev_timer *c = seen_timer;
    POINTS_TO(c, timer);
    void *d = seen_data;
    POINTS_TO(d, other_tag);
    ev_idle_init(&idle, on_idle);
    ev_idle_start(loop, &idle);
    ev_periodic_init(&periodic, on_period, 0, 0, next_period);
    ev_periodic_start(loop, &periodic);
    ev_run(loop, EVRUN_NOWAIT);
    ev_idle *e = seen_idle;
    POINTS_TO(e, idle);
    ev_periodic *f = seen_periodic;
    POINTS_TO(f, periodic);
    ev_once(loop, -1, 0, 0, on_once, &tag);
    ev_run(loop, EVRUN_NOWAIT);
    void *g = seen_once;
    POINTS_TO(g, tag);
    ev_loop_destroy(loop);
}

static void default_loop(void) {
    struct ev_loop *loop = ev_default_loop(0), *again = EV_DEFAULT_UC;
    KNOWN(loop);
    SAME(again, loop);
    struct ev_loop *other = ev_loop_new(EVFLAG_AUTO);
    APART(loop, other);
    ev_loop_destroy(other);
}

void run_watchers(void);
void run_watchers(void) {
    watchers();
    default_loop();
}
