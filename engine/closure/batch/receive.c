/* SPDX-License-Identifier: Apache-2.0
 *
 * receive.c: processes the runs that a slice of a batch receives from other slices.
 *
 * Runs are those of engine/spine/place.h. A row takes ids that it receives like any other
 * consequence. For a Q of PAIR the slice keeps the ids of other slices, and continues with the new
 * ones.
 */
#include "engine/closure/batch/receive.h"

static cflri_set_number set_of(cflri_batch *b, const cflri_run *run) {
    for (uint32_t i = 0; i < run->n; i++) cflri_row_sum_add_id(&b->sets->sum, run->id[i]);
    return cflri_sets_take(b->sets);
}

static bool receive(cflri_batch *b, cflri_sink *sink, const cflri_run *run) {
    uint32_t families = (uint32_t)b->equations->family.n;
    cflri_set_number more = CFLRI_EMPTY_SET, set = set_of(b, run);
    if (set == CFLRI_NO_SET) return cflri_batch_refused(b);
    if (run->label < families) return sink->row(sink, run->label, run->vertex, set);
    uint32_t family = run->label - families;
    if (!cflri_batch_add_more(b, cflri_batch_received(b, family), run->vertex, set, &more))
        return false;
    return !more || cflri_rules_pairs(b, sink, family, run->vertex, more);
}

bool cflri_batch_receive(cflri_batch *b, cflri_sink *sink, const cflri_boxes *boxes, uint32_t self,
                         uint32_t threads) {
    uint64_t runs = 0;
    cflri_run run;
    for (size_t i = 0; i < boxes->n; i++) {
        for (size_t at = 0; cflri_box_next(&boxes->at[i], &at, &run);) {
            if (!cflri_is_dealt(&runs, self, threads)) continue;
            if (!receive(b, sink, &run) || !cflri_batch_worked(b, run.n)) return false;
        }
    }
    return true;
}
