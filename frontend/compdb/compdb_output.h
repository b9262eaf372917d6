/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_output.h: the target that an object file is made for.
 */
#ifndef CFLRI_COMPDB_OUTPUT_H
#define CFLRI_COMPDB_OUTPUT_H

#include "base/arena.h"

/* The target as an absolute path, "/build/src/NAME"; "" when the name of the object does not tell
 * it. `output` may be NULL, or relative to `directory`. NULL: no memory. */
const char *cflri_output_target(cflri_arena *arena, const char *directory, const char *output,
                                const char *source);

#endif
