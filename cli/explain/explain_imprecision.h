/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_imprecision.h: `cflr explain --imprecision RESULT`: by what most of a program's points-to
 * pairs come about.
 */
#ifndef CFLR_CLI_EXPLAIN_EXPLAIN_IMPRECISION_H
#define CFLR_CLI_EXPLAIN_EXPLAIN_IMPRECISION_H

#include "cli/run/run.h"

/* Prints up to `most` causes; the exit code. `result` is a closure of the graph under the grammar,
 * or NULL: it is made then. */
int explain_imprecision(const cflr_graph *graph, const cflr_grammar *grammar,
                        const cflr_result *result, uint32_t most);

#endif
