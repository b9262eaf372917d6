/* SPDX-License-Identifier: Apache-2.0
 *
 * ground_index.h: the second half of grounding: indexes by right-hand sides.
 */
#ifndef CFLRI_GROUND_INDEX_H
#define CFLRI_GROUND_INDEX_H

#include "grammar/equations/ground.h"

/* Fills the indexes of a ground grammar whose symbols and sorted rules are in place. */
cflr_status cflri_ground_build_indexes(cflri_ground *ground, cflr_error *error);
void cflri_ground_free_indexes(cflri_ground *ground);

#endif
