/* SPDX-License-Identifier: Apache-2.0
 *
 * colour.c: what colours need and give (colour.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/colour.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    colour_run(m, task);
}

#define COLOUR_COLUMN(name, field) \
    { name, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(colour, field), false }

const cflri_primitive cflri_primitive_COLOUR = {
    .name = "colour",
    .which = CFLR_COLOUR,
    .needs = {.symmetric = true},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .task_size = sizeof(colour),
    .count = "colours",
    .column = {COLOUR_COLUMN("colour", colour), COLOUR_COLUMN(NULL, waiting),
               COLOUR_COLUMN(NULL, ready_list), COLOUR_COLUMN(NULL, next_list),
               COLOUR_COLUMN(NULL, again_list), COLOUR_COLUMN(NULL, again_too_list)},
    .run = run,
};
