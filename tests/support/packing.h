/* SPDX-License-Identifier: Apache-2.0
 *
 * packing.h: packed data made by the packing libraries themselves, to be read by ours.
 */
#ifndef TEST_SUPPORT_PACKING_H
#define TEST_SUPPORT_PACKING_H

#include <criterion/criterion.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

typedef enum test_packing { TEST_GZIP, TEST_XZ, TEST_ZSTD, TEST_PACKINGS } test_packing;

static const char *const test_packing_suffix[] = {".gz", ".xz", ".zst"};

/* Packed bytes to be freed with free. */
typedef struct test_packed {
    unsigned char *data;
    size_t size;
} test_packed;

static inline test_packed test_pack_gzip(const void *data, size_t size) {
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t capacity = deflateBound(&z, size) + 64;
    test_packed packed = {malloc(capacity), 0};
    z.next_in = (Bytef *)(uintptr_t)data;
    z.avail_in = (uInt)size;
    z.next_out = packed.data;
    z.avail_out = (uInt)capacity;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    packed.size = capacity - z.avail_out;
    deflateEnd(&z);
    return packed;
}

static inline test_packed test_pack_xz(const void *data, size_t size) {
    size_t capacity = lzma_stream_buffer_bound(size);
    test_packed packed = {malloc(capacity), 0};
    cr_assert_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, data, size, packed.data,
                                         &packed.size, capacity),
                 LZMA_OK);
    return packed;
}

/* With a checksum, so that damage shows. */
static inline test_packed test_pack_zstd(const void *data, size_t size) {
    size_t capacity = ZSTD_compressBound(size);
    test_packed packed = {malloc(capacity), 0};
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    packed.size = ZSTD_compress2(zstd, packed.data, capacity, data, size);
    cr_assert_not(ZSTD_isError(packed.size));
    ZSTD_freeCCtx(zstd);
    return packed;
}

static inline test_packed test_pack(test_packing packing, const void *data, size_t size) {
    switch (packing) {
        case TEST_GZIP:
            return test_pack_gzip(data, size);
        case TEST_XZ:
            return test_pack_xz(data, size);
        default:
            return test_pack_zstd(data, size);
    }
}

/* One behind the other; both are freed. */
static inline test_packed test_packed_join(test_packed a, test_packed b) {
    a.data = realloc(a.data, a.size + b.size);
    memcpy(a.data + a.size, b.data, b.size);
    a.size += b.size;
    free(b.data);
    return a;
}

#endif
