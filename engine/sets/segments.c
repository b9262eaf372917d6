/* SPDX-License-Identifier: Apache-2.0
 *
 * segments.c: an array that grows without moving its elements.
 */
#include "engine/sets/segments.h"

void cflri_segments_init(cflri_segments *s, cflr_context *context, size_t element) {
    *s = (cflri_segments){.context = context, .element = element};
    pthread_mutex_init(&s->lock, NULL);
}

static uint32_t size_of(uint32_t segment) {
    return 1u << (CFLRI_SEGMENT_FIRST + (segment >> CFLRI_SEGMENTS_A_SIZE));
}

static void *block_of(const cflri_segments *s, uint32_t segment, uint64_t first) {
    return (void *)(s->zero[segment] + first * s->element);
}

uint64_t cflri_segments_bytes(const cflri_segments *s) {
    uint64_t bytes = 0, first = 0;
    if (!s->context) return 0;
    for (uint32_t i = 0; i < CFLRI_SEGMENTS && s->zero[i]; first += size_of(i++)) {
        bytes += cflri_block_bytes(block_of(s, i, first));
    }
    return bytes;
}

void cflri_segments_free(cflri_segments *s) {
    if (!s->context) return;
    uint64_t first = 0;
    for (uint32_t i = 0; i < CFLRI_SEGMENTS && s->zero[i]; first += size_of(i++)) {
        cflri_free(s->context, block_of(s, i, first));
    }
    pthread_mutex_destroy(&s->lock);
    s->context = NULL;
}

/* Called with the lock held. */
static bool add_segment(cflri_segments *s, uint32_t first) {
    uint32_t segment = cflri_segment_of(first), size = size_of(segment);
    char *made = cflri_alloc_array_zero(s->context, size, s->element);
    if (!made) return false;
    s->zero[segment] = (uintptr_t)made - first * s->element;
    uint32_t more = UINT32_MAX - first < size ? UINT32_MAX - first : size;
    atomic_store_explicit(&s->room, first + more, memory_order_release);
    return true;
}

static bool reach(cflri_segments *s, uint32_t n) {
    uint32_t room;
    while ((room = atomic_load_explicit(&s->room, memory_order_relaxed)) < n) {
        if (!add_segment(s, room)) return false;
    }
    return true;
}

bool cflri_segments_grow(cflri_segments *s, uint32_t n) {
    pthread_mutex_lock(&s->lock);
    bool reached = reach(s, n);
    pthread_mutex_unlock(&s->lock);
    return reached;
}

bool cflri_draw_more(cflri_segments *s, cflri_draw *draw, uint32_t most) {
    pthread_mutex_lock(&s->lock);
    uint32_t first = s->drawn, end = first + CFLRI_DRAWN;
    bool drawn = first <= UINT32_MAX - CFLRI_DRAWN && end <= most && reach(s, end);
    if (drawn) {
        s->drawn = end;
        *draw = (cflri_draw){first + !first, end};
    }
    pthread_mutex_unlock(&s->lock);
    return drawn;
}
