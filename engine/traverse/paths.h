/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.h: best paths from one source, near ones first: SSSP (least sum of weights) and SSWP
 * (greatest least weight).
 *
 *     keys   0 ........ limit ....................... far away
 *            settled    |  near: looked along now     |  far: put aside
 *
 * Each vertex has a key, the smaller the better: its distance, or the complement of its width.
 * Looking along an edge offers its target a key; if that is better than the target's, the target
 * joins one of two lists: near, when its key is below the limit, to be looked along in the next
 * step, or far. When no near ones are left the limit grows by a width, and what has come below it
 * moves from far to near. With a width of one weight this is Dijkstra's algorithm, with an endless
 * one Bellman and Ford's; between them there is enough to do at once and little that is done twice.
 *
 * On the processor a step goes on with the near ones that it finds, until there are none: on a long
 * way through a grid there are few at a time, and steps for each edge of it would be spent on
 * waiting.
 *
 * A vertex is in a list once: a bit says so. Those of the near list that is looked along and of the
 * next one are apart, so that a thread that improves the key of one that is being looked along puts
 * it into the next. Far ones that were improved until they were near stay in the far list until it
 * is sifted, and are dropped there.
 *
 * Keys are 32 bits that are compared as integers: int32 and float32 that are not negative are in
 * order that way. An integer sum that does not fit is no offer; it is an error if it leaves a
 * vertex without a key.
 *
 * Source: U. Meyer, P. Sanders, "Delta-stepping", Journal of Algorithms 2003; A. Davidson, S.
 * Baxter, M. Garland, J. Owens, "Work-efficient parallel GPU methods for single-source shortest
 * paths", IPDPS 2014.
 */
#ifndef CFLRI_PATHS_H
#define CFLRI_PATHS_H

#include "engine/traverse/task.h"

typedef struct paths {
    cflri_primitive_task task;
    uint32_t *key;
    uint32_t *near_list, *next_list, *far_list, *sifted_list;
    cflri_shared_word *is_near, *is_next, *is_far;
    uint32_t *least;       /* key of the far ones, of three siftings in turn */
    uint32_t unreached;    /* the key of what nothing leads to */
    uint32_t floor, limit; /* below the one all is looked along, below the other all is near */
    uint32_t sifting;      /* their number, modulo 3 */
} paths;

enum { PATHS_OVERFLOWS, PATHS_REACHED }; /* sums: offers that did not fit; vertices */

typedef enum paths_kind { PATHS_SUM, PATHS_REAL_SUM, PATHS_WIDTH } paths_kind;

/* What is put into the bits of float32. */
enum { PATHS_INFINITE = 0x7f800000, PATHS_NO_SIGN = 0x7fffffff };

/* The key that an edge offers; `unreached` when it has none to offer. */
CFLRI_FUNCTOR uint32_t paths_offer(cflri_step_tally *tally, const paths *p, uint32_t key,
                                   uint32_t weight, paths_kind kind) {
    if (kind == PATHS_WIDTH) {
        uint32_t width = ~(weight & PATHS_NO_SIGN);
        return key > width ? key : width;
    }
    if (kind == PATHS_REAL_SUM)
        return cflri_bits_of_real(cflri_real_of_bits(key) +
                                  cflri_real_of_bits(weight & PATHS_NO_SIGN));
    uint64_t sum = (uint64_t)key + weight;
    if (sum < p->unreached) return (uint32_t)sum;
    tally->sum[PATHS_OVERFLOWS]++;
    return p->unreached;
}

/* Look before changing: most bits are what they should be. The key was improved before: the thread
 * that takes the bit away sees it. */
CFLRI_FUNCTOR bool paths_join(cflri_shared_word *bits, uint32_t v) {
    return !cflri_sees_bit(bits, v) && !cflri_add_bit(bits, v);
}

CFLRI_FUNCTOR cflri_turn paths_look(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                    cflri_row_edge edge, paths_kind kind) {
    paths *p = (paths *)task;
    uint32_t offer = paths_offer(tally, p, cflri_glance(&p->key[from]), edge.weight, kind);
    if (offer >= cflri_glance(&p->key[to])) return CFLRI_DROP;
    if (cflri_least(&p->key[to], offer) <= offer) return CFLRI_DROP;
    if (offer < p->limit) return paths_join(p->is_next, to) ? CFLRI_FIRST : CFLRI_DROP;
    return paths_join(p->is_far, to) ? CFLRI_SECOND : CFLRI_DROP;
}

CFLRI_FUNCTOR cflri_turn paths_look_sum(cflri_step_tally *tally, void *task, uint32_t from,
                                        uint32_t to, cflri_row_edge edge) {
    return paths_look(tally, task, from, to, edge, PATHS_SUM);
}

CFLRI_FUNCTOR cflri_turn paths_look_real_sum(cflri_step_tally *tally, void *task, uint32_t from,
                                             uint32_t to, cflri_row_edge edge) {
    return paths_look(tally, task, from, to, edge, PATHS_REAL_SUM);
}

CFLRI_FUNCTOR cflri_turn paths_look_width(cflri_step_tally *tally, void *task, uint32_t from,
                                          uint32_t to, cflri_row_edge edge) {
    return paths_look(tally, task, from, to, edge, PATHS_WIDTH);
}

CFLRI_FUNCTOR void paths_forget(cflri_step_tally *tally, void *task, uint32_t v) {
    paths *p = (paths *)task;
    (void)tally;
    p->key[v] = p->unreached;
}

/* All of the near list leave it in this step, and none joins it: whole words are cleared. */
CFLRI_FUNCTOR void paths_leave(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    cflri_clear_word(&((paths *)task)->is_near[v / CFLRI_WORD_BITS]);
}

/* Of the next list, before it is looked along in this step: a thread that improves its key from
 * now on puts it there again. */
CFLRI_FUNCTOR void paths_again(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    cflri_drop_bit(((paths *)task)->is_next, v);
}

/* Of the far list: what was near meanwhile has been looked along. */
CFLRI_FUNCTOR cflri_turn paths_sift(cflri_step_tally *tally, void *task, uint32_t v) {
    paths *p = (paths *)task;
    uint32_t key = p->key[v];
    (void)tally;
    if (key >= p->limit) {
        if (key < cflri_look(&p->least[p->sifting])) cflri_least(&p->least[p->sifting], key);
        return CFLRI_SECOND;
    }
    cflri_drop_bit(p->is_far, v);
    return key < p->floor ? CFLRI_DROP : CFLRI_FIRST;
}

/* ---- where other GPUs have rows, too ----
 *
 * The near list is the same on all of them, and the keys of all that is or was near. A far list has
 * what a GPU's own rows lead to, and the keys of its vertices are that GPU's own best, until they
 * are near: then they are sent. */

CFLRI_FUNCTOR uint64_t paths_send(void *task, uint32_t v) {
    return cflri_look(&((paths *)task)->key[v]);
}

CFLRI_FUNCTOR bool paths_is_better(paths *p, uint32_t v, uint64_t key) {
    return (uint32_t)key < cflri_look(&p->key[v]) &&
           cflri_least(&p->key[v], (uint32_t)key) > (uint32_t)key;
}

CFLRI_FUNCTOR bool paths_receive_next(cflri_step_tally *tally, void *task, uint32_t v,
                                      uint64_t key) {
    paths *p = (paths *)task;
    (void)tally;
    return paths_is_better(p, v, key) && paths_join(p->is_next, v);
}

CFLRI_FUNCTOR bool paths_receive_near(cflri_step_tally *tally, void *task, uint32_t v,
                                      uint64_t key) {
    paths *p = (paths *)task;
    (void)tally;
    return paths_is_better(p, v, key) && paths_join(p->is_near, v);
}

/* As paths_sift; marks what it moves, which others may have moved, too. */
CFLRI_FUNCTOR cflri_turn paths_sift_marking(cflri_step_tally *tally, void *task, uint32_t v) {
    cflri_turn turn = paths_sift(tally, task, v);
    if (turn == CFLRI_FIRST) cflri_add_bit(((paths *)task)->is_near, v);
    return turn;
}

/* ---- the driver ---- */

typedef struct paths_state {
    cflri_list near, next, far, sifted;
    uint64_t iterations, overflows;
    uint32_t nearest; /* of the far ones, when the last sifting */
    bool gap;         /* moved none of them */
} paths_state;

CFLRI_DRIVER paths_look_along(CFLRI_TEAM *m, paths *p, paths_state *s, paths_kind kind) {
    const cflri_rows *rows = &p->task.out;
    s->next.n = 0;
    if (kind == PATHS_SUM)
        cflri_advance_split(m, rows, s->near, &s->next, &s->far, p, paths_leave, paths_again,
                            paths_look_sum);
    else if (kind == PATHS_REAL_SUM)
        cflri_advance_split(m, rows, s->near, &s->next, &s->far, p, paths_leave, paths_again,
                            paths_look_real_sum);
    else
        cflri_advance_split(m, rows, s->near, &s->next, &s->far, p, paths_leave, paths_again,
                            paths_look_width);
    cflri_exchange(m, &s->next, p, paths_send, paths_receive_next);
    cflri_list swap = s->near;
    s->near = s->next;
    s->next = swap;
    cflri_shared_word *swap_bits = p->is_near;
    p->is_near = p->is_next;
    p->is_next = swap_bits;
    s->overflows += m->total[PATHS_OVERFLOWS];
    s->iterations++;
}

CFLRI_FUNCTOR uint32_t paths_beyond(const paths *p, uint32_t key, paths_kind kind) {
    double width = p->task.delta;
    if (kind == PATHS_REAL_SUM) {
        uint32_t limit = cflri_bits_of_real(cflri_real_of_bits(key) + (float)width);
        return limit > key ? limit : key + 1;
    }
    if (width < 1) width = 1;
    return width < CFLRI_NONE - key ? key + (uint32_t)width : CFLRI_NONE;
}

/* Moves the limit, and what is below it to the near list. When nothing is, the next limit lies
 * beyond the nearest. */
CFLRI_DRIVER paths_sift_far(CFLRI_TEAM *m, paths *p, paths_state *s, paths_kind kind) {
    p->floor = p->limit;
    p->limit = paths_beyond(p, s->gap ? s->nearest : p->limit, kind);
    if (cflri_is_first(m)) p->least[(p->sifting + 1) % 3] = CFLRI_NONE;
    s->sifted.n = 0;
    if (cflri_has_peers(m)) {
        cflri_split(m, s->far, &s->near, &s->sifted, p, paths_sift_marking);
        cflri_exchange(m, &s->near, p, paths_send, paths_receive_near);
    } else {
        cflri_split(m, s->far, &s->near, &s->sifted, p, paths_sift);
    }
    cflri_list swap = s->far;
    s->far = s->sifted;
    s->sifted = swap;
    s->gap = s->near.n == 0;
    s->nearest = (uint32_t)cflri_least_of_peers(m, p->least[p->sifting]);
    p->sifting = (p->sifting + 1) % 3;
}

CFLRI_DRIVER paths_begin(CFLRI_TEAM *m, paths *p, paths_state *s, paths_kind kind) {
    uint64_t n = p->task.out.n;
    uint32_t source = p->task.source[0];
    const cflri_list none = {NULL, 0};
    p->unreached = kind == PATHS_REAL_SUM ? (uint32_t)PATHS_INFINITE : CFLRI_NONE;
    cflri_each(m, n, p, paths_forget);
    cflri_bits_of(m, none, n, p->is_near);
    cflri_bits_of(m, none, n, p->is_next);
    cflri_bits_of(m, none, n, p->is_far);
    s->near.at = p->near_list;
    s->next.at = p->next_list;
    s->far.at = p->far_list;
    s->sifted.at = p->sifted_list;
    s->near.n = 1;
    s->next.n = s->far.n = s->sifted.n = s->iterations = s->overflows = 0;
    s->gap = false;
    p->sifting = 0;
    p->floor = 0;
    p->limit = paths_beyond(p, 0, kind);
    if (cflri_is_first(m)) {
        p->key[source] = 0;
        p->near_list[0] = source;
        p->least[0] = CFLRI_NONE;
    }
    cflri_step_end(m);
}

/* ---- what came of offers that did not fit ---- */

CFLRI_FUNCTOR bool paths_leaves_out(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                    cflri_row_edge edge) {
    paths *p = (paths *)task;
    (void)edge;
    tally->sum[PATHS_OVERFLOWS] += p->key[from] != p->unreached && p->key[to] == p->unreached;
    return false;
}

CFLRI_FUNCTOR void paths_count(cflri_step_tally *tally, void *task, uint32_t v) {
    paths *p = (paths *)task;
    tally->sum[PATHS_REACHED] += p->key[v] != p->unreached;
}

CFLRI_DRIVER paths_end(CFLRI_TEAM *m, paths *p, const paths_state *s) {
    uint64_t left_out = 0;
    if (s->overflows) {
        cflri_advance_all(m, &p->task.out, (cflri_list *)NULL, p, paths_leaves_out);
        left_out = m->total[PATHS_OVERFLOWS];
    }
    cflri_each(m, p->task.n_named, p, paths_count);
    if (cflri_is_first(m)) {
        p->task.outcome->iterations = s->iterations;
        p->task.outcome->count = m->total[PATHS_REACHED];
        p->task.outcome->overflow = left_out > 0;
    }
}

/* ---- without an order ---- */

/* Everything is near, and nothing tells two steps apart: a bit of the next list is all that a
 * vertex has. It is set without a look at it, which may be of before it was taken. */
CFLRI_FUNCTOR bool paths_improve(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                 cflri_row_edge edge, paths_kind kind) {
    paths *p = (paths *)task;
    uint32_t key = cflri_look(&p->key[from]);
    if (key == p->unreached) return false;
    uint32_t offer = paths_offer(tally, p, key, edge.weight, kind);
    if (offer >= cflri_glance(&p->key[to])) return false;
    if (cflri_least(&p->key[to], offer) > offer) cflri_add_bit(p->is_next, to);
    return false;
}

CFLRI_FUNCTOR bool paths_improve_sum(cflri_step_tally *tally, void *task, uint32_t from,
                                     uint32_t to, cflri_row_edge edge) {
    return paths_improve(tally, task, from, to, edge, PATHS_SUM);
}

CFLRI_FUNCTOR bool paths_improve_real_sum(cflri_step_tally *tally, void *task, uint32_t from,
                                          uint32_t to, cflri_row_edge edge) {
    return paths_improve(tally, task, from, to, edge, PATHS_REAL_SUM);
}

CFLRI_FUNCTOR bool paths_improve_width(cflri_step_tally *tally, void *task, uint32_t from,
                                       uint32_t to, cflri_row_edge edge) {
    return paths_improve(tally, task, from, to, edge, PATHS_WIDTH);
}

CFLRI_DRIVER paths_relax(CFLRI_TEAM *m, paths *p, paths_kind kind) {
    const cflri_rows *rows = &p->task.out;
    paths_state s;
    paths_begin(m, p, &s, kind);
    if (cflri_is_first(m)) cflri_add_bit(p->is_next, p->task.source[0]);
    cflri_step_end(m);
    if (kind == PATHS_SUM)
        s.iterations =
            cflri_relax(m, rows, p->is_next, p->next_list, p, paths_again, paths_improve_sum);
    else if (kind == PATHS_REAL_SUM)
        s.iterations =
            cflri_relax(m, rows, p->is_next, p->next_list, p, paths_again, paths_improve_real_sum);
    else
        s.iterations =
            cflri_relax(m, rows, p->is_next, p->next_list, p, paths_again, paths_improve_width);
    s.overflows = m->total[PATHS_OVERFLOWS];
    paths_end(m, p, &s);
}

/* ---- the two primitives ---- */

CFLRI_DRIVER paths_find(CFLRI_TEAM *m, paths *p, paths_kind kind) {
    paths_state s;
    if (cflri_relaxes(m)) {
        paths_relax(m, p, kind);
        return;
    }
    paths_begin(m, p, &s, kind);
    while ((s.near.n || cflri_most_of_peers(m, s.far.n)) && !m->stop) {
        if (s.near.n)
            paths_look_along(m, p, &s, kind);
        else
            paths_sift_far(m, p, &s, kind);
    }
    paths_end(m, p, &s);
}

CFLRI_DRIVER sssp_run(CFLRI_TEAM *m, paths *p) {
    if (p->task.real_weights)
        paths_find(m, p, PATHS_REAL_SUM);
    else
        paths_find(m, p, PATHS_SUM);
}

/* Keys become widths; that of the source is endless. */
CFLRI_FUNCTOR void sswp_width(cflri_step_tally *tally, void *task, uint32_t v) {
    paths *p = (paths *)task;
    (void)tally;
    p->key[v] = ~p->key[v];
    if (v == p->task.source[0] && p->task.real_weights) p->key[v] = PATHS_INFINITE;
}

CFLRI_DRIVER sswp_run(CFLRI_TEAM *m, paths *p) {
    paths_find(m, p, PATHS_WIDTH);
    cflri_each(m, p->task.out.n, p, sswp_width);
}

#endif
