/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.h: from the rows of partitions to the relations of a closure.
 */
#ifndef CFLRI_COLLECT_H
#define CFLRI_COLLECT_H

#include "engine/closure/worker.h"

/* Ends a solve: frees what only solving needed and builds one relation a symbol from the rows of
 * the workers. `threads` share the sorting of rows. Returns what
 * the solve shall return: CFLR_OK, or why the workers stopped, described in *error. When they
 * stopped at a limit and not even the relations fit into memory, those that do not fit are empty.
 */
cflr_status cflri_collect(cflri_team *team, cflri_worker *workers, int threads,
                          cflri_closure *closure, cflr_error *error);

#endif
