/* SPDX-License-Identifier: Apache-2.0
 *
 * systemd.c: libsystemd: sources of events and their data, slots of a bus, errors.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "expect.h"

typedef struct sd_event sd_event;
typedef struct sd_event_source sd_event_source;
typedef struct sd_bus sd_bus;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_error {
    const char *name, *message;
    int need_free;
} sd_bus_error;
typedef int handler(sd_event_source *, void *);
typedef int message_handler(sd_bus_message *, void *, sd_bus_error *);

int sd_event_new(sd_event **), sd_event_default(sd_event **), sd_event_run(sd_event *, uint64_t);
sd_event *sd_event_ref(sd_event *), *sd_event_unref(sd_event *);
int sd_event_add_io(sd_event *, sd_event_source **, int, uint32_t,
                    int (*)(sd_event_source *, int, uint32_t, void *), void *);
int sd_event_add_time(sd_event *, sd_event_source **, clockid_t, uint64_t, uint64_t,
                      int (*)(sd_event_source *, uint64_t, void *), void *);
int sd_event_add_defer(sd_event *, sd_event_source **, handler *, void *);
sd_event_source *sd_event_source_unref(sd_event_source *);
sd_event *sd_event_source_get_event(sd_event_source *);
void *sd_event_source_get_userdata(sd_event_source *);
void *sd_event_source_set_userdata(sd_event_source *, void *);
int sd_event_source_set_destroy_callback(sd_event_source *, void (*)(void *));
int sd_event_source_set_prepare(sd_event_source *, handler *);
int sd_bus_new(sd_bus **), sd_bus_set_address(sd_bus *, const char *), sd_bus_start(sd_bus *);
int sd_bus_add_filter(sd_bus *, sd_bus_slot **, message_handler *, void *);
sd_bus *sd_bus_slot_get_bus(sd_bus_slot *), *sd_bus_unref(sd_bus *);
void *sd_bus_slot_get_userdata(sd_bus_slot *);
sd_bus_slot *sd_bus_slot_unref(sd_bus_slot *);
int sd_bus_error_set_const(sd_bus_error *, const char *, const char *);
int sd_bus_error_copy(sd_bus_error *, const sd_bus_error *);
int sd_bus_path_encode(const char *, const char *, char **);

static int tag, other_tag, third_tag, fourth_tag;
static void *seen_io, *seen_time, *seen_defer, *seen_destroyed, *seen_message;
static sd_event_source *seen_source;

static int on_io(sd_event_source *source, int fd, uint32_t events, void *data) {
    (void)fd, (void)events;
    seen_source = source;
    seen_io = data;
    return 0;
}

static int on_time(sd_event_source *source, uint64_t now, void *data) {
    (void)source, (void)now;
    seen_time = data;
    return 0;
}

static int on_defer(sd_event_source *source, void *data) {
    (void)source;
    seen_defer = data;
    return 0;
}

static int on_prepare(sd_event_source *source, void *data) {
    (void)source, (void)data;
    return 0;
}

static void on_destroy(void *data) {
    seen_destroyed = data;
}

static void events(void) {
    sd_event *event = NULL, *first = NULL, *again = NULL;
    sd_event_source *io = NULL, *timer = NULL, *defer = NULL;
    int ends[2];
    if (sd_event_new(&event) < 0 || pipe(ends) != 0) return;
    FRESH(event);
    sd_event_default(&first);
    sd_event_default(&again);
    KNOWN(first);
    SAME(first, again);
    APART(first, event);
    sd_event_add_io(event, &io, ends[1], EPOLLOUT, on_io, &tag);
    sd_event_add_time(event, &timer, CLOCK_MONOTONIC, 0, 0, on_time, &other_tag);
    sd_event_add_defer(event, &defer, on_defer, &third_tag);
    FRESH(io);
    APART(io, timer);
    sd_event *of_source = sd_event_source_get_event(io);
    SAME(of_source, event);
    sd_event_source_set_prepare(io, on_prepare);
    sd_event_source_set_destroy_callback(timer, on_destroy);
    for (int i = 0; i < 5; i++) sd_event_run(event, 1000);
    void *a = seen_io, *b = seen_time, *c = seen_defer;
    POINTS_TO(a, tag);
    POINTS_TO(b, other_tag);
    POINTS_TO(c, third_tag);
    APART(a, b);
    APART(b, c);
    sd_event_source *d = seen_source;
    SAME(d, io);
    void *e = sd_event_source_set_userdata(io, &fourth_tag);
    void *f = sd_event_source_get_userdata(io);
    POINTS_TO(e, tag);
    POINTS_TO(f, fourth_tag);
    sd_event_source_unref(timer);
    void *g = seen_destroyed;
    POINTS_TO(g, other_tag);
    sd_event_source_unref(io);
    sd_event_source_unref(defer);
    sd_event_unref(event);
}

static int on_message(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)message, (void)error;
    seen_message = data;
    return 0;
}

static void bus(void) {
    sd_bus *bus = NULL;
    sd_bus_slot *slot = NULL;
    if (sd_bus_new(&bus) < 0) return;
    FRESH(bus);
    sd_bus_add_filter(bus, &slot, on_message, &fourth_tag);
    FRESH(slot);
    sd_bus *of_slot = sd_bus_slot_get_bus(slot);
    SAME(of_slot, bus);
    void *a = sd_bus_slot_get_userdata(slot), *b = seen_message;
    POINTS_TO(a, fourth_tag);
    WILL_POINT_TO(b, fourth_tag);
    static const char name[] = "a.b", text[] = "text";
    sd_bus_error error = {NULL, NULL, 0}, other = {NULL, NULL, 0};
    sd_bus_error_set_const(&error, name, text);
    const char *c = error.name, *d = error.message;
    POINTS_TO(c, name);
    POINTS_TO(d, text);
    sd_bus_error_copy(&other, &error);
    const char *e = other.name;
    KNOWN(e);
    char *path = NULL;
    sd_bus_path_encode("/a", "b", &path);
    FRESH(path);
    free(path);
    sd_bus_slot_unref(slot);
    sd_bus_unref(bus);
}

void run_systemd(void);
void run_systemd(void) {
    events();
    bus();
}
