/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: what is appended is read, from the file and from the buffer, and no damage is missed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/files/spill.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

/* Bytes that depend on the seed, and pack to about half. */
static void draw(char *to, size_t size, uint64_t seed) {
    for (size_t i = 0; i < size; i++) to[i] = "abcdefghijklmnop"[test_random(&seed) >> 60];
}

static void must_read(cflri_spill *spill, const cflri_extent *extent, uint64_t seed) {
    cflr_error error;
    char *found = malloc(extent->plain + 1), *expected = malloc(extent->plain + 1);
    draw(expected, extent->plain, seed);
    MUST(cflri_spill_read(spill, extent, found, &error));
    cr_assert(memcmp(found, expected, extent->plain) == 0, "other bytes at %" PRIu64,
              extent->offset);
    free(found);
    free(expected);
}

static cflri_extent must_append(cflri_spill *spill, size_t size, uint64_t seed, bool pack) {
    cflr_error error;
    cflri_extent extent;
    char *data = malloc(size + 1);
    draw(data, size, seed);
    MUST(cflri_spill_append(spill, data, size, pack, &extent, &error));
    cr_assert_eq(extent.plain, size);
    free(data);
    return extent;
}

Test(spill, round_trip) {
    static const size_t sizes[] = {
        0, 1, 5, 4096, 1 << 20, (1 << 20) - 1, 3, 1048577, 9000000, 70000, 2500000, 0, 17};
    enum { N = 2 * sizeof sizes / sizeof *sizes };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_spill *spill;
    cflri_extent extent[N];
    char path[512];
    MUST(cflri_spill_create(context, test_path(&dir, "segment", path), 7, &spill, &error));
    for (uint32_t i = 0; i < N; i++) {
        extent[i] = must_append(spill, sizes[i / 2], i, i % 2 == 1);
        cr_assert_eq(extent[i].segment, 7);
        cr_assert(!extent[i].packed || sizes[i / 2] < 100 || extent[i].size < sizes[i / 2]);
        for (uint32_t j = i % 3; j <= i; j += 3) must_read(spill, &extent[j], j);
    }
    MUST(cflri_spill_sync(spill, &error));
    cr_assert_not(cflri_spill_given_up(spill));
    const uint64_t length = cflri_spill_length(spill);
    for (uint32_t i = 0; i < N; i++) must_read(spill, &extent[i], i);
    cr_assert_eq(cflri_spill_count(spill).written, length);
    cr_assert_gt(cflri_spill_count(spill).read, length);
    cflri_spill_free(spill);
    MUST_FAIL(cflri_spill_create(context, path, 7, &spill, &error), CFLR_IO);
    cr_assert_null(spill);
    MUST_FAIL(cflri_spill_open(context, path, 7, length + 1, &spill, &error), CFLR_FORMAT);
    MUST(cflri_spill_open(context, path, 7, length, &spill, &error));
    for (uint32_t i = 0; i < N; i++) {
        cflri_spill_prefetch(spill, &extent[i]);
        must_read(spill, &extent[i], i);
    }
    cflri_spill_free(spill);
    test_dir_end(&dir);
    test_context_end(context);
}

/* More than two windows, so that pages leave the cache while the segment grows. */
Test(spill, large) {
    enum { EACH = 5 << 20, N = 24 };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_spill *spill;
    cflri_extent extent[N];
    char path[512];
    MUST(cflri_spill_create_unnamed(context, test_path(&dir, "out", path), 0, &spill, &error));
    cr_assert_eq(rmdir(dir.path), 0, "no name is left");
    for (uint32_t i = 0; i < N; i++) extent[i] = must_append(spill, EACH, i, false);
    for (uint32_t i = 0; i < N; i++) must_read(spill, &extent[i], i);
    cflri_spill_free(spill);
    test_context_end(context);
}

Test(spill, dropped_extents_take_no_space) {
    enum { EACH = 1 << 20, N = 8 };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_spill *spill;
    cflri_extent extent[N];
    struct stat before, after;
    char path[512];
    MUST(cflri_spill_create(context, test_path(&dir, "segment", path), 0, &spill, &error));
    for (uint32_t i = 0; i < N; i++) extent[i] = must_append(spill, EACH - 100, i, false);
    cflri_spill_drop(spill, &extent[N - 1]); /* partly in the buffer */
    MUST(cflri_spill_sync(spill, &error));
    cr_assert_eq(stat(path, &before), 0);
    for (uint32_t i = 0; i + 1 < N; i += 2) cflri_spill_drop(spill, &extent[i]);
    cr_assert_eq(stat(path, &after), 0);
    cr_expect_eq(after.st_size, before.st_size);
    cr_expect_leq(after.st_blocks, before.st_blocks * 2 / 3, "%ld of %ld", (long)after.st_blocks,
                  (long)before.st_blocks);
    for (uint32_t i = 1; i + 1 < N; i += 2) must_read(spill, &extent[i], i);
    char *bytes = malloc(EACH);
    MUST_FAIL(cflri_spill_read(spill, &extent[2], bytes, &error), CFLR_FORMAT);
    free(bytes);
    cflri_spill_free(spill);
    test_dir_end(&dir);
    test_context_end(context);
}

/* A damaged byte of the file, or a wrong number of the place. */
Test(spill, damage) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_spill *spill;
    char path[512], bytes[5000];
    MUST(cflri_spill_create(context, test_path(&dir, "segment", path), 3, &spill, &error));
    const cflri_extent plain = must_append(spill, 3000, 1, false);
    const cflri_extent packed = must_append(spill, 5000, 2, true);
    const uint64_t length = cflri_spill_length(spill);
    MUST(cflri_spill_sync(spill, &error));
    cflri_spill_free(spill);
    MUST(cflri_spill_open(context, path, 3, length, &spill, &error));
    for (uint64_t at = 0; at < length; at += 97) {
        char byte;
        int fd = open(path, O_RDWR);
        cr_assert_eq(pread(fd, &byte, 1, (off_t)at), 1);
        byte ^= 16;
        cr_assert_eq(pwrite(fd, &byte, 1, (off_t)at), 1);
        MUST_FAIL(cflri_spill_read(spill, at < plain.size ? &plain : &packed, bytes, &error),
                  CFLR_FORMAT);
        cr_assert_str_eq(error.subject, path);
        byte ^= 16;
        cr_assert_eq(pwrite(fd, &byte, 1, (off_t)at), 1);
        close(fd);
    }
    const cflri_extent *right[] = {&plain, &packed};
    for (int of = 0; of < 2; of++) {
        cflri_extent wrong[] = {*right[of], *right[of], *right[of], *right[of],
                                *right[of], *right[of], *right[of]};
        wrong[0].segment++;
        wrong[1].offset += length;
        wrong[2].size = UINT64_MAX - 5;
        wrong[3].offset = UINT64_MAX - 5;
        wrong[4].checksum ^= 1;
        wrong[5].packed ^= 1;
        wrong[6].plain--;
        for (int i = 0; i < 7; i++) {
            MUST_FAIL(cflri_spill_read(spill, &wrong[i], bytes, &error), CFLR_FORMAT);
            if (i < 4) cflri_spill_drop(spill, &wrong[i]);
        }
        must_read(spill, right[of], 1 + (uint64_t)of);
    }
    cr_assert_eq(truncate(path, (off_t)length - 1), 0);
    MUST_FAIL(cflri_spill_read(spill, &packed, bytes, &error), CFLR_FORMAT);
    must_read(spill, &plain, 1);
    cflri_spill_free(spill);
    MUST_FAIL(cflri_spill_open(context, path, 3, length, &spill, &error), CFLR_FORMAT);
    cr_assert_eq(unlink(path), 0);
    MUST_FAIL(cflri_spill_open(context, path, 3, 0, &spill, &error), CFLR_FORMAT);
    test_dir_end(&dir);
    test_context_end(context);
}

/* Beyond the limit of file sizes: the segment is given up, and what it had before can be read. */
Test(spill, no_space) {
    enum { EACH = 700000, N = 6 };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_spill *spill;
    cflri_extent extent[N], more;
    char path[512], *data = calloc(1, EACH);
    uint32_t n = 0;
    struct rlimit limit = {2500000, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    MUST(cflri_spill_create(context, test_path(&dir, "segment", path), 0, &spill, &error));
    cflr_status st = CFLR_OK;
    while (n < N) {
        draw(data, EACH, n);
        memset(&error, 0, sizeof error);
        st = cflri_spill_append(spill, data, EACH, false, &extent[n], &error);
        if (st != CFLR_OK) break;
        n++;
    }
    cr_assert_eq(st, CFLR_NO_SPACE, "%u: %s", n, error.message);
    cr_assert_eq(error.system_error, EFBIG);
    cr_assert(strstr(error.message, "the closure's files"), "%s", error.message);
    cr_assert_eq(n, 4, "%u", n);
    for (uint32_t i = 0; i < n; i++) must_read(spill, &extent[i], i);
    cr_assert(cflri_spill_given_up(spill));
    MUST_FAIL(cflri_spill_append(spill, "x", 1, true, &more, &error), CFLR_NO_SPACE);
    MUST_FAIL(cflri_spill_sync(spill, &error), CFLR_NO_SPACE);
    for (uint32_t i = 0; i < n; i++) must_read(spill, &extent[i], i);
    cflri_spill_free(spill);
    free(data);
    test_dir_end(&dir);
    test_context_end(context);
}

typedef struct appender {
    cflri_spill *spill;
    uint64_t seed;
} appender;

enum { MANY = 60 };

static void *append_and_read(void *user) {
    const appender *a = user;
    cflri_extent extent[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        extent[i] = must_append(a->spill, 1000 * i, a->seed + i, i % 2 == 0);
        must_read(a->spill, &extent[i / 2], a->seed + i / 2);
    }
    for (uint32_t i = 0; i < MANY; i++) must_read(a->spill, &extent[i], a->seed + i);
    return NULL;
}

Test(spill, threads) {
    enum { THREADS = 4 };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    pthread_t thread[THREADS];
    appender each[THREADS];
    cflri_spill *spill;
    char path[512];
    MUST(cflri_spill_create(context, test_path(&dir, "segment", path), 0, &spill, &error));
    for (uint32_t i = 0; i < THREADS; i++) {
        each[i] = (appender){spill, 1000 * i};
        cr_assert_eq(pthread_create(&thread[i], NULL, append_and_read, &each[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    cflri_spill_free(spill);
    test_dir_end(&dir);
    test_context_end(context);
}

static cflr_status write_and_read(cflr_context *context, void *user, cflr_error *error) {
    const char *path = user;
    cflr_status st = CFLR_OK;
    cflri_spill *spill = NULL, *opened = NULL, *unnamed = NULL;
    cflri_extent extent[2];
    char data[3000], found[3000];
    draw(data, sizeof data, 1);
    unlink(path);
    CFLR_TRY(cflri_spill_create(context, path, 0, &spill, error));
    CFLR_TRY(cflri_spill_create_unnamed(context, path, 1, &unnamed, error));
    for (int i = 0; i < 2; i++) {
        CFLR_TRY(cflri_spill_append(spill, data, sizeof data, i == 1, &extent[i], error));
    }
    CFLR_TRY(cflri_spill_sync(spill, error));
    CFLR_TRY(cflri_spill_open(context, path, 0, cflri_spill_length(spill), &opened, error));
    for (int i = 0; i < 2; i++) {
        CFLR_TRY(cflri_spill_read(opened, &extent[i], found, error));
        cr_assert_eq(memcmp(found, data, sizeof data), 0);
    }
out:
    cflri_spill_free(spill);
    cflri_spill_free(unnamed);
    cflri_spill_free(opened);
    return st;
}

Test(spill, every_allocation_fails) {
    test_dir dir = test_dir_begin();
    char path[512];
    fail_alloc_sweep(write_and_read, (void *)(uintptr_t)test_path(&dir, "segment", path));
    test_dir_end(&dir);
}
