/* SPDX-License-Identifier: Apache-2.0
 *
 * clang.c: finds libclang, and its functions in it.
 *
 * First the one that this was built with, by its path; then, for programs that were built
 * elsewhere, by the names that distributions give to it, older releases first. It stays loaded.
 */
#include "frontend/clang/clang.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/error.h"

enum { OLDEST = 19, NEWEST = 40 };

#define DEFINE(name) __typeof__(&clang_##name) cflri_clang_##name;
CFLRI_CLANG_FUNCTIONS(DEFINE)
#undef DEFINE

typedef struct function {
    const char *name;
    void *pointer; /* to the function's pointer */
} function;

static const function functions[] = {
#define ENTRY(name) {"clang_" #name, &cflri_clang_##name},
    CFLRI_CLANG_FUNCTIONS(ENTRY)
#undef ENTRY
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;
static char reason[256]; /* why it is not */

static void *open_any(void) {
    static const char *const patterns[] = {"libclang-%d.so.%d", "libclang-%d.so.1",
                                           "libclang.so.%d.1", "libclang.so.%d"};
    void *library = dlopen(CFLR_LIBCLANG, RTLD_LAZY | RTLD_LOCAL);
    for (int version = OLDEST; !library && version < NEWEST; version++) {
        for (size_t i = 0; !library && i < sizeof patterns / sizeof *patterns; i++) {
            char name[64];
            snprintf(name, sizeof name, patterns[i], version, version);
            library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
        }
    }
    return library;
}

/* libclang asks the environment whether to parse in the thread that asks for it, which has the
 * larger stack (deep.c). */
static void load(void) {
    void *library = open_any();
    if (!library) {
        snprintf(reason, sizeof reason, "no libclang of release %d or newer: install libclang1-%d",
                 OLDEST, OLDEST);
        return;
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found) {
            snprintf(reason, sizeof reason,
                     "this libclang has no %s: release %d or newer is needed", functions[i].name,
                     OLDEST);
            return;
        }
        memcpy(functions[i].pointer, &found, sizeof found);
    }
    setenv("LIBCLANG_NOTHREADS", "1", 0);
    loaded = true;
}

/* The first page of a library has the number that its linker gave to it (the build id) and the
 * sizes of its parts. */
static bool first_page(const char *path, char *text, size_t size) {
    char page[4096];
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = fstat(fd, &about) == 0 ? read(fd, page, sizeof page) : -1;
    close(fd);
    if (n <= 0) return false;
    snprintf(text, size, "%016" PRIx64 " %" PRIu64, cflri_digest_of(page, (size_t)n).low,
             (uint64_t)about.st_size);
    return true;
}

cflr_status cflri_clang_identity(char *text, size_t size, cflr_error *error) {
    if (first_page(CFLR_LIBCLANG, text, size)) return CFLR_OK;
    cflr_status st = cflri_clang_load(error);
    if (st != CFLR_OK) return st;
    CXString version = cflri_clang_getClangVersion();
    snprintf(text, size, "%s", cflri_clang_getCString(version));
    cflri_clang_disposeString(version);
    return CFLR_OK;
}

CXString cflri_clang_path(CXFile file) {
    CXString real = cflri_clang_File_tryGetRealPathName(file);
    const char *text = cflri_clang_getCString(real);
    if (text && *text) return real;
    cflri_clang_disposeString(real);
    return cflri_clang_getFileName(file);
}

cflr_status cflri_clang_load(cflr_error *error) {
    pthread_once(&once, load);
    return loaded ? CFLR_OK : cflri_fail(error, CFLR_UNAVAILABLE, NULL, "%s", reason);
}
