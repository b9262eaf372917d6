/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed.h: rows in fewer bits, which a GPU decodes while it reads them (gpu/stream) and a file
 * holds.
 *
 * A row is cut into groups of 128 edges, each of which begins at a word of 32 bits. A group is a
 * sequence of bits, those of smaller places first:
 *
 *     first target | widths of blocks | weights | differences between one target and the next
 *
 *     first     bits for any vertex of the graph
 *     widths    4 bits a block of 8 differences: how many bits each of these has, in steps of 2 (or
 *               of 3, in graphs of 2^30 vertices or more)
 *     weights   as many bits as the graph's need, above the smallest; float32 all 32
 *
 * A row of more than one group begins with a word a group that says at which word of the row it
 * begins. So any lane of a warp finds its own difference from the widths before it, without a look
 * at the differences; a sum over the lanes makes them targets.
 *
 * R-MAT graphs take 16 bits an edge as drawn and 12 by degree, grids 14.
 */
#ifndef CFLRI_CSR_PACKED_H
#define CFLRI_CSR_PACKED_H

#include "base/plain/csr.h"
#include "base/plain/csr_packed_format.h"

/* Rows, not owned; `weight` NULL without. */
typedef struct cflri_plain_rows {
    uint32_t n;
    const uint64_t *start;
    const uint32_t *target, *weight;
} cflri_plain_rows;

typedef struct cflri_row_code {
    uint32_t first_bits, step;
    uint32_t weight_bits, least_weight; /* 0 bits without weights, or where all are alike */
} cflri_row_code;

/* The code that takes few bits for these rows. */
cflri_row_code cflri_row_code_of(const cflri_plain_rows *rows, cflr_weights kind, int threads);

/* at[v]: the word that row v begins with; at[n] is the number of words, PAD included not. */
void cflri_packed_measure(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                          uint64_t *at);

/* The rows: at[n] + CFLRI_PACKED_PAD words. */
void cflri_packed_write(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                        const uint64_t *at, uint32_t *words);

/* Row v back: its targets, and weights unless `weight` is NULL; `words` is where the row begins. */
void cflri_packed_read(const cflri_row_code *how, const uint32_t *words, uint64_t degree,
                       uint32_t *target, uint32_t *weight);

#endif
