/* SPDX-License-Identifier: Apache-2.0
 *
 * Every primitive of the graph engine: on graphs of every shape against its serial check, for every
 * number of threads and every way; against what was computed by hand, so that check and engine
 * cannot err alike; and the checks themselves, by columns that are tampered with.
 */
#include <inttypes.h>
#include <math.h>

#include "engine/traverse/traversal.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

/* ---- primitives ---- */

#define WORD(name, number, word, text) [number] = word,
static const char *const words[] = {CFLR_PRIMITIVE_LIST(WORD)};
enum { PRIMITIVES = sizeof words / sizeof *words };

static bool has_directions(cflr_primitive p) {
    return cflri_primitive_of(p)->has_directions;
}

Test(traverse, primitives_have_the_words_of_their_list) {
    cflr_primitive p;
    cflr_error error;
    for (int i = 0; i < PRIMITIVES; i++) {
        cr_assert_str_eq(cflr_primitive_name((cflr_primitive)i), words[i]);
        MUST(cflr_primitive_parse(words[i], &p, &error));
        cr_assert_eq((int)p, i);
    }
    MUST_FAIL(cflr_primitive_parse("bfss", &p, &error), CFLR_NOT_FOUND);
    cr_assert(strstr(error.message, "bfss") != NULL);
    cr_assert_str_eq(cflr_primitive_name((cflr_primitive)PRIMITIVES), "unknown");
}

/* ---- graphs ---- */

/* Edges that become a graph with weights of either kind, or without. */
typedef struct drawing {
    uint32_t n;
    uint64_t m;
    uint32_t *source, *target;
    double *weight;
    double scale; /* of weights that are real numbers */
} drawing;

static void drawing_room(drawing *d, uint64_t m) {
    d->source = malloc((m + 1) * sizeof *d->source);
    d->target = malloc((m + 1) * sizeof *d->target);
    d->weight = malloc((m + 1) * sizeof *d->weight);
}

static void drawing_end(drawing *d) {
    free(d->source);
    free(d->target);
    free(d->weight);
}

static void draw_edge(drawing *d, uint32_t source, uint32_t target, double weight) {
    d->source[d->m] = source;
    d->target[d->m] = target;
    d->weight[d->m++] = weight;
}

/* "3: 0-1:7 1-2": three vertices, two edges; a weight that is not said is 1. Real ones are half of
 * that. */
static drawing draw_text(const char *text) {
    drawing d = {.scale = 0.5};
    int used = 0;
    drawing_room(&d, strlen(text));
    cr_assert_eq(sscanf(text, "%" SCNu32 ":%n", &d.n, &used), 1);
    for (text += used; *text; text += used) {
        uint32_t source, target;
        double weight = 1;
        cr_assert_eq(sscanf(text, " %" SCNu32 "-%" SCNu32 "%n", &source, &target, &used), 2);
        text += used;
        used = 0;
        if (*text == ':') cr_assert_eq(sscanf(text, ":%lf%n", &weight, &used), 1);
        draw_edge(&d, source, target, weight);
    }
    return d;
}

/* What a rule makes, `times` over, with weights from 0 to 20. Real ones are no multiples of a power
 * of two. */
static drawing draw_rule(const char *rule, uint32_t times) {
    cflr_context *context = test_context();
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_error error;
    uint64_t state = 7;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    MUST(cflr_csr_generate(context, rule, &opts, &csr, &error));
    drawing d = {.n = csr->n_vertices, .scale = 0.37};
    drawing_room(&d, csr->n_edges * times);
    for (uint32_t v = 0; v < d.n; v++)
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            for (uint32_t i = 0; i < times; i++)
                draw_edge(&d, v, csr->target[e], test_random_below(&state, 21));
    cflr_csr_free(csr);
    test_context_end(context);
    return d;
}

/* A rule, "2*" and a rule, or edges. */
static drawing draw(const char *text) {
    if (strncmp(text, "2*", 2) == 0) return draw_rule(text + 2, 2);
    return *text >= '0' && *text <= '9' ? draw_text(text) : draw_rule(text, 1);
}

typedef struct making {
    cflr_weights weights;
    bool symmetric;
    double less; /* than the weights that were drawn */
} making;

/* Parallel edges stay. */
static cflr_status make(cflr_context *context, const drawing *d, making how, cflr_csr **csr,
                        cflr_error *error) {
    cflr_csr_opts opts;
    uint32_t *weight = malloc((d->m + 1) * sizeof *weight);
    for (uint64_t i = 0; i < d->m; i++) {
        double w = d->weight[i] - how.less;
        int32_t integer = how.weights == CFLR_WEIGHTS_INT32 ? (int32_t)w : 0;
        float real = (float)(w * d->scale);
        memcpy(&weight[i], how.weights == CFLR_WEIGHTS_INT32 ? (void *)&integer : (void *)&real, 4);
    }
    cflr_edge_list list = {d->n, d->m, d->source, d->target, how.weights, NULL};
    if (how.weights) list.weight = weight;
    cflr_csr_opts_init(&opts);
    opts.symmetric = how.symmetric;
    opts.keep_parallel = true;
    cflr_status st = cflr_csr_new(context, &list, &opts, csr, error);
    free(weight);
    return st;
}

static cflr_csr *must_make(cflr_context *context, const char *text, making how) {
    cflr_csr *csr;
    cflr_error error;
    drawing d = draw(text);
    MUST(make(context, &d, how, &csr, &error));
    drawing_end(&d);
    return csr;
}

/* ---- runs ---- */

enum { MOST_SOURCES = 3 };

/* First, middle and last vertex, as far as the primitive has sources and the graph different
 * vertices. */
static uint32_t choose_sources(cflr_primitive p, uint32_t n, uint32_t *sources) {
    const uint32_t some[MOST_SOURCES] = {0, n / 2, n - 1};
    uint32_t most = cflr_primitive_asks(p).most_sources, chosen = 0;
    for (uint32_t i = 0; i < MOST_SOURCES && chosen < most && n; i++)
        if (i == 0 || some[i] != sources[chosen - 1]) sources[chosen++] = some[i];
    return chosen;
}

static void must_be_right(const cflr_traversal *t, const char *what) {
    cflr_traverse_report report;
    cflr_error error;
    MUST(cflr_traversal_verify(t, &report, &error));
    cr_assert_eq(report.wrong, 0, "%s on %s: %s", cflr_primitive_name(t->primitive->which), what,
                 report.first_failure);
    cr_assert_str_empty(report.first_failure);
    cr_assert(report.worst <= 1, "%g", report.worst);
    cr_assert(report.checked >= t->csr->n_vertices || t->primitive->which == CFLR_TC ||
              t->primitive->which == CFLR_MST);
}

static uint64_t column_bytes(const cflr_column *column) {
    static const uint64_t size[] = {1, 4, 8, 4, 8};
    return column->n * size[column->type];
}

static bool is_real(const cflr_column *column) {
    return column->type == CFLR_COLUMN_FLOAT32 || column->type == CFLR_COLUMN_FLOAT64;
}

/* What two runs gave. When they did not add up in the same order, only what is no real number must
 * be equal. */
static void must_be_equal(const cflr_traversal *a, const cflr_traversal *b, bool same_order,
                          const char *what) {
    cflr_column one, other;
    cflr_value x, y;
    for (uint32_t i = 0; cflr_traversal_column(a, i, &one); i++) {
        cr_assert(cflr_traversal_column(b, i, &other));
        cr_assert_str_eq(one.name, other.name);
        cr_assert_eq(one.n, other.n);
        if (is_real(&one) && !same_order) continue;
        if (one.n)
            cr_assert_eq(memcmp(one.values, other.values, column_bytes(&one)), 0,
                         "%s on %s: column %s depends on threads",
                         cflr_primitive_name(a->primitive->which), what, one.name);
    }
    for (uint32_t i = 0; cflr_traversal_value(a, i, &x); i++) {
        cr_assert(cflr_traversal_value(b, i, &y));
        cr_assert_str_eq(x.name, y.name);
        cr_assert_eq(x.count, y.count);
        cr_assert(x.number == y.number || !same_order);
    }
}

static cflr_traversal *must_new_of(cflr_csr *csr, cflr_primitive p, cflr_traverse_opts opts,
                                   int threads) {
    cflr_traversal *t;
    cflr_error error;
    csr->context->threads = threads;
    MUST(cflr_traversal_new(csr, p, &opts, &t, &error));
    return t;
}

static cflr_traversal *must_new(cflr_csr *csr, cflr_primitive p, cflr_way way, int threads) {
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.way = way;
    return must_new_of(csr, p, opts, threads);
}

/* From all sources at once where it takes them, else from one after the other. */
static void run_and_verify(cflr_traversal *t, cflr_traversal *first, bool same_order,
                           const char *what) {
    uint32_t source[MOST_SOURCES], n = t->csr->n_vertices;
    uint32_t most = cflr_primitive_asks(t->primitive->which).most_sources;
    const uint32_t some[MOST_SOURCES] = {n / 2, n - 1, 0};
    cflr_error error;
    for (int i = 0; i < (most == 1 ? MOST_SOURCES : 1); i++) {
        uint32_t n_sources = choose_sources(t->primitive->which, n, source);
        if (most == 1) source[0] = some[i];
        MUST(cflr_traversal_run(t, source, n_sources, &error));
        must_be_right(t, what);
        if (first == t) continue;
        MUST(cflr_traversal_run(first, source, n_sources, &error));
        must_be_equal(first, t, same_order, what);
    }
}

/* Pushing adds up in the order in which threads come. */
static void try_threads(cflr_csr *csr, cflr_primitive p, cflr_way way, const char *what) {
    cflr_traversal *one = must_new(csr, p, way, 1);
    run_and_verify(one, one, true, what);
    for (int threads = 2; threads <= 4; threads += 2) {
        cflr_traversal *many = must_new(csr, p, way, threads);
        run_and_verify(many, one, way != CFLR_WAY_PUSH, what);
        cflr_traversal_free(many);
    }
    cflr_traversal_free(one);
}

static void try_ways(cflr_primitive p, const char *text, cflr_weights weights, bool symmetric) {
    cflr_context *context = test_context();
    making how = {weights, symmetric, .less = p == CFLR_MST ? 10 : 0}; /* some are negative */
    cflr_csr *csr = must_make(context, text, how);
    int ways = has_directions(p) ? 3 : 1;
    bool without = csr->n_vertices == 0 && cflr_primitive_asks(p).least_sources;
    for (int way = 0; way < ways && !without; way++) try_threads(csr, p, (cflr_way)way, text);
    cflr_csr_free(csr);
    test_context_end(context);
}

static const char *const graphs[] = {
    "0:",
    "1:",
    "1: 0-0:3",
    "2: 0-1:0",
    "7: 0-1:3 1-2:4 2-0:5 3-4:6 5-3:1 5-4:2", /* two components, and a vertex */
    "5: 0-0:1 0-1:5 0-1:2 0-1:2 1-0:9 1-2:1 2-2:4 2-3:7 3-1:0 3-1:3", /* loops, parallel edges */
    "rmat:8",
    "rmat:10",
    "uniform:8",
    "uniform:10:1", /* many small components */
    "grid:17:23",
    "chain:300",
    "star:300",
    "clique:20",
    "world:200:4:100",
    "grid:40:40",   /* from corner to corner more paths than 64 bits can count */
    "2*chain:1100", /* and here more than a double can */
    "rmat:12",      /* enough for four threads */
};

static void try_graphs(cflr_primitive p) {
    cflr_primitive_needs needs = cflr_primitive_asks(p);
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
        for (int both = needs.symmetric; both < 2; both++) {
            if (!needs.weights) {
                try_ways(p, graphs[g], CFLR_WEIGHTS_NONE, both);
                continue;
            }
            try_ways(p, graphs[g], CFLR_WEIGHTS_INT32, both);
            try_ways(p, graphs[g], CFLR_WEIGHTS_FLOAT32, both);
        }
    }
}

#define TRY_GRAPHS(name, number, word, text)        \
    Test(traverse, name##_is_what_its_check_says) { \
        try_graphs(CFLR_##name);                    \
    }
CFLR_PRIMITIVE_LIST(TRY_GRAPHS)

/* ---- the idempotent mode ---- */

static void try_idempotent(const char *text, cflr_way way, bool symmetric) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, text, (making){CFLR_WEIGHTS_NONE, symmetric, .less = 0});
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.way = way;
    opts.idempotent = true;
    cflr_traversal *exact = must_new(csr, CFLR_BFS, way, 1);
    for (int threads = 1; threads <= 4 && csr->n_vertices; threads += 3) {
        cflr_traversal *t = must_new_of(csr, CFLR_BFS, opts, threads);
        run_and_verify(t, exact, true, text);
        cflr_traversal_free(t);
    }
    cflr_traversal_free(exact);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(traverse, vertices_that_are_found_twice_change_nothing) {
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++)
        for (int way = 0; way < 3; way++)
            for (int both = 0; both < 2; both++) try_idempotent(graphs[g], (cflr_way)way, both);
}

Test(traverse, only_a_search_has_an_idempotent_mode) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "2: 0-1", (making){CFLR_WEIGHTS_INT32, true, 0});
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.idempotent = true;
    for (int p = 0; p < PRIMITIVES; p++) {
        cflr_traversal *t;
        cflr_error error;
        if (p == CFLR_BFS) continue;
        MUST_FAIL(cflr_traversal_new(csr, (cflr_primitive)p, &opts, &t, &error), CFLR_ARGUMENT);
        cr_assert(strstr(error.message, "idempotent") != NULL, "%s", error.message);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- the neighbourhood of some hops ---- */

static void try_hops(const char *text, uint32_t hops, cflr_way way, bool idempotent) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, text, (making){CFLR_WEIGHTS_NONE, true, .less = 0});
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.way = way;
    opts.hops = hops;
    cflr_traversal *one = must_new_of(csr, CFLR_BFS, opts, 1);
    opts.idempotent = idempotent;
    cflr_traversal *many = must_new_of(csr, CFLR_BFS, opts, 4);
    run_and_verify(many, one, true, text);
    cr_assert_leq(many->outcome.iterations, hops);
    cflr_traversal_free(one);
    cflr_traversal_free(many);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(traverse, searches_stop_after_so_many_hops) {
    for (size_t g = 1; g < sizeof graphs / sizeof *graphs; g++)
        for (uint32_t hops = 1; hops < 20; hops *= 3)
            for (int way = 0; way < 3; way++) try_hops(graphs[g], hops, (cflr_way)way, hops == 3);
}

/* ---- split vertices ---- */

static void try_split(cflr_primitive p, const char *text, cflr_weights weights, bool symmetric) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, text, (making){weights, symmetric, .less = 0});
    bool without = csr->n_vertices == 0 && cflr_primitive_asks(p).least_sources;
    cflr_traversal *whole = must_new(csr, p, CFLR_WAY_AUTO, 1);
    for (uint32_t split = 2; split < 12 && !without; split += 3) {
        cflr_traverse_opts opts;
        cflr_traverse_opts_init(&opts);
        opts.split = split;
        cflr_traversal *t = must_new_of(csr, p, opts, split % 2 ? 4 : 1);
        run_and_verify(t, whole, true, text);
        cflr_traversal_free(t);
    }
    cflr_traversal_free(whole);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(traverse, split_vertices_change_nothing) {
    const cflr_primitive splittable[] = {CFLR_SSSP, CFLR_SSWP, CFLR_CC, CFLR_REACH};
    for (size_t i = 0; i < sizeof splittable / sizeof *splittable; i++) {
        bool weights = cflr_primitive_asks(splittable[i]).weights;
        for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
            for (int both = 0; both < 2; both++) {
                try_split(splittable[i], graphs[g],
                          weights ? CFLR_WEIGHTS_INT32 : CFLR_WEIGHTS_NONE, both);
                if (weights) try_split(splittable[i], graphs[g], CFLR_WEIGHTS_FLOAT32, both);
            }
        }
    }
}

Test(traverse, what_counts_edges_refuses_to_split) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "clique:5", (making){CFLR_WEIGHTS_INT32, true, .less = 0});
    cflr_traversal *t;
    cflr_error error;
    for (uint32_t p = 0; cflr_primitive_name((cflr_primitive)p)[0] != 'u'; p++) {
        cflr_traverse_opts opts;
        cflr_traverse_opts_init(&opts);
        opts.split = 2;
        cflr_status st = cflr_traversal_new(csr, (cflr_primitive)p, &opts, &t, &error);
        bool splits = p == CFLR_SSSP || p == CFLR_SSWP || p == CFLR_CC || p == CFLR_REACH;
        cr_assert_eq(st, splits ? CFLR_OK : CFLR_ARGUMENT, "%s", error.message);
        cflr_traversal_free(t);
        opts.split = 1;
        cr_assert_eq(cflr_traversal_new(csr, (cflr_primitive)p, &opts, &t, &error), CFLR_ARGUMENT);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- by hand ---- */

enum { N = 6 };

#define NEVER 4294967295.0       /* UINT32_MAX */
#define LONGER 0.850650808352040 /* of the golden rectangle with diagonal 1 */
#define SHORTER 0.525731112119134
#define TANH_HALF 0.462117157260010

typedef struct by_hand {
    cflr_primitive primitive;
    const char *graph;
    cflr_weights weights;
    bool symmetric;
    uint32_t n_sources, source[MOST_SOURCES];
    const char *column;
    double expected[N];
    uint64_t length; /* of the column */
    const char *value;
    double total;
} by_hand;

/* Two ways from 0 to 3, and 5 that nothing leads to. Its cheapest way to 3 has most edges. */
#define WAYS "6: 0-1:4 0-2:1 1-3:5 2-1:2 2-3:8 3-4:3 5-0:7"
/* A triangle with a tail, and an edge. */
#define TAIL "6: 0-1:3 0-2:1 1-2:2 2-3:6 4-5:5"
/* A chain that ends, and three vertices alone. */
#define ENDS "6: 0-1 1-2"
/* Two hubs for two authorities, and a weaker one. */
#define HUBS "6: 0-2 0-3 1-2 4-5"

#define ENDS_RANKS \
    { 4. / 29, 6. / 29, 7. / 29, 4. / 29, 4. / 29, 4. / 29 }

#define INT CFLR_WEIGHTS_INT32
#define REAL CFLR_WEIGHTS_FLOAT32

static const by_hand hands[] = {
    {CFLR_BFS, WAYS, 0, false, 1, {0}, "level", {0, 1, 1, 2, 3, NEVER}, N, "reached", 5},
    {CFLR_SSSP, WAYS, INT, false, 1, {0}, "distance", {0, 3, 1, 8, 11, NEVER}, N, "reached", 5},
    {CFLR_SSSP,
     WAYS,
     REAL,
     false,
     1,
     {0},
     "distance",
     {0, 1.5, 0.5, 4, 5.5, INFINITY},
     N,
     "reached",
     5},
    {CFLR_SSWP, WAYS, INT, false, 1, {0}, "width", {NEVER, 4, 1, 4, 3, 0}, N, "reached", 5},
    {CFLR_SSWP, WAYS, REAL, false, 1, {0}, "width", {INFINITY, 2, 0.5, 2, 1.5, 0}, N, "reached", 5},
    {CFLR_SSNSP, WAYS, 0, false, 1, {0}, "paths", {1, 1, 1, 2, 2, 0}, N, "reached", 5},
    {CFLR_SSNSP,
     "6: 0-1 0-1 1-2 1-2 1-2 2-2",
     0,
     false,
     1,
     {0},
     "paths",
     {1, 2, 6, 0, 0, 0},
     N,
     "reached",
     3},
    {CFLR_REACH, WAYS, 0, false, 3, {0, 3, 5}, "reached", {5, 5, 5, 7, 7, 4}, N, "reached", 6},
    {CFLR_BC, WAYS, 0, false, 2, {0, 5}, "centrality", {4, 2, 2, 2, 0, 0}, N, NULL, 0},
    {CFLR_CC, TAIL, 0, false, 0, {0}, "component", {0, 0, 0, 0, 4, 4}, N, "components", 2},
    {CFLR_CC,
     "6: 5-0 1-4 4-2",
     0,
     false,
     0,
     {0},
     "component",
     {0, 1, 1, 3, 1, 0},
     N,
     "components",
     3},
    {CFLR_SCC,
     "6: 5-1 1-5 1-2 2-3 3-4 4-2 3-3",
     0,
     false,
     0,
     {0},
     "component",
     {0, 1, 2, 2, 2, 1},
     N,
     "components",
     3},
    {CFLR_PAGERANK, ENDS, 0, false, 0, {0}, "rank", ENDS_RANKS, N, NULL, 0},
    {CFLR_PAGERANK_DELTA, ENDS, 0, false, 0, {0}, "rank", ENDS_RANKS, N, NULL, 0},
    {CFLR_PPR, ENDS, 0, false, 1, {0}, "rank", {4. / 7, 2. / 7, 1. / 7, 0, 0, 0}, N, NULL, 0},
    {CFLR_HITS, HUBS, 0, false, 0, {0}, "hub", {LONGER, SHORTER, 0, 0, 0, 0}, N, NULL, 0},
    {CFLR_HITS, HUBS, 0, false, 0, {0}, "authority", {0, 0, LONGER, SHORTER, 0, 0}, N, NULL, 0},
    {CFLR_SALSA, HUBS, 0, false, 0, {0}, "hub", {4. / 9, 2. / 9, 0, 0, 3. / 9, 0}, N, NULL, 0},
    {CFLR_SALSA,
     HUBS,
     0,
     false,
     0,
     {0},
     "authority",
     {0, 0, 4. / 9, 2. / 9, 0, 3. / 9},
     N,
     NULL,
     0},
    {CFLR_TC, TAIL, 0, true, 0, {0}, NULL, {0}, 0, "triangles", 1},
    {CFLR_TC,
     "6: 0-1 0-2 0-3 1-2 1-3 2-3 1-0 2-2 3-4 4-5",
     0,
     true,
     0,
     {0},
     NULL,
     {0},
     0,
     "triangles",
     4},
    {CFLR_MST, TAIL, INT, true, 0, {0}, "edge", {1, 3, 6, 8}, 4, "weight", 14},
    {CFLR_MST, TAIL, REAL, true, 0, {0}, "edge", {1, 3, 6, 8}, 4, "weight", 7},
    {CFLR_MST, TAIL, REAL, true, 0, {0}, NULL, {0}, 0, "edges", 4},
    {CFLR_MIS, "6: 0-0 1-1", 0, true, 0, {0}, "member", {1, 1, 1, 1, 1, 1}, N, "size", 6},
    {CFLR_COLOUR, "6: 0-0 1-1", 0, true, 0, {0}, "colour", {0}, N, "colours", 1},
    {CFLR_KCORE, TAIL, 0, true, 0, {0}, "core", {2, 2, 2, 1, 1, 1}, N, "degeneracy", 2},
    {CFLR_GCS,
     "6: 0-1:1 1-2:2 2-3:2 1-4:1 5-5:3",
     INT,
     true,
     2,
     {0, 3},
     "voltage",
     {1, 0.5, 0.25, 0, 0.5, 0},
     N,
     NULL,
     0},
    {CFLR_WTF,
     "6: 0-1 0-2 1-2 1-3",
     0,
     false,
     1,
     {0},
     "score",
     {0, 0, 0, 0.0625, 0, 0},
     N,
     "circle",
     4},
    {CFLR_GCS, TAIL, REAL, true, 1, {4}, "voltage", {0, 0, 0, 0, 1, 1}, N, NULL, 0},
    {CFLR_NNDR,
     "6: 0-1:3 0-2:-2 1-3:1 2-3:1 4-3:2 3-3:0 5-0:9",
     INT,
     false,
     1,
     {0},
     "activation",
     {1, TANH_HALF, -TANH_HALF, 0, 0, 0},
     N,
     NULL,
     0},
    {CFLR_KCORE,
     "6: 0-1 0-1 0-1 0-2 3-3 3-3 3-4",
     0,
     true,
     0,
     {0},
     "core",
     {3, 3, 1, 1, 1, 0},
     N,
     "degeneracy",
     3},
};

static double element(const cflr_column *column, uint64_t i) {
    switch (column->type) {
        case CFLR_COLUMN_UINT8:
            return ((const uint8_t *)column->values)[i];
        case CFLR_COLUMN_UINT32:
            return ((const uint32_t *)column->values)[i];
        case CFLR_COLUMN_UINT64:
            return (double)((const uint64_t *)column->values)[i];
        case CFLR_COLUMN_FLOAT32:
            return (double)((const float *)column->values)[i];
        default:
            return ((const double *)column->values)[i];
    }
}

static cflr_column find_column(const cflr_traversal *t, const char *name) {
    cflr_column column = {0};
    for (uint32_t i = 0; !column.name || strcmp(column.name, name) != 0; i++)
        cr_assert(cflr_traversal_column(t, i, &column), "no column %s", name);
    return column;
}

static double find_value(const cflr_traversal *t, const char *name) {
    cflr_value value = {0};
    for (uint32_t i = 0; !value.name || strcmp(value.name, name) != 0; i++)
        cr_assert(cflr_traversal_value(t, i, &value), "no value %s", name);
    return value.real ? value.number : (double)value.count;
}

static void must_be_by_hand(const cflr_traversal *t, const by_hand *h) {
    const char *name = cflr_primitive_name(h->primitive);
    if (h->value) cr_assert_eq(find_value(t, h->value), h->total, "%s: %s", name, h->value);
    if (!h->column) return;
    cflr_column column = find_column(t, h->column);
    cr_assert_eq(column.n, h->length, "%s", name);
    for (uint64_t i = 0; i < column.n; i++) {
        double found = element(&column, i), expected = h->expected[i];
        bool exact = !is_real(&column) || isinf(expected);
        cr_assert(exact ? found == expected : fabs(found - expected) < 1e-6,
                  "%s: %s %" PRIu64 " is %.9g, not %.9g", name, h->column, i, found, expected);
    }
}

Test(traverse, by_hand) {
    cflr_error error;
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        const by_hand *h = &hands[i];
        cflr_context *context = test_context();
        making how = {h->weights, h->symmetric, 0};
        cflr_csr *csr = must_make(context, h->graph, how);
        cflr_traverse_opts opts;
        cflr_traversal *t;
        cflr_traverse_opts_init(&opts);
        opts.damping = 0.5;
        opts.tolerance = 1e-7;
        MUST(cflr_traversal_new(csr, h->primitive, &opts, &t, &error));
        MUST(cflr_traversal_run(t, h->source, h->n_sources, &error));
        must_be_by_hand(t, h);
        must_be_right(t, h->graph);
        cflr_traversal_free(t);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

Test(traverse, hops_by_hand) {
    const uint32_t source = 0, expected[] = {0, 1, 2, UINT32_MAX};
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "4: 0-1 1-2 2-3", (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_traverse_opts opts;
    cflr_traversal *t;
    cflr_error error;
    cflr_traverse_opts_init(&opts);
    opts.hops = 2;
    MUST(cflr_traversal_new(csr, CFLR_BFS, &opts, &t, &error));
    MUST(cflr_traversal_run(t, &source, 1, &error));
    cr_assert_arr_eq(find_column(t, "level").values, expected, sizeof expected);
    cr_assert_eq(find_value(t, "reached"), 3);
    cflr_traversal_free(t);
    MUST_FAIL(cflr_traversal_new(csr, CFLR_SSNSP, &opts, &t, &error), CFLR_ARGUMENT);
    cr_assert(strstr(error.message, "hops") != NULL, "%s", error.message);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* A traversal that does not look at weights does not see what differs in nothing else, unless its
 * caller wants parallel edges. */
Test(traverse, weights_keep_no_edges_apart) {
    static const uint32_t source[] = {0, 0, 0, 1}, target[] = {1, 1, 1, 2};
    static const int32_t weight[] = {1, 2, 2, 1};
    const cflr_edge_list edges = {.n_vertices = 3,
                                  .n_edges = 4,
                                  .source = source,
                                  .target = target,
                                  .weights = CFLR_WEIGHTS_INT32,
                                  .weight = weight};
    for (int keeps = 0; keeps < 2; keeps++) {
        cflr_context *context = test_context();
        cflr_csr_opts opts;
        cflr_csr *csr;
        cflr_error error;
        cflr_csr_opts_init(&opts);
        opts.symmetric = true;
        opts.keep_parallel = keeps;
        MUST(cflr_csr_new(context, &edges, &opts, &csr, &error));
        cflr_traversal *cores = must_new(csr, CFLR_KCORE, CFLR_WAY_AUTO, 1),
                       *paths = must_new(csr, CFLR_SSNSP, CFLR_WAY_AUTO, 1);
        MUST(cflr_traversal_run(cores, NULL, 0, &error));
        MUST(cflr_traversal_run(paths, source, 1, &error));
        cr_assert_eq(find_value(cores, "degeneracy"), keeps ? 3 : 1);
        const cflr_column column = find_column(paths, "paths");
        cr_assert_eq(element(&column, 2), keeps ? 3 : 1);
        must_be_right(cores, "kcore");
        must_be_right(paths, "ssnsp");
        cflr_traversal_free(cores);
        cflr_traversal_free(paths);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

/* Which set and which colours come out is the engine's choice: looked at pair by pair. */
Test(traverse, sets_and_colours_by_hand) {
    static const uint32_t end[][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {4, 5}}; /* of TAIL */
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, TAIL, (making){CFLR_WEIGHTS_NONE, true, 0});
    cflr_traversal *set = must_new(csr, CFLR_MIS, CFLR_WAY_AUTO, 1),
                   *colours = must_new(csr, CFLR_COLOUR, CFLR_WAY_AUTO, 1);
    cflr_error error;
    uint32_t beside[N] = {0}, size = 0;
    MUST(cflr_traversal_run(set, NULL, 0, &error));
    MUST(cflr_traversal_run(colours, NULL, 0, &error));
    const uint8_t *member = find_column(set, "member").values;
    const uint32_t *colour = find_column(colours, "colour").values;
    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        cr_assert_neq(colour[end[i][0]], colour[end[i][1]]);
        beside[end[i][0]] += member[end[i][1]];
        beside[end[i][1]] += member[end[i][0]];
    }
    for (uint32_t v = 0; v < N; v++) {
        cr_assert(member[v] ? beside[v] == 0 : beside[v] > 0);
        cr_assert_lt(colour[v], 4); /* 2 has three neighbours */
        size += member[v];
    }
    cr_assert_eq(find_value(set, "size"), size);
    cr_assert(find_value(colours, "colours") >= 3 && find_value(colours, "colours") <= 4);
    cflr_traversal_free(set);
    cflr_traversal_free(colours);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- distances that do not fit ---- */

typedef struct far_case {
    const char *graph;
    cflr_weights weights;
    double last; /* distance of the last vertex; 0: there is none */
} far_case;

Test(traverse, distances_fit_into_32_bits_or_there_are_none) {
    static const far_case cases[] = {
        {"4: 0-1:2147483647 1-2:2147483647 2-3:0", INT, 4294967294.0},
        {"4: 0-1:2147483647 1-2:2147483647 2-3:1", INT, 0},
        {"4: 0-1:2147483647 1-2:2147483647 2-3:2147483647", INT, 0},
        {"4: 0-1:2147483647 1-2:2147483647 2-3:2147483647 0-3:5", INT, 5},
        {"4: 0-1:6e38 1-2:6e38 2-3:1", REAL, INFINITY},
        {"4: 0-1:6e38 1-2:6e38 2-3:1 0-3:1e38", REAL, (double)5e37f},
    };
    cflr_error error;
    const uint32_t source = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_context *context = test_context();
        cflr_csr *csr = must_make(context, cases[i].graph, (making){cases[i].weights, false, 0});
        cflr_traversal *t = must_new(csr, CFLR_SSSP, CFLR_WAY_AUTO, 1);
        cflr_column column;
        if (cases[i].last == 0) {
            MUST_FAIL(cflr_traversal_run(t, &source, 1, &error), CFLR_LIMIT);
            cr_assert_not(cflr_traversal_column(t, 0, &column));
        } else {
            MUST(cflr_traversal_run(t, &source, 1, &error));
            must_be_right(t, cases[i].graph);
            column = find_column(t, "distance");
            cr_assert_eq(element(&column, 3), cases[i].last, "%s", cases[i].graph);
        }
        cflr_traversal_free(t);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

/* ---- circles of trust ---- */

static void try_circle(const char *text, uint32_t circle, double tolerance) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, text, (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.circle = circle;
    opts.tolerance = tolerance;
    cflr_traversal *one = must_new_of(csr, CFLR_WTF, opts, 1);
    cflr_traversal *many = must_new_of(csr, CFLR_WTF, opts, 4);
    run_and_verify(many, one, true, text);
    cr_assert_leq(find_value(many, "circle"), circle + 1);
    cflr_traversal_free(one);
    cflr_traversal_free(many);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(traverse, circles_may_have_any_size) {
    static const uint32_t sizes[] = {1, 2, 7, 60, 4000};
    for (size_t g = 1; g < sizeof graphs / sizeof *graphs; g++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            try_circle(graphs[g], sizes[i], i % 2 ? 1e-4 : 0);
}

/* 0 leads to 1 .. n, which have equal ranks, and each of these to n + 1: the smaller ones come
 * first. */
Test(traverse, of_equal_ranks_the_smaller_vertices_are_in_the_circle) {
    enum { EQUAL = 300 };
    uint32_t source[2 * EQUAL], target[2 * EQUAL];
    const uint32_t from = 0;
    cflr_context *context = test_context();
    cflr_error error;
    cflr_csr *csr;
    for (uint32_t i = 0; i < EQUAL; i++) {
        source[i] = 0;
        target[i] = source[EQUAL + i] = i + 1;
        target[EQUAL + i] = EQUAL + 1;
    }
    const cflr_edge_list list = {EQUAL + 2, UINT64_C(2) * EQUAL, source,
                                 target,    CFLR_WEIGHTS_NONE,   NULL};
    MUST(cflr_csr_new(context, &list, NULL, &csr, &error));
    for (uint32_t circle = 1; circle <= EQUAL + 2; circle++) {
        cflr_traverse_opts opts;
        cflr_traverse_opts_init(&opts);
        opts.circle = circle;
        cflr_traversal *t = must_new_of(csr, CFLR_WTF, opts, 1);
        MUST(cflr_traversal_run(t, &from, 1, &error));
        must_be_right(t, "equal ranks");
        const uint8_t *in = find_column(t, "circle").values;
        for (uint32_t v = 1; v <= EQUAL; v++) cr_assert_eq(in[v], v < circle, "%u, %u", circle, v);
        cr_assert_eq(in[0] + in[EQUAL + 1], 2);
        cflr_traversal_free(t);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(traverse, only_a_recommendation_has_a_circle) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "2: 0-1", (making){CFLR_WEIGHTS_INT32, true, 0});
    cflr_traverse_opts opts;
    cflr_traverse_opts_init(&opts);
    opts.circle = 3;
    for (int p = 0; p < PRIMITIVES; p++) {
        cflr_traversal *t;
        cflr_error error = {0};
        cflr_status st = cflr_traversal_new(csr, (cflr_primitive)p, &opts, &t, &error);
        cr_assert_eq(st, p == CFLR_WTF ? CFLR_OK : CFLR_ARGUMENT, "%s", error.message);
        cflr_traversal_free(t);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- options ---- */

typedef struct option_case {
    double damping, tolerance;
    uint32_t most_iterations;
    double delta;
} option_case;

/* However far an iteration goes, the check goes as far; and no width of what is near changes a
 * distance. */
Test(traverse, options_are_checked_with_their_run) {
    static const option_case cases[] = {{0, 1e-4, 100, 1},    {0.85, 0, 30, 2},
                                        {0.85, 1e-4, 0, 7},   {0.85, 1e-4, 1, 100},
                                        {0.85, 1e-9, 100, 0}, {0.99, 1e-3, 1000, UINT32_MAX}};
    static const cflr_primitive some[] = {CFLR_PAGERANK, CFLR_PAGERANK_DELTA, CFLR_PPR,  CFLR_HITS,
                                          CFLR_SALSA,    CFLR_SSSP,           CFLR_NNDR, CFLR_WTF};
    cflr_error error;
    for (int i = 0; i < 8 * 6 * 2 * 3; i++) {
        const option_case *x = &cases[i / 8 % 6];
        cflr_context *context = test_context();
        cflr_csr *csr = must_make(context, "rmat:8", (making){i / 48 % 2 ? INT : REAL, false, 0});
        cflr_traverse_opts opts = {.struct_size = sizeof opts,
                                   .way = (cflr_way)(i / 96),
                                   .damping = x->damping,
                                   .tolerance = x->tolerance,
                                   .most_iterations = x->most_iterations,
                                   .delta = x->delta};
        const uint32_t sources[] = {3};
        cflr_traversal *t;
        cflr_primitive p = some[i % 8];
        MUST(cflr_traversal_new(csr, p, &opts, &t, &error));
        MUST(cflr_traversal_run(t, sources, cflr_primitive_asks(p).least_sources, &error));
        must_be_right(t, "rmat:8");
        cflr_traversal_free(t);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

/* A source that is named twice begins twice as many walks, and counts twice. */
Test(traverse, sources_may_be_equal) {
    static const cflr_primitive some[] = {CFLR_PPR, CFLR_BC, CFLR_REACH};
    const uint32_t sources[] = {9, 3, 9, 9};
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "rmat:8", (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_error error;
    for (int i = 0; i < 3; i++) {
        cflr_traversal *t = must_new(csr, some[i], CFLR_WAY_AUTO, 1);
        MUST(cflr_traversal_run(t, sources, 4, &error));
        must_be_right(t, "rmat:8");
        cflr_traversal_free(t);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

/* A star of n vertices whose edges lead to its centre. */
static cflr_csr *star_inwards(cflr_context *context, uint32_t n) {
    cflr_csr *csr;
    cflr_error error;
    uint32_t *source = calloc(n, sizeof *source), *target = calloc(n, sizeof *target);
    for (uint32_t v = 1; v < n; v++) source[v - 1] = v;
    cflr_edge_list list = {n, n - 1, source, target, CFLR_WEIGHTS_NONE, NULL};
    MUST(cflr_csr_new(context, &list, NULL, &csr, &error));
    free(source);
    free(target);
    return csr;
}

/* Walks that begin where no edge leads to, and end in the next step, in one block of vertices and
 * in several. */
Test(traverse, ranks_come_right_where_most_walks_begin_apart) {
    static const cflr_primitive some[] = {CFLR_PAGERANK, CFLR_PAGERANK_DELTA, CFLR_PPR};
    static const uint32_t sizes[] = {2, 40, 1100, 40000};
    cflr_error error;
    for (int i = 0; i < 4 * 3 * 3; i++) {
        cflr_context *context = test_context();
        cflr_csr *csr = star_inwards(context, sizes[i / 9]);
        const uint32_t leaf[] = {sizes[i / 9] - 1};
        cflr_primitive p = some[i % 3];
        cflr_traversal *t = must_new(csr, p, (cflr_way)(i / 3 % 3), 2);
        MUST(cflr_traversal_run(t, leaf, cflr_primitive_asks(p).least_sources, &error));
        must_be_right(t, "a star inwards");
        cr_assert_lt(t->outcome.iterations, 100);
        cflr_traversal_free(t);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

/* ---- checks that fail ---- */

static void must_be_wrong(const cflr_traversal *t, const char *what, const char *says) {
    cflr_traverse_report report;
    cflr_error error;
    MUST(cflr_traversal_verify(t, &report, &error));
    cr_assert_gt(report.wrong, 0, "%s: %s is not noticed", cflr_primitive_name(t->primitive->which),
                 what);
    cr_assert_leq(report.wrong, report.checked);
    cr_assert(strstr(report.first_failure, says) != NULL, "%s: %s",
              cflr_primitive_name(t->primitive->which), report.first_failure);
}

/* Another value, which no check can take for right: for colours a neighbour's, for a forest an edge
 * twice. */
static void change_element(const cflr_traversal *t, const cflr_column *column, uint64_t i) {
    void *values = (void *)column->values;
    if (t->primitive->which == CFLR_COLOUR)
        ((uint32_t *)values)[i] = ((uint32_t *)values)[t->csr->target[t->csr->start[i]]];
    else if (t->primitive->which == CFLR_MST)
        ((uint64_t *)values)[i] = ((uint64_t *)values)[i ? i - 1 : 1];
    else if (column->type == CFLR_COLUMN_UINT8)
        ((uint8_t *)values)[i] ^= 1;
    else if (column->type == CFLR_COLUMN_UINT32)
        ((uint32_t *)values)[i]++;
    else if (column->type == CFLR_COLUMN_UINT64)
        ((uint64_t *)values)[i] ^= 1;
    else if (column->type == CFLR_COLUMN_FLOAT32)
        ((float *)values)[i] += 0.01F;
    else
        ((double *)values)[i] += 0.01;
}

static void tamper_with_column(cflr_traversal *t, const cflr_column *column) {
    const uint64_t at[] = {0, column->n / 2, column->n - 1};
    uint64_t bytes = column_bytes(column);
    void *kept = malloc(bytes), *values = (void *)column->values;
    memcpy(kept, values, bytes);
    for (int i = 0; i < 3; i++) {
        change_element(t, column, at[i]);
        must_be_wrong(t, column->name, column->name);
        memcpy(values, kept, bytes);
        must_be_right(t, column->name);
    }
    free(kept);
}

static void tamper_with_values(cflr_traversal *t) {
    const cflri_outcome kept = t->outcome;
    cflr_value value;
    for (uint32_t i = 0; cflr_traversal_value(t, i, &value); i++) {
        if (value.real)
            t->outcome.number += 1;
        else
            t->outcome.count -= 1; /* a column may be as long as that */
        must_be_wrong(t, value.name, "is");
        t->outcome = kept;
    }
}

/* In a small world every vertex has an edge, and all are one component. */
Test(traverse, every_check_can_fail) {
    cflr_error error;
    for (int p = 0; p < PRIMITIVES; p++) {
        cflr_primitive primitive = (cflr_primitive)p;
        cflr_context *context = test_context();
        making how = {cflr_primitive_asks(primitive).weights ? INT : CFLR_WEIGHTS_NONE, true, 0};
        cflr_csr *csr = must_make(context, "world:200:4:100", how);
        cflr_traversal *t = must_new(csr, primitive, CFLR_WAY_AUTO, 1);
        uint32_t source[MOST_SOURCES];
        uint32_t n_sources = choose_sources(primitive, csr->n_vertices, source);
        cflr_column column;
        MUST(cflr_traversal_run(t, source, n_sources, &error));
        for (uint32_t i = 0; cflr_traversal_column(t, i, &column); i++)
            tamper_with_column(t, &column);
        tamper_with_values(t);
        cflr_traversal_free(t);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

typedef struct forest_case {
    uint64_t edge[4];
    const char *says;
} forest_case;

Test(traverse, wrong_forests_are_told_from_right_ones) {
    static const forest_case cases[] = {
        {{1, 3, 6, 99}, "edge 3 of the forest is 99, which is no edge of the graph"},
        {{3, 1, 6, 8}, "edge 1 of the forest is 1, which is not greater than the one before it"},
        {{1, 3, 7, 8}, "edge 2 of the forest is 7, which is not the way from its smaller end"},
        {{0, 1, 3, 8}, "edge 2 of the forest is 3, which is closing a cycle"},
        {{0, 3, 6, 8}, "weight 0 of the forest, in order, is 2, should be 1"},
    };
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, TAIL, (making){INT, true, 0});
    cflr_traversal *t = must_new(csr, CFLR_MST, CFLR_WAY_AUTO, 1);
    cflr_error error;
    MUST(cflr_traversal_run(t, NULL, 0, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy((void *)find_column(t, "edge").values, cases[i].edge, sizeof cases[i].edge);
        must_be_wrong(t, "a forest", cases[i].says);
    }
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* A run that ends too early or too late is found out, though its ranks are those of so many
 * steps. */
Test(traverse, the_end_of_an_iteration_is_checked) {
    static const cflr_primitive some[] = {CFLR_PAGERANK, CFLR_PPR, CFLR_HITS, CFLR_SALSA};
    const uint32_t sources[] = {92};
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "rmat:8", (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_traverse_opts opts;
    cflr_error error;
    cflr_traverse_opts_init(&opts);
    opts.tolerance = 0.1;
    for (int i = 0; i < 4; i++) {
        cflr_traversal *t;
        MUST(cflr_traversal_new(csr, some[i], &opts, &t, &error));
        MUST(cflr_traversal_run(t, sources, cflr_primitive_asks(some[i]).least_sources, &error));
        must_be_right(t, "rmat:8");
        bool exact = some[i] == CFLR_HITS || some[i] == CFLR_SALSA;
        t->opts.tolerance = 1e-3;
        must_be_wrong(t, "an early end", exact ? "too few for the tolerance" : "is");
        t->opts.tolerance = 20;
        if (exact) must_be_wrong(t, "a late end", "too many for the tolerance");
        cflr_traversal_free(t);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

/* The same of those that end when no value changes much. */
Test(traverse, the_end_of_signals_is_checked) {
    static const cflr_primitive some[] = {CFLR_GCS, CFLR_NNDR};
    const uint32_t sources[] = {92, 212};
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "rmat:8", (making){INT, true, 0});
    cflr_traverse_opts opts;
    cflr_error error;
    cflr_traverse_opts_init(&opts);
    opts.tolerance = 0.02;
    for (int i = 0; i < 2; i++) {
        cflr_traversal *t;
        MUST(cflr_traversal_new(csr, some[i], &opts, &t, &error));
        MUST(cflr_traversal_run(t, sources, 2, &error));
        must_be_right(t, "rmat:8");
        cr_assert_lt(t->outcome.iterations, 100);
        t->opts.tolerance = 1e-3;
        must_be_wrong(t, "an early end", "too few for the tolerance");
        t->opts.tolerance = 2;
        must_be_wrong(t, "a late end", "too many for the tolerance");
        cflr_traversal_free(t);
    }
    cflr_csr_free(csr);
    test_context_end(context);
}

/* A source that is named again stays what it was. */
Test(traverse, conductances_may_be_small_and_large) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "6: 0-1:1e-44 1-2:3e37 2-3:1e-30 3-4:1 4-5:1e9",
                              (making){REAL, true, 0});
    const uint32_t sources[] = {0, 5, 0};
    cflr_traverse_opts opts;
    cflr_error error;
    cflr_traverse_opts_init(&opts);
    opts.tolerance = 0;
    cflr_traversal *t = must_new_of(csr, CFLR_GCS, opts, 1);
    MUST(cflr_traversal_run(t, sources, 3, &error));
    must_be_right(t, "a circuit");
    const cflr_column voltage = find_column(t, "voltage");
    cr_assert_eq(element(&voltage, 0), 1);
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    csr = must_make(context, "3: 0-1:6e38 1-2:6e38", (making){REAL, true, 0});
    MUST_FAIL(cflr_traversal_new(csr, CFLR_GCS, NULL, &t, &error), CFLR_UNSUPPORTED);
    cr_assert(strstr(error.message, "more than a float32 holds") != NULL, "%s", error.message);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- what is refused ---- */

typedef struct refusal {
    cflr_primitive primitive;
    const char *graph;
    cflr_weights weights;
    bool symmetric;
    uint32_t n_sources, source[MOST_SOURCES];
    const char *says;
} refusal;

static const refusal refusals[] = {
    {CFLR_SSSP,
     "2: 0-1:-1",
     INT,
     false,
     1,
     {0},
     "sssp: the edge from 0 to 1 has a negative weight"},
    {CFLR_SSWP,
     "2: 1-0:-1",
     REAL,
     false,
     1,
     {0},
     "sswp: the edge from 1 to 0 has a negative weight"},
    {CFLR_SSSP, "2: 0-1", 0, false, 1, {0}, "sssp needs weights"},
    {CFLR_SSWP, "2: 0-1", 0, false, 1, {0}, "sswp needs weights"},
    {CFLR_MST, "2: 0-1", 0, true, 0, {0}, "mst needs weights"},
    {CFLR_MST, "2: 0-1", INT, false, 0, {0}, "mst needs a graph"},
    {CFLR_TC, "2: 0-1", 0, false, 0, {0}, "tc needs a graph"},
    {CFLR_MIS, "2: 0-1", 0, false, 0, {0}, "mis needs a graph"},
    {CFLR_COLOUR, "2: 0-1", 0, false, 0, {0}, "colour needs a graph"},
    {CFLR_KCORE, "2: 0-1", 0, false, 0, {0}, "kcore needs a graph"},
    {CFLR_GCS, "2: 0-1", INT, false, 1, {0}, "gcs needs a graph"},
    {CFLR_GCS, "2: 0-1", 0, true, 1, {0}, "gcs needs weights"},
    {CFLR_GCS, "2: 0-1:-1", INT, true, 1, {0}, "negative weight"},
    {CFLR_NNDR, "2: 0-1", 0, false, 1, {0}, "nndr needs weights"},
    {CFLR_BFS, "2: 0-1", 0, false, 1, {2}, "bfs: source 2, but the graph has 2 vertices"},
    {CFLR_REACH, "2: 0-1", 0, false, 3, {0, 1, 4294967295}, "reach: source 4294967295"},
    {CFLR_BFS, "2: 0-1", 0, false, 2, {0, 1}, "bfs takes 1 to 1 sources, not 2"},
    {CFLR_BFS, "2: 0-1", 0, false, 0, {0}, "bfs takes 1 to 1 sources, not 0"},
    {CFLR_SSSP, "0:", INT, false, 0, {0}, "sssp takes 1 to 1 sources, not 0"},
    {CFLR_SSNSP, "2: 0-1", 0, false, 0, {0}, "ssnsp takes 1 to 1 sources, not 0"},
    {CFLR_PPR, "2: 0-1", 0, false, 0, {0}, "ppr takes 1 to"},
    {CFLR_BC, "2: 0-1", 0, false, 0, {0}, "bc takes 1 to"},
    {CFLR_PAGERANK, "2: 0-1", 0, false, 1, {0}, "pagerank takes 0 to 0 sources, not 1"},
    {CFLR_CC, "2: 0-1", 0, false, 1, {0}, "cc takes 0 to 0 sources, not 1"},
};

/* By making the traversal, or else by running it: then there is nothing to look at, or to
 * verify. */
Test(traverse, what_a_primitive_does_not_take_is_refused) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *r = &refusals[i];
        cflr_context *context = test_context();
        cflr_csr *csr = must_make(context, r->graph, (making){r->weights, r->symmetric, 0});
        cflr_error error = {0};
        cflr_traversal *t;
        cflr_column column;
        cflr_value value;
        cflr_traverse_report report;
        cflr_status st = cflr_traversal_new(csr, r->primitive, NULL, &t, &error);
        cr_assert_eq(t != NULL, st == CFLR_OK);
        if (st == CFLR_OK) st = cflr_traversal_run(t, r->source, r->n_sources, &error);
        cr_assert_eq(st, CFLR_ARGUMENT, "%s", r->says);
        cr_assert_eq(error.code, CFLR_ARGUMENT);
        cr_assert(strstr(error.message, r->says) != NULL, "%s", error.message);
        if (t) {
            cr_assert_not(cflr_traversal_column(t, 0, &column));
            cr_assert_not(cflr_traversal_value(t, 0, &value));
            MUST_FAIL(cflr_traversal_verify(t, &report, &error), CFLR_ARGUMENT);
        }
        cflr_traversal_free(t);
        cflr_csr_free(csr);
        test_context_end(context);
    }
}

/* Of 64 sources each has a bit, a 65th would have none. */
Test(traverse, no_more_sources_than_bits) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "rmat:8", (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_traversal *t = must_new(csr, CFLR_REACH, CFLR_WAY_AUTO, 2);
    uint32_t sources[65];
    cflr_error error;
    for (uint32_t i = 0; i < 65; i++) sources[i] = i * 3;
    MUST(cflr_traversal_run(t, sources, 64, &error));
    must_be_right(t, "rmat:8");
    MUST_FAIL(cflr_traversal_run(t, sources, 65, &error), CFLR_ARGUMENT);
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(traverse, wrong_options_are_refused) {
    static const option_case cases[] = {
        {1, 1, 1, 1}, {-0.1, 1, 1, 1}, {NAN, 1, 1, 1}, {0.5, -1, 1, 1}, {0.5, NAN, 1, 1}};
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "2: 0-1", (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_traverse_opts opts;
    cflr_traversal *t;
    cflr_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_traverse_opts_init(&opts);
        opts.damping = cases[i].damping;
        opts.tolerance = cases[i].tolerance;
        MUST_FAIL(cflr_traversal_new(csr, CFLR_PAGERANK, &opts, &t, &error), CFLR_ARGUMENT);
        cr_assert_null(t);
    }
    opts = (cflr_traverse_opts){0};
    MUST_FAIL(cflr_traversal_new(csr, CFLR_PAGERANK, &opts, &t, &error), CFLR_ARGUMENT);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- ends before the end ---- */

/* A hundred steps of PageRank are enough work to look up now and then. */
Test(traverse, cancelled_runs_and_checks_stop) {
    cflr_context *context = test_context();
    cflr_csr *csr = must_make(context, "rmat:12", (making){CFLR_WEIGHTS_NONE, false, 0});
    cflr_traverse_opts opts;
    cflr_traversal *t;
    cflr_traverse_report report;
    cflr_column column;
    cflr_error error;
    cflr_traverse_opts_init(&opts);
    opts.tolerance = 0;
    MUST(cflr_traversal_new(csr, CFLR_PAGERANK, &opts, &t, &error));
    MUST_FAIL(cflr_traversal_verify(t, &report, &error), CFLR_ARGUMENT);
    MUST(cflr_traversal_run(t, NULL, 0, &error));
    must_be_right(t, "rmat:12");
    cflr_context_cancel(context);
    MUST_FAIL(cflr_traversal_verify(t, &report, &error), CFLR_CANCELLED);
    MUST_FAIL(cflr_traversal_run(t, NULL, 0, &error), CFLR_CANCELLED);
    cr_assert_not(cflr_traversal_column(t, 0, &column));
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- no memory ---- */

typedef struct sweep {
    cflr_primitive primitive;
    drawing drawing;
} sweep;

static cflr_status run_once(cflr_context *context, void *user, cflr_error *error) {
    const sweep *s = user;
    cflr_primitive_needs needs = cflr_primitive_asks(s->primitive);
    const uint32_t sources[] = {0};
    making how = {needs.weights ? INT : CFLR_WEIGHTS_NONE, needs.symmetric, 0};
    cflr_traverse_report report;
    cflr_traversal *t = NULL;
    cflr_csr *csr;
    cflr_status st = make(context, &s->drawing, how, &csr, error);
    if (st == CFLR_OK) st = cflr_traversal_new(csr, s->primitive, NULL, &t, error);
    if (st == CFLR_OK) st = cflr_traversal_run(t, sources, needs.least_sources, error);
    if (st == CFLR_OK) st = cflr_traversal_verify(t, &report, error);
    if (st == CFLR_OK) cr_assert_eq(report.wrong, 0, "%s", report.first_failure);
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    return st;
}

Test(traverse, every_allocation_may_fail) {
    sweep s = {.drawing = draw("rmat:5:4")};
    for (int p = 0; p < PRIMITIVES; p++) {
        s.primitive = (cflr_primitive)p;
        cr_expect_gt(fail_alloc_sweep(run_once, &s), 12);
    }
    drawing_end(&s.drawing);
}
