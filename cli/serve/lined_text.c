/* SPDX-License-Identifier: Apache-2.0
 *
 * lined_text.c: a text by lines, and columns of a line in the units that clients count in.
 *
 *     p = "gr\xC3\xBC\xC3\x9F";      bytes        UTF-16       characters
 *         ^ of the quote at the end  12           10           10
 *
 * A file that is not UTF-8 is in an encoding that the client knows and the server does not. Its
 * bytes are characters, one by one: those of ASCII are themselves, all others U+FFFD. So columns
 * are right in every encoding of one byte a character, and lines can be compared.
 */
#include "cli/serve/lined_text.h"

#include <stdlib.h>
#include <string.h>

void text_free(lined_text *t) {
    free(t->bytes);
    free(t->start);
    *t = (lined_text){0};
}

void text_take(lined_text *t, char *bytes, size_t n) {
    text_free(t);
    t->bytes = bytes;
    t->n = n;
}

void text_replace(lined_text *t, size_t begin, size_t end, const char *bytes, size_t n) {
    size_t behind = t->n - end;
    char *made = malloc(begin + n + behind + 1);
    if (!made) exit(fail_memory());
    if (begin) memcpy(made, t->bytes, begin);
    if (n) memcpy(made + begin, bytes, n);
    if (behind) memcpy(made + begin + n, t->bytes + end, behind);
    text_take(t, made, begin + n + behind);
}

/* ---- characters ---- */

/* The length of the character that begins here; 0: it is not UTF-8. */
static size_t character_length(piece line, size_t at) {
    unsigned char c = (unsigned char)line.at[at];
    size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (n > line.n - at) return 0;
    for (size_t i = 1; i < n; i++)
        if ((line.at[at + i] & 0xC0) != 0x80) return 0;
    return n;
}

static size_t length_at(piece line, size_t at) {
    size_t n = character_length(line, at);
    return n ? n : 1;
}

static size_t units_of(size_t length, encoding in) {
    if (in == ENCODING_UTF8) return length;
    return in == ENCODING_UTF16 && length == 4 ? 2 : 1;
}

size_t units_to_bytes(piece line, size_t units, encoding in) {
    size_t at = 0, count = 0;
    while (at < line.n) {
        size_t n = length_at(line, at);
        count += units_of(n, in);
        if (count > units) break;
        at += n;
    }
    return at;
}

size_t bytes_to_units(piece line, size_t bytes, encoding in) {
    size_t at = 0, count = 0;
    while (at < line.n && at < bytes) {
        size_t n = length_at(line, at);
        count += units_of(n, in);
        at += n;
    }
    return count;
}

size_t file_to_bytes(const lined_text *t, piece line, size_t column) {
    if (t->narrow) return units_to_bytes(line, column, ENCODING_UTF32);
    return column < line.n ? column : line.n;
}

size_t bytes_to_file(const lined_text *t, piece line, size_t bytes) {
    return t->narrow ? bytes_to_units(line, bytes, ENCODING_UTF32) : bytes;
}

uint32_t next_character(piece line, size_t *at, bool narrow) {
    size_t n = length_at(line, *at);
    uint32_t c = (unsigned char)line.at[*at];
    if (n > 1) c &= 0xFFu >> (n + 1);
    for (size_t i = 1; i < n; i++) c = c << 6 | ((unsigned char)line.at[*at + i] & 0x3Fu);
    *at += n;
    return narrow && c >= 0x80 ? 0xFFFD : c;
}

/* ---- files ---- */

static bool is_utf8(piece all) {
    size_t n;
    for (size_t at = 0; at < all.n; at += n)
        if (!(n = character_length(all, at))) return false;
    return true;
}

static void widen(lined_text *t) {
    static const char replacement[] = "\xEF\xBF\xBD";
    char *wide = malloc(3 * t->n + 1);
    size_t n = 0;
    if (!wide) exit(fail_memory());
    for (size_t i = 0; i < t->n; i++) {
        bool ascii = (unsigned char)t->bytes[i] < 0x80;
        memcpy(wide + n, ascii ? t->bytes + i : replacement, ascii ? 1 : 3);
        n += ascii ? 1 : 3;
    }
    text_take(t, wide, n);
    t->narrow = true;
}

static char *read_whole(FILE *file, size_t *n) {
    size_t capacity = 1 << 16, got;
    char *bytes = malloc(capacity + 1);
    *n = 0;
    while (bytes && (got = fread(bytes + *n, 1, capacity - *n, file)) > 0) {
        *n += got;
        if (*n < capacity) continue;
        char *grown = realloc(bytes, 2 * capacity + 1);
        if (!grown) exit(fail_memory());
        bytes = grown;
        capacity *= 2;
    }
    if (!bytes) exit(fail_memory());
    return bytes;
}

bool text_read(lined_text *t, const char *path) {
    FILE *file = fopen(path, "re");
    size_t n;
    if (!file) return false;
    char *bytes = read_whole(file, &n);
    bool whole = !ferror(file);
    fclose(file);
    size_t mark = n >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    memmove(bytes, bytes + mark, n - mark);
    t->narrow = false;
    text_take(t, bytes, n - mark);
    if (!is_utf8((piece){t->bytes, t->n})) widen(t);
    return whole;
}

/* ---- lines ---- */

static void add_line(lined_text *t, size_t start) {
    if (!make_room(&t->start, &t->capacity, t->n_lines, sizeof *t->start)) exit(fail_memory());
    t->start[t->n_lines++] = start;
}

size_t text_lines(lined_text *t) {
    if (t->start) return t->n_lines;
    t->n_lines = t->capacity = 0;
    add_line(t, 0);
    for (size_t i = 0; i < t->n; i++) {
        bool pair = t->bytes[i] == '\r' && i + 1 < t->n && t->bytes[i + 1] == '\n';
        if ((t->bytes[i] == '\n' || t->bytes[i] == '\r') && !pair) add_line(t, i + 1);
    }
    return t->n_lines;
}

piece text_line(lined_text *t, size_t line) {
    if (line >= text_lines(t)) return (piece){t->bytes ? t->bytes + t->n : "", 0};
    size_t begin = t->start[line], end = line + 1 < t->n_lines ? t->start[line + 1] : t->n;
    while (end > begin && (t->bytes[end - 1] == '\n' || t->bytes[end - 1] == '\r')) end--;
    return (piece){t->bytes ? t->bytes + begin : "", end - begin};
}
