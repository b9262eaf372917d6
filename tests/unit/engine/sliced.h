/* SPDX-License-Identifier: Apache-2.0
 *
 * sliced.h: solving in slices, in every way that they can be closed.
 */
#ifndef TEST_ENGINE_SLICED_H
#define TEST_ENGINE_SLICED_H

#include "engine/closure/batch/batch.h"
#include "engine/spine/driver.h"
#include "fake_carrier.h"
#include "memory_shelf.h"
#include "support.h"

typedef struct slicing {
    uint32_t slices, grain;
    bool parks;          /* every slice goes to a shelf after each visit */
    uint64_t fake;       /* seed of the fake carrier; 0: by memory */
    memory_shelf *shelf; /* NULL: a new one, if the slices go to one */
} slicing;

/* As world_solve, by the batch model. Returns what was carried. */
static inline cflri_traffic world_solve_sliced(world *w, slicing how) {
    cflr_error error;
    cflri_memory_carrier memory;
    fake_carrier fake;
    memory_shelf own = memory_shelf_of();
    cflri_spine spine = {.place = &cflri_batch_place, .slices = how.slices, .grain = how.grain};
    if (how.parks) spine.shelf = &own.shelf;
    if (how.shelf) spine.shelf = &how.shelf->shelf;
    MUST(cflri_memory_carrier_init(&memory, w->context, how.slices, &error));
    fake_carrier_init(&fake, w->context, how.slices, how.fake);
    spine.carrier = how.fake ? &fake.carrier : &memory.carrier;
    w->context->spine = &spine;
    world_solve(w, CFLR_MODEL_BATCH);
    w->context->spine = NULL;
    cr_assert_eq(fake.parcel.n, 0, "words are still under way");
    fake_carrier_free(&fake);
    cflri_memory_carrier_free(&memory);
    memory_shelf_free(&own);
    return spine.traffic;
}

#endif
