/* SPDX-License-Identifier: Apache-2.0
 *
 * packed_rows.h: sets that lie packed in one block of words, as those of relations.
 */
#ifndef CFLRI_PACKED_ROWS_H
#define CFLRI_PACKED_ROWS_H

#include "base/graph/relation.h"
#include "engine/sets/packed_format.h"
#include "engine/sets/vertex_ids.h"

/* Set 0 is the empty set, and has no words. */
typedef struct cflri_packed_sets {
    cflri_target_sets sets; /* .free frees the struct, the arrays and the ids */
    uint32_t n;             /* numbers of sets, with 0: at least 1 */
    uint64_t n_words;
    uint32_t *word;  /* n_words; of set s those from start[s] to before start[s + 1] */
    uint64_t *start; /* n + 1 */
    cflri_vertex_ids ids;
} cflri_packed_sets;

/* Makes packed sets without a set. NULL when memory is refused. */
cflri_packed_sets *cflri_packed_rows_new(cflr_context *context);

/* Makes the arrays, once, for n_sets sets, with the empty one, and n_words words. The caller fills
 * them, and may lower `n` and `n_words`. False when memory is refused. */
bool cflri_packed_rows_reserve(cflr_context *context, cflri_packed_sets *rows, uint32_t n_sets,
                               uint64_t n_words);

/* Rows are complete from now on. Their ids stand for the vertices that cflri_vertex_ids_init
 * copies. False when memory is refused. */
bool cflri_packed_rows_end(cflr_context *context, cflri_packed_sets *rows, const uint32_t *vertex,
                           uint32_t n_ids, uint32_t n_vertices);

/* Is each row, which may have no ids, in one of the two forms, with ids below `universe`, and are
 * there no words but those of rows? Reads only what the counts allow, so the arrays may hold
 * anything. O(words). */
bool cflri_packed_rows_valid(const cflri_packed_sets *rows, uint32_t universe);

/* Writes ids that ascend as a row, in the form with fewer words; returns how many words these
 * are. */
uint32_t cflri_packed_row_write(const uint32_t *ids, uint32_t n, uint32_t *word);

#endif
