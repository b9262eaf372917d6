/* SPDX-License-Identifier: Apache-2.0
 *
 * test_order.c: components of random graphs in order, found by one thread and by several; the queue
 * by rank.
 */
#include "engine/closure/batch/order.h"

#include "engine/closure/batch/loop/queue.h"
#include "tests/support/support.h"

enum { N = 40, MOST = N * 4, THREADS = 4 };

typedef struct graph {
    uint32_t n, edges;
    uint64_t begin[N + 1];
    uint32_t target[MOST];
    bool reach[N][N];
} graph;

/* Edges lead ahead mostly, so that some of it is on cycles, some behind them, and some before. */
static void make_graph(graph *g, uint64_t *random) {
    memset(g, 0, sizeof *g);
    g->n = 1 + test_random_below(random, N);
    for (uint32_t v = 0; v < g->n; v++) {
        g->begin[v] = g->edges;
        for (uint32_t i = test_random_below(random, 4); i > 0; i--) {
            bool back = !test_random_below(random, 8);
            uint32_t to = back ? test_random_below(random, g->n) : v + test_random_below(random, 9);
            if (to >= g->n) continue;
            g->target[g->edges++] = to;
            g->reach[v][to] = true;
        }
        g->reach[v][v] = true;
    }
    g->begin[g->n] = g->edges;
    for (uint32_t k = 0; k < g->n; k++) {
        for (uint32_t i = 0; i < g->n; i++) {
            for (uint32_t j = 0; j < g->n; j++) {
                g->reach[i][j] |= g->reach[i][k] && g->reach[k][j];
            }
        }
    }
}

typedef struct ordering {
    const graph *g;
    cflr_context *context;
    cflri_order *order;
    bool merges;
} ordering;

/* The system may give fewer threads than were asked for. */
static void find_order(void *what, cflri_crew *crew, uint32_t self) {
    const ordering *o = what;
    const graph *g = o->g;
    if (!self) {
        cr_assert(cflri_order_begin(o->order, o->context, g->n, g->edges, crew->threads));
        memcpy(o->order->begin, g->begin, (g->n + 1) * sizeof *g->begin);
        memcpy(o->order->target, g->target, g->edges * sizeof *g->target);
    }
    cflri_crew_wait(crew);
    cflri_share own = cflri_share_of(g->n, self, crew->threads);
    cr_assert(cflri_order_find(o->order, crew, own, self, o->merges));
}

static void order_graph(const graph *g, cflr_context *context, uint32_t threads, bool merges,
                        cflri_order *order) {
    ordering o = {g, context, order, merges};
    cflri_crew_run(threads, find_order, &o);
}

static void check_members(const cflri_order *order) {
    bool seen[N] = {false};
    cr_assert_eq(order->first[0], 0);
    cr_assert_eq(order->first[order->n_components], order->n);
    for (uint32_t c = 0; c < order->n_components; c++) {
        cr_assert_lt(order->first[c], order->first[c + 1]);
        for (uint32_t i = order->first[c]; i < order->first[c + 1]; i++) {
            cr_assert_eq(order->component[order->member[i]], c);
            cr_assert(!seen[order->member[i]]);
            seen[order->member[i]] = true;
        }
    }
}

enum { AHEAD, LEFT, BEHIND };

typedef struct stretch {
    int side;
    uint32_t thread; /* that put it in line */
} stretch;

static stretch stretch_of(const cflri_order *order, uint32_t component) {
    uint32_t ahead = order->n - order->n_rest, behind = order->n_components - order->n_behind;
    stretch s = {component < ahead ? AHEAD : component < behind ? LEFT : BEHIND, 0};
    uint32_t end = s.side == AHEAD ? 0 : behind;
    if (s.side == LEFT) return s;
    for (; s.thread < order->threads; s.thread++) {
        const cflri_order_part *part = &order->part[s.thread];
        end += s.side == AHEAD ? part->ahead.n : part->behind.n;
        if (component < end) break;
    }
    cr_assert_lt(s.thread, order->threads);
    return s;
}

/* From side to side, within a stretch, and in what is not in line, edges lead ahead. */
static bool is_ahead(const cflri_order *order, uint32_t from, uint32_t to) {
    stretch x = stretch_of(order, from), y = stretch_of(order, to);
    return from < to || (x.side == y.side && x.side != LEFT && x.thread != y.thread);
}

static void check_order(const graph *g, const cflri_order *order, bool merges) {
    check_members(order);
    for (uint32_t u = 0; u < g->n; u++) {
        for (uint32_t v = 0; v < g->n; v++) {
            bool cycle = g->reach[u][v] && g->reach[v][u];
            uint32_t from = order->component[u], to = order->component[v];
            cr_assert_eq(from == to, merges ? cycle : u == v);
            if (g->reach[u][v] && !cycle) cr_assert(is_ahead(order, from, to));
            if (u != v && cycle) cr_assert_eq(stretch_of(order, from).side, LEFT);
        }
    }
}

Test(order, against_reachability) {
    static graph g;
    uint64_t random = 7;
    cflr_context *context = test_context();
    for (int round = 0; round < 200; round++) {
        make_graph(&g, &random);
        for (uint32_t threads = 1; threads <= THREADS; threads++) {
            cflri_order order;
            order_graph(&g, context, threads, round % 4, &order);
            check_order(&g, &order, round % 4);
            cflri_order_free(&order);
        }
    }
    test_context_end(context);
}

/* ---- queue ---- */

enum { RANKS = 2000, NODES = 600 };

Test(queue, gives_nodes_by_rank) {
    cflr_context *context = test_context();
    cflri_queue queue = {0};
    uint64_t random = 3;
    for (uint32_t round = 0; round < 50; round++) {
        uint32_t link[NODES], rank[NODES], n_ranks = RANKS - 9 * round, taken = 0, wanted = 0;
        uint32_t begin = 3, end = n_ranks / CFLRI_QUEUE_GROUP / 2;
        cr_assert(cflri_queue_begin(&queue, context, n_ranks, round % 2));
        for (uint32_t n = 0; n < NODES; n++) {
            rank[n] = test_random_below(&random, n_ranks);
            uint32_t group = rank[n] / CFLRI_QUEUE_GROUP;
            wanted += group >= begin && group < end;
            cflri_queue_put(&queue, rank[n], n, &link[n]);
        }
        for (uint32_t at = begin; (at = cflri_queue_next(&queue, at, end)) < end; at++) {
            cflri_queue_open(&queue, at);
            for (uint32_t i = 0; i < CFLRI_QUEUE_GROUP; i++) {
                uint32_t from = at * CFLRI_QUEUE_GROUP + i;
                for (uint32_t n = cflri_queue_take(&queue, from); n; n = link[n - 1], taken++) {
                    cr_assert_eq(rank[n - 1], from);
                }
                cr_assert_eq(cflri_queue_take(&queue, from), 0);
            }
        }
        cr_assert_eq(taken, wanted);
        cr_assert_eq(cflri_queue_next(&queue, begin, end), end);
        cr_assert_lt(cflri_queue_next(&queue, end, queue.n_groups), queue.n_groups);
    }
    cflri_queue_free(&queue, context);
    test_context_end(context);
}

/* ---- by several threads ---- */

enum { SHARED = 3, TIMES = 20000, SHARED_GROUPS = 65 };

typedef struct putting {
    cflri_queue queue;
    uint32_t link[THREADS * SHARED];
    _Atomic uint32_t put[THREADS * SHARED], taken[THREADS * SHARED];
} putting;

static void take_group(putting *p, uint32_t group) {
    cflri_queue_open(&p->queue, group);
    for (uint32_t i = 0; i < CFLRI_QUEUE_GROUP; i++) {
        uint32_t next, node = cflri_queue_take(&p->queue, group * CFLRI_QUEUE_GROUP + i);
        for (; node; node = next) {
            next = p->link[node - 1];
            p->taken[node - 1]++;
        }
    }
}

static void take_all(putting *p) {
    uint32_t end = p->queue.n_groups;
    for (uint32_t at = 0; (at = cflri_queue_next(&p->queue, at, end)) < end; at++) {
        take_group(p, at);
    }
}

/* Each thread puts nodes of its own when they are not there, into the first two groups and the last
 * two; the first takes what is there. */
static void put_and_take(void *what, cflri_crew *crew, uint32_t self) {
    putting *p = what;
    for (uint32_t i = 0; i < TIMES; i++) {
        uint32_t node = self * SHARED + i % SHARED, group = node / 2 % 2 + node % 2 * 63;
        if (p->put[node] == p->taken[node]) {
            p->put[node]++;
            cflri_queue_put(&p->queue, group * CFLRI_QUEUE_GROUP + node % 3, node, &p->link[node]);
        }
        if (!self) take_all(p);
    }
    cflri_crew_wait(crew);
}

Test(queue, loses_nothing_between_threads) {
    static putting p;
    cflr_context *context = test_context();
    cr_assert(cflri_queue_begin(&p.queue, context, SHARED_GROUPS * CFLRI_QUEUE_GROUP - 1, true));
    cflri_crew_run(THREADS, put_and_take, &p);
    take_all(&p);
    for (uint32_t n = 0; n < THREADS * SHARED; n++) cr_assert_eq(p.put[n], p.taken[n]);
    cflri_queue_free(&p.queue, context);
    test_context_end(context);
}
