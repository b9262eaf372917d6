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
#include <string.h>
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

cflr_status cflri_mapped_check(cflri_mapped_rows *rows, cflr_error *error) {
    rows->facts = (cflri_packed_facts){0};
    return cflri_packed_read_all(&rows->view, NULL, NULL, &rows->facts, error);
}

void cflri_mapped_close(cflri_mapped_rows *rows) {
    if (rows->bytes) munmap(rows->bytes, rows->size);
    *rows = (cflri_mapped_rows){.size = 0};
}

/* ---- graphs ---- */

static void take_view(cflr_csr *csr, const cflri_packed_view *view) {
    csr->n_vertices = view->n;
    csr->n_edges = view->m;
    csr->weights = view->weights;
    csr->symmetric = view->symmetric;
    csr->has_parallel = view->has_parallel;
    csr->start = (uint64_t *)view->start; /* never written: nothing changes the rows of a graph */
}

cflr_status cflr_csr_open(cflr_context *context, const char *path, cflr_csr **csr,
                          cflr_error *error) {
    cflr_status st = CFLR_OK;
    *csr = NULL;
    cflr_csr *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->mapped = cflri_alloc_zero(context, sizeof *made->mapped + strlen(path) + 1);
    if (!made->mapped) CFLR_TRY(cflri_fail_memory(context, error));
    /* messages need the path as long as the file is open */
    char *name = strcpy((char *)(made->mapped + 1), path);
    CFLR_TRY(cflri_mapped_open(context, name, made->mapped, error));
    take_view(made, &made->mapped->view);
    CFLR_TRY(cflri_mapped_check(made->mapped, error));
    *csr = made;
    return CFLR_OK;
out:
    cflr_csr_free(made);
    return st;
}

cflr_status cflr_csr_read_rows(cflr_csr *csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_packed_facts facts = {0};
    uint32_t *target = NULL, *weight = NULL;
    if (!cflri_csr_is_mapped(csr)) return CFLR_OK;
    target = cflri_alloc_array(csr->context, csr->n_edges, sizeof *target);
    if (csr->weights) weight = cflri_alloc_array(csr->context, csr->n_edges, sizeof *weight);
    if (!target || (csr->weights && !weight)) CFLR_TRY(cflri_fail_memory(csr->context, error));
    CFLR_TRY(cflri_packed_read_all(&csr->mapped->view, target, weight, &facts, error));
    csr->target = target;
    csr->weight = weight;
    return CFLR_OK;
out:
    cflri_free(csr->context, target);
    cflri_free(csr->context, weight);
    return st;
}

cflr_status cflri_csr_need_rows(const cflr_csr *csr, cflr_error *error) {
    if (!cflri_csr_is_mapped(csr)) return CFLR_OK;
    return cflri_fail(error, CFLR_ARGUMENT, csr->mapped->view.subject,
                      "the rows of this graph are in its file, and have to be read first");
}
