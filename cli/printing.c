/* SPDX-License-Identifier: Apache-2.0
 *
 * printing.c: where results go, and noticing when they could not go there.
 */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"

/* errno of a write that failed and was noticed at once; stdio forgets it. */
static int write_failure;

const char *output_path(void) {
    return common.output ? common.output : "-";
}

bool output_is_standard(void) {
    return strcmp(output_path(), "-") == 0;
}

void forget_output(void) {
    common.output = NULL;
}

FILE *open_output(void) {
    clear_progress();
    if (output_is_standard()) return stdout;
    FILE *file = fopen(common.output, "w");
    if (!file) complain("%s: cannot write: %s", common.output, strerror(errno));
    return file;
}

static int fail_output(int reason) {
    const char *name = output_is_standard() ? "standard output" : output_path();
    bool reader_left = reason == EPIPE; /* `cflr ... | head`: nothing to tell */
    if (!reader_left) complain("%s: cannot write: %s", name, strerror(reason));
    return cflr_status_exit_code(reason == ENOSPC ? CFLR_NO_SPACE : CFLR_IO);
}

int finish_output(FILE *file, int code) {
    if (!file) return cflr_status_exit_code(CFLR_IO);
    int reason = write_failure;
    if (!reason && ferror(file)) reason = EIO;
    errno = 0;
    bool to_end = file == stdout || file == stderr;
    if ((to_end ? fflush(file) : fclose(file)) != 0 && errno) reason = errno;
    return reason ? fail_output(reason) : code;
}

int print_json(json_t *object, int code) {
    FILE *file = open_output();
    size_t flags =
        JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9); /* all of a float */
    if (file && (json_dumpf(object, file, flags) != 0 || fputc('\n', file) == EOF)) {
        write_failure = errno ? errno : EIO;
    }
    json_decref(object);
    return finish_output(file, code);
}
