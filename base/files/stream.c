/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.c: a whole file in memory, however it is stored.
 *
 *     regular file        -> a block of the size that the file has, read
 *     "-", pipe, device   -> a block that grows, read until the end
 *     packed, any of them -> the above, then unpacked into a block; the first is let go
 *
 *     a regular file that begins as the caller says: left where it is, and read in parts
 *
 * Nothing is mapped: a file that is cut short while it is mapped kills the process that looks at
 * it, and no library can know whose files those are. Reading costs a copy, and in return the bytes
 * are ours: they do not change while they are looked at, and they count against the memory limit.
 *
 * What has no size may have no end: pipes and devices are waited for in steps, so that time and
 * interruptions are looked at, and are read up to the bound of cflri_block_stretch.
 */
#include "base/files/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/vec.h"

enum { READ_MOST = 1 << 22, MOST_MARK = 16, STREAM_STEP = 1 << 18, WAIT_MS = 100 };

typedef struct reading {
    cflr_context *context;
    cflr_error *error;
    const char *name;
    int fd;
    bool waits;    /* its bytes come when they come */
    uint64_t size; /* of a regular file, when it was opened */
    char *block;
    size_t n, room;
} reading;

/* Until there is something to read, in steps. False: not yet. */
static bool is_ready(const reading *r) {
    struct pollfd one = {.fd = r->fd, .events = POLLIN};
    return !r->waits || poll(&one, 1, WAIT_MS) > 0;
}

/* One read into the room that there is; interruptions are looked at and signals survived. */
static cflr_status read_some(reading *r, size_t *got) {
    for (;;) {
        cflr_status st = cflri_tick(r->context, "load", r->n, r->size);
        if (st != CFLR_OK) return cflri_fail_interrupted(r->context, st, r->error);
        if (!is_ready(r)) continue;
        size_t left = r->room - r->n;
        ssize_t n = read(r->fd, r->block + r->n, left < READ_MOST ? left : READ_MOST);
        if (n >= 0) {
            r->n += (size_t)n;
            *got = (size_t)n;
            return CFLR_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return cflri_fail_errno(r->error, r->name, errno, "cannot read");
    }
}

/* Until the end, wherever that is. */
static cflr_status read_stream(reading *r) {
    for (size_t got = 1; got;) {
        if (r->room - r->n < STREAM_STEP &&
            !cflri_block_stretch(r->context, &r->block, &r->room, STREAM_STEP))
            return cflri_fail_memory(r->context, r->error);
        cflr_status st = read_some(r, &got);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* A file that ends before its size: was it cut, or did it never have so much? Some of /sys say
 * 4096. */
static cflr_status check_end(const reading *r) {
    struct stat about;
    if (fstat(r->fd, &about) != 0) return cflri_fail_errno(r->error, r->name, errno, "cannot read");
    if ((uint64_t)about.st_size == r->size) return CFLR_OK;
    return cflri_fail(r->error, CFLR_IO, r->name, "the file was cut short while it was read");
}

/* As many bytes as the file had when it was opened: what is added later is not looked at. */
static cflr_status read_regular(reading *r) {
    if (r->size < SIZE_MAX / 2) r->block = cflri_alloc(r->context, (size_t)r->size);
    if (!r->block) return cflri_fail_memory(r->context, r->error);
    r->room = (size_t)r->size;
    for (size_t got = 1; got && r->n < r->room;) {
        cflr_status st = read_some(r, &got);
        if (st != CFLR_OK) return st;
    }
    return r->n < r->room ? check_end(r) : CFLR_OK;
}

/* The bytes as they are stored. Files that say to be empty are read to their end: those of /proc
 * are not empty. */
static cflr_status acquire(int fd, const char *name, cflri_input *input, cflr_error *error) {
    struct stat about;
    reading r = {.context = input->context, .error = error, .name = name, .fd = fd};
    if (fstat(fd, &about) != 0) return cflri_fail_errno(error, name, errno, "cannot read");
    if (S_ISDIR(about.st_mode)) return cflri_fail_errno(error, name, EISDIR, "cannot read");
    r.waits = !S_ISREG(about.st_mode);
    bool from_start = lseek(fd, 0, SEEK_CUR) == 0; /* standard input may be half read */
    if (!r.waits && from_start) r.size = (uint64_t)about.st_size;
    cflr_status st = r.size ? read_regular(&r) : read_stream(&r);
    input->block = r.block;
    input->data = r.block;
    input->size = r.n;
    return st;
}

/* Puts the unpacked bytes in the place of the packed ones. No packed file is empty: that is what is
 * left of one. */
static cflr_status unpack(const char *name, cflri_input *input, cflr_error *error) {
    if (input->size == 0 && cflri_unpacked_length(name) < strlen(name))
        return cflri_fail(error, CFLR_FORMAT, name, "the file is empty");
    if (cflri_packing_of(input->data, input->size) == CFLRI_PACKING_NONE) return CFLR_OK;
    cflri_bytes plain;
    cflr_status st = cflri_unpack(input->context, input->data, input->size, name, &plain, error);
    if (st != CFLR_OK) return st;
    cflri_input_close(input);
    input->block = plain.data;
    input->data = plain.data;
    input->size = plain.size;
    return CFLR_OK;
}

/* Is it a regular file that begins so? Then its size is known. */
static bool begins_with(int fd, const void *mark, size_t n, cflri_input *input) {
    char first[MOST_MARK];
    struct stat about;
    if (!n || n > MOST_MARK || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    input->size = (size_t)about.st_size;
    return pread(fd, first, n, 0) == (ssize_t)n && memcmp(first, mark, n) == 0;
}

cflr_status cflri_input_open_left(cflr_context *context, const char *path, const void *mark,
                                  size_t n, cflri_input *input, cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    *input = (cflri_input){.context = context, .data = ""};
    /* opening a FIFO would wait for a writer, and that wait could not be interrupted */
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return cflri_fail_errno(error, name, errno, "cannot open");
    if (!standard && begins_with(fd, mark, n, input)) {
        input->left = true;
        input->data = NULL;
        input->fd = fd;
        return CFLR_OK;
    }
    CFLR_TRY(acquire(fd, name, input, error));
    CFLR_TRY(unpack(name, input, error));
out:
    if (!standard) close(fd);
    if (st != CFLR_OK) cflri_input_close(input);
    return cflri_name_subject(st, name, error);
}

cflr_status cflri_input_open(cflr_context *context, const char *path, cflri_input *input,
                             cflr_error *error) {
    return cflri_input_open_left(context, path, NULL, 0, input, error);
}

cflr_status cflri_input_read(const cflri_input *input, uint64_t offset, void *to, size_t size,
                             const char *name, cflr_error *error) {
    for (size_t at = 0; at < size;) {
        size_t some = size - at < READ_MOST ? size - at : READ_MOST;
        ssize_t n = pread(input->fd, (char *)to + at, some, (off_t)(offset + at));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return cflri_fail_errno(error, name, errno, "cannot read");
        if (n == 0) return cflri_fail(error, CFLR_FORMAT, name, "the file was cut short");
        at += (size_t)n;
    }
    return CFLR_OK;
}

cflr_status cflri_input_take(cflri_input *input, const char *name, cflr_error *error) {
    cflri_input taken = {.context = input->context};
    cflr_status st = acquire(input->fd, name, &taken, error);
    cflri_input_close(input);
    *input = taken;
    return st;
}

void cflri_input_close(cflri_input *input) {
    if (!input->context) return; /* never opened */
    if (input->left) close(input->fd);
    cflri_free(input->context, input->block);
    *input = (cflri_input){.context = input->context, .data = ""};
}
