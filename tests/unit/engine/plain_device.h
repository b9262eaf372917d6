/* SPDX-License-Identifier: Apache-2.0
 *
 * plain_device.h: a device that closes bit matrices (engine/closure/bits/device.h) on the
 * processor, so simply that it is right.
 *
 *     row     0   1101 0000 ...      all rows of all matrices, of so many words that
 *             1   0000 0010 ...      each has a bit for every vertex
 *
 * It goes through all rules of a stage, all rows and all bits, until no rule adds one. It knows
 * only what the system says, and asserts that there is a row wherever a rule has bits for it.
 */
#ifndef TEST_ENGINE_PLAIN_DEVICE_H
#define TEST_ENGINE_PLAIN_DEVICE_H

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "engine/closure/bits/device.h"
#include "engine/sets/packed_rows.h"

/* What goes wrong. Zero bytes: nothing. Each test is a process, so it has its own. */
typedef struct plain_troubles {
    uint32_t full_at;    /* 1 + the stage that finds the device full when it has found something */
    uint64_t stop_after; /* how often the device asks before the run is no longer wanted */
    bool cancelled;      /* then it is cancelled; otherwise its time is over */
    uint32_t dies_at;    /* 1 + the stage in which its process dies */
    uint32_t late;       /* milliseconds until it has begun */
    atomic_bool *tells;  /* that full_at or dies_at has come, to whatever process; or NULL */
} plain_troubles;

static plain_troubles plain_trouble;

typedef struct plain_device {
    const cflri_bit_system *system;
    const cflri_bit_services *services;
    uint32_t n_rows, words; /* of all matrices; of each row */
    uint32_t *bits;
    uint64_t pairs, rounds, ticks;
    bool found; /* something, in this round */
    uint32_t n_sets;
    uint32_t *set;    /* by row, as fetched */
    uint32_t *row_of; /* by set: a row that has it */
} plain_device;

/* ---- bits ---- */

static inline uint32_t *plain_row(const plain_device *d, uint32_t row) {
    return d->bits + (size_t)row * d->words;
}

static inline const cflri_bit_matrix *plain_matrix(const plain_device *d, uint32_t matrix) {
    return &d->system->matrix[matrix];
}

/* The next bit of a row from there on, or UINT32_MAX. */
static inline uint32_t plain_next(const plain_device *d, const uint32_t *row, uint32_t from) {
    for (uint32_t w = from / 32; w < d->words; w++) {
        uint32_t left = row[w];
        if (w == from / 32) left &= ~0u << from % 32;
        if (left) return w * 32 + (uint32_t)__builtin_ctz(left);
    }
    return UINT32_MAX;
}

/* Adds bits to a word, those that the row may hold. */
static inline void plain_add(plain_device *d, uint32_t matrix, uint32_t row, uint32_t word,
                             uint32_t more) {
    const cflri_bit_matrix *m = plain_matrix(d, matrix);
    uint32_t *at = plain_row(d, m->first + row) + word, mask = m->masks.of ? m->masks.of[row] : 0;
    more &= ~*at;
    if (!more) return;
    cr_assert_leq(word, (m->n_columns - 1) / 32);
    if (mask) more &= m->masks.bits[(mask - 1) * ((m->n_columns + (size_t)31) / 32) + word];
    *at |= more;
    d->pairs += (uint32_t)__builtin_popcount(more);
    d->found |= more;
}

static inline void plain_add_bit(plain_device *d, uint32_t matrix, uint32_t row, uint32_t column) {
    cr_assert_lt(row, plain_matrix(d, matrix)->n_rows);
    cr_assert_lt(column, plain_matrix(d, matrix)->n_columns);
    plain_add(d, matrix, row, column / 32, 1u << column % 32);
}

static inline void plain_unite(plain_device *d, const cflri_bit_rule *rule, uint32_t left,
                               uint32_t right) {
    const uint32_t *from = plain_row(d, plain_matrix(d, rule->right)->first + right);
    cr_assert_lt(left, plain_matrix(d, rule->left)->n_rows);
    for (uint32_t w = 0; w < d->words; w++) {
        if (from[w]) plain_add(d, rule->left, left, w, from[w]);
    }
}

/* ---- rules ---- */

static inline uint32_t plain_source(const cflri_bit_edges *edges, uint32_t i) {
    return edges->source ? edges->source[i] : i;
}

static inline uint32_t plain_label(const cflri_bit_edges *edges, uint64_t e) {
    return edges->label ? edges->label[e] : 0;
}

static inline void plain_apply_unite(plain_device *d, const cflri_bit_rule *rule) {
    const cflri_bit_edges *edges = &rule->edges;
    for (uint32_t i = 0; i < edges->n_sources; i++) {
        for (uint64_t e = edges->start[i]; e < edges->start[i + 1]; e++)
            plain_unite(d, rule, plain_source(edges, i), edges->to[e]);
    }
}

/* By the pair (u,v) of `by`. */
static inline void plain_apply_pair(plain_device *d, const cflri_bit_rule *rule, uint32_t u,
                                    uint32_t v) {
    bool spread = rule->kind == CFLRI_BITS_SPREAD;
    uint32_t right = cflri_bit_row_of(plain_matrix(d, rule->right), spread ? u : v);
    uint32_t left = cflri_bit_row_of(plain_matrix(d, rule->left), spread ? v : u);
    cr_assert_neq(left, CFLRI_NO_BIT_ROW);
    if (right != CFLRI_NO_BIT_ROW) plain_unite(d, rule, left, right);
}

static inline void plain_apply_turn(plain_device *d, const cflri_bit_rule *rule, uint32_t u,
                                    uint32_t v) {
    const cflri_bit_matrix *left = plain_matrix(d, rule->left);
    uint32_t row = cflri_bit_row_of(left, v), column = cflri_bit_column_of(d->system, left, u);
    cr_assert_neq(row, CFLRI_NO_BIT_ROW);
    if (column != UINT32_MAX) plain_add_bit(d, rule->left, row, column);
}

static inline void plain_apply_by_pairs(plain_device *d, const cflri_bit_rule *rule) {
    bool turn = rule->kind == CFLRI_BITS_TURN;
    const cflri_bit_matrix *by = plain_matrix(d, turn ? rule->right : rule->by);
    cr_assert(!by->guarded);
    for (uint32_t r = 0; r < by->n_rows; r++) {
        const uint32_t *row = plain_row(d, by->first + r);
        for (uint32_t v = plain_next(d, row, 0); v != UINT32_MAX; v = plain_next(d, row, v + 1))
            (turn ? plain_apply_turn : plain_apply_pair)(d, rule, by->vertex[r], v);
    }
}

/* The image of a row under one label. */
static inline void plain_add_image(plain_device *d, const cflri_bit_rule *rule, uint32_t left,
                                   uint32_t right, uint32_t label) {
    const cflri_bit_edges *image = &rule->image;
    const uint32_t *row = plain_row(d, plain_matrix(d, rule->right)->first + right);
    for (uint32_t t = plain_next(d, row, 0); t != UINT32_MAX; t = plain_next(d, row, t + 1)) {
        uint32_t i = cflri_bit_source(image, t);
        if (i == image->n_sources) continue;
        for (uint64_t e = image->start[i]; e < image->start[i + 1]; e++) {
            if (plain_label(image, e) == label) plain_add_bit(d, rule->left, left, image->to[e]);
        }
    }
}

static inline void plain_apply_image(plain_device *d, const cflri_bit_rule *rule) {
    const cflri_bit_edges *edges = &rule->edges;
    for (uint32_t u = 0; u < edges->n_sources; u++)
        plain_add_image(d, rule, u, edges->to[u], plain_label(edges, u));
}

static inline void plain_apply_step(plain_device *d, const cflri_bit_rule *rule) {
    const cflri_bit_matrix *right = plain_matrix(d, rule->right);
    for (uint32_t r = 0; r < right->n_rows; r++) {
        uint32_t left = cflri_bit_row_of(plain_matrix(d, rule->left), right->vertex[r]);
        cr_assert_neq(left, CFLRI_NO_BIT_ROW);
        plain_add_image(d, rule, left, r, 0);
    }
}

static inline void plain_apply(plain_device *d, const cflri_bit_rule *rule) {
    switch (rule->kind) {
        case CFLRI_BITS_UNITE:
            plain_apply_unite(d, rule);
            break;
        case CFLRI_BITS_STEP:
            plain_apply_step(d, rule);
            break;
        case CFLRI_BITS_IMAGE:
            plain_apply_image(d, rule);
            break;
        case CFLRI_BITS_PAIR:
        case CFLRI_BITS_SPREAD:
        case CFLRI_BITS_TURN:
            plain_apply_by_pairs(d, rule);
            break;
    }
}

/* ---- closing ---- */

static inline void plain_free(void *state) {
    plain_device *d = state;
    free(d->bits);
    free(d->set);
    free(d->row_of);
    free(d);
}

static inline void plain_add_seeds(plain_device *d, uint32_t matrix) {
    const cflri_bit_matrix *m = plain_matrix(d, matrix);
    for (uint64_t i = 0; i < m->n_seeds; i++)
        plain_add_bit(d, matrix, (uint32_t)(m->seed[i] >> 32), (uint32_t)m->seed[i]);
}

static inline cflr_status plain_open(const cflri_bit_system *system,
                                     const cflri_bit_options *options,
                                     const cflri_bit_services *services, void **state,
                                     cflr_error *error) {
    uint32_t rows = system->first_row[system->n_stages], words = system->n_vertices / 32 + 1;
    uint64_t bytes = sizeof(uint32_t) * (uint64_t)rows * words;
    usleep(plain_trouble.late * 1000);
    cr_assert(services->claim(system->context, 0));
    if (options->memory && bytes > options->memory)
        return cflri_fail(error, CFLR_NO_MEMORY, NULL, "the rows do not fit");
    plain_device *d = *state = calloc(1, sizeof *d);
    cr_assert_not_null(d);
    *d = (plain_device){.system = system, .services = services, .n_rows = rows, .words = words};
    d->bits = calloc(rows + (size_t)1, words * sizeof *d->bits);
    cr_assert_not_null(d->bits);
    for (uint32_t i = 0; i < system->n_matrices; i++) plain_add_seeds(d, i);
    return CFLR_OK;
}

static inline cflr_status plain_tick(plain_device *d) {
    cflr_context *context = d->system->context;
    if (plain_trouble.stop_after && ++d->ticks >= plain_trouble.stop_after) {
        if (plain_trouble.cancelled)
            cflr_context_cancel(context);
        else
            context->out_of_time = true;
    }
    return d->services->tick(context, d->pairs);
}

/* Is the device full? */
static inline bool plain_has_trouble(uint32_t stage) {
    const plain_troubles *t = &plain_trouble;
    bool full = t->full_at == stage + 1, dies = t->dies_at == stage + 1;
    if (t->tells && (full || dies)) *t->tells = true;
    if (dies) raise(SIGKILL);
    return full;
}

static inline cflr_status plain_close(void *state, uint32_t stage, cflr_error *error) {
    plain_device *d = state;
    const cflri_bit_system *s = d->system;
    do {
        cflr_status st = plain_tick(d);
        if (st != CFLR_OK) return cflri_fail(error, st, NULL, "the device was stopped");
        d->found = false;
        for (uint32_t i = s->first_rule[stage]; i < s->first_rule[stage + 1]; i++)
            plain_apply(d, &s->rule[i]);
        d->rounds += d->found;
        if (plain_has_trouble(stage))
            return cflri_fail(error, CFLR_NO_MEMORY, NULL, "the device is full");
    } while (d->found);
    return CFLR_OK;
}

/* ---- rows ---- */

/* Writes the columns of a row; returns how many there are. */
static inline uint32_t plain_columns(const plain_device *d, uint32_t row, uint32_t *column) {
    const uint32_t *bits = plain_row(d, row);
    uint32_t n = 0;
    for (uint32_t c = plain_next(d, bits, 0); c != UINT32_MAX; c = plain_next(d, bits, c + 1))
        column[n++] = c;
    return n;
}

/* Where the set of a row is, or is to be, among `slots` places, a power of two. */
static inline size_t plain_place(const plain_device *d, const uint32_t *place, size_t slots,
                                 uint32_t row) {
    size_t bytes = d->words * sizeof *d->bits;
    uint64_t hash = 0;
    for (uint32_t w = 0; w < d->words; w++)
        hash = (hash ^ plain_row(d, row)[w]) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (hash >> 32) & (slots - 1);
    while (place[at] && memcmp(plain_row(d, d->row_of[place[at]]), plain_row(d, row), bytes) != 0)
        at = (at + 1) & (slots - 1);
    return at;
}

/* Numbers the sets of the rows of a matrix. Returns their words, of those that are new. */
static inline uint64_t plain_number(plain_device *d, const cflri_bit_matrix *m, uint32_t *place,
                                    size_t slots) {
    uint32_t *column = malloc((d->system->n_vertices + (size_t)1) * sizeof *column);
    uint32_t *word = malloc((d->system->n_vertices + (size_t)1) * sizeof *word);
    uint64_t words = 0;
    cr_assert(column && word);
    for (uint32_t row = m->first; row < m->first + m->n_rows; row++) {
        uint32_t n = plain_columns(d, row, column);
        if (n == 1) d->set[row] = CFLRI_ONE_TARGET | column[0];
        if (n < 2) continue;
        size_t at = plain_place(d, place, slots, row);
        if (!place[at]) {
            d->row_of[++d->n_sets] = row;
            place[at] = d->n_sets;
            words += cflri_packed_row_write(column, n, word);
        }
        d->set[row] = place[at];
    }
    free(column);
    free(word);
    return words;
}

static inline cflr_status plain_measure(void *state, const bool *wanted, uint32_t *n_sets,
                                        uint64_t *n_words, cflr_error *error) {
    plain_device *d = state;
    size_t slots = 1;
    (void)error;
    while (slots < 2 * (size_t)d->n_rows + 1) slots *= 2;
    uint32_t *place = calloc(slots, sizeof *place);
    d->set = calloc(d->n_rows + (size_t)1, sizeof *d->set);
    d->row_of = calloc(d->n_rows + (size_t)1, sizeof *d->row_of);
    cr_assert(place && d->set && d->row_of);
    *n_words = 0;
    for (uint32_t i = 0; i < d->system->n_matrices; i++) {
        if (wanted[i]) *n_words += plain_number(d, plain_matrix(d, i), place, slots);
    }
    free(place);
    *n_sets = d->n_sets;
    return CFLR_OK;
}

static inline cflr_status plain_fetch(void *state, uint32_t *set, uint64_t *start, uint32_t *word,
                                      cflr_error *error) {
    plain_device *d = state;
    uint32_t *column = malloc((d->system->n_vertices + (size_t)1) * sizeof *column);
    (void)error;
    cr_assert_not_null(column);
    memcpy(set, d->set, d->n_rows * sizeof *set);
    start[0] = start[1] = 0;
    for (uint32_t s = 1; s <= d->n_sets; s++) {
        uint32_t n = plain_columns(d, d->row_of[s], column);
        start[s + 1] = start[s] + cflri_packed_row_write(column, n, word + start[s]);
    }
    free(column);
    return CFLR_OK;
}

static inline void plain_stats(const void *state, cflri_bit_stats *stats) {
    const plain_device *d = state;
    *stats = (cflri_bit_stats){.name = "plain arrays",
                               .rounds = d->rounds,
                               .memory = sizeof(uint32_t) * (uint64_t)d->n_rows * d->words};
}

/* Not loaded, so it has no version. */
static const cflri_bit_device plain_bit_device = {
    .open = plain_open,
    .close = plain_close,
    .measure = plain_measure,
    .fetch = plain_fetch,
    .stats = plain_stats,
    .free = plain_free,
};

#endif
