/* SPDX-License-Identifier: Apache-2.0
 *
 * test_order.c: components and ranks of random graphs, found by one thread and by several; the queue by rank.
 */
#include "engine/closure/batch_order.h"

#include "engine/closure/batch_queue.h"
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

static void find_levels(void *what, cflri_crew *crew, uint32_t self) {
    cflri_order *order = what;
    order->threads = crew->threads;
    uint32_t first = (uint32_t)cflri_share_begin(order->n, self, crew->threads);
    uint32_t end = (uint32_t)cflri_share_begin(order->n, self + 1, crew->threads);
    cflri_order_levels(order, crew, self, first, end);
}

static void order_graph(const graph *g, cflr_context *context, uint32_t threads, bool merges,
                        cflri_order *order) {
    cr_assert(cflri_order_begin(order, context, g->n, g->edges, threads));
    memcpy(order->begin, g->begin, (g->n + 1) * sizeof *g->begin);
    memcpy(order->target, g->target, g->edges * sizeof *g->target);
    if (threads > 1) cflri_crew_run(threads, find_levels, order);
    cr_assert(cflri_order_end(order, merges));
}

static void check_members(const cflri_order *order) {
    bool seen[N] = {false};
    cr_assert_eq(order->first[0], 0);
    cr_assert_eq(order->first[order->n_components], order->n);
    for (uint32_t c = 0; c < order->n_components; c++) {
        cr_assert_lt(order->first[c], order->first[c + 1]);
        cr_assert_lt(order->rank[c], order->n_ranks);
        for (uint32_t i = order->first[c]; i < order->first[c + 1]; i++) {
            cr_assert_eq(order->component[order->member[i]], c);
            cr_assert(!seen[order->member[i]]);
            seen[order->member[i]] = true;
        }
    }
}

static void check_order(const graph *g, const cflri_order *order, bool merges) {
    check_members(order);
    for (uint32_t u = 0; u < g->n; u++) {
        for (uint32_t v = 0; v < g->n; v++) {
            bool cycle = g->reach[u][v] && g->reach[v][u];
            uint32_t from = order->component[u], to = order->component[v];
            cr_assert_eq(from == to, merges ? cycle : u == v);
            if (g->reach[u][v] && !cycle) cr_assert_lt(order->rank[from], order->rank[to]);
            if (cycle) cr_assert_eq(order->rank[from], order->rank[to]);
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

/* The longest way, when several threads find it: no rank is empty. */
Test(order, ranks_are_levels) {
    static graph g;
    uint64_t random = 11;
    cflr_context *context = test_context();
    for (int round = 0; round < 100; round++) {
        bool some[N] = {false};
        cflri_order order;
        make_graph(&g, &random);
        order_graph(&g, context, 2, true, &order);
        for (uint32_t c = 0; c < order.n_components; c++) some[order.rank[c]] = true;
        for (uint32_t r = 0; r < order.n_ranks; r++) cr_assert(some[r]);
        cflri_order_free(&order);
    }
    test_context_end(context);
}

/* ---- queue ---- */

enum { RANKS = 200, NODES = 500 };

Test(queue, gives_nodes_by_rank_and_wave) {
    cflr_context *context = test_context();
    cflri_queue queue = {0};
    uint64_t random = 3;
    for (uint32_t round = 0; round < 50; round++) {
        uint32_t link[NODES], rank[NODES], taken = 0, last = 0;
        cr_assert(cflri_queue_begin(&queue, context, RANKS - round));
        for (uint32_t n = 0; n < NODES; n++) {
            rank[n] = test_random_below(&random, RANKS - round);
            cflri_queue_put(&queue, n & 1, rank[n], n, &link[n]);
        }
        for (uint32_t at; (at = cflri_queue_least(&queue, 1)) != CFLRI_NO_RANK; last = at) {
            cr_assert_geq(at, last);
            for (uint32_t n = cflri_queue_take(&queue, 1, at); n; n = link[n - 1]) {
                cr_assert_eq(rank[n - 1], at);
                cr_assert_eq((n - 1) & 1, 1);
                taken++;
            }
        }
        cr_assert_eq(taken, NODES / 2);
        cr_assert_neq(cflri_queue_least(&queue, 0), CFLRI_NO_RANK);
    }
    cr_assert(cflri_queue_begin(&queue, context, RANKS));
    cr_assert_eq(cflri_queue_least(&queue, 0), CFLRI_NO_RANK);
    cflri_queue_free(&queue, context);
    test_context_end(context);
}
