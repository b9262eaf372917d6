/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_mapped.c: a file of packed rows as memory.
 *
 * Nothing else here maps files (base/files/stream.c tells why). A graph that is larger than memory
 * leaves no choice.
 */
#include "base/plain/csr_mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"

static cflr_status map(int fd, const char *path, cflri_mapped_rows *rows, cflr_error *error) {
    struct stat about;
    if (fstat(fd, &about) != 0) return cflri_fail_errno(error, path, errno, "cannot read");
    if (!S_ISREG(about.st_mode))
        return cflri_fail(error, CFLR_IO, path, "cannot be mapped: it is no regular file");
    if (about.st_size == 0) return cflri_fail(error, CFLR_FORMAT, path, "the file is empty");
    void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) return cflri_fail_errno(error, path, errno, "cannot be mapped");
    rows->bytes = bytes;
    rows->size = (size_t)about.st_size;
    return CFLR_OK;
}

cflr_status cflri_mapped_open(cflr_context *context, const char *path, cflri_mapped_rows *rows,
                              cflr_error *error) {
    *rows = (cflri_mapped_rows){.size = 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return cflri_fail_errno(error, path, errno, "cannot open");
    cflr_status st = map(fd, path, rows, error);
    close(fd);
    if (st == CFLR_OK)
        st = cflri_packed_view_of(context, rows->bytes, rows->size, path, &rows->view, error);
    if (st != CFLR_OK) cflri_mapped_close(rows);
    return st;
}

cflr_status cflri_mapped_check(const cflri_mapped_rows *rows, cflr_error *error) {
    cflri_packed_facts facts = {0};
    return cflri_packed_read_all(&rows->view, NULL, NULL, &facts, error);
}

void cflri_mapped_close(cflri_mapped_rows *rows) {
    if (rows->bytes) munmap(rows->bytes, rows->size);
    *rows = (cflri_mapped_rows){.size = 0};
}
