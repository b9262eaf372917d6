/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed_file.h: packed rows (csr_packed.h) in a file, `.cflp`, which can be mapped.
 *
 *     offset      bytes
 *     0           4096        header: what there is, the code of the rows, its checksum
 *     4096        8 (n + 1)   start: edges before each row
 *     aligned     8 (n + 1)   at: words before each row
 *     aligned     4 words     the rows, and the pad
 *     aligned     8 blocks    sums: the XXH3 of each block, then
 *                 8           the XXH3 of these
 *
 * Little endian. Sections are aligned to 4096 bytes, zeros between. A block is 4 MiB of a section
 * with the zeros behind it, or what is left of it; so a file can be checked by parts, and no
 * damaged byte goes unnoticed. The places of sections follow from the numbers of vertices and
 * words, and the file ends behind the sums.
 *
 * Sums come last, because a file may be written to a pipe.
 */
#ifndef CFLRI_CSR_PACKED_FILE_H
#define CFLRI_CSR_PACKED_FILE_H

#include "base/plain/csr_packed.h"

enum { CFLRI_PACKED_FILE_VERSION = 1, CFLRI_PACKED_FILE_BLOCK = 1 << 22 };

/* A whole file, wherever its bytes lie. */
typedef struct cflri_packed_view {
    cflr_context *context;
    const char *subject; /* of messages; the caller's */
    uint32_t n;
    uint64_t m;
    bool symmetric, has_parallel;
    cflr_weights weights;
    cflri_row_code code;
    const uint64_t *start, *at; /* n + 1 */
    const uint32_t *words;      /* n_words, at[n] and the pad */
    uint64_t n_words;
    const char *data;     /* the file */
    const uint64_t *sums; /* one a block */
} cflri_packed_view;

/* Is this the beginning of such a file? */
bool cflri_packed_file_is(const char *data, size_t size);

/* Looks at everything but the words: header, sums, `start` and `at`, which are in order and in
 * bounds then. `data` is aligned to 8 bytes and must live as long as the view. CFLR_FORMAT for
 * damage, CFLR_UNSUPPORTED for another version. O(n). */
cflr_status cflri_packed_view_of(cflr_context *context, const char *data, size_t size,
                                 const char *subject, cflri_packed_view *view, cflr_error *error);

/* What the rows have that were looked at; zero bytes at first. */
typedef struct cflri_packed_facts {
    bool parallel, equal, loops; /* a target twice; with one weight, too; a vertex as its own */
    bool negative;               /* is a weight below zero? */
    double weight;               /* the sum of all weights without their signs, in any order */
    uint64_t there, back;        /* sums over all edges, and over all turned around */
} cflri_packed_facts;

/* Looks at rows first to end - 1: are their blocks undamaged, and is each one a row? Adds to the
 * facts. Gives targets and weights, each at its own number, unless `target`, or `weight`, is NULL.
 * With all threads. */
cflr_status cflri_packed_check(const cflri_packed_view *view, uint32_t first, uint32_t end,
                               uint32_t *target, uint32_t *weight, cflri_packed_facts *facts,
                               cflr_error *error);

/* The end of a part that begins with row `first` and takes some milliseconds to look at. */
uint32_t cflri_packed_part(const cflri_packed_view *view, uint32_t first);

/* The same with all rows, part by part; then it is sure as well that the graph is what the header
 * says. May be interrupted. */
cflr_status cflri_packed_read_all(const cflri_packed_view *view, uint32_t *target, uint32_t *weight,
                                  cflri_packed_facts *facts, cflr_error *error);

/* As cflr_csr_load, of the bytes of such a file. */
cflr_status cflri_csr_of_packed(cflr_context *context, const char *data, size_t size,
                                const char *subject, const cflr_csr_opts *opts, cflr_csr **csr,
                                cflr_error *error);

#endif
