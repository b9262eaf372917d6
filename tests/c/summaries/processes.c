/* SPDX-License-Identifier: Apache-2.0
 *
 * processes.c: signals, timers, messages and asynchronous input that end with a call, threads and
 * processes (signal.h, time.h, aio.h, mqueue.h, pthread.h, sched.h).
 *
 * A call that comes from another thread is waited for; what a machine forbids is not looked at.
 */
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "expect.h"

typedef void handler_function(int);

/* Names that no header declares for every program. */
handler_function *bsd_signal(int number, handler_function *handler);
int __sigaction(int number, const struct sigaction *action, struct sigaction *old);
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *library);
void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*function)(void *),
                           void *argument);
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute);

/* ---- signals ---- */

static void ignore(int number) {
    (void)number;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void handlers(void) {
    handler_function *expected = ignore;
    bsd_signal(SIGUSR2, ignore);
    handler_function *a = bsd_signal(SIGUSR2, ignore);
    handler_function *b = sysv_signal(SIGUSR2, ignore);
    handler_function *c = __sysv_signal(SIGUSR2, ignore);
    handler_function *d = ssignal(SIGUSR2, ignore);
    handler_function *e = sigset(SIGUSR2, ignore);
    SAME(a, expected);
    SAME(b, expected);
    SAME(c, expected);
    SAME(d, expected);
    SAME(e, expected);
    struct sigaction action = {.sa_handler = ignore}, old;
    __sigaction(SIGUSR2, &action, &old);
    __sigaction(SIGUSR2, &action, &old);
    handler_function *f = old.sa_handler;
    SAME(f, expected);
    signal(SIGUSR2, SIG_DFL);
}

static char other_stack[65536];

static void stacks(void) {
    stack_t mine = {.ss_sp = other_stack, .ss_size = sizeof other_stack}, before, now;
    if (sigaltstack(&mine, &before)) return;
    sigaltstack(&before, &now);
    void *a = now.ss_sp;
    POINTS_TO(a, other_stack);
}

static void queues(void) {
    static int payload;
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_ptr = &payload});
    siginfo_t info;
    struct timespec limit = {.tv_sec = 5};
    if (sigtimedwait(&set, &info, &limit) == SIGUSR1) {
        void *a = info.si_ptr;
        POINTS_TO(a, payload);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- calls from other threads ---- */

static sem_t called;

static void wait_for_call(void) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 10;
    sem_timedwait(&called, &limit);
}

static void *by_timer, *by_reading, *by_writing, *by_syncing, *by_list, *by_queue;

static void timer_ended(union sigval value) {
    by_timer = value.sival_ptr;
    sem_post(&called);
}

static void reading_ended(union sigval value) {
    by_reading = value.sival_ptr;
    sem_post(&called);
}

static void writing_ended(union sigval value) {
    by_writing = value.sival_ptr;
    sem_post(&called);
}

static void syncing_ended(union sigval value) {
    by_syncing = value.sival_ptr;
    sem_post(&called);
}

static void list_ended(union sigval value) {
    by_list = value.sival_ptr;
    sem_post(&called);
}

static void queue_filled(union sigval value) {
    by_queue = value.sival_ptr;
    sem_post(&called);
}

static void timers(void) {
    static int payload;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = &payload};
    event.sigev_notify_function = timer_ended;
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return;
    struct itimerspec soon = {.it_value.tv_nsec = 1000};
    timer_settime(timer, 0, &soon, NULL);
    wait_for_call();
    void *a = by_timer;
    POINTS_TO(a, payload);
    timer_delete(timer);
}

/* Every request is of this file, which holds two bytes. */
static int open_file(void) {
    char path[] = "/tmp/cflr-aio-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return -1;
    unlink(path);
    if (write(file, "ab", 2) == 2) return file;
    close(file);
    return -1;
}

static void asynchronous(void) {
    static int read_payload, write_payload, sync_payload;
    int file = open_file();
    if (file < 0) return;
    char byte[1];
    struct aiocb reading = {.aio_fildes = file, .aio_buf = byte, .aio_nbytes = 1};
    reading.aio_sigevent.sigev_notify = SIGEV_THREAD;
    reading.aio_sigevent.sigev_notify_function = reading_ended;
    reading.aio_sigevent.sigev_value.sival_ptr = &read_payload;
    struct aiocb writing = {.aio_fildes = file, .aio_buf = byte, .aio_nbytes = 1};
    writing.aio_sigevent.sigev_notify = SIGEV_THREAD;
    writing.aio_sigevent.sigev_notify_function = writing_ended;
    writing.aio_sigevent.sigev_value.sival_ptr = &write_payload;
    struct aiocb syncing = {.aio_fildes = file};
    syncing.aio_sigevent.sigev_notify = SIGEV_THREAD;
    syncing.aio_sigevent.sigev_notify_function = syncing_ended;
    syncing.aio_sigevent.sigev_value.sival_ptr = &sync_payload;
    if (aio_read(&reading) == 0) wait_for_call();
    if (aio_write(&writing) == 0) wait_for_call();
    if (aio_fsync(O_SYNC, &syncing) == 0) wait_for_call();
    void *a = by_reading, *b = by_writing, *c = by_syncing;
    if (a) POINTS_TO(a, read_payload);
    if (b) POINTS_TO(b, write_payload);
    if (c) POINTS_TO(c, sync_payload);
    close(file);
}

static void asynchronous_large(void) {
    static int read_payload, write_payload, sync_payload;
    int file = open_file();
    if (file < 0) return;
    by_reading = by_writing = by_syncing = NULL;
    char byte[1];
    struct aiocb64 reading = {.aio_fildes = file, .aio_buf = byte, .aio_nbytes = 1};
    reading.aio_sigevent.sigev_notify = SIGEV_THREAD;
    reading.aio_sigevent.sigev_notify_function = reading_ended;
    reading.aio_sigevent.sigev_value.sival_ptr = &read_payload;
    struct aiocb64 writing = {.aio_fildes = file, .aio_buf = byte, .aio_nbytes = 1};
    writing.aio_sigevent.sigev_notify = SIGEV_THREAD;
    writing.aio_sigevent.sigev_notify_function = writing_ended;
    writing.aio_sigevent.sigev_value.sival_ptr = &write_payload;
    struct aiocb64 syncing = {.aio_fildes = file};
    syncing.aio_sigevent.sigev_notify = SIGEV_THREAD;
    syncing.aio_sigevent.sigev_notify_function = syncing_ended;
    syncing.aio_sigevent.sigev_value.sival_ptr = &sync_payload;
    if (aio_read64(&reading) == 0) wait_for_call();
    if (aio_write64(&writing) == 0) wait_for_call();
    if (aio_fsync64(O_SYNC, &syncing) == 0) wait_for_call();
    void *a = by_reading, *b = by_writing, *c = by_syncing;
    if (a) POINTS_TO(a, read_payload);
    if (b) POINTS_TO(b, write_payload);
    if (c) POINTS_TO(c, sync_payload);
    close(file);
}

static void lists(void) {
    static int payload, part;
    int file = open_file();
    if (file < 0) return;
    char byte[1];
    by_reading = NULL;
    struct aiocb one = {.aio_fildes = file, .aio_buf = byte, .aio_nbytes = 1};
    one.aio_lio_opcode = LIO_READ;
    one.aio_sigevent.sigev_notify = SIGEV_THREAD;
    one.aio_sigevent.sigev_notify_function = reading_ended;
    one.aio_sigevent.sigev_value.sival_ptr = &part;
    struct aiocb *requests[] = {&one};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = &payload};
    event.sigev_notify_function = list_ended;
    if (lio_listio(LIO_NOWAIT, requests, 1, &event) == 0) {
        wait_for_call();
        wait_for_call();
    }
    void *a = by_list, *b = by_reading;
    if (a) POINTS_TO(a, payload);
    if (b) POINTS_TO(b, part);
    close(file);
}

static void lists_large(void) {
    static int payload;
    int file = open_file();
    if (file < 0) return;
    char byte[1];
    by_list = NULL;
    struct aiocb64 one = {.aio_fildes = file, .aio_buf = byte, .aio_nbytes = 1};
    one.aio_lio_opcode = LIO_READ;
    one.aio_sigevent.sigev_notify = SIGEV_NONE;
    struct aiocb64 *requests[] = {&one};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = &payload};
    event.sigev_notify_function = list_ended;
    if (lio_listio64(LIO_NOWAIT, requests, 1, &event) == 0) wait_for_call();
    void *a = by_list;
    if (a) POINTS_TO(a, payload);
    close(file);
}

static void message_queues(void) {
    static int payload;
    struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 8};
    mqd_t queue = mq_open("/cflr-expect", O_CREAT | O_RDWR, 0600, &size);
    if (queue == (mqd_t)-1) return;
    mq_unlink("/cflr-expect");
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = &payload};
    event.sigev_notify_function = queue_filled;
    if (mq_notify(queue, &event) == 0 && mq_send(queue, "x", 1, 0) == 0) wait_for_call();
    void *a = by_queue;
    if (a) POINTS_TO(a, payload);
    mq_close(queue);
}

static void semaphores(void) {
    sem_t *a = sem_open("/cflr-expect", O_CREAT, 0600, 0);
    sem_t *b = sem_open("/cflr-expect", O_CREAT, 0600, 0);
    sem_unlink("/cflr-expect");
    if (a == SEM_FAILED || b == SEM_FAILED) return;
    SAME(a, b);
    KNOWN(a);
    sem_close(a);
    sem_close(b);
}

static void events(void) {
    static int connection;
    int poller = epoll_create1(0), file = eventfd(1, 0);
    struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &connection}, first, second;
    epoll_ctl(poller, EPOLL_CTL_ADD, file, &interest);
    struct timespec limit = {.tv_sec = 1};
    if (epoll_pwait(poller, &first, 1, 0, NULL) == 1) {
        void *a = first.data.ptr;
        POINTS_TO(a, connection);
    }
    if (epoll_pwait2(poller, &second, 1, &limit, NULL) == 1) {
        void *b = second.data.ptr;
        POINTS_TO(b, connection);
    }
    close(file);
    close(poller);
}

/* ---- threads and processes ---- */

static void *give_back(void *argument) {
    return argument;
}

static void joining(void) {
    static int first, second, third;
    pthread_t one, two, three;
    void *a = NULL, *b = NULL, *c = NULL;
    if (pthread_create(&one, NULL, give_back, &first)) return;
    if (pthread_create(&two, NULL, give_back, &second)) return;
    if (pthread_create(&three, NULL, give_back, &third)) return;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 30;
    pthread_timedjoin_np(one, &a, &limit);
    pthread_clockjoin_np(two, &b, CLOCK_REALTIME, &limit);
    while (pthread_tryjoin_np(three, &c)) sched_yield();
    POINTS_TO(a, first);
    POINTS_TO(b, second);
    POINTS_TO(c, third);
}

static char thread_stack[1 << 16];

static void attributes(void) {
    pthread_attr_t attribute, old;
    void *a = NULL, *b = NULL;
    size_t size = 0;
    pthread_attr_init(&attribute);
    pthread_attr_init(&old);
    if (pthread_attr_setstack(&attribute, thread_stack, sizeof thread_stack)) return;
    if (pthread_attr_setstackaddr(&old, thread_stack + sizeof thread_stack)) return;
    pthread_attr_getstack(&attribute, &a, &size);
    pthread_attr_getstackaddr(&old, &b);
    POINTS_TO(a, thread_stack);
    POINTS_TO(b, thread_stack);
    pthread_attr_destroy(&attribute);
    pthread_attr_destroy(&old);
}

static void *cleaned, *destroyed, *left_by_thread, *left_by_process;

static void clean(void *value) {
    cleaned = value;
}

static void destroy(void *value) {
    destroyed = value;
}

static void leave_thread(void *value) {
    left_by_thread = value;
}

static void leave_process(void *value) {
    left_by_process = value;
}

static int cleaned_object, stored_object, thread_object, process_object;
static pthread_key_t key;

static void *clean_up(void *argument) {
    pthread_setspecific(key, &stored_object);
    __cxa_thread_atexit_impl(leave_thread, &thread_object, &thread_object);
    struct _pthread_cleanup_buffer buffer;
    _pthread_cleanup_push(&buffer, clean, &cleaned_object);
    _pthread_cleanup_pop(&buffer, 1);
    return argument;
}

static void endings(void) {
    pthread_t thread;
    if (__pthread_key_create(&key, destroy)) return;
    if (pthread_create(&thread, NULL, clean_up, NULL)) return;
    pthread_join(thread, NULL);
    void *a = cleaned, *b = destroyed, *c = left_by_thread;
    POINTS_TO(a, cleaned_object);
    POINTS_TO(b, stored_object);
    POINTS_TO(c, thread_object);
    pthread_key_delete(key);
    __cxa_atexit(leave_process, &process_object, NULL);
    void *d = left_by_process;
    WILL_POINT_TO(d, process_object);
}

static void *seen_by_clone;

static int cloned(void *argument) {
    seen_by_clone = argument;
    return 0;
}

static void clones(void) {
    static int first, second;
    const size_t size = 1 << 16;
    char *stack = malloc(size);
    int pid = clone(cloned, stack + size, CLONE_VM | CLONE_VFORK | SIGCHLD, &first);
    if (pid > 0) waitpid(pid, NULL, 0);
    void *a = seen_by_clone;
    if (a) POINTS_TO(a, first);
    pid = __clone(cloned, stack + size, CLONE_VM | CLONE_VFORK | SIGCHLD, &second);
    if (pid > 0) waitpid(pid, NULL, 0);
    void *b = seen_by_clone;
    if (b) POINTS_TO(b, second);
    free(stack);
    cpu_set_t *c = CPU_ALLOC(4);
    FRESH(c);
    CPU_FREE(c);
}

void run_processes(void);
void run_processes(void) {
    sem_init(&called, 0, 0);
    handlers();
    stacks();
    queues();
    timers();
    asynchronous();
    asynchronous_large();
    lists();
    lists_large();
    message_queues();
    semaphores();
    events();
    joining();
    attributes();
    endings();
    clones();
}
