/* SPDX-License-Identifier: Apache-2.0
 *
 * gather.h: brings the relations of all ends to the first one.
 */
#ifndef CFLRI_GATHER_H
#define CFLRI_GATHER_H

#include "engine/spine/driver.h"

/* Every end calls it, with what it has collected and the status of that. Returns the status of the
 * closure, the same at all ends. The first end has all pairs then, unless its memory ended: then it
 * has some of them, and the status is CFLR_LIMIT. The closures of the other ends are empty. */
cflr_status cflri_gather(const cflri_spine_plan *plan, cflri_spine *spine, cflr_status ended,
                         cflri_closure *closure, cflr_error *error);

#endif
