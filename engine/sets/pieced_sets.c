/* SPDX-License-Identifier: Apache-2.0
 *
 * pieced_sets.c: sets that are concatenations of sets of several owners, as those of relations.
 *
 *     part 0        2: set 7        5: set 7        8: set 3
 *     part 1        2: set 4        5: set 4                       9: set 4
 *     rows          2: set 0        5: set 0        8: set 1       9: set 2
 *     pieces        set 0: (0,7) (1,4)      set 1: (0,3)      set 2: (1,4)
 *
 * A closure that is computed slice by slice has each row in pieces, which are ascending ranges of
 * targets (engine/spine/split.h). A set is the list of its pieces, so no target is read when rows
 * are put together, and memory is that of the parts, of the rows and of the different lists. Rows
 * with equal lists have one set; a row of one target needs none.
 *
 * Where the rows of a symbol are those of another read backwards, each of them is whole in one
 * part, and its targets lie anywhere. So pieces of two parts may have a target in common, if one of
 * them is all there is of its set. Such pieces are compared by leaps: each asks for its first
 * target that is not less than what the other one found last. A set tells how many targets are less
 * than an id, and by bisection that gives the next one, whatever keeps the set.
 */
#include "engine/sets/pieced_sets.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

/* ---- a piece ---- */

static uint32_t part_of(uint64_t piece) {
    return (uint32_t)(piece >> 32);
}

static const cflri_target_sets *sets_of(const cflri_pieced_sets *p, uint64_t piece) {
    return p->part[part_of(piece)];
}

static bool is_one(uint64_t piece) {
    return piece & CFLRI_ONE_TARGET;
}

static uint32_t one_of(uint64_t piece) {
    return (uint32_t)piece & ~CFLRI_ONE_TARGET;
}

static uint32_t count_piece(const cflri_pieced_sets *p, uint64_t piece) {
    const cflri_target_sets *sets = sets_of(p, piece);
    return is_one(piece) ? 1 : sets->count(sets, (uint32_t)piece);
}

static cflr_status write_piece(const cflri_pieced_sets *p, uint64_t piece, uint32_t *ids,
                               cflr_error *error) {
    const cflri_target_sets *sets = sets_of(p, piece);
    if (!is_one(piece)) return sets->write(sets, (uint32_t)piece, ids, error);
    *ids = one_of(piece);
    return CFLR_OK;
}

static bool find_in_piece(const cflri_pieced_sets *p, uint64_t piece, uint32_t id, uint64_t *before,
                          cflri_failure *failure) {
    const cflri_target_sets *sets = sets_of(p, piece);
    if (!is_one(piece)) return sets->find(sets, (uint32_t)piece, id, before, failure);
    if (before) *before = one_of(piece) < id;
    return one_of(piece) == id;
}

/* ---- pieces that meet ---- */

/* Counts the targets up to `id`. */
static uint64_t count_up_to(const cflri_pieced_sets *p, uint64_t piece, uint32_t id,
                            cflri_failure *failure) {
    uint64_t before;
    bool found = find_in_piece(p, piece, id, &before, failure);
    return before + found;
}

/* Finds the first target that is not less than *id. False when there is none, or a reading
 * fails. */
static bool leap(const cflri_pieced_sets *p, uint64_t piece, uint32_t *id, cflri_failure *failure) {
    uint64_t before;
    if (find_in_piece(p, piece, *id, &before, failure)) return true;
    if (failure->st != CFLR_OK || before == count_piece(p, piece)) return false;
    uint32_t low = *id, high = low, step = 1; /* the target is above `low`, and up to `high` */
    while (count_up_to(p, piece, high, failure) == before) {
        if (failure->st != CFLR_OK || high == UINT32_MAX) return false;
        low = high;
        high = UINT32_MAX - low > step ? low + step : UINT32_MAX;
        step *= 2;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (count_up_to(p, piece, middle, failure) == before) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *id = high;
    return failure->st == CFLR_OK;
}

static bool meet_by_leaps(const cflri_pieced_sets *p, uint64_t a, uint64_t b,
                          cflri_failure *failure) {
    for (uint32_t id = 0, last;;) {
        if (!leap(p, a, &id, failure)) return false;
        last = id;
        if (!leap(p, b, &id, failure)) return false;
        if (id == last) return true;
    }
}

static bool pieces_meet(const cflri_pieced_sets *p, uint64_t a, uint64_t b,
                        cflri_failure *failure) {
    if (a == b) return true;
    if (is_one(a)) return find_in_piece(p, b, one_of(a), NULL, failure);
    if (is_one(b)) return find_in_piece(p, a, one_of(b), NULL, failure);
    const cflri_target_sets *sets = sets_of(p, a);
    return part_of(a) == part_of(b) ? sets->meet(sets, (uint32_t)a, (uint32_t)b, failure)
                                    : meet_by_leaps(p, a, b, failure);
}

/* ---- sets of pieces ---- */

typedef struct list {
    const uint64_t *piece;
    uint64_t n;
} list;

static list list_of(const cflri_pieced_sets *p, uint32_t set) {
    uint64_t first = set ? p->end.at[set - 1] : 0;
    return (list){p->piece.at + first, p->end.at[set] - first};
}

static uint32_t count(const cflri_target_sets *sets, uint32_t set) {
    const cflri_pieced_sets *p = (const cflri_pieced_sets *)sets;
    list of = list_of(p, set);
    uint32_t n = 0;
    for (uint64_t i = 0; i < of.n; i++) n += count_piece(p, of.piece[i]);
    return n;
}

static cflr_status write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error) {
    const cflri_pieced_sets *p = (const cflri_pieced_sets *)sets;
    list of = list_of(p, set);
    cflr_status st = CFLR_OK;
    for (uint64_t i = 0; i < of.n && st == CFLR_OK; i++) {
        st = write_piece(p, of.piece[i], ids, error);
        if (st == CFLR_OK && i && ids[-1] >= ids[0]) {
            st = cflri_fail(error, CFLR_FORMAT, NULL, "targets of two parts are out of order");
        }
        ids += count_piece(p, of.piece[i]);
    }
    return st;
}

static bool find(const cflri_target_sets *sets, uint32_t set, uint32_t id, uint64_t *before,
                 cflri_failure *failure) {
    const cflri_pieced_sets *p = (const cflri_pieced_sets *)sets;
    list of = list_of(p, set);
    uint64_t less;
    if (before) *before = 0;
    for (uint64_t i = 0; i < of.n; i++) {
        bool found = find_in_piece(p, of.piece[i], id, &less, failure);
        if (before) *before += less;
        if (found || less < count_piece(p, of.piece[i])) return found;
    }
    return false;
}

static bool meet(const cflri_target_sets *sets, uint32_t a, uint32_t b, cflri_failure *failure) {
    const cflri_pieced_sets *p = (const cflri_pieced_sets *)sets;
    list of = list_of(p, a), with = list_of(p, b);
    bool anywhere = of.n == 1 || with.n == 1;
    for (uint64_t i = 0; i < of.n; i++) {
        for (uint64_t k = 0; k < with.n; k++) {
            uint64_t q = of.piece[i], r = with.piece[k];
            if ((anywhere || part_of(q) == part_of(r)) && pieces_meet(p, q, r, failure))
                return true;
        }
    }
    return false;
}

/* ---- making ---- */

/* The parts are not owned before they are taken over. */
static void free_pieced(cflr_context *context, cflri_target_sets *sets) {
    cflri_pieced_sets *p = (cflri_pieced_sets *)sets;
    for (uint32_t i = 0; p->owns && i < p->n_parts; i++) {
        if (p->part[i]) p->part[i]->free(context, p->part[i]);
    }
    cflri_free(context, p->part);
    cflri_vec_free(context, &p->piece);
    cflri_vec_free(context, &p->end);
    cflri_seen_free(context, &p->seen);
    cflri_free(context, p);
}

cflri_pieced_sets *cflri_pieced_sets_new(cflr_context *context, cflri_target_sets *const *part,
                                         uint32_t n_parts) {
    cflri_pieced_sets *p = cflri_alloc_zero(context, sizeof *p);
    if (!p) return NULL;
    *p = (cflri_pieced_sets){.context = context, .n_parts = n_parts};
    p->sets = (cflri_target_sets){
        .count = count, .write = write, .find = find, .meet = meet, .free = free_pieced};
    p->part = cflri_alloc_array(context, n_parts, sizeof(cflri_target_sets *));
    if (p->part) {
        memcpy(p->part, part, n_parts * sizeof *part);
        return p;
    }
    cflri_free(context, p);
    return NULL;
}

void cflri_pieced_sets_end(cflri_pieced_sets *p) {
    cflri_seen_free(p->context, &p->seen);
    p->owns = true;
}

/* The relations that are put together. */
typedef struct adding {
    cflri_pieced_sets *pieced;
    const cflri_relation *const *relation;
    uint32_t n;
    uint32_t *part; /* of each relation */
    uint32_t *at;   /* of each relation: the next row */
} adding;

/* Finds the least source that is still to come. False when there is none. */
static bool next_source(const adding *a, uint32_t *source) {
    bool found = false;
    for (uint32_t i = 0; i < a->n; i++) {
        const cflri_relation *relation = a->relation[i];
        if (a->at[i] == relation->n_rows) continue;
        uint32_t row = relation->row[a->at[i]];
        if (!found || row < *source) *source = row;
        found = true;
    }
    return found;
}

/* Has relation i a row of the source, which is the next one? */
static bool has_source(const adding *a, uint32_t i, uint32_t source) {
    const cflri_relation *relation = a->relation[i];
    return a->at[i] < relation->n_rows && relation->row[a->at[i]] == source;
}

static uint32_t count_rows(adding *a) {
    uint32_t n = 0, source = 0;
    for (; next_source(a, &source); n++) {
        for (uint32_t i = 0; i < a->n; i++) a->at[i] += has_source(a, i, source);
    }
    memset(a->at, 0, a->n * sizeof *a->at);
    return n;
}

/* Puts the pieces of the source's row behind those of all sets, and moves on past them. Adds their
 * targets to *targets. False when memory is refused. */
static bool note_pieces(adding *a, uint32_t source, uint32_t *n, uint64_t *targets) {
    cflri_pieced_sets *p = a->pieced;
    *n = 0;
    if (!cflri_vec_reserve(p->context, &p->piece, a->n)) return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!has_source(a, i, source)) continue;
        uint32_t r = a->at[i]++;
        p->piece.at[p->piece.n + (*n)++] = cflri_pair(a->part[i], a->relation[i]->set[r]);
        *targets += cflri_relation_count(a->relation[i], r);
    }
    return true;
}

/* Returns the number of the set whose pieces are noted; a new one has p->end.n. */
static uint32_t find_noted(const cflri_pieced_sets *p, uint32_t n, uint32_t *hash) {
    const uint64_t *piece = p->piece.at + p->piece.n;
    uint64_t mixed = 0;
    for (uint32_t i = 0; i < n; i++)
        mixed = cflri_seen_mix(mixed, part_of(piece[i]), (uint32_t)piece[i]);
    *hash = (uint32_t)mixed;
    size_t at = cflri_seen_first(&p->seen, *hash);
    uint32_t number;
    while ((number = cflri_seen_next(&p->seen, *hash, &at)) != CFLRI_NOT_SEEN) {
        list of = list_of(p, number);
        if (of.n == n && memcmp(of.piece, piece, n * sizeof *piece) == 0) return number;
    }
    return (uint32_t)p->end.n;
}

/* Keeps the pieces that are noted, as a set. False when memory is refused. */
static bool keep_noted(cflri_pieced_sets *p, uint32_t n, uint32_t hash) {
    uint32_t number = (uint32_t)p->end.n;
    if (number == CFLRI_ONE_TARGET || !cflri_vec_reserve(p->context, &p->end, 1)) return false;
    if (!cflri_seen_add(p->context, &p->seen, hash, number)) return false;
    p->piece.n += n;
    p->end.at[p->end.n++] = p->piece.n;
    p->sets.n++;
    return true;
}

/* False when memory is refused. */
static bool add_row(adding *a, uint32_t source, uint32_t *set, uint64_t *targets) {
    cflri_pieced_sets *p = a->pieced;
    uint32_t n, hash;
    if (!note_pieces(a, source, &n, targets)) return false;
    uint64_t first = p->piece.at[p->piece.n];
    *set = (uint32_t)first;
    if (n == 1 && is_one(first)) return true;
    *set = find_noted(p, n, &hash);
    return *set < p->end.n || keep_noted(p, n, hash);
}

static cflr_status add(adding *a, cflri_relation *made, cflr_error *error) {
    cflr_context *context = a->pieced->context;
    uint32_t n = count_rows(a), source = 0;
    if (!n) return CFLR_OK;
    cflr_status st = cflri_relation_allocate_shared(context, n, &a->pieced->sets, made, error);
    for (uint32_t r = 0; st == CFLR_OK && next_source(a, &source); r++) {
        made->row[r] = source;
        made->start[r] = made->n_pairs;
        if (!add_row(a, source, &made->set[r], &made->n_pairs)) {
            st = cflri_fail_memory(context, error);
            cflri_relation_free(context, made);
        }
    }
    if (st == CFLR_OK) made->start[n] = made->n_pairs;
    return st;
}

/* Finds the part whose sets the relation has. One without rows has no part. */
static uint32_t find_part(const cflri_pieced_sets *p, const cflri_relation *relation) {
    uint32_t part = 0;
    while (part < p->n_parts && p->part[part] != relation->sets) part++;
    assert(part < p->n_parts || !relation->n_rows);
    return part;
}

cflr_status cflri_pieced_sets_add(cflri_pieced_sets *p, const cflri_relation *const *relation,
                                  uint32_t n, cflri_relation *made, cflr_error *error) {
    adding a = {.pieced = p, .relation = relation, .n = n};
    a.part = cflri_alloc_array(p->context, n, sizeof *a.part);
    a.at = cflri_alloc_array_zero(p->context, n, sizeof *a.at);
    *made = (cflri_relation){0};
    cflr_status st = a.part && a.at ? CFLR_OK : cflri_fail_memory(p->context, error);
    for (uint32_t i = 0; i < n && st == CFLR_OK; i++) a.part[i] = find_part(p, relation[i]);
    if (st == CFLR_OK) st = add(&a, made, error);
    cflri_free(p->context, a.part);
    cflri_free(p->context, a.at);
    return st;
}
