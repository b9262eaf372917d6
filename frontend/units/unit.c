/* SPDX-License-Identifier: Apache-2.0
 *
 * unit.c: one unit through libclang.
 *
 * Failures are distinguished by what they cost the user:
 *
 *     lost       no file, no permission, flags that clang refuses: nothing was read
 *     degraded   an error with a place (missing header, bad syntax): some code may be missing
 *     read       everything else; an error without a place is about a flag that gcc knows and clang
 *                does not, and the parse is the same with and without it
 */
#include "frontend/units/unit.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/clang/deep.h"
#include "frontend/compdb/compdb_flags.h"
#include "frontend/compdb/search.h"
#include "frontend/store/inclusions.h"
#include "frontend/walk/walk.h"

typedef struct job {
    const cflri_unit *unit;
    const cflri_summaries *summaries;
    cflri_facts *facts;
    cflri_inclusions *files; /* or NULL */
    cflri_unit_outcome *outcome;
    cflr_error *error;
    cflr_status status;
} job;

static void lose(cflri_unit_outcome *outcome, const char *format, ...) CFLRI_PRINTF(2, 3);

static void lose(cflri_unit_outcome *outcome, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    outcome->state = CFLRI_UNIT_LOST;
    outcome->errors++;
    vsnprintf(outcome->first_error, sizeof outcome->first_error, format, arguments);
    va_end(arguments);
}

/* Copies a string of libclang and gives it back. */
static void take_text(CXString text, char *buffer, size_t size) {
    const char *chars = cflri_clang_getCString(text);
    snprintf(buffer, size, "%s", chars ? chars : "");
    cflri_clang_disposeString(text);
}

static void note_error(cflri_unit_outcome *outcome, CXDiagnostic diagnostic) {
    CXFile file = NULL;
    unsigned line = 0;
    cflri_clang_getExpansionLocation(cflri_clang_getDiagnosticLocation(diagnostic), &file, &line,
                                     NULL, NULL);
    if (!file && line == 0) return; /* about a flag */
    outcome->state = CFLRI_UNIT_DEGRADED;
    if (outcome->errors++ > 0) return;
    outcome->error_line = file ? line : 0;
    if (file) take_text(cflri_clang_path(file), outcome->error_file, sizeof outcome->error_file);
    take_text(cflri_clang_getDiagnosticSpelling(diagnostic), outcome->first_error,
              sizeof outcome->first_error);
}

static void classify_diagnostics(CXTranslationUnit parsed, cflri_unit_outcome *outcome) {
    unsigned n = cflri_clang_getNumDiagnostics(parsed);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = cflri_clang_getDiagnostic(parsed, i);
        if (cflri_clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            note_error(outcome, diagnostic);
        cflri_clang_disposeDiagnostic(diagnostic);
    }
}

/* Of at most 255 bytes: the count fits one, and compilers then count 16 at a time. */
static uint8_t count_feeds(const char *text, size_t size) {
    uint8_t n = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') n++;
    return n;
}

static uint64_t count_lines(CXTranslationUnit parsed, const char *path) {
    enum { BLOCK = 128 };
    size_t size = 0, at = 0;
    CXFile file = cflri_clang_getFile(parsed, path);
    const char *text = file ? cflri_clang_getFileContents(parsed, file, &size) : NULL;
    if (!text || size == 0) return 0;
    uint64_t lines = text[size - 1] == '\n' ? 0 : 1;
    for (; size - at > BLOCK; at += BLOCK) lines += count_feeds(text + at, BLOCK);
    return lines + count_feeds(text + at, size - at);
}

/* Large files of code make at least so much of their lines. */
static void expect_facts(cflri_facts *facts, uint64_t lines) {
    enum { LINES_A_NODE = 8, MOST_NODES = 1 << 16 };
    size_t n =
        lines < (uint64_t)MOST_NODES * LINES_A_NODE ? (size_t)lines / LINES_A_NODE : MOST_NODES;
    cflri_facts_expect(facts, &(cflri_facts_counts){n, n, n, n});
}

static const char *refusal(enum CXErrorCode code) {
    if (code == CXError_Crashed) return "the parser crashed on it";
    return "the parser refused its flags or its content";
}

/* NULL when clang refuses. */
static CXTranslationUnit parse(CXIndex index, const char *const *arguments, int n,
                               enum CXErrorCode *code) {
    CXTranslationUnit parsed = NULL;
    *code = cflri_clang_parseTranslationUnit2FullArgv(index, NULL, arguments, n, NULL, 0,
                                                      CXTranslationUnit_KeepGoing, &parsed);
    return *code == CXError_Success ? parsed : NULL;
}

/* Parses with the flags that weigh at least `least`. */
static cflr_status parse_with(const job *work, CXIndex index, cflri_flag_weight least,
                              CXTranslationUnit *parsed, enum CXErrorCode *code) {
    const cflri_unit *unit = work->unit;
    cflr_context *context = work->facts->context;
    const char **kept = cflri_alloc_array(context, (size_t)unit->n_arguments, sizeof *kept);
    if (!kept) return cflri_fail_memory(context, work->error);
    int n = 0;
    for (int i = 0; i < unit->n_arguments; i++) {
        bool target = strcmp(unit->arguments[i], "-target") == 0 && least > CFLRI_FLAG_MACHINE;
        if (target)
            i++;
        else if (cflri_flag_weigh(unit->arguments[i]) >= least)
            kept[n++] = unit->arguments[i];
    }
    *parsed = parse(index, kept, n, code);
    cflri_free(context, kept);
    return CFLR_OK;
}

/* A processor that this clang has not heard of makes it refuse the whole command; code that depends
 * on one is then missing in the text, and reported as an error there. Without dialect and target
 * the tree is almost the same, which is reported here. */
static cflr_status parse_some_way(const job *work, CXIndex index, CXTranslationUnit *parsed,
                                  enum CXErrorCode *code) {
    cflr_status st = CFLR_OK;
    *parsed = parse(index, work->unit->arguments, work->unit->n_arguments, code);
    if (*parsed || *code == CXError_Crashed) return CFLR_OK;
    CFLR_TRY(parse_with(work, index, CFLRI_FLAG_MACHINE, parsed, code));
    if (*parsed || *code == CXError_Crashed) return CFLR_OK;
    CFLR_TRY(parse_with(work, index, CFLRI_FLAG_SOURCE, parsed, code));
    if (!*parsed) return CFLR_OK;
    lose(work->outcome, "the parser refused some flags; read without -m, -f, -O, -std and target");
    work->outcome->state = CFLRI_UNIT_DEGRADED;
out:
    return st;
}

static cflr_status parse_and_walk(const job *work, CXIndex index) {
    const cflri_unit *unit = work->unit;
    enum CXErrorCode code;
    CXTranslationUnit parsed;
    cflr_status st = parse_some_way(work, index, &parsed, &code);
    if (st != CFLR_OK) return st;
    if (!parsed) {
        lose(work->outcome, "%s", refusal(code));
        return CFLR_OK;
    }
    classify_diagnostics(parsed, work->outcome);
    work->outcome->lines = count_lines(parsed, unit->path);
    expect_facts(work->facts, work->outcome->lines);
    st = cflri_walk_unit(parsed, work->summaries, work->facts, work->error);
    if (st == CFLR_OK && work->files &&
        !cflri_inclusions_collect(work->files, work->facts->context, parsed, unit->directory))
        st = cflri_fail_memory(work->facts->context, work->error);
    cflri_clang_disposeTranslationUnit(parsed);
    return st;
}

static void run_job(void *user) {
    job *work = user;
    CXIndex index = cflri_clang_createIndex(0, 0);
    if (!index) {
        work->status =
            cflri_fail(work->error, CFLR_NO_MEMORY, work->unit->path, "libclang could not start");
        return;
    }
    cflri_deep_watch();
    work->status = parse_and_walk(work, index);
    cflri_clang_disposeIndex(index);
}

/* A device, a pipe, a socket: reading it may never end. */
static bool is_endless(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Is the main file of this kind, or one that the command names? A header may be, too, but that
 * shows only in the parse. */
static bool names_endless(const cflri_unit *unit, char path[PATH_MAX]) {
    static const char *const flags[] = {"-include", "-imacros"};
    snprintf(path, PATH_MAX, "%s", unit->path);
    if (is_endless(path)) return true;
    for (int i = 0; i < unit->n_arguments; i++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            const char *name = cflri_search_argument(unit, i, flags[f]);
            if (name &&
                cflri_search_join(unit->directory, strlen(unit->directory), name, strlen(name),
                                  path) &&
                is_endless(path))
                return true;
        }
    return false;
}

cflr_status cflri_unit_read(cflr_context *context, const cflri_unit *unit,
                            const cflri_summaries *summaries, cflri_facts *facts,
                            cflri_inclusions *files, cflri_unit_outcome *outcome,
                            cflr_error *error) {
    assert(facts->context == context && facts->status == CFLR_OK);
    (void)context;
    memset(outcome, 0, sizeof *outcome);
    cflr_status st = cflri_clang_load(error);
    if (st != CFLR_OK) return st;
    if (access(unit->path, R_OK) != 0) {
        lose(outcome, "%s", strerror(errno));
        return CFLR_OK;
    }
    char path[PATH_MAX];
    if (names_endless(unit, path)) {
        lose(outcome, "%.200s is no regular file", path);
        return CFLR_OK;
    }
    job work = {unit, summaries, facts, files, outcome, error, CFLR_OK};
    cflri_deep_run(run_job, &work);
    return work.status;
}
