/* SPDX-License-Identifier: Apache-2.0
 *
 * set_writer.h: writes sets of targets, one by one, as blocks of bytes.
 */
#ifndef CFLRI_SET_WRITER_H
#define CFLRI_SET_WRITER_H

#include "base/files/blocks.h"
#include "base/graph/relation.h"
#include "engine/sets/set_pieces.h"

/* Is there memory for so many bytes that make a file smaller, beside that which writing needs? */
bool cflri_spares(const cflr_context *context, uint64_t bytes);

typedef struct cflri_set_writer cflri_set_writer;

/* Writes blocks to `sink`, which the caller owns. A piece has up to piece_words, mostly
 * CFLRI_PIECE_WORDS, at least CFLRI_PIECE_LEAST. */
cflr_status cflri_set_writer_new(cflr_context *context, cflri_block_sink *sink,
                                 uint32_t piece_words, cflri_set_writer **writer,
                                 cflr_error *error);
void cflri_set_writer_free(cflri_set_writer *writer);
/* Writes the targets of a row, which has some, unless an equal set was written; with `plain`, none
 * is looked for. *number becomes the number of the set: sets are numbered from 0 as they are
 * written. */
cflr_status cflri_set_writer_put(cflri_set_writer *writer, const cflr_row *row, bool plain,
                                 uint32_t *number, cflr_error *error);
/* Writes what is left to be written. */
cflr_status cflri_set_writer_end(cflri_set_writer *writer, cflri_set_counts *counts,
                                 cflr_error *error);

#endif
