/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_carrier.h: a carrier as bad as one may be: boxes are torn apart between runs, put in another
 * order, and kept for some rounds. Every word still arrives once.
 */
#ifndef TEST_ENGINE_FAKE_CARRIER_H
#define TEST_ENGINE_FAKE_CARRIER_H

#include "engine/spine/carrier.h"
#include "tests/support/support.h"

typedef struct fake_parcel {
    cflri_box box;
    uint32_t to;
    uint32_t due; /* the round in which it arrives */
} fake_parcel;

typedef struct fake_carrier {
    cflri_box_carrier carrier;
    cflr_context *context;
    uint64_t random;
    uint32_t round;
    CFLRI_VEC(fake_parcel) parcel;
} fake_carrier;

static inline void fake_post(fake_carrier *c, uint32_t to, const uint32_t *word, size_t n) {
    fake_parcel made = {.to = to, .due = c->round + test_random_below(&c->random, 4)};
    made.box.word = cflri_alloc_array(c->context, n, sizeof *word);
    cr_assert_not_null(made.box.word);
    memcpy(made.box.word, word, n * sizeof *word);
    made.box.n = made.box.capacity = n;
    cr_assert(cflri_vec_push(c->context, &c->parcel, made));
}

static inline cflr_status fake_send(cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                                    cflr_error *error) {
    fake_carrier *c = (fake_carrier *)carrier;
    size_t first = 0;
    cflri_run run;
    (void)error;
    for (size_t at = 0; cflri_box_next(box, &at, &run);) {
        if (at < box->n && test_random_below(&c->random, 3)) continue;
        fake_post(c, to, box->word + first, at - first);
        first = at;
    }
    box->n = 0;
    return CFLR_OK;
}

/* Any of those that are due. */
static inline bool fake_receive(cflri_box_carrier *carrier, uint32_t to, cflri_box *box) {
    fake_carrier *c = (fake_carrier *)carrier;
    if (!c->parcel.n) return false;
    uint32_t first = test_random_below(&c->random, (uint32_t)c->parcel.n);
    for (size_t i = 0; i < c->parcel.n; i++) {
        fake_parcel *p = &c->parcel.at[(first + i) % c->parcel.n];
        if (p->to != to || p->due > c->round) continue;
        cflri_box_free(c->context, box);
        *box = p->box;
        *p = c->parcel.at[--c->parcel.n];
        return true;
    }
    return false;
}

static inline cflr_status fake_agree(cflri_box_carrier *carrier, cflri_totals *totals,
                                     cflr_error *error) {
    (void)totals;
    (void)error;
    ((fake_carrier *)carrier)->round++;
    return CFLR_OK;
}

static inline uint32_t fake_settle(cflri_box_carrier *carrier, int *code, void *bytes,
                                   size_t size) {
    (void)carrier;
    (void)code;
    (void)bytes;
    (void)size;
    return 0;
}

static inline void fake_carrier_init(fake_carrier *c, cflr_context *context, uint32_t slices,
                                     uint64_t seed) {
    *c = (fake_carrier){.carrier = {0, slices, fake_send, fake_receive, fake_agree, fake_settle},
                        .context = context,
                        .random = seed};
}

static inline void fake_carrier_free(fake_carrier *c) {
    for (size_t i = 0; i < c->parcel.n; i++) cflri_box_free(c->context, &c->parcel.at[i].box);
    cflri_vec_free(c->context, &c->parcel);
}

#endif
