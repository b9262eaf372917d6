/* SPDX-License-Identifier: Apache-2.0
 *
 * told.h: the records that units say a node is a member of, as one string.
 */
#ifndef CFLRI_TOLD_H
#define CFLRI_TOLD_H

#include "frontend/facts/facts.h"

/* Joins the records of both, in the order of their texts, as a string of the facts;
 * CFLRI_ANY_RECORD for too many. 0 when memory is refused, as of all strings. */
uint32_t cflri_told_join(cflri_facts *facts, uint32_t one, uint32_t other);

/* The first text of `*set`, of *length bytes, behind which *set begins then; NULL at the end. Begin
 * with the whole string. */
const char *cflri_told_next(const char **set, size_t *length);

/* Is the FIELD an address of a member that the source names? By such the locations of its record
 * tell which it is; any other may be any of the same object. */
bool cflri_is_told(const cflri_facts *facts, cflri_node node);

/* Is it told which record, or records, it is a member of: such an address, or the content of a
 * member at the start? */
bool cflri_has_record(const cflri_facts *facts, cflri_node node);

/* Is it a step of a summary, to a member of whatever its base leads to? */
bool cflri_is_summary_step(const cflri_facts *facts, cflri_node node);

#endif
