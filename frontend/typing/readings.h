/* SPDX-License-Identifier: Apache-2.0
 *
 * readings.h: which classes of memory the values of a program lead to by their types.
 */
#ifndef CFLRI_READINGS_H
#define CFLRI_READINGS_H

#include "frontend/program/link.h"
#include "frontend/typing/shapes.h"

typedef CFLRI_VEC(uint64_t) cflri_pairs;

typedef struct cflri_readings {
    const cflri_program *program;
    cflri_classes *classes;
    const cflri_shapes *shapes;
    size_t *record_start; /* by node, and one more: in `record` */
    cflri_numbers record; /* the records that units say a node is a member of */
    size_t *start;        /* by node, and one more: in `class` */
    bool *raw_node;       /* by node: the address of characters that are taken for something else */
    cflri_pairs raw; /* sorted pairs (record, offset): pointers to characters that lead anywhere */
    cflri_numbers class; /* of node n: start[n] .. start[n + 1] - 1; none: anything */
} cflri_readings;

/* The records only: their classes are known then. O(nodes). Free it also when this fails. */
cflr_status cflri_readings_begin(cflri_readings *readings, const cflri_program *program,
                                 cflri_classes *classes, cflr_error *error);
/* The rest. O(nodes + assignments). Free it also when this fails. */
cflr_status cflri_readings_make(cflri_readings *readings, const cflri_shapes *shapes,
                                cflr_error *error);
void cflri_readings_free(cflri_readings *readings);

/* The classes that pointers at that offset of the record lead to, and of an object of that type
 * where it begins, which is `raw` where a pointer to characters in it may lead anywhere: *n of
 * them, 0: anything. */
enum { CFLRI_MOST_READINGS = 8 };
cflr_status cflri_cell_readings(const cflri_readings *readings, uint32_t class, uint32_t offset,
                                uint32_t found[CFLRI_MOST_READINGS], uint32_t *n,
                                cflr_error *error);
cflr_status cflri_declared_readings(const cflri_readings *readings, uint32_t type, bool raw,
                                    uint32_t found[CFLRI_MOST_READINGS], uint32_t *n,
                                    cflr_error *error);

/* Is an array of characters that lies there taken for something else? */
bool cflri_is_raw_cell(const cflri_readings *readings, uint32_t class, uint32_t offset);

/* Is the node a content whose flows are not all assignments: of memory, or of a slot that calls
 * through values use? */
bool cflri_is_open_content(const cflri_program *program, cflri_node node);

/* Does the record begin with one of the other class? */
bool cflri_begins_with(const cflri_shapes *shapes, uint32_t record, uint32_t other);

#endif
