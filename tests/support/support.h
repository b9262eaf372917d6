/* SPDX-License-Identifier: Apache-2.0
 *
 * support.h: what tests of every room need: contexts, random numbers, files for a while.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "tests/support/sanitized.h"

/* `call` takes `&error`, a cflr_error in scope, and must succeed. */
#define MUST(call)                                                                            \
    do {                                                                                      \
        cflr_status must_st_ = (call);                                                        \
        cr_assert_eq(must_st_, CFLR_OK, "%s: %s", cflr_status_name(must_st_), error.message); \
    } while (0)

/* `call` must fail with `code` and describe it in `error`. */
#define MUST_FAIL(call, expected)                                                        \
    do {                                                                                 \
        memset(&error, 0, sizeof error);                                                 \
        cflr_status must_st_ = (call);                                                   \
        cr_assert_eq(must_st_, (expected), "%s, not %s: %s", cflr_status_name(must_st_), \
                     cflr_status_name(expected), error.message);                         \
        cr_assert_eq(error.code, (expected));                                            \
        cr_assert_neq(error.message[0], '\0');                                           \
    } while (0)

static inline cflr_context *test_context(void) {
    cflr_context *context;
    cflr_error error = {0};
    MUST(cflr_context_new(NULL, &context, &error));
    return context;
}

/* A context that may hand out `bytes`, whatever the process occupies. */
static inline cflr_context *test_context_limited(uint64_t bytes) {
    cflr_context *context = test_context();
    context->opts.memory_limit = bytes;
    context->memory_limit = bytes;
    return context;
}

/* Frees the context after seeing that nothing of it is left. */
static inline void test_context_end(cflr_context *context) {
    cr_assert_eq(cflr_context_memory(context), 0, "%llu bytes leak",
                 (unsigned long long)cflr_context_memory(context));
    cflr_context_free(context);
}

/* A reproducible stream of numbers (splitmix64). */
static inline uint64_t test_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint32_t test_random_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)((test_random(state) >> 32) * bound >> 32);
}

/* A fresh directory of the test, to be removed by test_dir_end with the files in it. */
typedef struct test_dir {
    char path[256];
} test_dir;

static inline test_dir test_dir_begin(void) {
    test_dir dir;
    const char *root = getenv("TMPDIR");
    snprintf(dir.path, sizeof dir.path, "%s/cflr-test-XXXXXX", root ? root : "/tmp");
    cr_assert(mkdtemp(dir.path) != NULL);
    return dir;
}

/* The path of a file in the directory; the buffer is the caller's. */
static inline const char *test_path(const test_dir *dir, const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s", dir->path, name);
    return path;
}

static inline void test_dir_end(const test_dir *dir) {
    char command[512];
    cr_assert(strncmp(strrchr(dir->path, '/'), "/cflr-test-", 11) == 0);
    snprintf(command, sizeof command, "rm -rf '%s'", dir->path);
    cr_assert_eq(system(command), 0);
}

static inline void test_write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL, "%s", path);
    cr_assert_eq(fwrite(data, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

/* The whole file, with a NUL behind it that *size does not count; freed with free. */
static inline char *test_read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    cr_assert_geq(length, 0);
    rewind(file);
    char *data = malloc((size_t)length + 1);
    cr_assert(data != NULL);
    *size = fread(data, 1, (size_t)length, file);
    cr_assert_eq(*size, (size_t)length);
    data[*size] = '\0';
    fclose(file);
    return data;
}

#endif
