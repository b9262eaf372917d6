/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows against a sorted list of edges, for every option and number of threads; generated graphs
 * against what their rules say.
 */
#include <stdlib.h>

#include "base/plain/csr.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

/* ---- an independent reference: a list of (source, target, weight), sorted ---- */

typedef struct edge {
    uint32_t source, target;
    double weight;
} edge;

typedef struct edges {
    edge *at;
    size_t n;
} edges;

static int compare(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    if (a->target != b->target) return a->target < b->target ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static double weight_at(cflr_weights kind, const void *weight, uint64_t i) {
    if (kind == CFLR_WEIGHTS_INT32) return ((const int32_t *)weight)[i];
    return kind == CFLR_WEIGHTS_FLOAT32 ? (double)((const float *)weight)[i] : 0;
}

static edges expect(const cflr_edge_list *list, const cflr_csr_opts *opts) {
    edges all = {malloc((2 * list->n_edges + 1) * sizeof *all.at), 0};
    size_t kept = 0;
    for (uint64_t i = 0; i < list->n_edges; i++) {
        edge e = {list->source[i], list->target[i], weight_at(list->weights, list->weight, i)};
        if (e.source == e.target && opts->drop_loops) continue;
        all.at[all.n++] = e;
        if (opts->symmetric && e.source != e.target)
            all.at[all.n++] = (edge){e.target, e.source, e.weight};
    }
    qsort(all.at, all.n, sizeof *all.at, compare);
    for (size_t i = 0; i < all.n; i++)
        if (opts->keep_parallel || i == 0 || compare(&all.at[i], &all.at[kept - 1]) != 0)
            all.at[kept++] = all.at[i];
    all.n = kept;
    return all;
}

static void check_rows(const cflr_csr *csr, const edges *expected) {
    const uint64_t *start = cflr_csr_start(csr);
    cr_assert_eq(cflr_csr_edges(csr), expected->n);
    cr_assert_eq(start[0], 0);
    cr_assert_eq(start[cflr_csr_vertices(csr)], expected->n);
    uint64_t e = 0;
    for (uint32_t v = 0; v < cflr_csr_vertices(csr); v++) {
        cr_assert_eq(start[v], e);
        for (; e < start[v + 1]; e++) {
            const edge *x = &expected->at[e];
            cr_assert_eq(x->source, v);
            cr_assert_eq(x->target, cflr_csr_target(csr)[e]);
            cr_assert_eq(x->weight, weight_at(cflr_csr_weights(csr), cflr_csr_weight(csr), e));
        }
    }
}

/* Edges between few vertices, so that many are equal; with one vertex that has many. */
static cflr_edge_list draw(uint32_t vertices, uint64_t n, cflr_weights kind, uint64_t *state) {
    uint32_t *source = malloc((n + 1) * 4), *target = malloc((n + 1) * 4),
             *weight = malloc((n + 1) * 4);
    for (uint64_t i = 0; i < n; i++) {
        source[i] = test_random_below(state, 3) ? test_random_below(state, vertices) : vertices / 2;
        target[i] = test_random_below(state, vertices);
        int32_t w = (int32_t)test_random_below(state, 5) - 2;
        float f = (float)w / 2;
        memcpy(&weight[i], kind == CFLR_WEIGHTS_FLOAT32 ? (void *)&f : (void *)&w, 4);
    }
    return (cflr_edge_list){vertices, n,    source,
                            target,   kind, kind ? weight : (free(weight), NULL)};
}

static void release(cflr_edge_list *list) {
    free((void *)list->source);
    free((void *)list->target);
    free((void *)list->weight);
}

static void check_backwards(cflr_csr *csr, const edges *expected) {
    cflr_error error;
    const cflr_csr *reverse, *again;
    edges turned = {malloc((expected->n + 1) * sizeof *turned.at), expected->n};
    for (size_t i = 0; i < turned.n; i++)
        turned.at[i] =
            (edge){expected->at[i].target, expected->at[i].source, expected->at[i].weight};
    qsort(turned.at, turned.n, sizeof *turned.at, compare);
    MUST(cflr_csr_reverse(csr, &reverse, &error));
    MUST(cflr_csr_reverse(csr, &again, &error));
    cr_assert_eq(reverse, again);
    check_rows(reverse, &turned);
    free(turned.at);
}

/* vertex[]: each vertex once; the edges of `made` named by it are those of before. */
static void check_order(const cflr_csr *csr, cflr_order order, const edges *expected) {
    cflr_error error;
    cflr_csr *made;
    uint32_t n = cflr_csr_vertices(csr);
    uint32_t *vertex = malloc((n + 1) * sizeof *vertex);
    uint32_t *number = malloc((n + 1) * sizeof *number);
    edges named = {malloc((expected->n + 1) * sizeof *named.at), expected->n};
    MUST(cflr_csr_reorder(csr, order, &made, vertex, &error));
    memset(number, 0xff, n * sizeof *number);
    for (uint32_t i = 0; i < n; i++) number[vertex[i]] = i;
    for (uint32_t v = 0; v < n; v++) cr_assert_eq(vertex[number[v]], v);
    for (size_t i = 0; i < named.n; i++)
        named.at[i] = (edge){number[expected->at[i].source], number[expected->at[i].target],
                             expected->at[i].weight};
    qsort(named.at, named.n, sizeof *named.at, compare);
    check_rows(made, &named);
    cr_assert_eq(cflr_csr_symmetric(made), cflr_csr_symmetric(csr));
    const uint64_t *start = cflr_csr_start(made);
    for (uint32_t v = 0; order == CFLR_ORDER_DEGREE && v + 1 < n; v++) {
        uint64_t here = start[v + 1] - start[v], next = start[v + 2] - start[v + 1];
        cr_assert(here >= next || here >= n);
        cr_assert(here != next || vertex[v] < vertex[v + 1]);
    }
    cflr_csr_free(made);
    free(named.at);
    free(number);
    free(vertex);
}

/* The numbers of a chain that was shuffled: each vertex has its neighbours beside it. */
Test(csr, a_search_lays_neighbours_side_by_side) {
    enum { N = 1000 };
    uint32_t source[N - 1], target[N - 1], vertex[N];
    cflr_edge_list list = {.n_vertices = N, .n_edges = N - 1, .source = source, .target = target};
    for (uint32_t i = 0; i + 1 < N; i++) {
        source[i] = i * 387 % N;
        target[i] = (i + 1) * 387 % N;
    }
    cflr_context *context = test_context();
    cflr_error error;
    cflr_csr *csr, *made;
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.symmetric = true;
    MUST(cflr_csr_new(context, &list, &opts, &csr, &error));
    MUST(cflr_csr_reorder(csr, CFLR_ORDER_SEARCH, &made, vertex, &error));
    for (uint32_t v = 0; v < N; v++)
        for (uint64_t e = cflr_csr_start(made)[v]; e < cflr_csr_start(made)[v + 1]; e++)
            cr_assert_eq(abs((int)cflr_csr_target(made)[e] - (int)v), 1);
    cflr_csr_free(csr);
    cflr_csr_free(made);
    test_context_end(context);
}

/* Sectors of eight numbers that the tiles of eight targets touch. */
static uint64_t sectors_touched(const cflr_csr *csr) {
    uint64_t all = 0;
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            bool begins = (e - csr->start[v]) % 8 == 0; /* rows ascend */
            all += begins || csr->target[e] / 8 != csr->target[e - 1] / 8;
        }
    }
    return all;
}

/* Cliques of eight whose members were spread over all numbers. */
Test(csr, sampling_lays_together_what_is_read_together) {
    enum { CLIQUES = 64, OF = 8, N = CLIQUES * OF, M = CLIQUES * OF * (OF - 1) };
    static uint32_t source[M], target[M], vertex[N];
    cflr_edge_list list = {.n_vertices = N, .n_edges = 0, .source = source, .target = target};
    for (uint32_t c = 0; c < CLIQUES; c++) {
        for (uint32_t i = 0; i < OF * OF; i++) {
            if (i / OF == i % OF) continue;
            source[list.n_edges] = (c + i / OF * CLIQUES) * 387 % N;
            target[list.n_edges++] = (c + i % OF * CLIQUES) * 387 % N;
        }
    }
    cflr_context *context = test_context();
    cflr_error error;
    cflr_csr *csr, *made, *again;
    MUST(cflr_csr_new(context, &list, NULL, &csr, &error));
    context->threads = 1;
    MUST(cflr_csr_reorder(csr, CFLR_ORDER_SAMPLED, &made, vertex, &error));
    cr_assert(2 * sectors_touched(made) < sectors_touched(csr), "%llu of %llu",
              (unsigned long long)sectors_touched(made), (unsigned long long)sectors_touched(csr));
    context->threads = 4;
    MUST(cflr_csr_reorder(csr, CFLR_ORDER_SAMPLED, &again, vertex, &error));
    cr_assert_eq(memcmp(made->target, again->target, M * sizeof *made->target), 0);
    cflr_csr_free(csr);
    cflr_csr_free(made);
    cflr_csr_free(again);
    test_context_end(context);
}

Test(csr, orders_have_names) {
    cflr_error error;
    cflr_order order;
    MUST(cflr_order_parse("search", &order, &error));
    cr_assert_eq(order, CFLR_ORDER_SEARCH);
    cr_assert_str_eq(cflr_order_name(CFLR_ORDER_DEGREE), "degree");
    cr_assert_str_eq(cflr_order_name((cflr_order)77), "unknown");
    MUST_FAIL(cflr_order_parse("Degree", &order, &error), CFLR_NOT_FOUND);
}

Test(csr, rows_are_the_sorted_edges) {
    static const uint64_t sizes[] = {0, 1, 2, 31, 33, 300, 5000};
    uint64_t state = 5;
    cflr_error error;
    for (int round = 0; round < 8 * 3 * 7; round++) {
        cflr_context *context = test_context();
        context->threads = 1 + round % 4;
        cflr_csr *csr;
        cflr_csr_opts opts;
        cflr_csr_opts_init(&opts);
        opts.symmetric = round & 1;
        opts.drop_loops = round & 2;
        opts.keep_parallel = round & 4;
        cflr_edge_list list = draw(1 + test_random_below(&state, 40), sizes[round / 8 % 7],
                                   (cflr_weights)(round / 56), &state);
        edges expected = expect(&list, &opts);
        MUST(cflr_csr_new(context, &list, &opts, &csr, &error));
        cr_assert_eq(cflr_csr_symmetric(csr), opts.symmetric);
        check_rows(csr, &expected);
        check_backwards(csr, &expected);
        check_order(csr, CFLR_ORDER_DEGREE, &expected);
        check_order(csr, CFLR_ORDER_SEARCH, &expected);
        check_order(csr, CFLR_ORDER_SAMPLED, &expected);
        cflr_csr_free(csr);
        free(expected.at);
        release(&list);
        test_context_end(context);
    }
}

Test(csr, wrong_edges_are_named) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_csr *csr;
    const uint32_t source[] = {0, 1, 2}, target[] = {1, 3, 0};
    const float good[] = {1, 2, 3}, bad[] = {1, 2, (float)(0.0 / 0.0)},
                endless[] = {(float)(1 / 0.0), 2, 3};
    cflr_edge_list list = {3, 3, source, target, CFLR_WEIGHTS_FLOAT32, good};
    MUST_FAIL(cflr_csr_new(context, &list, NULL, &csr, &error), CFLR_ARGUMENT);
    cr_assert(strstr(error.message, "edge 1: 1 or 3 is no vertex") != NULL, "%s", error.message);
    cr_assert_null(csr);
    list.n_vertices = 4;
    list.weight = bad;
    MUST_FAIL(cflr_csr_new(context, &list, NULL, &csr, &error), CFLR_ARGUMENT);
    cr_assert(strstr(error.message, "edge 2: its weight") != NULL, "%s", error.message);
    list.weight = endless;
    MUST_FAIL(cflr_csr_new(context, &list, NULL, &csr, &error), CFLR_ARGUMENT);
    cr_assert(strstr(error.message, "edge 0: its weight") != NULL, "%s", error.message);
    list.n_vertices = UINT32_MAX;
    MUST_FAIL(cflr_csr_new(context, &list, NULL, &csr, &error), CFLR_ARGUMENT);
    list = (cflr_edge_list){.n_vertices = 2};
    cflr_csr_opts opts = {0};
    MUST_FAIL(cflr_csr_new(context, &list, &opts, &csr, &error), CFLR_ARGUMENT);
    test_context_end(context);
}

Test(csr, of_a_label) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_csr *csr;
    uint32_t a, b;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    MUST(cflr_graph_builder_label(builder, "b", "7", &b, &error));
    MUST(cflr_graph_builder_edge(builder, 3, 1, a, &error));
    MUST(cflr_graph_builder_edge(builder, 0, 4, b, &error));
    MUST(cflr_graph_builder_edge(builder, 0, 2, b, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    MUST(cflr_csr_of_graph(context, graph, b, NULL, &csr, &error));
    edge expected[] = {{0, 2, 0}, {0, 4, 0}};
    cr_assert_eq(cflr_csr_vertices(csr), 5);
    check_rows(csr, &(edges){expected, 2});
    cflr_csr_free(csr);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* ---- weights ---- */

Test(csr, drawn_weights_are_those_of_both_ways) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_csr *csr;
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.symmetric = true;
    MUST(cflr_csr_generate(context, "rmat:8:8", &opts, &csr, &error));
    MUST_FAIL(cflr_csr_draw_weights(csr, 3, 2, 1, &error), CFLR_ARGUMENT);
    MUST(cflr_csr_draw_weights(csr, 1, 255, 1, &error));
    const uint64_t *start = cflr_csr_start(csr);
    const uint32_t *target = cflr_csr_target(csr);
    const int32_t *weight = cflr_csr_weight(csr);
    int32_t least = 255, most = 1;
    for (uint32_t v = 0; v < cflr_csr_vertices(csr); v++) {
        for (uint64_t e = start[v]; e < start[v + 1]; e++) {
            uint64_t back = start[target[e]];
            while (target[back] != v) cr_assert_lt(++back, start[target[e] + 1]);
            cr_assert_eq(weight[e], weight[back]);
            least = weight[e] < least ? weight[e] : least;
            most = weight[e] > most ? weight[e] : most;
        }
    }
    cr_assert_leq(1, least);
    cr_assert_lt(least, 10);
    cr_assert_gt(most, 245);
    cr_assert_leq(most, 255);
    MUST(cflr_csr_draw_weights(csr, INT32_MIN, INT32_MAX, 2, &error));
    weight = cflr_csr_weight(csr);
    bool negative = false, large = false;
    for (uint64_t e = 0; e < cflr_csr_edges(csr); e++)
        negative |= weight[e]<-1000000000, large |= weight[e]> 1000000000;
    cr_assert(negative && large);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- generated ---- */

static cflr_csr *generate(cflr_context *context, const char *rule, bool keep_parallel) {
    cflr_error error;
    cflr_csr *csr;
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = keep_parallel;
    MUST(cflr_csr_generate(context, rule, &opts, &csr, &error));
    return csr;
}

static bool has_edge(const cflr_csr *csr, uint32_t source, uint32_t target) {
    const uint64_t *start = cflr_csr_start(csr);
    for (uint64_t e = start[source]; e < start[source + 1]; e++)
        if (cflr_csr_target(csr)[e] == target) return true;
    return false;
}

Test(csr, regular_graphs_are_what_they_are_called) {
    cflr_context *context = test_context();
    cflr_csr *grid = generate(context, "grid:3:5", false),
             *chain = generate(context, "chain:7", false),
             *star = generate(context, "star:9", false),
             *clique = generate(context, "clique:40", true),
             *one = generate(context, "chain:1", false),
             *none = generate(context, "clique:0", false),
             *ring = generate(context, "world:10:3:0", false),
             *line = generate(context, "grid:1:4", false);
    cr_assert_eq(cflr_csr_edges(grid), 3 * 4 + 2 * 5);
    for (uint32_t v = 0; v < 15; v++) {
        cr_assert_eq(has_edge(grid, v, v + 1), v % 5 < 4);
        cr_assert_eq(has_edge(grid, v, v + 5), v < 10);
    }
    cr_assert_eq(cflr_csr_edges(chain), 6);
    for (uint32_t v = 0; v < 6; v++) cr_assert(has_edge(chain, v, v + 1));
    cr_assert_eq(cflr_csr_edges(star), 8);
    for (uint32_t v = 1; v < 9; v++) cr_assert(has_edge(star, 0, v));
    cr_assert_eq(cflr_csr_edges(clique), 40 * 39 / 2);
    for (uint32_t v = 0; v < 40; v++)
        for (uint32_t u = 0; u < 40; u++) cr_assert_eq(has_edge(clique, u, v), u < v);
    cr_assert_eq(cflr_csr_vertices(one), 1);
    cr_assert_eq(cflr_csr_edges(one), 0);
    cr_assert_eq(cflr_csr_vertices(none), 0);
    cr_assert_eq(cflr_csr_edges(ring), 30);
    for (uint32_t v = 0; v < 10; v++)
        for (uint32_t k = 1; k <= 3; k++) cr_assert(has_edge(ring, v, (v + k) % 10));
    cr_assert_eq(cflr_csr_edges(line), 3);
    cflr_csr *all[] = {grid, chain, star, clique, one, none, ring, line};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) cflr_csr_free(all[i]);
    test_context_end(context);
}

/* Degrees of R-MAT are skewed, those of uniform graphs are not, and half of a small world's edges
 * stay. */
/* A star's hub as a tree: the way from it to each leaf, and what each vertex of it has. */
static void check_tree(const cflr_csr *star, const cflr_csr *tree, uint32_t most) {
    uint64_t d = star->start[1], n_new = d > most ? (d - most + most - 2) / (most - 1) : 0;
    uint32_t n = star->n_vertices;
    uint8_t *found = calloc(tree->n_vertices, 1);
    cr_assert_eq(tree->n_vertices, n + n_new);
    cr_assert_eq(tree->n_edges, star->n_edges + n_new);
    for (uint32_t v = 0; v < tree->n_vertices; v++) {
        uint64_t degree = tree->start[v + 1] - tree->start[v];
        if (v == 0 && n_new)
            cr_assert(degree >= 2 && degree <= most);
        else if (v == 0 || v >= n)
            cr_assert_eq(degree, v ? most : d);
        for (uint64_t e = tree->start[v]; e < tree->start[v + 1] && (v == 0 || v >= n); e++) {
            cr_assert_eq(found[tree->target[e]]++, 0);
            bool fresh = tree->target[e] >= n;
            cr_assert_eq(((const int32_t *)tree->weight)[e], fresh ? 77 : (int)tree->target[e]);
        }
    }
    for (uint32_t v = 1; v < tree->n_vertices; v++) cr_assert_eq(found[v], 1);
    free(found);
}

Test(csr, split_vertices_are_trees) {
    cflr_context *context = test_context();
    for (uint32_t leaves = 1; leaves < 90; leaves++) {
        cflr_csr *tree, *star;
        cflr_csr_opts opts;
        cflr_error error;
        cflri_edges rays = {.n_vertices = leaves + 1, .weights = CFLR_WEIGHTS_INT32};
        cflr_csr_opts_init(&opts);
        cr_assert(cflri_edges_reserve(context, &rays, leaves));
        for (uint32_t i = 0; i < leaves; i++) {
            rays.source.at[i] = 0;
            rays.target.at[i] = rays.weight.at[i] = i + 1;
        }
        rays.source.n = rays.target.n = rays.weight.n = leaves;
        MUST(cflri_edges_freeze(context, &rays, &opts, &star, &error));
        for (uint32_t most = 2; most < 12; most++) {
            MUST(cflri_csr_split(star, most, 77, &tree, &error));
            check_tree(star, tree, most);
            cflr_csr_free(tree);
        }
        cflr_csr_free(star);
    }
    test_context_end(context);
}

Test(csr, random_graphs_have_their_shape) {
    cflr_context *context = test_context();
    cflr_csr *rmat = generate(context, "rmat:12:16", true),
             *uniform = generate(context, "uniform:12:16", true),
             *world = generate(context, "world:4096:8:500", true);
    uint64_t most[3] = {0}, kept = 0, empty = 0;
    const cflr_csr *all[] = {rmat, uniform, world};
    for (int g = 0; g < 3; g++) {
        cr_assert_eq(cflr_csr_edges(all[g]), g < 2 ? 65536 : 32768);
        const uint64_t *start = cflr_csr_start(all[g]);
        for (uint32_t v = 0; v < 4096; v++) {
            uint64_t degree = start[v + 1] - start[v];
            most[g] = degree > most[g] ? degree : most[g];
            empty += g == 0 && degree == 0;
            for (uint64_t e = start[v]; g == 2 && e < start[v + 1]; e++)
                kept += (cflr_csr_target(world)[e] + 4096 - v - 1) % 4096 < 8;
        }
    }
    cr_assert_gt(most[0], 500);
    cr_assert_gt(empty, 400);
    cr_assert_lt(most[1], 45);
    cr_assert_eq(most[2], 8);
    cr_assert(kept > 15800 && kept < 17000, "%llu", (unsigned long long)kept);
    cflr_csr_free(rmat);
    cflr_csr_free(uniform);
    cflr_csr_free(world);
    test_context_end(context);
}

Test(csr, slices_make_the_same_graph) {
    static const char *const rule[] = {"rmat:9:8", "uniform:8:3", "grid:9:11", "star:50",
                                       "chain:1",  "clique:0",    "web:500:5"};
    cflr_context *context = test_context();
    cflr_error error;
    context->threads = 3;
    for (unsigned k = 0; k < 8 * sizeof rule / sizeof *rule; k++) {
        cflr_csr_opts opts;
        cflr_csr *whole, *slices;
        cflr_csr_opts_init(&opts);
        opts.symmetric = k & 1;
        opts.drop_loops = k & 2;
        opts.keep_parallel = k & 4;
        cr_assert_eq(cflri_csr_generate(context, rule[k / 8], &opts, 1, &whole, &error), CFLR_OK,
                     "%s", error.message);
        for (uint32_t n = 2; n < 9; n += 3) {
            cr_assert_eq(cflri_csr_generate(context, rule[k / 8], &opts, n, &slices, &error),
                         CFLR_OK, "%s", error.message);
            uint32_t vertices = cflr_csr_vertices(whole);
            cr_assert_eq(cflr_csr_vertices(slices), vertices);
            cr_assert_eq(cflr_csr_edges(slices), cflr_csr_edges(whole));
            cr_assert_eq(slices->has_parallel, whole->has_parallel);
            cr_assert_eq(slices->symmetric, whole->symmetric);
            cr_assert_eq(memcmp(cflr_csr_start(slices), cflr_csr_start(whole), 8 * vertices + 8),
                         0);
            if (cflr_csr_edges(whole))
                cr_assert_eq(memcmp(cflr_csr_target(slices), cflr_csr_target(whole),
                                    4 * cflr_csr_edges(whole)),
                             0);
            cflr_csr_free(slices);
        }
        cflr_csr_free(whole);
    }
    test_context_end(context);
}

Test(csr, pages_of_a_web_have_links_near_them) {
    cflr_context *context = test_context();
    cflr_csr *web = generate(context, "web:4100:8", true);
    uint64_t near[3] = {0}, *into = calloc(4100, sizeof *into);
    for (uint32_t v = 0; v < 4100; v++) {
        const uint64_t *start = cflr_csr_start(web);
        cr_assert_eq(start[v + 1] - start[v], 8);
        for (uint64_t e = start[v]; e < start[v + 1]; e++) {
            uint32_t to = cflr_csr_target(web)[e];
            into[to]++;
            for (int k = 0; k < 3; k++) near[k] += v / (32u << 2 * k) == to / (32u << 2 * k);
        }
    }
    cr_assert(near[0] > 16400 && near[0] < 18700, "%llu", (unsigned long long)near[0]);
    cr_assert(near[1] > 24500 && near[1] < 26600, "%llu", (unsigned long long)near[1]);
    cr_assert(near[2] > 28600 && near[2] < 30600, "%llu", (unsigned long long)near[2]);
    cr_assert(into[0] > 100 && into[4099] < 20, "the first pages have most links");
    free(into);
    cflr_csr_free(web);
    test_context_end(context);
}

Test(csr, generated_graphs_depend_on_their_rule_alone) {
    cflr_context *one = test_context(), *many = test_context();
    one->threads = 1;
    many->threads = 5;
    cflr_csr *a = generate(one, "rmat:10:16:7", false), *b = generate(many, "rmat:10:16:7", false),
             *c = generate(many, "rmat:10:16:8", false);
    cr_assert_eq(cflr_csr_edges(a), cflr_csr_edges(b));
    cr_assert_eq(memcmp(cflr_csr_target(a), cflr_csr_target(b), cflr_csr_edges(a) * 4), 0);
    cr_assert_eq(memcmp(cflr_csr_start(a), cflr_csr_start(b), 1025 * 8), 0);
    cr_assert_neq(memcmp(cflr_csr_target(a), cflr_csr_target(c), 4000), 0);
    cflr_csr_free(a);
    cflr_csr_free(b);
    cflr_csr_free(c);
    test_context_end(one);
    test_context_end(many);
}

Test(csr, other_rules_are_refused) {
    static const char *const wrong[] = {"",
                                        "rmat",
                                        "rmat:",
                                        "rmat:x",
                                        "rmat:4:",
                                        "rmat:4:4:4:4",
                                        "rmat:32",
                                        "rmat:-1",
                                        "grid:4",
                                        "grid:70000:70000",
                                        "chain:4294967295",
                                        "world:4:4:0",
                                        "world:8:2:1001",
                                        "web:8",
                                        "chain:99999999999999999999",
                                        "Chain:3",
                                        "chain:3 ",
                                        "tree:3",
                                        "clique:99999999999"};
    cflr_context *context = test_context();
    cflr_error error;
    cflr_csr *csr;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MUST_FAIL(cflr_csr_generate(context, wrong[i], NULL, &csr, &error), CFLR_ARGUMENT);
        cr_assert_null(csr);
    }
    test_context_end(context);
}

/* ---- no memory ---- */

static cflr_status make_and_turn(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflr_csr *csr;
    const cflr_csr *reverse;
    context->threads = 1;
    cflr_status st = cflr_csr_generate(context, "rmat:5:4", NULL, &csr, error);
    if (st != CFLR_OK) return st;
    st = cflr_csr_draw_weights(csr, 1, 9, 1, error);
    if (st == CFLR_OK) st = cflr_csr_reverse(csr, &reverse, error);
    for (int order = 0; st == CFLR_OK && order < 2; order++) {
        cflr_csr *made;
        uint32_t vertex[32];
        st = cflr_csr_reorder(csr, (cflr_order)order, &made, vertex, error);
        if (st == CFLR_OK) cflr_csr_free(made);
    }
    cflr_csr_free(csr);
    return st;
}

static cflr_status make_slices(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflr_csr *csr;
    context->threads = 1;
    cflr_status st = cflri_csr_generate(context, "rmat:5:4", NULL, 3, &csr, error);
    if (st == CFLR_OK) cflr_csr_free(csr);
    return st;
}

/* Read as numbers first, and again, as there are names. */
static cflr_status read_names(cflr_context *context, void *user, cflr_error *error) {
    static const char text[] = "from,to,km\n1,2,3\n\"a \"\"b\"\"\",c,4.5\nc,1,6\n";
    const cflri_input input = {.context = context, .data = text, .size = sizeof text - 1};
    cflr_csr *csr, *made;
    uint32_t vertex[4];
    (void)user;
    context->threads = 1;
    cflr_status st = cflri_csr_load_bytes(&input, "g.csv", NULL, NULL, &csr, error);
    if (st != CFLR_OK) return st;
    cr_assert_eq(cflr_csr_find(csr, "a \"b\""), 2);
    cr_assert_eq(cflr_csr_find(csr, "b"), CFLR_NO_VERTEX);
    cr_assert_str_eq(cflr_csr_name(csr, 4), "");
    cr_assert(strstr(cflr_csr_note(csr), "titles") && strstr(cflr_csr_note(csr), "line 3"), "%s",
              cflr_csr_note(csr));
    st = cflr_csr_reorder(csr, CFLR_ORDER_DEGREE, &made, vertex, error);
    if (st == CFLR_OK) {
        cr_assert_eq(vertex[cflr_csr_find(made, "c")], cflr_csr_find(csr, "c"));
        cflr_csr_free(made);
    }
    cflr_csr_free(csr);
    return st;
}

Test(csr, every_allocation_may_fail) {
    cr_expect_gt(fail_alloc_sweep(read_names, NULL), 12);
    cr_expect_gt(fail_alloc_sweep(make_slices, NULL), 12);
    cr_expect_gt(fail_alloc_sweep(make_and_turn, NULL), 12);
}

/* ---- files ---- */

typedef struct file_case {
    const char *name, *text, *label;
    const char *rows; /* source-target:weight of each edge; or the error */
} file_case;

static void spell_rows(const cflr_csr *csr, char *text, size_t size) {
    const uint64_t *start = cflr_csr_start(csr);
    size_t n = (size_t)snprintf(text, size, "%u:", cflr_csr_vertices(csr));
    for (uint32_t v = 0; v < cflr_csr_vertices(csr); v++) {
        for (uint64_t e = start[v]; e < start[v + 1]; e++) {
            n += (size_t)snprintf(text + n, size - n, " %u-%u", v, cflr_csr_target(csr)[e]);
            if (cflr_csr_weights(csr) == CFLR_WEIGHTS_NONE) continue;
            double weight = weight_at(cflr_csr_weights(csr), cflr_csr_weight(csr), e);
            const char *kind = cflr_csr_weights(csr) == CFLR_WEIGHTS_INT32 ? "" : "f";
            n += (size_t)snprintf(text + n, size - n, ":%g%s", weight, kind);
        }
    }
}

static const file_case file_cases[] = {
    {"a.el", "# c\n0 1\n2 0\n% c\n2 0\n", NULL, "3: 0-1 2-0"},
    {"a.wel", "0\t1\t7\n0 1 -3\n", NULL, "2: 0-1:-3 0-1:7"},
    {"a.wel", "0 1 7\n1 0 2.5\n", NULL, "2: 0-1:7f 1-0:2.5f"},
    {"a.wel", "0 1 1e3\n", NULL, "2: 0-1:1000f"},
    {"a.wel", "0 1 2147483647\n0 0 -2147483648\n", NULL, "2: 0-0:-2.14748e+09 0-1:2.14748e+09"},
    {"empty", "", NULL, "0:"},
    {"a.el", "# nothing\n", NULL, "0:"},
    {"a.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 3 1\n", NULL,
     "3: 0-1:7 1-0:7 2-2:1"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 4 1\n1 4 0.5\n", NULL,
     "4: 0-3:0.5f"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", NULL, "2: 0-1"},
    {"a.gr", "c x\np sp 3 2\na 1 2 17\na 3 1 4\n", NULL, "3: 0-1:17 2-0:4"},
    {"a.col", "p edge 3 2\ne 1 2\ne 3 2\n", NULL, "3: 0-1 1-0 1-2 2-1"},
    {"a.tsv", "0\t1\ta\n1\t2\tf\t8\n", "f[8]", "3: 1-2"},
    {"a.tsv", "0\t1\ta\n1\t2\tf\t8\n", "a", "3: 0-1"},
    {"a.tsv", "0\t1\ta\n1\t2\ta\n", NULL, "3: 0-1 1-2"},
    /* errors */
    {"a.tsv", "0\t1\ta\n1\t2\tb\n", NULL, "a graph with 2 labels"},
    {"a.tsv", "0\t1\ta\n", "b", "no label 'b'"},
    {"a.tsv", "0\t1\ta\n", "a[", "no label 'a['"},
    {"a.el", "0 1\n-1 2\n", NULL, "2:1 '-1': a vertex from 0 to"},
    {"a.el", "0 1\n1 4294967295\n", NULL, "2:3 '4294967295': a vertex from 0 to 4294967293"},
    {"a.el", "0 1\n1 99999999999999999999\n", NULL, "2:3"},
    {"a.el", "0 1\n1\n", NULL, "2:2 source and target expected"},
    {"a.el", "0 1\n1 2 3\n", NULL, "2:5 source and target expected"},
    {"a.wel", "0 1 2\n1 2\n", NULL, "2:4 source, target and weight expected"},
    {"a.wel", "0 1 2\n1 2 x\n", NULL, "2:5 'x' is no weight"},
    {"a.wel", "0 1 2\n1 2 nan\n", NULL, "2:5 'nan': weights are finite"},
    {"a.wel", "0 1 2\n1 2 1e99\n", NULL, "2:5 '1e99': weights are finite"},
    {"a.wel", "0 1 2147483648\n", NULL, "1:5 '2147483648': an integer from"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", NULL,
     "3:5 'nan': weights"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", NULL,
     "2 entries are promised"},
    {"a.gr", "p sp 3 2\na 1 4 1\n", NULL, "2:5 '4': a vertex from 1 to 3"},
};

static void check_file(cflr_context *context, const test_dir *dir, const file_case *c) {
    char path[512], text[512], place[64] = "";
    cflr_error error = {0};
    cflr_csr *csr;
    test_write_file(test_path(dir, c->name, path), c->text, strlen(c->text));
    cflr_status st = cflr_csr_load(context, path, c->label, NULL, &csr, &error);
    if (st == CFLR_OK) {
        spell_rows(csr, text, sizeof text);
        cr_assert_str_eq(text, c->rows);
        cflr_csr_free(csr);
        return;
    }
    if (error.line) snprintf(place, sizeof place, "%u:%u ", error.line, error.column);
    snprintf(text, sizeof text, "%s%s", place, error.message);
    cr_assert(strstr(text, c->rows) != NULL, "%s: '%s', not '%s'", c->text, text, c->rows);
    cr_assert_null(csr);
    cr_assert(strstr(error.subject, c->name) != NULL);
}

Test(csr, files) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    for (size_t i = 0; i < sizeof file_cases / sizeof *file_cases; i++)
        check_file(context, &dir, &file_cases[i]);
    test_dir_end(&dir);
    test_context_end(context);
}

static void write_packed(cflr_context *context, const char *path, const void *data, size_t size) {
    cflr_error error;
    cflri_output *output;
    MUST(cflri_output_open(context, path, &output, &error));
    cflri_output_write(output, data, size);
    MUST(cflri_output_close(output, &error));
}

Test(csr, binary_files) {
    static const unsigned char bytes[] = {1, 0, 0, 0, 0, 1, 0, 0, 255, 255, 255, 255,
                                          2, 0, 0, 0, 0, 0, 0, 0, 5,   0,   0,   0};
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512], text[512];
    cflr_error error;
    cflr_csr *csr;
    test_write_file(test_path(&dir, "a.wel32", path), bytes, 24);
    MUST(cflr_csr_load(context, path, NULL, NULL, &csr, &error));
    spell_rows(csr, text, sizeof text);
    cr_assert_str_eq(text, "257: 1-256:-1 2-0:5");
    cflr_csr_free(csr);
    write_packed(context, test_path(&dir, "a.wel32.zst", path), bytes, 24);
    MUST(cflr_csr_load(context, path, NULL, NULL, &csr, &error));
    cr_assert_eq(cflr_csr_edges(csr), 2);
    cflr_csr_free(csr);
    test_write_file(test_path(&dir, "a.wel32", path), bytes, 23);
    MUST_FAIL(cflr_csr_load(context, path, NULL, NULL, &csr, &error), CFLR_FORMAT);
    test_write_file(test_path(&dir, "a.el32", path), bytes, 8);
    MUST(cflr_csr_load(context, path, NULL, NULL, &csr, &error));
    spell_rows(csr, text, sizeof text);
    cr_assert_str_eq(text, "257: 1-256");
    cflr_csr_free(csr);
    test_write_file(path, bytes, 24);
    MUST_FAIL(cflr_csr_load(context, path, NULL, NULL, &csr, &error), CFLR_FORMAT);
    cr_assert(strstr(error.message, "edge 1: 4294967295") != NULL);
    test_dir_end(&dir);
    test_context_end(context);
}
