/* SPDX-License-Identifier: Apache-2.0
 *
 * emit_calls.h: the functions and calls of a program, for its graph.
 */
#ifndef CFLRI_EMIT_CALLS_H
#define CFLRI_EMIT_CALLS_H

#include "cflr/graph.h"
#include "frontend/contexts/clone.h"

/* Gives the builder, which cflri_emit has filled, the calls of the program. To be called once.
 * O(functions + nodes + calls * (log + copies)). */
cflr_status cflri_emit_calls(const cflri_contexts *contexts, cflr_graph_builder *builder,
                             cflr_error *error);

#endif
