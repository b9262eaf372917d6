/* SPDX-License-Identifier: Apache-2.0
 *
 * vec.c: growth of the arrays of vec.h.
 */
#include "base/vec.h"

#include <assert.h>
#include <string.h>

bool cflri_vec_grow(cflr_context *context, void *at, size_t *capacity, size_t n, size_t extra,
                    size_t element_size) {
    assert(n <= *capacity);
    if (extra > SIZE_MAX / 4 - n) return false;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < n + extra) wanted *= 2;
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
