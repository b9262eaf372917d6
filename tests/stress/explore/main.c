/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: the parts of the batch solver that threads share without a lock, under every schedule
 * within a bound (explore.h).
 *
 *     mailbox     the matrix of boxes: partitions put, meet at a barrier, and take
 *     waits       two threads bring sets to a node; a third one owns the node and takes them
 *     loop        a stratum that loops, by two threads: flows, and hubs that other threads find
 *                 before they are filled
 *     product     a stratum that is evaluated once: nodes that another thread has found,
 *     products    components on hold, and cycles through nodes of several threads; by two threads
 *                 and by three
 *     hubs        such a stratum, with hubs
 *
 * The last four solve a small problem under each schedule and compare the closure with that of the
 * reference. The solver is compiled with its asserts, so its structures are validated, too. A
 * self-test shows that the explorer finds a lost update.
 *
 * Each of these changes to the solver was found: reading a value before its flow is linked
 * (add_flow in flows.c), not queueing a hub that got more while it was held (let_hub_go), taking
 * pending sets by a load and a store (take_waits in waits.c), looking for threads that wait before
 * a node is closed (close_node in search.c), and a component on hold without a hold of its own
 * while it registers at other nodes (hold in search.c).
 */
#include <string.h>

#include "base/context.h"
#include "cflr/cflr.h"
#include "engine/closure/batch/loop/loop.h"
#include "tests/stress/explore/explore.h"
#include "tests/stress/need.h"

static void report(const char *name, explored found) {
    printf("%-10s %8llu schedules, %llu steps\n", name, (unsigned long long)found.runs,
           (unsigned long long)found.steps);
}

static cflr_context *new_context(int threads) {
    cflr_context *context;
    cflr_error error;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.threads = threads;
    NEED(cflr_context_new(&opts, &context, &error) == CFLR_OK, "%s", error.message);
    context->threads = threads;
    context->share = 1; /* small graphs, many threads */
    return context;
}

static void end_context(cflr_context *context) {
    NEED(cflr_context_memory(context) == 0, "memory leaks");
    cflr_context_free(context);
}

/* ---- the explorer itself ---- */

static void add_one(void *what, cflri_crew *crew, uint32_t self) {
    uint32_t *sum = what;
    (void)crew;
    (void)self;
    cflri_explore_point();
    uint32_t before = *sum;
    cflri_explore_point();
    *sum = before + 1;
}

static bool add_without_lock(void *what) {
    uint32_t sum = 0;
    (void)what;
    cflri_crew_run(2, add_one, &sum);
    return sum == 2;
}

static void finds_lost_update(void) {
    NEED(explore(add_without_lock, NULL, 0, 0).wrong == 0, "no thread was delayed");
    NEED(explore(add_without_lock, NULL, 1, 10).wrong > 0, "a lost update is not found");
}

/* ---- mailbox ---- */

enum { PARTS = 3, IDS = 2 };

typedef struct mailing {
    cflri_exchange exchange;
    uint32_t got[PARTS][PARTS][IDS]; /* by reader, writer and id */
} mailing;

/* A partition puts ids for all partitions; after a barrier it takes the ids that all put for it. */
static void mail(void *what, cflri_crew *crew, uint32_t self) {
    mailing *m = what;
    cflri_box box = {0};
    cflri_run run;
    for (uint32_t i = 0; i < IDS; i++) {
        for (uint32_t to = 0; to < PARTS; to++) {
            cflri_explore_point();
            NEED(cflri_exchange_put(&m->exchange, to, self, (cflri_run){self, i, 1, &i}), "memory");
        }
    }
    cflri_crew_wait(crew);
    for (uint32_t from = 0; from < PARTS; from++) {
        cflri_explore_point();
        cflri_exchange_take(&m->exchange, self, from, &box);
        for (size_t at = 0; cflri_box_next(&box, &at, &run);) {
            for (uint32_t i = 0; i < run.n; i++) m->got[self][run.label][run.id[i]]++;
        }
    }
    cflri_box_free(m->exchange.context, &box);
}

static bool mails(void *what) {
    mailing m = {0};
    NEED(cflri_exchange_init(&m.exchange, what, PARTS, PARTS, NULL) == CFLR_OK, "memory");
    cflri_crew_run(PARTS, mail, &m);
    cflri_exchange_free(&m.exchange);
    for (uint32_t i = 0; i < PARTS * PARTS * IDS; i++) {
        if ((&m.got[0][0][0])[i] != 1) return false;
    }
    return true;
}

static void explore_mailbox(void) {
    cflr_context *context = new_context(PARTS);
    explored found = explore(mails, context, 3, 30);
    report("mailbox", found);
    NEED(!found.wrong, "the mailbox loses ids, or has them twice");
    end_context(context);
}

/* ---- waits ---- */

enum { SETS = 4, NODE = 5, BRINGERS = 2 };

typedef struct waiting {
    cflr_context *context;
    cflri_batch_store store;
    cflri_set_store sets;
    cflri_batch batch[BRINGERS + 1]; /* views */
    cflri_loops loops;
    cflri_loop loop[BRINGERS + 1];
} waiting;

static void take_from_queue(cflri_loop *l) {
    cflri_queue *queue = &l->all->queue;
    uint32_t group = 0, next;
    while ((group = cflri_queue_next(queue, group, queue->n_groups)) < queue->n_groups) {
        cflri_queue_open(queue, group);
        for (uint32_t i = 0; i < CFLRI_QUEUE_GROUP; i++) {
            uint32_t node = cflri_queue_take(queue, group * CFLRI_QUEUE_GROUP + i);
            for (; node; node = next) {
                NEED(node - 1 == NODE, "node %u is queued", node - 1);
                next = cflri_loop_at(l, node - 1)->link;
                cflri_loop_put(l, node - 1, cflri_loop_take(l, node - 1));
            }
        }
        group++;
    }
}

/* Two threads bring sets, of which they have one in common; the third owns the node. */
static void bring_or_take(void *what, cflri_crew *crew, uint32_t self) {
    waiting *w = what;
    (void)crew;
    for (uint32_t i = 0; self < BRINGERS && i < SETS / 2 + 1; i++) {
        cflri_set_number set = cflri_sets_single(w->batch[self].sets, self * SETS / 2 + i);
        NEED(cflri_loop_wait(&w->loop[self], NODE, set), "memory");
    }
    if (self == BRINGERS) take_from_queue(&w->loop[self]);
}

static void begin_waiting(waiting *w) {
    cflr_context *context = w->context;
    memset(&w->loops, 0, sizeof w->loops);
    cflri_segments_init(&w->loops.node, context, sizeof(cflri_looped));
    cflri_segments_init(&w->loops.waiting, context, sizeof(cflri_waiting));
    bool begun = cflri_segments_reach(&w->loops.node, NODE + 1) &&
                 cflri_queue_begin(&w->loops.queue, context, NODE, true);
    NEED(begun, "memory");
    w->loops.n = BRINGERS + 1;
    w->loops.b = &w->batch[0];
    w->loops.loop = w->loop;
    w->loops.ordered = true;
    for (uint32_t i = 0; i <= BRINGERS; i++) {
        w->batch[i] = (cflri_batch){.context = context,
                                    .store = &w->store,
                                    .sets = &w->store.sets->hand[i],
                                    .stratum = {.loops = true}};
        w->loop[i] = (cflri_loop){.b = &w->batch[i], .all = &w->loops, .self = i};
    }
}

/* Each set arrives. None is pending when the queue is empty. A node is queued once at most. */
static bool waits(void *what) {
    waiting *w = what;
    begin_waiting(w);
    cflri_crew_run(BRINGERS + 1, bring_or_take, w);
    take_from_queue(&w->loop[0]);
    cflri_set_number value = cflri_loop_value(&w->loop[0], NODE);
    bool right = cflri_sets_count(w->batch[0].sets, value) == SETS + 1 &&
                 !cflri_loop_waits(&w->loop[0], NODE).some;
    cflri_segments_free(&w->loops.node);
    cflri_segments_free(&w->loops.waiting);
    cflri_queue_free(&w->loops.queue, w->context);
    for (uint32_t i = 0; i <= BRINGERS; i++) {
        cflri_vec_free(w->context, &w->loop[i].known);
        cflri_vec_free(w->context, &w->loop[i].sets);
    }
    return right;
}

static void explore_waits(void) {
    static waiting w;
    w.context = new_context(BRINGERS + 1);
    w.store.sets = &w.sets;
    bool begun = cflri_set_store_init(&w.sets, w.context, 100, CFLRI_KERNEL_BEST, BRINGERS + 1);
    NEED(begun, "memory");
    cflri_set_store_share(w.store.sets, true);
    explored found = explore(waits, &w, 3, 20);
    report("waits", found);
    NEED(!found.wrong, "a set was brought and is not there");
    cflri_set_store_free(w.store.sets);
    end_context(w.context);
}

/* ---- strata ---- */

typedef struct problem {
    const char *name, *grammar, *graph;
    int threads;
    uint32_t delays;
    uint64_t distance;
} problem;

typedef struct solving {
    cflr_context *context;
    cflr_graph *graph;
    cflr_grammar *grammar;
    cflr_result *reference;
} solving;

static void make_graph(solving *s, const char *edges) {
    cflr_graph_builder *builder;
    cflr_error error;
    char name[8];
    int used;
    NEED(cflr_graph_builder_new(s->context, &builder, &error) == CFLR_OK, "%s", error.message);
    for (uint32_t source, target, label;
         sscanf(edges, " %u %u %7[a-z]%n", &source, &target, name, &used) == 3;) {
        bool added = cflr_graph_builder_label(builder, name, NULL, &label, &error) == CFLR_OK &&
                     cflr_graph_builder_edge(builder, source, target, label, &error) == CFLR_OK;
        NEED(added, "%s", error.message);
        edges += used + (edges[used] == ';');
    }
    NEED(cflr_graph_builder_freeze(builder, &s->graph, &error) == CFLR_OK, "%s", error.message);
}

static cflr_result *solve(const solving *s, cflr_model model) {
    cflr_solve_opts opts;
    cflr_result *result;
    cflr_error error;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    cflr_status st = cflr_solve(s->graph, s->grammar, &opts, &result, &error);
    NEED(st == CFLR_OK, "%s", error.message);
    return result;
}

static bool is_equal(const cflr_result *a, const cflr_result *b) {
    for (uint32_t l = 0; l < cflr_result_labels(a); l++) {
        uint64_t at = 0, other_at = 0;
        cflr_row row = {0}, other = {0};
        bool equal = true;
        do {
            equal = cflr_result_next_row(a, l, 0, &at, &row, NULL) == CFLR_OK &&
                    cflr_result_next_row(b, l, 0, &other_at, &other, NULL) == CFLR_OK &&
                    row.count == other.count;
            if (!equal || !row.count) break;
            equal = row.vertex == other.vertex &&
                    !memcmp(row.target, other.target, row.count * sizeof *row.target);
        } while (equal);
        cflr_row_free(&row);
        cflr_row_free(&other);
        if (!equal) return false;
    }
    return true;
}

static bool solves(void *what) {
    solving *s = what;
    cflr_result *result = solve(s, CFLR_MODEL_BATCH);
    bool right = is_equal(result, s->reference);
    cflr_result_free(result);
    return right;
}

static void explore_problem(const problem *p) {
    cflr_error error;
    solving s = {.context = new_context(p->threads)};
    cflr_status st = cflr_grammar_parse(s.context, p->grammar, strlen(p->grammar), p->name,
                                        CFLR_GRAMMAR_CFLR, &s.grammar, &error);
    NEED(st == CFLR_OK, "%s", error.message);
    make_graph(&s, p->graph);
    s.reference = solve(&s, CFLR_MODEL_NAIVE);
    explored found = explore(solves, &s, p->delays, p->distance);
    report(p->name, found);
    NEED(!found.wrong, "%s: another closure", p->name);
    cflr_result_free(s.reference);
    cflr_grammar_free(s.grammar);
    cflr_graph_free(s.graph);
    end_context(s.context);
}

/* Without cycles, so that few nodes are merged and both threads have nodes. */
static const char ahead[] =
    "3 6 a; 2 3 q; 4 7 q; 0 7 q; 1 4 a; 1 2 a; 1 3 a; 0 6 a; 3 5 q; 2 7 q; 0 5 a; 2 3 a; 0 5 q";
/* Cycles through all vertices, and others through few. */
static const char cycles[] = "0 1 a; 1 2 a; 2 0 a; 2 3 a; 3 4 a; 4 2 a; 4 5 a; 5 0 a; 5 3 a";
/* Several u have the same Q(u), so there are hubs. */
static const char classes[] =
    "0 4 q; 1 4 q; 2 4 q; 3 4 q; 0 5 q; 5 6 q; 0 1 a; 1 2 a; 2 0 a; 3 1 a; 6 3 a; 5 6 a";

static const problem problems[] = {
    {"loop", "S ::= a | S S | ~S Q\nQ ::= q | Q S\n", ahead, 2, 1, 0},
    {"product", "P ::= a | P a\n", cycles, 2, 2, 15},
    {"products", "P ::= a | P a\n", cycles, 3, 2, 15},
    {"hubs", "Q ::= q ~q\nS ::= a | Q S\n", classes, 2, 2, 15},
};

int main(void) {
    finds_lost_update();
    explore_mailbox();
    explore_waits();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) explore_problem(&problems[i]);
    return 0;
}
