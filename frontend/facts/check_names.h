/* SPDX-License-Identifier: Apache-2.0
 *
 * check_names.h: the functions whose calls are checks.
 */
#ifndef CFLRI_CHECK_NAMES_H
#define CFLRI_CHECK_NAMES_H

#include "base/intern.h"
#include "cflr/extract.h"

/* Names by kind: those of kind k have the numbers below end[k] that lower kinds do not have. */
typedef struct cflri_check_names {
    cflri_strings names;
    uint32_t end[CFLR_CHECK_NO_ALIAS + 1];
} cflri_check_names;

/* Reads the lists of the options, which are not needed afterwards. CFLR_ARGUMENT: a list is counted
 * but not given, or a name is empty or of two kinds. Free it also when this fails. */
cflr_status cflri_check_names_make(cflr_context *context, const cflr_extract_opts *opts,
                                   cflri_check_names *names, cflr_error *error);
void cflri_check_names_free(cflri_check_names *names);

/* True, with its kind, when calls of a function of this name are checks. `names` may be NULL: none
 * are. Safe for many readers at once. O(length). */
bool cflri_check_names_find(const cflri_check_names *names, const char *name,
                            cflr_check_kind *kind);

#endif
