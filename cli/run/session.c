/* SPDX-License-Identifier: Apache-2.0
 *
 * session.c: the one context of a run, and the signals that stop it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/run/writer.h"

enum { MOST_THREADS = 1024 };

/* One request may come as several signals: `timeout` sends to the child and to its group. */
static const int64_t repeats_ns = 1000000000;

/* Read by a signal handler; cflr_context_cancel may be called from one. */
static cflr_context *_Atomic context;
static double seconds_given;       /* by --time; 0: none */
static double begun;               /* when its count began */
static _Atomic int64_t stopped_at; /* monotonic nanoseconds of the first signal; 0: none came */

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* May run in several threads at once. The signal that is raised here comes when the handler
 * ends. */
static void on_interrupt(int signal_number) {
    int64_t now = now_ns(), first = 0;
    cflr_context *running = context;
    if (atomic_compare_exchange_strong(&stopped_at, &first, now)) {
        if (running) cflr_context_cancel(running);
    } else if (now - first >= repeats_ns) {
        cflr_output_drop_all();
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

/* A program that was started with a signal ignored (nohup, `&` in a script) keeps ignoring it. */
static void catch_signal(int signal_number) {
    struct sigaction before, action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    sigaction(signal_number, NULL, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, NULL);
}

void catch_signals(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

bool interrupted(void) {
    return atomic_load(&stopped_at) != 0;
}

/* A signal that comes just before a read would not end it: a waiting reader looks at the flag
 * now and then. */
static ssize_t read_when_ready(void *cookie, char *bytes, size_t size) {
    enum { STEP_MS = 50 };
    int fd = (int)(intptr_t)cookie;
    while (!interrupted()) {
        int ready = poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, STEP_MS);
        if (ready == 0) continue;
        ssize_t n = ready > 0 ? read(fd, bytes, size) : -1;
        if (n >= 0 || (errno != EINTR && errno != EAGAIN)) return n;
    }
    errno = EINTR;
    return -1;
}

static int close_lines(void *cookie) {
    int fd = (int)(intptr_t)cookie;
    return fd == STDIN_FILENO ? 0 : close(fd);
}

FILE *open_lines(const char *path) {
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    FILE *file =
        fopencookie((void *)(intptr_t)fd, "r",
                    (cookie_io_functions_t){.read = read_when_ready, .close = close_lines});
    if (!file) close_lines((void *)(intptr_t)fd);
    return file;
}

/* To the end of the line; *full: there is no room for it. */
static size_t fill_line(FILE *file, char **line, size_t *capacity, bool *full) {
    enum { FIRST = 128, MOST = 1 << 20 };
    size_t n = 0;
    for (int c = 0; c != '\n'; (*line)[n++] = (char)c) {
        if (n + 1 >= *capacity) {
            size_t wanted = *capacity ? 2 * *capacity : FIRST;
            char *larger = wanted <= MOST ? realloc(*line, wanted) : NULL;
            *full = !larger;
            if (*full) return n;
            *line = larger;
            *capacity = wanted;
        }
        c = getc_unlocked(file);
        if (c == EOF) break;
    }
    (*line)[n] = '\0';
    return n;
}

ssize_t next_line(FILE *file, char **line, size_t *capacity, const char **why) {
    bool full = false;
    *why = NULL;
    errno = 0;
    size_t n = fill_line(file, line, capacity, &full);
    int reason = errno;
    if (interrupted()) return -1;
    if (full) *why = "a line of more than 1 MiB";
    if (!full && ferror(file)) *why = strerror(reason);
    return *why || n == 0 ? -1 : (ssize_t)n;
}

bool over_memory(uint64_t bytes) {
    uint64_t limit;
    return common.memory && parse_size(common.memory, &limit) &&
           bytes + cflr_context_memory(context) > limit;
}

static bool warned;

bool library_has_warned(void) {
    return warned;
}

static void on_log(void *user, cflr_log_level level, const char *message) {
    (void)user;
    warned |= level == CFLR_LOG_WARNING;
    if (level == CFLR_LOG_WARNING)
        remark("warning: %s", message);
    else
        complain("%s", message);
}

static int read_limits(cflr_context_opts *opts) {
    uint64_t threads = 0;
    if (common.threads && (!parse_count(common.threads, MOST_THREADS, &threads) || threads == 0)) {
        return usage_error("-j %s: threads must be 1 to %d", common.threads, MOST_THREADS);
    }
    opts->threads = (int)threads;
    if (common.memory &&
        (!parse_size(common.memory, &opts->memory_limit) || opts->memory_limit == 0)) {
        return usage_error("--memory %s: a size is a number and K, M, G or T", common.memory);
    }
    if (common.time && (!parse_duration(common.time, &opts->time_limit) || opts->time_limit <= 0)) {
        return usage_error("--time %s: a duration is a number and s, m or h", common.time);
    }
    return check_answer_format();
}

double time_limit(void) {
    return seconds_given;
}

double time_kept(void) {
    return seconds_given / 10;
}

bool out_of_time(void) {
    return interrupted() || (seconds_given > 0 && seconds_now() - begun > seconds_given);
}

int fail_out_of_time(const char *what) {
    if (interrupted()) {
        complain("interrupted: %s", what);
        return EXIT_INTERRUPTED;
    }
    complain("time limit of %g seconds reached: %s", seconds_given, what);
    return cflr_status_exit_code(CFLR_LIMIT);
}

int session_begin_without(char *const *words) {
    cflr_context_opts opts;
    cflr_error error;
    cflr_context_opts_init(&opts);
    int code = read_limits(&opts);
    if (code) return code;
    for (; words && *words; words++) {
        cflr_technique technique;
        if (cflr_technique_parse(*words, &technique, &error) != CFLR_OK) return fail(&error);
        opts.without |= technique;
    }
    seconds_given = opts.time_limit;
    opts.log_level = common.verbose ? CFLR_LOG_INFO : CFLR_LOG_WARNING;
    opts.log = on_log;
    if (!common.quiet && !rank_number()) opts.progress = show_progress;
    begun = seconds_now();
    cflr_context *made;
    if (cflr_context_new(&opts, &made, &error) != CFLR_OK) return fail(&error);
    context = made;
    if (interrupted()) cflr_context_cancel(made); /* before there was a context */
    return 0;
}

int session_begin(void) {
    return session_begin_without(NULL);
}

cflr_context *session(void) {
    return context;
}

void session_end(void) {
    cflr_context *made = context;
    clear_progress();
    signal(SIGINT, SIG_IGN); /* what was asked for is done; the few steps left are short */
    signal(SIGTERM, SIG_IGN);
    context = NULL;
    cflr_context_free(made);
}

bool wants_json(void) {
    return common.format && strcmp(common.format, "json") == 0;
}

/* ---- rows of results ---- */

void read_row(const cflr_result *result, uint32_t label, uint32_t i, uint32_t vertex,
              cflr_row *row) {
    cflr_error error;
    if (cflr_result_row(result, label, i, vertex, row, &error) != CFLR_OK) exit(fail(&error));
}

bool read_next_row(const cflr_result *result, uint32_t label, uint32_t i, uint64_t *cursor,
                   cflr_row *row) {
    cflr_error error;
    if (cflr_result_next_row(result, label, i, cursor, row, &error) != CFLR_OK) exit(fail(&error));
    return row->count;
}
