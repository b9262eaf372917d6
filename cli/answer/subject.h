/* SPDX-License-Identifier: Apache-2.0
 *
 * subject.h: what stands at a place that a question asks about.
 */
#ifndef CFLR_CLI_ANSWER_SUBJECT_H
#define CFLR_CLI_ANSWER_SUBJECT_H

#include "cli/names/names.h"

/* Is it a name that is a place, so that an answer says what stands there? */
bool names_subject(const cflr_graph *graph, const char *spec);

/* "list.c:21:17 is getter() (dereference, in main)", a line, for the things (end_of_thing) of a
 * name that is a place. */
void print_subject(FILE *file, const cflr_graph *graph, const char *spec, const place_set *things);

/* The same for the key "subjects" of an answer. */
void add_subject(json_t *answer, const cflr_graph *graph, const char *spec,
                 const place_set *things);

#endif
