/* SPDX-License-Identifier: Apache-2.0
 *
 * analysis.c: this program, run to make the result and the report that are served.
 *
 *     saved ---moment---> cflr analyze -o N.cflr ---> analysis.cflr: served from here on
 *                              |
 *                              +---> cflr check --sarif N.sarif      where rules or checks are
 *                                                                    configured
 *
 * One child runs at a time, and the last result is served meanwhile. What is saved while it runs is
 * a reason for one more run, and does not stop it: work that takes longer than a person types would
 * never end otherwise. Children read the project's `.cflr.json` themselves.
 *
 * A result that a child has made gets the time at which the child began: what was written later is
 * not what it has read. It takes the place of the older one then, so that another server of the
 * same project, or the next one, finds it with its time.
 *
 *     $XDG_CACHE_HOME/cflr/serve/NAME-HASH/    analysis.cflr    units/: --cache of both commands
 *
 * A child ends with the server: it is asked to when the server leaves, and the system kills it when
 * the server is killed.
 */
#include "cli/serve/analysis.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run/settings.h"
#include "cli/serve/server.h"

enum {
    LOOK_MS = 1000, /* at a given file */
    CHILD_MS = 50,  /* at a child */
    MOST_LINE = 4096,
    END_MS = 2000, /* that a child has to end */
};

/* ---- where files are ---- */

static bool make_directories(char *path) {
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = '/';
        if (!there) return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Of the bytes of a path (FNV-1a). */
static uint64_t hash_path(const char *path) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *path; path++) hash = (hash ^ (unsigned char)*path) * UINT64_C(1099511628211);
    return hash;
}

/* Empty where no directory can be made. */
static void find_directory(server *s) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path = s->analysis.directory;
    const char *name = strrchr(s->root, '/') + 1;
    bool own = cache && cache[0] == '/';
    path[0] = '\0';
    if (!own && (!home || home[0] != '/')) return;
    int n = snprintf(path, PATH_MAX, "%s%s/cflr/serve/%.64s-%016" PRIx64, own ? cache : home,
                     own ? "" : "/.cache", name, hash_path(s->root));
    if (n >= PATH_MAX - 32 || !make_directories(path)) path[0] = '\0';
}

static char *path_in(const analysis *a, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", a->directory, name) < 0) exit(fail_memory());
    return path;
}

/* Of what the child writes: no other process has it. */
static char *own_path(const analysis *a, const char *end) {
    char name[64];
    snprintf(name, sizeof name, "%ld.%s", (long)getpid(), end);
    return path_in(a, name);
}

/* ---- results ---- */

/* A failure is shown once, until something else happens. */
static void tell_failure(server *s, const char *text) {
    analysis *a = &s->analysis;
    if (a->told && strcmp(a->told, text) == 0) return;
    free(a->told);
    a->told = strdup(text);
    show_message(s, MESSAGE_ERROR, text);
}

/* The one that is served stays where the file cannot be read. */
static bool take_result(server *s, const char *path) {
    cflr_error error;
    program *loaded;
    char text[sizeof error.message + sizeof error.subject + 8];
    if (program_load(path, &loaded, &error) == CFLR_OK) {
        server_take_program(s, loaded);
        return true;
    }
    snprintf(text, sizeof text, "%s: %s", error.subject[0] ? error.subject : path, error.message);
    tell_failure(s, text);
    return false;
}

static void look_at_given(server *s) {
    analysis *a = &s->analysis;
    struct stat about;
    double now = seconds_now();
    if (a->looked > 0 && 1000 * (now - a->looked) < (double)LOOK_MS) return;
    a->looked = now;
    if (stat(a->given, &about) != 0) {
        char text[PATH_MAX + 64];
        snprintf(text, sizeof text, "%s: cannot open: %s", a->given, strerror(errno));
        if (!s->program) tell_failure(s, text);
        return;
    }
    bool same = a->number == about.st_ino && a->size == about.st_size &&
                a->made.tv_sec == about.st_mtim.tv_sec && a->made.tv_nsec == about.st_mtim.tv_nsec;
    if (same) return;
    a->number = about.st_ino;
    a->size = about.st_size;
    a->made = about.st_mtim;
    take_result(s, a->given);
}

/* ---- progress ---- */

static void progress(server *s, const char *kind, const char *title, const char *text) {
    json_t *parameters = json_object(), *value = json_object();
    json_set_count(parameters, "token", (uint64_t)s->analysis.token);
    json_set_text(value, "kind", kind);
    if (title) json_set_text(value, "title", title);
    if (text) json_set_text(value, "message", text);
    json_set(parameters, "value", value);
    rpc_notify(&s->rpc, "$/progress", parameters);
}

static const char *stage_text(const analysis *a) {
    return a->stage == STAGE_CHECK ? "findings" : "pointers";
}

static void ask_for_progress(server *s) {
    char id[32];
    analysis *a = &s->analysis;
    a->token_known = a->token_shown = false;
    a->token++;
    if (!s->client.progress) return;
    json_t *parameters = json_object();
    json_set_count(parameters, "token", (uint64_t)a->token);
    snprintf(id, sizeof id, "progress-%d", a->token);
    rpc_ask(&s->rpc, id, "window/workDoneProgress/create", parameters);
}

void analysis_progress_answered(server *s, const json_t *message) {
    char id[32];
    analysis *a = &s->analysis;
    const char *given = json_string_value(json_object_get(message, "id"));
    snprintf(id, sizeof id, "progress-%d", a->token);
    a->token_known = given && strcmp(given, id) == 0 && !json_object_get(message, "error");
    if (!a->token_known || a->stage == STAGE_NONE || a->token_shown) return;
    progress(s, "begin", "cflr", stage_text(a));
    a->token_shown = true;
}

static void end_progress(server *s) {
    if (s->analysis.token_shown) progress(s, "end", NULL, NULL);
    s->analysis.token_shown = false;
}

/* ---- children ---- */

/* Words of a command line. */
typedef struct words {
    const char *at[24];
    size_t n;
} words;

static void add(words *w, const char *option, const char *value) {
    if (!value) return;
    if (option) w->at[w->n++] = option;
    w->at[w->n++] = value;
}

/* Between fork and exec: what is safe after a fork of a program with threads. */
static void become(const words *w, int messages, pid_t parent) {
    int nowhere = open("/dev/null", O_RDWR);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); /* it has ended already */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        dup2(messages, STDERR_FILENO) < 0)
        _exit(127);
    execv("/proc/self/exe", (char *const *)w->at);
    _exit(127);
}

static void spawn(server *s, analysis_stage stage, words *w) {
    analysis *a = &s->analysis;
    int ends[2];
    w->at[w->n] = NULL;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        tell_failure(s, strerror(errno));
        return;
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) become(w, ends[1], parent);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        tell_failure(s, strerror(errno));
        return;
    }
    setpgid(child, child);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    free(a->failure);
    a->failure = NULL;
    a->n_line = 0;
    a->child = child;
    a->messages = ends[0];
    a->stage = stage;
}

static words command_line(const analysis *a, const command *of, const char *cache) {
    words w = {.n = 0};
    add(&w, "cflr", of->name);
    if (!setting_value(of, "cache")) add(&w, "--cache", cache);
    add(&w, "-p", a->database);
    add(&w, "-j", common.threads);
    add(&w, "--memory", common.memory);
    add(&w, "--time", common.time);
    return w;
}

static void start(server *s, analysis_stage stage) {
    analysis *a = &s->analysis;
    bool checks = stage == STAGE_CHECK;
    char *cache = path_in(a, "units"), *to = own_path(a, checks ? "sarif" : "cflr");
    words w = command_line(a, checks ? &command_check : &command_analyze, cache);
    add(&w, checks ? "--sarif" : "-o", to);
    if (checks && setting_value(&command_check, "update-baseline"))
        add(&w, NULL, "--no-update-baseline");
    unlink(to);
    spawn(s, stage, &w);
    free(cache);
    free(to);
}

static bool has_checks(void) {
    static const char *const options[] = {"rules", "may-alias", "must-alias", "no-alias"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (setting_value(&command_check, options[i])) return true;
    return false;
}

static void begin(server *s) {
    analysis *a = &s->analysis;
    a->wanted = false;
    settings_reload(); /* a mistake in it is the child's to tell */
    clock_gettime(CLOCK_REALTIME, &a->begun);
    start(s, STAGE_ANALYZE);
    if (a->stage != STAGE_NONE) ask_for_progress(s);
}

/* ---- what children say ---- */

/* The last complaint is why a child has failed; warnings are not. */
static void take_line(server *s, char *line) {
    static const char name[] = "cflr: ";
    analysis *a = &s->analysis;
    const char *text = strncmp(line, name, sizeof name - 1) == 0 ? line + sizeof name - 1 : line;
    bool warns = strncmp(text, "warning: ", 9) == 0;
    log_message(s, warns ? MESSAGE_WARNING : MESSAGE_LOG, text);
    fprintf(stderr, "%s\n", line);
    if (text == line || warns) return;
    free(a->failure);
    a->failure = strdup(text);
}

static void take_bytes(server *s, const char *bytes, size_t n) {
    analysis *a = &s->analysis;
    for (size_t i = 0; i < n; i++) {
        bool ends = bytes[i] == '\n' || a->n_line == MOST_LINE;
        if (!make_room(&a->line, &a->line_capacity, a->n_line, 1)) exit(fail_memory());
        a->line[a->n_line++] = ends ? '\0' : bytes[i];
        if (ends) take_line(s, a->line);
        if (ends) a->n_line = 0;
    }
}

void analysis_read(server *s) {
    analysis *a = &s->analysis;
    char bytes[4096];
    while (a->messages >= 0) {
        ssize_t n = read(a->messages, bytes, sizeof bytes);
        bool later = n < 0 && (errno == EAGAIN || errno == EINTR);
        if (later) return;
        if (n > 0) {
            take_bytes(s, bytes, (size_t)n);
            continue;
        }
        close(a->messages);
        a->messages = -1;
    }
}

/* ---- the end of a child ---- */

static void tell_end(server *s, int status) {
    analysis *a = &s->analysis;
    const char *name = a->stage == STAGE_CHECK ? "check" : "analyze";
    char text[MOST_LINE + 128];
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "%s was ended by signal %d", name, WTERMSIG(status));
    else
        snprintf(text, sizeof text, "%s: %s", name,
                 a->failure ? a->failure : "it failed without a message");
    tell_failure(s, text);
}

static void take_analysis(server *s) {
    analysis *a = &s->analysis;
    char *made = own_path(a, "cflr"), *kept = path_in(a, "analysis.cflr");
    const struct timespec times[2] = {a->begun, a->begun};
    if (utimensat(AT_FDCWD, made, times, 0) == 0 && take_result(s, made) && rename(made, kept) != 0)
        tell_failure(s, "the result cannot be kept for the next start");
    unlink(made);
    free(made);
    free(kept);
}

static void take_report(server *s) {
    char *made = own_path(&s->analysis, "sarif");
    publish_report(s, made);
    unlink(made);
    free(made);
}

/* A check that has found something ends with EXIT_NO, and a limit leaves a part of the result. */
static void take_end(server *s, int status) {
    analysis *a = &s->analysis;
    bool checked = a->stage == STAGE_CHECK;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool well = code == EXIT_YES || (checked && code == EXIT_NO);
    char *made = own_path(a, checked ? "sarif" : "cflr");
    bool there = access(made, R_OK) == 0;
    free(made);
    if (!well) tell_end(s, status);
    if (there && !checked) take_analysis(s);
    if (well && checked) take_report(s);
    if (well && a->told) {
        free(a->told);
        a->told = NULL;
    }
    a->stage = STAGE_NONE;
    if (well && !checked && has_checks()) start(s, STAGE_CHECK);
    if (well && !checked && !has_checks()) publish_report(s, NULL);
    if (a->stage == STAGE_NONE) end_progress(s);
    if (a->stage == STAGE_CHECK && a->token_shown) progress(s, "report", NULL, stage_text(a));
}

static void look_at_child(server *s) {
    analysis *a = &s->analysis;
    int status;
    if (a->stage == STAGE_NONE || waitpid(a->child, &status, WNOHANG) != a->child) return;
    analysis_read(s);
    if (a->messages >= 0)
        close(a->messages); /* what the child has started may hold the other end */
    a->messages = -1;
    a->child = 0;
    take_end(s, status);
}

void analysis_end(server *s) {
    analysis *a = &s->analysis;
    char *result = own_path(a, "cflr"), *report = own_path(a, "sarif");
    if (a->child > 0) kill(a->child, SIGTERM);
    for (int i = 0; a->child > 0 && i < END_MS / 10; i++) {
        if (waitpid(a->child, NULL, WNOHANG) == a->child) a->child = 0;
        if (a->child > 0) usleep(10000);
    }
    if (a->child > 0 && kill(-a->child, SIGKILL) == 0) waitpid(a->child, NULL, 0);
    if (a->messages >= 0) close(a->messages);
    if (!a->given && a->directory[0]) {
        unlink(result);
        unlink(report);
    }
    free(result);
    free(report);
    free(a->line);
    free(a->failure);
    free(a->told);
}

/* ---- the steps ---- */

void analysis_begin(server *s) {
    analysis *a = &s->analysis;
    a->messages = -1;
    if (a->given) return;
    find_directory(s);
    if (!a->directory[0]) {
        tell_failure(s,
                     "there is no place for results: neither XDG_CACHE_HOME nor HOME can be "
                     "written");
        return;
    }
    char *last = path_in(a, "analysis.cflr");
    if (access(last, R_OK) == 0) take_result(s, last);
    free(last);
    analysis_want(s, 0);
}

void analysis_want(server *s, double delay) {
    analysis *a = &s->analysis;
    if (a->given || !a->directory[0]) return;
    a->wanted = true;
    a->due = seconds_now() + delay;
}

int analysis_step(server *s) {
    analysis *a = &s->analysis;
    if (s->state != SERVER_RUNS) return LOOK_MS;
    if (a->given) look_at_given(s);
    look_at_child(s);
    if (a->stage != STAGE_NONE) return CHILD_MS;
    if (!a->wanted) return LOOK_MS;
    double left = a->due - seconds_now();
    if (left > 0) return (int)(1000 * left) + 1;
    begin(s);
    return CHILD_MS;
}
