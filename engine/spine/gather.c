/* SPDX-License-Identifier: Apache-2.0
 *
 * gather.c: brings the relations of all ends to the first one.
 *
 *     end 1, end 2 ...     sets, each before the first row that has it, and once
 *                          rows of some symbols, as (vertex, number of a set)
 *     end 0                keeps all sets in one store
 *                          keeps runs of rows until it has all rows of the symbols, makes a
 *                          relation of each end's, and puts these together
 *                          (pieced_sets.h)
 *
 * All ends go through the symbols together, in groups: a group is one symbol, or many as long as
 * they are sent in few words. So the first end has sets that rows share, the rows that are ready,
 * and the runs of one large symbol at most: its memory is bounded by sets and rows, not by pairs.
 * Runs of ids, of one of these kinds by label, can arrive in any order:
 *
 *     label                    vertex           ids
 *     symbol                   end              vertex, set, vertex, set ...     rows, ascending
 *     n_symbols                0                                                 figures of an end
 *     n_symbols + 1 + end      number of a set  some of its ids, ascending
 *
 * An end is known by its first slice. It numbers its sets as it sends them; a set of one id is not
 * sent, since its number contains the id (relation.h).
 */
#include "engine/spine/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/sets/pieced_sets.h"
#include "engine/sets/stored_sets.h"

enum { ROWS, SETS, PAPERS };
enum { HEAD = 3, PIECE_WORDS = 1 << 22, FEW_WORDS = 1 << 16 };

#define NOT_SENT UINT32_MAX

typedef CFLRI_VEC(cflri_run) run_list; /* each with its ids in a box */

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
    uint64_t at;          /* without so many ids of the next one's set */
    uint32_t *number;     /* by set of the closure: what it is sent as, or NOT_SENT */
    uint32_t n_numbers;
    cflr_row targets;     /* of one row */
    cflri_exchange paper; /* PAPERS boxes, to write to: so runs of rows are long */
    cflri_boxes box;      /* of rows or figures that have arrived */
    uint64_t sent, taken; /* words of this end */
    uint64_t sent_by_all;
    /* The first end has, besides: */
    cflri_stored_sets *arrived;
    cflri_set_list *set;         /* by end: number of a set -> number in `arrived` */
    cflri_relation *theirs;      /* by end: a relation of it */
    const cflri_relation **part; /* by end */
    cflri_pieced_sets *pieced;   /* of own sets and those that arrived */
    cflri_closure made;          /* relations of `pieced` */
} gathering;

static bool is_first(const gathering *g) {
    return g->spine->carrier->first == 0;
}

/* Every end has the pairs of an input by itself. */
static bool has_parts(const gathering *g, uint32_t symbol) {
    return g->plan->equations->home[symbol].rows != CFLRI_NO_SYMBOL;
}

static void refuse(gathering *g) {
    g->st = cflri_fail_memory(g->plan->context, g->error);
}

/* ---- sending ---- */

static void put(gathering *g, uint32_t paper, uint32_t label, uint32_t vertex, const uint32_t *id,
                uint32_t n) {
    cflri_run run = {label, vertex, n, id};
    if (!cflri_exchange_put(&g->paper, paper, 0, run)) refuse(g);
}

/* What the set of the next row is sent as: NOT_SENT before that. */
static uint32_t sent_as(const gathering *g, const cflri_relation *relation) {
    uint32_t set = relation->set[g->row];
    return set & CFLRI_ONE_TARGET ? set : g->number[set];
}

/* Puts up to `room` ids of the next row's set into the box. Returns the number of words. */
static uint64_t put_set(gathering *g, const cflri_relation *relation, uint64_t room,
                        uint32_t *number) {
    uint64_t n = cflri_relation_count(relation, g->row) - g->at;
    bool whole = n <= room;
    g->st = cflri_relation_read(g->plan->context, relation, g->row, &g->targets, g->error);
    if (g->st != CFLR_OK) return 0;
    if (!whole) n = room;
    put(g, SETS, g->n_symbols + 1 + g->spine->carrier->first, g->n_numbers,
        g->targets.target + g->at, (uint32_t)n);
    g->at = whole ? 0 : g->at + n;
    if (whole) *number = g->number[relation->set[g->row]] = g->n_numbers++;
    return HEAD + n;
}

/* Puts the next row into the box when its set is there. Returns the number of words. */
static uint64_t put_row(gathering *g, const cflri_relation *relation, uint64_t room) {
    uint32_t number = sent_as(g, relation);
    uint64_t words = number == NOT_SENT ? put_set(g, relation, room, &number) : 0;
    if (number == NOT_SENT || g->st != CFLR_OK) return words;
    const uint32_t row[] = {relation->row[g->row], number};
    put(g, ROWS, g->symbol, g->spine->carrier->first, row, 2);
    g->row++;
    return words + 2;
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

static void send_boxes(gathering *g) {
    for (uint32_t p = 0; p < PAPERS && g->st == CFLR_OK; p++) {
        cflri_box box = {0};
        cflri_exchange_take(&g->paper, p, 0, &box);
        g->sent += box.n;
        if (box.n) g->st = g->spine->carrier->send(g->spine->carrier, 0, &box, g->error);
        cflri_box_free(g->plan->context, &box);
    }
}

static bool begin_sending(gathering *g) {
    const cflri_target_sets *sets = g->closure->sets;
    size_t n = sets ? sets->n : 0;
    g->number = cflri_alloc_array(g->plan->context, n + 1, sizeof *g->number);
    if (g->number) memset(g->number, 0xff, n * sizeof *g->number);
    return g->number;
}

/* ---- taking ---- */

/* The ids of a set can arrive in any order. */
static bool take_set(gathering *g, const cflri_run *run) {
    cflri_sets *hand = &g->arrived->store.hand[0];
    cflri_set_list *list = &g->set[run->label - g->n_symbols - 1];
    while (list->n <= run->vertex) {
        if (!cflri_vec_push(g->plan->context, list, CFLRI_EMPTY_SET)) return false;
    }
    cflri_set_number set = cflri_sets_of(hand, run->id, run->n);
    if (set != CFLRI_NO_SET) set = cflri_sets_union(hand, list->at[run->vertex], set);
    list->at[run->vertex] = set;
    return set != CFLRI_NO_SET;
}

/* Takes the sets out of the box, and keeps the rest. A carrier may have joined boxes. */
static bool keep_box(gathering *g, cflri_box *box) {
    cflri_run run;
    size_t kept = 0;
    for (size_t head = 0, at = 0; cflri_box_next(box, &at, &run); head = at) {
        if (run.label > g->n_symbols) {
            if (!take_set(g, &run)) return false;
            continue;
        }
        memmove(box->word + kept, box->word + head, (at - head) * sizeof *box->word);
        kept += at - head;
    }
    box->n = kept;
    if (!kept) return true;
    uint32_t *less = cflri_realloc(g->plan->context, box->word, kept * sizeof *less);
    if (less) box->word = less;
    if (less) box->capacity = kept;
    if (!cflri_vec_push(g->plan->context, &g->box, *box)) return false;
    *box = (cflri_box){0};
    return true;
}

static void take_boxes(gathering *g) {
    cflri_box_carrier *carrier = g->spine->carrier;
    cflri_box box = {0};
    while (is_first(g) && g->st == CFLR_OK && carrier->receive(carrier, 0, &box)) {
        g->taken += box.n;
        if (!keep_box(g, &box)) refuse(g);
    }
    cflri_box_free(g->plan->context, &box);
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

static bool begin_taking(gathering *g) {
    cflr_context *context = g->plan->context;
    uint32_t universe = g->plan->reduced.original->n_vertices, slices = g->spine->slices;
    g->made = (cflri_closure){.n_symbols = g->n_symbols};
    g->made.relation =
        cflri_alloc_array_zero(context, (size_t)g->n_symbols + 1, sizeof(cflri_relation));
    g->set = cflri_alloc_array_zero(context, slices, sizeof *g->set);
    g->theirs = cflri_alloc_array_zero(context, slices, sizeof *g->theirs);
    g->part = cflri_alloc_array_zero(context, slices, sizeof(cflri_relation *));
    g->arrived = cflri_stored_sets_new(context);
    if (!g->arrived) return false;
    g->pieced = cflri_pieced_sets_new(
        context, (cflri_target_sets *[]){g->closure->sets, &g->arrived->sets}, 2);
    return g->made.relation && g->set && g->theirs && g->part && g->pieced &&
           cflri_set_store_init(&g->arrived->store, context, universe, CFLRI_KERNEL_BEST, 1);
}

/* ---- putting together ---- */

/* Orders runs of rows by symbol, end and first vertex. */
static int compare_runs(const void *a, const void *b) {
    const cflri_run *r = a, *s = b;
    if (r->label != s->label) return r->label < s->label ? -1 : 1;
    if (r->vertex != s->vertex) return r->vertex < s->vertex ? -1 : 1;
    return r->id[0] < s->id[0] ? -1 : r->id[0] > s->id[0];
}

/* Lists the runs of rows that have arrived. False when memory is refused. */
static bool list_runs(const gathering *g, run_list *runs) {
    cflri_run run;
    for (size_t b = 0; b < g->box.n; b++) {
        for (size_t at = 0; cflri_box_next(&g->box.at[b], &at, &run);) {
            if (!cflri_vec_push(g->plan->context, runs, run)) return false;
        }
    }
    if (runs->n) qsort(runs->at, runs->n, sizeof *runs->at, compare_runs);
    return true;
}

/* Appends the rows of a run. */
static void add_rows(const gathering *g, const cflri_run *run, cflri_relation *relation) {
    const cflri_sets *hand = &g->arrived->store.hand[0];
    for (uint32_t i = 0; i < run->n; i += 2) {
        uint32_t row = relation->n_rows++, set = run->id[i + 1];
        if (!(set & CFLRI_ONE_TARGET)) set = g->set[run->vertex].at[set];
        relation->row[row] = run->id[i];
        relation->set[row] = set;
        relation->start[row] = relation->n_pairs;
        relation->n_pairs += cflri_sets_count(hand, set);
    }
    relation->start[relation->n_rows] = relation->n_pairs;
}

/* Makes the relation of one symbol of one end out of its runs. */
static void make_part(gathering *g, const cflri_run *run, size_t n) {
    cflri_relation *relation = &g->theirs[run->vertex];
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) rows += run[i].n / 2;
    g->st = cflri_relation_allocate_shared(g->plan->context, (uint32_t)rows, &g->arrived->sets,
                                           relation, g->error);
    relation->n_rows = 0;
    for (size_t i = 0; i < n && g->st == CFLR_OK; i++) add_rows(g, &run[i], relation);
}

/* Makes the relation of a symbol, of which there are n runs. */
static void build_symbol(gathering *g, uint32_t symbol, const cflri_run *run, size_t n) {
    uint32_t slices = g->spine->slices;
    for (size_t from = 0, to = 0; from < n && g->st == CFLR_OK; from = to) {
        while (to < n && run[to].vertex == run[from].vertex) to++;
        make_part(g, run + from, to - from);
    }
    for (uint32_t i = 0; i < slices; i++) g->part[i] = &g->theirs[i];
    g->part[0] = &g->closure->relation[symbol];
    if (g->st == CFLR_OK) {
        cflri_relation *made = &g->made.relation[symbol];
        g->st = cflri_pieced_sets_add(g->pieced, g->part, slices, made, g->error);
    }
    for (uint32_t i = 0; i < slices; i++) cflri_relation_free(g->plan->context, &g->theirs[i]);
}

/* Makes the relations of a group of symbols, of which all rows have arrived. */
static void build_group(gathering *g, uint32_t first) {
    run_list runs = {0};
    if (!list_runs(g, &runs)) refuse(g);
    size_t from = 0, to = 0;
    for (uint32_t s = first; s < g->end && g->st == CFLR_OK; s++, from = to) {
        while (to < runs.n && runs.at[to].label == s) to++;
        if (has_parts(g, s)) build_symbol(g, s, runs.at + from, to - from);
    }
    cflri_vec_free(g->plan->context, &runs);
    cflri_boxes_free(g->plan->context, &g->box);
}

/* The first end has the whole instead of its part. */
static void replace_part(gathering *g) {
    cflr_context *context = g->plan->context;
    cflri_closure *closure = g->closure, part = *closure;
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        if (has_parts(g, s)) continue;
        g->made.relation[s] = part.relation[s];
        part.relation[s] = (cflri_relation){0};
    }
    cflri_stored_sets_end(g->arrived, NULL, 0, 0);
    cflri_pieced_sets_end(g->pieced);
    closure->relation = g->made.relation;
    closure->sets = &g->pieced->sets;
    g->made = (cflri_closure){0};
    g->arrived = NULL;
    g->pieced = NULL;
    part = (cflri_closure){.n_symbols = part.n_symbols, .relation = part.relation};
    cflri_closure_free(context, &part);
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
            send_boxes(g);
        } while (carry(g, g->symbol < g->end));
        if (is_first(g) && !g->over) build_group(g, first);
        width = g->sent_by_all - before < FEW_WORDS ? 2 * width : 1;
    }
    if (is_first(g) && g->st == CFLR_OK) replace_part(g);
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
    if (word) put(g, ROWS, g->n_symbols, 0, word, (uint32_t)n);
    if (!word) refuse(g);
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
    send_boxes(g);
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

static void end_gathering(gathering *g) {
    cflr_context *context = g->plan->context;
    for (uint32_t i = 0; g->set && i < g->spine->slices; i++) cflri_vec_free(context, &g->set[i]);
    cflri_free(context, g->set);
    cflri_free(context, g->theirs);
    cflri_free(context, g->part);
    cflri_free(context, g->number);
    cflri_closure_free(context, &g->made);
    if (g->pieced) g->pieced->sets.free(context, &g->pieced->sets);
    if (g->arrived) g->arrived->sets.free(context, &g->arrived->sets);
    cflr_row_free(&g->targets);
    cflri_exchange_free(&g->paper);
    cflri_boxes_free(context, &g->box);
}

static void gather(gathering *g) {
    g->st = cflri_exchange_init(&g->paper, g->plan->context, PAPERS, 1, g->error);
    if (g->st == CFLR_OK && !(is_first(g) ? begin_taking(g) : begin_sending(g))) refuse(g);
    gather_symbols(g);
    if (!g->over) gather_figures(g);
    end_gathering(g);
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
