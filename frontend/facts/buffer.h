/* SPDX-License-Identifier: Apache-2.0
 *
 * buffer.h: bytes put together, for what the cache writes.
 */
#ifndef CFLRI_BUFFER_H
#define CFLRI_BUFFER_H

#include <string.h>

#include "base/vec.h"

typedef CFLRI_VEC(char) cflri_buffer;

/* Both return false when memory is refused. */
static inline bool cflri_buffer_add(cflr_context *context, cflri_buffer *to, const void *data,
                                    size_t size) {
    if (!cflri_vec_reserve(context, to, size)) return false;
    if (size) memcpy(to->at + to->n, data, size);
    to->n += size;
    return true;
}

/* With its NUL. */
static inline bool cflri_buffer_text(cflr_context *context, cflri_buffer *to, const char *text) {
    return cflri_buffer_add(context, to, text, strlen(text) + 1);
}

#endif
