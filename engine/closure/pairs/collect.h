/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.h: from the rows of partitions to the relations of a closure.
 */
#ifndef CFLRI_COLLECT_H
#define CFLRI_COLLECT_H

#include "engine/closure/pairs/worker.h"

/* Ends a solve: frees what only solving needed and builds one relation a symbol from the rows of
 * the workers; `threads` share the sorting of rows. Returns what the solve shall return: CFLR_OK,
 * or why the workers stopped, described in *error. Where not all rows fit into what is left of the
 * memory limit, those of the first vertices are kept, as many as fit, and CFLR_LIMIT is returned. */
cflr_status cflri_collect(cflri_team *team, cflri_worker *workers, int threads,
                          cflri_closure *closure, cflr_error *error);

#endif
