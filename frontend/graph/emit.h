/* SPDX-License-Identifier: Apache-2.0
 *
 * emit.h: from a program and its contexts to a label graph (docs/reference/labels.md).
 */
#ifndef CFLRI_EMIT_H
#define CFLRI_EMIT_H

#include "cflr/graph.h"
#include "frontend/contexts/clone.h"

enum { CFLRI_SLOT_INDEX_BYTES = 1024 };

/* The index of the labels of a slot: "2", "ret", "...", and behind it the type of the function, a
 * signature, unless that is CFLRI_NO_SIGNATURE. */
void cflri_slot_index(const cflri_facts *facts, uint32_t slot, uint32_t type,
                      char index[CFLRI_SLOT_INDEX_BYTES]);

/* *builder: for the caller to freeze, when the program is gone, since both need much memory; NULL
 * on failure. *pointers: vertices that hold a pointer. */
cflr_status cflri_emit(const cflri_contexts *contexts, cflr_calls calls,
                       cflr_graph_builder **builder, uint64_t *pointers, cflr_error *error);

#endif
