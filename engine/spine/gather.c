/* SPDX-License-Identifier: Apache-2.0
 *
 * gather.c: brings the relations of all ends to the first one.
 *
 *     end 1, end 2 ...     rows of some symbols as runs, in boxes of a limited size
 *     end 0                keeps the boxes until it has all runs of the symbols,
 *                          sorts the runs by row, and puts each row together
 *
 * All ends go through the symbols together, in groups: a group is one symbol, or many as long as
 * they have few pairs. So the first end has the boxes of one large symbol at most, beside the
 * relations that are ready. Runs can arrive in any order. The parts of a row have no target in
 * common, and are ordered by their first targets, since slices are ranges of targets. A run of a
 * label behind the last symbol has the figures of an end.
 */
#include "engine/spine/gather.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

enum { HEAD = 3, PIECE_WORDS = 1 << 22, FEW_WORDS = 1 << 16 };

typedef CFLRI_VEC(const uint32_t *) run_list; /* each points at its head in a box */

typedef struct gathering {
    const cflri_spine_plan *plan;
    cflri_spine *spine;
    cflri_closure *closure;
    cflr_error *error;
    cflr_status st; /* the same at all ends, once it is over */
    bool over;      /* an end has failed */
    uint32_t n_symbols;
    uint32_t symbol, end; /* the group, of which this end has still to send ... */
    uint32_t row;         /* ... rows of `symbol` from here on, */
    uint64_t at;          /* without so many targets */
    cflr_row targets;     /* of one row */
    cflri_exchange paper; /* one box, to write to */
    cflri_boxes box;      /* that have arrived */
    uint64_t sent, taken; /* words of this end */
    uint64_t sent_by_all;
} gathering;

static bool is_first(const gathering *g) {
    return g->spine->carrier->first == 0;
}

/* Every end has the pairs of an input by itself. */
static bool has_parts(const gathering *g, uint32_t symbol) {
    return g->plan->equations->home[symbol].rows != CFLRI_NO_SYMBOL;
}

/* ---- sending ---- */

/* Puts a piece of the row at which this end is into the box. Returns its number of words. */
static uint64_t put_row(gathering *g, const cflri_relation *relation, uint64_t room) {
    uint64_t n = cflri_relation_count(relation, g->row) - g->at;
    bool whole = n <= room;
    g->st = cflri_relation_read(g->plan->context, relation, g->row, &g->targets, g->error);
    if (g->st != CFLR_OK) return 0;
    cflri_run run = {g->symbol, relation->row[g->row], (uint32_t)(whole ? n : room),
                     g->targets.target + g->at};
    if (!cflri_exchange_put(&g->paper, 0, 0, run))
        g->st = cflri_fail_memory(g->plan->context, g->error);
    g->row += whole;
    g->at = whole ? 0 : g->at + run.n;
    return HEAD + (uint64_t)run.n;
}

static void write_piece(gathering *g) {
    uint64_t piece = g->spine->piece ? g->spine->piece : PIECE_WORDS, words = 0;
    while (g->symbol < g->end && words < piece && g->st == CFLR_OK) {
        const cflri_relation *relation = &g->closure->relation[g->symbol];
        if (has_parts(g, g->symbol) && g->row < relation->n_rows) {
            words += put_row(g, relation, piece - words);
        } else {
            g->symbol++;
            g->row = 0;
        }
    }
}

static void send_box(gathering *g) {
    cflri_box box = {0};
    if (g->st != CFLR_OK) return;
    cflri_exchange_take(&g->paper, 0, 0, &box);
    g->sent += box.n;
    if (box.n) g->st = g->spine->carrier->send(g->spine->carrier, 0, &box, g->error);
    cflri_box_free(g->plan->context, &box);
}

static void take_boxes(gathering *g) {
    cflri_box_carrier *carrier = g->spine->carrier;
    cflri_box box = {0};
    while (is_first(g) && g->st == CFLR_OK && carrier->receive(carrier, 0, &box)) {
        g->taken += box.n;
        if (!cflri_vec_push(g->plan->context, &g->box, box)) {
            cflri_box_free(g->plan->context, &box);
            g->st = cflri_fail_memory(g->plan->context, g->error);
        }
        box = (cflri_box){0};
    }
}

/* False when all that was sent has been taken, and no end has more; or when one has failed. */
static bool carry(gathering *g, bool more) {
    cflri_totals totals = {.sent = g->sent, .taken = g->taken, .going = more};
    g->st = cflri_carrier_agree(g->spine->carrier, &totals, g->st, g->error);
    g->over = g->st != CFLR_OK;
    g->sent_by_all = totals.sent;
    if (g->over || (!totals.going && totals.sent == totals.taken)) return false;
    take_boxes(g);
    return true;
}

/* ---- putting together ---- */

/* Lists the runs that have arrived by their symbols. Those of symbol first + i become run[start[i]]
 * to run[start[i + 1]]. */
static bool list_runs(const gathering *g, uint32_t first, run_list *runs, size_t *start) {
    size_t n = 0;
    cflri_run run;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t b = 0; b < g->box.n; b++) {
            for (size_t at = 0, head = 0; cflri_box_next(&g->box.at[b], &at, &run); head = at) {
                if (pass) runs->at[start[run.label - first]++] = g->box.at[b].word + head;
                if (!pass) start[run.label - first + 1]++;
                n++;
            }
        }
        if (!pass && !cflri_vec_reserve(g->plan->context, runs, n + 1)) return false;
        for (uint32_t s = first; s < g->end && !pass; s++) start[s - first + 1] += start[s - first];
    }
    for (uint32_t s = g->end; s > first; s--) start[s - first] = start[s - first - 1];
    start[0] = 0;
    return true;
}

/* Sorts runs of one symbol by vertex and first target. */
static cflr_status sort_runs(cflr_context *context, const uint32_t **run, size_t n,
                             cflr_error *error) {
    const uint32_t **sorted = cflri_alloc_array(context, n, sizeof *sorted);
    uint64_t *key = cflri_alloc_array(context, n, sizeof *key);
    cflr_status st = sorted && key ? CFLR_OK : cflri_fail_memory(context, error);
    assert(n < UINT32_MAX);
    for (size_t i = 0; i < n && st == CFLR_OK; i++) key[i] = (uint64_t)run[i][1] << 32 | i;
    if (st == CFLR_OK) st = cflri_sort_pairs(context, key, n, NULL, error);
    for (size_t i = 0; i < n && st == CFLR_OK; i++) {
        const uint32_t *next = run[(uint32_t)key[i]];
        size_t to = i;
        for (; to && sorted[to - 1][1] == next[1] && sorted[to - 1][HEAD] > next[HEAD]; to--) {
            sorted[to] = sorted[to - 1];
        }
        sorted[to] = next;
    }
    if (st == CFLR_OK) memcpy(run, sorted, n * sizeof *run);
    cflri_free(context, sorted);
    cflri_free(context, key);
    return st;
}

/* Goes through the rows of the first end's part and of the sorted runs; of a row, the first end's
 * targets are the least. Counts pairs and rows of `made`, or fills it if it has room. */
static cflr_status unite(gathering *g, const cflri_relation *own, const uint32_t *const *run,
                         size_t n, cflri_relation *made) {
    cflr_status st = CFLR_OK;
    uint32_t row = 0;
    size_t i = 0;
    made->n_rows = 0;
    made->n_pairs = 0;
    while (row < own->n_rows || i < n) {
        uint32_t source =
            i == n || (row < own->n_rows && own->row[row] < run[i][1]) ? own->row[row] : run[i][1];
        if (made->target) {
            made->row[made->n_rows] = source;
            made->start[made->n_rows] = made->n_pairs;
        }
        if (row < own->n_rows && own->row[row] == source) {
            uint64_t count = cflri_relation_count(own, row);
            if (made->target) {
                CFLR_TRY(cflri_relation_read(g->plan->context, own, row, &g->targets, g->error));
                memcpy(made->target + made->n_pairs, g->targets.target,
                       count * sizeof *made->target);
            }
            made->n_pairs += count;
            row++;
        }
        for (; i < n && run[i][1] == source; i++) {
            if (made->target) {
                memcpy(made->target + made->n_pairs, run[i] + HEAD,
                       run[i][2] * sizeof *made->target);
            }
            made->n_pairs += run[i][2];
        }
        made->n_rows++;
    }
    if (made->target) made->start[made->n_rows] = made->n_pairs;
out:
    return st;
}

static cflr_status build_symbol(gathering *g, cflri_relation *relation, const uint32_t **run,
                                size_t n) {
    cflr_context *context = g->plan->context;
    cflri_relation made = {0};
    cflr_status st = CFLR_OK;
    if (!n) return CFLR_OK;
    CFLR_TRY(sort_runs(context, run, n, g->error));
    CFLR_TRY(unite(g, relation, run, n, &made));
    CFLR_TRY(cflri_relation_allocate(context, &made, g->error));
    CFLR_TRY(unite(g, relation, run, n, &made));
    cflri_relation_free(context, relation);
    *relation = made;
    made = (cflri_relation){0};
out:
    cflri_relation_free(context, &made);
    return st;
}

/* Makes the relations of a group of symbols, of which all runs have arrived. */
static void build_group(gathering *g, uint32_t first) {
    cflr_context *context = g->plan->context;
    run_list runs = {0};
    size_t *start = cflri_alloc_array_zero(context, g->end - first + (size_t)2, sizeof *start);
    if (!start || !list_runs(g, first, &runs, start)) g->st = cflri_fail_memory(context, g->error);
    for (uint32_t s = first; s < g->end && g->st == CFLR_OK; s++) {
        size_t from = start[s - first], to = start[s - first + 1];
        g->st = build_symbol(g, &g->closure->relation[s], runs.at + from, to - from);
    }
    cflri_vec_free(context, &runs);
    cflri_free(context, start);
    cflri_boxes_free(context, &g->box);
}

static void gather_symbols(gathering *g) {
    uint32_t width = 1;
    while (g->end < g->n_symbols && !g->over) {
        uint32_t first = g->end;
        uint64_t before = g->sent_by_all;
        g->end = g->n_symbols - first < width ? g->n_symbols : first + width;
        g->symbol = is_first(g) ? g->end : first;
        do {
            write_piece(g);
            send_box(g);
        } while (carry(g, g->symbol < g->end));
        if (is_first(g) && !g->over) build_group(g, first);
        width = g->sent_by_all - before < FEW_WORDS ? 2 * width : 1;
    }
}

/* ---- figures ---- */

/* The figures of an end, as the words of a run: 64-bit numbers, then the tallies of its rules. */
typedef struct figures {
    uint64_t rounds, derivations, n_rules;
} figures;

enum { WORDS_OF_FIGURES = sizeof(figures) / 4, WORDS_OF_RULE = 6 };

static void put_figures(gathering *g) {
    const cflri_closure *c = g->closure;
    size_t n = WORDS_OF_FIGURES + WORDS_OF_RULE * c->n_rules;
    uint32_t *word = cflri_alloc_array(g->plan->context, n, sizeof *word), *at = word;
    if (word) {
        memcpy(word, &(figures){c->rounds, c->derivations, c->n_rules}, sizeof(figures));
        at += WORDS_OF_FIGURES;
        for (size_t i = 0; i < c->n_rules; i++, at += WORDS_OF_RULE) {
            memcpy(at, &c->rule[i].tried, sizeof(uint64_t));
            memcpy(at + 2, &c->rule[i].fresh, sizeof(uint64_t));
            memcpy(at + 4, &c->rule[i].seconds, sizeof(double));
        }
    }
    cflri_run run = {g->n_symbols, 0, (uint32_t)n, word};
    if (!word || !cflri_exchange_put(&g->paper, 0, 0, run)) {
        g->st = cflri_fail_memory(g->plan->context, g->error);
    }
    cflri_free(g->plan->context, word);
}

/* Ends have the same equations, and tally them in the same order. */
static void add_figures(cflri_closure *c, const uint32_t *word) {
    figures f;
    memcpy(&f, word, sizeof f);
    c->rounds += f.rounds;
    c->derivations += f.derivations;
    word += WORDS_OF_FIGURES;
    for (size_t i = 0; i < c->n_rules && f.n_rules == c->n_rules; i++, word += WORDS_OF_RULE) {
        uint64_t tried, fresh;
        double seconds;
        memcpy(&tried, word, sizeof tried);
        memcpy(&fresh, word + 2, sizeof fresh);
        memcpy(&seconds, word + 4, sizeof seconds);
        c->rule[i].tried += tried;
        c->rule[i].fresh += fresh;
        c->rule[i].seconds += seconds;
    }
}

static void gather_figures(gathering *g) {
    if (!is_first(g) && g->st == CFLR_OK) put_figures(g);
    send_box(g);
    while (carry(g, false)) continue;
    for (size_t b = 0; b < g->box.n && !g->over; b++) {
        cflri_run run;
        for (size_t at = 0; cflri_box_next(&g->box.at[b], &at, &run);) {
            add_figures(g->closure, run.id);
        }
    }
}

/* ---- all ---- */

static bool is_partial(cflr_status st) {
    return st == CFLR_LIMIT || st == CFLR_CANCELLED;
}

static void gather(gathering *g) {
    g->st = cflri_exchange_init(&g->paper, g->plan->context, 1, 1, g->error);
    gather_symbols(g);
    if (!g->over) gather_figures(g);
    cflr_row_free(&g->targets);
    cflri_exchange_free(&g->paper);
    cflri_boxes_free(g->plan->context, &g->box);
}

cflr_status cflri_gather(const cflri_spine_plan *plan, cflri_spine *spine, cflr_status ended,
                         cflri_closure *closure, cflr_error *error) {
    gathering g = {.plan = plan, .spine = spine, .closure = closure, .error = error};
    cflri_totals totals = {0};
    g.n_symbols = plan->reduced.problem.ground->n_symbols;
    cflr_status st =
        cflri_carrier_agree(spine->carrier, &totals, is_partial(ended) ? CFLR_OK : ended, error);
    if (st == CFLR_OK) {
        ended = cflri_carrier_settle(spine->carrier, ended, error);
        gather(&g);
        st = g.st == CFLR_OK ? ended : g.st;
    }
    bool has_result = is_first(&g) && (st == CFLR_OK || is_partial(st));
    if (!has_result) cflri_closure_free(plan->context, closure);
    return st;
}
