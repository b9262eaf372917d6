/* SPDX-License-Identifier: Apache-2.0
 *
 * fault.c: messages of functions that validate a whole structure.
 */
#include "base/fault.h"

#include <stdarg.h>
#include <stdlib.h>

enum { TOLD = 20 };

bool cflri_fault(cflri_faults *faults, const char *format, ...) {
    if (faults->n++ >= TOLD) return false;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(faults->to, format, arguments);
    va_end(arguments);
    fputc('\n', faults->to);
    return false;
}

void *cflri_fault_room(size_t n, size_t size) {
    void *room = calloc(n + 1, size);
    if (!room) abort();
    return room;
}
