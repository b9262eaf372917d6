/* SPDX-License-Identifier: Apache-2.0
 *
 * numbering.h: numbers for vertices under which sets of vertices take fewer blocks (numbering.c).
 */
#ifndef CFLRI_NUMBERING_H
#define CFLRI_NUMBERING_H

#include "engine/closure/model.h"

/* The number of a vertex that has none. */
#define CFLRI_UNNUMBERED UINT32_MAX

/* number[v], below n and each once, becomes another one if that makes sets much smaller. False:
 * numbers are as before, for they are good enough, or memory was refused. O(vertices + edges). */
bool cflri_numbering_improve(const cflri_problem *problem, uint32_t n, uint32_t *number);

#endif
