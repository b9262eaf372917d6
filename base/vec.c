/* SPDX-License-Identifier: Apache-2.0
 *
 * vec.c: growth of the arrays of vec.h.
 */
#include "base/vec.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

enum { LARGE = 1 << 20 /* elements: what is allocated and not used would take much memory */ };

bool cflri_vec_grow(cflr_context *context, void *at, size_t *capacity, size_t n, size_t extra,
                    size_t element_size) {
    assert(n <= *capacity);
    if (extra > SIZE_MAX / 4 - n) return false;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < n + extra) wanted += wanted < LARGE ? wanted : wanted / 4;
    if (wanted > SIZE_MAX / 2 / element_size) return false;
    /* *at is a pointer of some object type: copied as bytes, since void * may not alias it */
    void *block;
    memcpy(&block, at, sizeof block);
    block = cflri_realloc(context, block, wanted * element_size);
    if (!block) return false;
    memcpy(at, &block, sizeof block);
    *capacity = wanted;
    return true;
}

bool cflri_block_stretch(cflr_context *context, char **block, size_t *size, size_t least) {
    bool limited = context->memory_limit != UINT64_MAX;
    uint64_t most = limited ? SIZE_MAX / 4 : cflri_memory_to_use(context);
    for (size_t more = *size / 2 + least;; more = more / 2 + least / 2) {
        char *larger = *size + more <= most ? cflri_realloc(context, *block, *size + more) : NULL;
        if (larger) {
            *block = larger;
            *size += more;
            return true;
        }
        if (more <= least) return false;
    }
}
