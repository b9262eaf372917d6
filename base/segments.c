/* SPDX-License-Identifier: Apache-2.0
 *
 * segments.c: an array that grows and whose elements stay where they are.
 */
#include "base/segments.h"

void cflri_segments_init(cflri_segments *s, cflr_context *context, size_t element) {
    *s = (cflri_segments){.context = context, .element = element};
    pthread_mutex_init(&s->lock, NULL);
}

void cflri_segments_free(cflri_segments *s) {
    if (!s->context) return;
    for (uint32_t i = 0; i < CFLRI_SEGMENTS; i++) cflri_free(s->context, s->at[i]);
    pthread_mutex_destroy(&s->lock);
    s->context = NULL;
}

static uint32_t size_of(uint32_t segment) {
    return 1u << (CFLRI_SEGMENT_FIRST + (segment >> CFLRI_SEGMENTS_A_SIZE));
}

/* The next segment is the first that is missing. With the lock. */
static bool add_segment(cflri_segments *s, uint32_t segment) {
    char *made = cflri_alloc_array_zero(s->context, size_of(segment), s->element);
    if (!made) return false;
    s->at[segment] = made;
    cflri_hint_large_pages(s->context, made, size_of(segment) * s->element);
    uint32_t room = atomic_load_explicit(&s->room, memory_order_relaxed);
    uint32_t more = UINT32_MAX - room < size_of(segment) ? UINT32_MAX - room : size_of(segment);
    atomic_store_explicit(&s->room, room + more, memory_order_release);
    return true;
}

static bool reach(cflri_segments *s, uint32_t n) {
    for (uint32_t i = 0; atomic_load_explicit(&s->room, memory_order_relaxed) < n; i++) {
        if (!s->at[i] && !add_segment(s, i)) return false;
    }
    return true;
}

bool cflri_segments_reach(cflri_segments *s, uint32_t n) {
    if (n <= atomic_load_explicit(&s->room, memory_order_acquire)) return true;
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
