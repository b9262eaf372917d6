/* SPDX-License-Identifier: Apache-2.0
 *
 * conditions.h: what a condition decides, for control.c.
 */
#ifndef CFLRI_CONDITIONS_H
#define CFLRI_CONDITIONS_H

#include "frontend/walk/walk.h"

typedef enum cflri_condition_kind {
    CFLRI_CONDITION_OF_PART, /* parentheses, conversions: as `last` is */
    CFLRI_CONDITION_NOT,     /* !last */
    CFLRI_CONDITION_COMMA,   /* `first` without its value, then as `last` is */
    CFLRI_CONDITION_AND,     /* first && last */
    CFLRI_CONDITION_OR,      /* first || last */
    CFLRI_CONDITION_CHOICE,  /* chooser ? first : last */
    CFLRI_CONDITION_TEST,    /* anything else: decided as a whole */
} cflri_condition_kind;

typedef struct cflri_condition {
    cflri_condition_kind kind;
    uint32_t first, last;
    uint32_t chooser;
} cflri_condition;

/* How a condition is taken apart, by one step. */
cflri_condition cflri_condition_parts(cflri_walk *w, uint32_t e);

/* The pointer that a test is about, which is not null when the test has the outcome *when;
 * CFLRI_NO_CHILD when it is about something else. */
uint32_t cflri_condition_pointer(cflri_walk *w, uint32_t test, bool *when);

/* Is the condition a number, which is 0 in no smaller type unless it is 0: then *always is
 * whether it is other than 0. */
bool cflri_condition_is_constant(const cflri_walk *w, uint32_t e, bool *always);

/* Of a pointer that is an assignment: its right side, which has the same value; else
 * CFLRI_NO_CHILD. */
uint32_t cflri_condition_assigned(const cflri_walk *w, uint32_t pointer);

/* Are two pointers the same where the test has the outcome `yes`? */
bool cflri_condition_is_equality(cflri_walk *w, uint32_t test, bool yes, uint32_t *first,
                                 uint32_t *second);

/* May the value have lost bits by a conversion to fewer, so that 0 tells nothing of what was
 * converted? */
bool cflri_condition_is_narrowed(cflri_walk *w, uint32_t e);

/* May either outcome of a test that is about no pointer show something of one: is it a local
 * number, a call, or a comparison of two pointers? */
bool cflri_condition_shows(cflri_walk *w, uint32_t test);

/* The function that is called by its name, or CFLRI_NO_NUMBER. */
uint32_t cflri_call_function(cflri_walk *w, uint32_t call);

/* Is this a call of a function that never returns, or through a pointer whose type says so? */
bool cflri_call_never_returns(cflri_walk *w, uint32_t call);

/* Is it a call by name of a function that another unit of the program may have, and know never to
 * return? */
bool cflri_call_leaves_unit(cflri_walk *w, uint32_t call);

#endif
