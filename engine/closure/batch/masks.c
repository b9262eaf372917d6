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

/* ---- making sets ---- */

/* Of one filter, for rows of guards or of vertices. */
typedef struct mask_maker {
    cflri_batch *b;
    const cflri_filter *filter;
    bool guarded;
    cflri_set_number *class_set; /* by class; NULL where a class is a single vertex */
    cflri_set_list all;          /* scratch */
} mask_maker;

static bool make_class_sets(mask_maker *m) {
    cflri_batch *b = m->b;
    const cflri_relation *classes = &m->filter->classes;
    if (m->filter->single) return true;
    m->class_set =
        cflri_alloc_array(b->context, classes->n_rows + UINT64_C(1), sizeof *m->class_set);
    for (uint32_t c = 0; m->class_set && c < classes->n_rows; c++) {
        m->class_set[c] = cflri_batch_set_of(b, m->guarded, cflri_relation_targets(classes, c),
                                             (uint32_t)cflri_relation_count(classes, c));
        if (m->class_set[c] == CFLRI_NO_SET) return cflri_batch_refused(b);
        if (!cflri_batch_worked(b, cflri_relation_count(classes, c))) return false;
    }
    return m->class_set;
}

/* Large sets are trees that share their nodes, so a mask takes no room for each of its vertices. */
static cflri_set_number set_of_mask(mask_maker *m, uint32_t mask) {
    const cflri_filter *filter = m->filter;
    const uint32_t *class_of = filter->class_of + filter->start[mask - 1];
    uint64_t n = filter->start[mask] - filter->start[mask - 1];
    if (filter->single) return cflri_batch_set_of(m->b, m->guarded, class_of, (uint32_t)n);
    m->all.n = 0;
    if (!cflri_vec_reserve(m->b->context, &m->all, n)) return CFLRI_NO_SET;
    for (uint64_t i = 0; i < n; i++) m->all.at[i] = m->class_set[class_of[i]];
    return cflri_sets_union_all(m->b->sets, m->all.at, n);
}

static bool make_mask_sets(mask_maker *m, cflri_mask_sets *masks) {
    uint32_t n = m->filter->n_masks;
    masks->set = cflri_alloc_array_zero(m->b->context, n + UINT64_C(1), sizeof *masks->set);
    bool made = masks->set && make_class_sets(m);
    for (uint32_t mask = 1; made && mask <= n; mask++) {
        masks->set[mask] = set_of_mask(m, mask);
        made = masks->set[mask] != CFLRI_NO_SET && cflri_batch_worked(m->b, 1);
    }
    cflri_free(m->b->context, m->class_set);
    cflri_vec_free(m->b->context, &m->all);
    return made;
}

/* `known`: by filter, the first families with its sets, of vertices and of guards; from 1. */
static bool make_masks_of(cflri_batch *b, uint32_t family, uint32_t (*known)[2]) {
    const cflri_family *f = &b->equations->family.at[family];
    cflri_mask_sets *masks = &b->masks[family];
    mask_maker m = {
        .b = b, .filter = cflri_problem_filter(b->problem, f->symbol), .guarded = f->guarded};
    uint32_t *first = &known[m.filter - b->problem->filters->filter][f->guarded];
    masks->filter = m.filter;
    masks->shared = *first;
    b->filters = true;
    if (*first) {
        masks->set = b->masks[*first - 1].set;
        return true;
    }
    *first = family + 1;
    return make_mask_sets(&m, masks);
}

bool cflri_batch_make_masks(cflri_batch *b) {
    if (!b->problem->filters || !b->problem->filters->n) return true;
    uint32_t(*known)[2] = cflri_alloc_array_zero(b->context, b->problem->filters->n, sizeof *known);
    bool made = known;
    for (uint32_t f = 0; made && f < b->equations->family.n; f++) {
        const cflri_family *family = &b->equations->family.at[f];
        if (!family->filtered || family->stratum != b->number) continue;
        made = make_masks_of(b, f, known);
    }
    cflri_free(b->context, known);
    return made || cflri_batch_refused(b);
}

void cflri_batch_keep_masks(const cflri_batch *b) {
    for (int guarded = 0; b->sliced && guarded < 2; guarded++) {
        cflri_sets_keep(b->store->sets, b->own[guarded]);
    }
    for (uint32_t f = 0; f < b->equations->family.n; f++) {
        const cflri_mask_sets *masks = &b->masks[f];
        if (masks->shared) continue;
        for (uint32_t m = 1; masks->filter && m <= masks->filter->n_masks; m++) {
            cflri_sets_keep(b->store->sets, masks->set[m]);
        }
    }
}

void cflri_batch_free_masks(cflri_batch *b) {
    b->filters = false;
    for (uint32_t f = 0; f < b->equations->family.n; f++) {
        if (!b->masks[f].shared) cflri_free(b->context, b->masks[f].set);
        b->masks[f] = (cflri_mask_sets){0};
    }
}
