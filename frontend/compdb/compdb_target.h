/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_target.h: what a cross compiler's name tells.
 */
#ifndef CFLRI_COMPDB_TARGET_H
#define CFLRI_COMPDB_TARGET_H

#include "frontend/compdb/compdb_words.h"

/* Appends the flags that the compiler's name stands for: --target=TRIPLE of TRIPLE-gcc, and where
 * the headers of its toolchain lie when `driver` is a path (as seen from `directory`). None for a
 * name without a triple. They go before the command's own flags, which then count. False: no
 * memory. */
bool cflri_target_flags(cflri_arena *arena, const char *directory, const char *driver,
                        cflri_words *flags);

#endif
