/* SPDX-License-Identifier: Apache-2.0
 *
 * receive.c: processes the runs that a slice of a batch receives from other slices, or from itself
 * when it is loaded again.
 *
 * Runs are those of engine/spine/place.h. A row takes ids that it receives like any other
 * consequence. For a Q of PAIR the slice keeps the ids of other slices, and continues with the new
 * ones.
 */
#include "engine/closure/batch/receive.h"

/* ---- receiving ---- */

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

/* ---- storing ---- */

/* Hubs are not stored, since they are made again when they are needed. Labels are the families of
 * nodes. */
bool cflri_batch_save(cflri_batch *b, cflri_exchange *exchange, uint32_t to, uint32_t from) {
    uint64_t nodes = b->n_placed + (uint64_t)b->store->extra.drawn;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t family = cflri_batch_family(b, node);
        if (family == CFLRI_NO_NODE || cflri_is_hub(b, family)) continue;
        uint32_t vertex = cflri_batch_vertex(b, node);
        cflri_set_number value = cflri_batch_value(b, node);
        if (!cflri_batch_put_set(b, exchange, to, from, family, vertex, value)) return false;
    }
    return true;
}

bool cflri_batch_load(cflri_batch *b, const cflri_box *box) {
    cflri_run run;
    for (size_t at = 0; cflri_box_next(box, &at, &run);) {
        cflri_set_number before, now, set = set_of(b, &run);
        uint32_t node = cflri_batch_node(b, run.label, run.vertex, NULL);
        if (set == CFLRI_NO_SET || node == CFLRI_NO_NODE) return cflri_batch_refused(b);
        if (!cflri_batch_add(b, node, set, &before, &now)) return false;
    }
    return true;
}
