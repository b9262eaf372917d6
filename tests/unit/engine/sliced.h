/* SPDX-License-Identifier: Apache-2.0
 *
 * sliced.h: solving in slices, in every way that they can be closed.
 */
#ifndef TEST_ENGINE_SLICED_H
#define TEST_ENGINE_SLICED_H

#include "engine/closure/batch/batch.h"
#include "engine/spine/driver.h"
#include "fake_carrier.h"
#include "support.h"

/* ---- a place that keeps nothing from stratum to stratum ---- */

/* Every slice is stored, freed, opened and loaded again before each stratum. */
typedef struct parked {
    const cflri_spine_plan *plan;
    cflri_slice slice;
    cflri_opened *opened;
} parked;

static inline parked *parked_of(const cflri_opened *opened) {
    return (parked *)(uintptr_t)opened;
}

static inline cflr_status parked_open(const cflri_spine_plan *plan, cflri_slice slice,
                                      cflri_opened **opened, cflr_error *error) {
    parked *p = calloc(1, sizeof *p);
    cr_assert_not_null(p);
    *p = (parked){plan, slice, NULL};
    *opened = (cflri_opened *)p;
    return cflri_batch_place.open(plan, slice, &p->opened, error);
}

static inline void parked_free(cflri_opened *opened) {
    if (parked_of(opened)->opened) cflri_batch_place.free(parked_of(opened)->opened);
    free(parked_of(opened));
}

static inline void park(parked *p) {
    cflri_exchange paper;
    cflri_box box = {0};
    cflr_error error;
    MUST(cflri_exchange_init(&paper, p->plan->context, 1, 1, &error));
    cr_assert(cflri_batch_place.store(p->opened, &paper, 0, 0));
    cflri_batch_place.free(p->opened);
    cflri_exchange_take(&paper, 0, 0, &box);
    MUST(cflri_batch_place.open(p->plan, p->slice, &p->opened, &error));
    cr_assert(cflri_batch_place.load(p->opened, &box));
    cflri_box_free(p->plan->context, &box);
    cflri_exchange_free(&paper);
}

static inline void parked_begin(cflri_opened *opened, uint32_t stratum) {
    park(parked_of(opened));
    cflri_batch_place.begin(parked_of(opened)->opened, stratum);
}

static inline void parked_take(cflri_opened *opened, cflri_box *box) {
    cflri_batch_place.take(parked_of(opened)->opened, box);
}

static inline void parked_close(cflri_opened *opened) {
    cflri_batch_place.close(parked_of(opened)->opened);
}

static inline bool parked_give(cflri_opened *opened, uint32_t to, cflri_box *box) {
    return cflri_batch_place.give(parked_of(opened)->opened, to, box);
}

static inline void parked_finish(cflri_opened *opened) {
    cflri_batch_place.finish(parked_of(opened)->opened);
}

static inline cflr_status parked_ended(const cflri_opened *opened) {
    return cflri_batch_place.ended(parked_of(opened)->opened);
}

static inline cflr_status parked_collect(cflri_opened *opened, cflri_closure *closure) {
    return cflri_batch_place.collect(parked_of(opened)->opened, closure);
}

static const cflri_place parked_place = {
    parked_open,   parked_free,  parked_begin, parked_take, parked_close,   parked_give,
    parked_finish, parked_ended, NULL,         NULL,        parked_collect,
};

/* ---- solving ---- */

typedef struct slicing {
    uint32_t slices, grain;
    bool parks;
    uint64_t fake; /* seed of the fake carrier; 0: by memory */
} slicing;

/* As world_solve, by the batch model. Returns what was carried. */
static inline cflri_traffic world_solve_sliced(world *w, slicing how) {
    cflr_error error;
    cflri_memory_carrier memory;
    fake_carrier fake;
    cflri_spine spine = {.place = how.parks ? &parked_place : &cflri_batch_place,
                         .slices = how.slices,
                         .grain = how.grain};
    MUST(cflri_memory_carrier_init(&memory, w->context, how.slices, &error));
    fake_carrier_init(&fake, w->context, how.slices, how.fake);
    spine.carrier = how.fake ? &fake.carrier : &memory.carrier;
    w->context->spine = &spine;
    world_solve(w, CFLR_MODEL_BATCH);
    w->context->spine = NULL;
    cr_assert_eq(fake.parcel.n, 0, "words are still under way");
    fake_carrier_free(&fake);
    cflri_memory_carrier_free(&memory);
    return spine.traffic;
}

#endif
