/* SPDX-License-Identifier: Apache-2.0
 *
 * Work directories: locks, checkpoints, and what is kept, resumed, refused and removed. Failures of
 * the system are for tests/crash.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cflr/version.h"
#include "ooc/work.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const unsigned char digest[CFLRI_DIGEST] = "0123456789abcde";

typedef struct fixture {
    cflr_context *context;
    test_dir dir;
    char path[512]; /* of the work directory */
    cflri_work *work;
} fixture;

static void open_work(fixture *f) {
    cflr_error error;
    MUST(cflri_work_open(f->context, f->path, digest, &f->work, &error));
}

static fixture begin(void) {
    fixture f = {.context = test_context(), .dir = test_dir_begin()};
    test_path(&f.dir, "work", f.path);
    open_work(&f);
    return f;
}

static void end(fixture *f, bool keep) {
    cflri_work_close(f->work, keep);
    test_dir_end(&f->dir);
    test_context_end(f->context);
}

static bool exists(const fixture *f, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return access(path, F_OK) == 0;
}

static void put_file(const fixture *f, const char *name, const char *text) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    test_write_file(path, text, strlen(text));
}

static cflri_spill *must_segment(fixture *f) {
    cflr_error error;
    cflri_spill *segment;
    MUST(cflri_work_segment(f->work, &segment, &error));
    return segment;
}

/* A state of these tests is the extents of texts. */
static cflri_extent must_append(cflri_spill *segment, const char *text) {
    cflr_error error;
    cflri_extent extent;
    MUST(cflri_spill_append(segment, text, strlen(text), false, &extent, &error));
    return extent;
}

static void must_commit(fixture *f, const cflri_extent *extent, size_t n) {
    cflr_error error;
    MUST(cflri_work_commit(f->work, extent, n * sizeof *extent, &error));
}

static void must_read(fixture *f, const cflri_extent *extent, const char *text) {
    cflr_error error;
    char found[100] = "";
    cr_assert_lt(extent->plain, sizeof found);
    cflri_work_prefetch(f->work, extent);
    MUST(cflri_work_read(f->work, extent, found, &error));
    cr_assert_str_eq(found, text);
}

/* Resumes, and finds the texts; NULL: no checkpoint. */
static void must_resume(fixture *f, const char *const *text, size_t n) {
    cflr_error error;
    void *state;
    size_t size;
    MUST(cflri_work_resume(f->work, &state, &size, &error));
    cr_assert_eq(state == NULL, text == NULL);
    cr_assert_eq(size, n * sizeof(cflri_extent));
    for (size_t i = 0; i < n; i++) must_read(f, (cflri_extent *)state + i, text[i]);
    cflri_free(f->context, state);
}

static void must_refuse(fixture *f, cflr_status code, const char *subject, const char *message) {
    cflr_error error;
    void *state;
    size_t size;
    MUST_FAIL(cflri_work_resume(f->work, &state, &size, &error), code);
    cr_assert_null(state);
    cr_assert(strstr(error.subject, subject), "%s: %s", error.subject, error.message);
    cr_assert(strstr(error.message, message), "%s: %s", error.subject, error.message);
}

static void reopen(fixture *f) {
    cflri_work_close(f->work, true);
    open_work(f);
}

/* Two checkpoints: "one", then "one" and "two", which has a segment of its own. */
static void make_two(fixture *f) {
    cflri_extent extent[2];
    extent[0] = must_append(must_segment(f), "one");
    must_commit(f, extent, 1);
    extent[1] = must_append(must_segment(f), "two");
    must_commit(f, extent, 2);
}

Test(work, checkpoints) {
    static const char *const text[] = {"one", "two"};
    fixture f = begin();
    must_resume(&f, NULL, 0);
    make_two(&f);
    cflri_spill *late = must_segment(&f);
    must_append(late, "lost");
    cr_assert(exists(&f, "segment-0002"));
    for (int i = 0; i < 3; i++) {
        reopen(&f);
        must_resume(&f, text, 2);
        cr_assert_not(exists(&f, "segment-0002"));
    }
    cr_assert_eq(cflri_work_count(f.work).read, 6);
    cr_assert_not_null(cflri_work_find(f.work, 1));
    cr_assert_null(cflri_work_find(f.work, 2));
    must_append(must_segment(&f), "three");
    must_commit(&f, NULL, 0);
    cr_assert_eq(cflri_work_count(f.work).written, 5);
    reopen(&f);
    must_resume(&f, text, 0);
    cflri_work_close(f.work, false);
    f.work = NULL;
    cr_assert_neq(access(f.path, F_OK), 0);
    end(&f, false);
}

Test(work, tails_are_cut_off) {
    static const char *const text[] = {"one"};
    fixture f = begin();
    struct stat about;
    char path[600];
    must_resume(&f, NULL, 0);
    cflri_spill *segment = must_segment(&f);
    const cflri_extent extent = must_append(segment, "one");
    must_commit(&f, &extent, 1);
    must_append(segment, "more");
    cflr_error error;
    MUST(cflri_spill_sync(segment, &error));
    snprintf(path, sizeof path, "%s/segment-0000", f.path);
    cr_assert_eq(stat(path, &about), 0);
    cr_assert_eq(about.st_size, 7);
    reopen(&f);
    must_resume(&f, text, 1);
    cr_assert_eq(stat(path, &about), 0);
    cr_assert_eq(about.st_size, 3);
    end(&f, true);
}

Test(work, begins_anew) {
    cflr_error error;
    fixture f = begin();
    must_resume(&f, NULL, 0);
    make_two(&f);
    reopen(&f);
    put_file(&f, "segment-01", "of another program");
    put_file(&f, "segment-00000", "too");
    MUST(cflri_work_clear(f.work, &error));
    cr_assert_not(exists(&f, "manifest"));
    cr_assert_not(exists(&f, "segment-0001"));
    const cflri_extent extent = must_append(must_segment(&f), "new");
    must_commit(&f, &extent, 1);
    cr_assert(exists(&f, "segment-0000"));
    cflri_work_close(f.work, false);
    f.work = NULL;
    cr_assert(exists(&f, "segment-01") && exists(&f, "segment-00000"), "files of others stay");
    cr_assert_not(exists(&f, "segment-0000"));
    cr_assert_not(exists(&f, "cflr.lock"));
    end(&f, true);
}

Test(work, which_directories) {
    cflr_error error;
    fixture f = begin();
    cflri_work *second;
    char path[600];
    MUST_FAIL(cflri_work_open(f.context, f.path, digest, &second, &error), CFLR_IO);
    cr_assert_null(second);
    char holder[64];
    snprintf(holder, sizeof holder, "process %ld, since 20", (long)getpid());
    cr_assert(strstr(error.message, holder), "%s", error.message);
    cflri_work_close(f.work, false);
    cr_assert_neq(access(f.path, F_OK), 0);

    cr_assert_eq(mkdir(f.path, 0777), 0);
    open_work(&f); /* an empty one, which is not ours */
    reopen(&f);
    cflri_work_close(f.work, false);
    cr_assert_eq(access(f.path, F_OK), 0);

    put_file(&f, "manifest", "of a ship");
    MUST_FAIL(cflri_work_open(f.context, f.path, digest, &f.work, &error), CFLR_ARGUMENT);
    cr_assert_not(exists(&f, "cflr.lock"));
    put_file(&f, "cflr.lock", "of a door");
    MUST_FAIL(cflri_work_open(f.context, f.path, digest, &f.work, &error), CFLR_ARGUMENT);
    put_file(&f, "cflr.lock", ""); /* the run was killed before it wrote more */
    open_work(&f);
    cflri_work_close(f.work, true);
    snprintf(path, sizeof path, "%s/manifest", f.path);
    MUST_FAIL(cflri_work_open(f.context, path, digest, &f.work, &error), CFLR_ARGUMENT);
    snprintf(path, sizeof path, "%s/none/work", f.path);
    MUST_FAIL(cflri_work_open(f.context, path, digest, &f.work, &error), CFLR_IO);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    MUST_FAIL(cflri_work_open(f.context, path, digest, &f.work, &error), CFLR_IO);
    end(&f, true);
}

/* A directory that a run has made is removed by the last one, whichever that is. */
Test(work, made_by_a_killed_run) {
    fixture f = begin();
    cflri_work_close(f.work, false);
    pid_t child = fork();
    if (child == 0) {
        open_work(&f);
        must_resume(&f, NULL, 0);
        make_two(&f);
        _exit(0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    open_work(&f);
    must_resume(&f, (const char *const[]){"one", "two"}, 2);
    cflri_work_close(f.work, false);
    f.work = NULL;
    cr_assert_neq(access(f.path, F_OK), 0);
    end(&f, false);
}

Test(work, what_is_kept) {
    fixture f = begin();
    cflri_extent extent[3];
    must_resume(&f, NULL, 0);
    for (int i = 0; i < 3; i++) extent[i] = must_append(must_segment(&f), "text");
    cflri_work_remove(f.work, 2);
    cr_assert_not(exists(&f, "segment-0002"), "no checkpoint names it");
    must_commit(&f, extent, 2);
    cflri_work_remove(f.work, 0);
    cr_assert_null(cflri_work_find(f.work, 0));
    cflr_error error;
    char found[10];
    MUST_FAIL(cflri_work_read(f.work, &extent[0], found, &error), CFLR_FORMAT);
    cflri_work_drop(f.work, &extent[0]);
    cflri_work_drop(f.work, &extent[1]);
    cr_assert(exists(&f, "segment-0000"));
    must_commit(&f, NULL, 0);
    cr_assert(exists(&f, "segment-0000"), "the checkpoint before names it");
    must_commit(&f, NULL, 0);
    cr_assert_not(exists(&f, "segment-0000"));
    cr_assert(exists(&f, "segment-0001"));
    reopen(&f);
    must_resume(&f, (const char *const[]){""}, 0);
    must_segment(&f);
    cr_assert(exists(&f, "segment-0003"), "no number is used twice");
    end(&f, true);
}

/* Blocks of dropped extents go when no checkpoint may need them. */
Test(work, dropped) {
    enum { SIZE = 1 << 20 };
    fixture f = begin();
    cflr_error error;
    cflri_extent extent;
    struct stat about;
    char path[600], *data = malloc(SIZE);
    memset(data, 'x', SIZE);
    must_resume(&f, NULL, 0);
    cflri_spill *segment = must_segment(&f);
    MUST(cflri_spill_append(segment, data, SIZE, false, &extent, &error));
    snprintf(path, sizeof path, "%s/segment-0000", f.path);
    for (int i = 0; i < 4; i++) {
        must_commit(&f, &extent, 1);
        if (i == 1) cflri_work_drop(f.work, &extent); /* the second one names it */
        cr_assert_eq(stat(path, &about), 0);
        cr_assert_eq(about.st_blocks > 0, i < 3, "%d", i);
    }
    free(data);
    end(&f, false);
}

static void damage(const fixture *f, const char *name, off_t at) {
    char path[600], byte;
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    int fd = open(path, O_RDWR);
    cr_assert_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 4;
    cr_assert_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* The checkpoint that is resumed: 1 or 2, whose extents are right or refused; 0: it is refused. */
static size_t resumed(fixture *f) {
    static const char *const text[] = {"one", "two"};
    cflr_error error = {0};
    void *state;
    size_t size;
    cflr_status st = cflri_work_resume(f->work, &state, &size, &error);
    cr_assert(st == CFLR_OK || (st == CFLR_FORMAT && error.subject[0]), "%s", error.message);
    cr_assert_eq(st == CFLR_OK, state != NULL);
    for (size_t i = 0; i < size / sizeof(cflri_extent); i++) {
        char found[10] = "";
        st = cflri_work_read(f->work, (cflri_extent *)state + i, found, &error);
        cr_assert(st == CFLR_FORMAT || (st == CFLR_OK && strcmp(found, text[i]) == 0), "%s", found);
    }
    cflri_free(f->context, state);
    return size / sizeof(cflri_extent);
}

enum { FILES = 4 };

static const char *const file_name[FILES] = {"manifest", "manifest.old", "segment-0000",
                                             "segment-0001"};

/* The files of two checkpoints, to be put back. */
typedef struct copies {
    char *data[FILES];
    size_t size[FILES];
} copies;

static copies copy_two(fixture *f) {
    copies saved;
    char path[600];
    must_resume(f, NULL, 0);
    make_two(f);
    cflri_work_close(f->work, true);
    f->work = NULL;
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", f->path, file_name[i]);
        saved.data[i] = test_read_file(path, &saved.size[i]);
    }
    return saved;
}

static void put_back(fixture *f, const copies *saved) {
    char path[600];
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", f->path, file_name[i]);
        test_write_file(path, saved->data[i], saved->size[i]);
    }
}

static void free_copies(copies *saved) {
    for (int i = 0; i < FILES; i++) free(saved->data[i]);
}

/* Each byte of each file. What is resumed once is resumed again. */
Test(work, damaged_files) {
    static const size_t expected[FILES] = {1, 2, 2, 2};
    fixture f = begin();
    copies saved = copy_two(&f);
    for (int i = 0; i < FILES; i++) {
        for (size_t at = 0; at < saved.size[i]; at++) {
            put_back(&f, &saved);
            damage(&f, file_name[i], (off_t)at);
            for (int again = 0; again < 2; again++) {
                open_work(&f);
                cr_assert_eq(resumed(&f), expected[i], "%s, byte %zu", file_name[i], at);
                cflri_work_close(f.work, true);
            }
            cr_assert_eq(exists(&f, "manifest.old"), i > 0);
        }
    }
    f.work = NULL;
    free_copies(&saved);
    end(&f, false);
}

/* Each length that a file may have been cut to. */
Test(work, short_files) {
    static const size_t expected[FILES] = {1, 2, 0, 1};
    fixture f = begin();
    copies saved = copy_two(&f);
    for (int i = 0; i < FILES; i++) {
        for (size_t length = 0; length < saved.size[i]; length++) {
            char path[600];
            put_back(&f, &saved);
            snprintf(path, sizeof path, "%s/%s", f.path, file_name[i]);
            cr_assert_eq(truncate(path, (off_t)length), 0);
            open_work(&f);
            cr_assert_eq(resumed(&f), expected[i], "%s of %zu bytes", file_name[i], length);
            cflri_work_close(f.work, true);
        }
    }
    f.work = NULL;
    free_copies(&saved);
    end(&f, false);
}

/* A checkpoint of another version or build is refused, though the one before could be resumed. */
Test(work, other_versions) {
    static const struct {
        size_t at;
        char byte;
        const char *message;
    } other[] = {{4, 0, "format 0, written by an older cflr"},
                 {4, 2, "format 2, written by a newer cflr"},
                 {7, '\xff', "written by a newer cflr"},
                 {32, 'x', "a checkpoint of cflr x"},
                 {32 + sizeof CFLR_VERSION, '-', "a checkpoint of cflr " CFLR_VERSION "+-"}};
    fixture f = begin();
    cflr_error error;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        MUST(cflri_work_clear(f.work, &error));
        make_two(&f);
        char path[600];
        size_t size;
        snprintf(path, sizeof path, "%s/manifest", f.path);
        char *data = test_read_file(path, &size);
        data[other[i].at] = other[i].byte;
        uint64_t checksum = XXH3_64bits(data, size - sizeof checksum);
        memcpy(data + size - sizeof checksum, &checksum, sizeof checksum);
        test_write_file(path, data, size);
        free(data);
        reopen(&f);
        must_refuse(&f, CFLR_UNSUPPORTED, "/manifest", other[i].message);
        cr_assert(exists(&f, "segment-0001"));
    }
    end(&f, false);
}

Test(work, refused) {
    static const unsigned char other[CFLRI_DIGEST] = "of another graph";
    fixture f = begin();
    cflr_error error;
    must_resume(&f, NULL, 0);
    make_two(&f);
    cflri_work_close(f.work, true);
    MUST(cflri_work_open(f.context, f.path, other, &f.work, &error));
    must_refuse(&f, CFLR_ARGUMENT, "/manifest", "of another graph");
    cflri_work_close(f.work, true);

    open_work(&f);
    damage(&f, "manifest", 0);
    damage(&f, "manifest.old", 0);
    must_refuse(&f, CFLR_FORMAT, "/manifest", "checksum");
    must_refuse(&f, CFLR_FORMAT, "/manifest", "checksum");
    damage(&f, "manifest", 0);
    must_resume(&f, (const char *const[]){"one", "two"}, 2);
    reopen(&f);

    char path[600];
    snprintf(path, sizeof path, "%s/segment-0001", f.path);
    cr_assert_eq(truncate(path, 2), 0);
    must_refuse(&f, CFLR_FORMAT, "/segment-0001", "cut short"); /* the one before is damaged, too */
    damage(&f, "manifest.old", 0);
    must_resume(&f, (const char *const[]){"one"}, 1);
    reopen(&f);
    snprintf(path, sizeof path, "%s/segment-0000", f.path);
    cr_assert_eq(unlink(path), 0);
    must_refuse(&f, CFLR_FORMAT, "/segment-0000", "missing");
    end(&f, false);
}

/* What fails to be read says so; the other extents are as they were. */
Test(work, damaged_segment) {
    fixture f = begin();
    cflr_error error;
    void *state;
    size_t size;
    char found[10];
    must_resume(&f, NULL, 0);
    make_two(&f);
    reopen(&f);
    damage(&f, "segment-0000", 1);
    MUST(cflri_work_resume(f.work, &state, &size, &error));
    MUST_FAIL(cflri_work_read(f.work, state, found, &error), CFLR_FORMAT);
    cr_assert(strstr(error.subject, "/segment-0000"), "%s", error.subject);
    must_read(&f, (cflri_extent *)state + 1, "two");
    cflri_free(f.context, state);
    end(&f, false);
}

/* Nothing of it has a name. */
Test(work, unnamed) {
    fixture f = begin();
    cflr_error error;
    void *state;
    size_t size;
    char near_path[512];
    const char *const places[] = {test_path(&f.dir, "out//", near_path), NULL, "-", "/dev/null"};
    cflri_work_close(f.work, false);
    cr_assert_eq(setenv("TMPDIR", f.dir.path, 1), 0);
    for (int i = 0; i < 4; i++) {
        MUST(cflri_work_make(f.context, places[i], &f.work, &error));
        MUST(cflri_work_resume(f.work, &state, &size, &error));
        cr_assert_null(state);
        cflri_extent extent[2];
        extent[0] = must_append(must_segment(&f), "one");
        extent[1] = must_append(must_segment(&f), "two");
        must_commit(&f, extent, 2);
        must_read(&f, &extent[1], "two");
        cflri_work_drop(f.work, &extent[1]);
        cflri_work_remove(f.work, 0);
        must_read(&f, &extent[1], "two");
        cr_assert_eq(rmdir(f.dir.path), 0, "place %d", i);
        cr_assert_eq(mkdir(f.dir.path, 0700), 0);
        cflri_work_close(f.work, false);
    }
    f.work = NULL;
    end(&f, false);
}

static cflr_status commit_and_resume(cflr_context *context, void *user, cflr_error *error) {
    const char *path = user;
    cflri_work *work = NULL, *unnamed = NULL;
    cflri_spill *segment;
    cflri_extent extent;
    cflr_status st = CFLR_OK;
    void *state = NULL;
    size_t size;
    CFLR_TRY(cflri_work_make(context, path, &unnamed, error));
    CFLR_TRY(cflri_work_open(context, path, digest, &work, error));
    CFLR_TRY(cflri_work_clear(work, error));
    CFLR_TRY(cflri_work_segment(work, &segment, error));
    CFLR_TRY(cflri_spill_append(segment, "some text", 9, true, &extent, error));
    CFLR_TRY(cflri_work_commit(work, &extent, sizeof extent, error));
    cflri_work_drop(work, &extent);
    CFLR_TRY(cflri_work_commit(work, &extent, sizeof extent, error));
    cflri_work_close(work, true);
    CFLR_TRY(cflri_work_open(context, path, digest, &work, error));
    CFLR_TRY(cflri_work_resume(work, &state, &size, error));
    cr_assert_eq(size, sizeof extent);
    cr_assert_eq(memcmp(state, &extent, size), 0);
out:
    cflri_free(context, state);
    cflri_work_close(work, false);
    cflri_work_close(unnamed, false);
    return st;
}

Test(work, every_allocation_fails) {
    fixture f = begin();
    char other[512];
    test_path(&f.dir, "other", other);
    fail_alloc_sweep(commit_and_resume, other);
    end(&f, false);
}
