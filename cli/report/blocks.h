/* SPDX-License-Identifier: Apache-2.0
 *
 * blocks.h: sequences of bytes, each kept once and known by a number: texts, and sets of objects.
 *
 * Where memory is refused the program ends, after a message.
 */
#ifndef CFLR_CLI_REPORT_BLOCKS_H
#define CFLR_CLI_REPORT_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct blocks {
    unsigned char *bytes;
    size_t *end; /* of block i in `bytes`; it begins where block i - 1 ends */
    size_t n_bytes, bytes_room, ends_room;
    uint32_t n;
    uint32_t *slot; /* of a hash table: 1 + number, 0: free */
    size_t n_slots; /* a power of two */
} blocks;

/* The number of the block with these bytes, which is made if there is none. O(bytes). */
uint32_t blocks_add(blocks *b, const void *bytes, size_t n);
/* Block i, until the next one is added. */
void *blocks_at(const blocks *b, uint32_t i, size_t *n);
void blocks_free(blocks *b);

/* n zeroed elements of so many bytes. */
void *take_room(size_t n, size_t size);

#endif
