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

/* The code for rows of so many vertices without weights. */
cflri_row_code cflri_row_code_without(uint32_t n);

/* The code that takes few bits for these rows. */
cflri_row_code cflri_row_code_of(const cflri_plain_rows *rows, cflr_weights kind, int threads);

/* at[v]: the word that row v begins with; at[n] is the number of words, PAD included not. */
void cflri_packed_measure(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                          uint64_t *at);

/* The rows: at[n] + CFLRI_PACKED_PAD words. */
void cflri_packed_write(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                        const uint64_t *at, uint32_t *words);

/* Rows first to end - 1 alone, without a pad; `words` is where the first of them begins. */
void cflri_packed_write_some(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                             const uint64_t *at, uint32_t first, uint32_t end, uint32_t *words);

/* A row of this degree has at least so many words. */
uint64_t cflri_packed_least(const cflri_row_code *how, uint64_t degree);

/* A row on its way back, group by group. Its words need not be right: readers look at those of the
 * row, and read no more than CFLRI_PACKED_PAD behind them. */
typedef struct cflri_packed_row {
    const uint32_t *words; /* where the row begins */
    uint64_t n_words, degree;
    uint32_t n;           /* vertices that there are */
    uint64_t done, place; /* edges that were read; the word behind them */
} cflri_packed_row;

cflri_packed_row cflri_packed_row_of(const uint32_t *words, uint64_t n_words, uint64_t degree,
                                     uint32_t n);

/* The next group of the row: its targets, and weights unless `weight` is NULL, at most
 * CFLRI_PACKED_GROUP; returns how many. 0 at the end, or where the words are no group with targets
 * that ascend and are vertices. */
uint32_t cflri_packed_next(const cflri_row_code *how, cflri_packed_row *row, uint32_t *target,
                           uint32_t *weight);

/* Was the row read to its end, where its words end, too? */
bool cflri_packed_is_done(const cflri_packed_row *row);

#endif
