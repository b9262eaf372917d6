/* SPDX-License-Identifier: Apache-2.0
 *
 * operators.h: what the steps of a primitive are made of, on the processor.
 *
 *     each       every vertex, or every one of a list
 *     advance    every edge out of a list, or of all
 *     filter     members of a list that stay, or go elsewhere
 *     pull       vertices that wait, until one edge is what they wait for
 *     gather     what comes in over edges, made one value
 *     scatter    what goes out over edges, added up
 *     intersect  what the rows of both ends of an edge share
 *     bits_of, list_of, bits_where: the same set, represented otherwise
 *
 * All threads call an operator with equal arguments; it ends with a barrier, after which the lists'
 * lengths and the totals of what functors added to their tally are the same everywhere. Functors
 * are static functions that are named at the call: the operator is inlined, and they into it.
 * Vertices are assigned in small groups, so that threads end together.
 */
#ifndef CFLRI_OPERATORS_H
#define CFLRI_OPERATORS_H

#include "engine/traverse/team.h"

#define CFLRI_OPERATOR static inline __attribute__((always_inline))

enum {
    CFLRI_VERTICES_A_TURN = 64,    /* of a list: each may have many edges */
    CFLRI_WORDS_A_TURN = 16,       /* of bits, when each bit may have many edges */
    CFLRI_NUMBERS_A_TURN = 4096,   /* of a plain loop */
    CFLRI_SHORT_ROWS = 8,          /* edges on average: */
    CFLRI_SHORT_ROWS_A_TURN = 512, /* then few have many, and those side by side read the same */
    CFLRI_PLACES_A_TURN = 1 << 14, /* rows and edges, where all rows are gone through, */
    CFLRI_TURNS = 8,               /* unless each thread had fewer turns than that */
    CFLRI_FOUND = 512,             /* what a thread collects before it takes room in a list */
    CFLRI_OWN = 256,               /* of that, what it goes on with at a time */
    CFLRI_WORTH_SHARING = 32,      /* less than that is done before another thread has it */
};

typedef void cflri_vertex_functor(cflri_step_tally *tally, void *task, uint32_t v);
typedef bool cflri_vertex_test(cflri_step_tally *tally, void *task, uint32_t v);
/* true: `to` joins what comes next. */
typedef bool cflri_edge_test(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                             cflri_row_edge edge);

/* Do rows come piece by piece (gpu/stream)? */
CFLRI_OPERATOR bool cflri_is_staged(const cflri_thread *m) {
    (void)m;
    return false;
}

/* Are rows read over a link, some of them at least? */
CFLRI_OPERATOR bool cflri_is_far(const cflri_thread *m) {
    (void)m;
    return false;
}

/* ---- other GPUs that have rows, too (gpu/peers) ----
 *
 * Columns and lists are on each of them, and vertices are visited on all; edges are looked along
 * where the row is. So a driver sends the others what its own edges have led to. On the processor
 * there are no others. */

typedef uint64_t cflri_sent(void *task, uint32_t v);
typedef bool cflri_received_of(cflri_step_tally *tally, void *task, uint32_t v, uint64_t value);
typedef void cflri_received(cflri_step_tally *tally, void *task, uint32_t v, uint64_t value);

CFLRI_OPERATOR bool cflri_has_peers(const cflri_thread *m) {
    (void)m;
    return false;
}

/* After an advance: sends the members of *list with what `send` says of each. The others call
 * `receive` for it, which says whether it joins their list. `total` is of both, the advance and
 * this. */
CFLRI_OPERATOR void cflri_exchange(cflri_thread *m, cflri_list *list, void *task, cflri_sent *send,
                                   cflri_received_of *receive) {
    (void)m, (void)list, (void)task, (void)send, (void)receive;
}

/* The same of all vertices. */
CFLRI_OPERATOR void cflri_exchange_all(cflri_thread *m, uint64_t n, void *task, cflri_sent *send,
                                       cflri_received *receive) {
    (void)m, (void)n, (void)task, (void)send, (void)receive;
}

/* The least and the most of what each of them says. */
CFLRI_OPERATOR uint64_t cflri_least_of_peers(cflri_thread *m, uint64_t value) {
    (void)m;
    return value;
}

CFLRI_OPERATOR uint64_t cflri_most_of_peers(cflri_thread *m, uint64_t value) {
    (void)m;
    return value;
}

/* ---- each ---- */

CFLRI_OPERATOR void cflri_each(cflri_thread *m, uint64_t n, void *task, cflri_vertex_functor *f) {
    uint64_t begin, end;
    while (cflri_deal(m, n, CFLRI_NUMBERS_A_TURN, &begin, &end)) {
        for (uint64_t v = begin; v < end; v++) f(&m->tally, task, (uint32_t)v);
    }
    cflri_step_end(m);
}

typedef void cflri_head_functor(cflri_step_tally *tally, void *task, uint32_t v, uint32_t first,
                                uint32_t second);

/* Every vertex with the targets of its first two edges, CFLRI_NONE where there are none. */
CFLRI_OPERATOR void cflri_each_head(cflri_thread *m, const cflri_rows *rows, void *task,
                                    cflri_head_functor *f) {
    uint64_t begin, end;
    while (cflri_deal(m, rows->n, CFLRI_NUMBERS_A_TURN, &begin, &end)) {
        for (uint64_t v = begin; v < end; v++) {
            uint64_t e = rows->start[v], degree = rows->start[v + 1] - e;
            f(&m->tally, task, (uint32_t)v, degree > 0 ? rows->target[e] : CFLRI_NONE,
              degree > 1 ? rows->target[e + 1] : CFLRI_NONE);
        }
    }
    cflri_step_end(m);
}

/* As cflri_each; what it adds to real[] is in real_total[] afterwards. */
CFLRI_OPERATOR void cflri_each_summed(cflri_thread *m, uint64_t n, void *task,
                                      cflri_vertex_functor *f) {
    uint64_t begin, end;
    while (cflri_deal(m, n, CFLRI_VERTICES_A_SUM, &begin, &end)) {
        for (uint64_t v = begin; v < end; v++) f(&m->tally, task, (uint32_t)v);
        cflri_keep_sums(m, begin);
    }
    cflri_step_end(m);
    cflri_add_up(m, 0, n);
}

CFLRI_OPERATOR void cflri_each_of(cflri_thread *m, cflri_list in, void *task,
                                  cflri_vertex_functor *f) {
    uint64_t begin, end;
    while (cflri_deal(m, in.n, CFLRI_FOUND, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) f(&m->tally, task, in.at[i]);
    }
    cflri_step_end(m);
}

/* ---- lists that grow ---- */

typedef struct cflri_found {
    uint32_t n;
    uint64_t room; /* of the list: what does not fit is counted, and left out */
    uint32_t at[CFLRI_FOUND];
} cflri_found;

static inline void cflri_found_begin(cflri_found *found) {
    found->n = 0;
    found->room = UINT64_MAX;
}

static inline void cflri_found_flush(cflri_thread *m, cflri_found *found, const cflri_list *to,
                                     int k) {
    uint64_t n = found->n, at = to->n + atomic_fetch_add_explicit(&cflri_counters_of(m)->tail[k], n,
                                                                  memory_order_relaxed);
    if (found->room < at + n) n = at < found->room ? found->room - at : 0;
    memcpy(to->at + at, found->at, n * sizeof *found->at);
    found->n = 0;
}

static inline void cflri_found_put(cflri_thread *m, cflri_found *found, const cflri_list *to, int k,
                                   uint32_t v) {
    if (found->n == CFLRI_FOUND) cflri_found_flush(m, found, to, k);
    found->at[found->n++] = v;
}

/* After the step: lists are as long as all threads together made them. */
static inline void cflri_lists_end(cflri_thread *m, cflri_list *first, cflri_list *second) {
    const cflri_counters *counters = cflri_counters_of(m);
    cflri_step_end(m);
    if (first) first->n += atomic_load_explicit(&counters->tail[0], memory_order_relaxed);
    if (second) second->n += atomic_load_explicit(&counters->tail[1], memory_order_relaxed);
}

/* ---- rows to come ----
 *
 * Rows lie anywhere, and most are too short for a processor to see that they are read in order. So
 * while one is looked along, those of the next vertices of the list are on their way: first where
 * they begin, then their edges. */

enum { CFLRI_AHEAD = 4 };

CFLRI_OPERATOR void cflri_await_rows(const cflri_rows *rows, cflri_list in, uint64_t i) {
    if (i + 2 * CFLRI_AHEAD >= in.n) return;
    uint64_t begin = rows->start[in.at[i + CFLRI_AHEAD]];
    __builtin_prefetch(&rows->start[in.at[i + 2 * CFLRI_AHEAD]]);
    __builtin_prefetch(&rows->target[begin]);
    if (rows->weight) __builtin_prefetch(&rows->weight[begin]);
}

/* ---- lists in shares ---- */

static inline bool cflri_are_short(const cflri_rows *rows) {
    return rows->m < (uint64_t)CFLRI_SHORT_ROWS * rows->n;
}

/* How many of a list of n vertices a thread takes at a time. Where rows are short, two shares a
 * thread: what lies together in a list is near in the graph. */
static inline uint64_t cflri_list_turn(const cflri_thread *m, const cflri_rows *rows, uint64_t n) {
    uint64_t share = n / (2 * m->crew->threads);
    if (!cflri_are_short(rows) || share < CFLRI_VERTICES_A_TURN) return CFLRI_VERTICES_A_TURN;
    return share < CFLRI_SHORT_ROWS_A_TURN ? share : CFLRI_SHORT_ROWS_A_TURN;
}

/* ---- rows in equal shares ----
 *
 * Rows and their edges, one after the other, are places: threads take so many of them at a time, in
 * whole groups of rows. So what a thread has lies together, and is as much as others have wherever
 * the long rows are. */

static inline uint64_t cflri_place_of(const cflri_rows *rows, uint64_t v) {
    return v + rows->start[v];
}

/* The first vertex of the first group that begins `place` or more places behind `first`; `last` if
 * there is none. */
static inline uint64_t cflri_vertex_at(const cflri_rows *rows, uint64_t first, uint64_t last,
                                       uint64_t group, uint64_t place) {
    uint64_t low = 0, high = (last - first + group - 1) / group;
    place += cflri_place_of(rows, first);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (cflri_place_of(rows, first + middle * group) < place)
            low = middle + 1;
        else
            high = middle;
    }
    uint64_t v = first + low * group;
    return v < last ? v : last;
}

/* The next rows for this thread, `begin` to `end` - 1, out of first .. last - 1. */
static inline bool cflri_deal_rows(cflri_thread *m, const cflri_rows *rows, uint64_t first,
                                   uint64_t last, uint64_t group, uint64_t *begin, uint64_t *end) {
    uint64_t places = cflri_place_of(rows, last) - cflri_place_of(rows, first);
    uint64_t turn = places / (CFLRI_TURNS * m->crew->threads) + 1;
    if (turn > CFLRI_PLACES_A_TURN) turn = CFLRI_PLACES_A_TURN;
    if (!cflri_deal(m, places, turn, begin, end)) return false;
    *begin = cflri_vertex_at(rows, first, last, group, *begin);
    *end = cflri_vertex_at(rows, first, last, group, *end);
    return true;
}

/* ---- advance ---- */

CFLRI_OPERATOR void cflri_look_along(cflri_thread *m, const cflri_rows *rows, uint32_t v,
                                     const cflri_list *out, cflri_found *found, void *task,
                                     cflri_edge_test *f) {
    uint64_t end = rows->start[v + 1];
    m->inspected += end - rows->start[v];
    for (uint64_t e = rows->start[v]; e < end; e++) {
        uint32_t to = rows->target[e];
        if (f(&m->tally, task, v, to, cflri_row_edge_at(rows, e)) && out)
            cflri_found_put(m, found, out, 0, to);
    }
}

/* Every edge out of every vertex of `in`; what f says joins *out, which can hold so many and is
 * empty. f may say so of a target more than once: copies that show at once are left out, others are
 * not, and there may be more than fit, as its length says. A thread finds a copy of its own by what
 * f has written; on a GPU a warp and a block look for them. */
CFLRI_OPERATOR void cflri_advance_within(cflri_thread *m, const cflri_rows *rows, cflri_list in,
                                         cflri_list *out, uint64_t room, void *task,
                                         cflri_edge_test *f) {
    cflri_found found;
    uint64_t begin, end, turn = cflri_list_turn(m, rows, in.n);
    cflri_found_begin(&found);
    found.room = room;
    while (cflri_deal(m, in.n, turn, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) {
            cflri_await_rows(rows, in, i);
            cflri_look_along(m, rows, in.at[i], out, &found, task, f);
        }
    }
    if (out && found.n) cflri_found_flush(m, &found, out, 0);
    cflri_lists_end(m, out, NULL);
}

/* Every edge out of every vertex of `in`; what f says, once of a target, joins *out (appended),
 * which may be NULL. */
CFLRI_OPERATOR void cflri_advance(cflri_thread *m, const cflri_rows *rows, cflri_list in,
                                  cflri_list *out, void *task, cflri_edge_test *f) {
    cflri_advance_within(m, rows, in, out, UINT64_MAX, task, f);
}

/* Every edge. */
CFLRI_OPERATOR void cflri_advance_all(cflri_thread *m, const cflri_rows *rows, cflri_list *out,
                                      void *task, cflri_edge_test *f) {
    cflri_found found;
    uint64_t begin, end;
    cflri_found_begin(&found);
    while (cflri_deal_rows(m, rows, 0, rows->n, CFLRI_VERTICES_A_TURN, &begin, &end)) {
        for (uint64_t v = begin; v < end; v++)
            cflri_look_along(m, rows, (uint32_t)v, out, &found, task, f);
    }
    if (out && found.n) cflri_found_flush(m, &found, out, 0);
    cflri_lists_end(m, out, NULL);
}

typedef cflri_turn cflri_edge_turn(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                   cflri_row_edge edge);
typedef cflri_turn cflri_vertex_turn(cflri_step_tally *tally, void *task, uint32_t v);

/* ---- steps that go on with what they find ---- */

/* What a thread has found for the first list is more than it keeps: for others in this step, or
 * else for the next one. */
static inline void cflri_share_found(cflri_thread *m, cflri_found *found, const cflri_list *first) {
    if (cflri_hand_over(&m->team->handover, found->at, found->n))
        found->n = 0;
    else
        cflri_found_flush(m, found, first, 0);
}

/* Gives half of it to threads that have nothing to do, unless they have been given something
 * already. */
static inline void cflri_help_out(cflri_thread *m, cflri_found *found) {
    if (found->n < CFLRI_WORTH_SHARING || !cflri_are_idle(m) ||
        cflri_is_there_more(&m->team->handover))
        return;
    uint32_t keep = found->n / 2;
    if (cflri_hand_over(&m->team->handover, found->at + keep, found->n - keep)) found->n = keep;
}

/* `found` is two: for the first list, and for the second. */
CFLRI_OPERATOR void cflri_look_along_split(cflri_thread *m, const cflri_rows *rows, uint32_t v,
                                           const cflri_list *first, const cflri_list *second,
                                           cflri_found *found, void *task, cflri_edge_turn *f) {
    uint64_t end = rows->start[v + 1];
    m->inspected += end - rows->start[v];
    for (uint64_t e = rows->start[v]; e < end; e++) {
        uint32_t to = rows->target[e];
        cflri_turn turn = f(&m->tally, task, v, to, cflri_row_edge_at(rows, e));
        if (turn == CFLRI_SECOND) cflri_found_put(m, &found[1], second, 1, to);
        if (turn != CFLRI_FIRST) continue;
        if (found[0].n == CFLRI_FOUND) cflri_share_found(m, &found[0], first);
        found[0].at[found[0].n++] = to;
    }
    cflri_help_out(m, &found[0]);
}

/* What to go on with: the oldest that the thread has found itself, or what others have handed
 * over. */
static inline uint32_t cflri_take_own(cflri_thread *m, cflri_found *found, uint32_t *own) {
    if (!found->n) return cflri_take_over(&m->team->handover, own, CFLRI_OWN);
    uint32_t n = found->n < CFLRI_OWN ? found->n : CFLRI_OWN;
    found->n -= n;
    memcpy(own, found->at, n * sizeof *own);
    memmove(found->at, found->at + n, found->n * sizeof *own);
    return n;
}

/* Is it worth it to go on in this step? Not when there is so much that some of it waits for the
 * next one. */
static inline bool cflri_goes_on(cflri_thread *m) {
    cflr_context *context = m->team->context;
    if (atomic_load_explicit(&cflri_counters_of(m)->tail[0], memory_order_relaxed)) return false;
    /* One thread looks at the clock: the step may be the whole run. */
    return (cflri_is_first(m) ? cflri_tick(context, "traverse", m->step, 0)
                              : cflri_interrupted(context)) == CFLR_OK;
}

/* For a thread that has nothing to do. True when something has been handed over; false when no
 * thread has anything left: only those that do hand something over. */
static inline bool cflri_await_more(cflri_thread *m) {
    cflri_counters *counters = cflri_counters_of(m);
    atomic_fetch_add(&counters->idle, 1);
    for (uint32_t looks = 0; cflri_goes_on(m); looks += looks < UINT32_MAX) {
        if (cflri_is_there_more(&m->team->handover)) {
            atomic_fetch_sub(&counters->idle, 1);
            return true;
        }
        if (atomic_load(&counters->idle) == m->crew->threads) return false;
        cflri_crew_rest(m->crew, looks);
    }
    return false;
}

CFLRI_OPERATOR void cflri_go_on(cflri_thread *m, const cflri_rows *rows, const cflri_list *first,
                                const cflri_list *second, cflri_found *found, void *task,
                                cflri_vertex_functor *again, cflri_edge_turn *f) {
    uint32_t own[CFLRI_OWN];
    cflri_list mine = {own, 0};
    while (cflri_goes_on(m)) {
        mine.n = cflri_take_own(m, &found[0], own);
        if (!mine.n && !cflri_await_more(m)) break;
        for (uint64_t i = 0; i < mine.n; i++) {
            cflri_await_rows(rows, mine, i);
            again(&m->tally, task, own[i]);
            cflri_look_along_split(m, rows, own[i], first, second, found, task, f);
        }
    }
    do {
        if (found[0].n) cflri_found_flush(m, &found[0], first, 0);
        found[0].n = cflri_take_over(&m->team->handover, found[0].at, CFLRI_FOUND);
    } while (found[0].n);
}

/* As cflri_advance, with two lists to join. `leave` is called for each vertex of `in`, in the same
 * step. Threads that have nothing left of `in` go on with what was found for the first list, each
 * vertex of which then leaves it, `again` called for it: what needs many small steps takes one. */
CFLRI_OPERATOR void cflri_advance_split(cflri_thread *m, const cflri_rows *rows, cflri_list in,
                                        cflri_list *first, cflri_list *second, void *task,
                                        cflri_vertex_functor *leave, cflri_vertex_functor *again,
                                        cflri_edge_turn *f) {
    cflri_found found[2];
    uint64_t begin, end, turn = cflri_list_turn(m, rows, in.n);
    cflri_found_begin(&found[0]);
    cflri_found_begin(&found[1]);
    while (cflri_deal(m, in.n, turn, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) {
            cflri_await_rows(rows, in, i);
            leave(&m->tally, task, in.at[i]);
            cflri_look_along_split(m, rows, in.at[i], first, second, found, task, f);
        }
    }
    cflri_go_on(m, rows, first, second, found, task, again, f);
    if (found[1].n) cflri_found_flush(m, &found[1], second, 1);
    cflri_lists_end(m, first, second);
}

/* ---- filter ---- */

/* Each vertex of `in` goes where f says. */
CFLRI_OPERATOR void cflri_split(cflri_thread *m, cflri_list in, cflri_list *first,
                                cflri_list *second, void *task, cflri_vertex_turn *f) {
    cflri_found found[2];
    uint64_t begin, end;
    cflri_found_begin(&found[0]);
    cflri_found_begin(&found[1]);
    while (cflri_deal(m, in.n, CFLRI_FOUND, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) {
            cflri_turn turn = f(&m->tally, task, in.at[i]);
            if (turn == CFLRI_FIRST) cflri_found_put(m, &found[0], first, 0, in.at[i]);
            if (turn == CFLRI_SECOND) cflri_found_put(m, &found[1], second, 1, in.at[i]);
        }
    }
    if (found[0].n) cflri_found_flush(m, &found[0], first, 0);
    if (found[1].n) cflri_found_flush(m, &found[1], second, 1);
    cflri_lists_end(m, first, second);
}

/* Those for which f says so join *out. */
CFLRI_OPERATOR void cflri_filter(cflri_thread *m, cflri_list in, cflri_list *out, void *task,
                                 cflri_vertex_test *f) {
    cflri_found found;
    uint64_t begin, end;
    cflri_found_begin(&found);
    while (cflri_deal(m, in.n, CFLRI_FOUND, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++)
            if (f(&m->tally, task, in.at[i])) cflri_found_put(m, &found, out, 0, in.at[i]);
    }
    if (found.n) cflri_found_flush(m, &found, out, 0);
    cflri_lists_end(m, out, NULL);
}

/* Those of 0 .. n-1. */
CFLRI_OPERATOR void cflri_filter_all(cflri_thread *m, uint64_t n, cflri_list *out, void *task,
                                     cflri_vertex_test *f) {
    cflri_found found;
    uint64_t begin, end;
    cflri_found_begin(&found);
    while (cflri_deal(m, n, CFLRI_NUMBERS_A_TURN, &begin, &end)) {
        for (uint64_t v = begin; v < end; v++)
            if (f(&m->tally, task, (uint32_t)v)) cflri_found_put(m, &found, out, 0, (uint32_t)v);
    }
    if (found.n) cflri_found_flush(m, &found, out, 0);
    cflri_lists_end(m, out, NULL);
}

/* ---- sets by bits ---- */

static inline uint64_t cflri_words_of(uint64_t n) {
    return (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS;
}

/* bits = those of 0 .. n-1 for which f says so. */
CFLRI_OPERATOR void cflri_bits_where(cflri_thread *m, uint64_t n, cflri_shared_word *bits,
                                     void *task, cflri_vertex_test *f) {
    uint64_t begin, end;
    while (cflri_deal(m, cflri_words_of(n), CFLRI_NUMBERS_A_TURN / CFLRI_WORD_BITS, &begin, &end)) {
        for (uint64_t w = begin; w < end; w++) {
            cflri_shared_word word = 0;
            for (uint64_t v = w * CFLRI_WORD_BITS; v < n && v < (w + 1) * CFLRI_WORD_BITS; v++)
                word |= f(&m->tally, task, (uint32_t)v) ? cflri_bit((uint32_t)v) : 0;
            bits[w] = word;
        }
    }
    cflri_step_end(m);
}

/* bits = the vertices of the list; two steps. */
static inline void cflri_bits_of(cflri_thread *m, cflri_list in, uint64_t n,
                                 cflri_shared_word *bits) {
    uint64_t begin, end;
    while (cflri_deal(m, cflri_words_of(n), CFLRI_NUMBERS_A_TURN, &begin, &end))
        memset(bits + begin, 0, (end - begin) * sizeof *bits);
    cflri_step_end(m);
    while (cflri_deal(m, in.n, CFLRI_FOUND, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) cflri_add_bit(bits, in.at[i]);
    }
    cflri_step_end(m);
}

/* Appends the vertices of a set to *out. */
static inline void cflri_list_of(cflri_thread *m, const cflri_shared_word *bits, uint64_t n,
                                 cflri_list *out) {
    cflri_found found;
    uint64_t begin, end;
    cflri_found_begin(&found);
    while (cflri_deal(m, cflri_words_of(n), CFLRI_FOUND, &begin, &end)) {
        for (uint64_t w = begin; w < end; w++) {
            for (cflri_shared_word bits_left = bits[w]; bits_left; bits_left &= bits_left - 1) {
                unsigned k = (unsigned)__builtin_ctzll(bits_left);
                cflri_found_put(m, &found, out, 0, (uint32_t)(w * CFLRI_WORD_BITS + k));
            }
        }
    }
    if (found.n) cflri_found_flush(m, &found, out, 0);
    cflri_lists_end(m, out, NULL);
}

/* ---- relax ---- */

/* Is the order of visits left to how rows come (gpu/stream)? */
CFLRI_OPERATOR bool cflri_relaxes(const cflri_thread *m) {
    (void)m;
    return false;
}

/* Until no vertex has its bit: takes the bits of vertices that have one (`enter` does), and visits
 * the edges out of them; `look` sets the bits of targets that it improves. In any order, and a
 * vertex as often as it likes: for values that come out the same. `room` is for a list of all
 * vertices. Returns the number of steps; totals are those of all steps together. */
CFLRI_OPERATOR uint64_t cflri_relax(cflri_thread *m, const cflri_rows *rows,
                                    cflri_shared_word *bits, uint32_t *room, void *task,
                                    cflri_vertex_functor *enter, cflri_edge_test *look) {
    uint64_t steps = 0, total[CFLRI_SUMS] = {0};
    for (;; steps++) {
        cflri_list active = {room, 0};
        cflri_list_of(m, bits, rows->n, &active);
        if (active.n == 0 || m->stop) break;
        cflri_each_of(m, active, task, enter);
        for (int k = 0; k < CFLRI_SUMS; k++) total[k] += m->total[k];
        cflri_advance(m, rows, active, NULL, task, look);
        for (int k = 0; k < CFLRI_SUMS; k++) total[k] += m->total[k];
    }
    memcpy(m->total, total, sizeof total);
    return steps;
}

/* ---- pull ---- */

CFLRI_OPERATOR bool cflri_is_reached(cflri_thread *m, const cflri_rows *back,
                                     const cflri_shared_word *front, uint32_t v) {
    uint64_t begin = back->start[v], end = back->start[v + 1];
    for (uint64_t e = begin; e < end; e++) {
        if (cflri_has_bit(front, back->target[e])) {
            m->inspected += e - begin + 1;
            return true;
        }
    }
    m->inspected += end - begin;
    return false;
}

/* next = vertices that are not in `done` and have an edge from one of `front`; they are in `done`
 * afterwards, and `arrive` was called for each. */
CFLRI_OPERATOR void cflri_pull(cflri_thread *m, const cflri_rows *back,
                               const cflri_shared_word *front, cflri_shared_word *done,
                               cflri_shared_word *next, void *task, cflri_vertex_functor *arrive) {
    uint64_t begin, end, n = back->n;
    while (cflri_deal(m, cflri_words_of(n), CFLRI_WORDS_A_TURN, &begin, &end)) {
        for (uint64_t w = begin; w < end; w++) {
            cflri_shared_word come = 0;
            for (cflri_shared_word open = ~done[w]; open; open &= open - 1) {
                uint64_t v = w * CFLRI_WORD_BITS + (unsigned)__builtin_ctzll(open);
                if (v >= n) break;
                if (!cflri_is_reached(m, back, front, (uint32_t)v)) continue;
                come |= open & -open;
                arrive(&m->tally, task, (uint32_t)v);
            }
            next[w] = come;
            done[w] |= come;
        }
    }
    cflri_step_end(m);
}

/* ---- scatter, gather ---- */

/* Where it lies what an edge carries. */
typedef const float *cflri_real_of_edge(void *task, uint32_t from, uint64_t edge);

/* What f finds for each edge is added to into[its target]. */
CFLRI_OPERATOR void cflri_scatter(cflri_thread *m, const cflri_rows *rows, void *task, double *into,
                                  cflri_real_of_edge *f) {
    uint64_t begin, end;
    while (cflri_deal_rows(m, rows, 0, rows->n, CFLRI_VERTICES_A_TURN, &begin, &end)) {
        m->inspected += rows->start[end] - rows->start[begin];
        for (uint64_t v = begin; v < end; v++) {
            for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++) {
                double value = *f(task, (uint32_t)v, e);
                if (value != 0) cflri_add_real(&into[rows->target[e]], value);
            }
        }
    }
    cflri_step_end(m);
}

/* What comes over an edge, which has a weight of these bits. */
typedef float cflri_real_weighted(void *task, float value, uint32_t weight);

typedef void cflri_real_taken(cflri_step_tally *tally, void *task, uint32_t v, double sum);

/* How many edges ahead what they carry is fetched, across the ends of rows: these are hard to
 * foresee, so that nothing else is on its way when one comes. */
enum { CFLRI_EDGES_AHEAD = 32 };

CFLRI_OPERATOR void cflri_gather_rows(cflri_thread *m, const cflri_rows *back, uint64_t begin,
                                      uint64_t end, bool ahead, void *task, cflri_real_of_edge *f,
                                      cflri_real_weighted *weigh, cflri_real_taken *take) {
    for (uint64_t v = begin; v < end; v++) {
        double sum = 0;
        for (uint64_t e = back->start[v]; e < back->start[v + 1]; e++) {
            if (ahead)
                __builtin_prefetch(
                    f(task, back->target[e + CFLRI_EDGES_AHEAD], e + CFLRI_EDGES_AHEAD));
            float value = *f(task, back->target[e], e);
            sum += weigh ? weigh(task, value, cflri_row_edge_at(back, e).weight) : value;
        }
        take(&m->tally, task, (uint32_t)v, sum);
    }
}

/* For each vertex from `first` (a multiple of CFLRI_VERTICES_A_SUM) to before `last` the sum over
 * the edges into it of what `weigh` makes of what f finds, handed to `take`; real_total as of
 * cflri_each_summed. */
CFLRI_OPERATOR void cflri_gather_weighted(cflri_thread *m, const cflri_rows *back, uint64_t first,
                                          uint64_t last, void *task, cflri_real_of_edge *f,
                                          cflri_real_weighted *weigh, cflri_real_taken *take) {
    uint64_t v, stop;
    while (cflri_deal_rows(m, back, first, last, CFLRI_VERTICES_A_SUM, &v, &stop)) {
        for (uint64_t next; v < stop; v = next) {
            next = stop - v < CFLRI_VERTICES_A_SUM ? stop : v + CFLRI_VERTICES_A_SUM;
            m->inspected += back->start[next] - back->start[v];
            if (back->start[next] + CFLRI_EDGES_AHEAD <= back->m)
                cflri_gather_rows(m, back, v, next, true, task, f, weigh, take);
            else
                cflri_gather_rows(m, back, v, next, false, task, f, weigh, take);
            cflri_keep_sums(m, v);
        }
    }
    cflri_step_end(m);
    cflri_add_up(m, first, last);
}

/* The same of edges that weigh nothing. */
CFLRI_OPERATOR void cflri_gather(cflri_thread *m, const cflri_rows *back, uint64_t first,
                                 uint64_t last, void *task, cflri_real_of_edge *f,
                                 cflri_real_taken *take) {
    cflri_gather_weighted(m, back, first, last, task, f, NULL, take);
}

typedef uint64_t cflri_word_of_edge(void *task, uint32_t v, uint32_t from, cflri_row_edge edge);
typedef uint64_t cflri_words_joined(uint64_t a, uint64_t b);
typedef void cflri_word_taken(cflri_step_tally *tally, void *task, uint32_t v, uint64_t all);

/* For each vertex of the list: all that f says of the edges into it (or out of it, as the rows
 * are), joined by `join` (in any order; it begins with `none`), handed to `take`. */
CFLRI_OPERATOR void cflri_gather_of(cflri_thread *m, const cflri_rows *back, cflri_list in,
                                    void *task, uint64_t none, cflri_word_of_edge *f,
                                    cflri_words_joined *join, cflri_word_taken *take) {
    uint64_t begin, end, turn = cflri_list_turn(m, back, in.n);
    while (cflri_deal(m, in.n, turn, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) {
            uint32_t v = in.at[i];
            uint64_t all = none;
            cflri_await_rows(back, in, i);
            m->inspected += cflri_degree(back, v);
            for (uint64_t e = back->start[v]; e < back->start[v + 1]; e++)
                all = join(all, f(task, v, back->target[e], cflri_row_edge_at(back, e)));
            take(&m->tally, task, v, all);
        }
    }
    cflri_step_end(m);
}

/* ---- lists of edges ---- */

typedef struct cflri_edges_found {
    uint32_t n;
    uint32_t edge[CFLRI_FOUND], one[CFLRI_FOUND], other[CFLRI_FOUND];
} cflri_edges_found;

static inline void cflri_edges_flush(cflri_thread *m, cflri_edges_found *found,
                                     const cflri_edge_frontier *to) {
    uint64_t at = to->n + atomic_fetch_add_explicit(&cflri_counters_of(m)->tail[0], found->n,
                                                    memory_order_relaxed);
    memcpy(to->edge + at, found->edge, found->n * sizeof *found->edge);
    memcpy(to->one + at, found->one, found->n * sizeof *found->one);
    memcpy(to->other + at, found->other, found->n * sizeof *found->other);
    found->n = 0;
}

static inline void cflri_edges_put(cflri_thread *m, cflri_edges_found *found,
                                   const cflri_edge_frontier *to, uint32_t edge, uint32_t one,
                                   uint32_t other) {
    if (found->n == CFLRI_FOUND) cflri_edges_flush(m, found, to);
    found->edge[found->n] = edge;
    found->one[found->n] = one;
    found->other[found->n++] = other;
}

static inline void cflri_edges_end(cflri_thread *m, cflri_edges_found *found,
                                   cflri_edge_frontier *to) {
    const cflri_counters *counters = cflri_counters_of(m);
    if (found->n) cflri_edges_flush(m, found, to);
    cflri_step_end(m);
    to->n += atomic_load_explicit(&counters->tail[0], memory_order_relaxed);
}

/* true: the edge joins the list. f may put other vertices in the place of its ends. */
typedef bool cflri_ends_test(cflri_step_tally *tally, void *task, uint32_t *one, uint32_t *other,
                             uint32_t edge);

/* Those of all edges for which f says so join *out, with their ends. */
CFLRI_OPERATOR void cflri_advance_to_edges(cflri_thread *m, const cflri_rows *rows,
                                           cflri_edge_frontier *out, void *task,
                                           cflri_ends_test *f) {
    cflri_edges_found found;
    uint64_t begin, end;
    found.n = 0;
    while (cflri_deal_rows(m, rows, 0, rows->n, CFLRI_VERTICES_A_TURN, &begin, &end)) {
        m->inspected += rows->start[end] - rows->start[begin];
        for (uint64_t v = begin; v < end; v++) {
            for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++) {
                uint32_t one = (uint32_t)v, other = rows->target[e];
                if (f(&m->tally, task, &one, &other, (uint32_t)e))
                    cflri_edges_put(m, &found, out, (uint32_t)e, one, other);
            }
        }
    }
    cflri_edges_end(m, &found, out);
}

/* The edges of `in` that stay join *out, which may be NULL. */
CFLRI_OPERATOR void cflri_filter_edges(cflri_thread *m, cflri_edge_frontier in,
                                       cflri_edge_frontier *out, void *task, cflri_ends_test *f) {
    cflri_edges_found found;
    uint64_t begin, end;
    found.n = 0;
    while (cflri_deal(m, in.n, CFLRI_NUMBERS_A_TURN, &begin, &end)) {
        m->inspected += end - begin;
        for (uint64_t i = begin; i < end; i++) {
            uint32_t one = in.one[i], other = in.other[i];
            if (f(&m->tally, task, &one, &other, in.edge[i]) && out)
                cflri_edges_put(m, &found, out, in.edge[i], one, other);
        }
    }
    if (out)
        cflri_edges_end(m, &found, out);
    else
        cflri_step_end(m);
}

/* ---- intersect ---- */

typedef void cflri_shared_taken(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                uint64_t edge, uint32_t shared);

/* Of a row only targets below its own number count: in rows by degree these are all, in others,
 * which ascend, the first. The least of them shares nothing below itself. */
CFLRI_OPERATOR void cflri_intersect_row(cflri_thread *m, const cflri_rows *rows, uint32_t v,
                                        cflri_shared_word *marks, void *task,
                                        cflri_shared_taken *take) {
    uint64_t begin = rows->start[v], end = begin;
    uint32_t least = v;
    for (; end < rows->start[v + 1] && rows->target[end] < v; end++) {
        uint32_t to = rows->target[end];
        marks[to / CFLRI_WORD_BITS] |= cflri_bit(to);
        if (to < least) least = to;
    }
    for (uint64_t e = begin; e < end; e++) {
        uint32_t to = rows->target[e], shared = 0;
        uint64_t f = rows->start[to];
        if (to == least) continue;
        for (; f < rows->start[to + 1] && rows->target[f] < to; f++)
            shared += cflri_has_bit(marks, rows->target[f]);
        m->inspected += f - rows->start[to];
        take(&m->tally, task, v, to, e, shared);
    }
    for (uint64_t e = begin; e < end; e++) marks[rows->target[e] / CFLRI_WORD_BITS] = 0;
}

static inline bool cflri_has_two_below(const cflri_rows *rows, uint32_t v) {
    const uint32_t *row = rows->target + rows->start[v];
    uint64_t n = cflri_degree(rows, v);
    return n >= 2 && n <= CFLRI_SHORT_ROWS && row[1] < v && (n == 2 || row[2] >= v);
}

/* The same, of a row where two targets count: the row of the greater one has the other, or it does
 * not. */
CFLRI_OPERATOR void cflri_intersect_two(cflri_thread *m, const cflri_rows *rows, uint32_t v,
                                        void *task, cflri_shared_taken *take) {
    uint64_t begin = rows->start[v];
    bool ascend = rows->target[begin] < rows->target[begin + 1];
    uint32_t less = rows->target[begin + !ascend], to = rows->target[begin + ascend], shared = 0;
    uint64_t f = rows->start[to];
    for (; f < rows->start[to + 1] && rows->target[f] < to; f++) shared += rows->target[f] == less;
    m->inspected += f - rows->start[to];
    take(&m->tally, task, v, to, begin + ascend, shared);
}

/* For each edge to a vertex of smaller number: how many targets of yet smaller numbers the rows of
 * its two ends share, unless none. Rows must not have one target twice. */
CFLRI_OPERATOR void cflri_intersect(cflri_thread *m, const cflri_rows *rows, void *task,
                                    cflri_shared_taken *take) {
    cflri_shared_word *marks = m->team->marks + m->self * m->team->words;
    uint64_t turn = cflri_are_short(rows) ? CFLRI_SHORT_ROWS_A_TURN : CFLRI_VERTICES_A_TURN;
    uint64_t begin, end;
    while (cflri_deal(m, rows->n, turn, &begin, &end)) {
        for (uint64_t v = begin; v < end; v++) {
            if (cflri_has_two_below(rows, (uint32_t)v))
                cflri_intersect_two(m, rows, (uint32_t)v, task, take);
            else if (cflri_degree(rows, (uint32_t)v) > 1)
                cflri_intersect_row(m, rows, (uint32_t)v, marks, task, take);
        }
    }
    cflri_step_end(m);
}

#endif
