/* SPDX-License-Identifier: Apache-2.0
 *
 * codec.c: zstd frames.
 *
 * A frame holds blocks of at most 128 KiB, each of at least 4 bytes, so no honest frame declares
 * more than 128 KiB for every 4 packed bytes: a cheap bound that refuses absurd sizes before any
 * memory is asked for.
 *
 * The level is zstd's fastest ordinary one: 3 takes twice the time for graphs that are a
 * twenty-fifth smaller.
 */
#include "base/files/codec.h"

#include <assert.h>
#include <string.h>

/* For the _advanced constructors, which take an allocator. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

enum { LEVEL = 1, CHUNK = 1 << 17, LARGEST_BLOCK = 1 << 17, SMALLEST_BLOCK = 4 };

struct cflri_packer {
    cflr_context *context;
    ZSTD_CCtx *zstd;
    char chunk[CHUNK];
};

static void *zstd_allocate(void *context, size_t size) {
    return cflri_alloc(context, size);
}

static void zstd_release(void *context, void *block) {
    cflri_free(context, block);
}

static ZSTD_customMem memory_of(cflr_context *context) {
    return (ZSTD_customMem){zstd_allocate, zstd_release, context};
}

/* For a code that ZSTD_isError; what reads foreign bytes gives FORMAT, what packs ours INTERNAL. */
static cflr_status fail_zstd(cflr_context *context, size_t code, cflr_status kind,
                             cflr_error *error) {
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) {
        return cflri_fail_memory(context, error);
    }
    return cflri_fail(error, kind, NULL, "zstd: %s", ZSTD_getErrorName(code));
}

cflr_status cflri_packer_new(cflr_context *context, uint64_t plain_size, cflri_packer **packer,
                             cflr_error *error) {
    *packer = NULL;
    cflri_packer *made = cflri_alloc(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->zstd = ZSTD_createCCtx_advanced(memory_of(context));
    if (!made->zstd) {
        cflri_free(context, made);
        return cflri_fail_memory(context, error);
    }
    size_t code = ZSTD_CCtx_setParameter(made->zstd, ZSTD_c_compressionLevel, LEVEL);
    assert(!ZSTD_isError(code));
    code = ZSTD_CCtx_setParameter(made->zstd, ZSTD_c_checksumFlag, plain_size == UINT64_MAX);
    assert(!ZSTD_isError(code));
    code = ZSTD_CCtx_setPledgedSrcSize(made->zstd, plain_size);
    assert(!ZSTD_isError(code));
    (void)code;
    *packer = made;
    return CFLR_OK;
}

void cflri_packer_free(cflri_packer *packer) {
    if (!packer) return;
    ZSTD_freeCCtx(packer->zstd);
    cflri_free(packer->context, packer);
}

cflr_status cflri_packer_write(cflri_packer *packer, const void *data, size_t size, bool last,
                               cflri_sink sink, void *user, cflr_error *error) {
    ZSTD_inBuffer in = {data, size, 0};
    for (;;) {
        ZSTD_outBuffer out = {packer->chunk, sizeof packer->chunk, 0};
        size_t left =
            ZSTD_compressStream2(packer->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return fail_zstd(packer->context, left, CFLR_INTERNAL, error);
        if (out.pos) sink(user, packer->chunk, out.pos);
        if (last ? left == 0 : in.pos == in.size) return CFLR_OK;
    }
}

bool cflri_zstd_may_hold(size_t packed_size, uint64_t plain_size) {
    return plain_size / LARGEST_BLOCK <= packed_size / SMALLEST_BLOCK;
}

bool cflri_zstd_frame_is(const void *packed, size_t packed_size, uint64_t plain_size) {
    uint32_t magic; /* a frame to be skipped also has a size */
    if (packed_size < sizeof magic) return false;
    memcpy(&magic, packed, sizeof magic);
    if (magic != ZSTD_MAGICNUMBER) return false;
    if (ZSTD_getFrameContentSize(packed, packed_size) != plain_size) return false;
    if (ZSTD_findFrameCompressedSize(packed, packed_size) != packed_size) return false;
    return cflri_zstd_may_hold(packed_size, plain_size);
}

cflr_status cflri_zstd_unpack(cflr_context *context, const void *packed, size_t packed_size,
                              void *plain, size_t plain_size, cflr_error *error) {
    ZSTD_DCtx *zstd = ZSTD_createDCtx_advanced(memory_of(context));
    if (!zstd) return cflri_fail_memory(context, error);
    size_t size = ZSTD_decompressDCtx(zstd, plain, plain_size, packed, packed_size);
    ZSTD_freeDCtx(zstd);
    if (ZSTD_isError(size)) return fail_zstd(context, size, CFLR_FORMAT, error);
    if (size != plain_size) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "zstd: %zu bytes instead of %zu", size,
                          plain_size);
    }
    return CFLR_OK;
}
