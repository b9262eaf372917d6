/* SPDX-License-Identifier: Apache-2.0
 *
 * hall.h: a carrier between threads, each of which is an end with a context of its own. It is as
 * bad as a carrier may be: boxes are torn apart between runs, joined to others, put in another
 * order, and kept for some meetings.
 *
 *     end 0  --\                              /--  end 2
 *     end 1  ---  hall: parcels, a meeting  ---    end 3       one lock for all
 */
#ifndef CFLRI_STRESS_HALL_H
#define CFLRI_STRESS_HALL_H

#include <pthread.h>
#include <string.h>

#include "base/context.h"
#include "engine/spine/carrier.h"
#include "tests/stress/need.h"

enum { HALL_BYTES = 1024 };

typedef struct hall_parcel {
    uint32_t *word; /* of malloc */
    size_t n;
    uint32_t to;
    uint64_t due; /* the meeting after which it arrives */
} hall_parcel;

typedef struct hall {
    pthread_mutex_t lock;
    pthread_cond_t all_came;
    uint32_t ends, came;
    uint64_t meeting; /* how many are over */
    cflri_totals sum, total;
    uint32_t speaker; /* the first end with a code; `ends`: none */
    int said, heard;  /* its code: of this meeting, of the last one */
    char bytes[2][HALL_BYTES];
    uint32_t last_speaker;
    uint64_t random;
    hall_parcel *parcel;
    size_t n, capacity;
} hall;

typedef struct hall_end {
    cflri_box_carrier carrier;
    hall *hall;
    uint32_t self;
    cflr_context *context;
    bool short_of_memory;
} hall_end;

static inline uint32_t hall_roll(hall *h, uint32_t bound) {
    h->random = h->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((h->random >> 33) % bound);
}

static inline void hall_init(hall *h, uint32_t ends, uint64_t seed) {
    *h = (hall){.ends = ends, .speaker = ends, .random = seed};
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->all_came, NULL);
}

static inline void hall_drop(hall *h) {
    for (size_t i = 0; i < h->n; i++) free(h->parcel[i].word);
    h->n = 0;
}

static inline void hall_free(hall *h) {
    hall_drop(h);
    free(h->parcel);
    pthread_cond_destroy(&h->all_came);
    pthread_mutex_destroy(&h->lock);
}

/* Waits for all ends, with the lock. The last one ends the meeting. */
static inline void hall_meet(hall *h) {
    uint64_t meeting = h->meeting;
    if (++h->came == h->ends) {
        h->came = 0;
        h->meeting++;
        h->total = h->sum;
        h->sum = (cflri_totals){0};
        h->last_speaker = h->speaker;
        h->heard = h->said;
        memcpy(h->bytes[1], h->bytes[0], HALL_BYTES);
        h->speaker = h->ends;
        h->said = 0;
        if (h->total.failed) hall_drop(h);
        pthread_cond_broadcast(&h->all_came);
    }
    while (h->meeting == meeting) pthread_cond_wait(&h->all_came, &h->lock);
}

/* Joins the words to the last parcel, if that goes to the same slice. */
static inline bool hall_join(hall *h, uint32_t to, const uint32_t *word, size_t n) {
    hall_parcel *last = h->n ? &h->parcel[h->n - 1] : NULL;
    if (!last || last->to != to || hall_roll(h, 3)) return false;
    last->word = realloc(last->word, (last->n + n) * sizeof *word);
    NEED(last->word, "out of memory");
    memcpy(last->word + last->n, word, n * sizeof *word);
    last->n += n;
    return true;
}

static inline void hall_post(hall *h, uint32_t to, const uint32_t *word, size_t n) {
    if (hall_join(h, to, word, n)) return;
    if (h->n == h->capacity) {
        h->capacity = h->capacity ? 2 * h->capacity : 64;
        h->parcel = realloc(h->parcel, h->capacity * sizeof *h->parcel);
        NEED(h->parcel, "out of memory");
    }
    hall_parcel made = {malloc(n * sizeof *word), n, to, h->meeting + hall_roll(h, 3)};
    NEED(made.word, "out of memory");
    memcpy(made.word, word, n * sizeof *word);
    h->parcel[h->n++] = made;
}

static inline cflr_status hall_send(cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                                    cflr_error *error) {
    hall *h = ((hall_end *)carrier)->hall;
    size_t first = 0;
    cflri_run run;
    (void)error;
    pthread_mutex_lock(&h->lock);
    for (size_t at = 0; cflri_box_next(box, &at, &run);) {
        if (at < box->n && hall_roll(h, 3)) continue;
        hall_post(h, to, box->word + first, at - first);
        first = at;
    }
    pthread_mutex_unlock(&h->lock);
    box->n = 0;
    return CFLR_OK;
}

/* A box in the memory of the end. */
static inline bool hall_unpack(hall_end *e, const hall_parcel *parcel, cflri_box *box) {
    uint32_t *word = cflri_alloc_array(e->context, parcel->n, sizeof *word);
    e->short_of_memory = !word;
    if (!word) return false;
    memcpy(word, parcel->word, parcel->n * sizeof *word);
    cflri_box_free(e->context, box);
    *box = (cflri_box){.word = word, .n = parcel->n, .capacity = parcel->n};
    return true;
}

static inline bool hall_receive(cflri_box_carrier *carrier, uint32_t to, cflri_box *box) {
    hall_end *e = (hall_end *)carrier;
    hall *h = e->hall;
    bool received = false;
    if (e->short_of_memory) return false;
    pthread_mutex_lock(&h->lock);
    size_t first = h->n ? hall_roll(h, (uint32_t)h->n) : 0;
    for (size_t i = 0; i < h->n && !received && !e->short_of_memory; i++) {
        hall_parcel *p = &h->parcel[(first + i) % h->n];
        if (p->to != to || p->due > h->meeting || !hall_unpack(e, p, box)) continue;
        free(p->word);
        *p = h->parcel[--h->n];
        received = true;
    }
    pthread_mutex_unlock(&h->lock);
    return received;
}

static inline cflr_status hall_agree(cflri_box_carrier *carrier, cflri_totals *totals,
                                     cflr_error *error) {
    hall_end *e = (hall_end *)carrier;
    hall *h = e->hall;
    cflr_status st = e->short_of_memory ? cflri_fail_memory(e->context, error) : CFLR_OK;
    e->short_of_memory = false;
    pthread_mutex_lock(&h->lock);
    h->sum.sent += totals->sent;
    h->sum.taken += totals->taken;
    h->sum.going += totals->going;
    h->sum.cancelled += totals->cancelled;
    h->sum.failed += totals->failed || st != CFLR_OK;
    hall_meet(h);
    *totals = h->total;
    pthread_mutex_unlock(&h->lock);
    return st;
}

static inline uint32_t hall_settle(cflri_box_carrier *carrier, int *code, void *bytes,
                                   size_t size) {
    hall_end *e = (hall_end *)carrier;
    hall *h = e->hall;
    NEED(size <= HALL_BYTES, "more bytes than a hall keeps");
    pthread_mutex_lock(&h->lock);
    if (*code && e->self < h->speaker) {
        h->speaker = e->self;
        h->said = *code;
        memcpy(h->bytes[0], bytes, size);
    }
    hall_meet(h);
    uint32_t speaker = h->last_speaker;
    *code = h->heard;
    if (speaker < h->ends) memcpy(bytes, h->bytes[1], size);
    pthread_mutex_unlock(&h->lock);
    return speaker < h->ends ? speaker : 0;
}

static inline void hall_enter(hall *h, hall_end *e, cflr_context *context, uint32_t self,
                              uint32_t each) {
    *e =
        (hall_end){.carrier = {self * each, each, hall_send, hall_receive, hall_agree, hall_settle},
                   .hall = h,
                   .self = self,
                   .context = context};
}

#endif
