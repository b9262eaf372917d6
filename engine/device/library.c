/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: finding and loading a library by its name.
 *
 * The system's loader looks first where this library, or the program that has it inside, says in
 * its run path, which is the folder of the libraries (cmake/library.cmake, cli/CMakeLists.txt).
 */
#include "engine/device/library.h"

#include <dlfcn.h>
#include <stdio.h>

const void *cflri_library_table(const char *file, const char *symbol, uint32_t version, char *why,
                                size_t size) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const uint32_t *table = library ? dlsym(library, symbol) : NULL;
    if (table && *table == version) return table;
    snprintf(why, size, library ? "%s is of another version" : "%s is not there", file);
    return NULL;
}
