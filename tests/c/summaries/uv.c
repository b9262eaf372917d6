/* SPDX-License-Identifier: Apache-2.0
 *
 * uv.c: libuv: handles and requests come back to their callbacks, with their data and their loop.
 *
 * What is used of the header is said here, so that the program is analysed where it is not; it is
 * linked alone (tests/c/summaries/alone/main.c).
 */
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "expect.h"

/* Handles are longer in the library: here they have room for all of them. */
typedef struct uv_loop_t {
    void *data;
    void *rest[256];
} uv_loop_t;
typedef struct uv_handle_t {
    void *data;
    uv_loop_t *loop;
    void *rest[126];
} uv_handle_t;
typedef struct uv_buf_t {
    char *base;
    size_t len;
} uv_buf_t;
typedef struct uv_write_t {
    void *data;
    void *private[8];
    uv_handle_t *send_handle, *handle;
    void *rest[64];
} uv_write_t;
typedef struct uv_work_t {
    void *data;
    void *private[7];
    uv_loop_t *loop;
    void *rest[64];
} uv_work_t;
typedef struct uv_fs_t {
    void *data;
    void *private[8];
    uv_loop_t *loop;
    void (*cb)(struct uv_fs_t *);
    long result;
    void *ptr;
    const char *path;
    void *rest[64];
} uv_fs_t;
typedef struct uv_key_t {
    unsigned key;
} uv_key_t;
typedef unsigned long uv_thread_t;
typedef void handle_callback(uv_handle_t *);

uv_loop_t *uv_default_loop(void), *uv_handle_get_loop(const uv_handle_t *);
int uv_loop_init(uv_loop_t *), uv_loop_close(uv_loop_t *), uv_run(uv_loop_t *, int);
void uv_loop_set_data(uv_loop_t *, void *), *uv_loop_get_data(const uv_loop_t *);
void uv_handle_set_data(uv_handle_t *, void *), *uv_handle_get_data(const uv_handle_t *);
void uv_walk(uv_loop_t *, void (*)(uv_handle_t *, void *), void *);
void uv_close(uv_handle_t *, handle_callback *);
int uv_timer_init(uv_loop_t *, uv_handle_t *), uv_timer_stop(uv_handle_t *);
int uv_timer_start(uv_handle_t *, handle_callback *, unsigned long, unsigned long);
int uv_idle_init(uv_loop_t *, uv_handle_t *), uv_idle_start(uv_handle_t *, handle_callback *);
int uv_idle_stop(uv_handle_t *);
int uv_async_init(uv_loop_t *, uv_handle_t *, handle_callback *), uv_async_send(uv_handle_t *);
int uv_pipe_init(uv_loop_t *, uv_handle_t *, int), uv_pipe_open(uv_handle_t *, int);
int uv_read_start(uv_handle_t *, void (*)(uv_handle_t *, size_t, uv_buf_t *),
                  void (*)(uv_handle_t *, long, const uv_buf_t *));
int uv_write(uv_write_t *, uv_handle_t *, const uv_buf_t *, unsigned, void (*)(uv_write_t *, int));
uv_buf_t uv_buf_init(char *, unsigned);
int uv_queue_work(uv_loop_t *, uv_work_t *, void (*)(uv_work_t *), void (*)(uv_work_t *, int));
int uv_fs_open(uv_loop_t *, uv_fs_t *, const char *, int, int, void (*)(uv_fs_t *));
void uv_fs_req_cleanup(uv_fs_t *);
int uv_getaddrinfo(uv_loop_t *, uv_fs_t *, void (*)(uv_fs_t *, int, struct addrinfo *),
                   const char *, const char *, const struct addrinfo *);
void uv_freeaddrinfo(struct addrinfo *);
int uv_thread_create(uv_thread_t *, void (*)(void *), void *), uv_thread_join(uv_thread_t *);
int uv_key_create(uv_key_t *);
void uv_key_set(uv_key_t *, void *), *uv_key_get(uv_key_t *);
const char *uv_strerror(int);

static int tag, other_tag, third_tag;
static uv_handle_t *seen_timer, *seen_idle, *seen_async, *seen_closed, *seen_walked, *seen_stream;
static void *seen_data, *seen_walk_data, *seen_thread;
static uv_loop_t *seen_loop;

static void on_timer(uv_handle_t *handle) {
    seen_timer = handle;
    seen_data = handle->data;
    seen_loop = handle->loop;
}

static void on_idle(uv_handle_t *handle) {
    seen_idle = handle;
    uv_idle_stop(handle);
}

static void on_async(uv_handle_t *handle) {
    seen_async = handle;
    uv_close(handle, NULL);
}

static void on_close(uv_handle_t *handle) {
    seen_closed = handle;
}

static void on_walk(uv_handle_t *handle, void *argument) {
    seen_walked = handle;
    seen_walk_data = argument;
}

static void handles(uv_loop_t *loop) {
    static uv_handle_t timer, idle, async;
    uv_timer_init(loop, &timer);
    uv_idle_init(loop, &idle);
    uv_async_init(loop, &async, on_async);
    uv_handle_set_data(&timer, &tag);
    uv_timer_start(&timer, on_timer, 1, 0);
    uv_idle_start(&idle, on_idle);
    uv_async_send(&async);
    uv_walk(loop, on_walk, &other_tag);
    uv_run(loop, 0);
    uv_handle_t *a = seen_timer, *b = seen_idle, *c = seen_async, *d = seen_walked;
    POINTS_TO(a, timer);
    POINTS_TO(b, idle);
    POINTS_TO(c, async);
    KNOWN(d);
    APART(a, b);
    APART(b, c);
    void *e = seen_data, *f = seen_walk_data, *g = uv_handle_get_data(&timer);
    POINTS_TO(e, tag);
    POINTS_TO(f, other_tag);
    POINTS_TO(g, tag);
    APART(e, f);
    uv_loop_t *h = seen_loop, *i = uv_handle_get_loop(&timer);
    SAME(h, loop);
    SAME(i, loop);
    uv_close(&timer, on_close);
    uv_close(&idle, NULL);
    uv_run(loop, 0);
    uv_handle_t *j = seen_closed;
    POINTS_TO(j, timer);
}

/* ---- streams ---- */

static char memory[64];
static char *seen_base;
static uv_write_t *seen_write;
static uv_handle_t *seen_write_handle;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    buffer->base = memory;
    buffer->len = sizeof memory;
}

static void on_read(uv_handle_t *handle, long n, const uv_buf_t *buffer) {
    (void)n;
    seen_stream = handle;
    seen_base = buffer->base;
    uv_close(handle, NULL);
}

static void on_written(uv_write_t *request, int status) {
    (void)status;
    seen_write = request;
    seen_write_handle = request->handle;
    uv_close(request->handle, NULL);
}

static void streams(uv_loop_t *loop) {
    int ends[2];
    static uv_handle_t in, out;
    static uv_write_t request;
    static char text[] = "text";
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
    uv_pipe_init(loop, &in, 0);
    uv_pipe_init(loop, &out, 0);
    uv_pipe_open(&in, ends[0]);
    uv_pipe_open(&out, ends[1]);
    uv_buf_t buffer = uv_buf_init(text, 4);
    char *a = buffer.base;
    POINTS_TO(a, text);
    static char other[] = "other";
    uv_buf_t (*make)(char *, unsigned) = uv_buf_init;
    uv_buf_t made = make(other, 5);
    char *f = made.base;
    POINTS_TO(f, other);
    uv_read_start(&in, on_alloc, on_read);
    uv_write(&request, &out, &buffer, 1, on_written);
    uv_run(loop, 0);
    char *b = seen_base;
    POINTS_TO(b, memory);
    uv_handle_t *c = seen_stream, *d = seen_write_handle;
    POINTS_TO(c, in);
    POINTS_TO(d, out);
    uv_write_t *e = seen_write;
    POINTS_TO(e, request);
}

/* ---- work, files, names, threads ---- */

static uv_work_t *seen_work, *seen_after;
static uv_fs_t *seen_file, *seen_names;
static struct addrinfo *seen_found;

static void on_work(uv_work_t *work) {
    seen_work = work;
}

static void after_work(uv_work_t *work, int status) {
    (void)status;
    seen_after = work;
}

static void on_file(uv_fs_t *file) {
    seen_file = file;
}

static void on_names(uv_fs_t *request, int status, struct addrinfo *found) {
    (void)status;
    seen_names = request;
    seen_found = found;
}

static void in_thread(void *argument) {
    seen_thread = argument;
}

static void requests(uv_loop_t *loop) {
    static uv_work_t work;
    static uv_fs_t file, names;
    work.data = &tag;
    uv_queue_work(loop, &work, on_work, after_work);
    uv_fs_open(loop, &file, "/dev/null", O_RDONLY, 0, on_file);
    uv_getaddrinfo(loop, &names, on_names, "127.0.0.1", NULL, NULL);
    uv_run(loop, 0);
    uv_work_t *a = seen_work, *b = seen_after;
    POINTS_TO(a, work);
    POINTS_TO(b, work);
    void *c = b->data;
    POINTS_TO(c, tag);
    uv_loop_t *d = b->loop, *e = file.loop;
    SAME(d, loop);
    SAME(e, loop);
    uv_fs_t *f = seen_file, *g = seen_names;
    POINTS_TO(f, file);
    POINTS_TO(g, names);
    const char *h = file.path;
    KNOWN(h);
    struct addrinfo *i = seen_found;
    struct sockaddr *j = i->ai_addr;
    FRESH(i);
    FRESH(j);
    uv_freeaddrinfo(i);
    uv_fs_req_cleanup(&file);
    uv_thread_t thread;
    uv_thread_create(&thread, in_thread, &third_tag);
    uv_thread_join(&thread);
    void *k = seen_thread;
    POINTS_TO(k, third_tag);
    static uv_key_t key;
    uv_key_create(&key);
    uv_key_set(&key, &other_tag);
    void *l = uv_key_get(&key);
    POINTS_TO(l, other_tag);
    const char *m = uv_strerror(-1);
    KNOWN(m);
}

void run_uv(void);
void run_uv(void) {
    static uv_loop_t loop;
    uv_loop_init(&loop);
    uv_loop_set_data(&loop, &third_tag);
    void *data = uv_loop_get_data(&loop);
    POINTS_TO(data, third_tag);
    uv_loop_t *first = uv_default_loop(), *again = uv_default_loop();
    SAME(first, again);
    handles(&loop);
    streams(&loop);
    requests(&loop);
    uv_loop_close(&loop);
}
