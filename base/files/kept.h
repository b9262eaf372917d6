/* SPDX-License-Identifier: Apache-2.0
 *
 * kept.h: files that a directory keeps from one run to the next, each named by a digest
 * (docs/explanation/cache.md).
 *
 *     DIR/3f/<30 digits>.0
 */
#ifndef CFLRI_KEPT_H
#define CFLRI_KEPT_H

#include <limits.h>

#include "base/digest.h"
#include "base/files/stream.h"

enum { CFLRI_KEPT_DIGITS = 32, CFLRI_KEPT_FOLDER = 2 /* of these */ };

/* False when no file system takes the name. */
bool cflri_kept_path(const char *directory, cflri_digest key, int slot, char path[PATH_MAX]);

/* As cflri_input_open, of a regular file: a FIFO or a device of that name would be waited for, or
 * have no end. CFLR_IO, without a word, when there is none. */
cflr_status cflri_kept_open(cflr_context *context, const char *path, cflri_input *input);

/* As cflri_output_open, after the directories above the file are made. */
cflr_status cflri_kept_create(cflr_context *context, char *path, cflri_output **output,
                              cflr_error *error);

#endif
