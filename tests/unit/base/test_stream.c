/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files into memory: plain, packed, from pipes; damaged, cut short, too large.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "base/codec.h"
#include "base/context.h"
#include "base/stream.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/packing.h"
#include "tests/support/support.h"

/* Text that packs, but not to nothing. */
static char *make_text(size_t size) {
    uint64_t state = size;
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++) text[i] = "0123456789\tab\n"[test_random_below(&state, 14)];
    return text;
}

static void must_read(cflr_context *context, const char *path, const void *data, size_t size,
                      bool mapped) {
    cflr_error error;
    cflri_input input;
    MUST(cflri_input_open(context, path, &input, &error));
    cr_assert_eq(input.size, size);
    cr_assert_not_null(input.data);
    cr_assert_eq(input.mapped, mapped);
    cr_assert(size == 0 || memcmp(input.data, data, size) == 0);
    cflri_input_close(&input);
    cflri_input_close(&input);
    cr_assert_eq(cflr_context_memory(context), 0);
}

Test(stream, plain_files_are_mapped) {
    static const size_t sizes[] = {1, 3, 4095, 4096, 4097, 1000000};
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512];
    test_path(&dir, "plain", path);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = make_text(sizes[i]);
        test_write_file(path, text, sizes[i]);
        must_read(context, path, text, sizes[i], true);
        cr_assert_leq(cflr_context_memory_peak(context), 0);
        free(text);
    }
    test_dir_end(&dir);
    test_context_end(context);
}

Test(stream, empty_files_and_devices) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512];
    test_write_file(test_path(&dir, "empty", path), "", 0);
    must_read(context, path, "", 0, false);
    must_read(context, "/dev/null", "", 0, false);
    test_dir_end(&dir);
    test_context_end(context);
}

/* Files of /proc say that they are empty. */
Test(stream, files_without_a_size) {
    cflr_context *context = test_context();
    cflr_error error;
    cflri_input input;
    MUST(cflri_input_open(context, "/proc/self/stat", &input, &error));
    cr_assert_gt(input.size, 10);
    cflri_input_close(&input);
    test_context_end(context);
}

Test(stream, what_cannot_be_opened) {
    cflr_context *context = test_context();
    cflr_error error;
    cflri_input input;
    test_dir dir = test_dir_begin();
    char path[512];
    MUST_FAIL(cflri_input_open(context, test_path(&dir, "none", path), &input, &error), CFLR_IO);
    cr_assert_str_eq(error.subject, path);
    cr_assert_eq(error.system_error, ENOENT);
    cflri_input_close(&input);
    MUST_FAIL(cflri_input_open(context, dir.path, &input, &error), CFLR_IO);
    cr_assert_eq(error.system_error, EISDIR);
    cflri_input_close(&input);
    test_dir_end(&dir);
    test_context_end(context);
}

typedef struct feed {
    int fd;
    const void *data;
    size_t size;
} feed;

static void *feed_pipe(void *user) {
    feed *f = user;
    const char *at = f->data;
    for (size_t left = f->size; left;) {
        ssize_t n = write(f->fd, at, left < 70000 ? left : 70000);
        if (n <= 0) break;
        at += n;
        left -= (size_t)n;
    }
    close(f->fd);
    return NULL;
}

/* Standard input is a pipe that gives these bytes; must read as `plain`. */
static void must_read_pipe(cflr_context *context, const void *data, size_t size, const void *plain,
                           size_t plain_size) {
    int ends[2];
    pthread_t thread;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    feed f = {ends[1], data, size};
    cr_assert_eq(pthread_create(&thread, NULL, feed_pipe, &f), 0);
    must_read(context, "-", plain, plain_size, false);
    pthread_join(thread, NULL);
}

Test(stream, standard_input) {
    static const size_t sizes[] = {0, 1, 1000, 262144, 262145, 3000000};
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = make_text(sizes[i]);
        must_read_pipe(context, text, sizes[i], text, sizes[i]);
        for (int p = 0; p < TEST_PACKINGS; p++) {
            test_packed packed = test_pack((test_packing)p, text, sizes[i]);
            must_read_pipe(context, packed.data, packed.size, text, sizes[i]);
            free(packed.data);
        }
        free(text);
    }
    test_context_end(context);
}

/* What was read of standard input before is not read again. */
Test(stream, half_read_standard_input) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512], byte[3];
    test_write_file(test_path(&dir, "file", path), "abcdef", 6);
    int fd = open(path, O_RDONLY);
    cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    must_read(context, "-", "abcdef", 6, true);
    cr_assert_eq(read(STDIN_FILENO, byte, 3), 3);
    must_read(context, "-", "def", 3, false);
    close(fd);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(stream, packed_files) {
    static const size_t sizes[] = {0, 1, 100, 65535, 65536, 65537, 2500000};
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = make_text(sizes[i]);
        for (int p = 0; p < TEST_PACKINGS; p++) {
            char path[512];
            test_packed packed = test_pack((test_packing)p, text, sizes[i]);
            test_write_file(test_path(&dir, "packed", path), packed.data, packed.size);
            must_read(context, path, text, sizes[i], false);
            free(packed.data);
        }
        free(text);
    }
    test_dir_end(&dir);
    test_context_end(context);
}

Test(stream, concatenated_members) {
    enum { SIZE = 90000 };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char *text = make_text(SIZE), path[512];
    for (int p = 0; p < TEST_PACKINGS; p++) {
        test_packed packed = test_pack((test_packing)p, text, SIZE / 3);
        packed = test_packed_join(packed, test_pack((test_packing)p, text, 0));
        packed =
            test_packed_join(packed, test_pack((test_packing)p, text + SIZE / 3, SIZE - SIZE / 3));
        test_write_file(test_path(&dir, "packed", path), packed.data, packed.size);
        must_read(context, path, text, SIZE, false);
        free(packed.data);
    }
    free(text);
    test_dir_end(&dir);
    test_context_end(context);
}

/* What pzstd writes: a frame to be skipped in front. */
Test(stream, zstd_with_a_skippable_frame) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512];
    test_packed packed = test_pack_zstd("hello", 5);
    test_packed skip = {malloc(12), 12};
    memcpy(skip.data, "\x50\x2a\x4d\x18\x04\0\0\0\1\2\3\4", 12);
    packed = test_packed_join(skip, packed);
    test_write_file(test_path(&dir, "packed", path), packed.data, packed.size);
    must_read(context, path, "hello", 5, false);
    free(packed.data);
    test_dir_end(&dir);
    test_context_end(context);
}

/* Cut anywhere, a packed file is damaged, as long as it shows that it is packed. */
Test(stream, cut_short_everywhere) {
    cflr_context *context = test_context();
    cflr_error error;
    char *text = make_text(500);
    for (int p = 0; p < TEST_PACKINGS; p++) {
        test_packed packed = test_pack((test_packing)p, text, 500);
        for (size_t n = 0; n < packed.size; n++) {
            char *cut = malloc(n + 1); /* exact, so that the sanitizer sees reading past the end */
            memcpy(cut, packed.data, n);
            if (cflri_packing_of(cut, n) == CFLRI_PACKING_NONE) {
                cr_assert_lt(n, 6);
            } else {
                cflri_bytes plain;
                MUST_FAIL(cflri_unpack(context, cut, n, "file", &plain, &error), CFLR_FORMAT);
                cr_assert_str_eq(error.subject, "file");
                cr_assert_null(plain.data);
            }
            free(cut);
        }
        free(packed.data);
    }
    free(text);
    test_context_end(context);
}

/* A flipped bit is a status, or does no harm (the name or time in a gzip header). */
Test(stream, every_flipped_bit) {
    cflr_context *context = test_context();
    cflr_error error;
    char *text = make_text(300);
    for (int p = 0; p < TEST_PACKINGS; p++) {
        test_packed packed = test_pack((test_packing)p, text, 300);
        unsigned refused = 0;
        for (size_t bit = 0; bit < packed.size * 8; bit++) {
            packed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            const char *data = (const char *)packed.data;
            if (cflri_packing_of(data, packed.size) != CFLRI_PACKING_NONE) {
                cflri_bytes plain;
                cflr_status st = cflri_unpack(context, data, packed.size, "file", &plain, &error);
                if (st == CFLR_OK) {
                    cr_assert_eq(plain.size, 300);
                    cr_assert_eq(memcmp(plain.data, text, 300), 0);
                } else {
                    cr_assert(st == CFLR_FORMAT || st == CFLR_UNSUPPORTED, "%s", error.message);
                    refused++;
                }
                cflri_free(context, plain.data);
            }
            packed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        cr_assert_gt(refused, packed.size * 6);
        free(packed.data);
    }
    free(text);
    test_context_end(context);
}

Test(stream, garbage_behind_a_packed_file) {
    cflr_context *context = test_context();
    cflr_error error;
    for (int p = 0; p < TEST_PACKINGS; p++) {
        test_packed packed = test_pack((test_packing)p, "text", 4);
        test_packed junk = {malloc(7), 7};
        cflri_bytes plain;
        memcpy(junk.data, "garbage", 7);
        packed = test_packed_join(packed, junk);
        MUST_FAIL(
            cflri_unpack(context, (const char *)packed.data, packed.size, "file", &plain, &error),
            CFLR_FORMAT);
        free(packed.data);
    }
    test_context_end(context);
}

/* A few KiB that unpack to 24 MiB meet the limit, not the machine. */
Test(stream, bombs_meet_the_memory_limit) {
    enum { SIZE = 24 << 20, LIMIT = 8 << 20 };
    char *zeros = calloc(1, SIZE);
    test_packed packed[TEST_PACKINGS];
    for (int p = 0; p < TEST_PACKINGS; p++) packed[p] = test_pack((test_packing)p, zeros, SIZE);
    free(zeros);
    cflr_context *context = test_context_limited(LIMIT);
    cflr_error error;
    for (int p = 0; p < TEST_PACKINGS; p++) {
        cflri_bytes plain;
        cr_assert_lt(packed[p].size, SIZE / 100);
        MUST_FAIL(cflri_unpack(context, (const char *)packed[p].data, packed[p].size, "file",
                               &plain, &error),
                  CFLR_LIMIT);
        cr_assert_leq(cflr_context_memory_peak(context), LIMIT);
        free(packed[p].data);
    }
    test_context_end(context);
}

/* Near the limit a file is still read when it fits, though growing by half would not. */
Test(stream, fills_memory_to_the_limit) {
    enum { SIZE = 20 << 20 };
    char *zeros = calloc(1, SIZE);
    test_packed packed = test_pack_gzip(zeros, SIZE);
    cflr_context *context = test_context_limited(SIZE + (2 << 20));
    cflr_error error;
    cflri_bytes plain;
    MUST(cflri_unpack(context, (const char *)packed.data, packed.size, "file", &plain, &error));
    cr_assert_eq(plain.size, SIZE);
    cr_assert_leq(cflr_context_memory(context), SIZE + 64);
    cflri_free(context, plain.data);
    free(packed.data);
    free(zeros);
    test_context_end(context);
}

/* 4 GiB of dictionary in a header that costs nothing. */
Test(stream, xz_with_an_absurd_dictionary) {
    cflr_context *context = test_context();
    cflr_error error;
    lzma_options_lzma options;
    lzma_lzma_preset(&options, 0);
    options.dict_size = 1u << 30;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    unsigned char data[512];
    size_t size = 0;
    cflri_bytes plain;
    /* a small dictionary first, then its size is raised in the header */
    options.dict_size = 4096;
    cr_assert_eq(lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, NULL, (const uint8_t *)"hello",
                                           5, data, &size, sizeof data),
                 LZMA_OK);
    size_t header = ((size_t)data[12] + 1) * 4;
    for (size_t i = 12; i + 2 < 12 + header; i++) {
        if (data[i] == 0x21 && data[i + 1] == 1) data[i + 2] = 40; /* 4 GiB - 1 */
    }
    uint32_t crc = lzma_crc32(data + 12, header - 4, 0);
    memcpy(data + 12 + header - 4, &crc, 4);
    MUST_FAIL(cflri_unpack(context, (const char *)data, size, "file", &plain, &error),
              CFLR_UNSUPPORTED);
    cr_assert_lt(cflr_context_memory_peak(context), 1 << 20);
    test_context_end(context);
}

Test(stream, cancelled) {
    cflr_context *context = test_context();
    cflr_error error;
    cflri_input input;
    cflri_bytes plain;
    test_packed packed = test_pack_gzip("text", 4);
    cflr_context_cancel(context);
    MUST_FAIL(cflri_unpack(context, (const char *)packed.data, packed.size, "f", &plain, &error),
              CFLR_CANCELLED);
    MUST_FAIL(cflri_input_open(context, "/proc/self/stat", &input, &error), CFLR_CANCELLED);
    free(packed.data);
    test_context_end(context);
}

static cflr_status open_file(cflr_context *context, void *user, cflr_error *error) {
    cflri_input input;
    cflr_status st = cflri_input_open(context, user, &input, error);
    cflri_input_close(&input);
    return st;
}

Test(stream, allocation_failures) {
    test_dir dir = test_dir_begin();
    char *text = make_text(400000), path[512];
    test_path(&dir, "packed", path);
    for (int p = 0; p < TEST_PACKINGS; p++) {
        test_packed packed = test_pack((test_packing)p, text, 400000);
        test_write_file(path, packed.data, packed.size);
        cr_assert_gt(fail_alloc_sweep(open_file, path), 4);
        free(packed.data);
    }
    fail_alloc_sweep(open_file, (void *)(uintptr_t) "/proc/self/stat");
    free(text);
    test_dir_end(&dir);
}
