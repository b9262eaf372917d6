/* SPDX-License-Identifier: Apache-2.0
 *
 * error.h: how a failure travels inside the library.
 *
 * A failure is described once, by cflri_fail at the place that knows it, and passed up untouched.
 * A fallible function declares its resources first, and has one exit:
 *
 *     cflr_status st = CFLR_OK;
 *     CFLR_TRY(first_step(...));
 *     CFLR_TRY(second_step(...));
 *     out:
 *         release everything
 *         return st;
 */
#ifndef CFLRI_ERROR_H
#define CFLRI_ERROR_H

#include "cflr/context.h"

/* The one macro of control flow: needs `cflr_status st` and a label `out`. */
#define CFLR_TRY(expression)         \
    do {                             \
        st = (expression);           \
        if (st != CFLR_OK) goto out; \
    } while (0)

#define CFLRI_PRINTF(format_at, arguments_at) \
    __attribute__((format(printf, format_at, arguments_at)))

/* Fills *error (which may be NULL) and returns `code`. `subject` may be NULL; line and column 0
 * when unknown. Never allocates. */
cflr_status cflri_fail_at(cflr_error *error, cflr_status code, const char *subject, uint32_t line,
                          uint32_t column, const char *format, ...) CFLRI_PRINTF(6, 7);

/* The same without a place. */
cflr_status cflri_fail(cflr_error *error, cflr_status code, const char *subject, const char *format,
                       ...) CFLRI_PRINTF(4, 5);

/* Is there no room for more: on the disk, in a quota, below the limit of file sizes? */
bool cflri_is_no_space(int errno_value);

/* For a failed system call: appends strerror(errno_value), and maps what has a code of its own,
 * CFLR_NO_SPACE and CFLR_NO_MEMORY, to it. */
cflr_status cflri_fail_errno(cflr_error *error, const char *subject, int errno_value,
                             const char *what);

/* A failure that names nothing, as one of memory or time, becomes one of `subject`. Returns
 * `st`. */
cflr_status cflri_name_subject(cflr_status st, const char *subject, cflr_error *error);

/* For a NULL from cflri_alloc and related functions: CFLR_LIMIT when the context's memory limit
 * refused it, CFLR_NO_MEMORY when the system did. */
cflr_status cflri_fail_memory(cflr_context *context, cflr_error *error);

#endif
