/* SPDX-License-Identifier: Apache-2.0
 *
 * work.c: a work directory when its process dies, or a system call fails, at every call.
 *
 *     parent          child                                   parent, child
 *     n = 1, 2, ...   two rounds; then, with a fault at call  resumes: the last checkpoint that was
 *                     n: a round, closes, resumes, two more   acknowledged, or the one that was
 *                                                             being made; every byte of it
 *
 * A round replaces one of the extents of the state, at times also the segment, and commits. When
 * that fails, the child does what work.h says: it appends all that it has anew, and commits again.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context.h"
#include "ooc/work.h"
#include "tests/crash/faults.h"
#include "tests/stress/need.h"

enum { EXTENTS = 3, FAILED = 2 };

typedef struct state {
    uint64_t round;
    uint64_t made_in[EXTENTS]; /* the round, from which the bytes follow; 0: not yet */
    cflri_extent extent[EXTENTS];
} state;

/* What the parent knows. */
typedef struct shared {
    _Atomic uint64_t tried, acknowledged;
    atomic_bool happened;
} shared;

static shared *told;
static char path[300];
static const unsigned char digest[CFLRI_DIGEST] = "crash";

typedef struct run {
    cflr_context *context;
    cflri_work *work;
    cflri_spill *segment;
    size_t size; /* of the largest extent */
    state now;
    cflr_error error;
} run;

static size_t size_of(const run *r, uint64_t round) {
    const size_t sizes[] = {r->size, 30, r->size / 8};
    return sizes[round % 3];
}

static uint32_t *bytes_of(size_t size, uint64_t round) {
    uint32_t *words = malloc(size + sizeof *words);
    NEED(words, "memory");
    for (size_t i = 0; i <= size / sizeof *words; i++) {
        words[i] = (uint32_t)((i + round) * 2654435761u) >> 12;
    }
    return words;
}

/* ---- the child; a step is false when it fails, and says why in r->error ---- */

static bool is_fine(const run *r, cflr_status st) {
    if (st == CFLR_OK) return true;
    NEED(st == CFLR_IO || st == CFLR_NO_SPACE, "%s: %s (%s)", r->error.subject, r->error.message,
         cflr_status_name(st));
    NEED(r->error.code == st && r->error.message[0] && r->error.subject[0], "no cause");
    return false;
}

static void read_all(run *r) {
    for (int i = 0; i < EXTENTS; i++) {
        const cflri_extent *extent = &r->now.extent[i];
        if (!r->now.made_in[i]) continue;
        const size_t size = size_of(r, r->now.made_in[i]);
        NEED(extent->plain == size, "size");
        uint32_t *found = malloc(size), *expected = bytes_of(size, r->now.made_in[i]);
        cflr_status st = cflri_work_read(r->work, extent, found, &r->error);
        NEED(st == CFLR_OK, "%s: %s", r->error.subject, r->error.message);
        NEED(memcmp(found, expected, size) == 0, "round %" PRIu64 ": other bytes", r->now.round);
        free(found);
        free(expected);
    }
}

static bool append(run *r, int i, uint64_t made_in) {
    const size_t size = size_of(r, made_in);
    uint32_t *bytes = bytes_of(size, made_in);
    cflri_extent extent;
    bool fine = is_fine(
        r, cflri_spill_append(r->segment, bytes, size, made_in % 2 == 0, &extent, &r->error));
    free(bytes);
    if (!fine) return false;
    r->now.extent[i] = extent;
    r->now.made_in[i] = made_in;
    return true;
}

static bool commit(run *r) {
    if (!is_fine(r, cflri_work_commit(r->work, &r->now, sizeof r->now, &r->error))) return false;
    told->acknowledged = r->now.round;
    return true;
}

/* A new segment with all that the state needs; the others are removed. */
static bool move(run *r) {
    if (!is_fine(r, cflri_work_segment(r->work, &r->segment, &r->error))) return false;
    read_all(r);
    uint32_t number = 0;
    for (int i = 0; i < EXTENTS; i++) {
        if (!r->now.made_in[i]) continue;
        if (!append(r, i, r->now.made_in[i])) return false;
        number = r->now.extent[i].segment;
    }
    while (number-- > 0) cflri_work_remove(r->work, number);
    return true;
}

static bool try_round(run *r) {
    const int i = (int)(r->now.round % EXTENTS);
    const cflri_extent old = r->now.extent[i];
    const bool had = r->now.made_in[i] != 0;
    if (!r->segment && !is_fine(r, cflri_work_segment(r->work, &r->segment, &r->error))) {
        return false;
    }
    if (!append(r, i, r->now.round)) return false;
    if (had) cflri_work_drop(r->work, &old);
    if (r->now.round % 4 == 0 && !move(r)) return false;
    return commit(r);
}

static void one_round(run *r) {
    told->tried = ++r->now.round;
    if (try_round(r)) return;
    if (!move(r) || !commit(r)) exit(FAILED);
}

static void open_work(run *r) {
    if (!is_fine(r, cflri_work_open(r->context, path, digest, &r->work, &r->error))) exit(FAILED);
    r->segment = NULL;
}

/* Finds one of the states that may be there. */
static void resume(run *r) {
    void *found;
    size_t size;
    if (!is_fine(r, cflri_work_resume(r->work, &found, &size, &r->error))) exit(FAILED);
    NEED(found && size == sizeof r->now, "no state");
    memcpy(&r->now, found, sizeof r->now);
    cflri_free(r->context, found);
    NEED(r->now.round >= told->acknowledged && r->now.round <= told->tried,
         "round %" PRIu64 ", not %" PRIu64 " to %" PRIu64, r->now.round, told->acknowledged,
         told->tried);
    read_all(r);
}

static run begin(size_t size) {
    run r = {.size = size};
    NEED(cflr_context_new(NULL, &r.context, NULL) == CFLR_OK, "context");
    return r;
}

static void end(run *r, bool keep) {
    cflri_work_close(r->work, keep);
    NEED(cflr_context_memory(r->context) == 0, "bytes leak");
    cflr_context_free(r->context);
}

static void work_with_fault(faults_kind kind, long at, const char *only, size_t size) {
    run r = begin(size);
    faults_arm(kind, LONG_MAX, only);
    open_work(&r);
    NEED(cflri_work_clear(r.work, NULL) == CFLR_OK, "clear");
    one_round(&r);
    one_round(&r);
    faults_arm(kind, at, only);
    for (int i = 0; i < 3; i++) {
        if (i == 1) {
            cflri_work_close(r.work, true);
            open_work(&r);
            resume(&r);
        }
        one_round(&r);
    }
    faults_arm(kind, 0, NULL);
    end(&r, true);
}

static void look_after(size_t size) {
    run r = begin(size);
    faults_arm(FAULTS_kill, LONG_MAX, NULL);
    open_work(&r);
    resume(&r);
    one_round(&r);
    NEED(told->acknowledged == r.now.round, "no checkpoint afterwards");
    end(&r, false);
    NEED(access(path, F_OK) != 0 && errno == ENOENT, "files are left");
}

/* ---- the parent ---- */

static void note_end(void) {
    told->happened = faults_happened();
}

/* True when there was a call that the fault struck; *failed: the child had to stop. */
static bool strike(faults_kind kind, long at, const char *only, size_t size, bool *failed) {
    int status;
    *told = (shared){.tried = 0};
    pid_t child = fork();
    NEED(child >= 0, "fork");
    if (child == 0) {
        atexit(note_end);
        work_with_fault(kind, at, only, size);
        exit(0);
    }
    NEED(waitpid(child, &status, 0) == child, "wait");
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    NEED(killed || (WIFEXITED(status) && (!WEXITSTATUS(status) || WEXITSTATUS(status) == FAILED)),
         "kind %d at call %ld of %s: status %x", kind, at, only ? only : "all", status);
    *failed = WIFEXITED(status) && WEXITSTATUS(status) == FAILED;
    child = fork();
    NEED(child >= 0, "fork");
    if (child == 0) {
        look_after(size);
        exit(0);
    }
    NEED(waitpid(child, &status, 0) == child && status == 0, "after kind %d at call %ld of %s",
         kind, at, only ? only : "all");
    return killed || told->happened;
}

int main(void) {
    const char *root = getenv("TMPDIR");
    char folder[256];
    snprintf(folder, sizeof folder, "%s/cflr-test-XXXXXX", root ? root : "/tmp");
    NEED(mkdtemp(folder), "%s", folder);
    snprintf(path, sizeof path, "%s/work", folder);
    setvbuf(stdout, NULL, _IOLBF, 0); /* no line twice, by a child */
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    NEED(told != MAP_FAILED, "shared memory");
    bool failed;
    for (int kind = 0; kind < FAULTS_KINDS; kind++) {
        long at = 1;
        while (strike((faults_kind)kind, at, NULL, 1100000, &failed)) at++;
        NEED(at > 4, "kind %d: %ld calls", kind, at);
        printf("kind %d: %ld calls\n", kind, at - 1);
    }
    /* another segment helps after a file could not be synced, and nothing after the directory could
     * not */
    for (long at = 1; strike(FAULTS_eio, at, "fdatasync", 1000, &failed); at++) {
        NEED(!failed, "no checkpoint after sync %ld of a file failed", at);
    }
    for (long at = 1; strike(FAULTS_eio, at, "fsync", 1000, &failed); at++) {
        NEED(failed, "a checkpoint after sync %ld of the directory failed", at);
    }
    /* more than the page cache is to hold */
    for (long at = 1; strike(FAULTS_eio, at, "sync_file_range", 70 << 20, &failed); at++) {
        NEED(!failed, "no checkpoint after range %ld of a file failed", at);
    }
    NEED(rmdir(folder) == 0, "%s", folder);
    return 0;
}
