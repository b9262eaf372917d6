/* SPDX-License-Identifier: Apache-2.0
 *
 * outside.h: answers about an open program (docs/explanation/open-programs.md), told to people and
 * as JSON.
 */
#ifndef CFLR_CLI_ANSWER_OUTSIDE_H
#define CFLR_CLI_ANSWER_OUTSIDE_H

#include "cli/names/names.h"

/* "program", "caller", "unknown", "lost", "unanswered" */
const char *through_word(cflr_through through);
/* The condition behind a yes: "", ", if the caller passes the same memory", ... */
const char *through_condition(cflr_through through);

/* Why an answer is CFLR_THROUGH_UNANSWERED, of vertices that the result covers. */
const char *why_unanswered(const cflr_result *result);

/* The best that holds for one of the pairs: the program's own doing before that of callers. The
 * pair comes to `pair` unless that is NULL: the first one, if none holds. */
cflr_through places_alias(const cflr_result *result, const place_set *from, const place_set *to,
                          uint32_t pair[2]);

/* Warns when the program is open, or has functions without model, and the result cannot tell what
 * these do. */
void warn_unfollowed_outside(const cflr_result *result);

/* Does the outside of an open program know the address of this object? */
bool object_escapes(const cflr_result *result, uint32_t object);

/* For the outside among what `pointers` point to: where it comes from, and what it stands for. */
int print_outside(FILE *file, const cflr_result *result, const place_set *pointers);
int outside_json(json_t *object, const cflr_result *result, const place_set *pointers);

#endif
