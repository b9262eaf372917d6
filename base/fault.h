/* SPDX-License-Identifier: Apache-2.0
 *
 * fault.h: messages of functions that validate a whole structure.
 *
 *     bool cflri_<thing>_validate(const cflri_<thing> *thing, FILE *to);   false, with messages
 *     void cflri_<thing>_dump(const cflri_<thing> *thing, FILE *to);
 *
 * Tests and debuggers call these functions. Debug builds assert them between two phases, where no
 * thread changes the structure: assert(cflri_<thing>_validate(thing, stderr)). They take no memory
 * from a context, so its limit and its counts stay as they are.
 */
#ifndef CFLRI_FAULT_H
#define CFLRI_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cflri_faults {
    FILE *to;
    uint32_t n;
} cflri_faults;

/* Counts a fault, and prints the first few, a line each. Returns false. */
bool cflri_fault(cflri_faults *faults, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns zero bytes, which the caller frees with free. The process ends if there is no memory. */
void *cflri_fault_room(size_t n, size_t size);

#endif
