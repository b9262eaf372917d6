/* SPDX-License-Identifier: Apache-2.0
 *
 * output.c: the buffered writer.
 *
 *     write, text, u64 ... -> buffer -> [ zstd frame ] -> file descriptor
 *
 *     "-"                       descriptor 1, left open
 *     a device, pipe, socket    written as it is
 *     anything else             "<path>.tmp.<pid>", synced, then renamed over the target; a target
 *                               that is a symbolic link stays one, and keeps its permissions
 *
 * The first failure is kept and everything after it is dropped, so a writer of a format needs no
 * checks of its own; closing reports it. Writing goes on after a cancellation or a time limit: that
 * is how a partial result gets out. A pipe is written as fast as its reader takes it, in parts that
 * fit into it, so that writing can then give up on a reader that takes nothing any more.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/context.h"
#include "base/decimal.h"
#include "base/files/codec.h"
#include "base/files/held.h"
#include "base/files/stream.h"
#include "base/letters.h"

/* A reader of a pipe has PATIENCE looks to take something when the time is over, or the run is
 * cancelled. */
enum { BUFFER = 1 << 17, LOOK_MS = 50, PATIENCE = 4 };

struct cflr_output {
    cflr_context *context;
    cflr_status st; /* the first failure, described by `error` */
    cflr_error error;
    int fd;
    bool standard;
    bool unsynced;
    bool pipe;
    cflri_packer *packer;
    char *path;
    char *temp; /* is there and becomes `path`; NULL: nothing is */
    size_t used;
    char buffer[BUFFER];
};

static void fail_errno(cflri_output *output, const char *what) {
    if (output->st != CFLR_OK) return;
    output->st = cflri_fail_errno(&output->error, output->path, errno, what);
}

/* ---- opening ---- */

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void create_temporary(cflri_output *output) {
    output->st = cflri_make_beside(output->context, output->path, cflri_make_file, &output->temp,
                                   &output->fd, &output->error);
}

/* A pipe is opened once it has a reader, which may be never. */
static void open_special(cflri_output *output) {
    while (output->st == CFLR_OK && output->fd < 0) {
        output->fd = open(output->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (output->fd >= 0) return;
        if (errno != ENXIO || !output->pipe) {
            fail_errno(output, "cannot write");
            return;
        }
        poll(NULL, 0, LOOK_MS);
        cflr_status st = cflri_interrupted(output->context);
        if (st != CFLR_OK) output->st = cflri_fail_interrupted(output->context, st, &output->error);
    }
}

static void open_path(cflri_output *output) {
    struct stat about;
    if (stat(output->path, &about) != 0 || S_ISREG(about.st_mode)) {
        create_temporary(output);
    } else {
        output->pipe = S_ISFIFO(about.st_mode);
        open_special(output);
    }
}

static bool is_pipe(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode);
}

const char *cflri_output_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

static void open_target(cflri_output *output, const char *path) {
    output->standard = strcmp(path, "-") == 0;
    output->st =
        cflri_own_name(output->context, cflri_output_name(path), &output->path, &output->error);
    if (output->standard) {
        output->fd = STDOUT_FILENO;
        output->pipe = is_pipe(output->fd);
    } else if (output->st == CFLR_OK) {
        open_path(output);
    }
    if (output->st == CFLR_OK && !output->standard && ends_with(path, ".zst")) {
        output->st = cflri_packer_new(output->context, UINT64_MAX, &output->packer, &output->error);
    }
}

cflr_status cflri_output_open(cflr_context *context, const char *path, cflri_output **output,
                              cflr_error *error) {
    *output = NULL;
    cflri_output *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->fd = -1;
    open_target(made, path);
    if (made->st != CFLR_OK) {
        cflr_status st = made->st;
        if (error) *error = made->error;
        cflri_output_abandon(made);
        return st;
    }
    *output = made;
    return CFLR_OK;
}

void cflri_output_unsynced(cflri_output *output) {
    output->unsynced = true;
}

/* ---- writing ---- */

/* How many of the bytes may be written without waiting: where there is room in a pipe, there is
 * room for PIPE_BUF. */
static size_t room_for(cflri_output *output, size_t size) {
    struct pollfd one = {.fd = output->fd, .events = POLLOUT};
    if (!output->pipe) return size;
    for (int looks = 0; poll(&one, 1, LOOK_MS) <= 0;) {
        cflr_status st = cflri_interrupted(output->context);
        if (st == CFLR_OK || ++looks < PATIENCE) continue;
        output->st = cflri_fail_interrupted(output->context, st, &output->error);
        return 0;
    }
    return size < PIPE_BUF ? size : PIPE_BUF;
}

static void write_fully(void *user, const void *data, size_t size) {
    cflri_output *output = user;
    const char *at = data;
    while (size && output->st == CFLR_OK) {
        const size_t some = room_for(output, size);
        if (!some) return;
        cflri_held held = cflri_hold_write_signals();
        ssize_t n = write(output->fd, at, some);
        cflri_release_write_signals(&held);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) {
            fail_errno(output, "cannot write");
            return;
        }
        at += n;
        size -= (size_t)n;
    }
}

/* Hands bytes to the packer or the file, past the buffer. */
static void pass_on(cflri_output *output, const void *data, size_t size, bool last) {
    if (output->st != CFLR_OK) return;
    if (!output->packer) {
        write_fully(output, data, size);
        return;
    }
    cflr_error error;
    cflr_status st =
        cflri_packer_write(output->packer, data, size, last, write_fully, output, &error);
    if (st != CFLR_OK && output->st == CFLR_OK) {
        output->st = st;
        output->error = error;
    }
}

static void flush(cflri_output *output, bool last) {
    pass_on(output, output->buffer, output->used, last);
    output->used = 0;
}

void cflri_output_write(cflri_output *output, const void *data, size_t size) {
    if (!size) return;
    if (size > BUFFER - output->used) flush(output, false);
    if (size >= BUFFER) {
        pass_on(output, data, size, false);
        return;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used += size;
}

void cflri_output_text(cflri_output *output, const char *text) {
    cflri_output_write(output, text, strlen(text));
}

void cflri_output_printf(cflri_output *output, const char *format, ...) {
    char small[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if ((size_t)length < sizeof small) {
        cflri_output_write(output, small, (size_t)length);
        return;
    }
    char *large = cflri_alloc(output->context, (size_t)length + 1);
    if (!large) {
        if (output->st == CFLR_OK) {
            output->st = cflri_fail_memory(output->context, &output->error);
        }
        return;
    }
    va_start(arguments, format);
    vsnprintf(large, (size_t)length + 1, format, arguments);
    va_end(arguments);
    cflri_output_write(output, large, (size_t)length);
    cflri_free(output->context, large);
}

void cflri_output_u64(cflri_output *output, uint64_t number) {
    char digits[CFLRI_DECIMAL_DIGITS];
    cflri_output_write(output, digits, (size_t)(cflri_put_decimal(digits, number) - digits));
}

/* ---- JSON ---- */

/* The letter after the backslash in the short escapes of RFC 8259, or 0. */
static char short_escape(unsigned char c) {
    switch (c) {
        case '"':
        case '\\':
            return (char)c;
        case '\b':
            return 'b';
        case '\f':
            return 'f';
        case '\n':
            return 'n';
        case '\r':
            return 'r';
        case '\t':
            return 't';
        default:
            return 0;
    }
}

/* Of at most three bytes, well-formed. */
static unsigned code_of(const unsigned char *s, size_t n) {
    if (n == 1) return s[0];
    if (n == 2) return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    return (s[0] & 0xFu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
}

static void write_escaped(cflri_output *output, unsigned code) {
    char letter = code < 0x80 ? short_escape((unsigned char)code) : '\0';
    if (letter)
        cflri_output_write(output, (char[]){'\\', letter}, 2);
    else
        cflri_output_printf(output, "\\u%04x", code);
}

/* The bytes of a letter that needs no escape, or 0. */
static size_t plain_letter(const unsigned char *s) {
    const char *text = (const char *)s;
    return cflri_is_control(text) || short_escape(*s) ? 0 : cflri_utf8_length(text, 4);
}

void cflri_output_json(cflri_output *output, const char *text) {
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    const unsigned char *s = (const unsigned char *)text;
    cflri_output_write(output, "\"", 1);
    while (*s) {
        const unsigned char *run = s;
        size_t n = 0;
        while (*s && (n = plain_letter(s)) > 0) s += n;
        cflri_output_write(output, run, (size_t)(s - run));
        if (!*s) break;
        n = cflri_utf8_length((const char *)s, 4);
        if (n > 0) {
            write_escaped(output, code_of(s, n));
            s += n;
        } else {
            cflri_output_write(output, replacement, sizeof replacement - 1);
            s++;
        }
    }
    cflri_output_write(output, "\"", 1);
}

/* ---- closing ---- */

static void close_descriptor(cflri_output *output) {
    if (output->fd < 0 || output->standard) return;
    bool sync = output->temp && !output->unsynced && output->st == CFLR_OK;
    if (sync && fsync(output->fd) != 0) {
        fail_errno(output, "cannot write");
    }
    if (close(output->fd) != 0) fail_errno(output, "cannot write"); /* NFS reports here */
    output->fd = -1;
}

/* Puts the finished file in its place, or removes what there is of it. */
static void settle(cflri_output *output) {
    if (!output->temp) return;
    if (output->st == CFLR_OK && rename(output->temp, output->path) != 0) {
        fail_errno(output, "cannot replace");
    }
    if (output->st != CFLR_OK) unlink(output->temp);
    cflri_settled_beside(output->context, output->temp);
}

static void release(cflri_output *output) {
    cflr_context *context = output->context;
    cflri_packer_free(output->packer);
    cflri_free(context, output->path);
    cflri_free(context, output->temp);
    cflri_free(context, output);
}

cflr_status cflri_output_close(cflri_output *output, cflr_error *error) {
    flush(output, true);
    close_descriptor(output);
    settle(output);
    cflr_status st = output->st;
    if (st != CFLR_OK && error) *error = output->error;
    release(output);
    return st;
}

void cflri_output_abandon(cflri_output *output) {
    if (!output) return;
    if (output->st == CFLR_OK) output->st = CFLR_CANCELLED; /* so that nothing is put in place */
    close_descriptor(output);
    settle(output);
    release(output);
}

/* ---- by their public names ---- */

cflr_status cflr_output_open(cflr_context *context, const char *path, cflr_output **output,
                             cflr_error *error) {
    return cflri_name_subject(cflri_output_open(context, path, output, error), path, error);
}

void cflr_output_write(cflr_output *output, const void *data, size_t size) {
    cflri_output_write(output, data, size);
}

cflr_status cflr_output_flush(cflr_output *output) {
    flush(output, false);
    return output->st;
}

cflr_status cflr_output_close(cflr_output *output, cflr_error *error) {
    return cflri_output_close(output, error);
}

void cflr_output_abandon(cflr_output *output) {
    cflri_output_abandon(output);
}
