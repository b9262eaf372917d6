/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.c: from the rows of partitions to the relations of a closure.
 *
 *     count   rows and pairs of each symbol                          one walk over the rows
 *     lay     row numbers and starts, vertices ascending             one walk over the directories
 *     fill    each row's items, sorted, into its place               the same walk, on all threads
 *     mirror  ~X from X;  fixed symbols from the graph's relations
 *
 * A row is sorted by setting bits and reading them back: one bit a vertex, and over it one bit for
 * each word that is not zero, so that the cost is O(items + vertices / 4096). A short row, or one
 * that is short beside that second term, is sorted by comparing or by radix.
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

static cflr_status sort_row(sorter *s, const cflri_hashed_row *row, uint32_t *to) {
    const uint32_t *items = cflri_hashed_row_items(row);
    if (row->count <= FEW) {
        sort_few(items, row->count, to);
    } else if (row->count >= s->n_summary / 8) {
        sort_by_bits(s, items, row->count, to);
    } else {
        return sort_by_radix(s, items, row->count, to);
    }
    return CFLR_OK;
}

/* ---- the walks ---- */

typedef struct collector {
    const cflri_team *team;
    const cflri_worker *workers;
    cflri_relation *relation;
    uint32_t *laid;  /* rows laid so far, of each symbol */
    uint32_t bound;  /* rows of vertices below it are kept */
    uint32_t always; /* symbols that have a row at every vertex */
} collector;

enum { ROW_BYTES = sizeof(uint32_t) + sizeof(uint64_t) };

static const cflri_partition *owner_of(const collector *c, uint32_t vertex) {
    return &c->workers[cflri_owner(c->team->deal, vertex)].part;
}

/* The next row at a vertex that holds pairs of its own, or NULL. */
static const cflri_hashed_row *next_row(const collector *c, uint32_t vertex, uint32_t *at) {
    const cflri_entry *entry;
    while ((entry = cflri_directory_next(&c->team->out[vertex], at))) {
        const cflri_hashed_row *row = cflri_partition_row(owner_of(c, vertex), entry->id);
        if (!cflri_hashed_row_fixed(row) && row->count) return row;
    }
    return NULL;
}

/* Of the relations, for the rows of one vertex; about, where they are mirrored. */
static uint64_t bytes_at(const collector *c, uint32_t vertex) {
    uint64_t bytes = (uint64_t)c->always * (ROW_BYTES + sizeof(uint32_t));
    const cflri_hashed_row *row;
    for (uint32_t at = 0; (row = next_row(c, vertex, &at));) {
        uint64_t one = ROW_BYTES + row->count * sizeof(uint32_t);
        bytes += one * c->team->plan.copies[row->label];
    }
    return bytes;
}

/* Sets the bound, so that rows below it take `room` bytes at most, and counts these. */
static void count(collector *c, uint64_t room) {
    const cflri_plan *plan = &c->team->plan;
    uint32_t n = c->team->problem->n_vertices, v = 0;
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        c->always += plan->nullable[s] && plan->mirror[s] == CFLRI_NO_SYMBOL;
    }
    for (; v < n; v++) {
        uint64_t bytes = room == UINT64_MAX ? 0 : bytes_at(c, v);
        if (bytes > room) break;
        room -= bytes;
        const cflri_hashed_row *row;
        for (uint32_t at = 0; (row = next_row(c, v, &at));) {
            c->relation[row->label].n_rows++;
            c->relation[row->label].n_pairs += row->count;
        }
    }
    c->bound = v;
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!plan->nullable[s] || plan->mirror[s] != CFLRI_NO_SYMBOL) continue;
        relation->n_pairs += v - relation->n_rows; /* one pair for each row that was not made */
        relation->n_rows = v;
    }
}

static bool allocate_all(const collector *c) {
    for (uint32_t s = 0; s < c->team->plan.n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!relation->n_rows) continue;
        if (cflri_relation_allocate(c->team->problem->context, relation, NULL) != CFLR_OK) {
            return false;
        }
    }
    return true;
}

/* A nullable symbol has a row at every vertex, made or not. */
static void lay_nullable(cflri_relation *relation) {
    for (uint32_t v = 0; v < relation->n_rows; v++) {
        relation->row[v] = v;
        relation->start[v + 1] = 1;
    }
}

/* Writes the lengths of rows into `start`, one place ahead. */
static void lay_rows(const collector *c) {
    for (uint32_t v = 0; v < c->bound; v++) {
        const cflri_hashed_row *row;
        for (uint32_t at = 0; (row = next_row(c, v, &at));) {
            cflri_relation *relation = &c->relation[row->label];
            uint32_t r = c->team->plan.nullable[row->label] ? v : c->laid[row->label]++;
            relation->row[r] = v;
            relation->start[r + 1] = row->count;
        }
    }
}

static void lay(collector *c) {
    const cflri_plan *plan = &c->team->plan;
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        if (plan->nullable[s] && c->relation[s].n_rows) lay_nullable(&c->relation[s]);
    }
    lay_rows(c);
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        cflri_relation *relation = &c->relation[s];
        if (!relation->n_rows) continue;
        relation->start[0] = 0;
        for (uint32_t r = 0; r < relation->n_rows; r++) {
            relation->start[r + 1] += relation->start[r];
        }
        assert(relation->start[relation->n_rows] == relation->n_pairs);
        if (!plan->nullable[s]) continue;
        for (uint32_t v = 0; v < relation->n_rows; v++) relation->target[relation->start[v]] = v;
    }
}

static cflr_status fill_vertex(const collector *c, sorter *s, uint32_t v) {
    const cflri_hashed_row *row;
    for (uint32_t at = 0; (row = next_row(c, v, &at));) {
        const cflri_relation *relation = &c->relation[row->label];
        uint64_t n;
        const uint32_t *place = cflri_relation_row(relation, v, &n);
        assert(place && n == row->count);
        cflr_status st = sort_row(s, row, relation->target + (place - relation->target));
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* False when memory was refused. */
static bool fill(const collector *c, int threads) {
    const cflri_problem *problem = c->team->problem;
    int failures = 0;
    if (!c->bound) return true;
#pragma omp parallel num_threads(threads) reduction(+ : failures)
    {
        sorter s;
        if (!sorter_init(&s, problem->context, problem->n_vertices)) failures++;
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
    const cflri_problem *problem = c->team->problem;
    const cflri_plan *plan = &c->team->plan;
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        if (!plan->fixed[s] || !problem->input[s]) continue;
        c->relation[s] = cflri_relation_borrow(problem->input[s]);
    }
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        if (plan->mirror[s] == CFLRI_NO_SYMBOL) continue;
        const cflri_relation *from = &c->relation[plan->mirror[s]];
        cflr_status st = cflri_relation_reverse(problem->context, from, 1, &c->relation[s], NULL);
        if (st != CFLR_OK) return false;
    }
    return true;
}

/* From as many vertices as `room` bytes hold. False when memory was refused all the same; what
 * *closure then holds is to be freed. */
static bool build(const cflri_team *team, const cflri_worker *workers, int threads, uint64_t room,
                  cflri_closure *closure) {
    cflr_context *context = team->problem->context;
    size_t symbols = (size_t)team->plan.n_symbols + 1;
    collector c = {.team = team, .workers = workers};
    *closure = (cflri_closure){.n_symbols = team->plan.n_symbols};
    closure->relation = cflri_alloc_array_zero(context, symbols, sizeof *closure->relation);
    c.laid = cflri_alloc_array_zero(context, symbols, sizeof *c.laid);
    c.relation = closure->relation;
    bool built = c.relation && c.laid;
    if (built) {
        count(&c, room);
        built = allocate_all(&c);
    }
    if (built) {
        lay(&c);
        built = fill(&c, threads) && derive_others(&c);
    }
    cflri_free(context, c.laid);
    return built;
}

/* Why the workers ended, told in *error. */
static cflr_status reason(const cflri_team *team, const cflri_worker *workers, cflr_error *error) {
    cflr_context *context = team->problem->context;
    for (uint32_t p = 0; p < team->deal.parts; p++) {
        switch (workers[p].end) {
            case CFLRI_END_NONE:
            case CFLRI_END_BUDGET: /* was not collected */
                continue;
            case CFLRI_END_REFUSED:
                return cflri_fail_memory(context, error);
            case CFLRI_END_FULL:
                return cflri_fail(error, CFLR_LIMIT, NULL,
                                  "memory limit reached: the result would not fit any more");
            case CFLRI_END_CANCELLED:
                return cflri_fail_interrupted(context, CFLR_CANCELLED, error);
            case CFLRI_END_TIME:
                return cflri_fail_interrupted(context, CFLR_LIMIT, error);
        }
    }
    return CFLR_OK;
}

/* Room for rows when not all fit: what is left of the memory limit, less what does not depend on
 * rows, and less than all of them take. */
static uint64_t room_for_rows(const cflri_team *team, const cflri_worker *workers, int threads) {
    uint64_t n = team->problem->n_vertices, left = cflri_memory_left(team->problem->context);
    uint64_t all = 0, fixed = team->fixed_bytes + (uint64_t)threads * (n / 8 + n / 512 + (1 << 16));
    if (team->mirrors) fixed += n * sizeof(uint64_t); /* to read backwards */
    for (uint32_t p = 0; p < team->deal.parts; p++) {
        const cflri_partition *part = &workers[p].part;
        all += part->copies * sizeof(uint32_t) + part->rows.n * UINT64_C(2) * ROW_BYTES;
    }
    if (fixed >= left) return 0;
    return left - fixed < all ? left - fixed : all;
}

static void sum_up(const cflri_team *team, const cflri_worker *workers, cflri_closure *closure) {
    for (uint32_t p = 0; p < team->deal.parts; p++) {
        closure->rounds = workers[p].rounds > closure->rounds ? workers[p].rounds : closure->rounds;
        closure->derivations += workers[p].derivations;
    }
}

cflr_status cflri_collect(cflri_team *team, cflri_worker *workers, int threads,
                          cflri_closure *closure, cflr_error *error) {
    cflr_context *context = team->problem->context;
    *closure = (cflri_closure){0};
    cflr_status ended = reason(team, workers, error);
    if (ended != CFLR_OK && ended != CFLR_LIMIT && ended != CFLR_CANCELLED) return ended;
    cflri_team_end_solving(team);
    for (uint32_t p = 0; p < team->deal.parts; p++) cflri_partition_end_solving(&workers[p].part);
    cflri_return_pages(context); /* lists lay between items */
    uint64_t room = UINT64_MAX;  /* first all of it */
    while (!build(team, workers, threads, room, closure)) {
        cflri_closure_free(context, closure);
        if (ended == CFLR_OK) ended = cflri_fail_memory(context, error);
        if (ended == CFLR_NO_MEMORY) return ended;
        if (!room) return cflri_closure_empty(team->problem, ended, closure, error);
        room = room == UINT64_MAX ? room_for_rows(team, workers, threads) : room / 2;
    }
    sum_up(team, workers, closure);
    return ended;
}
