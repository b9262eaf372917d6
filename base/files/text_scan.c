/* SPDX-License-Identifier: Apache-2.0
 *
 * text_scan.c: the scanner under all text formats of graphs.
 *
 * One pass, no copies, a few instructions a byte. The position of a field is its address: line and
 * column are worked out only when something fails, from the start of the current line.
 */
#include "base/files/text_scan.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void cflri_scan_init(cflri_scan *scan, const char *data, size_t size, const char *subject,
                     cflr_error *error) {
    *scan = (cflri_scan){.begin = data,
                         .at = data,
                         .end = data + size,
                         .line_start = data,
                         .subject = subject,
                         .error = error};
    /* the mark that some editors put before UTF-8 */
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) scan->at = scan->begin = data + 3;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool in_word(char c) {
    return (unsigned char)c > ' ';
}

/* At a byte that ends a field: is it one that may? CR may when LF or nothing follows. */
static bool is_stop(const cflri_scan *scan, const char *at) {
    if (at == scan->end || is_blank(*at) || *at == '\n') return true;
    return *at == '\r' && (at + 1 == scan->end || at[1] == '\n');
}

static cflr_status fail_byte(const cflri_scan *scan, const char *at) {
    return cflri_scan_fail(scan, CFLR_SYNTAX, at, "unexpected byte 0x%02x in a text file",
                           (unsigned)(unsigned char)*at);
}

/* Moves past the line end at `at`, which is_stop accepted. */
static void end_line(cflri_scan *scan, const char *at) {
    if (at < scan->end && *at == '\r') at++;
    if (at < scan->end) at++;
    scan->at = at;
}

/* Fields between blanks, from `at` to the end of the line. */
static cflr_status split_words(cflri_scan *scan, const char *at) {
    const char *end = scan->end;
    unsigned n = 0;
    for (;;) {
        while (at < end && is_blank(*at)) at++;
        const char *start = at;
        while (at < end && in_word(*at)) at++;
        if (at == start) break;
        if (n < CFLRI_LINE_FIELDS) scan->field[n++] = (cflri_field){start, (size_t)(at - start)};
    }
    scan->n = n;
    if (!is_stop(scan, at)) return fail_byte(scan, at);
    end_line(scan, at);
    return CFLR_OK;
}

/* Fields between single tabs; a blank line has none. */
static cflr_status split_tabs(cflri_scan *scan, const char *at) {
    const char *end = scan->end;
    const char *start = at;
    unsigned n = 0;
    for (;; at++) {
        while (at < end && (in_word(*at) || *at == ' ')) at++;
        if (!is_stop(scan, at)) return fail_byte(scan, at);
        if (n < CFLRI_LINE_FIELDS) scan->field[n++] = (cflri_field){start, (size_t)(at - start)};
        if (at == end || *at != '\t') break;
        start = at + 1;
    }
    scan->n = n == 1 && scan->field[0].size == 0 ? 0 : n;
    end_line(scan, at);
    return CFLR_OK;
}

/* Behind the quote at `at`: the quote that ends the field, or a byte where it may not go on. */
static const char *end_of_quoted(const cflri_scan *scan, const char *at) {
    for (; at < scan->end && (in_word(*at) || is_blank(*at)); at++) {
        if (*at != '"') continue;
        if (at + 1 == scan->end || at[1] != '"') return at;
        at++;
    }
    return at;
}

/* Moves *at to what follows a field in quotes. */
static cflr_status take_quoted(cflri_scan *scan, const char **at, cflri_field *field) {
    const char *start = *at + 1, *end = end_of_quoted(scan, start);
    *field = (cflri_field){start, (size_t)(end - start)};
    if (is_stop(scan, end)) /* blanks are part of the field */
        return cflri_scan_fail(scan, CFLR_SYNTAX, *at, "this quote is not closed in its line");
    if (*end != '"') return fail_byte(scan, end);
    for (*at = end + 1; *at < scan->end && is_blank(**at) && **at != scan->separator;) ++*at;
    return CFLR_OK;
}

/* The same of one without quotes. */
static cflr_status take_bare(const cflri_scan *scan, const char **at, cflri_field *field) {
    const char *start = *at;
    while (*at < scan->end && **at != scan->separator && (in_word(**at) || is_blank(**at))) {
        if (**at == '"')
            return cflri_scan_fail(scan, CFLR_SYNTAX, *at, "quotes are around a whole field");
        ++*at;
    }
    size_t size = (size_t)(*at - start);
    while (size && is_blank(start[size - 1])) size--;
    *field = (cflri_field){start, size};
    return CFLR_OK;
}

/* Fields between separators; a blank line has none. */
static cflr_status split_separated(cflri_scan *scan, const char *at) {
    bool quoted = false;
    for (unsigned n = 0;; at++) {
        cflri_field field;
        while (at < scan->end && is_blank(*at) && *at != scan->separator) at++;
        bool here = at < scan->end && *at == '"';
        cflr_status st = (here ? take_quoted(scan, &at, &field) : take_bare(scan, &at, &field));
        if (st != CFLR_OK) return st;
        quoted = quoted || here;
        if (n < CFLRI_LINE_FIELDS) scan->field[n++] = field;
        scan->n = n;
        if (at < scan->end && *at == scan->separator) continue;
        if (is_stop(scan, at)) break;
        if (!in_word(*at)) return fail_byte(scan, at);
        return cflri_scan_fail(scan, CFLR_SYNTAX, at, "quotes are around a whole field");
    }
    if (scan->n == 1 && !quoted && scan->field[0].size == 0) scan->n = 0;
    end_line(scan, at);
    return CFLR_OK;
}

static cflr_status split(cflri_scan *scan, const char *at) {
    if (scan->separator) return split_separated(scan, at);
    return scan->tabs_only ? split_tabs(scan, at) : split_words(scan, at);
}

/* The comment byte that begins the line, behind blanks, or NULL. */
static const char *comment_mark(const cflri_scan *scan) {
    const char *at = scan->at;
    if (!scan->comment) return NULL;
    while (at < scan->end && is_blank(*at)) at++;
    return at < scan->end && *at == scan->comment ? at : NULL;
}

cflr_status cflri_scan_line(cflri_scan *scan, cflri_line_kind *kind) {
    assert(scan->at >= scan->begin && scan->at <= scan->end);
    scan->n = 0;
    while (scan->at < scan->end) {
        scan->line_start = scan->at;
        scan->line++;
        const char *mark = comment_mark(scan);
        cflr_status st = mark ? split_words(scan, mark + 1) : split(scan, scan->at);
        if (st != CFLR_OK) return st;
        *kind = mark ? CFLRI_LINE_COMMENT : CFLRI_LINE_DATA;
        if (mark || scan->n) return CFLR_OK;
    }
    *kind = CFLRI_LINE_END;
    return CFLR_OK;
}

/* ---- failures ---- */

static uint32_t clamp(uint64_t number) {
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static const char *line_end(const cflri_scan *scan) {
    const char *at = scan->line_start;
    while (at < scan->end && *at != '\n' && *at != '\r') at++;
    return at;
}

void cflri_scan_place(const cflri_scan *scan, const char *at, uint32_t place[2]) {
    place[0] =
        clamp(scan->line ? scan->line : 1); /* a text without a line fails where that would be */
    place[1] = clamp((uint64_t)(at - scan->line_start) + 1);
}

static cflr_status fail_at(const cflri_scan *scan, cflr_status code, const char *at,
                           const char *format, va_list arguments) {
    char message[sizeof((cflr_error *)0)->message];
    uint32_t place[2];
    vsnprintf(message, sizeof message, format, arguments);
    cflri_scan_place(scan, at ? at : line_end(scan), place);
    return cflri_fail_at(scan->error, code, scan->subject, place[0], place[1], "%s", message);
}

cflr_status cflri_scan_fail(const cflri_scan *scan, cflr_status code, const char *at,
                            const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cflr_status st = fail_at(scan, code, at, format, arguments);
    va_end(arguments);
    return st;
}

cflr_status cflri_scan_fail_field(const cflri_scan *scan, unsigned i, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *at = i < scan->n ? scan->field[i].at : NULL;
    cflr_status st = fail_at(scan, CFLR_SYNTAX, at, format, arguments);
    va_end(arguments);
    return st;
}

/* ---- numbers ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool cflri_field_is_digits(cflri_field field) {
    for (size_t i = 0; i < field.size; i++) {
        if (!is_digit(field.at[i])) return false;
    }
    return field.size > 0;
}

/* Classifies a field that holds no number up to the bound. */
static cflri_number_kind other_kind(cflri_field field) {
    bool sign = field.size && (field.at[0] == '-' || field.at[0] == '+');
    cflri_field digits = {field.at + sign, field.size - sign};
    return cflri_field_is_digits(digits) ? CFLRI_NUMBER_REFUSED : CFLRI_NUMBER_NONE;
}

cflri_number_kind cflri_field_number(cflri_field field, uint64_t most, uint64_t *number) {
    enum { SAFE_DIGITS = 19 }; /* 10^19 < 2^64 */
    uint64_t value = 0;
    while (field.size > SAFE_DIGITS && *field.at == '0') {
        field.at++;
        field.size--;
    }
    if (!field.size || field.size > SAFE_DIGITS + 1) return other_kind(field);
    for (size_t i = 0; i < field.size; i++) {
        unsigned digit = (unsigned)(unsigned char)field.at[i] - '0';
        if (digit > 9) return other_kind(field);
        if (i == SAFE_DIGITS && value > (UINT64_MAX - digit) / 10) return CFLRI_NUMBER_REFUSED;
        value = value * 10 + digit;
    }
    if (value > most) return CFLRI_NUMBER_REFUSED;
    *number = value;
    return CFLRI_NUMBER;
}

/* Skips digits; how many there were. */
static size_t digits_at(cflri_field field, size_t *i) {
    size_t before = *i;
    while (*i < field.size && is_digit(field.at[*i])) (*i)++;
    return *i - before;
}

bool cflri_field_is_real(cflri_field field) {
    size_t i = field.size && (field.at[0] == '-' || field.at[0] == '+');
    cflri_field rest = {field.at + i, field.size - i};
    if (rest.size == 3 && strncasecmp(rest.at, "nan", 3) == 0) return true;
    if (rest.size == 3 && strncasecmp(rest.at, "inf", 3) == 0) return true;
    size_t digits = digits_at(field, &i);
    if (i < field.size && field.at[i] == '.') {
        i++;
        digits += digits_at(field, &i);
    }
    if (!digits) return false;
    if (i < field.size && (field.at[i] == 'e' || field.at[i] == 'E')) {
        i++;
        if (i < field.size && (field.at[i] == '-' || field.at[i] == '+')) i++;
        if (!digits_at(field, &i)) return false;
    }
    return i == field.size;
}

bool cflri_field_is(cflri_field field, const char *text) {
    return field.size == strlen(text) && memcmp(field.at, text, field.size) == 0;
}

size_t cflri_field_unquote(cflri_field field, char *to) {
    size_t n = 0;
    for (size_t i = 0; i < field.size; i++) {
        to[n++] = field.at[i];
        i += field.at[i] == '"';
    }
    return n;
}

bool cflri_field_cut(cflri_field *field, const char *end) {
    size_t n = strlen(end);
    if (field->size <= n || memcmp(field->at + field->size - n, end, n) != 0) return false;
    field->size -= n;
    return true;
}

bool cflri_field_cut_number(cflri_field *field, cflri_field *number) {
    size_t at = field->size;
    while (at && field->at[at - 1] >= '0' && field->at[at - 1] <= '9') at--;
    if (at == field->size || at < 2 || field->at[at - 1] != '_') return false;
    *number = (cflri_field){field->at + at, field->size - at};
    field->size = at - 1;
    return true;
}
