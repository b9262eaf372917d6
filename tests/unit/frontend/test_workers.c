/* SPDX-License-Identifier: Apache-2.0
 *
 * test_workers.c: jobs in processes: what each of them may do to its own, and what becomes of the
 * others.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "cflr/output.h"
#include "frontend/units/workers.h"
#include "tests/support/fail_alloc.h"

enum { MEGABYTE = 1 << 20, MOST_JOBS = 16 };

typedef struct script {
    const char *jobs; /* a letter each, see perform */
    cflr_context *context;
    int alive;        /* written to by 'h'; or -1 */
    const char *path; /* written by 't' */
    const int *held;  /* with each answer, a process begins that ends with this pipe; or NULL */
    /* heard by the caller */
    char told[MOST_JOBS + 1]; /* 'a'rrived, or the kind of loss */
    char why[MOST_JOBS][128];
    int ends;
} script;

static void begin(void *user) {
    script *s = user;
    s->ends = -1; /* of a copy */
}

static void hang(const script *s) {
    if (s->alive >= 0 && write(s->alive, "h", 1) != 1) _exit(9);
    for (;;) pause();
}

/* Begins to write a file, and stays at it. */
static void write_and_hang(const script *s) {
    cflr_output *output;
    if (cflr_output_open(s->context, s->path, &output, NULL) != CFLR_OK) _exit(7);
    cflr_output_write(output, "text", 4);
    hang(s);
}

static void take(size_t megabytes) {
    for (size_t i = 0; i < megabytes; i++) {
        char *block = malloc(MEGABYTE);
        if (!block) abort(); /* as libclang does */
        memset(block, 1, MEGABYTE);
    }
}

static cflr_status perform(void *user, size_t job, cflri_buffer *answer, cflr_error *error) {
    script *s = user;
    char text[] = "answer";
    if (s->ends != -1) _exit(8); /* begin was not called */
    switch (s->jobs[job]) {
        case '.': /* nothing to say */
            return CFLR_OK;
        case 'L': /* megabytes of it */
            for (size_t i = 0; i < 3 * MEGABYTE / sizeof text; i++)
                if (!cflri_buffer_add(s->context, answer, text, sizeof text))
                    return cflri_fail_memory(s->context, error);
            return CFLR_OK;
        case 's':
            raise(SIGSEGV);
            break;
        case 'k':
            kill(getpid(), SIGKILL);
            break;
        case 'e':
            _exit(3);
        case 'h':
            hang(s);
            break;
        case 't':
            write_and_hang(s);
            break;
        case 'm': /* without end */
            take(1 << 20);
            break;
        case 'w': /* more than half of the limit, for a while */
            take(90);
            usleep(300000);
            break;
        case 'f':
            return cflri_fail(error, CFLR_UNSUPPORTED, "subject", "no such job");
        case 'n':
            return cflri_fail(error, CFLR_NO_MEMORY, NULL, "none");
        case 'o': /* no standard error of ours */
            fprintf(stderr, "a library says so\n");
            break;
        default:
            break;
    }
    return cflri_buffer_add(s->context, answer, text, sizeof text)
               ? CFLR_OK
               : cflri_fail_memory(s->context, error);
}

/* What another thread does that starts a program meanwhile: a process has all that is open here,
 * until the pipe `held` is closed. It is no child of this one. */
static void hold_all(const int *held) {
    char text;
    pid_t between = fork();
    if (between == 0) {
        if (fork() != 0) _exit(0);
        close(held[1]);
        while (read(held[0], &text, 1) > 0) {
        }
        _exit(0);
    }
    cr_assert_eq(waitpid(between, NULL, 0), between);
}

static cflr_status arrived(void *user, size_t job, const char *answer, size_t size,
                           cflr_error *error) {
    script *s = user;
    if (s->jobs[job] == 'x') return cflri_fail(error, CFLR_FORMAT, NULL, "damaged");
    if (s->held) hold_all(s->held);
    size_t wanted = s->jobs[job] == '.' ? 0 : s->jobs[job] == 'L' ? 3 * MEGABYTE / 7 * 7 : 7;
    cr_assert_eq(size, wanted, "%c: %zu", s->jobs[job], size);
    for (size_t i = 0; i < size; i += 7) cr_assert_str_eq(answer + i, "answer");
    s->told[job] = 'a';
    s->ends++;
    return CFLR_OK;
}

static cflr_status lost(void *user, size_t job, cflri_loss loss, const char *why,
                        cflr_error *error) {
    script *s = user;
    (void)error;
    s->told[job] = "ctm"[loss];
    snprintf(s->why[job], sizeof s->why[job], "%s", why);
    s->ends++;
    return CFLR_OK;
}

static cflr_status run(script *s, double seconds, cflr_error *error) {
    const cflri_jobs jobs = {.user = s,
                             .n = strlen(s->jobs),
                             .phase = "extract",
                             .seconds = seconds,
                             .begin = begin,
                             .perform = perform,
                             .arrived = arrived,
                             .lost = lost};
    s->ends = 0;
    memset(s->told, 0, sizeof s->told);
    memset(s->told, '-', jobs.n);
    cflr_status st = cflri_workers_run(s->context, &jobs, error);
    cr_assert(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "a process is left");
    return st;
}

static cflr_context *make_context(int threads, uint64_t memory, double time) {
    cflr_context_opts opts;
    cflr_context *context;
    cflr_context_opts_init(&opts);
    opts.threads = threads;
    opts.memory_limit = memory;
    opts.time_limit = time;
    cr_assert_eq(cflr_context_new(&opts, &context, NULL), CFLR_OK);
    return context;
}

static void end_context(cflr_context *context) {
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
}

/* Runs to the end with several numbers of threads: each job ends as told. */
static void expect(const char *jobs, const char *told, uint64_t memory, double seconds,
                   script *last) {
    for (int threads = 1; threads < 5; threads++) {
        script s = {.jobs = jobs, .alive = -1, .context = make_context(threads, memory, 0)};
        cflr_error error = {0};
        cr_assert_eq(run(&s, seconds, &error), CFLR_OK, "%s", error.message);
        cr_expect_str_eq(s.told, told, "%s with %d threads: %s", jobs, threads, s.told);
        cr_expect_eq(s.ends, (int)strlen(jobs));
        end_context(s.context);
        *last = s;
    }
}

Test(workers, all_arrive) {
    script s;
    expect("aL.aaL.aaaoa", "aaaaaaaaaaaa", 0, 100, &s);
}

Test(workers, each_end_costs_one) {
    script s;
    expect("asaaakaexaa", "acaaacaccaa", 0, 100, &s);
    cr_expect(strstr(s.why[1], "crashed on it (SIGSEGV)"), "%s", s.why[1]);
    cr_expect(strstr(s.why[5], "killed (SIGKILL)"), "%s", s.why[5]);
    cr_expect(strstr(s.why[7], "exit code 3"), "%s", s.why[7]);
    cr_expect(strstr(s.why[8], "damaged"), "%s", s.why[8]);
}

Test(workers, all_are_lost) {
    script s;
    expect("sss", "ccc", 0, 100, &s);
}

Test(workers, one_that_hangs_is_given_up) {
    script s;
    expect("ahaa", "ataa", 0, 1, &s);
    cr_expect(strstr(s.why[1], "longer than 1 seconds"), "%s", s.why[1]);
}

/* ---- memory ---- */

/* What this process has, which counts, too, and so many megabytes. */
static uint64_t own_and(uint64_t megabytes) {
    return cflri_process_resident() + megabytes * MEGABYTE;
}

Test(workers, one_that_takes_all_memory_is_given_up) {
    script s;
    expect("amaama", "amaama", own_and(300), 100, &s);
    cr_expect(strstr(s.why[1], "it needs more than "), "%s", s.why[1]);
    cr_expect(strstr(s.why[1], " MB of memory"), "%s", s.why[1]);
}

/* None is lost that is not too large by itself. */
Test(workers, those_that_do_not_fit_together_come_after_each_other) {
    script s;
    expect("wwww", "aaaa", own_and(150), 100, &s);
}

Test(workers, a_refused_allocation_is_want_of_memory) {
    script s;
    expect("ana", "ama", 0, 100, &s);
}

/* Where the caller has the memory itself, no job is to blame. */
Test(workers, too_little_for_any) {
    char *block = malloc(200 * MEGABYTE);
    cr_assert(block);
    memset(block, 1, 200 * MEGABYTE);
    script s = {.jobs = "am", .alive = -1, .context = make_context(2, own_and(30), 0)};
    cflr_error error;
    cr_expect_eq(run(&s, 100, &error), CFLR_LIMIT);
    cr_expect(strstr(error.message, "memory limit"), "%s", error.message);
    end_context(s.context);
    free(block);
}

/* ---- stopping ---- */

Test(workers, a_failure_of_a_job_ends_all) {
    script s = {.jobs = "ahfh", .alive = -1, .context = make_context(4, 0, 0)};
    cflr_error error;
    cr_expect_eq(run(&s, 100, &error), CFLR_UNSUPPORTED);
    cr_expect_str_eq(error.subject, "subject");
    end_context(s.context);
}

Test(workers, time_is_over) {
    script s = {.jobs = "ahhh", .alive = -1, .context = make_context(2, 0, 0.2)};
    cr_expect_eq(run(&s, 100, NULL), CFLR_LIMIT);
    end_context(s.context);
}

static bool refuse(void *user, const cflr_progress *progress) {
    (void)user;
    cr_expect_gt(progress->memory, 0);
    return false;
}

Test(workers, cancelled) {
    script s = {.jobs = "hhhh", .alive = -1, .context = make_context(2, 0, 0)};
    s.context->opts.progress = refuse;
    cr_expect_eq(run(&s, 100, NULL), CFLR_CANCELLED);
    end_context(s.context);
}

/* Others may have the caller's ends of the channels open, and workers end all the same. */
Test(workers, ends_are_seen_beside_other_processes, .timeout = 60) {
    int held[2];
    cr_assert_eq(pipe(held), 0);
    script s = {.jobs = "aaaa", .alive = -1, .held = held, .context = make_context(2, 0, 0)};
    cr_expect_eq(run(&s, 100, NULL), CFLR_OK);
    cr_expect_str_eq(s.told, "aaaa");
    end_context(s.context);
    close(held[0]);
    close(held[1]);
}

static int files_in(const char *path) {
    struct dirent *entry;
    int n = 0;
    DIR *list = opendir(path);
    cr_assert_not_null(list);
    while ((entry = readdir(list))) n += entry->d_name[0] != '.';
    closedir(list);
    return n;
}

/* A worker that is given up takes what it was writing with it, and nothing of the caller's. */
Test(workers, files_of_lost_ones_are_removed) {
    char path[512];
    int alive[2];
    test_dir dir = test_dir_begin();
    cflr_output *ours;
    script s = {.jobs = "tatt", .context = make_context(2, 0, 0)};
    cr_assert_eq(pipe(alive), 0);
    s.alive = alive[1];
    cr_assert_eq(cflr_output_open(s.context, test_path(&dir, "ours", path), &ours, NULL), CFLR_OK);
    s.path = test_path(&dir, "theirs", path);
    cr_expect_eq(run(&s, 0.5, NULL), CFLR_OK);
    cr_expect_str_eq(s.told, "tatt");
    cr_expect_eq(files_in(dir.path), 1, "what the caller writes is there, and nothing else");
    cr_expect_eq(cflr_output_close(ours, NULL), CFLR_OK);
    test_dir_end(&dir);
    end_context(s.context);
    close(alive[0]);
    close(alive[1]);
}

/* A caller that is killed cannot say so: the workers see it, busy or not. */
Test(workers, none_outlives_the_caller) {
    int alive[2];
    char text[8];
    cr_assert_eq(pipe(alive), 0);
    pid_t caller = fork();
    if (caller == 0) {
        script s = {.jobs = "hhh", .alive = alive[1], .context = make_context(3, 0, 0)};
        close(alive[0]);
        run(&s, 100, NULL);
        _exit(0);
    }
    close(alive[1]);
    for (int i = 0; i < 3; i++) cr_assert_eq(read(alive[0], text, 1), 1, "all three hang");
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    cr_expect_eq(read(alive[0], text, 1), 0, "all ends of the pipe are closed");
    close(alive[0]);
}

/* ---- the system refuses ---- */

static int forks_left;

static int fork_some(void) {
    if (forks_left-- > 0) return fork();
    errno = EAGAIN;
    return -1;
}

Test(workers, no_process_at_all) {
    script s = {.jobs = "aa", .alive = -1, .context = make_context(2, 0, 0)};
    cflr_error error;
    cflri_workers_fork = fork_some;
    forks_left = 0;
    cr_expect_eq(run(&s, 100, &error), CFLR_UNAVAILABLE);
    cr_expect(strstr(error.message, strerror(EAGAIN)), "%s", error.message);
    cr_expect_str_eq(s.told, "--");
    end_context(s.context);
}

Test(workers, fewer_processes_do_it) {
    script s = {.jobs = "aaaaaa", .alive = -1, .context = make_context(4, 0, 0)};
    cflri_workers_fork = fork_some;
    forks_left = 1;
    cr_expect_eq(run(&s, 100, NULL), CFLR_OK);
    cr_expect_str_eq(s.told, "aaaaaa");
    end_context(s.context);
}

Test(workers, none_to_take_the_place_of_a_lost_one) {
    script s = {.jobs = "asa", .alive = -1, .context = make_context(1, 0, 0)};
    cflri_workers_fork = fork_some;
    forks_left = 1;
    cr_expect_eq(run(&s, 100, NULL), CFLR_UNAVAILABLE);
    cr_expect_str_eq(s.told, "ac-");
    end_context(s.context);
}

/* Of the caller; for those in a worker see test_parsing.c. */
static cflr_status silent_run(cflr_context *context, void *user, cflr_error *error) {
    script s = {.jobs = user, .alive = -1, .context = context};
    return run(&s, 100, error);
}

Test(workers, sweep) {
    cr_expect_geq(fail_alloc_sweep(silent_run, (char *)(uintptr_t) "..."), 3);
}

Test(workers, sweep_with_losses) {
    cr_expect_geq(fail_alloc_sweep(silent_run, (char *)(uintptr_t) ".s."), 3);
}
