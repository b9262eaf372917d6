/* SPDX-License-Identifier: Apache-2.0
 *
 * unpack.c: whole .gz, .xz and .zst files into memory.
 *
 * The three libraries have the same shape: give input and room, get how much of both was used.
 *
 *     packed in memory ---> [ decoder ] ---> plain: [ ...filled... | room ]   grows by half
 *
 * One loop drives them through a small table: it makes room, lets the decoder step, looks for an
 * interruption, and ends when the decoder says that input and output end together. The decoders
 * allocate through us, and the plain text grows by what arrived: a file that unpacks to more than
 * the limit ends in a status when the limit is met. The one size that is believed is that of a zstd
 * frame with bytes enough for it, which saves growing and is refused at once where it does not fit.
 */
#include <assert.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
/* For ZSTD_createDCtx_advanced, which takes an allocator. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/vec.h"

enum { ROOM = 1 << 16, STEP_INPUT = 1 << 20 };

/* The memory that a decoder may need for itself: xz -9 takes 65 MiB, a hostile header asks for 4
 * GiB. zstd has a bound of its own (128 MiB), gzip takes 40 KiB. */
#define XZ_MEMORY (UINT64_C(256) << 20)

typedef struct unpacking {
    cflr_context *context;
    const char *in;
    size_t in_size, in_at;
    char *out;
    size_t out_size, out_at;
    bool done;          /* input and output ended together */
    bool ended;         /* at a boundary between members or frames */
    const char *reason; /* of a failed step, static storage */
    union {
        z_stream gzip;
        lzma_stream xz;
        ZSTD_DCtx *zstd;
    } of;
} unpacking;

typedef struct decoder {
    const char *name;
    unsigned char magic[6];
    size_t magic_size;
    cflr_status (*start)(unpacking *u); /* CFLR_OK or CFLR_NO_MEMORY */
    cflr_status (*step)(unpacking *u);  /* also FORMAT and UNSUPPORTED, with u->reason */
    void (*stop)(unpacking *u);
} decoder;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ---- gzip ---- */

static voidpf gzip_allocate(voidpf context, uInt count, uInt size) {
    return cflri_alloc_array(context, count, size);
}

static void gzip_release(voidpf context, voidpf block) {
    cflri_free(context, block);
}

static cflr_status gzip_start(unpacking *u) {
    enum { WINDOW = 15, WITH_GZIP_HEADER = 16 };
    u->of.gzip = (z_stream){.zalloc = gzip_allocate, .zfree = gzip_release, .opaque = u->context};
    return inflateInit2(&u->of.gzip, WINDOW + WITH_GZIP_HEADER) == Z_OK ? CFLR_OK : CFLR_NO_MEMORY;
}

static cflr_status gzip_step(unpacking *u) {
    z_stream *z = &u->of.gzip;
    if (u->ended && inflateReset(z) != Z_OK) return CFLR_FORMAT;
    size_t input = smaller(u->in_size - u->in_at, STEP_INPUT);
    size_t room = smaller(u->out_size - u->out_at, STEP_INPUT);
    z->next_in = (Bytef *)(uintptr_t)(u->in + u->in_at); /* zlib only reads it */
    z->avail_in = (uInt)input;
    z->next_out = (Bytef *)(u->out + u->out_at);
    z->avail_out = (uInt)room;
    int code = inflate(z, Z_NO_FLUSH);
    u->in_at += input - z->avail_in;
    u->out_at += room - z->avail_out;
    u->ended = code == Z_STREAM_END;
    u->done = u->ended && u->in_at == u->in_size;
    u->reason = z->msg;
    if (code == Z_MEM_ERROR) return CFLR_NO_MEMORY;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? CFLR_OK : CFLR_FORMAT;
}

static void gzip_stop(unpacking *u) {
    inflateEnd(&u->of.gzip);
}

/* ---- xz ---- */

static void *xz_allocate(void *context, size_t count, size_t size) {
    return cflri_alloc_array(context, count, size);
}

static void xz_release(void *context, void *block) {
    cflri_free(context, block);
}

static cflr_status xz_start(unpacking *u) {
    static const lzma_stream fresh = LZMA_STREAM_INIT;
    lzma_allocator *memory = cflri_alloc(u->context, sizeof *memory);
    if (!memory) return CFLR_NO_MEMORY;
    *memory = (lzma_allocator){xz_allocate, xz_release, u->context};
    u->of.xz = fresh;
    u->of.xz.allocator = memory;
    lzma_ret code = lzma_stream_decoder(&u->of.xz, XZ_MEMORY, LZMA_CONCATENATED);
    if (code != LZMA_OK) cflri_free(u->context, memory);
    return code == LZMA_OK ? CFLR_OK : CFLR_NO_MEMORY;
}

static const char *xz_reason(lzma_ret code) {
    switch (code) {
        case LZMA_FORMAT_ERROR:
            return "not xz data";
        case LZMA_OPTIONS_ERROR:
            return "unsupported options";
        case LZMA_MEMLIMIT_ERROR:
            return "its dictionary needs more than 256 MiB";
        default:
            return "invalid data";
    }
}

static cflr_status xz_step(unpacking *u) {
    lzma_stream *xz = &u->of.xz;
    size_t input = smaller(u->in_size - u->in_at, STEP_INPUT);
    size_t room = smaller(u->out_size - u->out_at, STEP_INPUT);
    xz->next_in = (const uint8_t *)u->in + u->in_at;
    xz->avail_in = input;
    xz->next_out = (uint8_t *)u->out + u->out_at;
    xz->avail_out = room;
    lzma_ret code = lzma_code(xz, u->in_at + input == u->in_size ? LZMA_FINISH : LZMA_RUN);
    u->in_at += input - xz->avail_in;
    u->out_at += room - xz->avail_out;
    u->done = code == LZMA_STREAM_END;
    if (code == LZMA_OK || code == LZMA_STREAM_END || code == LZMA_BUF_ERROR) return CFLR_OK;
    u->reason = xz_reason(code);
    if (code == LZMA_MEM_ERROR) return CFLR_NO_MEMORY;
    return code == LZMA_MEMLIMIT_ERROR ? CFLR_UNSUPPORTED : CFLR_FORMAT;
}

static void xz_stop(unpacking *u) {
    void *memory = (void *)(uintptr_t)u->of.xz.allocator;
    lzma_end(&u->of.xz);
    cflri_free(u->context, memory);
}

/* ---- zstd ---- */

static void *zstd_allocate(void *context, size_t size) {
    return cflri_alloc(context, size);
}

static void zstd_release(void *context, void *block) {
    cflri_free(context, block);
}

static cflr_status zstd_start(unpacking *u) {
    ZSTD_customMem memory = {zstd_allocate, zstd_release, u->context};
    u->of.zstd = ZSTD_createDCtx_advanced(memory);
    return u->of.zstd ? CFLR_OK : CFLR_NO_MEMORY;
}

static cflr_status zstd_step(unpacking *u) {
    ZSTD_inBuffer in = {u->in, u->in_at + smaller(u->in_size - u->in_at, STEP_INPUT), u->in_at};
    ZSTD_outBuffer out = {u->out, u->out_size, u->out_at};
    size_t code = ZSTD_decompressStream(u->of.zstd, &out, &in);
    u->in_at = in.pos;
    u->out_at = out.pos;
    if (ZSTD_isError(code)) {
        u->reason = ZSTD_getErrorName(code);
        bool memory = ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation;
        return memory ? CFLR_NO_MEMORY : CFLR_FORMAT;
    }
    u->ended = code == 0;
    u->done = u->ended && u->in_at == u->in_size;
    return CFLR_OK;
}

static void zstd_stop(unpacking *u) {
    ZSTD_freeDCtx(u->of.zstd);
}

/* ---- what they share ---- */

/* In the order of cflri_packing. */
static const decoder decoders[] = {
    {"", {0}, 0, NULL, NULL, NULL},
    {"gzip", {0x1f, 0x8b}, 2, gzip_start, gzip_step, gzip_stop},
    {"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, xz_start, xz_step, xz_stop},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_start, zstd_step, zstd_stop},
};

/* Parallel packers begin a zstd file with a frame to skip: 50..5f 2a 4d 18. */
static bool is_skippable_frame(const unsigned char *data, size_t size) {
    static const unsigned char rest[] = {0x2a, 0x4d, 0x18};
    return size >= 4 && (data[0] & 0xf0) == 0x50 && memcmp(data + 1, rest, sizeof rest) == 0;
}

cflri_packing cflri_packing_of(const char *data, size_t size) {
    for (size_t i = CFLRI_PACKING_GZIP; i <= CFLRI_PACKING_ZSTD; i++) {
        const decoder *d = &decoders[i];
        if (size >= d->magic_size && memcmp(data, d->magic, d->magic_size) == 0) {
            return (cflri_packing)i;
        }
    }
    return is_skippable_frame((const unsigned char *)data, size) ? CFLRI_PACKING_ZSTD
                                                                 : CFLRI_PACKING_NONE;
}

size_t cflri_unpacked_length(const char *path) {
    static const char *const packings[] = {".gz", ".xz", ".zst"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
        size_t n = strlen(packings[i]);
        if (length > n && strcmp(path + length - n, packings[i]) == 0) return length - n;
    }
    return length;
}

/* The unpacked size that a zstd frame declares, if it declares one and has bytes enough for it. */
static size_t declared_size(const unpacking *u) {
    uint64_t size = ZSTD_getFrameContentSize(u->in, u->in_size);
    return size < ZSTD_CONTENTSIZE_ERROR && cflri_zstd_may_hold(u->in_size, size) ? (size_t)size
                                                                                  : 0;
}

/* A size that is declared is asked for at once, or refused. */
static bool make_first_room(unpacking *u, cflri_packing packing) {
    size_t size = packing == CFLRI_PACKING_ZSTD ? declared_size(u) : 0;
    return cflri_block_stretch(u->context, &u->out, &u->out_size, size + ROOM);
}

static bool make_room(unpacking *u) {
    if (u->out_size - u->out_at >= ROOM) return true;
    return cflri_block_stretch(u->context, &u->out, &u->out_size, ROOM);
}

static cflr_status fail_step(const unpacking *u, const decoder *d, cflr_status st,
                             const char *subject, cflr_error *error) {
    if (st == CFLR_NO_MEMORY) return cflri_fail_memory(u->context, error);
    return cflri_fail(error, st, subject, "%s data near packed byte %zu: %s", d->name, u->in_at,
                      u->reason ? u->reason : "invalid data");
}

static cflr_status drive(unpacking *u, const decoder *d, const char *subject, cflr_error *error) {
    while (!u->done) {
        if (!make_room(u)) return cflri_fail_memory(u->context, error);
        size_t in_before = u->in_at, out_before = u->out_at;
        cflr_status st = d->step(u);
        if (st != CFLR_OK) return fail_step(u, d, st, subject, error);
        assert(u->in_at <= u->in_size && u->out_at <= u->out_size);
        if (!u->done && u->in_at == in_before && u->out_at == out_before) {
            return cflri_fail(error, CFLR_FORMAT, subject, "%s data ends early, after %zu bytes",
                              d->name, u->in_size);
        }
        st = cflri_tick(u->context, "load", u->in_at, u->in_size);
        if (st != CFLR_OK) return cflri_fail_interrupted(u->context, st, error);
    }
    return CFLR_OK;
}

/* Releases the memory that was not filled. */
static void trim(unpacking *u) {
    char *block = cflri_realloc(u->context, u->out, u->out_at ? u->out_at : 1);
    if (block) u->out = block;
}

cflr_status cflri_unpack(cflr_context *context, const char *data, size_t size, const char *subject,
                         cflri_bytes *plain, cflr_error *error) {
    cflri_packing packing = cflri_packing_of(data, size);
    const decoder *d = &decoders[packing];
    assert(d->start);
    *plain = (cflri_bytes){NULL, 0};
    unpacking u = {.context = context, .in = data, .in_size = size};
    if (!make_first_room(&u, packing)) return cflri_fail_memory(context, error);
    cflr_status st = d->start(&u);
    if (st == CFLR_OK) {
        st = drive(&u, d, subject, error);
        d->stop(&u);
    } else {
        st = cflri_fail_memory(context, error);
    }
    if (st != CFLR_OK) {
        cflri_free(context, u.out);
        return st;
    }
    trim(&u);
    *plain = (cflri_bytes){u.out, u.out_at};
    return CFLR_OK;
}
