/* SPDX-License-Identifier: Apache-2.0
 *
 * text_scan.h: lines and fields of a text in memory, with the place of everything for messages.
 *
 *     " 12\t7  load[8]\r\n"  ->  field[0] = "12", field[1] = "7", field[2] = "load[8]"
 *
 * Fields are runs of bytes above ' '; blanks and tabs are between them; CR is part of a line end.
 * Any other control byte (NUL too) is an error. Nothing is copied: fields point into the text.
 *
 * With a separator, fields may hold blanks, but not at their ends, and may stand in quotes
 * (RFC 4180, but for line ends in quotes):
 *
 *     paris,"New York, NY", 3    ->  field[0] = "paris", field[1] = "New York, NY", field[2] = "3"
 */
#ifndef CFLRI_TEXT_SCAN_H
#define CFLRI_TEXT_SCAN_H

#include "base/error.h"

/* One more than any format has: enough to see that a line has too many. */
enum { CFLRI_LINE_FIELDS = 6 };

typedef struct cflri_field {
    const char *at;
    size_t size;
} cflri_field;

typedef enum cflri_line_kind {
    CFLRI_LINE_END,
    CFLRI_LINE_DATA,
    CFLRI_LINE_COMMENT
} cflri_line_kind;

typedef struct cflri_scan {
    const char *begin;
    const char *at; /* where the next line starts */
    const char *end;
    const char *line_start;
    uint64_t line;  /* of the current line, from 1 */
    char comment;   /* a line that begins with it, behind blanks, is a comment; 0 for none */
    bool tabs_only; /* fields are separated by single tabs, may hold blanks, may be empty */
    char separator; /* byte between fields, which may be quoted and empty; 0: blanks are */
    const char *subject;
    cflr_error *error;
    /* the current line; of a comment, the fields behind the comment byte */
    unsigned n; /* fields; CFLRI_LINE_FIELDS also stands for more */
    cflri_field field[CFLRI_LINE_FIELDS];
} cflri_scan;

void cflri_scan_init(cflri_scan *scan, const char *data, size_t size, const char *subject,
                     cflr_error *error);

/* Reads the next line that is not blank. CFLR_SYNTAX for a control byte. */
cflr_status cflri_scan_line(cflri_scan *scan, cflri_line_kind *kind);

/* Line and column of `at` in the current line, from 1. */
void cflri_scan_place(const cflri_scan *scan, const char *at, uint32_t place[2]);

/* A failure (CFLR_SYNTAX and others) at `at` of the current line; NULL: at its end. */
cflr_status cflri_scan_fail(const cflri_scan *scan, cflr_status code, const char *at,
                            const char *format, ...) CFLRI_PRINTF(4, 5);

/* A failure at field i, or behind the last field when there is none. */
cflr_status cflri_scan_fail_field(const cflri_scan *scan, unsigned i, const char *format, ...)
    CFLRI_PRINTF(3, 4);

typedef enum cflri_number_kind {
    CFLRI_NUMBER,         /* decimal digits, at most `most` */
    CFLRI_NUMBER_REFUSED, /* digits of a larger number, or digits behind a sign */
    CFLRI_NUMBER_NONE,    /* something else */
} cflri_number_kind;

cflri_number_kind cflri_field_number(cflri_field field, uint64_t most, uint64_t *number);

/* Is it spelled like a real number: "3", "-1.5e+7", "nan", "inf"? */
bool cflri_field_is_real(cflri_field field);

bool cflri_field_is(cflri_field field, const char *text);
bool cflri_field_is_digits(cflri_field field);

/* Copies a field of a text with a separator: of two quotes in it one. Returns the size. */
size_t cflri_field_unquote(cflri_field field, char *to);

/* Cuts the text `end` off; false when the field is no longer than that or does not end so. */
bool cflri_field_cut(cflri_field *field, const char *end);

/* Cuts "_" and digits off into *number; false when there is no such end or nothing before it. */
bool cflri_field_cut_number(cflri_field *field, cflri_field *number);

/* For "%.*s" in messages: never more than a short piece. */
#define CFLRI_SHOW(field) (int)((field).size < 60 ? (field).size : 60), (field).at

#endif
