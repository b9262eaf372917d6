/* SPDX-License-Identifier: Apache-2.0
 *
 * worker.h: the edge-centric step on one partition: settle pending pairs, join them.
 *
 * A row is taken from the queue with its pending pairs X(u, v1..vn), which are settled together:
 *
 *     settle   they become visible: the row's settled part covers them, u enters the lists of
 *              v1..vn
 *     at u     conclusions of the copy, swap, behind and mirror-ahead moves (plan.h)
 *     at v     conclusions of the ahead and mirror-behind moves, for each v
 *
 * Joins read settled pairs only. So each pair of joining pairs meets exactly once, when the later
 * of the two is settled; old is never joined with old, and no round is needed for that. Conclusions
 * with the same source go to its row in one call, which is what makes the look-up cheap.
 *
 * With several partitions the moves at u belong to the owner of u, those at v to the owner of v.
 * The owner of u, where the pair has its home and was found new, sends it to the owner of v by
 * `next`: known to be new, not to be checked again. A conclusion whose source lives elsewhere goes
 * by `possible` to its home, unchecked. Nothing else crosses.
 */
#ifndef CFLRI_WORKER_H
#define CFLRI_WORKER_H

#include <stdatomic.h>

#include "engine/closure/pairs/partition.h"
#include "engine/spine/exchange.h"

enum { CFLRI_SLICE = 2048 /* pairs of one row that are settled at a time */ };

/* What all workers of one solve share; while they work it is only read, but for `pairs`. */
typedef struct cflri_workers {
    const cflri_problem *problem;
    cflri_plan plan;
    cflri_source_split split;
    cflri_directory *of[CFLRI_SIDES]; /* one a vertex, each used by the owner of its vertex only */
    cflri_exchange next;              /* unused with one partition */
    cflri_exchange possible;
    struct cflri_worker *worker; /* one a partition */
    _Atomic uint64_t pairs;      /* found by all, as far as they told */
} cflri_workers;

/* A partner at the vertex of a join. */
typedef struct cflri_hit {
    uint32_t left;
    cflri_side side;
    const cflri_hashed_row *row; /* or list */
} cflri_hit;

typedef struct cflri_worker {
    cflri_workers *team;
    cflri_partition part;
    cflr_status st; /* why it ended before there was nothing left to do, or CFLR_OK */
    bool gave_up;   /* that was the budget */
    bool busy;      /* it has rows or edges to join; told at barriers only */
    CFLRI_VEC(cflri_hit) hits;
    cflri_hashed_row *current; /* the row that is worked on */
    cflri_hashed_row *last;    /* row of the last conclusion */
    uint64_t rounds;           /* slices, or turns of a parallel solve */
    uint64_t derivations;
    uint64_t work;     /* conclusions and visits, for deciding when to look up from it */
    uint64_t check_at; /* `work` at which limits are looked at */
    uint64_t told;     /* pairs that the team knows of */
    uint64_t sent;     /* ids put into mailboxes */
    uint32_t slice[CFLRI_SLICE];
    uint32_t local[CFLRI_SLICE]; /* the part of a slice whose targets live here */
} cflri_worker;

/* The plan, directories, workers, and mailboxes when there are several parts. To be freed, also
 * after a failure. */
cflr_status cflri_workers_init(cflri_workers *team, const cflri_problem *problem, uint32_t parts,
                               cflr_error *error);
void cflri_workers_free(cflri_workers *team);
/* Ends a solve: frees what only solving needed and makes relations of the rows of the workers.
 * Returns what the solve shall return: CFLR_OK, or why the workers stopped, described in *error
 * (collect.h). */
cflr_status cflri_workers_collect(cflri_workers *team, cflri_closure *closure, cflr_error *error);

/* Fills rows, lists and queue from the graph. False when work ended (see `st`), here and below. */
bool cflri_worker_load(cflri_worker *worker);

/* Settles a slice of the first row of the queue and joins it; *idle when the queue was empty. */
bool cflri_worker_step(cflri_worker *worker, bool *idle);

/* Has any row pending pairs? */
bool cflri_worker_pending(const cflri_worker *worker);

/* Pairs of another home that are known to be new: settles them at their targets and joins. */
bool cflri_worker_receive_next(cflri_worker *worker, const cflri_run *run);

/* Conclusions of others whose home is here. */
bool cflri_worker_receive_possible(cflri_worker *worker, const cflri_run *run);

#endif
