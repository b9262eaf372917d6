/* SPDX-License-Identifier: Apache-2.0
 *
 * witness.c: shortest derivations along a path, by breadth-first search.
 *
 * The spine of a symbol is what a derivation of it may begin with: itself, and the first symbol on
 * the right of each rule whose left side is in the spine.
 *
 *     Finding ::= Taint sink
 *     Taint   ::= Given | Given M          spine: Finding Taint Given source
 *     Given   ::= source | Taint a
 *
 * A state (X, v) says that X(u,v) holds for one of the sources u. It is reached from (Y, w) by a
 * rule X ::= Y Z and a pair Z(w,v), which is a step of the path, or by X ::= Y, which is none. So
 * states are searched in the order of their steps, each is entered once, with the state before it,
 * and the first way into a state is a shortest one.
 *
 *     number   0      1            2            3            4
 *     state    u      (source,v1)  (Given,v1)   (Taint,v1)   (Taint,v2)
 *     before   -      0            0            0            2
 *     step            source       source       source       M
 *
 * What a state entails without a step is entered with it and as it was, so that a path is read back
 * step by step.
 *
 * A filter keeps X(u,v) or not, so where a symbol of the spine has one, a state is that of one
 * source, and is entered if its pair is kept. Otherwise it does not matter which source a state
 * comes from, and all are one.
 *
 * Rows with the same targets are kept once in a result, and thousands of vertices may share one. A
 * row that was read for X has nothing new for X when it is met again: so each different row is read
 * once. Where a gate leaves out some pairs of a row, it is read once for each number that the gate
 * gives to its sources, and not at all once all of it was read.
 *
 * Z is read from the graph when it is a label; from the result when that holds it; otherwise Z must
 * have rules with one symbol only, and stands for these.
 */
#include "cflr/witness.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/vec.h"
#include "engine/closure/filter.h"
#include "engine/results/result.h"
#include "grammar/equations/ground.h"

#define NO_STATE UINT32_MAX
#define OUTSIDE UINT32_MAX /* not in the spine */

typedef struct state {
    uint32_t vertex;
    uint32_t place;  /* in the spine; OUTSIDE: a source, of which nothing holds yet */
    uint32_t before; /* state; NO_STATE: a path begins here */
    uint32_t step;   /* ground symbol of the step that led here */
    uint32_t source; /* a place in `sources` */
} state;

/* A rule X ::= Y Z or X ::= Y, for Y. */
typedef struct move {
    uint32_t to;   /* X, a place in the spine */
    uint32_t step; /* Z, which is read; CFLRI_NO_SYMBOL: none */
} move;

/* Moves of the places 0, 1, ...: those of i are at[start[i]] .. at[start[i + 1] - 1]. */
typedef struct moves {
    CFLRI_VEC(uint32_t) start;
    CFLRI_VEC(move) at;
} moves;

/* A row that was read: its identity with the place that it was read for, which is never 0; and what
 * the gate says of its source, with the symbol, or 0. */
typedef struct seen_row {
    uint64_t row, gated;
} seen_row;

struct cflr_witness {
    cflr_context *context;
    const cflr_result *result;
    cflri_ground *ground;
    cflri_filters filters;
    const cflri_relation **relation; /* by ground symbol: its pairs; NULL: not known */
    uint64_t most;                   /* pairs that a search may read; 0: any number */
    const bool *avoided;             /* vertices that no path goes to; NULL: none */
    const cflr_witness_gate *gate;   /* NULL: none */
    /* of one search */
    CFLRI_VEC(uint32_t) spine; /* ground symbols; the first is the one that is explained */
    uint32_t *place;           /* by ground symbol: in the spine, or OUTSIDE */
    moves joins;               /* with a step */
    moves units;               /* without one */
    const uint32_t *sources;
    uint32_t target; /* where it ends; CFLR_NO_VERTEX: nowhere */
    bool arrived;
    bool apart; /* a symbol of the spine is filtered: sources are kept apart */
    CFLRI_VEC(state) states;
    uint64_t *entered;            /* bits by source, if these are apart, place and vertex */
    seen_row *seen;               /* a hash table; of a free place `row` is 0 */
    size_t n_seen, seen_capacity; /* a power of two */
    uint64_t n_read;              /* pairs */
    bool cut;                     /* it was ended by the bound */
    uint32_t *goal;               /* states of the symbol itself, by vertex, the first ones first */
    size_t n_goals;
    cflr_row row; /* that is followed */
};

/* ---- what is read ---- */

static cflr_status find_relations(cflr_witness *w, cflr_error *error) {
    const cflri_ground *ground = w->ground;
    cflr_status st = cflri_result_match(w->result, ground, w->relation, error);
    for (uint32_t s = 0; s < ground->n_symbols && st == CFLR_OK; s++) {
        uint32_t label = ground->symbol[s].label;
        if (!w->relation[s] && label != CFLR_NO_LABEL && !cflri_ground_has_rules(ground, s))
            w->relation[s] = &ground->graph->out[label];
    }
    return st;
}

/* ---- the spine ---- */

static cflr_status no_memory(const cflr_witness *w, cflr_error *error) {
    return cflri_fail_memory(w->context, error);
}

static cflr_status add_to_spine(cflr_witness *w, uint32_t symbol, cflr_error *error) {
    if (w->place[symbol] != OUTSIDE) return CFLR_OK;
    w->place[symbol] = (uint32_t)w->spine.n;
    return cflri_vec_push(w->context, &w->spine, symbol) ? CFLR_OK : no_memory(w, error);
}

static cflr_status fail_unknown(const cflr_witness *w, uint32_t symbol, cflr_error *error) {
    const char *name = w->ground->grammar->symbol[w->ground->symbol[symbol].symbol].name;
    return cflri_fail(error, CFLR_ARGUMENT, NULL,
                      "the result does not hold %.60s, which derivations read", name);
}

static bool is_converse(const cflr_witness *w, uint32_t symbol) {
    return w->ground->symbol[symbol].converse_of != CFLRI_NO_SYMBOL;
}

static bool is_filtered(const cflr_witness *w, uint32_t symbol) {
    return w->filters.of && w->filters.of[symbol];
}

/* What is read backwards is no way to walk: it is read from the result, as one step. */
static cflr_status find_spine(cflr_witness *w, uint32_t symbol, cflr_error *error) {
    const cflri_ground *ground = w->ground;
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < ground->n_symbols; s++) w->place[s] = OUTSIDE;
    CFLR_TRY(add_to_spine(w, symbol, error));
    for (size_t i = 0; i < w->spine.n; i++) {
        uint32_t first = w->spine.at[i];
        w->apart |= is_filtered(w, first);
        if (is_converse(w, first)) {
            if (!w->relation[first]) CFLR_TRY(fail_unknown(w, first, error));
            continue;
        }
        for (uint32_t r = w->ground->first_rule[first]; r < w->ground->first_rule[first + 1]; r++)
            CFLR_TRY(add_to_spine(w, ground->rule[r].right[0], error));
    }
out:
    return st;
}

/* ---- moves ---- */

/* A move by the pairs of Z: those of the symbols that Z stands for. */
static cflr_status add_joins(cflr_witness *w, uint32_t to, uint32_t symbol, cflr_error *error) {
    const cflri_ground *ground = w->ground;
    CFLRI_VEC(uint32_t) stack = {0};
    cflr_status st = CFLR_OK;
    if (!cflri_vec_push(w->context, &stack, symbol)) st = no_memory(w, error);
    while (st == CFLR_OK && stack.n > 0) {
        uint32_t s = stack.at[--stack.n];
        if (w->relation[s]) {
            if (!cflri_vec_push(w->context, &w->joins.at, (move){to, s})) st = no_memory(w, error);
            continue;
        }
        if (!cflri_ground_has_rules(ground, s) || is_filtered(w, s)) st = fail_unknown(w, s, error);
        for (uint32_t r = w->ground->first_rule[s + 1];
             r-- > w->ground->first_rule[s] && st == CFLR_OK;) {
            const cflri_ground_rule *rule = &ground->rule[r];
            if (rule->right[1] != CFLRI_NO_SYMBOL ||
                ground->symbol[s].converse_of != CFLRI_NO_SYMBOL)
                st = fail_unknown(w, s, error);
            else if (!cflri_vec_push(w->context, &stack, rule->right[0]))
                st = no_memory(w, error);
        }
        if (stack.n > ground->n_symbols) st = fail_unknown(w, s, error); /* a cycle of such rules */
    }
    cflri_vec_free(w->context, &stack);
    return st;
}

static cflr_status find_joins(cflr_witness *w, uint32_t place, cflr_error *error) {
    const cflri_join_index *index = &w->ground->by_left;
    uint32_t symbol = w->spine.at[place];
    cflr_status st = CFLR_OK;
    for (uint32_t j = index->start[symbol]; j < index->start[symbol + 1]; j++) {
        uint32_t to = w->place[index->join[j].left];
        if (to != OUTSIDE) CFLR_TRY(add_joins(w, to, index->join[j].partner, error));
    }
out:
    return st;
}

static cflr_status find_units(cflr_witness *w, uint32_t place, cflr_error *error) {
    const cflri_join_index *index = &w->ground->by_unary;
    uint32_t symbol = w->spine.at[place];
    for (uint32_t j = index->start[symbol]; j < index->start[symbol + 1]; j++) {
        const move unit = {w->place[index->join[j].left], CFLRI_NO_SYMBOL};
        if (unit.to != OUTSIDE && !cflri_vec_push(w->context, &w->units.at, unit))
            return no_memory(w, error);
    }
    return CFLR_OK;
}

static cflr_status find_moves(cflr_witness *w, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint32_t place = 0; place < w->spine.n; place++) {
        if (!cflri_vec_push(w->context, &w->joins.start, (uint32_t)w->joins.at.n) ||
            !cflri_vec_push(w->context, &w->units.start, (uint32_t)w->units.at.n))
            CFLR_TRY(no_memory(w, error));
        CFLR_TRY(find_joins(w, place, error));
        CFLR_TRY(find_units(w, place, error));
    }
    if (!cflri_vec_push(w->context, &w->joins.start, (uint32_t)w->joins.at.n) ||
        !cflri_vec_push(w->context, &w->units.start, (uint32_t)w->units.at.n))
        st = no_memory(w, error);
out:
    return st;
}

/* ---- the search ---- */

static bool enter_once(cflr_witness *w, const state *from) {
    uint64_t row = w->apart ? (uint64_t)from->source * w->spine.n + from->place : from->place;
    uint64_t bit = row * w->ground->graph->n_vertices + from->vertex;
    uint64_t mask = (uint64_t)1 << bit % 64, *word = &w->entered[bit / 64];
    bool first = !(*word & mask);
    *word |= mask;
    return first;
}

/* One state, unless it was entered before or its pair is not kept. */
static cflr_status enter_one(cflr_witness *w, const state *from, cflr_error *error) {
    uint32_t symbol = w->spine.at[from->place];
    if (!cflri_filters_keep(&w->filters, symbol, w->sources[from->source], from->vertex) ||
        !enter_once(w, from))
        return CFLR_OK;
    if (w->states.n >= NO_STATE)
        return cflri_fail(error, CFLR_LIMIT, NULL, "a search for derivations has too many states");
    w->arrived |= from->place == 0 && from->vertex == w->target;
    return cflri_vec_push(w->context, &w->states, *from) ? CFLR_OK : no_memory(w, error);
}

/* The state, and those that follow without a step. */
static cflr_status enter(cflr_witness *w, const state *from, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const moves *units = &w->units;
    size_t first = w->states.n;
    if (w->avoided && from->before != NO_STATE && w->avoided[from->vertex]) return CFLR_OK;
    CFLR_TRY(enter_one(w, from, error));
    for (size_t i = first; i < w->states.n; i++) {
        state next = w->states.at[i];
        uint32_t end = units->start.at[next.place + 1];
        for (uint32_t u = units->start.at[next.place]; u < end; u++) {
            next.place = units->at.at[u].to;
            CFLR_TRY(enter_one(w, &next, error));
        }
    }
out:
    return st;
}

/* Paths begin at a source, where something may be empty, or with an edge of it. */
static cflr_status enter_source(cflr_witness *w, uint32_t number, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_ground *ground = w->ground;
    uint32_t source = w->sources[number];
    for (uint32_t e = 0; e < ground->n_epsilon; e++) {
        const state begin = {source, w->place[ground->epsilon[e]], NO_STATE, CFLRI_NO_SYMBOL,
                             number};
        if (begin.place != OUTSIDE) CFLR_TRY(enter(w, &begin, error));
    }
    uint32_t root = (uint32_t)w->states.n;
    if (!cflri_vec_push(w->context, &w->states, (state){source, OUTSIDE, NO_STATE, 0, number}))
        return no_memory(w, error);
    for (uint32_t place = 0; place < w->spine.n; place++) {
        uint32_t symbol = w->spine.at[place], label = ground->symbol[symbol].label;
        const cflri_relation *edges = is_converse(w, symbol) ? w->relation[symbol] : NULL;
        if (label != CFLR_NO_LABEL) edges = &ground->graph->out[label];
        if (!edges) continue;
        CFLR_TRY(cflri_relation_read_row(w->context, edges, source, &w->row, error));
        for (uint64_t i = 0; i < w->row.count; i++) {
            const state begin = {w->row.target[i], place, root, symbol, number};
            CFLR_TRY(enter(w, &begin, error));
        }
    }
out:
    return st;
}

/* ---- rows that were read ---- */

static size_t slot_of(const seen_row *seen, size_t capacity, seen_row key) {
    uint64_t hash =
        (key.row ^ key.gated * UINT64_C(0xC2B2AE3D27D4EB4F)) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & (capacity - 1);
    while (seen[at].row != 0 && (seen[at].row != key.row || seen[at].gated != key.gated))
        at = (at + 1) & (capacity - 1);
    return at;
}

static bool grow_seen(cflr_witness *w) {
    size_t capacity = w->seen_capacity ? 2 * w->seen_capacity : 1024;
    seen_row *grown = cflri_alloc_array_zero(w->context, capacity, sizeof *grown);
    if (!grown) return false;
    for (size_t i = 0; i < w->seen_capacity; i++)
        if (w->seen[i].row != 0) grown[slot_of(grown, capacity, w->seen[i])] = w->seen[i];
    cflri_free(w->context, w->seen);
    w->seen = grown;
    w->seen_capacity = capacity;
    return true;
}

static bool is_seen(const cflr_witness *w, seen_row key) {
    return w->seen_capacity > 0 && w->seen[slot_of(w->seen, w->seen_capacity, key)].row != 0;
}

/* Was the row with this identity read for this place already? It is from now on. Identities differ
 * in their low 47 bits. What one source has read, another may have to read again. */
static cflr_status see(cflr_witness *w, uint64_t row, uint32_t place, uint64_t gated, bool *first,
                       cflr_error *error) {
    const seen_row whole = {row << 17 ^ (place + 1), 0}, key = {whole.row, gated};
    *first = true;
    if (w->apart) return CFLR_OK;
    if (2 * w->n_seen >= w->seen_capacity && !grow_seen(w)) return no_memory(w, error);
    *first = !is_seen(w, whole) && !is_seen(w, key);
    if (!*first) return CFLR_OK;
    w->seen[slot_of(w->seen, w->seen_capacity, key)] = key;
    w->n_seen++;
    return CFLR_OK;
}

/* ---- the search, continued ---- */

/* What the gate says of the pairs of a symbol from a vertex: 0: nothing. */
static uint64_t gated_by(const cflr_witness *w, const char *symbol, uint32_t step,
                         uint32_t vertex) {
    if (!w->gate || w->ground->symbol[step].label != CFLR_NO_LABEL) return 0;
    uint32_t group = w->gate->group(w->gate->user, symbol, vertex);
    return group == 0 ? 0 : (uint64_t)group << 32 | (step + 1);
}

static bool is_entered(const cflr_witness *w, const state *to) {
    uint64_t bit = (uint64_t)to->place * w->ground->graph->n_vertices + to->vertex;
    return !w->apart && (w->entered[bit / 64] & (uint64_t)1 << bit % 64) != 0;
}

static cflr_status follow(cflr_witness *w, uint32_t number, const move *by, cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool first;
    const cflri_relation *relation = w->relation[by->step];
    const char *symbol = w->ground->grammar->symbol[w->ground->symbol[by->step].symbol].name;
    uint32_t vertex = w->states.at[number].vertex, source = w->states.at[number].source;
    uint32_t r = cflri_relation_find(relation, vertex);
    if (r == relation->n_rows) return CFLR_OK;
    uint64_t gated = gated_by(w, symbol, by->step, vertex);
    CFLR_TRY(see(w, cflri_relation_identity(relation, r), by->to, gated, &first, error));
    if (!first) return CFLR_OK;
    CFLR_TRY(cflri_relation_read(w->context, relation, r, &w->row, error));
    w->n_read += w->row.count;
    for (uint64_t i = 0; i < w->row.count; i++) {
        const state next = {w->row.target[i], by->to, number, by->step, source};
        if (gated != 0 &&
            (is_entered(w, &next) || !w->gate->lets(w->gate->user, symbol, vertex, next.vertex)))
            continue;
        CFLR_TRY(enter(w, &next, error));
    }
out:
    return st;
}

static cflr_status search(cflr_witness *w, cflr_error *error) {
    enum { TICK = 1 << 12 };
    cflr_status st = CFLR_OK;
    const moves *joins = &w->joins;
    for (uint32_t i = 0; i < w->states.n && !w->arrived; i++) {
        uint32_t place = w->states.at[i].place;
        w->cut = w->most && w->n_read >= w->most;
        if (w->cut) break;
        if (i % TICK == 0 && (st = cflri_interrupted(w->context)) != CFLR_OK)
            CFLR_TRY(cflri_fail_interrupted(w->context, st, error));
        if (place == OUTSIDE) continue;
        for (uint32_t j = joins->start.at[place]; j < joins->start.at[place + 1]; j++)
            CFLR_TRY(follow(w, i, &joins->at.at[j], error));
    }
out:
    return st;
}

/* ---- the entry ---- */

static uint32_t find_symbol(const cflri_ground *ground, const char *name, const char *index) {
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        if (strcmp(ground->grammar->symbol[ground->symbol[s].symbol].name, name) == 0 &&
            strcmp(cflri_ground_index_text(ground, s), index) == 0)
            return s;
    }
    return CFLRI_NO_SYMBOL;
}

static void forget_search(cflr_witness *w) {
    cflri_free(w->context, w->entered);
    cflri_free(w->context, w->seen);
    cflri_free(w->context, w->goal);
    w->entered = NULL;
    w->seen = NULL;
    w->goal = NULL;
    w->n_seen = w->seen_capacity = w->n_goals = 0;
    w->n_read = 0;
    w->apart = w->arrived = w->cut = false;
    w->spine.n = w->states.n = 0;
    w->joins.start.n = w->joins.at.n = w->units.start.n = w->units.at.n = 0;
}

static cflr_status prepare(cflr_witness *w, const char *symbol, const char *index, size_t n_sources,
                           cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t start = find_symbol(w->ground, symbol, index);
    if (start == CFLRI_NO_SYMBOL) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the grammar has no %.60s%s%.60s%s here",
                          symbol, index[0] ? "[" : "", index, index[0] ? "]" : "");
    }
    CFLR_TRY(find_spine(w, start, error));
    CFLR_TRY(find_moves(w, error));
    uint64_t bits = (uint64_t)w->spine.n * w->ground->graph->n_vertices;
    if (w->apart) bits *= n_sources;
    w->entered = cflri_alloc_array_zero(w->context, (size_t)(bits / 64 + 1), sizeof *w->entered);
    if (!w->entered) st = no_memory(w, error);
out:
    return st;
}

/* Goals by vertex. Where sources are apart, a vertex is one for each, and the first one counts. */
static cflr_status list_goals(cflr_witness *w, cflr_error *error) {
    for (size_t i = 0; i < w->states.n; i++) w->n_goals += w->states.at[i].place == 0;
    uint64_t *pair = cflri_alloc_array(w->context, w->n_goals, sizeof *pair);
    w->goal = cflri_alloc_array(w->context, w->n_goals, sizeof *w->goal);
    cflr_status st = pair && w->goal ? CFLR_OK : no_memory(w, error);
    size_t n = 0;
    for (uint32_t i = 0; st == CFLR_OK && i < w->states.n; i++)
        if (w->states.at[i].place == 0) pair[n++] = cflri_pair(w->states.at[i].vertex, i);
    if (st == CFLR_OK) st = cflri_sort_pairs(w->context, pair, n, NULL, error);
    for (size_t i = 0; st == CFLR_OK && i < n; i++) w->goal[i] = (uint32_t)pair[i];
    cflri_free(w->context, pair);
    return st;
}

cflr_status cflr_witness_new(const cflr_grammar *grammar, const cflr_result *result,
                             cflr_witness **witness, cflr_error *error) {
    cflr_context *context = result->context;
    cflr_status st = CFLR_OK;
    *witness = NULL;
    if (!cflri_question_is_all(&result->question)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "the result answers a question: derivations may read what it left out");
    }
    cflr_witness *w = cflri_alloc_zero(context, sizeof *w);
    if (!w) return cflri_fail_memory(context, error);
    w->context = context;
    w->result = result;
    CFLR_TRY(cflri_ground_new(grammar, result->graph, &w->ground, error));
    CFLR_TRY(cflri_filters_make(w->ground, &w->filters, error));
    size_t n = w->ground->n_symbols;
    w->relation = cflri_alloc_array_zero(context, n, sizeof *w->relation);
    w->place = cflri_alloc_array(context, n, sizeof *w->place);
    if (!w->relation || !w->place) CFLR_TRY(no_memory(w, error));
    CFLR_TRY(find_relations(w, error));
    *witness = w;
    w = NULL;
out:
    cflr_witness_free(w);
    return st;
}

cflr_status cflr_witness_search(cflr_witness *witness, const char *symbol, const char *index,
                                const uint32_t *sources, size_t n, uint32_t target,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t n_vertices = witness->ground->graph->n_vertices;
    assert(target == CFLR_NO_VERTEX || target < n_vertices);
    assert(n < NO_STATE);
    forget_search(witness);
    witness->sources = sources;
    witness->target = target;
    CFLR_TRY(prepare(witness, symbol, index, n, error));
    for (uint32_t i = 0; i < n; i++) {
        if (sources[i] >= n_vertices)
            CFLR_TRY(
                cflri_fail(error, CFLR_ARGUMENT, NULL, "the graph has no vertex %u", sources[i]));
        CFLR_TRY(enter_source(witness, i, error));
    }
    CFLR_TRY(search(witness, error));
    CFLR_TRY(list_goals(witness, error));
out:
    if (st != CFLR_OK) forget_search(witness);
    return st;
}

void cflr_witness_bound(cflr_witness *witness, uint64_t pairs) {
    witness->most = pairs;
}

void cflr_witness_avoid(cflr_witness *witness, const bool *avoided) {
    witness->avoided = avoided;
}

void cflr_witness_filter(cflr_witness *witness, const cflr_witness_gate *gate) {
    witness->gate = gate;
}

bool cflr_witness_cut(const cflr_witness *witness) {
    return witness->cut;
}

void cflr_witness_free(cflr_witness *witness) {
    if (!witness) return;
    cflr_context *context = witness->context;
    forget_search(witness);
    cflr_row_free(&witness->row);
    cflri_free(context, (void *)witness->relation);
    cflri_free(context, witness->place);
    cflri_vec_free(context, &witness->spine);
    cflri_vec_free(context, &witness->joins.start);
    cflri_vec_free(context, &witness->joins.at);
    cflri_vec_free(context, &witness->units.start);
    cflri_vec_free(context, &witness->units.at);
    cflri_vec_free(context, &witness->states);
    cflri_filters_free(&witness->filters);
    cflri_ground_free(witness->ground);
    cflri_free(context, witness);
}

/* ---- paths ---- */

static uint32_t find_goal(const cflr_witness *w, uint32_t vertex) {
    size_t low = 0, high = w->n_goals;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->states.at[w->goal[middle]].vertex < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < w->n_goals && w->states.at[w->goal[low]].vertex == vertex;
    return found ? w->goal[low] : NO_STATE;
}

size_t cflr_witness_path(const cflr_witness *witness, uint32_t target, cflr_witness_step *steps,
                         size_t capacity) {
    const cflri_ground *ground = witness->ground;
    const state *at = witness->states.at;
    uint32_t goal = find_goal(witness, target);
    size_t n = 0;
    if (goal == NO_STATE) return 0;
    for (uint32_t i = goal; at[i].before != NO_STATE; i = at[i].before) n++;
    size_t k = n;
    for (uint32_t i = goal; at[i].before != NO_STATE; i = at[i].before) {
        if (--k >= capacity) continue;
        uint32_t symbol = at[i].step;
        steps[k] = (cflr_witness_step){
            .source = at[at[i].before].vertex,
            .target = at[i].vertex,
            .label = ground->symbol[symbol].label,
            .symbol = ground->grammar->symbol[ground->symbol[symbol].symbol].name,
            .index = cflri_ground_index_text(ground, symbol)};
    }
    return n;
}
