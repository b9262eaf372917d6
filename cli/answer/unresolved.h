/* SPDX-License-Identifier: Apache-2.0
 *
 * unresolved.h: calls through values for which no function was found, and why.
 */
#ifndef CFLR_CLI_ANSWER_UNRESOLVED_H
#define CFLR_CLI_ANSWER_UNRESOLVED_H

#include "cli/answer/entered.h"

typedef struct unresolved_call {
    uint32_t call; /* of the graph */
    entered_cause cause;
    uint32_t object; /* or CFLR_NO_VERTEX */
} unresolved_call;

typedef struct unresolved_list {
    unresolved_call *at; /* in the order of the graph */
    size_t n;
} unresolved_list;

/* Looks all calls up in the result, which answers `points-to`. 0, or the exit code after a message;
 * `at` is freed by the caller in both cases. O(calls * what they may point to). */
int unresolved_find(const cflr_result *result, unresolved_list *list);

/* A line for each; the list of docs/reference/json.md. */
void unresolved_print(const unresolved_list *list, const cflr_graph *graph, FILE *file);
json_t *unresolved_json(const unresolved_list *list, const cflr_graph *graph);
json_t *unresolved_call_json(const cflr_graph *graph, const unresolved_call *call);

/* The cause of a call that no function was found for. */
void unresolved_print_cause(entered_cause cause, uint32_t object, const cflr_graph *graph,
                            FILE *file);

#endif
