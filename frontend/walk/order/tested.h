/* SPDX-License-Identifier: Apache-2.0
 *
 * tested.h: reads of pointers that a test has shown not to be null, whatever expressions they are.
 */
#ifndef CFLRI_TESTED_H
#define CFLRI_TESTED_H

#include "base/vec.h"
#include "frontend/walk/order/access_path.h"

/* The knowledge of a pointer where it is read. */
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

enum { CFLRI_MOST_SHOWN = 8 /* by one outcome */ };

typedef struct cflri_shown_list {
    uint32_t n;
    cflri_truth at[CFLRI_MOST_SHOWN];
} cflri_shown_list;

/* A truth holds, or where one holds, another does; both are facts before it. */
typedef struct cflri_known {
    cflri_truth truth;
    bool conditional;
    bool read;            /* somewhere where versions.c does not know it */
    uint32_t tests;       /* that show it */
    bool assigned;        /* the path is assigned a constant, somewhere */
    bool wanted;          /* it may bring about what is known of a read */
    uint32_t number;      /* among the wanted ones */
    uint32_t given, then; /* numbers of facts */
    uint32_t links;    /* of a truth: the first of the conditions that have to do with it, plus 1 */
    uint32_t contrary; /* of a truth: the fact that its opposite holds, or CFLRI_NO_NUMBER */
} cflri_known;

/* The effect of a step on the facts: those that begin to hold, and those that end before. */
typedef struct cflri_effect {
    uint32_t first, end; /* in `begun` */
    uint32_t row;        /* of `ends`, plus 1; 0: none ends */
    uint32_t read;       /* of a read: the fact that it is not null, plus 1; 0: there is none */
    cflri_change change; /* of a write */
} cflri_effect;

/* A condition that has to do with a truth, and the next one, plus 1. */
typedef struct cflri_about {
    uint32_t fact, next;
} cflri_about;

/* A declaration that is changed by more than its name, from where the expression is read on. */
typedef struct cflri_taken {
    uint32_t decl;
    uint32_t e; /* its name, whose address is taken; CFLRI_NO_CHILD: from the beginning on */
} cflri_taken;

/* Zero bytes are valid. */
typedef struct cflri_tested {
    CFLRI_VEC(cflri_taken) taken;
    CFLRI_VEC(uint32_t) lent; /* declarations that `escapes` has rows of */
    CFLRI_VEC(uint32_t)
    escapes; /* by declaration and block: the first step there behind which others
                                    may know its address */
    CFLRI_VEC(cflri_known) facts;
    CFLRI_VEC(uint32_t) conditionals; /* their numbers */
    CFLRI_VEC(cflri_about) links;
    CFLRI_VEC(uint32_t) begun;
    CFLRI_VEC(cflri_effect) effects; /* by step */
    CFLRI_VEC(uint64_t) ends;        /* rows: a bit for each fact */
    CFLRI_VEC(uint64_t) states;      /* by block: a bit for each fact, before it and behind it */
    CFLRI_VEC(uint64_t) now;
    CFLRI_VEC(uint64_t) conditional; /* which facts are conditions */
    CFLRI_VEC(uint8_t) waiting;      /* by block: must it be passed (again)? */
    uint32_t block;                  /* that is being looked at */
    uint64_t roots;                  /* of the facts' paths: a bit for each number, modulo 64 */
    bool memory;                     /* is it one of the paths? */
    bool text;                       /* does one look through a text? */
    bool hopeful;                    /* calls change nothing that they are not given */
    bool of_arguments;               /* what is apart alone matters */
} cflri_tested;

/* The arguments that a function shows not to be null: a bit for each that is not null when the
 * result is 0, when it is not. */
typedef struct cflri_shows {
    uint32_t when[2];
} cflri_shows;

#endif
