/* SPDX-License-Identifier: Apache-2.0
 *
 * blocks.c: sequences of bytes by content: one array of bytes, and a hash table with open
 * addressing that is at most half full.
 */
#include "cli/report/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

void *take_room(size_t n, size_t size) {
    void *room = calloc(n ? n : 1, size);
    if (!room) exit(fail_memory());
    return room;
}

void *blocks_at(const blocks *b, uint32_t i, size_t *n) {
    size_t begin = i ? b->end[i - 1] : 0;
    *n = b->end[i] - begin;
    return b->bytes + begin;
}

static uint64_t hash_of(const unsigned char *bytes, size_t n) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a, and then its high bits into the low ones */
    for (size_t i = 0; i < n; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash ^ (hash >> 32);
}

/* The slot of the block, or the free one where it would be. */
static uint32_t *find_slot(const blocks *b, const unsigned char *bytes, size_t n) {
    for (size_t at = hash_of(bytes, n);; at++) {
        uint32_t *slot = &b->slot[at & (b->n_slots - 1)];
        size_t length;
        if (!*slot) return slot;
        const void *block = blocks_at(b, *slot - 1, &length);
        if (length == n && (!n || memcmp(block, bytes, n) == 0)) return slot;
    }
}

static void enlarge_table(blocks *b) {
    free(b->slot);
    b->n_slots = b->n_slots ? 2 * b->n_slots : 64;
    b->slot = take_room(b->n_slots, sizeof *b->slot);
    for (uint32_t i = 0; i < b->n; i++) {
        size_t n;
        const void *block = blocks_at(b, i, &n);
        *find_slot(b, block, n) = i + 1;
    }
}

static void append(blocks *b, const void *bytes, size_t n) {
    if (b->n_bytes + n > b->bytes_room) {
        size_t room = 2 * (b->n_bytes + n);
        unsigned char *grown = realloc(b->bytes, room);
        if (!grown) exit(fail_memory());
        b->bytes = grown;
        b->bytes_room = room;
    }
    if (!make_room(&b->end, &b->ends_room, b->n, sizeof *b->end)) exit(fail_memory());
    if (n) memcpy(b->bytes + b->n_bytes, bytes, n);
    b->n_bytes += n;
    b->end[b->n++] = b->n_bytes;
}

uint32_t blocks_add(blocks *b, const void *bytes, size_t n) {
    if (2 * ((size_t)b->n + 1) > b->n_slots) enlarge_table(b);
    uint32_t *slot = find_slot(b, bytes, n);
    if (!*slot) {
        append(b, bytes, n);
        *slot = b->n;
    }
    return *slot - 1;
}

void blocks_free(blocks *b) {
    free(b->bytes);
    free(b->end);
    free(b->slot);
    *b = (blocks){0};
}
