/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_manifest.c: hostile manifests of work directories.
 *
 * The first byte says whether the checksum is put right first: no fuzzer finds one.
 */
#include <string.h>

#include "base/context.h"
#include "ooc/manifest.h"
#include "tests/fuzz/fuzz.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void look(const cflri_manifest *manifest, const char *data, size_t size) {
    const char *state = manifest->state;
    must(state >= data && manifest->state_size < size);
    must(state + manifest->state_size + sizeof(uint64_t) == data + size);
    for (size_t i = 0; i < manifest->segments.n; i++) {
        must(manifest->segments.at[i].number < manifest->next);
        must(i == 0 || manifest->segments.at[i - 1].number < manifest->segments.at[i].number);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cflr_context *context;
    cflri_manifest manifest;
    cflr_error error = {0};
    uint64_t checksum;
    if (!size) return 0;
    must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    context->memory_limit = UINT64_C(64) << 20;
    char *copy = malloc(size - 1 ? size - 1 : 1); /* no longer, so that reading behind it shows */
    must(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if ((data[0] & 1) && size - 1 >= sizeof checksum) {
        checksum = XXH3_64bits(copy, size - 1 - sizeof checksum);
        memcpy(copy + size - 1 - sizeof checksum, &checksum, sizeof checksum);
    }
    cflr_status st = cflri_manifest_read(context, copy, size - 1, "input", &manifest, &error);
    if (st == CFLR_OK)
        look(&manifest, copy, size - 1);
    else
        must(error.code == st && error.message[0]);
    cflri_manifest_free(context, &manifest);
    must(cflr_context_memory(context) == 0);
    cflr_context_free(context);
    free(copy);
    return 0;
}
