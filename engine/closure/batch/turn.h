/* SPDX-License-Identifier: Apache-2.0
 *
 * turn.h: rows of pairs read backwards, as sets.
 */
#ifndef CFLRI_BATCH_TURN_H
#define CFLRI_BATCH_TURN_H

#include "engine/closure/batch/state.h"

/* Makes the rows of the converse of a family whose ids are vertices: (*turned)[v] for each vertex
 * of the problem, owned by the caller. The family is finished, or is what slices have received of
 * one that is; sets can still be made. False when memory is refused: then rows may be missing, and
 * *turned may be NULL. */
bool cflri_batch_turn(cflri_batch *batch, uint32_t family, cflri_set_number **turned);

#endif
