/* SPDX-License-Identifier: Apache-2.0
 *
 * kept_nodes.h: nodes of trees that were read, where pieces do not fit into memory (set_pages.h).
 *
 * Sets share nodes, so those of one set lie in many pieces. A set that is read after another one
 * mostly has the same nodes, some hundreds, while the pieces that have them may be all there are.
 * So nodes are kept beside pieces, each at the place that its number gives: a newer one takes the
 * place of an older one. Any thread may use them.
 */
#ifndef CFLRI_KEPT_NODES_H
#define CFLRI_KEPT_NODES_H

#include "engine/sets/set_pieces.h"

typedef struct cflri_kept_nodes cflri_kept_nodes;

/* Takes up to so many bytes. NULL when these are too few, or memory is refused: then none is
 * kept. */
cflri_kept_nodes *cflri_kept_nodes_new(cflr_context *context, uint64_t memory);
void cflri_kept_nodes_free(cflr_context *context, cflri_kept_nodes *kept); /* NULL is a no-op */

/* Copies the words of the node, if it is kept. */
bool cflri_kept_nodes_find(cflri_kept_nodes *kept, uint32_t number,
                           uint32_t word[CFLRI_NODE_WORDS]);
/* Keeps the n words of a node. */
void cflri_kept_nodes_keep(cflri_kept_nodes *kept, uint32_t number, const uint32_t *word,
                           uint32_t n);

#endif
