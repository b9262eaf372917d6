/* SPDX-License-Identifier: Apache-2.0
 *
 * watchers.c: a null pointer that goes out through an argument, and one that goes into a callback.
 *
 * The seeded bugs: `open_log` leaves NULL behind when it fails, and its caller does not ask; and a
 * watcher is given no user data, but writes to it. The twins ask first.
 */
#include <stdio.h>
#include <stdlib.h>

struct log {
    int lines;
};

struct counter {
    int events;
};

typedef void watcher(int event, void *user);

static struct watch {
    watcher *call;
    void *user;
} watches[8];
static int n_watches;

static int open_log(const char *path, struct log **log) {
    *log = NULL;
    if (!path[0]) return -1;
    static struct log only;
    *log = &only;
    return 0;
}

static void watch(watcher *call, void *user) {
    if (n_watches == 8) return;
    watches[n_watches].call = call;
    watches[n_watches++].user = user;
}

static void count(int event, void *user) {
    struct counter *counter = user;
    counter->events += event; /* bug: a watcher without a counter */
}

static void count_if_asked(int event, void *user) {
    struct counter *counter = user;
    if (counter) counter->events += event;
}

static void happen(int event) {
    for (int i = 0; i < n_watches; i++) watches[i].call(event, watches[i].user);
}

int main(int argc, char **argv) {
    struct log *log;
    open_log(argc > 1 ? argv[1] : "", &log);
    log->lines = 0; /* bug: opening may have failed */

    struct log *second;
    open_log("second", &second);
    struct log *opened = second;
    if (opened != NULL) opened->lines = 0;

    watch(count, NULL);
    watch(count_if_asked, NULL);
    happen(1);
    return 0;
}
