/* SPDX-License-Identifier: Apache-2.0
 *
 * workers.c: a pool of processes, and the one loop that watches them.
 *
 *     caller --- number of a job ---> worker        a pair of sockets for each worker
 *            <-- head | answer ------               (of the same program: numbers go as they lie)
 *
 * A worker is forked and executes nothing new: what the caller has read and listed is there at
 * once, and libclang is loaded once for all. It takes one job at a time, so that it is known which
 * one a dead worker had; the next one is sent before the answer is looked at. The caller has no
 * second thread: it sleeps until an answer, a death or a few milliseconds have come, and then looks
 * at the clock, at its cancellation and at the memory of all. That a worker is killed needs no help
 * of what runs in it.
 *
 * Memory. Pages of a worker are its own as far as it has more of them than it got with the fork;
 * pages of files are shared by all workers:
 *
 *     sum = resident of the caller + own pages of each worker
 *           + the most pages of files, less the caller's
 *
 * When the sum passes the limit the largest worker is killed. Its job is tried again with one
 * worker less, so that it costs time and not a result that would depend on the number of workers; a
 * job is lost for memory only when it was alone, in a new process, and had half of the limit: with
 * less, it is not the job that is too large, and the run ends. Between two looks RLIMIT_DATA bounds
 * what a worker can take.
 *
 * Losing a worker costs a fork. O(1) for each job and look at each worker.
 */
#include "frontend/units/workers.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/forked.h"
#include "base/process.h"
#include "cflr/output.h"
#include "frontend/clang/deep.h"
#include "frontend/clang/turns.h"

/* How long the loop sleeps: with a limit of memory, a worker takes some 10 MB meanwhile. */
enum { BOUNDED_PAUSE_MS = 5, PAUSE_MS = 50 };

static const char nonsense[] = "the parser crashed on it (its answer is damaged)";

typedef struct order {
    uint64_t job;
    uint64_t memory; /* that the caller has */
} order;

typedef struct head {
    uint64_t job;
    uint64_t size; /* of the answer that follows */
    cflr_status status;
    cflr_error error;
} head;

typedef struct worker {
    int process; /* 0: there is none */
    int channel;
    int statm; /* tells of its memory; or -1 */
    bool busy;
    bool used; /* has done a job before */
    size_t job;
    double since;       /* when the job began */
    uint64_t inherited; /* bytes of pages that the fork gave it */
    uint64_t own, files;
    uint64_t room; /* for its own pages, as the job began; UINT64_MAX: no limit */
    head head;
    size_t got; /* bytes of the head */
    cflri_buffer body;
} worker;

typedef struct pool {
    cflr_context *context;
    const cflri_jobs *jobs;
    worker *workers;
    struct pollfd *polls; /* room for one a worker */
    int n_workers;
    int width; /* workers that may be busy */
    int busy;
    size_t next;   /* first job that no worker has begun */
    size_t *again; /* jobs to be tried again: with the busy ones no more than workers */
    int n_again;
    size_t done;
    uint64_t sum;     /* bytes of all processes at the last look */
    int fork_failure; /* errno of the last attempt, or 0 */
    bool waits;       /* to fork, until no other thread parses */
} pool;

static int fork_worker(void) {
    return fork();
}

int (*cflri_workers_fork)(void) = fork_worker;

/* ---- in a worker ---- */

/* Ends a worker that may be in the midst of anything, but for the files that it was writing. */
enum { END_SIGNAL = SIGUSR2 };

static void end_now(int number) {
    cflr_output_drop_all();
    _exit(128 + number);
}

static void end_with_caller(int caller) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, END_SIGNAL);
#endif
    if (getppid() != caller) _exit(0); /* it was faster */
}

/* The caller's end of another worker's channel, kept open here, would hide from that worker that
 * the caller is gone. (Those of calls in other threads are open here: such a caller hangs up, and
 * when the whole process is gone there is a signal.) */
static void leave_others(const pool *p) {
    for (int i = 0; i < p->n_workers; i++) {
        if (!p->workers[i].process) continue;
        close(p->workers[i].channel);
        if (p->workers[i].statm >= 0) close(p->workers[i].statm);
    }
}

/* Also an answer that there is no memory for goes out: as a head alone. */
static bool answer_order(const pool *p, int channel, const order *o, cflri_buffer *answer) {
    head h = {.job = o->job};
    atomic_store_explicit(&p->context->elsewhere, o->memory, memory_order_relaxed);
    answer->n = 0;
    h.status = p->jobs->perform(p->jobs->user, (size_t)o->job, answer, &h.error);
    h.size = h.status == CFLR_OK ? answer->n : 0;
    return cflri_send_all(channel, &h, sizeof h) &&
           cflri_send_all(channel, answer->at, (size_t)h.size);
}

/* Callbacks of the caller are not for a copy of it; and the caller watches the clock. */
static _Noreturn void work(const pool *p, int channel, int caller) {
    order o;
    cflri_buffer answer = {0}; /* one for all: pages that are new cost time */
    cflri_forked_settle();
    signal(END_SIGNAL, end_now);
    end_with_caller(caller);
    leave_others(p);
    p->context->opts.progress = NULL;
    p->context->opts.log = NULL;
    p->context->opts.time_limit = 0;
    p->jobs->begin(p->jobs->user);
    while (cflri_receive_all(channel, &o, sizeof o) && answer_order(p, channel, &o, &answer)) {
    }
    _exit(0);
}

/* ---- beginning of a worker ---- */

/* Is it our turn to fork? */
static bool may_fork(pool *p) {
    if (!p->waits) cflri_fork_want();
    p->waits = !cflri_fork_begin();
    return !p->waits;
}

static bool start(pool *p, worker *w) {
    cflri_occupied ours;
    int channel[2], caller = getpid(), self = cflri_process_open(0);
    cflri_process_occupied(self, &ours);
    if (self >= 0) close(self);
    p->fork_failure = 0;
    if (!may_fork(p)) return false;
    bool connected = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0;
    int process = connected ? cflri_workers_fork() : -1;
    if (process < 0) p->fork_failure = errno;
    cflri_fork_end(process == 0);
    if (!connected) return false;
    if (process == 0) {
        close(channel[0]);
        work(p, channel[1], caller);
    }
    close(channel[1]);
    if (process < 0) {
        close(channel[0]);
        return false;
    }
    *w = (worker){.process = process,
                  .channel = channel[0],
                  .statm = cflri_process_open(process),
                  .inherited = ours.resident - ours.files};
    return true;
}

/* ---- end of a worker ---- */

/* Waits for its end; how it ended, 0 when that is no longer known. */
static int end(pool *p, worker *w, struct rusage *usage) {
    int status = 0;
    memset(usage, 0, sizeof *usage);
    cflri_hang_up(w->channel);
    if (w->statm >= 0) close(w->statm);
    while (wait4(w->process, &status, 0, usage) < 0 && errno == EINTR) {
    }
    cflri_vec_free(p->context, &w->body);
    p->busy -= w->busy;
    w->process = 0;
    w->busy = false;
    return status;
}

/* Has the worker ended within a tenth of a second? `end` is still to be called. */
static bool ends_soon(const worker *w) {
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 100; i++) {
        siginfo_t about = {0};
        if (waitid(P_PID, (id_t)w->process, &about, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
        if (about.si_pid) return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* A worker that is stopped does not hear the first signal. */
static void end_by_force(pool *p, worker *w) {
    struct rusage usage;
    kill(w->process, END_SIGNAL);
    if (!ends_soon(w)) kill(w->process, SIGKILL);
    end(p, w, &usage);
}

/* ---- handing out jobs ---- */

static bool has_job(const pool *p) {
    return p->n_again > 0 || p->next < p->jobs->n;
}

/* The smallest number, since answers may be needed in order. */
static size_t take_job(pool *p) {
    if (p->n_again == 0) return p->next++;
    int least = 0;
    for (int i = 1; i < p->n_again; i++)
        if (p->again[i] < p->again[least]) least = i;
    size_t job = p->again[least];
    p->again[least] = p->again[--p->n_again];
    return job;
}

static void try_again(pool *p, size_t job) {
    assert(p->n_again + p->busy < p->n_workers);
    p->again[p->n_again++] = job;
}

/* Of its own pages, and not more than a part above: it may have to be killed, but not the
 * machine. */
static void bound(const pool *p, worker *w) {
    const uint64_t limit = p->context->opts.memory_limit;
    w->room = UINT64_MAX;
    if (!limit) return;
    uint64_t others = p->sum - w->own;
    w->room = limit > others ? limit - others : 0;
#ifdef __linux__
    cflri_occupied now;
    struct rlimit most;
    if (!cflri_process_occupied(w->statm, &now) ||
        prlimit(w->process, RLIMIT_DATA, NULL, &most) != 0)
        return;
    uint64_t more = w->room > w->own ? w->room - w->own : 0;
    most.rlim_cur = now.writable + more + more / 16 + CFLRI_DEEP_BYTES;
    if (most.rlim_cur < most.rlim_max) prlimit(w->process, RLIMIT_DATA, &most, NULL);
#endif
}

static void assign(pool *p, worker *w) {
    const order o = {take_job(p), cflr_context_memory(p->context)};
    w->busy = true;
    w->job = (size_t)o.job;
    w->since = cflri_now();
    w->got = 0;
    p->busy++;
    bound(p, w);
    if (send(w->channel, &o, sizeof o, MSG_NOSIGNAL) == (ssize_t)sizeof o) return;
    end_by_force(p, w); /* it was gone before it got the job */
    try_again(p, w->job);
}

/* Every worker that may be busy is, and no other is there: one that waits for a job ends when its
 * channel is closed. */
static void employ(pool *p) {
    struct rusage usage;
    for (int i = 0; i < p->n_workers && p->busy < p->width && has_job(p); i++) {
        worker *w = &p->workers[i];
        if (w->busy) continue;
        if (w->process || start(p, w)) assign(p, w);
    }
    for (int i = 0; i < p->n_workers; i++) {
        worker *w = &p->workers[i];
        if (w->process && !w->busy) end(p, w, &usage);
    }
}

/* ---- losing jobs ---- */

static cflr_status lose(pool *p, size_t job, cflri_loss loss, const char *why, cflr_error *error) {
    p->done++;
    return p->jobs->lost(p->jobs->user, job, loss, why, error);
}

/* The job of a worker that has ended needs more memory than it could have. */
static cflr_status starve(pool *p, const worker *w, cflr_error *error) {
    const uint64_t limit = p->context->opts.memory_limit;
    char why[100] = "it needs more memory than there is";
    if (p->busy > 0 || w->used) {
        try_again(p, w->job);
        p->width = p->busy > 0 ? p->busy : 1;
        return CFLR_OK;
    }
    p->width = p->n_workers;
    if (limit && w->room < limit / 2)
        return cflri_fail(error, CFLR_LIMIT, NULL, "memory limit of %llu bytes reached",
                          (unsigned long long)limit);
    if (limit)
        snprintf(why, sizeof why, "it needs more than %.0f MB of memory", (double)w->room / 1e6);
    return lose(p, w->job, CFLRI_LOST_STARVED, why, error);
}

static const char *signal_name(int number) {
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGABRT, "SIGABRT"},
                 {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},   {SIGTRAP, "SIGTRAP"},
                 {SIGSYS, "SIGSYS"},   {SIGKILL, "SIGKILL"}, {SIGXCPU, "SIGXCPU"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number) return names[i].name;
    return "another signal";
}

/* A worker that gets no memory from the allocator aborts or ends, perhaps some time before all of
 * its memory was used. */
static bool has_starved(const worker *w, int status, const struct rusage *usage) {
    bool gave_up = WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) != 0;
    if (w->room == UINT64_MAX || !gave_up) return false;
    return (uint64_t)usage->ru_maxrss * 1024 > w->inherited + w->room / 2;
}

/* It has ended, and not because we wanted it. */
static cflr_status bury(pool *p, worker *w, cflr_error *error) {
    struct rusage usage;
    char why[100];
    int status = end(p, w, &usage);
    if (has_starved(w, status, &usage)) return starve(p, w, error);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(why, sizeof why, "the process that parsed it was killed (SIGKILL)");
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "the parser crashed on it (%s)", signal_name(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "the parser ended on it (exit code %d)", WEXITSTATUS(status));
    return lose(p, w->job, CFLRI_LOST_CRASHED, why, error);
}

/* It sends what no worker sends: something wrote over its memory. */
static cflr_status distrust(pool *p, worker *w, cflr_error *error) {
    end_by_force(p, w);
    return lose(p, w->job, CFLRI_LOST_CRASHED, nonsense, error);
}

/* ---- the loop ---- */

static void sleep_until_news(pool *p) {
    nfds_t n = 0;
    for (int i = 0; i < p->n_workers; i++)
        if (p->workers[i].process)
            p->polls[n++] = (struct pollfd){.fd = p->workers[i].channel, .events = POLLIN};
    poll(p->polls, n, p->context->opts.memory_limit ? BOUNDED_PAUSE_MS : PAUSE_MS);
}

static void look_at_memory(pool *p) {
    uint64_t own = 0, files = 0;
    cflri_occupied ours;
    int self = cflri_process_open(0);
    cflri_process_occupied(self, &ours);
    if (self >= 0) close(self);
    for (int i = 0; i < p->n_workers; i++) {
        worker *w = &p->workers[i];
        cflri_occupied now;
        if (!w->process) continue;
        if (cflri_process_occupied(w->statm, &now)) {
            uint64_t pages = now.resident - now.files;
            w->own = pages > w->inherited ? pages - w->inherited : 0;
            w->files = now.files;
        }
        own += w->own;
        if (w->files > files) files = w->files;
    }
    if (files > ours.files) own += files - ours.files;
    p->sum = ours.resident + own;
    atomic_store_explicit(&p->context->elsewhere, own, memory_order_relaxed);
}

static worker *largest(const pool *p) {
    worker *found = NULL;
    for (int i = 0; i < p->n_workers; i++) {
        worker *w = &p->workers[i];
        if (w->busy && (!found || w->own > found->own)) found = w;
    }
    return found;
}

static cflr_status hold_memory(pool *p, cflr_error *error) {
    const uint64_t limit = p->context->opts.memory_limit;
    cflr_status st = CFLR_OK;
    look_at_memory(p);
    if (limit && p->sum > limit) { /* some of it may be ours, and free */
        cflri_return_pages(p->context);
        look_at_memory(p);
    }
    while (st == CFLR_OK && limit && p->sum > limit && p->busy > 0) {
        worker *w = largest(p);
        end_by_force(p, w);
        st = starve(p, w, error);
        p->sum -= w->own;
    }
    return st;
}

static cflr_status hold_time(pool *p, cflr_error *error) {
    double now = cflri_now();
    cflr_status st = cflri_tick(p->context, p->jobs->phase, p->done, p->jobs->n);
    if (st != CFLR_OK) return cflri_fail_interrupted(p->context, st, error);
    for (int i = 0; st == CFLR_OK && i < p->n_workers; i++) {
        worker *w = &p->workers[i];
        char why[60];
        if (!w->busy || now - w->since <= p->jobs->seconds) continue;
        end_by_force(p, w);
        snprintf(why, sizeof why, "it took longer than %.0f seconds", p->jobs->seconds);
        st = lose(p, w->job, CFLRI_LOST_SLOW, why, error);
    }
    return st;
}

/* The answer of a worker is here as a whole. */
static cflr_status finish(pool *p, worker *w, cflr_error *error) {
    const size_t job = w->job;
    const cflr_status answered = w->head.status;
    if (answered == CFLR_LIMIT || answered == CFLR_NO_MEMORY) {
        end_by_force(p, w);
        return starve(p, w, error);
    }
    if (answered != CFLR_OK) {
        if (error) *error = w->head.error;
        return answered;
    }
    cflri_buffer body = w->body;
    w->body = (cflri_buffer){0};
    w->busy = false;
    w->used = true;
    p->busy--;
    employ(p); /* it works on while we look */
    cflr_status st = p->jobs->arrived(p->jobs->user, job, body.at, body.n, error);
    if (w->process) { /* for its next answer */
        w->body = body;
        w->body.n = 0;
    } else {
        cflri_vec_free(p->context, &body);
    }
    if (st == CFLR_FORMAT) return lose(p, job, CFLRI_LOST_CRASHED, nonsense, error);
    p->done += st == CFLR_OK;
    return st;
}

/* Takes what has come; *whole: nothing is missing. */
static cflr_status hear(pool *p, worker *w, bool *whole, cflr_error *error) {
    *whole = false;
    for (;;) {
        bool in_head = w->got < sizeof w->head;
        char *to = in_head ? (char *)&w->head + w->got : w->body.at + w->body.n;
        size_t room = in_head ? sizeof w->head - w->got : (size_t)w->head.size - w->body.n;
        ssize_t n = room ? recv(w->channel, to, room, MSG_DONTWAIT) : 0;
        if (room && n < 0 && (errno == EAGAIN || errno == EINTR)) return CFLR_OK;
        if (room && n <= 0) return bury(p, w, error);
        if (in_head)
            w->got += (size_t)n;
        else
            w->body.n += (size_t)n;
        if (w->got < sizeof w->head) continue;
        if (in_head && w->head.job != w->job) return distrust(p, w, error);
        if (in_head && !cflri_vec_reserve(p->context, &w->body, w->head.size))
            return cflri_fail_memory(p->context, error);
        *whole = w->body.n == w->head.size;
        if (*whole) return CFLR_OK;
    }
}

static cflr_status hear_all(pool *p, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (int i = 0; st == CFLR_OK && i < p->n_workers; i++) {
        worker *w = &p->workers[i];
        bool whole = false;
        if (w->busy) st = hear(p, w, &whole, error);
        if (whole) st = finish(p, w, error);
    }
    return st;
}

static cflr_status make_pool(pool *p, cflr_error *error) {
    size_t n = (size_t)p->n_workers;
    p->workers = cflri_alloc_array_zero(p->context, n, sizeof *p->workers);
    p->polls = cflri_alloc_array(p->context, n, sizeof *p->polls);
    p->again = cflri_alloc_array(p->context, n, sizeof *p->again);
    return p->workers && p->polls && p->again ? CFLR_OK : cflri_fail_memory(p->context, error);
}

static void free_pool(pool *p) {
    for (int i = 0; p->workers && i < p->n_workers; i++)
        if (p->workers[i].process) end_by_force(p, &p->workers[i]);
    if (p->waits) cflri_fork_give_up();
    atomic_store_explicit(&p->context->elsewhere, 0, memory_order_relaxed);
    cflri_free(p->context, p->workers);
    cflri_free(p->context, p->polls);
    cflri_free(p->context, p->again);
}

cflr_status cflri_workers_run(cflr_context *context, const cflri_jobs *jobs, cflr_error *error) {
    cflr_status st = CFLR_OK;
    int n = (size_t)context->threads < jobs->n ? context->threads : (int)jobs->n;
    pool p = {.context = context, .jobs = jobs, .n_workers = n, .width = n};
    CFLR_TRY(make_pool(&p, error));
    look_at_memory(&p);
    while (p.done < jobs->n) {
        employ(&p);
        if (p.busy == 0 && p.fork_failure)
            CFLR_TRY(cflri_fail(error, CFLR_UNAVAILABLE, NULL, "cannot start a process: %s",
                                strerror(p.fork_failure)));
        sleep_until_news(&p);
        CFLR_TRY(hold_time(&p, error));
        CFLR_TRY(hold_memory(&p, error));
        CFLR_TRY(hear_all(&p, error));
    }
out:
    free_pool(&p);
    return st;
}
