/* SPDX-License-Identifier: Apache-2.0
 *
 * order.h: the order of stages whose rows are only united with one another.
 */
#ifndef CFLRI_BIT_ORDER_H
#define CFLRI_BIT_ORDER_H

#include "engine/closure/bits/rules.h"
#include "engine/spine/plan.h"

/* Finds the order of each stage that has one, of a system whose rows have numbers. Freed by the
 * caller, after a failure too. O(rows + edges). */
cflr_status cflri_bit_orders_make(cflri_bit_system *system, cflr_error *error);
void cflri_bit_orders_free(cflri_bit_system *system);

#endif
