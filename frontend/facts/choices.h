/* SPDX-License-Identifier: Apache-2.0
 *
 * choices.h: the options that decide what a unit says, in one list.
 *
 * All that is kept of a unit depends on them: the identity of the cache, what a linkable graph
 * remembers, and what linkable graphs must have in common. A new one is a line of CFLRI_CHOICES, a
 * member of cflr_extract_opts, and the code that looks at it.
 */
#ifndef CFLRI_CHOICES_H
#define CFLRI_CHOICES_H

#include "cflr/extract.h"

/* X(type, member, greatest value, option of the command) */
#define CFLRI_CHOICES(X)                                        \
    X(cflr_fields, fields, CFLR_FIELDS_INSENSITIVE, "--fields") \
    X(cflr_locals, locals, CFLR_LOCALS_WHOLE, "--locals")       \
    X(cflr_arrays, arrays, CFLR_ARRAYS_CONSTANT, "--arrays")    \
    X(bool, data_flow, 1, "--data-flow")

typedef struct cflri_choices {
#define CFLRI_MEMBER(type, member, most, option) type member;
    CFLRI_CHOICES(CFLRI_MEMBER)
#undef CFLRI_MEMBER
} cflri_choices;

enum {
#define CFLRI_ONE(type, member, most, option) +1
    CFLRI_N_CHOICES = 0 CFLRI_CHOICES(CFLRI_ONE)
#undef CFLRI_ONE
};

/* Converts options into choices, and back. */
cflri_choices cflri_choices_of(const cflr_extract_opts *opts);
void cflri_choices_tell(const cflri_choices *choices, cflr_extract_opts *opts);

/* As numbers, for files. False for a number that is no choice. */
void cflri_choices_write(const cflri_choices *choices, uint32_t numbers[CFLRI_N_CHOICES]);
bool cflri_choices_read(cflri_choices *choices, const uint32_t numbers[CFLRI_N_CHOICES]);

/* The option of the command that was chosen otherwise; NULL: none. Options that were not touched
 * are all 0. */
const char *cflri_choices_differ(const cflri_choices *a, const cflri_choices *b);

#endif
