/* SPDX-License-Identifier: Apache-2.0
 *
 * carrier.c: how all ends of a carrier fail together.
 */
#include "engine/spine/carrier.h"

#include <assert.h>

cflr_status cflri_carrier_settle(cflri_box_carrier *carrier, cflr_status st, cflr_error *error) {
    int code = (int)st;
    cflr_error unheard;
    if (!error) error = &unheard;
    uint32_t end = carrier->settle(carrier, &code, error, sizeof *error);
    if (end) {
        cflri_fail_at(error, (cflr_status)code, error->subject, error->line, error->column,
                      "rank %u: %s", end, error->message);
    }
    return (cflr_status)code;
}

cflr_status cflri_carrier_agree(cflri_box_carrier *carrier, cflri_totals *totals, cflr_status st,
                                cflr_error *error) {
    totals->failed = st != CFLR_OK;
    cflr_status own = carrier->agree(carrier, totals, error);
    assert(own == CFLR_OK || totals->failed);
    if (st == CFLR_OK) st = own;
    return totals->failed ? cflri_carrier_settle(carrier, st, error) : CFLR_OK;
}
