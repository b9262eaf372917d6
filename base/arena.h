/* SPDX-License-Identifier: Apache-2.0
 *
 * arena.h: memory of one phase, freed at once.
 *
 *     [chunk: next | ....used....^ ....free.... ]  ->  [chunk]  ->  NULL
 *
 * Allocation bumps a pointer; a chunk doubles in size up to a bound. Blocks are aligned to 8
 * bytes, copied texts are not and lie back to back. An arena belongs to one thread.
 */
#ifndef CFLRI_ARENA_H
#define CFLRI_ARENA_H

#include "base/alloc.h"

typedef struct cflri_arena {
    cflr_context *context;
    struct cflri_chunk *chunk; /* the one that is being filled */
    char *free, *end;
    size_t next_size;
} cflri_arena;

void cflri_arena_init(cflri_arena *arena, cflr_context *context);
/* NULL when memory is refused. Not zeroed. */
void *cflri_arena_alloc(cflri_arena *arena, size_t size);
void *cflri_arena_alloc_zero(cflri_arena *arena, size_t size);
char *cflri_arena_copy_text(cflri_arena *arena, const char *text, size_t length);
/* Bytes of its chunks. O(chunks). */
uint64_t cflri_arena_bytes(const cflri_arena *arena);
/* Frees every block; the arena may be used again. */
void cflri_arena_reset(cflri_arena *arena);

#endif
