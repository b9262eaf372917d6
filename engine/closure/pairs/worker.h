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

/* What a worker tells the others now and then, and at every barrier; read by any thread. */
typedef struct cflri_report {
    _Atomic uint64_t pairs;
    _Atomic uint64_t copies;
    _Atomic uint64_t rows;
    _Atomic uint64_t solving_bytes;
    atomic_bool busy; /* it has rows or edges to join; told at barriers only */
} cflri_report;

/* What all workers of one solve share; while they work it is only read, but for reports, `full` and
 * what the first worker writes (`used`, `pairs`). */
typedef struct cflri_team {
    const cflri_problem *problem;
    cflri_plan plan;
    cflri_deal deal;
    cflri_directory *out; /* of all partitions */
    cflri_directory *in;
    cflri_exchange next; /* unused with one partition */
    cflri_exchange possible;
    cflri_report *report; /* one a partition */
    atomic_bool full;     /* memory is needed for the result: all shall stop */
    uint64_t fixed_bytes; /* that the relations will need whatever is derived */
    uint64_t used;        /* memory in use when its limit was looked at last */
    uint64_t pairs;       /* found by all, as far as they told */
    bool mirrors;         /* is there a mirrored symbol? */
} cflri_team;

/* A partner at the vertex of a join. */
typedef struct cflri_hit {
    uint32_t left;
    uint32_t id; /* row or list */
    cflri_side side;
} cflri_hit;

/* Why a worker ended its work before there was nothing left to do. */
typedef enum cflri_end {
    CFLRI_END_NONE,
    CFLRI_END_REFUSED, /* an allocation failed, by the limit or by the system */
    CFLRI_END_FULL,    /* what is left of the memory limit is needed for the result */
    CFLRI_END_CANCELLED,
    CFLRI_END_TIME,
    CFLRI_END_BUDGET, /* another model is to solve */
} cflri_end;

typedef struct cflri_worker {
    cflri_team *team;
    cflri_partition part;
    cflri_end (*check)(struct cflri_worker *worker); /* looks at clock and limits */
    cflri_end end;
    CFLRI_VEC(cflri_hit) hits;
    cflri_hashed_row *current; /* the row that is worked on */
    cflri_hashed_row *last;    /* row of the last conclusion */
    uint64_t rounds;           /* slices, or turns of a parallel solve */
    uint64_t derivations;
    uint64_t work;     /* conclusions and visits, for deciding when to look up from it */
    uint64_t check_at; /* `work` at which `check` is due */
    uint64_t sent;     /* ids put into mailboxes */
    uint32_t slice[CFLRI_SLICE];
    uint32_t local[CFLRI_SLICE]; /* the part of a slice whose targets live here */
} cflri_worker;

/* The plan, directories, and mailboxes when there are several parts. */
cflr_status cflri_team_init(cflri_team *team, const cflri_problem *problem, uint32_t parts,
                            cflr_error *error);
void cflri_team_free(cflri_team *team);
/* Ends a solve: frees what only solving needed and makes relations of the rows of the workers;
 * `threads` share the sorting of rows. Returns what the solve shall return: CFLR_OK, or why the
 * workers stopped, described in *error (collect.h). */
struct cflri_worker;
cflr_status cflri_team_collect(cflri_team *team, struct cflri_worker *workers, int threads,
                               cflri_closure *closure, cflr_error *error);

/* Takes no memory. */
void cflri_worker_init(cflri_worker *worker, cflri_team *team, uint32_t self);
void cflri_worker_free(cflri_worker *worker);

/* Fills rows, lists and queue from the graph. False when work ended (see `end`), here and below. */
bool cflri_worker_load(cflri_worker *worker);

/* Settles a slice of the first row of the queue and joins it; *idle when the queue was empty. */
bool cflri_worker_step(cflri_worker *worker, bool *idle);

/* Has any row pending pairs? */
bool cflri_worker_pending(const cflri_worker *worker);

/* Pairs of another home that are known to be new: settles them at their targets and joins. */
bool cflri_worker_receive_next(cflri_worker *worker, const cflri_run *run);

/* Conclusions of others whose home is here. */
bool cflri_worker_receive_possible(cflri_worker *worker, const cflri_run *run);

/* What cflri_interrupted or cflri_tick returned, as an end. */
cflri_end cflri_end_of(cflr_status status);

/* Fills the worker's report. */
void cflri_worker_tell(cflri_worker *worker);

/* Sums the reports up. True when the memory left (and what the end of solving frees) would soon no
 * longer hold the result: not after twice the growth since the last call. By one thread at a
 * time. */
bool cflri_team_short_of_memory(cflri_team *team);

#endif
