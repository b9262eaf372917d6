/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of labels, against a search through all of them.
 */
#include "base/graph/label_table.h"
#include "cflr/graph.h"
#include "tests/support/support.h"

Test(label_table, finds_every_label_and_no_other) {
    enum { NAMES = 40, INDEXES = 60 };
    static cflri_label labels[NAMES * INDEXES];
    cflr_context *context = test_context();
    cflri_seen table = {0};
    uint32_t n = 0;
    cr_assert_eq(cflri_label_find(&table, labels, (cflri_label){1, 2}), CFLR_NO_LABEL);
    /* every pair once, in an order that mixes names and indexes */
    for (uint32_t i = 0; i < NAMES * INDEXES; i++) {
        uint32_t mixed = i * 7 % (NAMES * INDEXES);
        labels[n] = (cflri_label){mixed / INDEXES * 1000, mixed % INDEXES};
        if (labels[n].index % 5 == 4) continue;
        cr_assert(cflri_label_add(context, &table, labels, n));
        n++;
    }
    for (uint32_t name = 0; name < NAMES; name++) {
        for (uint32_t index = 0; index < INDEXES; index++) {
            cflri_label key = {name * 1000, index};
            uint32_t expected = CFLR_NO_LABEL;
            for (uint32_t l = 0; l < n; l++) {
                if (labels[l].name == key.name && labels[l].index == key.index) expected = l;
            }
            cr_assert_eq(cflri_label_find(&table, labels, key), expected);
        }
    }
    cflri_seen_free(context, &table);
    test_context_end(context);
}
