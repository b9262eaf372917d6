/* SPDX-License-Identifier: Apache-2.0
 *
 * callees.h: which calls through values may enter which functions, by their types.
 */
#ifndef CFLRI_CALLEES_H
#define CFLRI_CALLEES_H

#include "frontend/program/link.h"

/* Of a program whose roles are known; nothing where types do not count. Leaves a note for each call
 * by a type that no function has. O(signatures of calls * signatures of functions). */
cflr_status cflri_callees_make(cflri_program *program, cflr_error *error);
void cflri_callees_free(cflr_context *context, cflri_callees *callees);

/* The signature that labels name for a call by that signature: the same, or CFLRI_NO_SIGNATURE
 * where it enters any function. */
uint32_t cflri_called_by(const cflri_program *program, uint32_t signature);

/* The signatures of calls that enter the function, besides those of calls that enter any. */
typedef struct cflri_entries {
    const uint32_t *signature;
    size_t n;
} cflri_entries;
cflri_entries cflri_entries_of(const cflri_program *program, uint32_t function);

/* Does a call enter the function? `signature`: as cflri_called_by tells it. */
bool cflri_enters(const cflri_program *program, uint32_t function, uint32_t signature);

#endif
