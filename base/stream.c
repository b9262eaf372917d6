/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.c: a whole file in memory, however it is stored.
 *
 *     plain regular file  -> mapped                          data = the mapping
 *     "-", pipe, device   -> read until the end              data = a block
 *     packed, any of them -> the above, then unpacked        data = a block, the rest is let go
 *
 * A mapping costs no memory of ours: its pages belong to the page cache. The file must not be cut
 * short while it is mapped, as for every program that maps its input.
 */
#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/context.h"

enum { READ_STEP = 1 << 18 };

/* One read; interruptions by signals are looked at and survived. */
static cflr_status read_some(cflr_context *context, int fd, const char *name, cflri_bytes *into,
                             size_t room, size_t *got, cflr_error *error) {
    for (;;) {
        cflr_status st = cflri_tick(context, "load", into->size, 0);
        if (st != CFLR_OK) return cflri_fail_interrupted(context, st, error);
        ssize_t n = read(fd, into->data + into->size, room);
        if (n >= 0) {
            *got = (size_t)n;
            return CFLR_OK;
        }
        if (errno != EINTR) return cflri_fail_errno(error, name, errno, "cannot read");
    }
}

/* Reads until the end into a growing block. `bytes` is the caller's to free on failure too. */
static cflr_status read_all(cflr_context *context, int fd, const char *name, cflri_bytes *bytes,
                            cflr_error *error) {
    size_t capacity = 0;
    for (size_t got = 1; got;) {
        if (capacity - bytes->size < READ_STEP) {
            size_t wanted = capacity + capacity / 2 + READ_STEP;
            char *block = cflri_realloc(context, bytes->data, wanted);
            if (!block) return cflri_fail_memory(context, error);
            bytes->data = block;
            capacity = wanted;
        }
        size_t room = capacity - bytes->size;
        cflr_status st = read_some(context, fd, name, bytes, room, &got, error);
        if (st != CFLR_OK) return st;
        bytes->size += got;
    }
    return CFLR_OK;
}

static bool map_all(int fd, uint64_t size, cflri_input *input) {
    if (size > SIZE_MAX / 2) return false;
    void *at = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED) return false;
    (void)madvise(at, (size_t)size, MADV_SEQUENTIAL); /* advice only */
    input->data = at;
    input->size = (size_t)size;
    input->mapped = true;
    return true;
}

/* The bytes as they are stored. Files that say to be empty are read: those of /proc are not. */
static cflr_status acquire(cflr_context *context, int fd, const char *name, cflri_input *input,
                           cflr_error *error) {
    struct stat about;
    if (fstat(fd, &about) != 0) return cflri_fail_errno(error, name, errno, "cannot read");
    if (S_ISDIR(about.st_mode)) return cflri_fail_errno(error, name, EISDIR, "cannot read");
    bool from_start = lseek(fd, 0, SEEK_CUR) == 0; /* standard input may be half read */
    if (S_ISREG(about.st_mode) && about.st_size > 0 && from_start &&
        map_all(fd, (uint64_t)about.st_size, input)) {
        return CFLR_OK;
    }
    cflri_bytes bytes = {NULL, 0};
    cflr_status st = read_all(context, fd, name, &bytes, error);
    input->block = bytes.data;
    input->data = bytes.data;
    input->size = bytes.size;
    return st;
}

/* Puts the unpacked bytes in the place of the packed ones. */
static cflr_status unpack(const char *name, cflri_input *input, cflr_error *error) {
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

cflr_status cflri_input_open(cflr_context *context, const char *path, cflri_input *input,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    *input = (cflri_input){.context = context, .data = ""};
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cflri_fail_errno(error, name, errno, "cannot open");
    CFLR_TRY(acquire(context, fd, name, input, error));
    CFLR_TRY(unpack(name, input, error));
out:
    if (!standard) close(fd);
    if (st != CFLR_OK) cflri_input_close(input);
    return st;
}

void cflri_input_close(cflri_input *input) {
    if (!input->context) return; /* never opened */
    if (input->mapped) munmap((void *)(uintptr_t)input->data, input->size);
    cflri_free(input->context, input->block);
    *input = (cflri_input){.context = input->context, .data = ""};
}
