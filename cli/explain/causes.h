/* SPDX-License-Identifier: Apache-2.0
 *
 * causes.h: what may make the answers about a program large: places of its graph that mix values,
 * and what each could be instead.
 */
#ifndef CFLR_CLI_EXPLAIN_CAUSES_H
#define CFLR_CLI_EXPLAIN_CAUSES_H

#include "cli/run/run.h"

typedef enum cause_kind {
    CAUSE_UNMODELLED, /* a function without body or summary gives all that it was given */
    CAUSE_ALLOCATOR,  /* a function of the program returns memory of one site to many calls */
    CAUSE_RETURNED,   /* a function of the library that makes memory may return its argument */
    CAUSE_COPIED,     /* memory is copied without its type */
    CAUSE_BYTES,      /* memory is copied in pieces */
    CAUSE_VIEW,       /* memory is seen under another type */
    CAUSE_MOVED,      /* a pointer is moved by a number that is not known */
    CAUSE_UNTYPED,    /* memory of which it is not known what it is used as */
    CAUSE_KEPT,       /* values of any type are kept in one member, or one variable */
    CAUSE_MERGED,     /* a function returns what any call of it gave, to all of them */
    CAUSE_PASSED,     /* what many functions pass meets in a parameter */
    CAUSE_KINDS
} cause_kind;

/* A vertex, and what becomes of it without the cause: a cflr_change. Of NONE, it only tells how
 * much the cause weighs. */
typedef struct cause_part {
    uint32_t vertex;
    uint8_t change;
} cause_part;

/* One place, or all places of one kind together (`places` > 1 and no name). */
typedef struct cause {
    cause_kind kind;
    bool group;
    const char *record; /* type of the record of which `name` is a member; "" */
    const char *name;   /* of a function; lives as long as the graph; NULL: a group */
    const char *file;   /* of the first place */
    uint32_t line;
    cause_part *part;
    size_t n, capacity;
    size_t places;   /* functions, calls or vertices */
    size_t number;   /* in the order of finding */
    uint64_t weight; /* a guess at what it is worth: objects that its vertices point to */
    /* of the profiler */
    uint64_t gain;     /* pairs that were gone without it when it was measured last */
    uint32_t measured; /* in which round, from 1 on; 0: never */
} cause;

typedef struct causes {
    cause *at; /* groups first, then single ones by kind and place */
    size_t n, capacity;
} causes;

/* Finds all. 0, or the exit code after a message; to be freed in both cases. O(graph log). */
int causes_find(const cflr_graph *graph, causes *found);
void causes_free(causes *found);

/* The word of JSON, what is said of it in text, and what a user can do. */
const char *cause_word(const cause *c);
void cause_print(const cause *c, FILE *file);
const char *cause_advice(const cause *c);

#endif
