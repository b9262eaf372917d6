/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_imprecision.h: `cflr explain --imprecision RESULT`: by what most of a program's points-to
 * pairs come about.
 */
#ifndef CFLR_CLI_EXPLAIN_IMPRECISION_H
#define CFLR_CLI_EXPLAIN_IMPRECISION_H

#include "cli/cli.h"

/* Prints up to `most` causes, after session_begin; the exit code. */
int explain_imprecision(const char *path, uint32_t most);

#endif
