/* SPDX-License-Identifier: Apache-2.0
 *
 * decimal.h: a number as decimal digits, where printf would be most of the work.
 */
#ifndef CFLRI_DECIMAL_H
#define CFLRI_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { CFLRI_DECIMAL_DIGITS = 20 }; /* of the largest number */

/* Writes the digits and no NUL; returns where they end. */
static inline char *cflri_put_decimal(char *to, uint64_t number) {
    char digits[CFLRI_DECIMAL_DIGITS];
    size_t n = 0;
    do digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0) *to++ = digits[--n];
    return to;
}

#endif
