/* SPDX-License-Identifier: Apache-2.0
 *
 * draw.h: random numbers that are the same everywhere.
 */
#ifndef BENCH_GENERATE_DRAW_H
#define BENCH_GENERATE_DRAW_H

#include <stdbool.h>
#include <stdint.h>

enum { DRAW_RANKS = 4096 };

typedef struct draw {
    uint64_t state[4];
    uint64_t heavier[DRAW_RANKS]; /* weight of the ranks up to this one */
} draw;

void draw_init(draw *d, uint64_t seed);

uint64_t draw_bits(draw *d);

/* 0 .. n-1, all alike. n > 0. */
uint32_t draw_below(draw *d, uint64_t n);

/* True in so many of a thousand. */
bool draw_chance(draw *d, uint32_t permille);

/* low .. high-1, as likely below 2 * low as between 2 * low and 4 * low: most are small, some
 * large. Powers of two. */
uint32_t draw_size(draw *d, uint32_t low, uint32_t high);

/* 0 .. n-1, and k with a weight of 1 / (k + 1) (Zipf's law). 0 < n; ranks end at DRAW_RANKS. */
uint32_t draw_rank(draw *d, uint32_t n);

#endif
