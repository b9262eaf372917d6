/* SPDX-License-Identifier: Apache-2.0
 *
 * finding_print.h: findings of rules, told to people and as JSON (docs/rules.md, docs/json.md).
 */
#ifndef CFLR_CLI_FINDING_PRINT_H
#define CFLR_CLI_FINDING_PRINT_H

#include "cflr/findings.h"
#include "cli/cli.h"

/* The likely ones, one for each cause; or all. Returns how many have been printed. */
size_t findings_print(const cflr_findings *found, const cflr_graph *graph, bool all, FILE *file);
json_t *findings_json(const cflr_findings *found, const cflr_graph *graph);

#endif
