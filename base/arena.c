/* SPDX-License-Identifier: Apache-2.0
 *
 * arena.c: bump allocation in chunks.
 */
#include "base/arena.h"

#include <string.h>

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 24, ALIGNMENT = 8 };

struct cflri_chunk {
    struct cflri_chunk *next;
};

_Static_assert(sizeof(struct cflri_chunk) % ALIGNMENT == 0, "payload must start aligned");

void cflri_arena_init(cflri_arena *arena, cflr_context *context) {
    *arena = (cflri_arena){.context = context, .next_size = FIRST_CHUNK};
}

/* A smaller chunk will do when memory is short. */
static bool add_chunk(cflri_arena *arena, size_t size) {
    size_t payload = arena->next_size > size ? arena->next_size : size;
    struct cflri_chunk *chunk;
    while (!(chunk = cflri_alloc(arena->context, sizeof *chunk + payload)) && payload > size) {
        payload = payload / 2 > size ? payload / 2 : size;
    }
    if (!chunk) return false;
    chunk->next = arena->chunk;
    arena->chunk = chunk;
    arena->free = (char *)(chunk + 1);
    arena->end = arena->free + payload;
    if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
    return true;
}

/* `size` bytes that start at a multiple of `alignment`. */
static void *bump(cflri_arena *arena, size_t size, size_t alignment) {
    if (size > SIZE_MAX / 2) return NULL;
    size_t skip = (size_t)(-(uintptr_t)arena->free & (alignment - 1));
    size_t left = arena->chunk ? (size_t)(arena->end - arena->free) : 0;
    if (!arena->chunk || left < skip || left - skip < size) {
        if (!add_chunk(arena, size)) return NULL;
        skip = 0;
    }
    char *block = arena->free + skip;
    arena->free = block + size;
    return block;
}

void *cflri_arena_alloc(cflri_arena *arena, size_t size) {
    return bump(arena, size, ALIGNMENT);
}

void *cflri_arena_alloc_zero(cflri_arena *arena, size_t size) {
    void *block = cflri_arena_alloc(arena, size);
    if (block) memset(block, 0, size);
    return block;
}

char *cflri_arena_copy_text(cflri_arena *arena, const char *text, size_t length) {
    char *copy = bump(arena, length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

uint64_t cflri_arena_bytes(const cflri_arena *arena) {
    uint64_t bytes = 0;
    for (const struct cflri_chunk *chunk = arena->chunk; chunk; chunk = chunk->next) {
        bytes += cflri_block_bytes(chunk);
    }
    return bytes;
}

void cflri_arena_reset(cflri_arena *arena) {
    for (struct cflri_chunk *chunk = arena->chunk; chunk;) {
        struct cflri_chunk *next = chunk->next;
        cflri_free(arena->context, chunk);
        chunk = next;
    }
    cflri_arena_init(arena, arena->context);
}
