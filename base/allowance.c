/* SPDX-License-Identifier: Apache-2.0
 *
 * allowance.c: how long it may take to write what was found.
 *
 *     limit of time     ----- solving -----|-- writing --|     the end is known from the beginning
 *     a cancellation    ----- solving --x--|                   the end comes near when it is seen
 */
#include "base/allowance.h"

#include <math.h>

static const double grace_seconds = 0.25, grace_part = 0.05;

cflri_allowance cflri_allowance_of(cflr_context *context, double least) {
    const double end = cflri_clock_end(context), soonest = cflri_now() + least;
    return (cflri_allowance){context, end > soonest ? end : soonest, false, CFLR_OK};
}

cflr_status cflri_allowance_left(cflri_allowance *allowance) {
    cflri_allowance *a = allowance;
    const double now = cflri_now();
    if (!a->hurries && cflri_is_cancelled(a->context, ~0u)) {
        a->hurries = true;
        a->end = fmin(a->end, now + grace_seconds + grace_part * (now - a->context->start));
    }
    if (a->st == CFLR_OK && now > a->end) a->st = a->hurries ? CFLR_CANCELLED : CFLR_LIMIT;
    return a->st;
}
