/* SPDX-License-Identifier: Apache-2.0
 *
 * beside.h: what is written under another name first, and takes its place when it is whole.
 *
 *     out.cflg                  the target: the old one until the new one is whole
 *     out.cflg.tmp.1234         being written; a directory where the target is one
 */
#ifndef CFLRI_BESIDE_H
#define CFLRI_BESIDE_H

#include "base/alloc.h"

/* The target's own name in a new block: where a symbolic link to something that exists leads. */
cflr_status cflri_own_name(cflr_context *context, const char *path, char **own, cflr_error *error);

/* Makes the thing of that name, if there is none: a number that is not negative, or -1 with
 * errno. */
typedef int cflri_maker(const char *name);

/* Makes a thing of a fresh name beside `path`, with the permissions of what is there; *name is a
 * new block, NULL after a failure, *made what the maker gave. */
cflr_status cflri_make_beside(cflr_context *context, const char *path, cflri_maker *maker,
                              char **name, int *made, cflr_error *error);

/* It has been renamed or removed: cflr_output_drop_all has nothing to do with it any more. */
void cflri_settled_beside(cflr_context *context, const char *name);

/* The names that are being written, of all contexts that this library makes. */
typedef struct cflri_slot cflri_slot;
cflri_slot *cflri_slots_here(void);

/* A maker of files: a descriptor to write to. */
int cflri_make_file(const char *name);

#endif
