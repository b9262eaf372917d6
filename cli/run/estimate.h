/* SPDX-License-Identifier: Apache-2.0
 *
 * estimate.h: how long work still takes of which the end is known.
 */
#ifndef CFLR_CLI_RUN_ESTIMATE_H
#define CFLR_CLI_RUN_ESTIMATE_H

#include <stddef.h>

#include "cflr/context.h"

/* Of one run; begins zeroed. */
typedef struct estimate {
    const char *phase;
    uint64_t total, first, done; /* units: all, done when it began, and at the last report */
    double begin, changed, last; /* seconds of the first report, of the last with a unit, of the
                                  * last one */
    double end;                  /* when the phase ends, as it is shown; 0: not known yet */
} estimate;

/* Takes a report; the seconds that are left of its phase, or a negative number while that cannot be
 * told: of a phase without end, and of one that has only begun. */
double estimate_left(estimate *e, const cflr_progress *progress);

enum { ESTIMATE_TEXT = 32 };
/* "about 40 s left", "about 12 min left": in steps that do not pretend to know more. */
void estimate_text(double left, char text[ESTIMATE_TEXT]);

#endif
