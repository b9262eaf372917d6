/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_mapped.h: a file of packed rows, mapped: a graph that need not fit into memory, and of which
 * only what is looked at is read.
 *
 *     cflri_mapped_rows rows;
 *     CFLR_TRY(cflri_mapped_open(context, path, &rows, error));
 *     CFLR_TRY(cflri_mapped_check(&rows, error));           or part by part, cflri_packed_check
 *     use(rows.view.start, rows.view.at, rows.view.words, &rows.view.code);
 *     out:
 *         cflri_mapped_close(&rows);
 */
#ifndef CFLRI_CSR_MAPPED_H
#define CFLRI_CSR_MAPPED_H

#include "base/plain/csr_packed_file.h"

typedef struct cflri_mapped_rows {
    cflri_packed_view view;
    void *bytes; /* of the whole file, which may be read only; NULL: none is open */
    size_t size;
    cflri_packed_facts facts; /* once all words have been checked */
} cflri_mapped_rows;

/* Maps a regular file that is not packed once more. Header, `start` and `at` are checked, and all
 * their numbers are in order and in bounds then. The words are checked apart, before anything that
 * trusts them looks at them. `path` must live until the file is closed.
 *
 * What is mapped is no memory of the context's: the system reads its pages when they are looked at,
 * and may drop them. The file must not be written to or cut meanwhile: a process that looks at what
 * is not there any more is killed. Replacing it by another file, as all files of cflr are replaced,
 * does no harm. */
cflr_status cflri_mapped_open(cflr_context *context, const char *path, cflri_mapped_rows *rows,
                              cflr_error *error);

/* Checks all words, and what the header says of the graph; looks at the whole file once, and fills
 * in `facts`. May be interrupted. */
cflr_status cflri_mapped_check(cflri_mapped_rows *rows, cflr_error *error);

/* Zero bytes may be closed, and what is closed once more. */
void cflri_mapped_close(cflri_mapped_rows *rows);

#endif
