/* SPDX-License-Identifier: Apache-2.0
 *
 * alike.c: do all ends have the same problem? Each end compares the digest of its own with that of
 * the first end.
 */
#include "engine/spine/alike.h"

#include <string.h>

#include "engine/closure/digest.h"

cflr_status cflri_spine_alike(cflri_box_carrier *carrier, const cflri_spine_plan *plan,
                              cflr_error *error) {
    unsigned char own[CFLRI_PROBLEM_DIGEST], first[CFLRI_PROBLEM_DIGEST];
    int code = carrier->first == 0;
    cflri_problem_digest(plan->reduced.original, own);
    memcpy(first, own, sizeof first);
    carrier->settle(carrier, &code, first, sizeof first);
    if (memcmp(first, own, sizeof first) == 0) return CFLR_OK;
    return cflri_fail(error, CFLR_ARGUMENT, NULL,
                      "graph, grammar or options are not those of rank 0");
}
