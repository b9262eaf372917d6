/* SPDX-License-Identifier: Apache-2.0
 *
 * targets.h: the executables and libraries that a compilation database tells.
 */
#ifndef CFLR_CLI_EXTRACT_TARGETS_H
#define CFLR_CLI_EXTRACT_TARGETS_H

#include "cflr/extract.h"
#include "cli/run/run.h"

/* The targets of docs/reference/json.md. */
json_t *targets_json(const cflr_extract_report *report);

/* Prints the list of `cflr extract --list-targets`; the exit code to use. */
int targets_print(const cflr_extract_report *report);

#endif
