/* SPDX-License-Identifier: Apache-2.0
 *
 * test_demand.c: answers to questions are what the closure holds of the pairs asked for, and no
 * more; on random grammars and graphs (random_pairs.h), for every symbol, in every form of
 * question. And they do not cost what the closure costs.
 */
#include <limits.h>
#include "grammar/equations/algebra.h"
#include "random_pairs.h"

enum { PAIRS = 1200, MOST_ASKED = 6 };

/* A question as a test sees it. */
typedef struct asked {
    uint32_t from[MOST_ASKED], to[MOST_ASKED];
    cflr_pair pair[MOST_ASKED];
    size_t n_from, n_to, n_pairs;
    bool by_from, by_to, by_pairs;
} asked;

static bool is_in(const uint32_t *ids, size_t n, uint32_t id) {
    for (size_t i = 0; i < n; i++) {
        if (ids[i] == id) return true;
    }
    return false;
}

static bool asks(const asked *q, uint32_t source, uint32_t target) {
    for (size_t i = 0; q->by_pairs && i < q->n_pairs; i++) {
        if (q->pair[i].source == source && q->pair[i].target == target) return true;
    }
    if (q->by_pairs) return false;
    return (!q->by_from || is_in(q->from, q->n_from, source)) &&
           (!q->by_to || is_in(q->to, q->n_to, target));
}

/* Vertices may come twice, and lists may be empty. */
static asked random_question(dice *d, uint32_t n_vertices) {
    asked q = {0};
    uint32_t form = roll(d, 4);
    q.by_from = form == 0 || form == 2;
    q.by_to = form == 1 || form == 2;
    q.by_pairs = form == 3;
    q.n_from = q.by_from ? roll(d, 4) + (roll(d, 8) != 0) : 0;
    q.n_to = q.by_to ? roll(d, 4) + (roll(d, 8) != 0) : 0;
    q.n_pairs = q.by_pairs ? roll(d, MOST_ASKED + 1) : 0;
    uint32_t hub = roll(d, n_vertices);
    for (size_t i = 0; i < q.n_from; i++) q.from[i] = roll(d, n_vertices);
    for (size_t i = 0; i < q.n_to; i++) q.to[i] = roll(d, n_vertices);
    for (size_t i = 0; i < q.n_pairs; i++) {
        q.pair[i] = (cflr_pair){roll(d, n_vertices), roll(d, 2) ? hub : roll(d, n_vertices)};
    }
    return q;
}

static cflr_status ask(world *w, const asked *q, const char *symbol, cflr_model model,
                       cflr_error *error) {
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    opts.only = symbol ? &symbol : NULL;
    opts.n_only = symbol ? 1 : 0;
    opts.from = q->by_from ? q->from : NULL;
    opts.n_from = q->n_from;
    opts.to = q->by_to ? q->to : NULL;
    opts.n_to = q->n_to;
    opts.pairs = q->by_pairs ? q->pair : NULL;
    opts.n_pairs = q->n_pairs;
    return cflr_solve(w->graph, w->grammar, &opts, &w->result, error);
}

/* The instance of a label with that index, or UINT32_MAX. */
static uint32_t instance_of(const cflr_result *result, uint32_t label, const char *index) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        if (strcmp(cflr_result_label_index(result, label, i), index) == 0) return i;
    }
    return UINT32_MAX;
}

/* The one symbol of `answer` has what the closure has of it, where it is asked for. */
static void must_answer(const cflr_result *closure, uint32_t label, const cflr_result *answer,
                        const asked *q, const char *what) {
    cflr_result_label info, all;
    uint64_t expected = 0, found = 0;
    cflr_row row = {0}, had = {0};
    cflr_error error;
    cflr_result_get_label(closure, label, &all);
    if (!cflr_result_labels(answer)) { /* of a symbol that cannot have pairs */
        cr_assert_eq(all.pairs, 0, "%s", what);
        return;
    }
    cr_assert_eq(cflr_result_labels(answer), 1, "%s", what);
    cflr_result_get_label(answer, 0, &info);
    cr_assert_str_eq(info.name, all.name);
    for (uint32_t i = 0; i < all.indexes; i++) {
        uint32_t other = instance_of(answer, 0, cflr_result_label_index(closure, label, i));
        uint64_t cursor = 0;
        do {
            MUST(cflr_result_next_row(closure, label, i, &cursor, &row, &error));
            if (other != UINT32_MAX)
                MUST(cflr_result_row(answer, 0, other, row.vertex, &had, &error));
            for (uint64_t k = 0; k < row.count; k++) {
                uint32_t target = row.target[k];
                cr_assert_eq(cflr_result_covers(answer, row.vertex, target),
                             asks(q, row.vertex, target));
                if (!asks(q, row.vertex, target)) continue;
                expected++;
                found += other != UINT32_MAX && is_in(had.target, had.count, target);
            }
        } while (row.count);
    }
    cflr_row_free(&row);
    cflr_row_free(&had);
    cr_assert(found == expected && info.pairs == expected,
              "%s: %s: %" PRIu64 " pairs of %" PRIu64 ", %" PRIu64 " in all", what, info.name,
              found, expected, info.pairs);
}

/* Three questions about each symbol. */
static void try_questions(world *w, const cflr_result *closure, dice *d, uint64_t seed) {
    static const cflr_model others[] = {CFLR_MODEL_AUTO, CFLR_MODEL_BATCH, CFLR_MODEL_NAIVE};
    for (uint32_t l = 0; l < cflr_result_labels(closure); l++) {
        cflr_result_label info;
        cflr_verify_report report;
        cflr_error error;
        cflr_result_get_label(closure, l, &info);
        if (!cflr_grammar_has_symbol(w->grammar, info.name)) continue;
        for (int i = 0; i < 3; i++) {
            asked q = random_question(d, cflr_graph_vertices(w->graph));
            char what[96];
            snprintf(what, sizeof what, "seed %" PRIu64 ", question %d", seed, i);
            cflr_model model = i ? CFLR_MODEL_DEMAND : others[roll(d, 3)];
            w->context->techniques = roll(d, 4) ? UINT_MAX : roll(d, 256);
            cflr_status st = ask(w, &q, info.name, model, &error);
            cr_assert_eq(st, CFLR_OK, "%s: %s", what, error.message);
            must_answer(closure, l, w->result, &q, what);
            if (i == 2) {
                MUST(cflr_verify(w->graph, w->grammar, w->result, roll(d, 2), &report, &error));
                cr_assert(report.by_reference && !report.missing && !report.underivable, "%s: %s",
                          what, report.first_failure);
            }
            world_forget_result(w);
        }
    }
}

static void try_pairs(uint64_t from, uint64_t to) {
    for (uint64_t seed = from; seed < to; seed++) {
        dice d = {seed + 77};
        world w;
        random_world(&w, seed);
        cflr_result *closure = world_closure(&w, CFLR_MODEL_NAIVE);
        try_questions(&w, closure, &d, seed);
        cflr_result_free(closure);
        world_end(&w);
    }
}

Test(demand, random_pairs_first_third) {
    try_pairs(0, PAIRS / 3);
}

Test(demand, random_pairs_second_third) {
    try_pairs(PAIRS / 3, PAIRS * 2 / 3);
}

Test(demand, random_pairs_last_third) {
    try_pairs(PAIRS * 2 / 3, PAIRS);
}

/* ---- what it costs ---- */

static uint64_t steps_of(const cflr_result *result) {
    cflr_result_stats stats;
    cflr_result_get_stats(result, &stats);
    return stats.derivations;
}

static cflr_model model_of(const cflr_result *result) {
    cflr_result_stats stats;
    cflr_result_get_stats(result, &stats);
    return stats.model;
}

/* For questions of more than an `asked` holds. */
static void ask_pairs(world *w, const cflr_pair *pairs, size_t n, cflr_model model) {
    cflr_error error;
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    opts.pairs = pairs;
    opts.n_pairs = n;
    MUST(cflr_solve(w->graph, w->grammar, &opts, &w->result, &error));
}

/* Tens of thousands of labels cost what the few at the vertices that are met cost: those that open,
 * those that close, and calls that open. */
Test(demand, very_many_labels) {
    enum { INDEXES = 20000 };
    cflr_error error;
    cflr_graph_builder *builder;
    world w;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    for (uint32_t i = 0; i < INDEXES; i++) {
        test_indexed_edge(builder, "call", i, 2 * i, 2 * i + 1);
        test_indexed_edge(builder, "ret", i, 2 * i + 1, 2 * i + 2);
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    /* C is called in two places, so it is not put where it is read */
    world_grammar(&w, "A ::= A A | C[i] ret[i] | eps\nC[i] ::= call[i] A\nD ::= C[i]\n");
    asked q = {.from = {2 * INDEXES - 20}, .n_from = 1, .by_from = true};
    MUST(ask(&w, &q, "A", CFLR_MODEL_DEMAND, &error));
    cr_assert_eq(pairs_of(w.result, "A"), 11);
    cr_assert_lt(steps_of(w.result), 1000, "%" PRIu64 " steps", steps_of(w.result));
    world_forget_result(&w);
    q = (asked){.to = {20}, .n_to = 1, .by_to = true};
    MUST(ask(&w, &q, "A", CFLR_MODEL_DEMAND, &error));
    cr_assert_eq(pairs_of(w.result, "A"), 11);
    cr_assert_lt(steps_of(w.result), 1000, "%" PRIu64 " steps", steps_of(w.result));
    world_end(&w);
}

/* A closure is walked once along its steps, not once a pair; a pair that is found ends the
 * search. */
Test(demand, walks_closures_once) {
    enum { LENGTH = 100000 };
    cflr_error error;
    world w;
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    asked q = {.from = {0}, .n_from = 1, .by_from = true};
    MUST(ask(&w, &q, NULL, CFLR_MODEL_AUTO, &error));
    cr_assert_eq(pairs_of(w.result, "P"), LENGTH - 1);
    cr_assert_lt(steps_of(w.result), 6 * LENGTH);
    world_forget_result(&w);
    q = (asked){.pair = {{10, 40}}, .n_pairs = 1, .by_pairs = true};
    MUST(ask(&w, &q, NULL, CFLR_MODEL_AUTO, &error));
    cr_assert_eq(pairs_of(w.result, "P"), 1);
    cr_assert_lt(steps_of(w.result), 1000);
    world_end(&w);
}

/* Pairs with few targets are asked from the targets. */
Test(demand, starts_where_fewer_are) {
    enum { LENGTH = 3000 };
    static cflr_pair pairs[LENGTH];
    world w;
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    for (uint32_t v = 0; v < LENGTH; v++) pairs[v] = (cflr_pair){v, LENGTH - 1};
    ask_pairs(&w, pairs, LENGTH, CFLR_MODEL_DEMAND);
    cr_assert_eq(pairs_of(w.result, "P"), LENGTH - 1);
    cr_assert_lt(steps_of(w.result), 6 * LENGTH);
    world_end(&w);
}

/* All from everywhere is the closure: AUTO notices, and gives the same answers. */
Test(demand, gives_up_for_the_closure) {
    enum { LENGTH = 2400 };
    static uint32_t every[LENGTH];
    cflr_error error;
    cflr_solve_opts opts;
    world w;
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    for (uint32_t v = 0; v < LENGTH; v++) every[v] = v;
    cflr_solve_opts_init(&opts);
    opts.from = every;
    opts.n_from = LENGTH;
    MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
    cr_assert_eq(model_of(w.result), CFLR_MODEL_BATCH);
    cflr_result *closure = w.result;
    opts.model = CFLR_MODEL_DEMAND;
    MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
    cr_assert_eq(model_of(w.result), CFLR_MODEL_DEMAND);
    must_be_equal(closure, w.result, "given up");
    cr_assert_eq(pairs_of(closure, "P"), (uint64_t)LENGTH * (LENGTH - 1) / 2);
    cflr_result_free(closure);
    world_end(&w);
}

/* So many pairs that the closure is cheaper at sight; the same answers. */
Test(demand, asks_the_closure_about_thousands) {
    enum { LENGTH = 2400, ASKED = 12000 };
    static cflr_pair pairs[ASKED];
    uint64_t random = 9;
    world w;
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    for (uint32_t p = 0; p < ASKED; p++) {
        uint32_t source = test_random_below(&random, LENGTH);
        pairs[p] = (cflr_pair){source, test_random_below(&random, LENGTH)};
    }
    ask_pairs(&w, pairs, ASKED, CFLR_MODEL_AUTO);
    cr_assert_eq(model_of(w.result), CFLR_MODEL_BATCH);
    for (uint32_t p = 0; p < ASKED; p++) {
        bool ahead = pairs[p].source < pairs[p].target;
        cr_assert_eq(cflr_result_has(w.result, 0, pairs[p].source, pairs[p].target), ahead);
    }
    world_end(&w);
}

/* ---- ends ---- */

/* What is known when it is stopped is kept, and every pair of it is right. */
static void must_be_part(const world *w, cflr_status st, cflr_status wanted, uint32_t length) {
    cflr_row row = {0};
    cflr_error error;
    cr_assert_eq(st, wanted);
    cr_assert_not_null(w->result);
    cr_assert_not(cflr_result_complete(w->result));
    cr_assert_lt(pairs_of(w->result, "P"), length - 1);
    if (!pairs_of(w->result, "P")) return;
    MUST(cflr_result_row(w->result, 0, 0, 0, &row, &error));
    for (uint64_t i = 0; i < row.count; i++) cr_assert_gt(row.target[i], 0);
    cflr_row_free(&row);
    cr_assert(cflr_result_covers(w->result, 0, 7) && !cflr_result_covers(w->result, 1, 7));
}

static bool stop(void *user, const cflr_progress *progress) {
    (void)user;
    return strcmp(progress->phase, "solve") != 0;
}

/* Time is over once solving has begun. */
static bool run_out(void *user, const cflr_progress *progress) {
    cflr_context *context = user;
    if (strcmp(progress->phase, "solve") == 0) context->out_of_time = true;
    return true;
}

Test(demand, stops_with_what_it_has) {
    enum { LENGTH = 400000 };
    asked q = {.from = {0}, .n_from = 1, .by_from = true};
    cflr_error error;
    world w;
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    w.context->opts.user = w.context;
    w.context->opts.progress = run_out;
    must_be_part(&w, ask(&w, &q, NULL, CFLR_MODEL_AUTO, &error), CFLR_LIMIT, LENGTH);
    world_forget_result(&w);
    w.context->out_of_time = false;
    w.context->next_report = 0;
    w.context->opts.progress = stop;
    must_be_part(&w, ask(&w, &q, NULL, CFLR_MODEL_DEMAND, &error), CFLR_CANCELLED, LENGTH);
    world_end(&w);
}

/* From no room at all to enough of it. */
Test(demand, memory_limits_end_cleanly) {
    enum { LENGTH = 20000 };
    asked q = {.from = {0}, .n_from = 1, .by_from = true};
    bool some = false, whole = false;
    for (uint64_t room = 0; room < 8 << 20 && !whole; room += room < 20000 ? 777 : 33333) {
        cflr_error error = {0};
        world w;
        world_begin(&w, 1);
        world_chain(&w, LENGTH);
        w.context->memory_limit = cflr_context_memory(w.context) + room;
        cflr_status st = ask(&w, &q, NULL, CFLR_MODEL_DEMAND, &error);
        /* NO_MEMORY: there was no room for an empty result either (docs/explanation/results.md) */
        bool nothing = st == CFLR_NO_MEMORY && !w.result && room < 20000;
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT || nothing, "%s", error.message);
        if (st != CFLR_OK && w.result) must_be_part(&w, st, CFLR_LIMIT, LENGTH);
        some |= st != CFLR_OK && w.result && pairs_of(w.result, "P") > LENGTH / 4;
        whole = st == CFLR_OK;
        if (whole) cr_assert_eq(pairs_of(w.result, "P"), LENGTH - 1);
        world_end(&w);
    }
    cr_assert(some && whole);
}

/* ---- results ---- */

Test(demand, results_know_what_was_asked) {
    static const uint32_t from[] = {1, 3};
    cflr_vertex_list list;
    cflr_result *loaded;
    cflr_error error;
    char path[512];
    test_dir dir = test_dir_begin();
    world w;
    world_begin(&w, 1);
    world_chain(&w, 9);
    asked forms[] = {
        {.from = {1, 3}, .n_from = 2, .by_from = true},
        {.to = {5}, .n_to = 1, .by_to = true},
        {.from = {1, 3}, .n_from = 2, .to = {5, 0, 5}, .n_to = 3, .by_from = true, .by_to = true},
        {.pair = {{1, 5}, {3, 5}, {5, 3}}, .n_pairs = 3, .by_pairs = true},
        {.by_pairs = true}};
    test_path(&dir, "asked.cflr", path);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        const asked *q = &forms[f];
        MUST(ask(&w, q, NULL, CFLR_MODEL_AUTO, &error));
        MUST(cflr_result_save(w.result, path, &error));
        MUST(cflr_result_load(w.context, path, &loaded, &error));
        must_be_equal(w.result, loaded, "loaded");
        for (uint32_t s = 0; s < 9; s++) {
            for (uint32_t t = 0; t < 9; t++) {
                cr_assert_eq(cflr_result_covers(loaded, s, t), asks(q, s, t));
                cr_assert_eq(cflr_result_has(loaded, 0, s, t), asks(q, s, t) && s < t);
            }
        }
        cr_assert_eq(cflr_result_covers(loaded, 3, CFLR_NO_VERTEX), f == 0);
        cr_assert_eq(cflr_result_covers(loaded, CFLR_NO_VERTEX, 5), f == 1);
        cr_assert_not(cflr_result_covers(loaded, CFLR_NO_VERTEX, CFLR_NO_VERTEX));
        if (f == 0) {
            MUST(cflr_result_targets(loaded, 0, from, 2, &list, &error));
            cr_assert_eq(list.count, 7);
            cflr_vertex_list_free(w.context, &list);
        } else {
            MUST_FAIL(cflr_result_targets(loaded, 0, from, 2, &list, &error), CFLR_ARGUMENT);
        }
        cflr_result_free(loaded);
        world_forget_result(&w);
    }
    world_solve(&w, CFLR_MODEL_AUTO);
    cr_assert(cflr_result_covers(w.result, CFLR_NO_VERTEX, CFLR_NO_VERTEX));
    world_end(&w);
    test_dir_end(&dir);
}

/* ---- options ---- */

Test(demand, wrong_questions_are_refused) {
    cflr_error error;
    world w;
    world_begin(&w, 1);
    world_chain(&w, 4);
    asked wrong[] = {{.from = {4}, .n_from = 1, .by_from = true},
                     {.to = {0, UINT32_MAX}, .n_to = 2, .by_to = true},
                     {.pair = {{0, 1}, {1, 4}}, .n_pairs = 2, .by_pairs = true},
                     {.from = {0}, .n_from = 1, .by_from = true, .by_pairs = true}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MUST_FAIL(ask(&w, &wrong[i], NULL, CFLR_MODEL_AUTO, &error), CFLR_ARGUMENT);
        cr_assert_null(w.result);
    }
    MUST_FAIL(world_try(&w, CFLR_MODEL_DEMAND, &error), CFLR_UNAVAILABLE);
    asked none = {.by_from = true};
    MUST(ask(&w, &none, NULL, CFLR_MODEL_DEMAND, &error));
    cr_assert_eq(pairs_of(w.result, "P"), 0);
    world_end(&w);
}
