/* SPDX-License-Identifier: Apache-2.0
 *
 * vec.c: growth of the arrays of vec.h.
 */
#include "base/vec.h"

bool cflri_vec_grow(cflr_context *context, void **at, size_t *capacity, size_t n, size_t extra,
                    size_t element_size) {
    if (extra > SIZE_MAX / 2 - n) return false;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < n + extra) wanted *= 2;
    if (wanted > SIZE_MAX / element_size) return false;
    void *block = cflri_realloc(context, *at, wanted * element_size);
    if (!block) return false;
    *at = block;
    *capacity = wanted;
    return true;
}
