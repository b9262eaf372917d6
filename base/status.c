/* SPDX-License-Identifier: Apache-2.0
 *
 * status.c: names and texts of statuses, and the making of errors.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/letters.h"
#include "cflr/version.h"

const char *cflr_version(void) {
    return CFLR_VERSION;
}

const char *cflr_status_name(cflr_status status) {
    switch (status) {
#define CASE(name, number, exit_code, text) \
    case CFLR_##name:                       \
        return #name;
        CFLR_STATUS_LIST(CASE)
#undef CASE
    }
    return "UNKNOWN";
}

const char *cflr_status_text(cflr_status status) {
    switch (status) {
#define CASE(name, number, exit_code, text) \
    case CFLR_##name:                       \
        return text;
        CFLR_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

int cflr_status_exit_code(cflr_status status) {
    switch (status) {
#define CASE(name, number, exit_code, text) \
    case CFLR_##name:                       \
        return exit_code;
        CFLR_STATUS_LIST(CASE)
#undef CASE
    }
    return 70;
}

size_t cflr_escape(char *to, size_t room, const char *text) {
    size_t length = 0, written = 0;
    while (*text) {
        char letter[CFLRI_SHOWN];
        size_t n = cflri_show_letter(&text, letter);
        length += n;
        if (length >= room) continue; /* nothing more fits, only to be measured */
        memcpy(to + written, letter, n);
        written = length;
    }
    if (room) to[written] = '\0';
    return length;
}

/* The texts may lie in *error itself: they are read before it is written. */
static void fill(cflr_error *error, cflr_error place, const char *subject, const char *format,
                 va_list arguments) {
    char message[sizeof place.message];
    if (!error) return;
    if (subject) snprintf(place.subject, sizeof place.subject, "%s", subject);
    vsnprintf(message, sizeof message, format, arguments);
    cflr_escape(place.message, sizeof place.message, message);
    *error = place;
}

cflr_status cflri_fail_at(cflr_error *error, cflr_status code, const char *subject, uint32_t line,
                          uint32_t column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, (cflr_error){.code = code, .line = line, .column = column}, subject, format,
         arguments);
    va_end(arguments);
    return code;
}

cflr_status cflri_fail(cflr_error *error, cflr_status code, const char *subject, const char *format,
                       ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, (cflr_error){.code = code}, subject, format, arguments);
    va_end(arguments);
    return code;
}

bool cflri_is_no_space(int errno_value) {
    return errno_value == ENOSPC || errno_value == EDQUOT || errno_value == EFBIG;
}

cflr_status cflri_fail_errno(cflr_error *error, const char *subject, int errno_value,
                             const char *what) {
    cflr_status code = CFLR_IO;
    if (cflri_is_no_space(errno_value)) code = CFLR_NO_SPACE;
    if (errno_value == ENOMEM) code = CFLR_NO_MEMORY;
    cflri_fail(error, code, subject, "%s: %s", what, strerror(errno_value));
    if (error) error->system_error = errno_value;
    return code;
}

cflr_status cflri_name_subject(cflr_status st, const char *subject, cflr_error *error) {
    if (st != CFLR_OK && error && !error->subject[0])
        snprintf(error->subject, sizeof error->subject, "%s", subject);
    return st;
}

cflr_status cflri_fail_memory(cflr_context *context, cflr_error *error) {
    if (atomic_load_explicit(&context->limit_hit, memory_order_relaxed)) {
        return cflri_fail(error, CFLR_LIMIT, NULL, "memory limit of %llu bytes reached",
                          (unsigned long long)context->opts.memory_limit);
    }
    return cflri_fail(error, CFLR_NO_MEMORY, NULL, "out of memory with %llu bytes in use",
                      (unsigned long long)cflr_context_memory(context));
}
