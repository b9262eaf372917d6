/* SPDX-License-Identifier: Apache-2.0
 *
 * lost.h: answers that depend on values which the analysis does not follow
 * (docs/reference/constructs.md, *Where flow ends*).
 */
#ifndef CFLR_CLI_ANSWER_LOST_H
#define CFLR_CLI_ANSWER_LOST_H

#include "cflr/findings.h"
#include "cli/run/run.h"

/* The first vertex of kind LOST that one of these pointers may point to, or CFLR_NO_VERTEX. */
uint32_t lost_among(const cflr_result *result, const uint32_t *pointers, size_t n);

/* "a value is not followed: a pointer in a narrower integer, at a.c:5:9" */
void print_lost(FILE *file, const cflr_graph *graph, uint32_t lost);

/* Warns of what a `no` rests on: what was not read, and memory that is written through values which
 * are not followed. */
void warn_lost(const cflr_result *result);

/* Of the second alone. */
void warn_lost_writes(const cflr_result *result);

/* The same, told by a caller: WHAT follows from the CAUSES, of which the first are named. */
typedef void lost_told(void *user, const char *what, const char *causes);
void tell_lost(const cflr_result *result, lost_told *tell, void *user);

/* In how many places was code not read? (A unit that is not there, or has errors, is one.) */
size_t unread_code(const cflr_graph *graph);

/* "warning: WHAT: code with errors: 'x.h' file not found, at a.c:1", if there is code that was not
 * read. */
void warn_unread(const cflr_graph *graph, const char *what);

/* Warns if a value that is not followed comes to a sink of a rule. */
void warn_lost_sinks(const cflr_graph *graph, const cflr_findings_counts *counts);

#endif
