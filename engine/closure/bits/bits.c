/* SPDX-License-Identifier: Apache-2.0
 *
 * bits.c: the place where a device closes a slice, with rows as bits.
 *
 *     plan -- system.h --> rules between bit matrices -- the device --> rows as bits
 *          -- packed on the device --> rows of ids or of blocks of bits -- collect.h --> relations
 *
 * The device has all rows from the beginning to the end; the host has the rules. There is one slice
 * so far, which has nothing to send.
 */
#include "engine/closure/bits/bits.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/bits/apart.h"
#include "engine/closure/bits/collect.h"
#include "engine/closure/bits/system.h"
#include "engine/spine/driver.h"

struct cflri_opened {
    const cflri_spine_plan *plan;
    cflri_bit_system system;
    const cflri_bit_device *device;
    void *state; /* of the device */
    uint32_t stratum;
    uint32_t stage;  /* stages before it are closed */
    cflr_status end; /* CFLR_OK, or why the slice has ended */
    cflr_error *error;
};

static void free_opened(cflri_opened *o) {
    if (o->state) o->device->free(o->state);
    cflri_bit_system_free(&o->system);
    cflri_free(o->plan->context, o);
}

static cflr_status open_slice(const cflri_spine_plan *plan, cflri_slice slice,
                              cflri_opened **opened, cflr_error *error) {
    cflri_bits_on *on = plan->reduced.problem.on;
    cflr_status st = CFLR_OK;
    cflri_opened *o = *opened = cflri_alloc_zero(plan->context, sizeof *o);
    (void)slice;
    if (!o) return cflri_fail_memory(plan->context, error);
    *o = (cflri_opened){.plan = plan, .device = on->device, .error = error};
    if (on->apart) {
        o->device = &cflri_bit_device_apart;
        o->state = on->apart;
    }
    CFLR_TRY(cflri_bit_system_make(plan, &o->system, error));
    CFLR_TRY(
        o->device->open(&o->system, &on->options, &cflri_bit_device_services, &o->state, error));
out:
    return st;
}

static void load(cflri_opened *o, cflri_shelf *shelf, cflri_rows_from origin, uint32_t stratum) {
    (void)o, (void)shelf, (void)origin, (void)stratum;
    assert(!"one slice is never away");
}

static void begin(cflri_opened *o, cflri_shelf *shelf, cflri_rows_from origin, uint32_t stratum) {
    (void)shelf, (void)origin;
    o->stratum = stratum;
}

static void take(cflri_opened *o, cflri_box *box) {
    (void)o, (void)box;
    assert(!"there is no other slice that could send");
}

/* A device cannot tell what the limit is. */
static void close_until(cflri_opened *o, uint32_t end) {
    for (; o->end == CFLR_OK && o->stage < end; o->stage += o->end == CFLR_OK) {
        o->end = o->device->close(o->state, o->stage, o->error);
        if (o->end == CFLR_LIMIT || o->end == CFLR_CANCELLED)
            cflri_fail_interrupted(o->plan->context, o->end, o->error);
    }
}

/* Stages before that of the stratum have all that it reads. */
static bool close_slice(cflri_opened *o, double until) {
    (void)until;
    close_until(o, o->system.stage_of[o->stratum] + 1);
    return true;
}

static bool give(cflri_opened *o, uint32_t to, cflri_box *box) {
    (void)o, (void)to, (void)box;
    return false;
}

/* The last stage is of no stratum: it has relations that are turned. */
static void finish(cflri_opened *o) {
    bool last = o->stratum + 1 == o->plan->equations->stratum.n;
    if (last) close_until(o, o->system.n_stages);
}

static cflr_status ended(const cflri_opened *o) {
    return o->end;
}

static cflr_status store(cflri_opened *o, cflri_shelf *shelf, uint32_t stratum, cflr_error *error) {
    (void)o, (void)shelf, (void)stratum;
    return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "a device keeps no checkpoints");
}

void cflri_bits_tell(cflr_context *context, const cflri_closure *closure) {
    const cflr_result_device *d = &closure->device.of;
    cflri_log(context, CFLR_LOG_INFO,
              "%s: prepared in %.3f s, closed in %.3f s and %" PRIu64
              " rounds, fetched in %.3f s; %" PRIu64 " MB of it and %" PRIu64
              " MB of the host, %" PRIu64 " MB copied",
              closure->device.name, d->seconds_prepare, d->seconds_close, closure->rounds,
              d->seconds_fetch, d->memory >> 20, d->host_memory >> 20, d->copied >> 20);
}

_Static_assert(sizeof((cflri_bit_stats *)NULL)->name == CFLRI_DEVICE_NAME, "they are copied");

static cflr_status collect(cflri_opened *o, cflri_closure *closure) {
    cflri_bits_collecting how = {o->plan, &o->system, o->device, o->state};
    cflr_status st = cflri_bits_collect(&how, o->end, closure, o->error);
    cflri_bit_stats s;
    o->device->stats(o->state, &s);
    closure->rounds = s.rounds;
    closure->device.of = (cflr_result_device){.device = CFLR_DEVICE_GPU,
                                              .memory = s.memory,
                                              .host_memory = s.host_memory,
                                              .copied = s.copied,
                                              .seconds_prepare = s.prepared,
                                              .seconds_close = s.closed,
                                              .seconds_fetch = s.fetched};
    memcpy(closure->device.name, s.name, sizeof closure->device.name);
    cflri_bits_tell(o->plan->context, closure);
    return st;
}

static const cflri_place place = {
    open_slice, free_opened, load, begin, take, close_slice, give, finish, ended, store, collect,
};

cflr_status cflri_solve_bits(const cflri_problem *problem, cflri_closure *closure,
                             cflr_error *error) {
    cflri_spine alone = {.place = &place, .slices = 1, .grain = 1, .alone = true};
    return cflri_spine_solve(&alone, problem, closure, error);
}
