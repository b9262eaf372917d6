/* SPDX-License-Identifier: Apache-2.0
 *
 * Containers: what is written is read; every damaged byte is noticed; sizes are not believed.
 */
#include "base/context.h"
#include "base/files/codec.h"
#include "base/files/container.h"
#include "cflr/version.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/packing.h"
#include "tests/support/support.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct part {
    const char *tag;
    const void *data;
    size_t size;
} part;

static cflr_status write_parts(cflr_context *context, const char *path, const part *parts, size_t n,
                               cflr_error *error) {
    cflri_output *output;
    cflr_status st = cflri_output_open(context, path, &output, error);
    if (st != CFLR_OK) return st;
    cflri_container_begin(output);
    for (size_t i = 0; i < n && st == CFLR_OK; i++) {
        st = cflri_container_section(context, output, parts[i].tag, parts[i].data, parts[i].size,
                                     error);
    }
    cflri_container_end(output);
    if (st == CFLR_OK) return cflri_output_close(output, error);
    cflri_output_abandon(output);
    return st;
}

/* The same with sections that are packed first. */
static cflr_status write_packed(cflr_context *context, const char *path, const part *parts,
                                size_t n, cflr_error *error) {
    cflri_output *output;
    cflr_status st = cflri_output_open(context, path, &output, error);
    if (st != CFLR_OK) return st;
    cflri_container_begin(output);
    for (size_t i = 0; i < n && st == CFLR_OK; i++) {
        cflri_section section;
        st = cflri_container_pack(context, parts[i].tag, parts[i].data, parts[i].size, &section,
                                  error);
        if (st != CFLR_OK) break;
        cflri_container_put(output, &section);
        cflri_free(context, (void *)(uintptr_t)section.packed);
    }
    cflri_container_end(output);
    if (st == CFLR_OK) return cflri_output_close(output, error);
    cflri_output_abandon(output);
    return st;
}

/* Opens and unpacks everything; CFLR_OK when all of it is well. */
static cflr_status read_all(cflr_context *context, const char *data, size_t size,
                            cflr_error *error) {
    cflri_section *sections;
    size_t count;
    cflr_status st = cflri_container_open(context, data, size, "file", &sections, &count, error);
    for (size_t i = 0; i < count && st == CFLR_OK; i++) {
        void *plain;
        st = cflri_container_unpack(context, &sections[i], "file", &plain, error);
        cflri_free(context, plain);
    }
    cflri_free(context, sections);
    return st;
}

/* A small container in memory, to be freed with free. */
static char *small_container(cflr_context *context, size_t *size) {
    static const part parts[] = {
        {"ABCD", "some text, some text, some text", 31}, {"NONE", "", 0}, {"WXYZ", "\0\1\2\3", 4}};
    cflr_error error;
    test_dir dir = test_dir_begin();
    char path[512];
    MUST(write_parts(context, test_path(&dir, "file", path), parts, 3, &error));
    char *data = test_read_file(path, size);
    test_dir_end(&dir);
    return data;
}

Test(container, round_trip) {
    enum { LARGE = 3000000 };
    cflr_context *context = test_context();
    cflr_error error;
    test_dir dir = test_dir_begin();
    char path[512], *noise = malloc(LARGE), *zeros = calloc(1, LARGE);
    uint64_t state = 10;
    for (size_t i = 0; i < LARGE; i++) noise[i] = (char)test_random(&state);
    const part parts[] = {{"NOIS", noise, LARGE}, {"ZERO", zeros, LARGE}, {"NOTH", NULL, 0},
                          {"TEXT", "abc", 3},     {"TEXT", "second", 6},  {"ODD ", noise, 131073}};
    size_t n = sizeof parts / sizeof *parts, size, count;
    cflri_section *sections;
    MUST(write_parts(context, test_path(&dir, "file", path), parts, n, &error));
    char *data = test_read_file(path, &size);
    cr_assert(cflri_container_is(data, size));
    MUST(cflri_container_open(context, data, size, path, &sections, &count, &error));
    cr_assert_eq(count, n);
    for (size_t i = 0; i < n; i++) {
        void *plain;
        cr_assert_str_eq(sections[i].tag, parts[i].tag);
        cr_assert_eq(sections[i].size, parts[i].size);
        MUST(cflri_container_unpack(context, &sections[i], path, &plain, &error));
        cr_assert(!parts[i].size || memcmp(plain, parts[i].data, parts[i].size) == 0);
        cflri_free(context, plain);
    }
    cr_assert_lt(sections[1].packed_size, 1000);
    cr_assert_eq(cflri_container_find(sections, count, "TEXT"), &sections[3]);
    cr_assert_null(cflri_container_find(sections, count, "text"));
    cflri_free(context, sections);
    size_t packed_size;
    MUST(write_packed(context, path, parts, n, &error));
    char *packed = test_read_file(path, &packed_size);
    cr_expect(packed_size == size && memcmp(packed, data, size) == 0, "packed first");
    free(packed);
    free(data);
    free(noise);
    free(zeros);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(container, without_sections) {
    cflr_context *context = test_context();
    cflr_error error;
    test_dir dir = test_dir_begin();
    char path[512];
    size_t size, count;
    cflri_section *sections;
    MUST(write_parts(context, test_path(&dir, "file", path), NULL, 0, &error));
    char *data = test_read_file(path, &size);
    MUST(cflri_container_open(context, data, size, path, &sections, &count, &error));
    cr_assert_eq(count, 0);
    cflri_free(context, sections);
    free(data);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(container, every_damaged_byte) {
    cflr_context *context = test_context();
    cflr_error error;
    size_t size;
    char *data = small_container(context, &size);
    MUST(read_all(context, data, size, &error));
    for (size_t i = 0; i < size; i++) {
        for (unsigned change = 1; change < 256; change++) {
            data[i] ^= (char)change;
            memset(&error, 0, sizeof error);
            cflr_status st = read_all(context, data, size, &error);
            cflr_status expected = i >= 4 && i < 8 ? CFLR_UNSUPPORTED : CFLR_FORMAT;
            cr_assert_eq(st, expected, "byte %zu ^ %u: %s", i, change, cflr_status_name(st));
            cr_assert_str_eq(error.subject, "file");
            cr_assert_neq(error.message[0], '\0');
            data[i] ^= (char)change;
        }
    }
    free(data);
    test_context_end(context);
}

Test(container, cut_short_or_too_long) {
    cflr_context *context = test_context();
    cflr_error error;
    size_t size;
    char *data = small_container(context, &size);
    for (size_t n = 0; n < size; n++) {
        char *cut = malloc(n + 1);
        memcpy(cut, data, n);
        MUST_FAIL(read_all(context, cut, n, &error), CFLR_FORMAT);
        free(cut);
    }
    data = realloc(data, size + 100);
    memset(data + size, 0, 100);
    for (size_t more = 1; more <= 100; more++) {
        MUST_FAIL(read_all(context, data, size + more, &error), CFLR_FORMAT);
    }
    free(data);
    test_context_end(context);
}

/* A section whose checksum is right, but whose header says what the sender likes. */
static size_t forge(char *file, const char *tag, const test_packed *packed, uint64_t packed_size,
                    uint64_t plain_size) {
    uint32_t version = CFLR_FILE_FORMAT, zero = 0;
    char *at = file;
    memcpy(at, "CFLR", 4);
    memcpy(at + 4, &version, 4);
    at += 8;
    memcpy(at, tag, 4);
    memcpy(at + 4, &zero, 4);
    memcpy(at + 8, &packed_size, 8);
    memcpy(at + 16, &plain_size, 8);
    char *hashed = malloc(packed->size + 24);
    memcpy(hashed, packed->data, packed->size);
    memcpy(hashed + packed->size, at, 24);
    uint64_t checksum = XXH3_64bits(hashed, packed->size + 24);
    memcpy(at + 24, &checksum, 8);
    memcpy(at + 32, packed->data, packed->size);
    at += 32 + packed->size;
    memcpy(at, "END ", 4);
    memset(at + 4, 0, 20);
    checksum = XXH3_64bits(at, 24);
    memcpy(at + 24, &checksum, 8);
    free(hashed);
    return (size_t)(at + 32 - file);
}

Test(container, forged_sizes) {
    cflr_context *context = test_context();
    cflr_error error;
    char file[1024];
    test_packed packed = test_pack_zstd("abcdefgh", 8);
    size_t size = forge(file, "ABCD", &packed, packed.size, 8);
    MUST(read_all(context, file, size, &error));
    static const uint64_t plain[] = {0, 7, 9, 1 << 20, UINT64_C(1) << 60, UINT64_MAX};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        size = forge(file, "ABCD", &packed, packed.size, plain[i]);
        MUST_FAIL(read_all(context, file, size, &error), CFLR_FORMAT);
    }
    static const uint64_t sizes[] = {0, 1, 1 << 20, UINT64_MAX, UINT64_MAX - 31};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size = forge(file, "ABCD", &packed, sizes[i], 8);
        MUST_FAIL(read_all(context, file, size, &error), CFLR_FORMAT);
    }
    cr_assert_lt(cflr_context_memory_peak(context), 1 << 20);
    free(packed.data);
    test_context_end(context);
}

/* The frame itself declares 2^40 bytes, with a right checksum around it. */
Test(container, a_frame_that_declares_too_much) {
    cflr_context *context = test_context();
    cflr_error error;
    char file[1024];
    /* magic, a header with 8 bytes of content size and a window of 1 KiB, an empty last block */
    unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x00, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0};
    test_packed packed = {frame, sizeof frame};
    cr_assert_eq(ZSTD_getFrameContentSize(frame, sizeof frame), UINT64_C(1) << 40);
    size_t size = forge(file, "ABCD", &packed, packed.size, UINT64_C(1) << 40);
    MUST_FAIL(read_all(context, file, size, &error), CFLR_FORMAT);
    cr_assert_lt(cflr_context_memory_peak(context), 1 << 20);
    test_context_end(context);
}

/* Two frames in one section, a skippable frame, plain bytes: none is one frame of that size. */
Test(container, payloads_that_are_no_single_frame) {
    cflr_context *context = test_context();
    cflr_error error;
    char file[1024];
    test_packed one = test_pack_zstd("abcd", 4);
    test_packed two = test_packed_join(test_pack_zstd("abcd", 4), test_pack_zstd("abcd", 4));
    unsigned char skip[] = {0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0};
    test_packed skippable = {skip, sizeof skip};
    test_packed plain = {(unsigned char *)(uintptr_t) "abcd", 4};
    MUST(read_all(context, file, forge(file, "ABCD", &one, one.size, 4), &error));
    MUST_FAIL(read_all(context, file, forge(file, "ABCD", &two, two.size, 8), &error), CFLR_FORMAT);
    MUST_FAIL(read_all(context, file, forge(file, "ABCD", &two, two.size, 4), &error), CFLR_FORMAT);
    MUST_FAIL(read_all(context, file, forge(file, "ABCD", &skippable, 8, 0), &error), CFLR_FORMAT);
    MUST_FAIL(read_all(context, file, forge(file, "ABCD", &plain, 4, 4), &error), CFLR_FORMAT);
    free(one.data);
    free(two.data);
    test_context_end(context);
}

Test(container, sections_meet_the_memory_limit) {
    enum { LARGE = 24 << 20 };
    cflr_error error;
    test_dir dir = test_dir_begin();
    char path[512], *zeros = calloc(1, LARGE);
    part large = {"ZERO", zeros, LARGE};
    size_t size;
    cflr_context *context = test_context();
    MUST(write_parts(context, test_path(&dir, "file", path), &large, 1, &error));
    test_context_end(context);
    char *data = test_read_file(path, &size);
    context = test_context_limited(8 << 20);
    MUST_FAIL(read_all(context, data, size, &error), CFLR_LIMIT);
    free(data);
    free(zeros);
    test_dir_end(&dir);
    test_context_end(context);
}

/* A section that cannot be held packed is packed twice, to the same bytes. */
Test(container, written_near_the_memory_limit) {
    enum { LARGE = 24 << 20 };
    cflr_error error;
    test_dir dir = test_dir_begin();
    char path[2][512], *noise = malloc(LARGE), *data[2];
    size_t size[2];
    uint64_t state = 11;
    for (size_t i = 0; i < LARGE; i += 8) {
        uint64_t word = test_random(&state);
        memcpy(noise + i, &word, 8);
    }
    part large = {"NOIS", noise, LARGE};
    for (int i = 0; i < 2; i++) {
        cflr_context *context = i ? test_context_limited(10 << 20) : test_context();
        test_path(&dir, i ? "limited" : "free", path[i]);
        MUST(write_parts(context, path[i], &large, 1, &error));
        data[i] = test_read_file(path[i], &size[i]);
        if (i) cr_assert_lt(cflr_context_memory_peak(context), LARGE / 2);
        test_context_end(context);
    }
    cr_assert_eq(size[0], size[1]);
    cr_assert_eq(memcmp(data[0], data[1], size[0]), 0);
    free(data[0]);
    free(data[1]);
    free(noise);
    test_dir_end(&dir);
}

Test(container, other_versions) {
    cflr_context *context = test_context();
    cflr_error error;
    size_t size;
    char *data = small_container(context, &size);
    static const uint32_t other[] = {0, CFLR_FILE_FORMAT + 1, UINT32_MAX};
    for (int i = 0; i < 3; i++) {
        memcpy(data + 4, &other[i], 4);
        MUST_FAIL(read_all(context, data, size, &error), CFLR_UNSUPPORTED);
        cr_expect(strstr(error.message, i == 0 ? "by an older cflr" : "by a newer cflr"), "%s",
                  error.message);
    }
    free(data);
    test_context_end(context);
}

static cflr_status write_and_read(cflr_context *context, void *user, cflr_error *error) {
    static const part parts[] = {{"ABCD", "some text", 9}, {"EFGH", "more", 4}};
    cflri_input input;
    cflr_status st = write_packed(context, user, parts, 2, error);
    if (st == CFLR_OK) st = write_parts(context, user, parts, 2, error);
    if (st != CFLR_OK) return st;
    st = cflri_input_open(context, user, &input, error);
    if (st == CFLR_OK) st = read_all(context, input.data, input.size, error);
    cflri_input_close(&input);
    return st;
}

Test(container, allocation_failures) {
    test_dir dir = test_dir_begin();
    char path[512];
    cr_assert_gt(fail_alloc_sweep(write_and_read, (void *)(uintptr_t)test_path(&dir, "file", path)),
                 10);
    test_dir_end(&dir);
}
