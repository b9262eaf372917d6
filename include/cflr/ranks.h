/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.h: several processes close one graph together. mpirun or srun starts them; each is a rank.
 *
 *     rank 0    join   load   settle   cflr_solve -> result    write   settle   leave
 *     rank 1    join   load   settle   cflr_solve              ------- settle   leave
 *
 * Each rank has to make the same calls of a joined context, with the same graph, grammar and
 * options, from the thread that joined. Rank 0 gets the result; the others get none, and the same
 * status. Limits hold for each rank.
 */
#ifndef CFLR_RANKS_H
#define CFLR_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "cflr/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of processes that were started together, and this one's number in *self (NULL:
 * not wanted): 1 and 0 for a process on its own. Only reads the environment. CFLR_MPI=off there
 * means that every process is on its own. */
CFLR_EXPERIMENTAL uint32_t cflr_ranks_started(uint32_t *self);

/* Joins the ranks: from now on cflr_solve of the context is the work of all. If options say no
 * number of threads, ranks of a machine share its processors. CFLR_UNAVAILABLE if there is no MPI
 * library for cflr, or it is not the one of mpirun. A process can join once. */
CFLR_EXPERIMENTAL cflr_status cflr_ranks_join(cflr_context *context, cflr_error *error);

/* If *code is not 0 at some ranks, all ranks get the code and the text of the first of them, whose
 * number is returned; otherwise 0. The size has to be the same at all ranks. In a context that has
 * not joined nothing happens. */
CFLR_EXPERIMENTAL uint32_t cflr_ranks_settle(cflr_context *context, int *code, char *text,
                                             size_t size);

/* Every rank has to leave before it frees the context. Nothing happens if it has not joined. */
CFLR_EXPERIMENTAL void cflr_ranks_leave(cflr_context *context);

#ifdef __cplusplus
}
#endif
#endif
