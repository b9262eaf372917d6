/* SPDX-License-Identifier: Apache-2.0
 *
 * prepare.c: prepares a batch: the equations by what they read, and the places of nodes.
 */
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/slice.h"
#include "engine/closure/batch/steps.h"

enum { MOST_PLACES = 32, PLACE_PART = 16 };

/* ---- equations by what they read ---- */

/* Returns the readers of a family, which this stratum reads. */
static cflri_readers *reader_of(cflri_batch *b, uint32_t family) {
    cflri_readers *r = &b->readers[family];
    if (r->known) return r;
    r->known = cflri_vec_push(b->context, &b->reader, family);
    return r->known ? r : NULL;
}

static bool note_one(cflri_batch *b, uint32_t e) {
    const cflri_equation *equation = cflri_batch_equation(b, e);
    bool pair = equation->kind == CFLRI_PAIR;
    cflri_readers *r = reader_of(b, pair ? equation->by : equation->right);
    if (!r) return false;
    switch (equation->kind) {
        case CFLRI_COPY:
            return cflri_vec_push(b->context, &r->copy, e);
        case CFLRI_TURN:
            return cflri_vec_push(b->context, &r->turn, e);
        case CFLRI_GUARDS:
            return cflri_vec_push(b->context, &r->guards, e);
        case CFLRI_EDGE:
            return cflri_vec_push(b->context, &r->edge, e);
        case CFLRI_STEP:
            return cflri_vec_push(b->context, &r->step, e);
        case CFLRI_BETWEEN:
            return cflri_vec_push(b->context, &r->between, e);
        case CFLRI_PAIR:
            return cflri_vec_push(b->context, &r->pair_by, e);
        case CFLRI_DIAGONAL:
        case CFLRI_INPUT:
            break;
    }
    return true;
}

/* Equations are sorted, so each list is sorted as state.h says. */
static bool note_all(cflri_batch *b) {
    for (size_t e = b->stratum.first; e < b->stratum.end; e++) {
        cflri_equation_kind kind = cflri_batch_equation(b, (uint32_t)e)->kind;
        if (kind == CFLRI_DIAGONAL || kind == CFLRI_INPUT) continue;
        if (!b->stratum.loops && cflri_batch_unites(kind)) continue;
        if (!note_one(b, (uint32_t)e)) return false;
    }
    return true;
}

static void find_span(cflri_batch *b) {
    uint32_t n = b->problem->n_vertices;
    b->span = (cflri_span){.old_extra = b->store->extra.drawn};
    b->extra_draw = (cflri_draw){0}; /* the rest of the last draw is old */
    for (uint32_t i = 0; i < b->at_place.n; i++) {
        if (b->equations->family.at[b->at_place.at[i]].stratum != b->number) continue;
        if (!b->span.n_placed) b->span.first_placed = i * n;
        b->span.n_placed += n;
    }
}

bool cflri_batch_begin(cflri_batch *b, uint32_t stratum) {
    b->number = stratum;
    b->stratum = b->equations->stratum.at[stratum];
    find_span(b);
    cflri_batch_works_for_all(b);
    return cflri_segments_reach(&b->store->value, b->span.first_placed + b->span.n_placed) &&
           note_all(b);
}

void cflri_batch_finish(cflri_batch *b) {
    for (size_t i = 0; i < b->reader.n; i++) {
        cflri_readers *r = &b->readers[b->reader.at[i]];
        cflri_vec_free(b->context, &r->copy);
        cflri_vec_free(b->context, &r->turn);
        cflri_vec_free(b->context, &r->guards);
        cflri_vec_free(b->context, &r->step);
        cflri_vec_free(b->context, &r->pair_by);
        cflri_vec_free(b->context, &r->edge);
        cflri_vec_free(b->context, &r->between);
        *r = (cflri_readers){0};
    }
    b->reader.n = 0;
}

/* ---- places of nodes ---- */

/* Estimates the number of nodes that a family gets by one equation. */
static uint64_t likely_nodes(const cflri_batch *b, const cflri_equation *e,
                             const uint64_t *likely) {
    const cflri_relation *by = NULL;
    uint64_t vertices = b->problem->n_vertices;
    if (e->kind == CFLRI_INPUT || e->kind == CFLRI_EDGE || e->kind == CFLRI_BETWEEN) {
        by = b->problem->input[e->by];
        return !by ? 0 : e->by_back ? by->n_pairs : by->n_rows;
    }
    if (e->kind == CFLRI_COPY || e->kind == CFLRI_STEP || e->kind == CFLRI_GUARDS) {
        return likely[e->right];
    }
    return vertices;
}

/* Makes the places of one stratum adjacent. */
static void sort_places(cflri_batch *b) {
    const cflri_family *family = b->equations->family.at;
    for (size_t i = 1; i < b->at_place.n; i++) {
        uint32_t moved = b->at_place.at[i];
        size_t at = i;
        for (; at && family[b->at_place.at[at - 1]].stratum > family[moved].stratum; at--) {
            b->at_place.at[at] = b->at_place.at[at - 1];
        }
        b->at_place.at[at] = moved;
    }
    for (uint32_t p = 0; p < b->at_place.n; p++) b->place[b->at_place.at[p]] = p;
}

/* Gives a place for each vertex to families that have rows at most vertices. */
static bool make_places(cflri_batch *b) {
    uint32_t families = (uint32_t)b->equations->family.n;
    uint64_t vertices = b->problem->n_vertices;
    uint64_t *likely = cflri_alloc_array_zero(b->context, (size_t)families + 1, sizeof *likely);
    if (!likely) return false;
    for (size_t e = 0; e < b->equations->equation.n; e++) {
        const cflri_equation *equation = cflri_batch_equation(b, (uint32_t)e);
        likely[equation->left] += likely_nodes(b, equation, likely);
    }
    bool made = true;
    while (made && families && b->at_place.n < MOST_PLACES &&
           (b->at_place.n + 1) * vertices < CFLRI_NO_NODE / 2) {
        uint32_t best = 0;
        for (uint32_t f = 1; f < families; f++) {
            if (likely[f] > likely[best]) best = f;
        }
        if (!likely[best] || likely[best] < vertices / PLACE_PART) break;
        likely[best] = 0;
        made = cflri_vec_push(b->context, &b->at_place, best);
    }
    cflri_free(b->context, likely);
    sort_places(b);
    b->n_placed = (uint32_t)(b->at_place.n * vertices);
    return made;
}

/* ---- all ---- */

static void count_copies(cflri_batch *b) {
    for (uint32_t s = 0; s < b->equations->n_symbols; s++) {
        uint32_t rows = b->equations->home[s].rows;
        if (rows != CFLRI_NO_SYMBOL && b->copies[rows] < UINT8_MAX) b->copies[rows]++;
    }
}

static bool make_families(cflri_batch *b) {
    size_t n = b->equations->family.n + 1;
    b->copies = cflri_alloc_array_zero(b->context, n, sizeof *b->copies);
    b->readers = cflri_alloc_array_zero(b->context, n, sizeof *b->readers);
    b->place = cflri_alloc_array(b->context, n, sizeof *b->place);
    b->masks = cflri_alloc_array_zero(b->context, n, sizeof *b->masks);
    b->store->first_extra =
        cflri_alloc_array_zero(b->context, b->sliced ? 3 * n : n, sizeof *b->store->first_extra);
    if (!b->copies || !b->readers || !b->place || !b->masks || !b->store->first_extra) {
        return false;
    }
    memset(b->place, 0xff, n * sizeof *b->place);
    count_copies(b);
    return true;
}

static bool make_store(cflri_batch *b) {
    cflri_batch_store *store = b->store = cflri_alloc_zero(b->context, sizeof *b->store);
    if (!store) return false;
    cflri_segments_init(&store->value, b->context, sizeof(_Atomic cflri_set_number));
    cflri_segments_init(&store->extra, b->context, sizeof(cflri_extra));
    cflri_shards_init(&store->extras, b->context);
    store->stored = cflri_stored_sets_new(b->context);
    if (!store->stored) return false;
    store->sets = &store->stored->store;
    bool made = cflri_cache_init(&b->steps, b->context) &&
                cflri_set_store_init(store->sets, b->context, b->problem->n_vertices,
                                     CFLRI_KERNEL_BEST, b->threads);
    if (!made || !cflri_segments_reach(&store->extra, 1)) return false;
    cflri_segment_at(&store->extra, cflri_extra, 0)->family = CFLRI_NO_NODE;
    b->sets = &store->sets->hand[0];
    return true;
}

/* Frees all that remains of the store when solving has ended. */
static void free_store(cflri_batch *b) {
    cflri_batch_store *store = b->store;
    if (!store) return;
    if (store->stored) store->stored->sets.free(b->context, &store->stored->sets);
    cflri_segments_free(&store->value);
    cflri_segments_free(&store->extra);
    cflri_free(b->context, (void *)store->first_extra);
    cflri_free(b->context, store);
}

/* Guards are numbered by ascending vertex, so those of a slice are adjacent. */
static void find_own(cflri_batch *b) {
    b->own_first[false] = b->slice.first;
    b->own_end[false] = b->slice.end;
    for (uint32_t g = 0; g < b->plan->n_guards; g++) {
        b->own_first[true] += b->guard[g] < b->slice.first;
        b->own_end[true] += b->guard[g] < b->slice.end;
    }
}

cflr_status cflri_batch_init(cflri_batch *b, const cflri_spine_plan *plan, cflri_slice slice,
                             cflri_exchange *post, cflr_error *error) {
    const cflri_problem *problem = &plan->reduced.problem;
    *b = (cflri_batch){.plan = plan,
                       .reduced = &plan->reduced,
                       .problem = problem,
                       .equations = plan->equations,
                       .ports = &plan->ports,
                       .guard_of = plan->guard_of,
                       .guard = plan->guard,
                       .context = plan->context,
                       .threads = cflri_threads_worth(problem),
                       .slice = slice,
                       .sliced = plan->split.slices > 1,
                       .post = post,
                       .error = error};
    find_own(b);
    if (!make_store(b) || !make_families(b) || !make_places(b) ||
        (b->sliced && !cflri_batch_make_slice(b))) {
        return cflri_fail_memory(b->context, error);
    }
    if (!problem->stats) return CFLR_OK;
    b->tallied = (uint32_t)b->equations->equation.n; /* the first stratum, if there is one */
    bool made = cflri_batch_make_tallies(b) && cflri_batch_make_accounts(b);
    return made ? CFLR_OK : cflri_fail_memory(b->context, error);
}

void cflri_batch_end_solving(cflri_batch *b) {
    if (b->readers) cflri_batch_finish(b);
    cflri_vec_free(b->context, &b->reader);
    cflri_free(b->context, b->readers);
    cflri_cache_free(&b->steps, b->context);
    cflri_batch_free_steps(b);
    if (b->store && b->store->stored) {
        cflri_set_store_end(b->store->sets);
        cflri_shards_free(&b->store->extras);
    }
    b->readers = NULL;
}

void cflri_batch_free(cflri_batch *b) {
    cflri_batch_end_solving(b);
    free_store(b);
    cflri_free(b->context, b->place);
    cflri_free(b->context, b->masks);
    cflri_free(b->context, b->copies);
    cflri_free(b->context, b->tally);
    cflri_free(b->context, b->account);
    cflri_vec_free(b->context, &b->at_place);
}
