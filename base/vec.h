/* SPDX-License-Identifier: Apache-2.0
 *
 * vec.h: a growable array of any type, in one page of macros.
 *
 *     CFLRI_VEC(uint32_t) ids = {0};
 *     if (!cflri_vec_push(context, &ids, 7)) return cflri_fail_memory(context, error);
 *     for (size_t i = 0; i < ids.n; i++) use(ids.at[i]);
 *     cflri_vec_free(context, &ids);
 *
 * Growth doubles; from a million elements on it is by a quarter. Zero bytes are a valid empty
 * vector. Elements move when it grows.
 */
#ifndef CFLRI_VEC_H
#define CFLRI_VEC_H

#include "base/alloc.h"

#define CFLRI_VEC(type)     \
    struct {                \
        type *at;           \
        size_t n, capacity; \
    }

/* Makes room for `extra` more elements; false when memory is refused. */
#define cflri_vec_reserve(context, v, extra)                                      \
    ((v)->capacity - (v)->n >= (size_t)(extra) ||                                 \
     cflri_vec_grow((context), &(v)->at, &(v)->capacity, (v)->n, (size_t)(extra), \
                    sizeof *(v)->at))

/* Appends; false when memory is refused. */
#define cflri_vec_push(context, v, ...) \
    (cflri_vec_reserve((context), (v), 1) && ((v)->at[(v)->n++] = (__VA_ARGS__), true))

#define cflri_vec_free(context, v) \
    (cflri_free((context), (v)->at), (v)->at = NULL, (v)->n = 0, (v)->capacity = 0)

typedef CFLRI_VEC(uint32_t) cflri_numbers; /* of things of one kind */

/* `at` is the address of the pointer to the elements, of whatever type. */
bool cflri_vec_grow(cflr_context *context, void *at, size_t *capacity, size_t n, size_t extra,
                    size_t element_size);

/* Grows a block for a stream whose length is unknown: by half and by at least `least`, or by less
 * than half where memory is short, so that as much as fits is read. Without a limit, at most half
 * of the machine's memory: the stream may have no end. False when refused, and the block is as it
 * was; cflri_fail_memory tells. O(log size) calls near the limit. */
bool cflri_block_stretch(cflr_context *context, char **block, size_t *size, size_t least);

#endif
