/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_unpack.c: hostile .gz, .xz and .zst files, as they are.
 *
 * Whatever unpacks must fit the memory limit, and unpack to the same when it is packed and read
 * again as one zstd frame.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/vec.h"
#include "tests/fuzz/fuzz.h"

#define LIMIT (UINT64_C(64) << 20)

typedef struct packed {
    cflr_context *context;
    CFLRI_VEC(char) bytes;
    bool whole;
} packed;

static void collect(void *user, const void *data, size_t size) {
    packed *p = user;
    p->whole = p->whole && cflri_vec_reserve(p->context, &p->bytes, size);
    if (!p->whole) return;
    memcpy(p->bytes.at + p->bytes.n, data, size);
    p->bytes.n += size;
}

static void pack_again(cflr_context *context, const cflri_bytes *plain) {
    packed p = {.context = context, .whole = true};
    cflri_packer *packer;
    cflri_bytes again = {0};
    if (cflri_packer_new(context, plain->size, &packer, NULL) != CFLR_OK) return;
    cflr_status st = cflri_packer_write(packer, plain->data, plain->size, true, collect, &p, NULL);
    cflri_packer_free(packer);
    if (st == CFLR_OK && p.whole) {
        must(cflri_zstd_frame_is(p.bytes.at, p.bytes.n, plain->size));
        st = cflri_unpack(context, p.bytes.at, p.bytes.n, "again", &again, NULL);
        must(st == CFLR_OK || st == CFLR_LIMIT);
        if (st == CFLR_OK) {
            must(again.size == plain->size);
            must(!again.size || memcmp(again.data, plain->data, again.size) == 0);
        }
        cflri_free(context, again.data);
    }
    cflri_vec_free(context, &p.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cflr_context *context;
    cflr_error error = {0};
    cflri_bytes plain = {0};
    if (cflri_packing_of((const char *)data, size) == CFLRI_PACKING_NONE) return 0;
    must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    context->memory_limit = LIMIT;
    cflr_status st = cflri_unpack(context, (const char *)data, size, "input", &plain, &error);
    if (st == CFLR_OK) {
        pack_again(context, &plain);
        cflri_free(context, plain.data);
    } else {
        must(error.code == st && error.message[0]);
    }
    must(cflr_context_memory(context) == 0);
    must(cflr_context_memory_peak(context) <= LIMIT);
    cflr_context_free(context);
    return 0;
}
