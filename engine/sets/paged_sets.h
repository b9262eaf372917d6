/* SPDX-License-Identifier: Apache-2.0
 *
 * paged_sets.h: sets of targets that stay where they were written, as those of relations.
 */
#ifndef CFLRI_PAGED_SETS_H
#define CFLRI_PAGED_SETS_H

#include "base/files/blocks.h"
#include "base/graph/relation.h"
#include "engine/sets/set_pieces.h"

/* Opens sets of targets below n_vertices that cflri_set_writer wrote to the blocks of the source,
 * which must live as long. Everything is checked, and the counts are not believed: CFLR_FORMAT for
 * damage. Pieces are read again when they are needed; those that are kept take up to `memory`
 * bytes, or five eighths of that, with nodes, where it is not enough for all; but at least one
 * is kept. Besides, 4 bytes are taken for each set and each node, and meanwhile 5 more for
 * each node. Freed with (*sets)->free. */
cflr_status cflri_paged_sets_open(cflr_context *context, const cflri_block_source *source,
                                  const cflri_set_counts *counts, uint32_t n_vertices,
                                  uint64_t memory, cflri_target_sets **sets, cflr_error *error);

/* What a row of a relation has that has set i, below counts->n_sets, of those that were written.
 * Also gives the number of targets. */
uint32_t cflri_paged_set(const cflri_target_sets *sets, uint32_t i, uint32_t *n_targets);

#endif
