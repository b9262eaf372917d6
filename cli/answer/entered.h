/* SPDX-License-Identifier: Apache-2.0
 *
 * entered.h: which functions a call through values may enter, and what else comes to them.
 */
#ifndef CFLR_CLI_ANSWER_ENTERED_H
#define CFLR_CLI_ANSWER_ENTERED_H

#include "cflr/findings.h"
#include "cli/run/run.h"

/* Why no function was found, or not all: the later ones tell more. */
typedef enum entered_cause {
    CAUSE_NOTHING, /* nothing flows to the value */
    CAUSE_DATA,    /* objects that are no functions do: `object` is one */
    CAUSE_TYPES, /* functions do, but of other types than the call's (--callees): `object` is one */
    CAUSE_OUTSIDE, /* what an open program's outside gives */
    CAUSE_UNKNOWN, /* what functions or variables without model give: `object` is one */
} entered_cause;

/* A result whose calls are looked up. */
typedef struct entering {
    const cflr_result *result; /* it answers points-to */
    const cflr_graph *graph;
    uint32_t points_to;
    cflr_call_type type; /* of the call that was looked up last */
    entered_cause cause;
    uint32_t object; /* or CFLR_NO_VERTEX */
} entering;

/* Called for each function, a vertex, that a call may enter, perhaps more than once; false: no
 * more. */
typedef bool entered_function(void *user, uint32_t vertex);

void entering_begin(entering *e, const cflr_result *result);

/* Call number `i` of the graph; `cause` and `object` are of it then. O(what its values may point
 * to). */
void entering_look_up(entering *e, uint32_t i, entered_function *found, void *user);

/* Why: as people read it, and as the word of docs/reference/json.md. */
const char *entered_text(entered_cause cause);
const char *entered_word(entered_cause cause);
/* Is the object worth telling? */
bool entered_names_object(entered_cause cause, uint32_t object);

#endif
