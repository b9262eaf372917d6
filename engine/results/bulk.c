/* SPDX-License-Identifier: Apache-2.0
 *
 * bulk.c: many rows of a result into arrays of the caller.
 *
 *     vertices   7       2        9             the rows that are asked for
 *     offset     0       3        3       5     counts of rows, known without looking at sets
 *     target     1 4 8            0 9           written by all threads, each row by one of them
 *
 * The caller allocates, once, what the offsets say, so there is no second copy of the pairs: a
 * thread needs memory for one row, since a set is written with some words behind its ids, which may
 * be the place of another thread's row. A thread that meets the set of its last row again has its
 * ids still. Rows are assigned by handfuls to the threads that ask, because they differ in length.
 *
 * O(targets) to fill; counts and likeness O(log rows) for each row.
 */
#include <string.h>

#include "base/context.h"
#include "base/crew.h"
#include "engine/results/result.h"

enum { HANDFUL = 64, WORTH_A_THREAD = 1 << 16 /* targets */ };

#define NO_SET UINT64_MAX

typedef struct filling {
    cflr_context *context;
    const cflri_relation *relation;
    const uint32_t *vertices;
    const uint64_t *offset;
    uint32_t *target;
    uint64_t n_targets;
    cflri_chunks rows;
    _Atomic uint64_t written; /* targets */
    atomic_bool failed;
    cflri_failure failure; /* of the thread that has set `failed` */
} filling;

/* The number of the row of the k-th vertex, or n_rows. */
static uint32_t row_at(const cflri_relation *relation, const uint32_t *vertices, uint64_t k) {
    return cflri_relation_find(relation, vertices ? vertices[k] : (uint32_t)k);
}

void cflr_result_offsets(const cflr_result *result, uint32_t label, uint32_t i,
                         const uint32_t *vertices, uint64_t n, uint64_t *offset) {
    const cflri_relation *relation = cflri_result_instance(result, label, i);
    offset[0] = 0;
    for (uint64_t k = 0; k < n; k++) {
        uint32_t r = row_at(relation, vertices, k);
        offset[k + 1] = offset[k] + (r < relation->n_rows ? cflri_relation_count(relation, r) : 0);
    }
}

/* Writes the k-th row. *set is the one whose ids `row` holds. */
static cflr_status fill_row(filling *f, uint64_t k, cflr_row *row, uint64_t *set,
                            cflr_error *error) {
    const cflri_relation *relation = f->relation;
    uint64_t room = f->offset[k + 1] - f->offset[k];
    uint32_t r = row_at(relation, f->vertices, k);
    uint64_t count = r < relation->n_rows ? cflri_relation_count(relation, r) : 0;
    if (count != room) {
        return cflri_fail(
            error, CFLR_ARGUMENT, NULL, "row %llu has %llu targets, and its offsets are %llu apart",
            (unsigned long long)k, (unsigned long long)count, (unsigned long long)room);
    }
    if (!count) return CFLR_OK;
    if (!relation->set || relation->set[r] != *set) {
        *set = NO_SET;
        cflr_status st = cflri_relation_read(f->context, relation, r, row, error);
        if (st != CFLR_OK) return st;
        if (relation->set) *set = relation->set[r];
    }
    memcpy(f->target + f->offset[k], row->target, count * sizeof *row->target);
    return CFLR_OK;
}

/* Between handfuls: CFLR_CANCELLED, or CFLR_OK. The first thread reports. */
static cflr_status look_up(filling *f, uint64_t written, uint32_t self, cflr_error *error) {
    uint64_t all = atomic_fetch_add_explicit(&f->written, written, memory_order_relaxed) + written;
    cflr_status st =
        self ? cflri_interrupted(f->context) : cflri_tick(f->context, "write", all, f->n_targets);
    return st == CFLR_CANCELLED ? cflri_fail_interrupted(f->context, st, error) : CFLR_OK;
}

static cflr_status fill_rows(filling *f, uint32_t self, cflr_error *error) {
    cflr_row row = {0};
    uint64_t set = NO_SET;
    cflr_status st = CFLR_OK;
    size_t begin, end;
    while (!f->failed && cflri_chunks_next(&f->rows, &begin, &end)) {
        for (uint64_t k = begin; k < end; k++) CFLR_TRY(fill_row(f, k, &row, &set, error));
        CFLR_TRY(look_up(f, f->offset[end] - f->offset[begin], self, error));
    }
out:
    cflr_row_free(&row);
    return st;
}

static void fill_together(void *what, cflri_crew *crew, uint32_t self) {
    filling *f = what;
    cflr_error error;
    (void)crew;
    cflr_status st = fill_rows(f, self, &error);
    if (st != CFLR_OK && !atomic_exchange(&f->failed, true))
        cflri_note_failure(&f->failure, st, &error);
}

cflr_status cflr_result_fill(const cflr_result *result, uint32_t label, uint32_t i,
                             const uint32_t *vertices, uint64_t n, const uint64_t *offset,
                             uint32_t *target, cflr_error *error) {
    filling f = {.context = result->context,
                 .relation = cflri_result_instance(result, label, i),
                 .vertices = vertices,
                 .offset = offset,
                 .target = target,
                 .n_targets = offset[n] - offset[0],
                 .rows = {.n = n, .handful = HANDFUL}};
    uint64_t worth = f.n_targets / WORTH_A_THREAD + 1;
    uint32_t threads = (uint32_t)cflr_context_threads(result->context);
    cflri_crew_run(worth < threads ? (uint32_t)worth : threads, fill_together, &f);
    return cflri_tell_failure(&f.failure, error);
}

cflr_status cflr_result_alike(const cflr_result *result, uint32_t label, uint32_t i,
                              const uint32_t *vertices, uint64_t n, uint32_t *alike,
                              cflr_error *error) {
    const cflri_relation *relation = cflri_result_instance(result, label, i);
    size_t sets = relation->sets ? relation->sets->n : 0;
    /* of each set one more than the first row that has it; 0: none so far */
    uint32_t *first = cflri_alloc_array_zero(result->context, sets + 1, sizeof *first);
    if (!first) return cflri_fail_memory(result->context, error);
    for (uint64_t k = 0; k < n; k++) {
        uint32_t r = row_at(relation, vertices, k);
        bool shares =
            relation->set && r < relation->n_rows && !(relation->set[r] & CFLRI_ONE_TARGET);
        uint32_t *met = shares ? &first[relation->set[r]] : NULL;
        if (met && !*met) *met = (uint32_t)k + 1;
        alike[k] = met ? *met - 1 : (uint32_t)k;
    }
    cflri_free(result->context, first);
    return CFLR_OK;
}
