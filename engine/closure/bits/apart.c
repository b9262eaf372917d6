/* SPDX-License-Identifier: Apache-2.0
 *
 * apart.c: a device that closes a problem in a process of its own.
 *
 *     this process                       a fork of it
 *     begin   fork ------------------->  head start; a turn at the driver; the device is opened
 *     await          <------- answer --  and closes all stages
 *       makes the system, too
 *     close          <------- answer --  rows are packed, and fetched into a file in memory
 *     fetch   reads the file
 *     end     end of the socket ------>  exit
 *
 * A driver takes a third of a second to begin, and a tenth to end, in which it can neither be
 * stopped nor left by a process that ends. For a device that works beside the processor that is too
 * long: most often the processor is faster. So the driver is in a process that this one does not
 * wait for. It keeps no descriptor of this process, and ends as soon as it sees that its socket
 * has. The system keeps its number until another one begins or is left.
 *
 * It is forked before the processor begins: pages that exist at that time are copied when they are
 * written later, and there are few of these as yet. Both processes make the same plan and the same
 * system of the problem, so numbers of rows mean the same in both, and only rows are sent.
 *
 * A process that has used a driver cannot be forked for that driver. Then the device is not there.
 */
#include "engine/closure/bits/apart.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context.h"
#include "base/forked.h"

enum { LOOK_MILLISECONDS = 2 };

typedef struct answer {
    cflr_status status;
    cflr_error error;
    /* with the second one: */
    cflri_bit_stats stats;
    uint32_t n_rows; /* and one that is none: 0 with the first answer */
    uint32_t n_sets;
    uint64_t n_words;
} answer;

/* The file, as cflri_bit_device.fetch writes it: sets of rows, starts of sets, words. */
typedef struct layout {
    size_t start, word, end; /* bytes from the beginning */
} layout;

static layout lay_out(const answer *a) {
    layout l;
    l.start = ((size_t)a->n_rows + 1) / 2 * 2 * sizeof(uint32_t); /* a multiple of 8 */
    l.word = l.start + ((size_t)a->n_sets + 2) * sizeof(uint64_t);
    l.end = l.word + (size_t)a->n_words * sizeof(uint32_t);
    return l;
}

static uint32_t rows_told(const cflri_bit_system *system) {
    return system->first_row[system->n_stages] + 1;
}

/* ---- in the other process ---- */

/* There is one in a process. */
static struct server {
    const cflri_bit_device *of;
    int channel, file, lock;
    uint32_t n_rows;
} server;

static _Noreturn void end_with(cflr_status st, const cflr_error *error) {
    answer a = {.status = st, .error = *error};
    cflri_send_all(server.channel, &a, sizeof a);
    _exit(0);
}

/* Nothing comes but the end. */
static bool is_left(int milliseconds) {
    struct pollfd look = {.fd = server.channel, .events = POLLIN};
    return poll(&look, 1, milliseconds) > 0;
}

static cflr_status is_wanted(cflr_context *context, uint64_t pairs) {
    (void)context, (void)pairs;
    return is_left(0) ? CFLR_CANCELLED : CFLR_OK;
}

/* Memory of the host is the processor's. */
static bool refuse(cflr_context *context, uint64_t bytes) {
    (void)context;
    return bytes == 0;
}

static void ignore(cflr_context *context, uint64_t bytes) {
    (void)context, (void)bytes;
}

static cflr_status open_and_tell(const cflri_bit_system *system, const cflri_bit_options *options,
                                 const cflri_bit_services *services, void **state,
                                 cflr_error *error) {
    static const cflri_bit_services of_a_fork = {is_wanted, refuse, ignore};
    (void)services;
    cflr_status st = server.of->open(system, options, &of_a_fork, state, error);
    if (st != CFLR_OK) end_with(st, error);
    if (server.lock >= 0) close(server.lock);
    server.n_rows = rows_told(system);
    answer a = {.status = CFLR_OK};
    if (!cflri_send_all(server.channel, &a, sizeof a)) _exit(0);
    return CFLR_OK;
}

static cflr_status close_stage(void *state, uint32_t stage, cflr_error *error) {
    cflr_status st = server.of->close(state, stage, error);
    if (st != CFLR_OK) end_with(st, error);
    return CFLR_OK;
}

static char *map_file(size_t bytes) {
    if (ftruncate(server.file, (off_t)bytes) != 0) return MAP_FAILED;
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, server.file, 0);
}

static cflr_status pack(void *state, const bool *wanted, answer *a) {
    cflr_status st = server.of->measure(state, wanted, &a->n_sets, &a->n_words, &a->error);
    if (st != CFLR_OK) return st;
    layout l = lay_out(a);
    char *at = map_file(l.end);
    if (at == MAP_FAILED) return cflri_fail(&a->error, CFLR_NO_MEMORY, NULL, "no memory for rows");
    return server.of->fetch(state, (uint32_t *)at, (uint64_t *)(at + l.start),
                            (uint32_t *)(at + l.word), &a->error);
}

/* This process fetches rows when it has measured them; its caller makes the relations. */
static cflr_status measure_and_tell(void *state, const bool *wanted, uint32_t *n_sets,
                                    uint64_t *n_words, cflr_error *error) {
    answer a = {.n_rows = server.n_rows};
    (void)n_sets, (void)n_words, (void)error;
    a.status = pack(state, wanted, &a);
    server.of->stats(state, &a.stats);
    if (cflri_send_all(server.channel, &a, sizeof a)) is_left(-1);
    _exit(0);
}

/* A failure or a measure ends the process, so there is nothing behind them. */
static const cflri_bit_device told_device = {
    .open = open_and_tell, .close = close_stage, .measure = measure_and_tell};

/* Another process that has a pipe waits until all that write to it have ended. */
static void close_all_but(int a, int b) {
    enum { MOST = 1 << 16 };
    long all = sysconf(_SC_OPEN_MAX);
    for (int fd = STDERR_FILENO + 1; fd < all && fd < MOST; fd++)
        if (fd != a && fd != b) close(fd);
}

/* Drivers begin one after the other anyway, and one that has been asked to cannot be told to stop.
 * So processes wait for their turn at a lock, of the file that the device's table is in: many that
 * are left meanwhile cost nothing. */
static void wait_for_turn(void) {
    Dl_info info;
    server.lock = dladdr(server.of, &info) ? open(info.dli_fname, O_RDONLY | O_CLOEXEC) : -1;
    while (server.lock >= 0 && flock(server.lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        if (is_left(LOOK_MILLISECONDS)) _exit(0);
}

static _Noreturn void serve(const cflri_problem *problem, int channel, int file) {
    const double milli = 1e3;
    cflri_bits_on on = *problem->on;
    cflri_problem own = *problem;
    cflri_closure closure;
    cflr_error error = {0};
    char why[128];
    server = (struct server){.channel = channel, .file = file, .lock = -1};
    cflri_forked_settle();
    close_all_but(channel, file);
    if (is_left((int)(on.head_start * milli))) _exit(0);
    server.of = on.device ? on.device : cflri_bit_device_load(why, sizeof why);
    if (!server.of) end_with(cflri_fail(&error, CFLR_UNAVAILABLE, NULL, "no GPU: %s", why), &error);
    wait_for_turn();
    own.on = &on;
    on.device = &told_device;
    on.apart = NULL;
    end_with(cflri_solve_bits(&own, &closure, &error), &error);
}

/* ---- in this process ---- */

/* Processes that were left, and had not ended then. */
enum { MOST_LEFT = 64 };
static _Atomic pid_t left_behind[MOST_LEFT];

static bool ends(pid_t process, int how) {
    pid_t ended;
    while ((ended = waitpid(process, NULL, how)) < 0 && errno == EINTR) {
    }
    return ended != 0; /* a caller that waits for whatever child may have had it */
}

/* Where too many have not ended, this one is waited for. */
static void leave_behind(pid_t process) {
    if (ends(process, WNOHANG)) return;
    for (int i = 0; i < MOST_LEFT; i++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&left_behind[i], &none, process)) return;
    }
    ends(process, 0);
}

static void forget_ended(void) {
    for (int i = 0; i < MOST_LEFT; i++) {
        pid_t process = atomic_exchange(&left_behind[i], 0);
        if (process) leave_behind(process);
    }
}

struct cflri_apart {
    cflr_context *context, *beaten;
    pid_t process; /* 0: none was made */
    int channel;   /* -1: the other process is gone, or left */
    int file;
    uint32_t n_rows; /* as in the answer */
    answer answer;   /* the last one */
};

static void leave(cflri_apart *c) {
    if (c->channel >= 0) cflri_hang_up(c->channel);
    c->channel = -1;
}

cflr_status cflri_apart_begin(const cflri_problem *problem, cflri_apart **made, cflr_error *error) {
    int channel[2] = {-1, -1};
    cflri_apart *c = *made = cflri_alloc_zero(problem->context, sizeof *c);
    if (!c) return cflri_fail_memory(problem->context, error);
    c->context = problem->context;
    c->beaten = problem->on->beaten;
    c->file = memfd_create("cflr", MFD_CLOEXEC);
    bool ready = c->file >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0;
    c->channel = channel[0];
    forget_ended();
    pid_t process = ready ? fork() : -1;
    int number = errno;
    if (process == 0) serve(problem, channel[1], c->file);
    if (channel[1] >= 0) close(channel[1]);
    if (process > 0) c->process = process;
    if (process > 0) return CFLR_OK;
    return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "no process for the device: %s",
                      strerror(number));
}

void cflri_apart_end(cflri_apart *c) {
    if (!c) return;
    leave(c);
    if (c->file >= 0) close(c->file);
    if (c->process) leave_behind(c->process);
    cflri_free(c->context, c);
}

cflr_status cflri_apart_await(cflri_apart *c, cflr_error *error) {
    struct pollfd look = {.fd = c->channel, .events = POLLIN};
    int n;
    while ((n = poll(&look, 1, LOOK_MILLISECONDS)) == 0 || (n < 0 && errno == EINTR)) {
        cflr_status st = cflri_bit_device_services.tick(c->context, 0);
        if (st == CFLR_OK) continue;
        leave(c);
        return cflri_fail(error, st, NULL, "the device was left");
    }
    if (n < 0 || c->channel < 0 || !cflri_receive_all(c->channel, &c->answer, sizeof c->answer)) {
        leave(c);
        return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "the process of the device has ended");
    }
    if (c->answer.status != CFLR_OK && error) *error = c->answer.error;
    return c->answer.status;
}

/* ---- what it has closed, as a device ---- */

/* *state is there. */
static cflr_status expect(const cflri_bit_system *system, const cflri_bit_options *options,
                          const cflri_bit_services *services, void **state, cflr_error *error) {
    cflri_apart *c = *state;
    (void)options, (void)services, (void)error;
    c->n_rows = rows_told(system);
    return CFLR_OK;
}

static cflr_status await_rows(void *state, uint32_t stage, cflr_error *error) {
    cflri_apart *c = state;
    (void)stage;
    if (c->answer.n_rows) return CFLR_OK;
    cflr_status st = cflri_apart_await(c, error);
    if (st != CFLR_OK) return st;
    if (c->answer.n_rows != c->n_rows)
        return cflri_fail(error, CFLR_UNAVAILABLE, NULL,
                          "the process of the device has other rows");
    if (c->beaten) cflri_context_overtake(c->beaten);
    return CFLR_OK;
}

static cflr_status get_measure(void *state, const bool *wanted, uint32_t *n_sets, uint64_t *n_words,
                               cflr_error *error) {
    const cflri_apart *c = state;
    (void)wanted;
    cflr_status st = await_rows(state, 0, error); /* a system may be without a stage */
    *n_sets = c->answer.n_sets;
    *n_words = c->answer.n_words;
    return st;
}

static cflr_status fetch(void *state, uint32_t *set, uint64_t *start, uint32_t *word,
                         cflr_error *error) {
    const cflri_apart *c = state;
    const answer *a = &c->answer;
    layout l = lay_out(a);
    char *at = mmap(NULL, l.end, PROT_READ, MAP_SHARED, c->file, 0);
    if (at == MAP_FAILED) return cflri_fail(error, CFLR_NO_MEMORY, NULL, "no memory for rows");
    memcpy(set, at, (a->n_rows - 1) * sizeof *set);
    memcpy(start, at + l.start, ((size_t)a->n_sets + 2) * sizeof *start);
    memcpy(word, at + l.word, (size_t)a->n_words * sizeof *word);
    munmap(at, l.end);
    return CFLR_OK;
}

static void get_stats(const void *state, cflri_bit_stats *stats) {
    const cflri_apart *c = state;
    *stats = c->answer.stats;
}

/* It is the caller's (cflri_apart_end). */
static void keep(void *state) {
    (void)state;
}

const cflri_bit_device cflri_bit_device_apart = {
    .open = expect,
    .close = await_rows,
    .measure = get_measure,
    .fetch = fetch,
    .stats = get_stats,
    .free = keep,
};
