/* SPDX-License-Identifier: Apache-2.0
 *
 * apart.h: what a `no` rests on.
 */
#ifndef CFLR_CLI_APART_H
#define CFLR_CLI_APART_H

#include "cli/cli.h"

/* Which rules of C the answers of a graph rely on. */
typedef struct assumption {
    bool aliasing; /* memory is read and written by its type (--aliasing strict) */
    bool text;     /* what is copied as characters holds no pointers (--aliasing text) */
    bool callees;  /* functions are called by their type (--callees types) */
} assumption;

assumption assumption_of(const cflr_graph *graph);
/* What follows a no: "", ", if the program keeps to C's aliasing rules", ... */
const char *assumption_condition(assumption a);
/* The value of `assumes` in docs/json.md: a list of words. */
json_t *assumption_json(assumption a);

/* Classes of values none of which holds an address that one of another class holds, whatever the
 * types are. */
typedef struct apart_classes {
    const cflr_graph *graph;
    bool made;
    uint32_t n; /* values, and memory that no vertex stands for */
    uint32_t *parent, *points_to, *slots;
    bool known; /* false: nothing is told apart_classes */
} apart_classes;

/* They are made for the first question, near linear in the edges; without memory nothing is known,
 * and so of open programs. */
void apart_begin(const cflr_graph *graph, apart_classes *a);
void apart_free(apart_classes *a);
/* Is there no pair of the two lists of vertices that may alias? */
bool apart_are(apart_classes *a, const uint32_t *p, size_t n_p, const uint32_t *q, size_t n_q);
/* Do these objects have among them all that the pointers may point to? */
bool apart_has_all(apart_classes *a, const place_set *of, const uint32_t *objects, size_t n);

#endif
