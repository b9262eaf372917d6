/* SPDX-License-Identifier: Apache-2.0
 *
 * primitives.h: the primitives that there are, in the order of CFLR_PRIMITIVE_LIST. One more is a
 * file <name>.h with its functors and driver, one <name>.c with its description, and a row there
 * and here.
 */
#ifndef CFLRI_PRIMITIVES_H
#define CFLRI_PRIMITIVES_H

#include "engine/traverse/primitive.h"

extern const cflri_primitive cflri_bfs, cflri_sssp, cflri_sswp, cflri_ssnsp, cflri_cc,
    cflri_pagerank, cflri_pagerank_delta, cflri_ppr, cflri_bc, cflri_hits, cflri_salsa, cflri_tc,
    cflri_mst, cflri_mis, cflri_colour, cflri_kcore, cflri_reach;

#endif
