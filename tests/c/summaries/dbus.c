/* SPDX-License-Identifier: Apache-2.0
 *
 * dbus.c: D-Bus: data of messages and connections, errors, callbacks of servers and objects.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdlib.h>

#include "expect.h"

typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef struct DBusServer DBusServer;
typedef struct DBusWatch DBusWatch;
typedef struct DBusError {
    const char *name, *message;
    unsigned bits;
    void *padding;
} DBusError;
typedef struct DBusMessageIter {
    void *rest[16];
} DBusMessageIter;
typedef struct DBusObjectPathVTable {
    void (*unregister)(DBusConnection *, void *);
    int (*message)(DBusConnection *, DBusMessage *, void *);
    void (*rest[4])(void *);
} DBusObjectPathVTable;
typedef void release(void *);

void dbus_error_init(DBusError *), dbus_set_error_const(DBusError *, const char *, const char *);
void dbus_set_error(DBusError *, const char *, const char *, ...);
void dbus_move_error(DBusError *, DBusError *);
DBusMessage *dbus_message_new_signal(const char *, const char *, const char *);
DBusMessage *dbus_message_ref(DBusMessage *);
void dbus_message_unref(DBusMessage *), dbus_free(void *), *dbus_malloc(size_t);
int dbus_message_allocate_data_slot(int *), dbus_message_set_data(DBusMessage *, int, void *, release *);
void *dbus_message_get_data(DBusMessage *, int);
int dbus_message_append_args(DBusMessage *, int, ...);
int dbus_message_get_args(DBusMessage *, DBusError *, int, ...);
int dbus_message_iter_init(DBusMessage *, DBusMessageIter *);
void dbus_message_iter_get_basic(DBusMessageIter *, void *);
const char *dbus_message_get_path(DBusMessage *);
DBusServer *dbus_server_listen(const char *, DBusError *);
char *dbus_server_get_address(DBusServer *);
void dbus_server_set_new_connection_function(DBusServer *,
                                             void (*)(DBusServer *, DBusConnection *, void *),
                                             void *, release *);
int dbus_server_set_watch_functions(DBusServer *, int (*)(DBusWatch *, void *),
                                    void (*)(DBusWatch *, void *), void (*)(DBusWatch *, void *),
                                    void *, release *);
void dbus_server_disconnect(DBusServer *), dbus_server_unref(DBusServer *);
void dbus_watch_set_data(DBusWatch *, void *, release *), *dbus_watch_get_data(DBusWatch *);
int dbus_watch_handle(DBusWatch *, unsigned);
DBusConnection *dbus_connection_open_private(const char *, DBusError *);
int dbus_connection_add_filter(DBusConnection *, int (*)(DBusConnection *, DBusMessage *, void *),
                               void *, release *);
int dbus_connection_register_object_path(DBusConnection *, const char *,
                                         const DBusObjectPathVTable *, void *);
int dbus_connection_get_object_path_data(DBusConnection *, const char *, void **);
void dbus_connection_close(DBusConnection *), dbus_connection_unref(DBusConnection *);

static int tag, other_tag, third_tag;
static void *seen_server, *seen_watch_data, *seen_filter, *seen_object, *seen_freed;
static DBusServer *seen_of;
static DBusWatch *seen_watch;

static void on_free(void *data) {
    seen_freed = data;
}

static void messages(void) {
    DBusMessage *message = dbus_message_new_signal("/a", "b.c", "D");
    FRESH(message);
    DBusMessage *same = dbus_message_ref(message);
    SAME(same, message);
    dbus_message_unref(same);
    int slot = -1;
    dbus_message_allocate_data_slot(&slot);
    dbus_message_set_data(message, slot, &tag, on_free);
    void *a = dbus_message_get_data(message, slot);
    POINTS_TO(a, tag);
    static const char text[] = "text";
    const char *in = text, *out = NULL, *basic = NULL, *path = dbus_message_get_path(message);
    dbus_message_append_args(message, 's', &in, 0);
    dbus_message_get_args(message, NULL, 's', &out, 0);
    KNOWN(out);
    KNOWN(path);
    DBusMessageIter iter;
    dbus_message_iter_init(message, &iter);
    dbus_message_iter_get_basic(&iter, &basic);
    KNOWN(basic);
    SAME(basic, out);
    dbus_message_unref(message);
    void *b = seen_freed;
    POINTS_TO(b, tag);
    void *c = dbus_malloc(8);
    FRESH(c);
    dbus_free(c);
}

static void errors(void) {
    static const char name[] = "a.b", text[] = "text";
    DBusError error, other, third;
    dbus_error_init(&error);
    dbus_error_init(&other);
    dbus_error_init(&third);
    dbus_set_error_const(&error, name, text);
    const char *a = error.name, *b = error.message;
    POINTS_TO(a, name);
    POINTS_TO(b, text);
    dbus_move_error(&error, &other);
    const char *c = other.message;
    POINTS_TO(c, text);
    dbus_set_error(&third, name, "%d", 3);
    const char *d = third.message;
    FRESH(d);
    APART(d, b);
}

static void on_connection(DBusServer *server, DBusConnection *connection, void *data) {
    (void)connection;
    seen_of = server;
    seen_server = data;
}

static int on_watch(DBusWatch *watch, void *data) {
    seen_watch = watch;
    seen_watch_data = data;
    return 1;
}

static void on_watch_change(DBusWatch *watch, void *data) {
    (void)watch, (void)data;
}

static int on_filter(DBusConnection *connection, DBusMessage *message, void *data) {
    (void)connection, (void)message;
    seen_filter = data;
    return 1;
}

static int on_message(DBusConnection *connection, DBusMessage *message, void *data) {
    (void)connection, (void)message, (void)data;
    return 1;
}

static void on_unregister(DBusConnection *connection, void *data) {
    (void)connection;
    seen_object = data;
}

static void servers(void) {
    DBusServer *server = dbus_server_listen("unix:tmpdir=/tmp", NULL);
    if (!server) return;
    FRESH(server);
    dbus_server_set_new_connection_function(server, on_connection, &tag, NULL);
    dbus_server_set_watch_functions(server, on_watch, on_watch_change, on_watch_change, &other_tag,
                                    NULL);
    DBusWatch *watch = seen_watch;
    KNOWN(watch);
    dbus_watch_set_data(watch, &third_tag, NULL);
    void *a = dbus_watch_get_data(watch), *b = seen_watch_data;
    POINTS_TO(a, third_tag);
    POINTS_TO(b, other_tag);
    char *address = dbus_server_get_address(server);
    FRESH(address);
    DBusConnection *connection = dbus_connection_open_private(address, NULL);
    FRESH(connection);
    dbus_watch_handle(watch, 1);
    void *c = seen_server;
    POINTS_TO(c, tag);
    APART(c, b);
    DBusServer *d = seen_of;
    SAME(d, server);
    dbus_connection_add_filter(connection, on_filter, &tag, NULL);
    static const DBusObjectPathVTable table = {on_unregister, on_message, {NULL}};
    dbus_connection_register_object_path(connection, "/a", &table, &third_tag);
    void *e = NULL;
    dbus_connection_get_object_path_data(connection, "/a", &e);
    POINTS_TO(e, third_tag);
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
    void *f = seen_object, *g = seen_filter;
    POINTS_TO(f, third_tag);
    WILL_POINT_TO(g, tag);
    dbus_server_disconnect(server);
    dbus_server_unref(server);
    dbus_free(address);
}

void run_dbus(void);
void run_dbus(void) {
    messages();
    errors();
    servers();
}
