/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc.h: the one door to memory. Every byte is counted against the context's limit.
 *
 * A block carries its size in front, so freeing needs no size and the count is exact. The functions
 * may be called from any thread. They return NULL when the system or the limit refuses; the caller
 * turns that into a status with cflri_fail_memory. Size 0 gives a block that may be freed.
 */
#ifndef CFLRI_ALLOC_H
#define CFLRI_ALLOC_H

#include "base/error.h"

void *cflri_alloc(cflr_context *context, size_t size);
void *cflri_alloc_zero(cflr_context *context, size_t size);
/* Array forms: NULL also when count * size overflows. */
void *cflri_alloc_array(cflr_context *context, size_t count, size_t size);
void *cflri_alloc_array_zero(cflr_context *context, size_t count, size_t size);
/* block may be NULL; on failure it is untouched. */
void *cflri_realloc(cflr_context *context, void *block, size_t size);
void cflri_free(cflr_context *context, void *block);

/* Bytes that the context counts for a block; 0 for NULL. */
size_t cflri_block_bytes(const void *block);

/* Hands pages of freed blocks back to the system, as far as the default allocator can: after a
 * phase that freed much between blocks that stay, and before one that asks for much. O(heap). */
void cflri_return_pages(const cflr_context *context);

/* Counts memory that a driver takes of the machine, and no block has; false when the limit refuses.
 * The caller gives up all bytes that it has claimed. */
bool cflri_claim(cflr_context *context, uint64_t bytes);
void cflri_unclaim(cflr_context *context, uint64_t bytes);

/* Copies; length excludes the NUL that is added. */
char *cflri_copy_text(cflr_context *context, const char *text, size_t length);

#endif
