/* SPDX-License-Identifier: Apache-2.0
 *
 * columns.c: many numbers as one text of JSON.
 *
 * A number is letters of base 64 with five bits each, the low ones first; all but the last one have
 * 32 besides. A difference d may be negative: it is 2 d, or -1 - 2 d then. Small numbers, as
 * differences are, take one letter, and no comma.
 *
 *     5 is "F"     40 is "oB"     the differences 3 and -2 are "G" and "D"
 */
#include "cli/report/report.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t number_size(uint64_t number) {
    size_t n = 1;
    while (number >>= 5) n++;
    return n;
}

void number_put(FILE *file, uint64_t number) {
    for (; number >= 32; number >>= 5) fputc(letters[32 + (number & 31)], file);
    fputc(letters[number], file);
}

void column_put(FILE *file, const char *key, const uint32_t *number, size_t n) {
    fprintf(file, "\"%s\":\"", key);
    for (size_t i = 0; i < n; i++) number_put(file, number[i]);
    fputc('"', file);
}

void column_put_steps(FILE *file, const char *key, const uint32_t *number, size_t n) {
    fprintf(file, "\"%s\":\"", key);
    for (size_t i = 0; i < n; i++) {
        int64_t step = (int64_t)number[i] - (i ? number[i - 1] : 0);
        number_put(file, step < 0 ? 2 * (uint64_t)(-1 - step) + 1 : 2 * (uint64_t)step);
    }
    fputc('"', file);
}
