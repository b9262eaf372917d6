/* SPDX-License-Identifier: Apache-2.0
 *
 * allowance.h: how long it may take to write what was found, after a limit or an interruption too.
 */
#ifndef CFLRI_ALLOWANCE_H
#define CFLRI_ALLOWANCE_H

#include "base/context.h"

/* The time of a partial result: one that was cut short by the end of the time, or by a
 * cancellation, is still to be written, and that must come to an end, too. */
typedef struct cflri_allowance {
    cflr_context *context;
    double end;     /* as cflri_now tells it; infinite: none */
    bool hurries;   /* a cancellation was seen */
    cflr_status st; /* CFLR_LIMIT, CFLR_CANCELLED: it is used up, and what was written is a part */
} cflri_allowance;

/* Returns the time that is left, but at least `least` seconds. If it is infinite, only a
 * cancellation ends it. */
cflri_allowance cflri_allowance_of(cflr_context *context, double least);

/* CFLR_OK, or that it is used up, which it stays. A cancellation leaves a twentieth of the time
 * that was spent, and some tenths of a second. */
cflr_status cflri_allowance_left(cflri_allowance *allowance);

#endif
