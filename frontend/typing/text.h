/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h: which pointers to characters lead to text, and which to memory of any type.
 */
#ifndef CFLRI_TEXT_H
#define CFLRI_TEXT_H

#include "frontend/typing/readings.h"

/* Looks at readings in which CHARACTERS stands for pointers to characters, and makes raw[n] true
 * for each node that has it and may lead to something else; `cells`: the members that hold such,
 * pairs (record, offset), in any order. O(nodes + assignments). */
cflr_status cflri_find_raw(const cflri_readings *readings, bool *raw, cflri_pairs *cells,
                           cflr_error *error);

#endif
