/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs.h: breadth-first search: how many edges lead from the source to each vertex, at least.
 *
 *     level 0   s              push: a vertex of the frontier looks along its edges, and claims
 *                                    the targets that are not claimed
 *     level 1   o o o          pull: a vertex that is not reached looks for one edge from the
 *                                    frontier, and stops there
 *     level 2   o o o o o o
 *
 * In graphs of small diameter most vertices are in two or three frontiers. Pushing then looks at
 * nearly all edges, to find nearly all ends claimed; pulling finds an edge from the frontier after
 * few. So the search pulls when the frontier has more than a share (alpha) of the edges that are
 * not looked along yet, and until it has less than a share (beta) of the vertices again.
 *
 * O(n + m). Each vertex is claimed by one thread (compare and swap), or, when pulling, belongs to
 * one.
 *
 * Idempotent, pushing writes levels plainly: two threads that find a vertex in the same step write
 * the same level, and the vertex is in the list twice, unless the operator sees it. Levels are
 * right all the same. Vertices of long rows are claimed even so, since to look along one of them
 * twice costs more than all claims. Should copies fill the list, the next one is made from the
 * levels.
 *
 * With a bound on the hops it stops at that level: what it has then is the neighbourhood of the
 * source.
 *
 * Sources: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC
 * 2012; D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012.
 */
#ifndef CFLRI_BFS_H
#define CFLRI_BFS_H

#include "engine/traverse/task.h"

typedef struct bfs {
    cflri_primitive_task task;
    uint32_t *level; /* CFLRI_NONE: not reached */
    uint32_t *list, *next_list;
    cflri_shared_word *front, *next_front, *done;
    uint32_t depth;   /* of the frontier */
    bool keeps_order; /* `list` ends up as all that is reached, by level; there is no `next_list` */
    uint32_t degree;  /* taken for that of every vertex; 0: each is looked up */
} bfs;

/* Pull when the frontier has more than 1 / BFS_ALPHA of the edges that are not looked along; push
 * again when it has fewer than 1 / BFS_BETA of the vertices (alpha and beta of GAPBS). To turn
 * costs a look at all vertices: not for fewer edges than 1 / BFS_TURN of these, as at the end of a
 * search through a grid. Where rows are read over a link, a vertex that pulls costs the begin of
 * its row at least, which is as much as some twenty edges that are pushed: then it is worth it only
 * when most edges are the frontier's. */
enum { BFS_ALPHA = 15, BFS_FAR_ALPHA = 2, BFS_BETA = 18, BFS_TURN = 8 };

/* Where vertices have fewer edges than that on average, pulling is worth little, and looking up how
 * many costs more. */
enum { BFS_EVEN_DEGREE = 8 };

enum { BFS_FOUND, BFS_EDGES }; /* sums: vertices of the next frontier, and edges out of them */

CFLRI_FUNCTOR void bfs_forget(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((bfs *)task)->level[v] = CFLRI_NONE;
}

CFLRI_FUNCTOR void bfs_found(cflri_step_tally *tally, const bfs *b, uint32_t v) {
    tally->sum[BFS_FOUND]++;
    tally->sum[BFS_EDGES] += b->degree ? b->degree : cflri_degree(&b->task.out, v);
}

CFLRI_FUNCTOR void bfs_arrive(cflri_step_tally *tally, void *task, uint32_t v) {
    bfs *b = (bfs *)task;
    cflri_put(&b->level[v], b->depth + 1);
    bfs_found(tally, b, v);
}

/* Is it new? Idempotent, other threads may be told so, too. */
CFLRI_FUNCTOR bool bfs_find(cflri_step_tally *tally, bfs *b, uint32_t v, bool idempotent) {
    if (cflri_glance(&b->level[v]) != CFLRI_NONE) return false;
    if (idempotent && cflri_degree(&b->task.out, v) <= CFLRI_LONG_ROW)
        cflri_put(&b->level[v], b->depth + 1);
    else if (cflri_swap_if(&b->level[v], CFLRI_NONE, b->depth + 1) != CFLRI_NONE)
        return false;
    bfs_found(tally, b, v);
    return true;
}

CFLRI_FUNCTOR bool bfs_claim(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                             cflri_row_edge edge) {
    (void)from, (void)edge;
    return bfs_find(tally, (bfs *)task, to, false);
}

CFLRI_FUNCTOR bool bfs_visit(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                             cflri_row_edge edge) {
    (void)from, (void)edge;
    return bfs_find(tally, (bfs *)task, to, true);
}

CFLRI_FUNCTOR bool bfs_is_next(cflri_step_tally *tally, void *task, uint32_t v) {
    bfs *b = (bfs *)task;
    if (b->level[v] != b->depth + 1) return false;
    bfs_found(tally, b, v);
    return true;
}

CFLRI_FUNCTOR bool bfs_is_reached(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    return ((bfs *)task)->level[v] != CFLRI_NONE;
}

CFLRI_FUNCTOR void bfs_count(cflri_step_tally *tally, void *task, uint32_t v) {
    tally->sum[BFS_FOUND] += bfs_is_reached(tally, task, v);
}

/* ---- where other GPUs have rows, too ---- */

CFLRI_FUNCTOR uint64_t bfs_send(void *task, uint32_t v) {
    (void)v;
    return ((bfs *)task)->depth + 1;
}

CFLRI_FUNCTOR bool bfs_receive(cflri_step_tally *tally, void *task, uint32_t v, uint64_t level) {
    (void)level;
    return bfs_find(tally, (bfs *)task, v, false);
}

/* ---- the driver ---- */

/* What all threads know of the search. */
typedef struct bfs_state {
    cflri_list frontier, next; /* while pushing */
    uint64_t found, edges;     /* of the frontier */
    uint64_t left;             /* edges that are not looked along, about */
    uint64_t reached;
    bool pulling;
} bfs_state;

CFLRI_FUNCTOR bool bfs_wants_pull(const bfs *b, const bfs_state *s, uint64_t alpha) {
    uint64_t n = b->task.out.n;
    if (b->task.way != CFLR_WAY_AUTO) return b->task.way == CFLR_WAY_PULL;
    if (s->pulling) return s->found >= n / BFS_BETA;
    return s->edges > s->left / alpha && s->edges > n / BFS_TURN;
}

CFLRI_DRIVER bfs_turn(CFLRI_TEAM *m, bfs *b, bfs_state *s) {
    bool pull = bfs_wants_pull(b, s, cflri_is_far(m) ? BFS_FAR_ALPHA : BFS_ALPHA);
    if (pull == s->pulling) return;
    if (pull) {
        cflri_bits_of(m, s->frontier, b->task.out.n, b->front);
        cflri_bits_where(m, b->task.out.n, b->done, b, bfs_is_reached);
    } else if (!b->keeps_order) {
        s->frontier.n = 0;
        cflri_list_of(m, b->front, b->task.out.n, &s->frontier);
    }
    s->pulling = pull;
}

/* The list of the next frontier is where the last one was, or behind the one that is kept. */
CFLRI_DRIVER bfs_swap_lists(CFLRI_TEAM *m, const bfs *b, bfs_state *s) {
    cflri_list swap = s->frontier;
    (void)m;
    s->frontier = s->next;
    s->next = swap;
    if (b->keeps_order) s->next.at = s->frontier.at + s->frontier.n;
    s->next.n = 0;
}

/* What joins the next list, as the sums say. */
CFLRI_DRIVER bfs_push(CFLRI_TEAM *m, bfs *b, bfs_state *s, bool idempotent) {
    uint64_t n = b->task.out.n;
    if (!idempotent) {
        cflri_advance(m, &b->task.out, s->frontier, &s->next, b, bfs_claim);
        cflri_exchange(m, &s->next, b, bfs_send, bfs_receive);
        return;
    }
    cflri_advance_within(m, &b->task.out, s->frontier, &s->next, n, b, bfs_visit);
    if (s->next.n <= n) return;
    s->next.n = 0;
    cflri_filter_all(m, n, &s->next, b, bfs_is_next);
}

CFLRI_DRIVER bfs_step(CFLRI_TEAM *m, bfs *b, bfs_state *s, bool idempotent) {
    if (s->pulling) {
        cflri_pull(m, &b->task.in, b->front, b->done, b->next_front, b, bfs_arrive);
        cflri_shared_word *swap = b->front;
        b->front = b->next_front;
        b->next_front = swap;
        s->found = m->total[BFS_FOUND];
        s->edges = m->total[BFS_EDGES];
        if (b->keeps_order) cflri_list_of(m, b->front, b->task.out.n, &s->next);
        if (b->keeps_order) bfs_swap_lists(m, b, s);
    } else {
        bfs_push(m, b, s, idempotent);
        s->found = m->total[BFS_FOUND];
        s->edges = m->total[BFS_EDGES];
        bfs_swap_lists(m, b, s);
    }
    s->reached += s->found;
    b->depth++;
}

CFLRI_DRIVER bfs_begin(CFLRI_TEAM *m, bfs *b, bfs_state *s) {
    uint32_t source = b->task.source[0];
    cflri_each(m, b->task.out.n, b, bfs_forget);
    s->frontier.at = b->list;
    s->next.at = b->keeps_order ? b->list + 1 : b->next_list;
    s->next.n = 0;
    s->frontier.n = s->found = s->reached = 1;
    s->edges = cflri_degree(&b->task.out, source);
    /* where rows are delivered, those of most vertices that wait cost more than the frontier's */
    if (cflri_is_staged(m) && b->task.way == CFLR_WAY_AUTO) b->task.way = CFLR_WAY_PUSH;
    uint64_t degree = b->task.edges / b->task.out.n + 1;
    b->degree = degree < BFS_EVEN_DEGREE ? (uint32_t)degree : 0;
    s->left = b->task.edges;
    s->pulling = false;
    b->depth = 0;
    if (cflri_is_first(m)) {
        b->level[source] = 0;
        s->frontier.at[0] = source;
    }
    cflri_step_end(m);
}

/* ---- without levels ---- */

CFLRI_FUNCTOR void bfs_leave(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    cflri_drop_bit(((bfs *)task)->front, v);
}

CFLRI_FUNCTOR bool bfs_improve(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                               cflri_row_edge edge) {
    bfs *b = (bfs *)task;
    uint32_t level = cflri_look(&b->level[from]), offer = level + 1;
    (void)tally, (void)edge;
    if (level == CFLRI_NONE || offer >= cflri_glance(&b->level[to])) return false;
    if (cflri_least(&b->level[to], offer) > offer) cflri_add_bit(b->front, to);
    return false;
}

/* Where the order of visits is left to how rows come: a level may come down several times. */
CFLRI_DRIVER bfs_relax(CFLRI_TEAM *m, bfs *b) {
    const cflri_list none = {NULL, 0};
    uint32_t source = b->task.source[0];
    cflri_each(m, b->task.out.n, b, bfs_forget);
    cflri_bits_of(m, none, b->task.out.n, b->front);
    if (cflri_is_first(m)) {
        b->level[source] = 0;
        cflri_add_bit(b->front, source);
    }
    cflri_step_end(m);
    uint64_t steps = cflri_relax(m, &b->task.out, b->front, b->list, b, bfs_leave, bfs_improve);
    cflri_each(m, b->task.out.n, b, bfs_count);
    if (cflri_is_first(m)) {
        b->task.outcome->iterations = steps;
        b->task.outcome->count = m->total[BFS_FOUND];
    }
}

/* A kernel of its own for each mode. */
CFLRI_DRIVER bfs_search(CFLRI_TEAM *m, bfs *b, bool idempotent) {
    bfs_state s;
    bfs_begin(m, b, &s);
    while (s.found && b->depth < b->task.hops && !m->stop) {
        s.left = s.left > s.edges ? s.left - s.edges : 0;
        bfs_turn(m, b, &s);
        bfs_step(m, b, &s, idempotent);
    }
    if (idempotent) {
        cflri_each(m, b->task.out.n, b, bfs_count);
        s.reached = m->total[BFS_FOUND];
    }
    if (cflri_is_first(m)) {
        b->task.outcome->iterations = b->depth;
        b->task.outcome->count = s.reached;
    }
}

CFLRI_DRIVER bfs_run(CFLRI_TEAM *m, bfs *b) {
    if (cflri_relaxes(m))
        bfs_relax(m, b);
    else
        bfs_search(m, b, false);
}

CFLRI_DRIVER bfs_idempotent_run(CFLRI_TEAM *m, bfs *b) {
    bfs_search(m, b, true);
}

#endif
