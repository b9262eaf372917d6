/* SPDX-License-Identifier: Apache-2.0
 *
 * verdict.h: what a result says about a check in the source, and how that is told.
 */
#ifndef CFLR_CLI_VERDICT_H
#define CFLR_CLI_VERDICT_H

#include "cflr/extract.h"
#include "cli/apart.h"
#include "cli/cli.h"
#include "cli/member.h"

typedef enum verdict_found {
    FOUND_NO_ALIAS,
    FOUND_ALIAS,
    FOUND_PROBLEM, /* the check cannot be asked: it fails */
    FOUND_NOTHING, /* the work was stopped before it was known */
    FOUND_LOST,    /* they may alias, since the value of one is not followed */
} verdict_found;

/* The lists are empty when the grammar does not answer `points-to`. */
typedef struct verdict {
    const cflr_check *check;
    verdict_found found;
    bool passed;
    size_t n_alias;                /* in how many of the check's pairs they alias */
    size_t first;                  /* the first of these */
    cflr_through through;          /* the best of these: by whose doing */
    bool knows_objects;            /* does the grammar answer `points-to`? */
    cflr_vertex_list points_to[2]; /* objects, in any copy of the function */
    cflr_vertex_list common;       /* of both, in the pair `first` */
    members members[2];            /* of those that they point to */
    uint32_t lost;                 /* FOUND_LOST: the vertex that stands for that value */
    assumption rests_on;           /* FOUND_NO_ALIAS: unless it holds whatever the types are */
    bool single_object;            /* in each pair that aliases both point to one object only */
} verdict;

/* Reads the verdict off a result that answers the questions from all vertices of the check. 0, or the exit
 * code after a message; to be freed in both cases. `apart`: of its graph. */
int verdict_make(const cflr_result *result, const cflr_check *check, apart_classes *apart,
                 verdict *v);
void verdict_free(verdict *v);

/* One line. */
void verdict_print(const verdict *v, const cflr_graph *graph, FILE *file);
/* The members of `checks` in docs/json.md. */
json_t *verdict_json(const verdict *v, const cflr_graph *graph);

#endif
