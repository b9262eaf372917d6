/* SPDX-License-Identifier: Apache-2.0
 *
 * locals.h: the local pointers of a function that are taken apart by their definitions
 * (versions.h).
 */
#ifndef CFLRI_LOCALS_H
#define CFLRI_LOCALS_H

#include "base/vec.h"

#define CFLRI_NO_LOCAL UINT32_MAX

typedef struct cflri_local {
    uint32_t decl;   /* in the names */
    uint32_t writes; /* initialisers, assignments; a parameter's argument is one */
    bool whole;      /* others may see it: not to be split */
} cflri_local;

/* Zero bytes are valid. */
typedef struct cflri_locals {
    CFLRI_VEC(cflri_local) all; /* of the function that is being walked */
    bool refused;               /* code of this function does not run in order */
    bool twice;                 /* it calls setjmp: longjmp comes back to there */
    bool anywhere;              /* it saves its context: nothing in it is split */
} cflri_locals;

#endif
