/* SPDX-License-Identifier: Apache-2.0
 *
 * nested.h: records in records, for pointers that see the whole as a flat record.
 */
#ifndef CFLRI_NESTED_H
#define CFLRI_NESTED_H

#include "frontend/program/link.h"

/* For closing a program without locations, when no more members are to be had: adds to each member
 * that is reached by a pointer to a record the ways from the records that this one lies in. O(nodes
 * + members * places of their record in others). CFLR_OUT_OF_MEMORY. */
cflr_status cflri_settle_nested(cflri_program *program, cflr_error *error);

#endif
