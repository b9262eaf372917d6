/* SPDX-License-Identifier: Apache-2.0
 *
 * estimate.c: how long work still takes of which the end is known.
 *
 *     done   ^              . total
 *            |          . '
 *            |      ._'        the line through the first report and the last one
 *            |  _.-'  |
 *            +--------+----+---> seconds
 *          begin  changed end
 *
 * A line through all of the phase is steadier than the speed of the last moments, since units
 * differ in size. It leads to when a unit was last done; a unit that takes longer than those before
 * it tilts the line, bit by bit. Where the line ends is followed slowly, so that what is shown
 * counts down and does not jump; the longer a phase takes, the more slowly. Before some seconds and
 * some part of the phase have gone by nothing is said. A phase that begins again, with other units,
 * is another one.
 */
#include "cli/run/estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_seconds = 3, least_part = 0.02, slowness = 0.2;

static bool goes_on(const estimate *e, const cflr_progress *p) {
    return e->phase && strcmp(e->phase, p->phase) == 0 && e->total == p->total &&
           e->done <= p->done;
}

double estimate_left(estimate *e, const cflr_progress *p) {
    if (!goes_on(e, p))
        *e = (estimate){.phase = p->phase,
                        .total = p->total,
                        .first = p->done,
                        .done = p->done,
                        .begin = p->seconds,
                        .changed = p->seconds,
                        .last = p->seconds};
    double passed = p->seconds - e->begin, since = p->seconds - e->last;
    if (p->done != e->done) e->changed = p->seconds;
    e->last = p->seconds;
    e->done = p->done;
    if (!p->total || p->done >= p->total) return -1;
    double done = (double)(p->done - e->first), all = (double)(p->total - e->first);
    if (passed < least_seconds || done < least_part * all) return -1;
    double unit = (e->changed - e->begin) / done;
    double taken = fmax(e->changed - e->begin, passed - unit);
    double end = e->begin + taken * all / done;
    double weight = e->end > 0 ? 1 - exp(-since / (slowness * passed)) : 1;
    e->end += weight * (end - e->end);
    return fmax(e->end - p->seconds, 0);
}

void estimate_text(double left, char text[ESTIMATE_TEXT]) {
    if (left < 10)
        snprintf(text, ESTIMATE_TEXT, "some seconds left");
    else if (left < 115)
        snprintf(text, ESTIMATE_TEXT, "about %.0f s left", 5 * round(left / 5));
    else if (left < 2 * 3600)
        snprintf(text, ESTIMATE_TEXT, "about %.0f min left", round(left / 60));
    else
        snprintf(text, ESTIMATE_TEXT, "about %.0f h left", fmin(round(left / 3600), 9999));
}
