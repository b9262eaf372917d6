/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed_layout.h: where things lie in a file of packed rows (csr_packed_file.h).
 */
#ifndef CFLRI_CSR_PACKED_LAYOUT_H
#define CFLRI_CSR_PACKED_LAYOUT_H

#include <string.h>

#include "base/plain/csr_packed_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "sections are arrays of this machine: a big-endian port must swap them"
#endif

enum {
    CFLRI_PACKED_PAGE = 4096, /* sections begin at multiples of it; the header takes one */
    CFLRI_PACKED_SYMMETRIC = 1,
    CFLRI_PACKED_PARALLEL = 2,
};

/* The first bytes of the header. The last eight are the XXH3 of those before; between are zeros. */
typedef struct cflri_packed_header {
    char magic[4];
    uint32_t version;
    uint32_t flags; /* CFLRI_PACKED_SYMMETRIC, _PARALLEL */
    uint32_t weights;
    uint32_t n_vertices;
    uint32_t first_bits, step;
    uint32_t weight_bits, least_weight;
    uint32_t zero;
    uint64_t n_edges;
    uint64_t n_words; /* with the pad */
} cflri_packed_header;

_Static_assert(sizeof(cflri_packed_header) == 56, "written as it is");

static const char cflri_packed_magic[] = {'C', 'F', 'L', 'P'};

/* Sections in their order. */
enum { CFLRI_PACKED_START, CFLRI_PACKED_AT, CFLRI_PACKED_WORDS, CFLRI_PACKED_SECTIONS };

typedef struct cflri_packed_layout {
    uint64_t begin[CFLRI_PACKED_SECTIONS + 1]; /* of each section, then of the sums */
    uint64_t block[CFLRI_PACKED_SECTIONS + 1]; /* blocks before each; of all */
    uint64_t size;                             /* of the file */
} cflri_packed_layout;

/* n_words below 2^60. */
static inline cflri_packed_layout cflri_packed_layout_of(uint32_t n, uint64_t n_words) {
    const uint64_t bytes[CFLRI_PACKED_SECTIONS] = {8 * (n + UINT64_C(1)), 8 * (n + UINT64_C(1)),
                                                   4 * n_words};
    cflri_packed_layout made = {.begin = {CFLRI_PACKED_PAGE}};
    for (int i = 0; i < CFLRI_PACKED_SECTIONS; i++) {
        uint64_t aligned = (bytes[i] + CFLRI_PACKED_PAGE - 1) / CFLRI_PACKED_PAGE;
        aligned *= CFLRI_PACKED_PAGE;
        made.begin[i + 1] = made.begin[i] + aligned;
        made.block[i + 1] =
            made.block[i] + (aligned + CFLRI_PACKED_FILE_BLOCK - 1) / CFLRI_PACKED_FILE_BLOCK;
    }
    made.size = made.begin[CFLRI_PACKED_SECTIONS] + 8 * (made.block[CFLRI_PACKED_SECTIONS] + 1);
    return made;
}

#endif
