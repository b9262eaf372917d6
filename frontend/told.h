/* SPDX-License-Identifier: Apache-2.0
 *
 * told.h: the records that a node is told to be a member of, as one string.
 */
#ifndef CFLRI_TOLD_H
#define CFLRI_TOLD_H

#include "frontend/facts.h"

/* Those of both, in the order of their texts, as a string of the facts; CFLRI_ANY_RECORD for too many.
 * 0 when memory is refused, as of all strings. */
uint32_t cflri_told_join(cflri_facts *facts, uint32_t one, uint32_t other);

/* The first text of `*set`, of *length bytes, behind which *set begins then; NULL at the end. Begin
 * with the whole string. */
const char *cflri_told_next(const char **set, size_t *length);

#endif
