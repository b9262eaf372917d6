/* SPDX-License-Identifier: Apache-2.0
 *
 * memory_carrier.c: moves boxes between slices of one process.
 */
#include "base/context.h"
#include "engine/spine/carrier.h"

static cflr_status send(cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                        cflr_error *error) {
    cflri_memory_carrier *c = (cflri_memory_carrier *)carrier;
    if (!cflri_vec_push(c->context, &c->waiting[to], *box)) {
        return cflri_fail_memory(c->context, error);
    }
    *box = (cflri_box){0};
    return CFLR_OK;
}

static bool receive(cflri_box_carrier *carrier, uint32_t to, cflri_box *box) {
    cflri_memory_carrier *c = (cflri_memory_carrier *)carrier;
    cflri_boxes *waiting = &c->waiting[to];
    if (!waiting->n) return false;
    cflri_box_free(c->context, box);
    *box = waiting->at[--waiting->n];
    return true;
}

/* One end has all slices: totals are its own. */
static cflr_status agree(cflri_box_carrier *carrier, cflri_totals *totals, cflr_error *error) {
    (void)carrier;
    (void)totals;
    (void)error;
    return CFLR_OK;
}

static uint32_t settle(cflri_box_carrier *carrier, int *code, void *bytes, size_t size) {
    (void)carrier;
    (void)code;
    (void)bytes;
    (void)size;
    return 0;
}

cflr_status cflri_memory_carrier_init(cflri_memory_carrier *c, cflr_context *context,
                                      uint32_t slices, cflr_error *error) {
    *c = (cflri_memory_carrier){
        .carrier = {0, slices, send, receive, agree, settle},
        .context = context,
        .waiting = cflri_alloc_array_zero(context, slices, sizeof *c->waiting),
    };
    return c->waiting ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_memory_carrier_free(cflri_memory_carrier *c) {
    for (uint32_t s = 0; c->waiting && s < c->carrier.n; s++) {
        cflri_boxes_free(c->context, &c->waiting[s]);
    }
    cflri_free(c->context, c->waiting);
    c->waiting = NULL;
}
