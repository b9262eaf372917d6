/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_container.c: hostile containers: headers, sizes and frames.
 *
 * The first byte says whether checksums are put right first, as far as the sizes in the headers can
 * be followed: no fuzzer finds a checksum, and what lies behind it is to be reached as well.
 */
#include <stdlib.h>
#include <string.h>

#include "base/files/container.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/context.h"
#include "tests/fuzz/checksums.h"
#include "tests/fuzz/fuzz.h"

static void unpack_all(cflr_context *context, const cflri_section *sections, size_t n) {
    for (size_t i = 0; i < n; i++) {
        void *plain;
        cflr_error error = {0};
        cflr_status st = cflri_container_unpack(context, &sections[i], "input", &plain, &error);
        must((st == CFLR_OK) == (plain != NULL));
        must(st == CFLR_OK || (error.code == st && error.message[0]));
        must(cflri_container_find(sections, n, sections[i].tag) <= &sections[i]);
        cflri_free(context, plain);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cflr_context *context;
    cflri_section *sections;
    cflr_error error = {0};
    size_t n;
    if (!size) return 0;
    must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    context->memory_limit = UINT64_C(256) << 20;
    char *copy = malloc(size - 1 ? size - 1 : 1); /* no longer, so that reading behind it shows */
    must(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if (data[0] & 1) put_checksums_right((unsigned char *)copy, size - 1);
    cflr_status st = cflri_container_open(context, copy, size - 1, "input", &sections, &n, &error);
    if (st == CFLR_OK) {
        unpack_all(context, sections, n);
        cflri_free(context, sections);
    } else {
        must(error.code == st && error.message[0]);
    }
    must(cflr_context_memory(context) == 0);
    cflr_context_free(context);
    free(copy);
    return 0;
}
