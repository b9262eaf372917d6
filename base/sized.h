/* SPDX-License-Identifier: Apache-2.0
 *
 * sized.h: structs of a caller that may be older or newer than this library (cflr/status.h,
 * *Versions*).
 *
 *     caller's size   caller              filled for the caller       taken from the caller
 *     smaller         older than we are   its bytes, no more          its bytes, else defaults
 *     the same                            all                         all
 *     larger          newer than we are   all, and zero behind it     all, if zero is behind it
 */
#ifndef CFLRI_SIZED_H
#define CFLRI_SIZED_H

#include "base/error.h"

/* Fills the caller's struct of `size` bytes with `from`, one of ours of `known` bytes. */
void cflri_give(void *to, size_t size, const void *from, size_t known);
#define CFLRI_GIVE(to, size, from) cflri_give((to), (size), &(from), sizeof(from))

/* The same with options: struct_size, the first member, becomes `size`. */
void cflri_give_opts(void *to, size_t size, const void *defaults, size_t known);
#define CFLRI_GIVE_OPTS(to, size, from) cflri_give_opts((to), (size), &(from), sizeof(from))

/* Puts what the caller's options say over the defaults in `chosen`, options of `known` bytes; NULL
 * says nothing. CFLR_ARGUMENT with the struct's name when they were not initialised, or say
 * something that is not known here. */
cflr_status cflri_take_opts(void *chosen, size_t known, const void *given, const char *name,
                            cflr_error *error);
#define CFLRI_TAKE_OPTS(chosen, given, name, error) \
    cflri_take_opts((chosen), sizeof *(chosen), (given), name, (error))

#endif
