/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_support.h: applies summaries to made-up calls and writes the facts that come out as text.
 *
 *     strtol: *arg1 = arg0            arguments are variables arg0, arg1, ...; the result is ret
 *     malloc: ret = &malloc()#0       the object of the first `new`
 *     qsort: *arg3:0 = arg0; ...      parameter 0 of whatever arg3 points to
 *
 * The text is read off the nodes of the facts, by how each was made, and not off the summary.
 */
#ifndef SUMMARY_SUPPORT_H
#define SUMMARY_SUPPORT_H

#include "frontend/summaries/summary_language.h"

enum { SUPPORT_ARGUMENTS = 12 };

typedef struct fixture {
    cflr_context *context;
    cflri_facts facts;
    uint32_t caller;
    cflri_node argument[SUPPORT_ARGUMENTS];
    cflri_node result;
} fixture;

void fixture_open(fixture *f, cflr_fields fields);
void fixture_close(fixture *f);

/* A call in the file "/src/a.c" at the line and, as offset, ten times the line. */
uint32_t fixture_call(fixture *f, uint32_t line);

/* The external call with all arguments and the result, to be changed as the test likes. */
cflri_external_call fixture_external(fixture *f, const char *function);

/* The summaries of one text. Fails the test when it does not read. */
cflri_summaries *read_text(cflr_context *context, const char *text);

/* Writes facts->assigns from number `first` on, separated by "; ", "none" when there are none.
 * Returns `buffer`. */
char *write_assigns(const cflri_facts *facts, size_t first, char *buffer, size_t size);

/* Applies the summary of `function`, or else of the variable of that name, whose content is ret, to
 * a fresh set of facts and writes what it states; copies that the summary asks for are written as
 * "copy argA argB". */
char *write_effects(const cflri_summaries *summaries, const char *function, char *buffer,
                    size_t size);

#endif
