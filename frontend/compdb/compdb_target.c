/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_target.c: the target, from the name of a cross compiler.
 *
 *     /opt/tools/bin/arm-linux-gnueabihf-gcc-12
 *     \________/     \_________________/
 *       prefix              triple
 *
 * gcc is built for one target and needs no flag that names it; clang is built for all, and assumes
 * the machine's own target unless a flag names another. Pointers would have the wrong size, and
 * processors of the target would be unknown ones. The triple in front of the compiler's name is
 * what both call the target.
 *
 * gcc also knows its own C library. Its place below the prefix is a custom of toolchain builders:
 * TRIPLE/sysroot (crosstool-NG, Buildroot), TRIPLE/libc (Arm), TRIPLE/include (newlib).
 * Distributions put theirs where clang looks by itself.
 */
#include "frontend/compdb/compdb_target.h"

#include <string.h>
#include <unistd.h>

/* A triple begins with a processor that clang knows; afl-gcc and musl-gcc do not. */
static const char *const processors[] = {
    "aarch64", "arm",       "avr",   "hexagon", "i386",   "i486",    "i586",
    "i686",    "loongarch", "m68k",  "mips",    "msp430", "powerpc", "riscv",
    "s390x",   "sparc",     "thumb", "wasm32",  "wasm64", "x86_64",
};

static bool has_processor(const char *triple, size_t length) {
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        size_t n = strlen(processors[i]);
        if (n <= length && strncmp(triple, processors[i], n) == 0) return true;
    }
    return false;
}

/* Length of the triple that a compiler's base name begins with; 0: it has none. */
static size_t triple_length(const char *name) {
    static const char *const compilers[] = {"-gcc", "-clang", "-cc"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        const char *at = strstr(name, compilers[i]);
        char after = at ? at[strlen(compilers[i])] : 'x';
        bool ends = after == '\0' || after == '-' || after == '.';
        if (ends && has_processor(name, (size_t)(at - name))) return (size_t)(at - name);
    }
    return 0;
}

/* The texts one after the other; NULL: no memory. */
static char *join(cflri_arena *arena, const char *const *part, size_t n) {
    size_t length = 0;
    for (size_t i = 0; i < n; i++) length += strlen(part[i]);
    char *whole = cflri_arena_alloc(arena, length + 1), *at = whole;
    for (size_t i = 0; whole && i < n; i++) at = stpcpy(at, part[i]);
    return whole;
}

static bool keep(cflri_arena *arena, cflri_words *flags, const char *flag) {
    return flag && cflri_vec_push(arena->context, flags, flag);
}

/* Headers of the toolchain whose compiler is `driver`, a path. */
static bool header_flags(cflri_arena *arena, const char *driver, const char *triple,
                         cflri_words *flags) {
    static const char *const places[][2] = {
        {"--sysroot=", "/sysroot"}, {"--sysroot=", "/libc"}, {"-idirafter", "/include"}};
    const char *prefix = cflri_path_absolute(arena, driver, "../..");
    if (!prefix) return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *const parts[] = {places[i][0], prefix, "/", triple, places[i][1]};
        const char *flag = join(arena, parts, sizeof parts / sizeof *parts);
        if (!flag) return false;
        if (access(flag + strlen(places[i][0]), F_OK) == 0) return keep(arena, flags, flag);
    }
    return true;
}

bool cflri_target_flags(cflri_arena *arena, const char *directory, const char *driver,
                        cflri_words *flags) {
    const char *name = cflri_path_base(driver);
    size_t length = triple_length(name);
    if (length == 0) return true;
    const char *triple = cflri_arena_copy_text(arena, name, length);
    const char *const parts[] = {"--target=", triple};
    if (!triple || !keep(arena, flags, join(arena, parts, 2))) return false;
    if (name == driver) return true;
    const char *path = cflri_path_absolute(arena, directory, driver);
    return path && header_flags(arena, path, triple, flags);
}
