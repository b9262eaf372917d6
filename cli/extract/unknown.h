/* SPDX-License-Identifier: Apache-2.0
 *
 * unknown.h: `cflr extract --unknown`: the functions that have no model.
 */
#ifndef CFLR_CLI_EXTRACT_UNKNOWN_H
#define CFLR_CLI_EXTRACT_UNKNOWN_H

#include "cflr/extract.h"
#include "cli/run/run.h"

/* Prints the list to standard output; returns the exit code. */
int unknown_print(const cflr_extract_report *report);

#endif
