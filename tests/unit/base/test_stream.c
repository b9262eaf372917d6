/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files into memory: plain, packed, from pipes; damaged, cut short, too large.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/files/stream.h"
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

static void must_read(cflr_context *context, const char *path, const void *data, size_t size) {
    cflr_error error;
    cflri_input input;
    MUST(cflri_input_open(context, path, &input, &error));
    cr_assert_eq(input.size, size);
    cr_assert_not_null(input.data);
    cr_assert(size == 0 || memcmp(input.data, data, size) == 0);
    cflri_input_close(&input);
    cflri_input_close(&input);
    cr_assert_eq(cflr_context_memory(context), 0);
}

/* Into a block of their size, which counts. */
Test(stream, plain_files) {
    static const size_t sizes[] = {1, 3, 4095, 4096, 4097, 1000000};
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512];
    test_path(&dir, "plain", path);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = make_text(sizes[i]);
        test_write_file(path, text, sizes[i]);
        must_read(context, path, text, sizes[i]);
        cr_assert_leq(cflr_context_memory_peak(context), sizes[i] + 64);
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
    must_read(context, path, "", 0);
    must_read(context, "/dev/null", "", 0);
    static const char *const packed[] = {"empty.gz", "empty.tsv.xz", "empty.zst"};
    for (size_t i = 0; i < 3; i++) {
        cflri_input input;
        cflr_error error;
        test_write_file(test_path(&dir, packed[i], path), "", 0);
        cr_expect_eq(cflri_input_open(context, path, &input, &error), CFLR_FORMAT, "%s", packed[i]);
        cr_expect_str_eq(error.message, "the file is empty");
        cr_expect_str_eq(error.subject, path);
        cflri_input_close(&input);
    }
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

/* ---- files that change while they are read ---- */

typedef struct cutting {
    const char *path;
    off_t size; /* that the file gets when reading begins */
} cutting;

static bool cut_file(void *user, const cflr_progress *progress) {
    const cutting *c = user;
    return progress->done > 0 || truncate(c->path, c->size) == 0;
}

static cflr_context *context_with_progress(bool (*progress)(void *, const cflr_progress *),
                                           void *user) {
    cflr_context_opts opts;
    cflr_context *context;
    cflr_error error;
    cflr_context_opts_init(&opts);
    opts.progress = progress;
    opts.user = user;
    MUST(cflr_context_new(&opts, &context, &error));
    return context;
}

Test(stream, a_file_that_is_cut_while_it_is_read) {
    enum { SIZE = 10000000 };
    static const off_t left[] = {0, 1, 4096, SIZE - 1};
    test_dir dir = test_dir_begin();
    char *text = make_text(SIZE), path[512];
    test_path(&dir, "file", path);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        cutting c = {path, left[i]};
        cflr_context *context = context_with_progress(cut_file, &c);
        cflr_error error;
        cflri_input input;
        test_write_file(path, text, SIZE);
        MUST_FAIL(cflri_input_open(context, path, &input, &error), CFLR_IO);
        cr_assert_str_eq(error.subject, path);
        test_context_end(context);
    }
    free(text);
    test_dir_end(&dir);
}

/* What is added meanwhile is not looked at. */
Test(stream, a_file_that_grows_while_it_is_read) {
    test_dir dir = test_dir_begin();
    char path[512];
    cutting c = {test_path(&dir, "file", path), 100000};
    cflr_context *context = context_with_progress(cut_file, &c);
    test_write_file(path, "abc", 3);
    must_read(context, path, "abc", 3);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- what may have no end ---- */

Test(stream, a_device_without_an_end) {
    enum { LIMIT = 8 << 20 };
    cflr_context *context = test_context_limited(LIMIT);
    cflr_error error;
    cflri_input input;
    MUST_FAIL(cflri_input_open(context, "/dev/zero", &input, &error), CFLR_LIMIT);
    cr_assert_str_eq(error.subject, "/dev/zero");
    cr_assert_leq(cflr_context_memory_peak(context), LIMIT);
    test_context_end(context);
}

/* A FIFO that nothing writes to is waited for, and no longer than the time lasts. */
Test(stream, a_fifo_without_a_writer) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_context *context = test_context();
    cflr_error error;
    cflri_input input;
    cr_assert_eq(mkfifo(test_path(&dir, "fifo", path), 0600), 0);
    context->opts.time_limit = 0.2;
    MUST_FAIL(cflri_input_open(context, path, &input, &error), CFLR_LIMIT);
    cr_assert_str_eq(error.subject, path);
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
    must_read(context, "-", plain, plain_size);
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

static void *feed_fifo(void *user) {
    feed *f = user;
    usleep(150000); /* the reader waits, and comes around */
    f->fd = open(f->data, O_WRONLY);
    f->data = "late";
    return feed_pipe(f);
}

Test(stream, a_fifo_with_a_late_writer) {
    test_dir dir = test_dir_begin();
    char path[512];
    pthread_t thread;
    cflr_context *context = test_context();
    cr_assert_eq(mkfifo(test_path(&dir, "fifo", path), 0600), 0);
    feed f = {-1, path, 4};
    cr_assert_eq(pthread_create(&thread, NULL, feed_fifo, &f), 0);
    must_read(context, path, "late", 4);
    pthread_join(thread, NULL);
    test_dir_end(&dir);
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
    cr_assert_eq(read(STDIN_FILENO, byte, 3), 3);
    must_read(context, "-", "def", 3);
    must_read(context, "-", "", 0);
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
            must_read(context, path, text, sizes[i]);
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
        must_read(context, path, text, SIZE);
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
    must_read(context, path, "hello", 5);
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

/* A frame of blocks that each repeat one byte, 128 KiB for 4: it says `declared`, if that is not
 * 0. */
static test_packed repeating_frame(uint64_t declared, size_t blocks, char byte) {
    test_packed frame = {malloc(16 + 4 * blocks), 0};
    memcpy(frame.data, "\x28\xb5\x2f\xfd\x00\x38", frame.size = 6); /* a window of 128 KiB */
    if (declared) {
        frame.data[4] = 0xe0; /* one segment, a size of eight bytes, and no window */
        memcpy(frame.data + 5, &declared, sizeof declared);
        frame.size = 5 + sizeof declared;
    }
    for (size_t i = 0; i < blocks; i++) {
        uint32_t head = (uint32_t)(i + 1 == blocks) | 1 << 1 | (1u << 17) << 3;
        memcpy(frame.data + frame.size, &head, 3);
        frame.data[frame.size + 3] = (unsigned char)byte;
        frame.size += 4;
    }
    return frame;
}

/* A size that is declared and cannot be had is refused before anything is unpacked; one for which
 * the bytes do not suffice is not believed. */
Test(stream, declared_sizes) {
    enum { BLOCK = 1 << 17, BLOCKS = 64 };
    static const struct {
        uint64_t declared, limit;
        cflr_status st;
        uint64_t peak;
    } rows[] = {
        {(uint64_t)BLOCKS * BLOCK, 16 << 20, CFLR_OK, BLOCKS * BLOCK + (4 << 20)},
        {(uint64_t)BLOCKS * BLOCK, 4 << 20, CFLR_LIMIT, 0},
        {0, 4 << 20, CFLR_LIMIT, 4 << 20},
        {UINT64_C(1) << 60, 16 << 20, CFLR_FORMAT,
         4 << 20}, /* the window is as large as the frame */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cflr_context *context = test_context_limited(rows[i].limit);
        cflr_error error;
        cflri_bytes plain;
        test_packed frame = repeating_frame(rows[i].declared, BLOCKS, '\n');
        cflr_status st =
            cflri_unpack(context, (const char *)frame.data, frame.size, "file", &plain, &error);
        cr_assert_eq(st, rows[i].st, "row %zu: %s", i, st == CFLR_OK ? "read" : error.message);
        cr_assert_leq(cflr_context_memory_peak(context), rows[i].peak, "row %zu", i);
        cr_assert_eq(plain.size, st == CFLR_OK ? BLOCKS * BLOCK : 0);
        cflri_free(context, plain.data);
        free(frame.data);
        test_context_end(context);
    }
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
