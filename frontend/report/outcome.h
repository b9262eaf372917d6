/* SPDX-License-Identifier: Apache-2.0
 *
 * outcome.h: how the reading of a unit ended.
 */
#ifndef CFLRI_OUTCOME_H
#define CFLRI_OUTCOME_H

#include <stdint.h>

typedef enum cflri_unit_state {
    CFLRI_UNIT_READ,
    CFLRI_UNIT_DEGRADED, /* read, with errors */
    CFLRI_UNIT_LOST,     /* nothing was read */
} cflri_unit_state;

typedef struct cflri_unit_outcome {
    cflri_unit_state state;
    uint32_t errors;
    uint64_t lines;        /* of the main file */
    char first_error[256]; /* text of the first error */
    char error_file[256];
    uint32_t error_line;
} cflri_unit_outcome;

/* Takes the texts of an outcome that was kept; what has no room is cut off. */
void cflri_unit_outcome_say(cflri_unit_outcome *outcome, const char *first_error,
                            const char *error_file);

#endif
