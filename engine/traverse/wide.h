/* SPDX-License-Identifier: Apache-2.0
 *
 * wide.h: numbers that are not negative, between 2^-8000000 and 2^8000000, in 64 bits.
 *
 *     24 bits of exponent | 40 bits of mantissa, the first of which is set; 0 is 0
 *
 * For numbers of shortest paths: a grid of 4096 by 4096 has 2^8186 of them between two corners.
 * They add up with an error of 2^-40 each time, and are in order when read as integers.
 */
#ifndef CFLRI_WIDE_H
#define CFLRI_WIDE_H

#include <math.h>

#include "engine/traverse/dialect.h"

enum {
    CFLRI_WIDE_MANTISSA = 40,
    CFLRI_WIDE_ONE = 1 << 23 /* the exponent of mantissas as they are */
};

CFLRI_FUNCTOR uint64_t cflri_wide_mantissa(uint64_t a) {
    return a & ((UINT64_C(1) << CFLRI_WIDE_MANTISSA) - 1);
}

CFLRI_FUNCTOR int cflri_wide_exponent(uint64_t a) {
    return (int)(a >> CFLRI_WIDE_MANTISSA);
}

CFLRI_FUNCTOR uint64_t cflri_wide_add(uint64_t a, uint64_t b) {
    uint64_t high = a > b ? a : b, low = a > b ? b : a;
    int apart = cflri_wide_exponent(high) - cflri_wide_exponent(low);
    if (low == 0 || apart > CFLRI_WIDE_MANTISSA) return high;
    uint64_t half = apart ? UINT64_C(1) << (apart - 1) : 0;
    uint64_t sum = cflri_wide_mantissa(high) + ((cflri_wide_mantissa(low) + half) >> apart);
    if (sum >> CFLRI_WIDE_MANTISSA == 0)
        return (high >> CFLRI_WIDE_MANTISSA << CFLRI_WIDE_MANTISSA) | sum;
    sum += sum & 2 ? 1 : 0; /* to the even one of two that are as near */
    return (((high >> CFLRI_WIDE_MANTISSA) + 1) << CFLRI_WIDE_MANTISSA) | sum >> 1;
}

/* Of float64: mantissas have 52 bits behind the first, exponents are 1 to 2046 where that one is
 * set. */
enum { CFLRI_DOUBLE_MANTISSA = 52, CFLRI_DOUBLE_ONE = 1023, CFLRI_DOUBLE_ENDLESS = 2047 };

/* value * 2^exponent, of a value that is not negative. The library's frexp and ldexp are for the
 * few that are nearly 0. */
CFLRI_FUNCTOR uint64_t cflri_wide_of(double value, int exponent) {
    uint64_t bits = cflri_bits_of_double(value), mantissa;
    int more = (int)(bits >> CFLRI_DOUBLE_MANTISSA) - CFLRI_DOUBLE_ONE + 1;
    if (!(value > 0)) return 0;
    if (bits >> CFLRI_DOUBLE_MANTISSA) {
        bits &= (UINT64_C(1) << CFLRI_DOUBLE_MANTISSA) - 1;
        bits |= UINT64_C(1) << CFLRI_DOUBLE_MANTISSA;
        mantissa = bits >> (CFLRI_DOUBLE_MANTISSA + 1 - CFLRI_WIDE_MANTISSA);
    } else {
        mantissa = (uint64_t)ldexp(frexp(value, &more), CFLRI_WIDE_MANTISSA);
    }
    uint64_t all = (uint64_t)(CFLRI_WIDE_ONE + exponent + more - CFLRI_WIDE_MANTISSA);
    return all << CFLRI_WIDE_MANTISSA | mantissa;
}

/* What the mantissa says, and which power of two that counts. */
CFLRI_FUNCTOR double cflri_wide_value(uint64_t a, int *exponent) {
    *exponent = cflri_wide_exponent(a) - CFLRI_WIDE_ONE;
    return (double)cflri_wide_mantissa(a);
}

CFLRI_FUNCTOR double cflri_wide_product(uint64_t a, uint64_t b) {
    int x, y;
    double m = cflri_wide_value(a, &x) * cflri_wide_value(b, &y);
    int power = x + y + CFLRI_DOUBLE_ONE;
    if (power > 0 && power < CFLRI_DOUBLE_ENDLESS)
        return m * cflri_double_of_bits((uint64_t)power << CFLRI_DOUBLE_MANTISSA);
    return m == 0 ? 0 : ldexp(m, x + y);
}

/* value / a, of an `a` that is not 0. */
CFLRI_FUNCTOR uint64_t cflri_wide_quotient(double value, uint64_t a) {
    int exponent;
    double by = cflri_wide_value(a, &exponent);
    return cflri_wide_of(value / by, -exponent);
}

#endif
