/* SPDX-License-Identifier: Apache-2.0
 *
 * segments.h: an array that grows without moving its elements, for several threads.
 *
 *     element:   0 ... 511 | 512 ... 1023 | ... | 4096 ... 5119 | 5120 ... | ...
 *     segment:   0           1                    8               9
 *                eight of a size, then eight of twice that size, and so on
 *
 * So a few shifts find an element, and at most an eighth of the memory is allocated before it is
 * used. Elements begin as zero bytes.
 *
 * Reading takes no lock: a thread that gets an element's number from another thread in a way that
 * orders memory (a lock, an atomic, a barrier) sees its segment too.
 */
#ifndef CFLRI_SEGMENTS_H
#define CFLRI_SEGMENTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/crew.h"

enum {
    CFLRI_SEGMENT_FIRST = 9, /* the first segments have 2^this elements */
    CFLRI_SEGMENTS_A_SIZE = 3,
    CFLRI_SEGMENTS = (32 - CFLRI_SEGMENT_FIRST - CFLRI_SEGMENTS_A_SIZE + 1)
                     << CFLRI_SEGMENTS_A_SIZE,
    CFLRI_DRAWN = 128, /* numbers that a thread draws at once; divides every segment */
};

typedef struct cflri_segments {
    cflr_context *context;
    size_t element; /* bytes of an element */
    /* For each segment, the address that element 0 would have in it; 0: missing. */
    uintptr_t zero[CFLRI_SEGMENTS];
    _Atomic uint32_t room; /* number of elements that exist */
    char apart[CFLRI_APART];
    uint32_t drawn;       /* numbers below this were drawn */
    pthread_mutex_t lock; /* protects changes of `zero`, `room` and `drawn` */
    char apart_too[CFLRI_APART];
} cflri_segments;

void cflri_segments_init(cflri_segments *segments, cflr_context *context, size_t element);
void cflri_segments_free(cflri_segments *segments);

/* Bytes of the segments that exist. */
uint64_t cflri_segments_bytes(const cflri_segments *segments);

bool cflri_segments_grow(cflri_segments *segments, uint32_t n);

/* Makes sure that n elements exist. False when memory is refused. */
static inline bool cflri_segments_reach(cflri_segments *segments, uint32_t n) {
    return n <= atomic_load_explicit(&segments->room, memory_order_acquire) ||
           cflri_segments_grow(segments, n);
}

/* Returns the segment of an element. */
static inline uint32_t cflri_segment_of(uint32_t i) {
    enum { BEGIN = CFLRI_SEGMENT_FIRST + CFLRI_SEGMENTS_A_SIZE };
    uint64_t place = (uint64_t)i + (1u << BEGIN);
    uint32_t bit = 63 - (uint32_t)__builtin_clzll(place), low = bit - CFLRI_SEGMENTS_A_SIZE;
    return ((bit - BEGIN - 1) << CFLRI_SEGMENTS_A_SIZE) + (uint32_t)(place >> low);
}

/* `element` is the size that was passed to init; a constant makes the call cheap. */
static inline void *cflri_segments_at(const cflri_segments *segments, size_t element, uint32_t i) {
    return (void *)(segments->zero[cflri_segment_of(i)] + i * element);
}

#define cflri_segment_at(segments, type, i) \
    ((type *)cflri_segments_at((segments), sizeof(type), (i)))

/* Numbers that one thread has drawn and not used. Zero bytes: none. */
typedef struct cflri_draw {
    uint32_t next, end;
} cflri_draw;

/* Draws numbers below `most`. False when no number is left or memory is refused. */
bool cflri_draw_more(cflri_segments *segments, cflri_draw *draw, uint32_t most);

/* Returns a number that no thread had before, and whose element exists; never 0. False as above. */
static inline bool cflri_draw_number(cflri_segments *segments, cflri_draw *draw, uint32_t most,
                                     uint32_t *number) {
    if (draw->next == draw->end && !cflri_draw_more(segments, draw, most)) return false;
    *number = draw->next++;
    return true;
}

#endif
