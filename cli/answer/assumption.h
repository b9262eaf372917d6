/* SPDX-License-Identifier: Apache-2.0
 *
 * assumption.h: what a `no` rests on, told to people and as JSON.
 */
#ifndef CFLR_CLI_ANSWER_ASSUMPTION_H
#define CFLR_CLI_ANSWER_ASSUMPTION_H

#include "cflr/findings.h"
#include "cli/run/run.h"

/* The condition behind a no: "", ", if the program keeps to C's aliasing rules", ... */
const char *assumption_condition(cflr_assumption a);
/* The value of `assumes` in docs/reference/json.md: a list of words. */
json_t *assumption_json(cflr_assumption a);

#endif
