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

static cflr_status agree(cflri_box_carrier *carrier, uint64_t *sum, uint32_t n, cflr_error *error) {
    (void)carrier;
    (void)sum;
    (void)n;
    (void)error;
    return CFLR_OK; /* one end has all slices */
}

cflr_status cflri_memory_carrier_init(cflri_memory_carrier *c, cflr_context *context,
                                      uint32_t slices, cflr_error *error) {
    *c = (cflri_memory_carrier){
        .carrier = {0, slices, send, receive, agree},
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
