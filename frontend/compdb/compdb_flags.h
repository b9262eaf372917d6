/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_flags.h: from the command line of any compiler to the flags that decide how C reads.
 */
#ifndef CFLRI_COMPDB_FLAGS_H
#define CFLRI_COMPDB_FLAGS_H

#include "frontend/compdb/compdb_words.h"

/* Index of the compiler in a command: wrappers (ccache, distcc, env A=1, libtool --mode=...) come
 * before it. words->n when there is none. */
size_t cflri_command_driver(const cflri_words *words);

/* The parts of a command that concern one input file. */
typedef struct cflri_command {
    const char *driver;   /* the compiler as it was called: "gcc", "/opt/bin/arm-none-eabi-gcc" */
    cflri_words flags;    /* kept flags, in their order */
    const char *language; /* of the last -x, NULL when none */
    const char *output;   /* of the last -o, NULL when none */
} cflri_command;

/* Keeps what changes the meaning of the source: macros, include paths, language, target. Drops
 * outputs, warnings, dependency files, plugins, linker flags, code generation, inputs. The caller
 * frees command->flags. False: no memory. */
bool cflri_command_clean(cflri_arena *arena, const cflri_words *words, cflri_command *command);

/* NULL when the command reads `path` as C; otherwise what people call its language: "C++". By -x,
 * else by the extension; a C++ driver reads .c as C++. Static storage. */
const char *cflri_command_other_language(const cflri_command *command, const char *path);

/* Whether a flag may be left out when clang refuses a command that another compiler took. */
typedef enum cflri_flag_weight {
    CFLRI_FLAG_PROCESSOR, /* picks a processor or its code: -m, but the sizes -m32 ... */
    CFLRI_FLAG_MACHINE,   /* decides about the machine or the dialect: -f, -O, -std, the target */
    CFLRI_FLAG_SOURCE,    /* decides about the text: macros, headers */
} cflri_flag_weight;

cflri_flag_weight cflri_flag_weigh(const char *flag);

#endif
