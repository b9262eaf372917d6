/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_compdb.c: `cflr compdb -- make`: a compilation database from a build that is watched.
 *
 * bear does the watching. It writes into a folder of its own beside the target, and what it wrote
 * is read before it becomes the target: a build that was up to date compiles nothing, and its empty
 * list must not replace a good one. Neither must the list of a build that failed half-way; where
 * there is nothing to lose, that is kept too.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cflr/extract.h"
#include "cli/extract/child.h"
#include "cli/run/run.h"

#define DATABASE_NAME "compile_commands.json"

static struct poptOption table[] = {PLAIN_OPTIONS};

typedef struct making {
    const char *const *build; /* its words; how many */
    int n_build;
    char target[PATH_MAX];                      /* the file of -o */
    char folder[PATH_MAX];                      /* bear's, while it is there */
    char made[PATH_MAX + sizeof DATABASE_NAME]; /* what bear wrote */
    child_end end;
    cflr_extract_counts counts;
} making;

/* ---- before ---- */

static int too_long(const char *path) {
    complain("%s: %s", path, strerror(ENAMETOOLONG));
    return cflr_status_exit_code(CFLR_IO);
}

/* A symbolic link stays, its target is replaced; a device is not replaced at all. */
static int check_present(making *m) {
    struct stat about;
    if (lstat(m->target, &about) != 0) return 0;
    if (S_ISLNK(about.st_mode)) {
        char *real = realpath(m->target, NULL);
        if (real) snprintf(m->target, sizeof m->target, "%s", real);
        free(real);
    }
    if (stat(m->target, &about) == 0 && S_ISREG(about.st_mode)) return 0;
    return usage_error("%s: neither a file nor a directory", m->target);
}

/* 0, or the exit code after a message. */
static int choose_target(making *m) {
    struct stat about;
    const char *given = common.output ? common.output : DATABASE_NAME;
    if (common.output && output_is_standard()) {
        return usage_error("the database is a file: -o FILE or a directory");
    }
    bool directory = stat(given, &about) == 0 && S_ISDIR(about.st_mode);
    const char *tail = directory ? "/" DATABASE_NAME : "";
    int n = snprintf(m->target, sizeof m->target, "%s%s", given, tail);
    if (n >= (int)sizeof m->target) return too_long(given);
    int code = check_present(m);
    return code ? code : check_writable(m->target);
}

static int no_bear(void) {
    complain(
        "bear, which watches a build, is not installed (Debian: apt install bear); other ways to "
        "make " DATABASE_NAME ":");
    fputs(
        "      cmake   configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON\n"
        "      meson   it is in the build folder already\n"
        "      ninja   ninja -t compdb > " DATABASE_NAME
        "\n"
        "      make    compiledb make, of the Python package compiledb\n",
        stderr);
    return cflr_status_exit_code(CFLR_UNAVAILABLE);
}

static int find_programs(const making *m) {
    if (!child_exists(m->build[0])) {
        complain("%s: no such command", m->build[0]);
        return cflr_status_exit_code(CFLR_NOT_FOUND);
    }
    return child_exists("bear") ? 0 : no_bear();
}

#if CFLR_WITH_FRONTEND

/* ---- the build ---- */

static int make_folder(making *m) {
    const char *slash = strrchr(m->target, '/');
    int length = slash ? (int)(slash + 1 - m->target) : 0;
    int n = snprintf(m->folder, sizeof m->folder, "%.*s.compdb-XXXXXX", length, m->target);
    if (n >= (int)sizeof m->folder) return too_long(m->target);
    if (!mkdtemp(m->folder)) {
        complain("%s: cannot make a folder: %s", m->folder, strerror(errno));
        return cflr_status_exit_code(errno == ENOSPC ? CFLR_NO_SPACE : CFLR_IO);
    }
    snprintf(m->made, sizeof m->made, "%s/%s", m->folder, DATABASE_NAME);
    return 0;
}

/* Bear leaves other files there when it is killed. */
static void remove_folder(const making *m) {
    DIR *folder = opendir(m->folder);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    rmdir(m->folder);
}

static int watch(making *m) {
    const char *const begin[] = {"bear", "--output", m->made, "--"};
    enum { BEGIN = sizeof begin / sizeof *begin };
    const char **words = calloc(BEGIN + (size_t)m->n_build + 1, sizeof *words);
    if (!words) return fail_memory();
    memcpy(words, begin, sizeof begin);
    memcpy(words + BEGIN, m->build, (size_t)m->n_build * sizeof *words);
    int failure = child_run(words, wants_json(), &m->end);
    free(words);
    if (!failure) return 0;
    complain("bear: cannot be run: %s", strerror(failure));
    return cflr_status_exit_code(CFLR_UNAVAILABLE);
}

/* ---- after ---- */

/* Where bear wrote nothing there are no units. */
static cflr_status count_units(making *m, cflr_error *error) {
    cflr_extract_opts opts;
    cflr_extract_report *report;
    if (access(m->made, F_OK) != 0) return CFLR_OK;
    cflr_extract_opts_init(&opts);
    opts.database = m->made;
    cflr_status st = cflr_extract_list(session(), &opts, &report, error);
    if (st == CFLR_OK) cflr_extract_get_counts(report, &m->counts);
    cflr_extract_report_free(report);
    return st;
}

/* The database becomes the target. */
static int deliver(const making *m) {
    if (rename(m->made, m->target) == 0) return 0;
    complain("%s: cannot write: %s", m->target, strerror(errno));
    return cflr_status_exit_code(CFLR_IO);
}

static int nothing_compiled(const making *m) {
    bool others = m->counts.other_languages > 0;
    const char *left = access(m->target, F_OK) == 0 ? "; what was there is left as it was" : "";
    if (others)
        complain("%s: only other languages than C were compiled%s", m->build[0], left);
    else
        complain("%s: nothing was compiled: clean the build first, as by `make clean`%s",
                 m->build[0], left);
    return cflr_status_exit_code(CFLR_IO);
}

/* The build failed or was interrupted. */
static int settle_failure(const making *m) {
    int code = m->end.interrupted ? EXIT_INTERRUPTED : cflr_status_exit_code(CFLR_IO);
    const char *place = short_path(m->target);
    char how[64] = "was interrupted";
    if (!m->end.interrupted) snprintf(how, sizeof how, "ended with exit code %d", m->end.code);
    if (access(m->target, F_OK) == 0) {
        complain("%s %s; %s is left as it was", m->build[0], how, place);
    } else if (m->counts.units == 0 || deliver(m) != 0) {
        complain("%s %s; there is no %s", m->build[0], how, place);
    } else {
        complain("%s %s; %s has what was compiled before, C units: %" PRIu32, m->build[0], how,
                 place, m->counts.units);
    }
    return code;
}

static int settle_success(const making *m) {
    if (m->counts.units == 0) return nothing_compiled(m);
    int code = deliver(m);
    if (code) return code;
    forget_output();
    if (!wants_json()) {
        remark("%s: C units: %" PRIu32 ", duplicates: %" PRIu32
               ", entries of other languages: %" PRIu32,
               short_path(m->target), m->counts.units, m->counts.duplicates,
               m->counts.other_languages);
        return 0;
    }
    json_t *object = json_object();
    json_set_text(object, "database", m->target);
    json_set_count(object, "units", m->counts.units);
    json_set_count(object, "duplicate_entries", m->counts.duplicates);
    json_set_count(object, "other_languages", m->counts.other_languages);
    return print_json(object, 0);
}

/* A list that was cut off when the build was is as good as none. */
static int settle(making *m) {
    cflr_error error;
    cflr_status st = count_units(m, &error);
    if (m->end.code || m->end.interrupted) return settle_failure(m);
    return st == CFLR_OK ? settle_success(m) : fail(&error);
}

static int make_database(making *m) {
    int code = make_folder(m);
    if (code) return code;
    code = watch(m);
    if (!code) code = settle(m);
    remove_folder(m);
    return code;
}

#else

static int make_database(making *m) {
    (void)m;
    complain("this cflr was built without the C front end (libclang 19 or newer)");
    return cflr_status_exit_code(CFLR_UNAVAILABLE);
}

#endif

/* ---- the command ---- */

static int run(const cli_arguments *arguments) {
    making m = {.build = arguments->flag, .n_build = arguments->n_flags};
    if (arguments->n_operands > 0) {
        return usage_error("the build comes after --: cflr compdb -- %s", arguments->operand[0]);
    }
    if (m.n_build == 0) return usage_error("no build to watch: cflr compdb -- make");
    int code = choose_target(&m);
    if (!code) code = session_begin();
    if (!code) code = find_programs(&m);
    return code ? code : make_database(&m);
}

const command command_compdb = {.name = "compdb",
                                .operands = "-- COMMAND...",
                                .summary = "make a compilation database by watching a build",
                                .options = table,
                                .min_operands = 0,
                                .max_operands = -1,
                                .takes_flags = true,
                                .run = run};
