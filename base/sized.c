/* SPDX-License-Identifier: Apache-2.0
 *
 * sized.c: structs of a caller that may be older or newer than this library.
 */
#include "base/sized.h"

#include <string.h>

void cflri_give(void *to, size_t size, const void *from, size_t known) {
    memcpy(to, from, size < known ? size : known);
    if (size > known) memset((char *)to + known, 0, size - known);
}

static void tell_size(void *opts, size_t size) {
    uint32_t told = (uint32_t)size;
    memcpy(opts, &told, sizeof told);
}

void cflri_give_opts(void *to, size_t size, const void *defaults, size_t known) {
    cflri_give(to, size, defaults, known);
    tell_size(to, size);
}

static bool is_zero(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i]) return false;
    return true;
}

cflr_status cflri_take_opts(void *chosen, size_t known, const void *given, const char *name,
                            cflr_error *error) {
    uint32_t size = 0;
    if (!given) return CFLR_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s was not filled by %s_init", name, name);
    if (size > known && !is_zero((const char *)given + known, size - known))
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "%s says more than this version of the library knows", name);
    memcpy(chosen, given, size < known ? size : known);
    tell_size(chosen, known);
    return CFLR_OK;
}
