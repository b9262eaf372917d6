/* SPDX-License-Identifier: Apache-2.0
 *
 * unresolved.h: calls through values for which no function was found, and why.
 */
#ifndef CFLR_CLI_UNRESOLVED_H
#define CFLR_CLI_UNRESOLVED_H

#include "cflr/extract.h"
#include "cli/cli.h"

/* Why no function was found: the later ones tell more. */
typedef enum unresolved_cause {
    CAUSE_NOTHING, /* nothing flows to the value */
    CAUSE_DATA,    /* objects that are no functions do: `object` is one */
    CAUSE_TYPES, /* functions do, but of other types than the call's (--callees): `object` is one */
    CAUSE_OUTSIDE, /* what an open program's outside gives */
    CAUSE_UNKNOWN, /* what functions or variables without model give: `object` is one */
} unresolved_cause;

typedef struct unresolved_call {
    const cflr_called *call;
    unresolved_cause cause;
    uint32_t object; /* or CFLR_NO_VERTEX */
} unresolved_call;

typedef struct unresolved_list {
    unresolved_call *at; /* in the order of the report */
    size_t n;
} unresolved_list;

/* Looks all calls of the report up in the result, which answers `points-to`. False when out of memory, after a message;
 * `at` is freed by the caller in any case. O(calls * what they may point to). */
bool unresolved_find(const cflr_extract_report *report, const cflr_result *result,
                     unresolved_list *list);

/* A line for each; the list of docs/json.md. */
void unresolved_print(const unresolved_list *list, const cflr_graph *graph, FILE *file);
json_t *unresolved_json(const unresolved_list *list, const cflr_graph *graph);

#endif
