/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_output.c: what the name of an object file tells about the program that it goes into.
 *
 * Build systems that compile one file for several targets keep the objects apart by name:
 *
 *     CMake      src/CMakeFiles/NAME.dir/lib/x.c.o     src/NAME
 *     Meson      src/NAME.p/lib_x.c.o                  src/NAME       (libfoo.so.1.p, foo.a.p)
 *     Automake   src/NAME-x.o, src/.libs/NAME-x.o      NAME, in the directory of the command
 *
 * Automake names objects like this only where a target has flags of its own, and libraries as in
 * libfoo_la-x.o. The part in front of "-" counts only when what follows is the name of the source.
 * Plain makefiles tell nothing.
 */
#include "frontend/compdb/compdb_output.h"

#include <string.h>

#include "frontend/compdb/compdb_words.h"

/* The name of a target in the path of an object. */
typedef struct part {
    size_t folder; /* bytes of the path that are in front of the target: none, or up to a slash */
    const char *name;
    size_t length; /* 0: not there */
} part;

static part cmake_part(const char *output) {
    static const char folder[] = "CMakeFiles/";
    part none = {0};
    const char *at = output;
    while ((at = strstr(at, folder)) && at > output && at[-1] != '/') at++;
    if (!at) return none;
    const char *name = at + strlen(folder), *end = strchr(name, '/');
    if (!end || end - name <= 4 || memcmp(end - 4, ".dir", 4) != 0) return none;
    return (part){(size_t)(at - output), name, (size_t)(end - name) - 4};
}

/* The folder that the object lies in. */
static part meson_part(const char *output) {
    part none = {0};
    const char *end = strrchr(output, '/');
    if (!end) return none;
    const char *name = end;
    while (name > output && name[-1] != '/') name--;
    if (end - name <= 2 || memcmp(end - 2, ".p", 2) != 0) return none;
    return (part){(size_t)(name - output), name, (size_t)(end - name) - 2};
}

static size_t stem_length(const char *base) {
    const char *dot = strrchr(base, '.');
    return dot ? (size_t)(dot - base) : strlen(base);
}

static part automake_part(const char *output, const char *source) {
    const char *object = cflri_path_base(output), *file = cflri_path_base(source);
    size_t stem = stem_length(file), length = stem_length(object);
    part none = {0};
    if (stem == 0 || length < stem + 2) return none;
    size_t name = length - stem - 1;
    bool fits = object[name] == '-' && memcmp(object + name + 1, file, stem) == 0;
    return fits ? (part){0, object, name} : none;
}

const char *cflri_output_target(cflri_arena *arena, const char *directory, const char *output,
                                const char *source) {
    if (!output) return "";
    part found = cmake_part(output);
    if (found.length == 0) found = meson_part(output);
    if (found.length == 0) found = automake_part(output, source);
    if (found.length == 0) return "";
    char *path = cflri_arena_alloc(arena, found.folder + found.length + 1);
    if (!path) return NULL;
    memcpy(path, output, found.folder);
    memcpy(path + found.folder, found.name, found.length);
    path[found.folder + found.length] = '\0';
    return cflri_path_absolute(arena, directory, path);
}
