/* SPDX-License-Identifier: Apache-2.0
 *
 * Relations read backwards by their different rows, against their pairs one by one.
 */
#include "engine/derivations/turned.h"
#include "engine/sets/stored_sets.h"
#include "support.h"

enum { VERTICES = 40, RELATIONS = 5, ROWS = 7 };

/* Relations that grow, with rows that many sources share. */
typedef struct growing {
    cflri_stored_sets *sets;
    cflri_relation relation[RELATIONS];
    const cflri_relation *all[RELATIONS];
} growing;

static void grow(cflr_context *context, uint64_t *random, growing *g) {
    cflr_error error;
    g->sets = cflri_stored_sets_new(context);
    cr_assert(g->sets &&
              cflri_set_store_init(&g->sets->store, context, VERTICES, CFLRI_KERNEL_BEST, 1));
    cflri_sets *hand = &g->sets->store.hand[0];
    for (uint32_t k = 0; k < RELATIONS; k++) {
        uint32_t set[ROWS];
        for (uint32_t i = 0; i < ROWS; i++) {
            for (uint32_t v = 0; v < VERTICES; v++)
                if (v % ROWS == i || test_random_below(random, RELATIONS) < k)
                    cflri_row_sum_add_id(&hand->sum, v);
            set[i] = cflri_sets_take(hand);
        }
        cflri_relation *made = &g->relation[k];
        MUST(cflri_relation_allocate_shared(context, k ? VERTICES - 1 : 0, &g->sets->sets, made,
                                            &error));
        for (uint32_t r = 0; r < made->n_rows; r++) {
            made->row[r] = r + 1;
            made->start[r] = made->n_pairs;
            made->set[r] = set[test_random_below(random, ROWS)];
            made->n_pairs += cflri_sets_count(hand, made->set[r]);
        }
        made->start[made->n_rows] = made->n_pairs;
        g->all[k] = made;
    }
    cr_assert(cflri_stored_sets_end(g->sets, NULL, 0, 0));
}

static bool is_turned(const cflri_turned_rows *turned, uint32_t k, uint32_t source,
                      uint32_t target) {
    uint64_t n;
    const uint32_t *set = cflri_relation_row(&turned->containing, target, &n);
    uint32_t found = 0;
    for (uint64_t i = 0; i < n && set[i] < turned->n_sets[k]; i++)
        found += cflri_relation_has(&turned->having[k], set[i], source, NULL);
    cr_assert_leq(found, 1, "a source has one row");
    return found == 1;
}

Test(turned, has_the_pairs_of_each_relation) {
    world w;
    cflr_error error;
    cflri_turned_rows turned;
    static growing g;
    world_begin(&w, 1);
    uint64_t random = 7;
    for (int round = 0; round < 20; round++) {
        grow(w.context, &random, &g);
        MUST(cflri_turned_make(w.context, g.all, RELATIONS, VERTICES, &turned, &error));
        for (uint32_t k = 0; k < RELATIONS; k++)
            for (uint32_t u = 0; u < VERTICES; u++)
                for (uint32_t v = 0; v < VERTICES; v++)
                    cr_assert_eq(is_turned(&turned, k, u, v),
                                 cflri_relation_has(g.all[k], u, v, NULL));
        cflri_turned_free(w.context, &turned);
        for (uint32_t k = 0; k < RELATIONS; k++) cflri_relation_free(w.context, &g.relation[k]);
        g.sets->sets.free(w.context, &g.sets->sets);
    }
    world_end(&w);
}
