/* SPDX-License-Identifier: Apache-2.0
 *
 * database.c: the compilation database that is meant when none is named.
 *
 * Looked for from the working directory up to the root, in each directory and in its build/: the
 * first one counts. So a command means the same in a source folder, in its parents, and beside a
 * build.
 */
#include <string.h>
#include <unistd.h>

#include "cli/extract/extraction.h"

bool find_database(char path[PATH_MAX]) {
    static const char *const places[] = {"/compile_commands.json", "/build/compile_commands.json"};
    if (!getcwd(path, PATH_MAX) || path[0] != '/') return false; /* it may have been removed */
    size_t length = path[1] ? strlen(path) : 0; /* of the directory; the root's is empty */
    for (;;) {
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            if (length + strlen(places[i]) >= PATH_MAX) continue;
            strcpy(path + length, places[i]);
            if (access(path, F_OK) == 0) return true;
        }
        if (length == 0) return false;
        do length--;
        while (path[length] != '/');
    }
}
