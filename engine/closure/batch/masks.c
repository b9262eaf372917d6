/* SPDX-License-Identifier: Apache-2.0
 *
 * masks.c: filters on rows.
 *
 * A row of a filtered family is cut to the mask of its vertex whenever it grows: two differences of
 * shared sets, which are cached like any other. Cutting targets commutes with COPY, EDGE and PAIR,
 * so a set that flows into the row may be cut when it comes, and the cut row flows on. Members of a
 * cycle differ where they have masks, so such rows are never merged with others (condense.c).
 */
#include "base/context.h"
#include "engine/closure/batch/state.h"

cflri_set_number cflri_batch_filter(cflri_batch *b, uint32_t family, uint32_t mask,
                                    cflri_set_number set) {
    cflri_set_number kept = b->masks[family].set[mask];
    cflri_set_number others = cflri_sets_minus(b->sets, set, kept);
    return others == CFLRI_NO_SET ? others : cflri_sets_minus(b->sets, set, others);
}

/* Returns the vertices of a mask, for rows of guards or of vertices. */
static cflri_set_number set_of_mask(cflri_batch *b, bool guarded, const cflri_filter *filter,
                                    uint32_t mask) {
    const uint32_t *vertex = filter->vertex + filter->start[mask - 1];
    return cflri_batch_set_of(b, guarded, vertex,
                              (uint32_t)(filter->start[mask] - filter->start[mask - 1]));
}

static bool make_masks_of(cflri_batch *b, uint32_t family) {
    const cflri_family *f = &b->equations->family.at[family];
    const cflri_filter *filter = cflri_problem_filter(b->problem, f->symbol);
    cflri_mask_sets *masks = &b->masks[family];
    masks->set =
        cflri_alloc_array_zero(b->context, (size_t)filter->n_masks + 1, sizeof *masks->set);
    if (!masks->set) return false;
    masks->filter = filter;
    b->filters = true;
    for (uint32_t m = 1; m <= filter->n_masks; m++) {
        masks->set[m] = set_of_mask(b, f->guarded, filter, m);
        if (masks->set[m] == CFLRI_NO_SET) return false;
    }
    return true;
}

bool cflri_batch_make_masks(cflri_batch *b) {
    for (uint32_t f = 0; f < b->equations->family.n; f++) {
        const cflri_family *family = &b->equations->family.at[f];
        if (!family->filtered || family->stratum != b->number) continue;
        if (!make_masks_of(b, f)) return cflri_batch_refused(b);
    }
    return true;
}

void cflri_batch_keep_masks(const cflri_batch *b) {
    for (int guarded = 0; b->sliced && guarded < 2; guarded++) {
        cflri_sets_keep(b->store->sets, b->own[guarded]);
    }
    for (uint32_t f = 0; f < b->equations->family.n; f++) {
        const cflri_mask_sets *masks = &b->masks[f];
        for (uint32_t m = 1; masks->filter && m <= masks->filter->n_masks; m++) {
            cflri_sets_keep(b->store->sets, masks->set[m]);
        }
    }
}

void cflri_batch_free_masks(cflri_batch *b) {
    b->filters = false;
    for (uint32_t f = 0; f < b->equations->family.n; f++) {
        cflri_free(b->context, b->masks[f].set);
        b->masks[f] = (cflri_mask_sets){0};
    }
}
