/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_flags.h: from the command line of any compiler to the flags that decide how C reads.
 */
#ifndef CFLRI_COMPDB_FLAGS_H
#define CFLRI_COMPDB_FLAGS_H

#include "frontend/compdb_words.h"

/* Index of the compiler in a command: wrappers (ccache, distcc, env A=1, libtool --mode=...) come
 * before it. words->n when there is none. */
size_t cflri_command_driver(const cflri_words *words);

/* What a command says about one input file. */
typedef struct cflri_command {
    const char *driver; /* base name: "gcc", "aarch64-linux-gnu-gcc"; clang reads a target off it */
    cflri_words flags;  /* kept flags, in their order */
    const char *language; /* of the last -x, NULL when none */
} cflri_command;

/* Keeps what changes the meaning of the source: macros, include paths, language, target. Drops
 * outputs, warnings, dependency files, plugins, linker flags, code generation, inputs. The caller
 * frees command->flags. False: no memory. */
bool cflri_command_clean(cflri_arena *arena, const cflri_words *words, cflri_command *command);

/* NULL when the command reads `path` as C; otherwise what people call its language: "C++". By -x,
 * else by the extension; a C++ driver reads .c as C++. Static storage. */
const char *cflri_command_other_language(const cflri_command *command, const char *path);

/* Does the flag decide about code for a machine, not about the language? Dropped when clang refuses
 * a command that another compiler took. */
bool cflri_flag_is_machine(const char *flag);

#endif
