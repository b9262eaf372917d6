/* SPDX-License-Identifier: Apache-2.0
 *
 * deep.h: room for sources that nest deeply.
 */
#ifndef CFLRI_DEEP_H
#define CFLRI_DEEP_H

#include <stddef.h>

/* The large stack. Only touched pages count: the parse of ordinary code uses less than one
 * percent. */
#define CFLRI_DEEP_BYTES ((size_t)256 << 20)

/* Runs job(user) to its end on a large stack, in a thread of its own where one can be had. */
void cflri_deep_run(void (*job)(void *), void *user);

/* To be called once libclang watches for crashes, that is, has an index: from now on a stack that
 * overflows while it parses is CXError_Crashed, in jobs that cflri_deep_run runs. */
void cflri_deep_watch(void);

#endif
