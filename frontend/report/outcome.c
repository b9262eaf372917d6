/* SPDX-License-Identifier: Apache-2.0
 *
 * outcome.c: the texts of an outcome.
 */
#include "frontend/report/outcome.h"

#include <stdio.h>

void cflri_unit_outcome_say(cflri_unit_outcome *outcome, const char *first_error,
                            const char *error_file) {
    snprintf(outcome->first_error, sizeof outcome->first_error, "%s", first_error);
    snprintf(outcome->error_file, sizeof outcome->error_file, "%s", error_file);
}
