/* SPDX-License-Identifier: Apache-2.0
 *
 * kept.h: where a pointer that is kept in memory is read again.
 */
#ifndef CFLRI_KEPT_H
#define CFLRI_KEPT_H

#include "frontend/program/flows.h"
#include "frontend/typing/readings.h"

/* A content of a member, or of what pointers to pointers lead to: of class POINTER, at 0. */
typedef struct cflri_cell {
    uint32_t class, offset;
    cflri_node node;
} cflri_cell;

typedef struct cflri_kept {
    const cflri_readings *readings;
    const cflri_facts *facts;
    const cflri_flows *out; /* the assignments, forward */
    cflri_pairs taken;      /* sorted pairs (record, offset): members whose address is a value */
    bool *addressed;        /* by node: a variable whose address is one */
    CFLRI_VEC(cflri_cell) cells; /* sorted: the nodes of one cell follow each other */
} cflri_kept;

/* Neither `readings`, whose classes it looks at, nor `out` are owned. CFLR_OUT_OF_MEMORY. Free it
 * also when this fails. */
cflr_status cflri_kept_make(cflri_kept *kept, const cflri_readings *readings,
                            const cflri_flows *out, cflr_error *error);
void cflri_kept_free(cflri_kept *kept);

/* The member that the content is of, of a variable that is a record its first; `which` of several
 * from 0 on; false for no more. */
bool cflri_kept_member(const cflri_kept *kept, cflri_node n, size_t which, cflri_cell *found);

/* The same of the cells that it is in. */
bool cflri_kept_cell(const cflri_kept *kept, cflri_node n, size_t which, cflri_cell *found);

/* Of a member at the start of a record, where that is the start of another one. */
void cflri_kept_innermost(const cflri_kept *kept, cflri_cell *found);

/* Where the cell begins in `cells`. */
size_t cflri_kept_find(const cflri_kept *kept, uint32_t class, uint32_t offset);

#endif
