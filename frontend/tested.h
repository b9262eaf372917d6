/* SPDX-License-Identifier: Apache-2.0
 *
 * tested.h: reads of pointers that a test has shown not to be null, whatever expressions they are.
 */
#ifndef CFLRI_TESTED_H
#define CFLRI_TESTED_H

#include "base/vec.h"
#include "frontend/access_path.h"

/* What is known of a pointer where it is read. */
typedef enum cflri_shown {
    CFLRI_SHOWN_NOTHING,
    CFLRI_SHOWN_PERHAPS, /* not null, if no call between the test and the read changes it */
    CFLRI_SHOWN_SURELY,  /* not null */
} cflri_shown;

/* That the value of a path is other than 0, or that it is 0. */
typedef struct cflri_truth {
    cflri_path path;
    uint32_t yes; /* 0 or 1 */
} cflri_truth;

/* `then` holds where `given` does; without condition it just holds. */
typedef struct cflri_known {
    cflri_truth given, then;
    bool conditional;
    uint32_t given_holds, then_holds; /* the facts without condition */
} cflri_known;

/* What a step does to what is known: facts that begin to hold, and what it writes to. */
typedef struct cflri_effect {
    uint32_t first, end; /* in `begun` */
    cflri_change change; /* of a write */
    bool forgets;        /* all of it: setjmp returns twice */
    bool pure;           /* a call that changes no pointer but by what it is given as &x */
} cflri_effect;

/* Zero bytes are valid. */
typedef struct cflri_tested {
    CFLRI_VEC(uint32_t) taken; /* declarations that are changed by more than their name */
    CFLRI_VEC(cflri_known) facts;
    CFLRI_VEC(uint32_t) begun;
    CFLRI_VEC(cflri_effect) effects; /* by step */
    CFLRI_VEC(uint64_t) states;      /* by block: a bit for each fact, before it and behind it */
    CFLRI_VEC(uint64_t) now;
    bool hopeful; /* calls change nothing that they are not given */
} cflri_tested;

/* What a function shows of its arguments: a bit for each that is not null when the result is 0, when it is not. */
typedef struct cflri_shows {
    uint32_t when[2];
} cflri_shows;

#endif
