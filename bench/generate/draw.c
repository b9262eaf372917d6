/* SPDX-License-Identifier: Apache-2.0
 *
 * draw.c: xoshiro256** (Blackman and Vigna), seeded by splitmix64 (Steele, Lea and Flood), and the
 * distributions that program graphs need. Integers only: floating-point functions differ in their
 * last bit between machines, and one bit is another graph.
 */
#include "bench/generate/draw.h"

static uint64_t split_mix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void draw_init(draw *d, uint64_t seed) {
    for (int i = 0; i < 4; i++) d->state[i] = split_mix(&seed);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < DRAW_RANKS; i++) {
        sum += (UINT64_C(1) << 32) / (i + 1);
        d->heavier[i] = sum;
    }
}

static uint64_t rotate(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

uint64_t draw_bits(draw *d) {
    uint64_t *s = d->state, drawn = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return drawn;
}

/* The upper half times n, its upper half: n is far below 2^32, so no value is favoured by much. */
uint32_t draw_below(draw *d, uint64_t n) {
    return (uint32_t)((draw_bits(d) >> 32) * n >> 32);
}

bool draw_chance(draw *d, uint32_t permille) {
    return draw_below(d, 1000) < permille;
}

uint32_t draw_size(draw *d, uint32_t low, uint32_t high) {
    uint32_t octaves = 0;
    while (low << (octaves + 1) <= high) octaves++;
    low <<= draw_below(d, octaves);
    return low + draw_below(d, low);
}

uint32_t draw_rank(draw *d, uint32_t n) {
    if (n > DRAW_RANKS) n = DRAW_RANKS;
    uint64_t at = draw_bits(d) % d->heavier[n - 1];
    uint32_t low = 0, high = n - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at < d->heavier[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
