/* SPDX-License-Identifier: Apache-2.0
 *
 * turned.c: which different rows there are, what each contains and which sources have it
 * (turned.h).
 *
 * Rows that are the same have one identity, which is how they are known; rows with the same targets
 * and two identities are two sets. Sets are numbered as they come, so that a row of `containing`
 * ascends, and those that a relation may have stand first in it.
 */
#include "engine/derivations/turned.h"

#include "base/context.h"
#include "base/seen.h"
#include "base/vec.h"

/* Row r of a relation has the set. */
typedef struct set {
    const cflri_relation *relation;
    uint32_t r;
} set;

typedef struct turning {
    cflr_context *context;
    CFLRI_VEC(set) sets;
    cflri_seen seen;
    cflr_row row;
} turning;

static bool same(const set *a, const set *b) {
    return a->relation->sets == b->relation->sets &&
           cflri_relation_identity(a->relation, a->r) == cflri_relation_identity(b->relation, b->r);
}

/* False when memory is refused. */
static bool number_of(turning *t, set asked, uint32_t *number) {
    uint64_t at = cflri_relation_identity(asked.relation, asked.r);
    uint64_t mixed = cflri_seen_mix(0, (uint32_t)(at >> 32), (uint32_t)at);
    uint32_t hash = (uint32_t)(mixed >> 32);
    for (size_t k = cflri_seen_first(&t->seen, hash);
         (*number = cflri_seen_next(&t->seen, hash, &k)) != CFLRI_NOT_SEEN;)
        if (same(&t->sets.at[*number], &asked)) return true;
    *number = (uint32_t)t->sets.n;
    return cflri_vec_push(t->context, &t->sets, asked) &&
           cflri_seen_add(t->context, &t->seen, hash, *number);
}

static cflr_status find_having(turning *t, const cflri_relation *relation, cflri_relation *having,
                               cflr_error *error) {
    uint64_t *pairs = cflri_alloc_array(t->context, (size_t)relation->n_rows + 1, sizeof *pairs);
    cflr_status st = pairs ? CFLR_OK : cflri_fail_memory(t->context, error);
    for (uint32_t r = 0; r < relation->n_rows && st == CFLR_OK; r++) {
        uint32_t number;
        if (number_of(t, (set){relation, r}, &number))
            pairs[r] = cflri_pair(number, relation->row[r]);
        else
            st = cflri_fail_memory(t->context, error);
    }
    if (st == CFLR_OK)
        st = cflri_relation_build(t->context, pairs, relation->n_rows, having, error);
    cflri_free(t->context, pairs);
    return st;
}

static cflr_status read_set(turning *t, size_t s, cflr_error *error) {
    return cflri_relation_read(t->context, t->sets.at[s].relation, t->sets.at[s].r, &t->row, error);
}

/* Makes rows of the numbers of sets that each target is in; `count` becomes where the first number
 * of each stands. */
static void begin_rows(uint64_t *count, uint32_t n_vertices, cflri_relation *containing) {
    uint64_t before = 0;
    uint32_t row = 0;
    for (uint32_t v = 0; v < n_vertices; v++) {
        uint64_t here = count[v];
        count[v] = before;
        if (here) {
            containing->row[row] = v;
            containing->start[row++] = before;
        }
        before += here;
    }
    containing->start[row] = before;
}

/* Counts the sets that each target is in; then `count` is where the next one of each stands. */
static cflr_status find_containing(turning *t, uint64_t *count, uint32_t n_vertices,
                                   cflri_relation *containing, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *containing = (cflri_relation){0};
    for (size_t s = 0; s < t->sets.n; s++) {
        CFLR_TRY(read_set(t, s, error));
        for (uint64_t i = 0; i < t->row.count; i++) count[t->row.target[i]]++;
    }
    for (uint32_t v = 0; v < n_vertices; v++) {
        containing->n_rows += count[v] > 0;
        containing->n_pairs += count[v];
    }
    if (!containing->n_pairs) goto out;
    CFLR_TRY(cflri_relation_allocate(t->context, containing, error));
    begin_rows(count, n_vertices, containing);
    for (size_t s = 0; s < t->sets.n; s++) {
        CFLR_TRY(read_set(t, s, error));
        for (uint64_t i = 0; i < t->row.count; i++)
            containing->target[count[t->row.target[i]]++] = (uint32_t)s;
    }
out:
    return st;
}

cflr_status cflri_turned_make(cflr_context *context, const cflri_relation *const *relation,
                              uint32_t n, uint32_t n_vertices, cflri_turned_rows *turned,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    turning t = {.context = context};
    *turned = (cflri_turned_rows){.n = n};
    turned->n_sets = cflri_alloc_array(context, (size_t)n + 1, sizeof *turned->n_sets);
    turned->having = cflri_alloc_array_zero(context, (size_t)n + 1, sizeof *turned->having);
    uint64_t *count = cflri_alloc_array_zero(context, (size_t)n_vertices + 1, sizeof *count);
    if (!turned->n_sets || !turned->having || !count) st = cflri_fail_memory(context, error);
    for (uint32_t i = 0; i < n && st == CFLR_OK; i++) {
        st = find_having(&t, relation[i], &turned->having[i], error);
        turned->n_sets[i] = (uint32_t)t.sets.n;
    }
    if (st == CFLR_OK) st = find_containing(&t, count, n_vertices, &turned->containing, error);
    cflri_free(context, count);
    cflr_row_free(&t.row);
    cflri_vec_free(context, &t.sets);
    cflri_seen_free(context, &t.seen);
    return st;
}

void cflri_turned_free(cflr_context *context, cflri_turned_rows *turned) {
    cflri_relation_free(context, &turned->containing);
    for (uint32_t i = 0; i < turned->n && turned->having; i++)
        cflri_relation_free(context, &turned->having[i]);
    cflri_free(context, turned->having);
    cflri_free(context, turned->n_sets);
    *turned = (cflri_turned_rows){0};
}
