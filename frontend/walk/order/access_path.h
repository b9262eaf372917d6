/* SPDX-License-Identifier: Apache-2.0
 *
 * access_path.h: expressions that name the same place each time, for tested.c.
 */
#ifndef CFLRI_ACCESS_PATH_H
#define CFLRI_ACCESS_PATH_H

#include <stdbool.h>
#include <stdint.h>

enum { CFLRI_PATH_MOST = 5 /* steps */ };

typedef enum cflri_path_step {
    CFLRI_PATH_ARROW, /* ->m: `at` is the member */
    CFLRI_PATH_DOT,   /* .m */
    CFLRI_PATH_DEREF, /* * */
    CFLRI_PATH_INDEX, /* [at] */
    CFLRI_PATH_NAMED, /* [i]: `at` is the declaration of i */
    CFLRI_PATH_FOUND, /* strchr() or strrchr() of it: `at` is the character */
} cflri_path_step;

/* A variable and steps from there. Zero bytes are valid; bytes beyond the steps are zero. */
typedef struct cflri_path {
    uint32_t root; /* declaration */
    uint32_t n;
    struct {
        uint32_t kind, at;
    } step[CFLRI_PATH_MOST];
    uint32_t memory; /* code that does not name the variable may change it: 0 or 1 */
} cflri_path;

/* The place that an expression writes to. */
typedef struct cflri_change {
    cflri_path path;
    bool named;      /* the path is known */
    bool memory;     /* that code elsewhere may see */
    bool pointer;    /* it is one */
    bool moves;      /* p++: where it was not null, it is not */
    bool number;     /* of more than a byte, which is no part of a pointer */
    bool byte;       /* of one byte, which may be a part of a pointer, but hardly is */
    uint32_t member; /* that is written, with none beside it in a union; or CFLRI_NO_NUMBER */
} cflri_change;

#endif
