/* SPDX-License-Identifier: Apache-2.0
 *
 * left_out.h: the pairs of vertices that no edge touches (reduce.h): loops by the empty word.
 */
#ifndef CFLRI_LEFT_OUT_H
#define CFLRI_LEFT_OUT_H

#include "engine/spine/plan.h"

typedef struct cflri_left_out {
    cflr_context *context;
    bool *nullable; /* by family: has (v,v) for each vertex that was left out */
    bool *touched;  /* by vertex of the graph: was it not left out? NULL: none was */
} cflri_left_out;

/* False when memory is refused. Freed in either case. `none`: another slice has these pairs. */
bool cflri_left_out_init(cflri_left_out *left_out, const cflri_spine_plan *plan, bool none);
void cflri_left_out_free(cflri_left_out *left_out);

#endif
