/* SPDX-License-Identifier: Apache-2.0
 *
 * letters.c: UTF-8 by its table of lead bytes, what of it is shown, and Levenshtein's distance of
 * short names.
 *
 * The distance is the usual table of prefixes, of which one row is kept:
 *
 *         h  e  a  p        row[j] = least of   corner + (a[i] and b[j] differ)
 *      0  1  2  3  4                            row above + 1
 *   h  1  0  1  2  3                            row before + 1
 *   e  2  1  0  1  2
 *   d  3  2  1  1  2        no way leads below a row's least: past `most` it is given up
 *
 * O(a_size x b_size), at most 64 x 64.
 */
#include "base/letters.h"

#include <string.h>

/* ---- UTF-8 ---- */

static bool continues(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

size_t cflri_utf8_length(const char *bytes, size_t size) {
    const unsigned char *b = (const unsigned char *)bytes;
    if (!size) return 0;
    if (b[0] < 0x80) return 1;
    size_t length = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0xC2 || b[0] > 0xF4 || size < length) return 0;
    for (size_t i = 1; i < length; i++) {
        if (!continues(b[i])) return 0;
    }
    bool overlong = (b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xF0 && b[1] < 0x90);
    bool outside = (b[0] == 0xED && b[1] >= 0xA0) || (b[0] == 0xF4 && b[1] >= 0x90);
    return overlong || outside ? 0 : length;
}

/* ---- what is shown ---- */

/* A letter that changes the direction of text can make a line look like another one
 * (CVE-2021-42574). */
static bool is_direction(const unsigned char *b) {
    if (b[0] == 0xD8) return b[1] == 0x9C;
    if (b[0] != 0xE2) return false;
    if (b[1] == 0x80) return b[2] == 0x8E || b[2] == 0x8F || (b[2] >= 0xA8 && b[2] <= 0xAE);
    return b[1] == 0x81 && b[2] >= 0xA6 && b[2] <= 0xA9;
}

bool cflri_is_control(const char *text) {
    const unsigned char *b = (const unsigned char *)text;
    return b[0] < 0x20 || b[0] == 0x7f || (b[0] == 0xC2 && b[1] >= 0x80 && b[1] < 0xA0) ||
           is_direction(b);
}

/* The letter of the short escapes of C that are known to everybody, or 0. */
static char short_escape(char c) {
    return c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : '\0';
}

static size_t show_byte(unsigned char byte, char *shown) {
    static const char hex[] = "0123456789abcdef";
    char letter = short_escape((char)byte);
    shown[0] = '\\';
    shown[1] = letter ? letter : 'x';
    if (letter) return 2;
    shown[2] = hex[byte >> 4];
    shown[3] = hex[byte & 15];
    return 4;
}

size_t cflri_show_letter(const char **at, char shown[CFLRI_SHOWN]) {
    const char *letter = *at;
    size_t n = cflri_utf8_length(letter, 4);
    if (n && !cflri_is_control(letter)) {
        memcpy(shown, letter, n);
        *at += n;
        return n;
    }
    size_t length = show_byte((unsigned char)letter[0], shown);
    for (size_t i = 1; i < n; i++) length += show_byte((unsigned char)letter[i], shown + length);
    *at += n ? n : 1;
    return length;
}

/* ---- distance ---- */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

unsigned cflri_edits(const char *a, size_t a_size, const char *b, size_t b_size, unsigned most) {
    unsigned row[CFLRI_LONGEST_ALIKE + 1];
    size_t apart = a_size > b_size ? a_size - b_size : b_size - a_size;
    if (a_size > CFLRI_LONGEST_ALIKE || b_size > CFLRI_LONGEST_ALIKE || apart > most) {
        return most + 1;
    }
    for (size_t j = 0; j <= b_size; j++) row[j] = (unsigned)j;
    for (size_t i = 1; i <= a_size; i++) {
        unsigned corner = row[0], least = (unsigned)i;
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_size; j++) {
            unsigned changed = corner + (lower(a[i - 1]) != lower(b[j - 1]));
            unsigned moved = 1u + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            corner = row[j];
            row[j] = changed < moved ? changed : moved;
            if (row[j] < least) least = row[j];
        }
        if (least > most) return most + 1;
    }
    return row[b_size] <= most ? row[b_size] : most + 1;
}
