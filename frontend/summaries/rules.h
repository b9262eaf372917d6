/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.h: rules of data flow: which values come from outside, and where they must not come to.
 *
 *     rule command "text from outside runs as a command"
 *         source getenv: *ret
 *         sink system: *arg0
 *
 *     char *v = getenv("V");       SOURCE getenv()  --source[command]-->  *v
 *     system(v);                   *v  --sink[command]-->  SINK system()
 *
 * Rules are data beside the summaries (docs/reference/rules.md has the language). A marked call has
 * a vertex of its own for each rule, in its caller, whatever body or summary the callee has. A rule
 * of null pointers begins at all of them, and may end wherever a pointer is followed: such a place
 * has a vertex, too. A variable of a marked name (`environ`) is marked where it is declared. A
 * grammar decides what flows in between.
 */
#ifndef CFLRI_RULES_H
#define CFLRI_RULES_H

#include "frontend/summaries/summary.h"

/* Reads shipped rules, by name, and files; before any unit is read. CFLR_IO; CFLR_SYNTAX with
 * place. */
cflr_status cflri_rules_read(cflri_summaries *summaries, const char *const *rules, size_t n,
                             cflr_error *error);

/* Is there any rule? */
bool cflri_rules_there(const cflri_summaries *summaries);

/* The name under which rules mark calls of a function of the facts: as cflri_summarised_name. */
const char *cflri_marked_name(const cflri_summaries *summaries, const cflri_facts *facts,
                              uint32_t function);

/* One call of a marked function; or a marked variable, whose result is what it holds. */
typedef struct cflri_marked_call {
    const char *function; /* name under which it is marked */
    bool variable;
    uint32_t caller;
    cflri_place place;
    uint32_t call; /* number in the facts; NO_CALL: the marks hold whatever the callee's body is */
    const cflri_node *arguments; /* as of cflri_external_call */
    uint32_t n_arguments;
    cflri_node result;
    /* Arguments, plus 1; 0: none. */
    uint32_t format; /* that the function's attribute says is a format */
    uint32_t passed; /* that is the format which the caller's attribute says that it gets */
} cflri_marked_call;

/* Does a rule ask for formats that attributes declare? */
bool cflri_rules_ask_formats(const cflri_summaries *summaries);

/* Is it the name of a function or variable that a rule marks? */
bool cflri_is_marked(const cflri_summaries *summaries, const char *name);

/* States the edges from sources and to sinks. Failures are sticky in the facts. */
void cflri_rules_mark(const cflri_summaries *summaries, cflri_facts *facts,
                      const cflri_marked_call *call);

/* Is it the name of one of the rule's programs, with or without a directory? The literal is spelled
 * as in the source: "\"/bin/sh\"". */
bool cflri_rule_names_program(const cflri_summaries *summaries, uint32_t rule, const char *literal);

/* Text of a rule's name, by its number; NULL when there are not so many. */
const char *cflri_rule_name(const cflri_summaries *summaries, uint32_t rule);

#endif
