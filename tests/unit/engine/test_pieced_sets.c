/* SPDX-License-Identifier: Apache-2.0
 *
 * test_pieced_sets.c: relations put together from parts, against flags: rows that are cut into
 * ranges of targets, and rows that are whole in one part, with targets anywhere.
 */
#include "engine/sets/pieced_sets.h"

#include "engine/sets/stored_sets.h"
#include "tests/support/support.h"

enum { PARTS = 4, SOURCES = 24, TARGETS = 3000, KINDS = 2, CUT = 0, WHOLE = 1 };

typedef struct bench {
    cflr_context *context;
    uint64_t random;
    bool there[KINDS][SOURCES][TARGETS];
    cflri_stored_sets *stored[PARTS];
    cflri_relation part[KINDS][PARTS];
    cflri_pieced_sets *pieced;
    cflri_relation made[KINDS];
} bench;

static uint32_t border(uint32_t part) {
    return TARGETS / PARTS * part;
}

/* Some rows are those of an earlier source, some have few targets, some have many. */
static void throw_rows(bench *b, int kind) {
    for (uint32_t s = 0; s < SOURCES; s++) {
        uint32_t how = test_random_below(&b->random, 3);
        uint32_t n = 1 + test_random_below(&b->random, how == 1 ? 3 : TARGETS);
        uint32_t earlier = s ? test_random_below(&b->random, s) : 0;
        if (!how && s) memcpy(b->there[kind][s], b->there[kind][earlier], TARGETS);
        for (uint32_t i = 0; (how || !s) && i < n; i++) {
            b->there[kind][s][test_random_below(&b->random, TARGETS)] = true;
        }
    }
}

/* Adds the targets from `first` to before `end` of a row to a relation, if it has some. */
static void add_row(bench *b, int kind, uint32_t part, uint32_t source, uint32_t first,
                    uint32_t end) {
    static uint32_t ids[TARGETS];
    cflri_relation *relation = &b->part[kind][part];
    uint32_t n = 0;
    for (uint32_t t = first; t < end; t++) {
        if (b->there[kind][source][t]) ids[n++] = t;
    }
    if (!n) return;
    cflri_set_number set = cflri_sets_of(&b->stored[part]->store.hand[0], ids, n);
    cr_assert_neq(set, CFLRI_NO_SET);
    relation->row[relation->n_rows] = source;
    relation->set[relation->n_rows++] = set;
    relation->n_pairs += n;
    relation->start[relation->n_rows] = relation->n_pairs;
}

static void make_part(bench *b, uint32_t part) {
    b->stored[part] = cflri_stored_sets_new(b->context);
    cr_assert(
        cflri_set_store_init(&b->stored[part]->store, b->context, TARGETS, CFLRI_KERNEL_BEST, 1));
    for (int kind = 0; kind < KINDS; kind++) {
        cflri_relation *relation = &b->part[kind][part];
        cr_assert_eq(cflri_relation_allocate_shared(b->context, SOURCES, &b->stored[part]->sets,
                                                    relation, NULL),
                     CFLR_OK);
        relation->n_rows = 0;
        relation->start[0] = 0;
        for (uint32_t s = 0; s < SOURCES; s++) {
            if (kind == CUT) {
                add_row(b, kind, part, s, border(part), border(part + 1));
            } else if (s % PARTS == part) {
                add_row(b, kind, part, s, 0, TARGETS);
            }
        }
    }
    cr_assert(cflri_stored_sets_end(b->stored[part], NULL, 0, 0));
}

static bench *bench_begin(uint64_t seed) {
    bench *b = calloc(1, sizeof *b);
    b->context = test_context();
    b->random = seed;
    for (int kind = 0; kind < KINDS; kind++) throw_rows(b, kind);
    for (uint32_t p = 0; p < PARTS; p++) make_part(b, p);
    return b;
}

/* Puts the relations together; `swapped`: with parts in the wrong order. */
static cflr_status put_together(bench *b, bool swapped) {
    cflri_target_sets *part[PARTS];
    cflr_status st = CFLR_OK;
    for (uint32_t p = 0; p < PARTS; p++) part[p] = &b->stored[p]->sets;
    b->pieced = cflri_pieced_sets_new(b->context, part, PARTS);
    cr_assert_not_null(b->pieced);
    for (int kind = 0; kind < KINDS && st == CFLR_OK; kind++) {
        const cflri_relation *relation[PARTS];
        for (uint32_t p = 0; p < PARTS; p++) {
            relation[p] = &b->part[kind][swapped ? PARTS - 1 - p : p];
        }
        st = cflri_pieced_sets_add(b->pieced, relation, PARTS, &b->made[kind], NULL);
    }
    if (st == CFLR_OK) cflri_pieced_sets_end(b->pieced);
    return st;
}

static void take_apart(bench *b) {
    for (int kind = 0; kind < KINDS; kind++) cflri_relation_free(b->context, &b->made[kind]);
    if (b->pieced) b->pieced->sets.free(b->context, &b->pieced->sets);
    b->pieced = NULL;
}

/* The parts are owned by the pieced sets if these were finished. */
static void bench_end(bench *b, bool owned) {
    take_apart(b);
    for (uint32_t p = 0; p < PARTS; p++) {
        for (int kind = 0; kind < KINDS; kind++) cflri_relation_free(b->context, &b->part[kind][p]);
        if (!owned) b->stored[p]->sets.free(b->context, &b->stored[p]->sets);
    }
    test_context_end(b->context);
    free(b);
}

static void must_have_row(const bench *b, int kind, uint32_t source, cflr_row *row) {
    const cflri_relation *made = &b->made[kind];
    uint64_t n = 0, place;
    cflri_failure failure = {.st = CFLR_OK};
    cr_assert_eq(cflri_relation_read_row(b->context, made, source, row, NULL), CFLR_OK);
    uint32_t r = cflri_relation_find(made, source);
    for (uint32_t t = 0; t < TARGETS; t++) {
        bool there = b->there[kind][source][t];
        cr_assert_eq(cflri_relation_place(made, source, t, &place, &failure), there);
        if (!there) continue;
        cr_assert_eq(row->target[n], t);
        cr_assert_eq(place, made->start[r] + n++);
    }
    cr_assert_eq(row->count, n);
}

static bool rows_meet(const bool *a, const bool *b) {
    for (uint32_t t = 0; t < TARGETS; t++) {
        if (a[t] && b[t]) return true;
    }
    return false;
}

static void must_hold(const bench *b) {
    cflr_row row = {0};
    cflri_failure failure = {.st = CFLR_OK};
    for (int kind = 0; kind < KINDS; kind++) {
        cr_assert(cflri_relation_valid(&b->made[kind], TARGETS));
        for (uint32_t s = 0; s < SOURCES; s++) must_have_row(b, kind, s, &row);
    }
    for (int of = 0; of < KINDS; of++) {
        for (int with = 0; with < KINDS; with++) {
            for (uint32_t s = 0; s < SOURCES; s++) {
                for (uint32_t t = 0; t < SOURCES; t++) {
                    cr_assert_eq(cflri_relations_meet(&b->made[of], s, &b->made[with], t, &failure),
                                 rows_meet(b->there[of][s], b->there[with][t]),
                                 "row %u of %d, row %u of %d", s, of, t, with);
                }
            }
        }
    }
    cflr_row_free(&row);
}

/* Rows of a relation that is cut have one set if, and only if, they are equal. */
static void must_share(const bench *b) {
    const cflri_relation *made = &b->made[CUT];
    for (uint32_t r = 0; r < made->n_rows; r++) {
        for (uint32_t k = 0; k < r; k++) {
            const bool *s = b->there[CUT][made->row[r]], *t = b->there[CUT][made->row[k]];
            cr_assert_eq(made->set[r] == made->set[k], memcmp(s, t, TARGETS) == 0);
        }
    }
}

Test(pieced_sets, random_parts_against_flags) {
    for (uint64_t seed = 1; seed <= (TEST_SANITIZED ? 5 : 30); seed++) {
        bench *b = bench_begin(seed);
        cr_assert_eq(put_together(b, false), CFLR_OK);
        must_hold(b);
        must_share(b);
        bench_end(b, true);
    }
}

Test(pieced_sets, parts_in_the_wrong_order) {
    bench *b = bench_begin(1);
    cr_assert_eq(put_together(b, true), CFLR_OK);
    cflr_row row = {0};
    uint32_t refused = 0;
    for (uint32_t s = 0; s < SOURCES; s++) {
        cflr_error error;
        cflr_status st = cflri_relation_read_row(b->context, &b->made[CUT], s, &row, &error);
        refused += st == CFLR_FORMAT;
        cr_assert(st == CFLR_OK || st == CFLR_FORMAT);
        cr_assert_eq(cflri_relation_read_row(b->context, &b->made[WHOLE], s, &row, NULL), CFLR_OK);
    }
    cr_assert_gt(refused, 0);
    cflr_row_free(&row);
    bench_end(b, true);
}
