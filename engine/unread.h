/* SPDX-License-Identifier: Apache-2.0
 *
 * unread.h: tells of facts that a grammar does not read, and of answers that nothing leads to.
 */
#ifndef CFLRI_UNREAD_H
#define CFLRI_UNREAD_H

#include "cflr/solve.h"
#include "grammar/equations/ground.h"

/* Logs warnings, unless the context's last ones were the same. O(labels log labels + symbols). */
cflr_status cflri_tell_unread(const cflri_ground *ground, cflr_error *error);

/* cflr_solve without these warnings: for a grammar that is made of another one, and reads what it
 * needs. */
cflr_status cflri_solve(const cflr_graph *graph, const cflr_grammar *grammar,
                        const cflr_solve_opts *opts, cflr_result **result, cflr_error *error);

#endif
