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
 * one bit for each word that is not zero, so that the cost is O(items + vertices / 4096). A short
 * row, or one that is short beside that second term, is sorted by comparing or by radix.
 */
#include "engine/closure/pairs/collect.h"

#include <assert.h>
#include <omp.h>
#include <string.h>

#include "base/context.h"

enum { FEW = 24, VERTICES_A_TURN = 256 };

typedef struct sorter {
    cflr_context *context;
    uint64_t *bits;    /* all zero between rows */
    uint64_t *summary; /* bit w: bits[w] is not zero */
    size_t n_summary;
    CFLRI_VEC(uint64_t) wide; /* for radix */
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
    cflri_vec_free(s->context, &s->wide);
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

static cflr_status sort_by_radix(sorter *s, const uint32_t *items, uint32_t n, uint32_t *to) {
    s->wide.n = 0;
    if (!cflri_vec_reserve(s->context, &s->wide, n)) return CFLR_NO_MEMORY;
    for (uint32_t i = 0; i < n; i++) s->wide.at[i] = items[i];
    cflr_status st = cflri_sort_pairs(s->context, s->wide.at, n, NULL, NULL);
    for (uint32_t i = 0; st == CFLR_OK && i < n; i++) to[i] = (uint32_t)s->wide.at[i];
    return st;
}

static cflr_status sort_row(sorter *s, const cflri_found_row *row, uint32_t *to) {
    if (row->edge) {
        for (uint32_t i = 0; i < row->n; i++) to[i] = (uint32_t)row->edge[i];
    } else if (row->n <= FEW) {
        sort_few(row->target, row->n, to);
    } else if (row->n >= s->n_summary / 8) {
        sort_by_bits(s, row->target, row->n, to);
    } else {
        return sort_by_radix(s, row->target, row->n, to);
    }
    return CFLR_OK;
}

/* ---- the walks ---- */

typedef struct collector {
    const cflri_found *found;
    uint32_t n_symbols, n_vertices;
    cflri_relation *relation;
    uint32_t *laid;  /* rows laid so far, of each symbol */
    uint32_t bound;  /* rows of vertices below it are kept */
    uint32_t always; /* symbols that have a row at every vertex */
} collector;

enum { ROW_BYTES = sizeof(uint32_t) + sizeof(uint64_t) };

static bool next_row(const collector *c, uint32_t vertex, uint32_t *at, cflri_found_row *row) {
    return c->found->next(c->found, vertex, at, row);
}

static bool is_mirrored(const collector *c, uint32_t symbol) {
    const cflri_plan *plan = c->found->plan;
    return plan && plan->mirror[symbol] != CFLRI_NO_SYMBOL;
}

/* Has the symbol a row at every vertex, made or not? */
static bool is_everywhere(const collector *c, uint32_t symbol) {
    const cflri_plan *plan = c->found->plan;
    return plan && plan->nullable[symbol] && !is_mirrored(c, symbol);
}

/* Of the relations, for the rows of one vertex; about, where they are mirrored. */
static uint64_t bytes_at(const collector *c, uint32_t vertex) {
    const cflri_plan *plan = c->found->plan;
    uint64_t bytes = (uint64_t)c->always * (ROW_BYTES + sizeof(uint32_t));
    cflri_found_row row;
    for (uint32_t at = 0; next_row(c, vertex, &at, &row);) {
        uint64_t one = ROW_BYTES + row.n * sizeof(uint32_t);
        bytes += one * (plan ? plan->copies[row.symbol] : 1);
    }
    return bytes;
}

/* Sets the bound, so that rows below it take `room` bytes at most, and counts these. */
static void count(collector *c, uint64_t room) {
    uint32_t v = 0;
    for (uint32_t s = 0; s < c->n_symbols; s++) c->always += is_everywhere(c, s);
    for (; v < c->n_vertices; v++) {
        uint64_t bytes = room == UINT64_MAX ? 0 : bytes_at(c, v);
        if (bytes > room) break;
        room -= bytes;
        cflri_found_row row;
        for (uint32_t at = 0; next_row(c, v, &at, &row);) {
            c->relation[row.symbol].n_rows++;
            c->relation[row.symbol].n_pairs += row.n;
        }
    }
    c->bound = v;
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!is_everywhere(c, s)) continue;
        relation->n_pairs += v - relation->n_rows; /* one pair for each row that was not made */
        relation->n_rows = v;
    }
}

static bool allocate_all(const collector *c) {
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!relation->n_rows) continue;
        if (cflri_relation_allocate(c->found->problem->context, relation, NULL) != CFLR_OK) {
            return false;
        }
    }
    return true;
}

/* A row at every vertex. */
static void lay_everywhere(cflri_relation *relation) {
    for (uint32_t v = 0; v < relation->n_rows; v++) {
        relation->row[v] = v;
        relation->start[v + 1] = 1;
    }
}

/* Writes the lengths of rows into `start`, one place ahead. */
static void lay_rows(const collector *c) {
    for (uint32_t v = 0; v < c->bound; v++) {
        cflri_found_row row;
        for (uint32_t at = 0; next_row(c, v, &at, &row);) {
            cflri_relation *relation = &c->relation[row.symbol];
            uint32_t r = is_everywhere(c, row.symbol) ? v : c->laid[row.symbol]++;
            relation->row[r] = v;
            relation->start[r + 1] = row.n;
        }
    }
}

static void lay(collector *c) {
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        if (is_everywhere(c, s)) lay_everywhere(&c->relation[s]);
    }
    lay_rows(c);
    for (uint32_t s = 0; s < c->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!relation->n_rows) continue;
        relation->start[0] = 0;
        for (uint32_t r = 0; r < relation->n_rows; r++) {
            relation->start[r + 1] += relation->start[r];
        }
        assert(relation->start[relation->n_rows] == relation->n_pairs);
        if (!is_everywhere(c, s)) continue;
        for (uint32_t v = 0; v < relation->n_rows; v++) relation->target[relation->start[v]] = v;
    }
}

static cflr_status fill_vertex(const collector *c, sorter *s, uint32_t v) {
    cflri_found_row row;
    for (uint32_t at = 0; next_row(c, v, &at, &row);) {
        const cflri_relation *relation = &c->relation[row.symbol];
        uint64_t n;
        const uint32_t *place = cflri_relation_row(relation, v, &n);
        assert(place && n == row.n);
        cflr_status st = sort_row(s, &row, relation->target + (place - relation->target));
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
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
            if (!failures && fill_vertex(c, &s, v) != CFLR_OK) failures++;
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
        if (!is_mirrored(c, s)) continue;
        const cflri_relation *from = &c->relation[plan->mirror[s]];
        cflr_status st = cflri_relation_reverse(problem->context, from, 1, &c->relation[s], NULL);
        if (st != CFLR_OK) return false;
    }
    return true;
}

/* From as many vertices as `room` bytes hold. False when memory was refused all the same; what
 * *closure then holds is to be freed. */
static bool build(const cflri_found *found, uint64_t room, cflri_closure *closure) {
    const cflri_problem *problem = found->problem;
    uint32_t n = problem->ground->n_symbols;
    collector c = {.found = found, .n_symbols = n, .n_vertices = problem->n_vertices};
    *closure = (cflri_closure){.n_symbols = n};
    closure->relation =
        cflri_alloc_array_zero(problem->context, (size_t)n + 1, sizeof *closure->relation);
    c.laid = cflri_alloc_array_zero(problem->context, (size_t)n + 1, sizeof *c.laid);
    c.relation = closure->relation;
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

/* Room for rows when not all fit: what is left of the memory limit, less what does not depend on
 * rows, and less than all of them take. */
static uint64_t room_for_rows(const cflri_found *found) {
    uint64_t n = found->problem->n_vertices, left = cflri_memory_left(found->problem->context);
    uint64_t sorters = (uint64_t)found->threads * (n / 8 + n / 512 + (1 << 16));
    uint64_t fixed = found->fixed_bytes + sorters;
    uint64_t all = found->targets * sizeof(uint32_t) + found->rows * ROW_BYTES;
    if (fixed >= left) return 0;
    return left - fixed < all ? left - fixed : all;
}

cflr_status cflri_collect(const cflri_found *found, cflr_status ended, cflri_closure *closure,
                          cflr_error *error) {
    cflr_context *context = found->problem->context;
    uint64_t room = UINT64_MAX; /* first all of it */
    while (!build(found, room, closure)) {
        cflri_closure_free(context, closure);
        if (ended == CFLR_OK) ended = cflri_fail_memory(context, error);
        if (ended == CFLR_NO_MEMORY) return ended;
        if (!room) return cflri_closure_empty(found->problem, ended, closure, error);
        room = room == UINT64_MAX ? room_for_rows(found) : room / 2;
    }
    closure->rounds = found->rounds;
    closure->derivations = found->derivations;
    return ended;
}
