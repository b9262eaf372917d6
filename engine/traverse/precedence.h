/* SPDX-License-Identifier: Apache-2.0
 *
 * precedence.h: which vertex decides first, in greedy algorithms: independent sets and colours.
 *
 * A vertex waits for those neighbours that precede it. Which these are depends on numbers drawn by
 * vertex alone, so that what comes out is the same as if one after the other had decided in that
 * order, however many threads there are; and a chain of vertices that wait for each other is short:
 * O(log^2 n) where numbers are random. Each has a count of those that it waits for, so that all the
 * waiting costs two looks at an edge.
 *
 * Source: G. Blelloch, J. Fineman, J. Shun, "Greedy sequential maximal independent set and matching
 * are parallel on average", SPAA 2012.
 */
#ifndef CFLRI_PRECEDENCE_H
#define CFLRI_PRECEDENCE_H

#include "engine/traverse/task.h"

/* A number that looks random, another one for each vertex: each step can be undone. */
CFLRI_FUNCTOR uint32_t cflri_drawn(uint32_t v) {
    v = (v ^ v >> 16) * UINT32_C(0x7feb352d);
    v = (v ^ v >> 15) * UINT32_C(0x846ca68b);
    return v ^ v >> 16;
}

/* How many binary digits. */
CFLRI_FUNCTOR int cflri_logarithm(uint64_t n) {
#ifdef __CUDACC__
    return 64 - __clzll((long long)n);
#else
    return n ? 64 - __builtin_clzll(n) : 0;
#endif
}

#endif
