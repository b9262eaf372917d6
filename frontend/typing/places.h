/* SPDX-License-Identifier: Apache-2.0
 *
 * places.h: nodes that are one place in all memory of a kind, by the type of the record.
 */
#ifndef CFLRI_PLACES_H
#define CFLRI_PLACES_H

#include "frontend/program/flows.h"
#include "frontend/program/link.h"

/* By node: the next one of the same place, round and round; itself where it is alone, or in no
 * place. `flows` are forward. NULL when memory is refused, or has been; freed with cflri_free.
 * O(nodes). */
cflri_node *cflri_places_make(cflri_program *program, const cflri_flows *flows);

/* The text of a type behind the qualifiers in front. */
const char *cflri_unqualified(const char *type);

#endif
