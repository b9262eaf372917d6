/* SPDX-License-Identifier: Apache-2.0
 *
 * results.h: what becomes of the results of calls: which type they are taken for, and which are
 * handed on.
 */
#ifndef CFLRI_RESULTS_H
#define CFLRI_RESULTS_H

#include "frontend/program/link.h"

/* Types are strings of the program: the type that a pointer points to, without qualifiers. */
typedef struct cflri_results {
    uint32_t *declared; /* by function: what its result points to; 0: no pointer to an object */
    uint32_t *type;     /* by call: what its result is taken for, or declared as; 0: not known */
    bool *handed_on;    /* by call: its result may be a result of the caller */
    bool *returned;     /* by node: its value may be a result of its function */
    bool *gives_back;   /* by function: its result may be what a parameter was given */
} cflri_results;

/* Fills a zeroed struct from a closed program. Free it also when this fails. O(nodes +
 * assignments). */
cflr_status cflri_results_find(cflri_results *results, cflri_program *program, cflr_error *error);
void cflri_results_free(cflr_context *context, cflri_results *results);

#endif
