/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.c: from the rows that a model has found to the relations of a closure.
 *
 *     count   rows and pairs of each symbol                          one walk over the rows
 *     lay     row numbers and starts, vertices ascending             the same walk
 *     fill    each row's items, sorted, into its place               the same walk, on all threads
 *     mirror  ~X from X;  fixed symbols from the graph's relations
 *
 * A row in no order is sorted by setting bits and reading them back: one bit a vertex, and over it
 * one bit for each word that is not zero, so that the cost is O(items + vertices / 4096). A row of
 * few items is sorted by comparing.
 */
#include "engine/closure/pairs/collect.h"

#include <assert.h>
#include <omp.h>

#include "base/context.h"

enum { FEW = 24, VERTICES_A_TURN = 256 };

/* ---- sorting ---- */

typedef struct sorter {
    cflr_context *context;
    uint64_t *bits;    /* all zero between rows */
    uint64_t *summary; /* bit w: bits[w] is not zero */
    size_t n_summary;
} sorter;

static bool sorter_init(sorter *s, cflr_context *context, uint32_t n_vertices) {
    size_t words = (size_t)n_vertices / 64 + 1;
    *s = (sorter){.context = context, .n_summary = words / 64 + 1};
    s->bits = cflri_alloc_array_zero(context, words, sizeof *s->bits);
    s->summary = cflri_alloc_array_zero(context, s->n_summary, sizeof *s->summary);
    return s->bits && s->summary;
}

static void sorter_free(sorter *s) {
    cflri_free(s->context, s->bits);
    cflri_free(s->context, s->summary);
}

static void sort_few(const uint32_t *items, uint32_t n, uint32_t *to) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = items[i], at = i;
        for (; at > 0 && to[at - 1] > id; at--) to[at] = to[at - 1];
        to[at] = id;
    }
}

static void sort_by_bits(sorter *s, const uint32_t *items, uint32_t n, uint32_t *to) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t word = items[i] / 64;
        s->bits[word] |= (uint64_t)1 << (items[i] % 64);
        s->summary[word / 64] |= (uint64_t)1 << (word % 64);
    }
    for (size_t k = 0; k < s->n_summary; k++) {
        for (uint64_t some = s->summary[k]; some; some &= some - 1) {
            size_t word = k * 64 + (size_t)__builtin_ctzll(some);
            for (uint64_t left = s->bits[word]; left; left &= left - 1) {
                *to++ = (uint32_t)(word * 64 + (size_t)__builtin_ctzll(left));
            }
            s->bits[word] = 0;
        }
        s->summary[k] = 0;
    }
}

/* ---- what was found ---- */

/* The targets of one symbol at one vertex: `target`, in any order, or `edge`, which holds them in
 * its lower half, ascending. */
typedef struct found_row {
    uint32_t symbol;
    uint32_t n; /* not 0 */
    const uint32_t *target;
    const uint64_t *edge;
} found_row;

static bool next_of_edges(const cflri_mixed_list *list, uint32_t *at, found_row *row) {
    uint32_t first = *at, symbol;
    if (first == list->n) return false;
    symbol = (uint32_t)(list->at[first] >> 32);
    while (*at < list->n && list->at[*at] >> 32 == symbol) ++*at;
    *row = (found_row){.symbol = symbol, .n = *at - first, .edge = &list->at[first]};
    return true;
}

/* The next row at the vertex; *at is 0 before the first. False when there is none. */
static bool next_row(const cflri_model_rows *found, uint32_t vertex, uint32_t *at, found_row *row) {
    if (found->edges) return next_of_edges(&found->edges[vertex], at, row);
    const cflri_hashed_row *own;
    while ((own = cflri_directory_next(&found->rows[vertex], at))) {
        if (cflri_hashed_row_fixed(own) || !own->count) continue;
        *row = (found_row){own->label, own->count, cflri_hashed_row_items(own), NULL};
        return true;
    }
    return false;
}

static bool is_mirrored(const cflri_model_rows *found, uint32_t symbol) {
    return found->plan && found->plan->mirror[symbol] != CFLRI_NO_SYMBOL;
}

/* Has the symbol a row at every vertex, made or not? */
static bool is_everywhere(const cflri_model_rows *found, uint32_t symbol) {
    return found->plan && found->plan->nullable[symbol] && !is_mirrored(found, symbol);
}

/* ---- the walks ---- */

typedef struct collector {
    const cflri_model_rows *found;
    uint32_t n_symbols, n_vertices;
    cflri_relation *relation;
    uint32_t *laid; /* rows laid so far, of each symbol */
    uint32_t bound; /* rows of vertices below it are kept */
} collector;

enum { ROW_BYTES = sizeof(uint32_t) + sizeof(uint64_t) };

/* Of the relations, for the rows of one vertex; about, where they are mirrored. */
static uint64_t bytes_at(const collector *c, uint32_t vertex, uint32_t always) {
    const cflri_plan *plan = c->found->plan;
    uint64_t bytes = (uint64_t)always * (ROW_BYTES + sizeof(uint32_t));
    found_row row;
    for (uint32_t at = 0; next_row(c->found, vertex, &at, &row);) {
        uint64_t one = ROW_BYTES + row.n * sizeof(uint32_t);
        bytes += plan && plan->has_mirror[row.symbol] ? 2 * one : one;
    }
    return bytes;
}

/* Counts the rows that are kept: all, or where *room is not UINT64_MAX those of the first vertices
 * that fit into so many bytes. It becomes what they take. */
static void count(collector *c, uint64_t *room) {
    uint64_t left = *room;
    uint32_t v = 0, always = 0; /* symbols that have a row at every vertex */
    for (uint32_t s = 0; s < c->n_symbols; s++) always += is_everywhere(c->found, s);
    for (; v < c->n_vertices; v++) {
        uint64_t bytes = *room == UINT64_MAX ? 0 : bytes_at(c, v, always);
        if (bytes > left) break;
        left -= bytes;
        found_row row;
        for (uint32_t at = 0; next_row(c->found, v, &at, &row);) {
            c->relation[row.symbol].n_rows++;
            c->relation[row.symbol].n_pairs += row.n;
        }
    }
    c->bound = v;
    if (*room != UINT64_MAX) *room -= left;
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!is_everywhere(c->found, s)) continue;
        relation->n_pairs += v - relation->n_rows; /* one pair for each row that was not made */
        relation->n_rows = v;
    }
}

static bool allocate_all(const collector *c) {
    cflr_context *context = c->found->problem->context;
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!relation->n_rows) continue;
        if (cflri_relation_allocate(context, relation, NULL) != CFLR_OK) return false;
        relation->start[0] = 0;
    }
    return true;
}

static void lay_row(const collector *c, uint32_t symbol, uint32_t vertex, uint32_t n) {
    const cflri_relation *relation = &c->relation[symbol];
    uint32_t r = c->laid[symbol]++;
    relation->row[r] = vertex;
    relation->start[r + 1] = relation->start[r] + n;
}

/* Rows that were not made, of the vertices up to `end`. */
static void lay_reflexive(const collector *c, uint32_t symbol, uint32_t end) {
    const cflri_relation *relation = &c->relation[symbol];
    for (uint32_t v = c->laid[symbol]; v < end; v++) {
        relation->target[relation->start[v]] = v;
        lay_row(c, symbol, v, 1);
    }
}

static void lay(const collector *c) {
    for (uint32_t v = 0; v < c->bound; v++) {
        found_row row;
        for (uint32_t at = 0; next_row(c->found, v, &at, &row);) {
            if (is_everywhere(c->found, row.symbol)) lay_reflexive(c, row.symbol, v);
            lay_row(c, row.symbol, v, row.n);
        }
    }
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        if (is_everywhere(c->found, s)) lay_reflexive(c, s, c->bound);
    }
}

static void fill_vertex(const collector *c, sorter *s, uint32_t v) {
    found_row row;
    for (uint32_t at = 0; next_row(c->found, v, &at, &row);) {
        const cflri_relation *relation = &c->relation[row.symbol];
        uint32_t *to = relation->target + relation->start[cflri_relation_find(relation, v)];
        if (row.edge) {
            for (uint32_t i = 0; i < row.n; i++) to[i] = (uint32_t)row.edge[i];
        } else if (row.n <= FEW) {
            sort_few(row.target, row.n, to);
        } else {
            sort_by_bits(s, row.target, row.n, to);
        }
    }
}

/* False when memory was refused. */
static bool fill(const collector *c) {
    int failures = 0;
    if (!c->bound) return true;
#pragma omp parallel num_threads(c->found->threads) reduction(+ : failures)
    {
        sorter s;
        if (!sorter_init(&s, c->found->problem->context, c->n_vertices)) failures++;
#pragma omp for schedule(dynamic, VERTICES_A_TURN)
        for (uint32_t v = 0; v < c->bound; v++) {
            if (!failures) fill_vertex(c, &s, v);
        }
        sorter_free(&s);
    }
    return !failures;
}

/* What has no rows here: fixed symbols, then mirrored ones. */
static bool derive_others(const collector *c) {
    const cflri_problem *problem = c->found->problem;
    const cflri_plan *plan = c->found->plan;
    for (uint32_t s = 0; plan && s < c->n_symbols; s++) {
        if (!plan->fixed[s] || !problem->input[s]) continue;
        c->relation[s] = cflri_relation_borrow(problem->input[s]);
    }
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        if (!is_mirrored(c->found, s)) continue;
        const cflri_relation *from = &c->relation[plan->mirror[s]];
        cflr_status st = cflri_relation_reverse(problem->context, from, 1, &c->relation[s], NULL);
        if (st != CFLR_OK) return false;
    }
    return true;
}

/* From as many vertices as *room bytes hold (count). False when memory was refused all the same;
 * what *closure then holds is to be freed. */
static bool build(const cflri_model_rows *found, uint64_t *room, cflri_closure *closure) {
    const cflri_problem *problem = found->problem;
    uint32_t n = problem->ground->n_symbols;
    collector c = {.found = found, .n_symbols = n, .n_vertices = problem->n_vertices};
    c.relation = cflri_alloc_array_zero(problem->context, (size_t)n + 1, sizeof *c.relation);
    c.laid = cflri_alloc_array_zero(problem->context, (size_t)n + 1, sizeof *c.laid);
    closure->n_symbols = c.relation ? n : 0;
    closure->relation = c.relation;
    bool built = c.relation && c.laid;
    if (built) {
        count(&c, room);
        built = allocate_all(&c);
    }
    if (built) {
        lay(&c);
        built = fill(&c) && derive_others(&c);
    }
    cflri_free(problem->context, c.laid);
    return built;
}

cflr_status cflri_collect(const cflri_model_rows *found, cflr_status ended, cflri_closure *closure,
                          cflr_error *error) {
    cflr_context *context = found->problem->context;
    cflri_closure told = *closure;
    uint64_t room = UINT64_MAX; /* first all of it */
    while (!build(found, &room, closure)) {
        cflri_closure_free(context, closure);
        if (ended == CFLR_OK) ended = cflri_fail_memory(context, error);
        if (ended == CFLR_NO_MEMORY) return ended;
        if (!room) return ended; /* of a closure without relations */
        room = room == UINT64_MAX ? cflri_memory_left(context) : room / 4 * 3;
    }
    closure->rounds = told.rounds;
    closure->derivations = told.derivations;
    return ended;
}
