/* SPDX-License-Identifier: Apache-2.0
 *
 * lines.c: files of lines, such as lists and baselines.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

int each_line_of(FILE *file, const char *name, line_taken *take, void *user) {
    char *line = NULL;
    size_t capacity = 0, number = 0;
    const char *why = NULL;
    int code = 0;
    while (!code && next_line(file, &line, &capacity, &why) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        code = take(user, line, ++number);
    }
    free(line);
    if (code || !why) return code;
    complain("%s: cannot read: %s", shown(input_name(name)), why);
    return cflr_status_exit_code(CFLR_IO);
}

int each_line(const char *path, line_taken *take, void *user) {
    FILE *file = open_lines(path);
    if (!file) {
        complain("%s: cannot open: %s", shown(path), strerror(errno));
        return cflr_status_exit_code(CFLR_IO);
    }
    int code = each_line_of(file, path, take, user);
    fclose(file);
    return code;
}
