/* SPDX-License-Identifier: Apache-2.0
 *
 * parallel.c: the edge-centric solver on 3D worklists, all threads.
 *
 * After Nodehi Sabet (docs/explanation/models.md): vertices are assigned to partitions, one thread
 * each; a partition works asynchronously on what it holds and synchronously with the others; edges
 * travel in two matrices of mailboxes (engine/spine/exchange.h), each box written by one partition,
 * so that no lock and no atomic operation is met while edges are joined.
 *
 *     turn:  phase 1   each p: join what next[p][*] brought, then rows of the own queue, until it
 *                      is empty or the turn has lasted long enough
 *                          new edge with target elsewhere      -> next[owner(target)][p]
 *                          conclusion with source elsewhere    -> possible[owner(source)][p]
 *            barrier
 *            phase 2   each p: take next[p][*]; look up possible[p][*] in the own rows, what is new
 *                      is queued
 *            barrier   the end when no queue holds a row and no box brought an edge
 *
 * One difference: there an edge across partitions is looked up twice, in a set of either partition,
 * because either may find it first. Here its home, the partition of its source, is the only place
 * that looks it up, and what `next` brings to the other is known to be new and unique. That halves
 * the sets and the look-ups, and each pair of joining edges still meets exactly once, at the owner
 * of the vertex in the middle, where both are settled.
 *
 * With one thread, or too few edges to share, there is one partition and no mailbox: the work of
 * edge_indexed.c.
 */
#include "base/crew.h"
#include "engine/closure/pairs/pairs.h"
#include "engine/closure/pairs/worker.h"

/* A turn ends when a partition has done WORK_A_TURN conclusions and visits, which take a few
 * milliseconds (longer, and one waits for mail that the other holds back; shorter, and barriers
 * count), or has filled mailboxes with SENT_A_TURN ids or half as many as it holds pairs, whichever
 * is more: so mail stays small beside the closure. */
enum { WORK_A_TURN = 1 << 20, SENT_A_TURN = 1 << 18 };

typedef struct shop {
    cflri_workers team;
    cflri_box *inbox; /* parts * parts: [p * parts + from] is what p took from `from` */
    bool done;        /* written while all wait */
} shop;

/* ---- phases ---- */

static bool work_inbox(shop *c, cflri_worker *worker) {
    cflri_box *inbox = c->inbox + (size_t)worker->part.self * c->team.split.parts;
    for (uint32_t from = 0; from < c->team.split.parts; from++) {
        cflri_run run;
        for (size_t at = 0; cflri_box_next(&inbox[from], &at, &run);) {
            if (!cflri_worker_receive_next(worker, &run)) return false;
        }
        inbox[from].n = 0;
    }
    return true;
}

static void phase1(shop *c, cflri_worker *worker) {
    uint64_t work_until = worker->work + WORK_A_TURN;
    uint64_t half = worker->part.pairs / 2;
    uint64_t sent_until = worker->sent + (half > SENT_A_TURN ? half : SENT_A_TURN);
    worker->rounds++;
    bool idle = false, going = worker->st == CFLR_OK && work_inbox(c, worker);
    while (going && !idle && worker->work < work_until && worker->sent < sent_until) {
        going = cflri_worker_step(worker, &idle);
    }
}

static bool take_possible(shop *c, cflri_worker *worker, uint32_t from, cflri_box *spare) {
    cflri_run run;
    cflri_exchange_take(&c->team.possible, worker->part.self, from, spare);
    for (size_t at = 0; cflri_box_next(spare, &at, &run);) {
        if (!cflri_worker_receive_possible(worker, &run)) return false;
    }
    return true;
}

static void phase2(shop *c, cflri_worker *worker) {
    uint32_t self = worker->part.self, parts = c->team.split.parts;
    cflri_box *inbox = c->inbox + (size_t)self * parts;
    worker->busy = false;
    for (uint32_t from = 0; from < parts && worker->st == CFLR_OK; from++) {
        if (from == self) continue;
        /* what `next` brought was processed: its buffer is traded for that of `possible` */
        if (!take_possible(c, worker, from, &inbox[from])) break;
        cflri_exchange_take(&c->team.next, self, from, &inbox[from]);
        worker->busy |= inbox[from].n > 0;
    }
    worker->busy |= cflri_worker_pending(worker);
}

/* Between two barriers, by one thread: are all done, or did one end early? */
static void sum_up(shop *c) {
    bool stop = false, busy = false;
    for (uint32_t p = 0; p < c->team.split.parts; p++) {
        busy |= c->team.worker[p].busy;
        stop |= c->team.worker[p].st != CFLR_OK;
    }
    c->done = stop || !busy;
}

/* The partitions of one thread. There may be fewer threads than partitions; then some work for
 * several. */
static void work_share(void *what, cflri_crew *crew, uint32_t thread) {
    shop *c = what;
    cflri_worker *worker = c->team.worker;
    uint32_t parts = c->team.split.parts;
    for (uint32_t p = thread; p < parts; p += crew->threads) cflri_worker_load(&worker[p]);
    do {
        for (uint32_t p = thread; p < parts; p += crew->threads) phase1(c, &worker[p]);
        cflri_crew_wait(crew);
        for (uint32_t p = thread; p < parts; p += crew->threads) phase2(c, &worker[p]);
        cflri_crew_wait(crew);
        if (!thread) sum_up(c);
        cflri_crew_wait(crew);
    } while (!c->done);
}

/* ---- the solve ---- */

cflr_status cflri_solve_parallel(const cflri_problem *problem, cflri_closure *closure,
                                 cflr_error *error) {
    cflr_context *context = problem->context;
    uint32_t parts = cflri_threads_worth(problem);
    if (parts > problem->n_vertices) parts = problem->n_vertices;
    if (!parts) parts = 1;
    size_t boxes = (size_t)parts * parts;
    shop c = {0};
    cflr_status st = CFLR_OK;
    *closure = (cflri_closure){0};
    CFLR_TRY(cflri_workers_init(&c.team, problem, parts, error));
    c.inbox = cflri_alloc_array_zero(context, boxes, sizeof *c.inbox);
    if (!c.inbox) CFLR_TRY(cflri_fail_memory(context, error));
    cflri_crew_run(parts, work_share, &c);
    for (size_t b = 0; b < boxes; b++) cflri_box_free(context, &c.inbox[b]);
    cflri_free(context, c.inbox);
    st = cflri_workers_collect(&c.team, closure, error);
    closure->threads = (int)parts;
out:
    cflri_workers_free(&c.team);
    return st;
}
