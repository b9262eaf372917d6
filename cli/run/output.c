/* SPDX-License-Identifier: Apache-2.0
 *
 * output.c: where results go, and noticing when they could not go there.
 *
 *     fprintf ... -> FILE -> standard output
 *                         -> cflr_output: a file that is written whole, or not at all
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

/* errno of a write to standard output that failed and was noticed at once; stdio forgets it. */
static int write_failure;

/* The file that is written: behind the FILE that open_file gave. */
static cflr_output *target;

/* The exit code of a file that could not be opened. */
static int refusal;

const char *output_path(void) {
    return common.output ? common.output : "-";
}

bool output_is_standard(void) {
    return strcmp(output_path(), "-") == 0;
}

void forget_output(void) {
    common.output = NULL;
}

static ssize_t put(void *cookie, const char *data, size_t size) {
    cflr_output_write(cookie, data, size);
    return cflr_output_flush(cookie) == CFLR_OK ? (ssize_t)size : 0;
}

/* Also when the program ends for want of memory, in the middle of something else (json_begin). */
static void abandon_target(void) {
    cflr_output_abandon(target);
    target = NULL;
}

static FILE *open_target(const char *path) {
    enum { BUFFER = 1 << 16 };
    cflr_error error;
    FILE *file = NULL;
    if (cflr_output_open(session(), path, &target, &error) != CFLR_OK) {
        refusal = fail(&error);
        return NULL;
    }
    if (atexit(abandon_target) == 0)
        file = fopencookie(target, "w", (cookie_io_functions_t){.write = put});
    if (file && setvbuf(file, NULL, _IOFBF, BUFFER) == 0) return file;
    if (file) fclose(file);
    abandon_target();
    refusal = fail_memory();
    return NULL;
}

FILE *open_file(const char *path) {
    clear_progress();
    return strcmp(path, "-") == 0 ? stdout : open_target(path);
}

FILE *open_output(void) {
    return open_file(output_path());
}

static int fail_standard(int reason) {
    bool reader_left = reason == EPIPE; /* `cflr ... | head`: nothing to tell */
    bool no_space = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    if (!reader_left) complain("standard output: cannot write: %s", strerror(reason));
    return cflr_status_exit_code(no_space ? CFLR_NO_SPACE : CFLR_IO);
}

/* A stream forgets why a write failed. Where nothing has failed since, errno still tells. */
static int finish_standard(FILE *file, int code) {
    int reason = write_failure, last = errno;
    if (!reason && ferror(file)) {
        reason = last == ENOSPC || last == EDQUOT || last == EFBIG || last == EPIPE ? last : EIO;
    }
    errno = 0;
    if (fflush(file) != 0 && errno) reason = errno;
    return reason ? fail_standard(reason) : code;
}

/* An output that an interruption or want of memory cut short does not take its place. */
static int finish_target(FILE *file, int code) {
    cflr_error error;
    fclose(file); /* what fails is kept by the target */
    cflr_output *whole = target;
    bool cut = code == EXIT_INTERRUPTED || code >= cflr_status_exit_code(CFLR_NO_MEMORY);
    if (cut) abandon_target();
    target = NULL;
    if (cut || cflr_output_close(whole, &error) == CFLR_OK) return code;
    return fail(&error);
}

int finish_output(FILE *file, int code) {
    if (!file) return refusal;
    return file == stdout || file == stderr ? finish_standard(file, code)
                                            : finish_target(file, code);
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
