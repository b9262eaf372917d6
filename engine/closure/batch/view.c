/* SPDX-License-Identifier: Apache-2.0
 *
 * view.c: one thread's view of a batch: the work that it has done, whether it has to end, and how
 * views become one batch again.
 *
 * Every thread counts its own work. Now and then it checks the clock, the memory, and whether
 * another thread has to end, since all threads then end.
 */
#include "base/context.h"
#include "engine/closure/batch/steps.h"

enum { CHECK_EVERY = 1 << 16 };

/* ---- checks ---- */

bool cflri_batch_refused(cflri_batch *b) {
    if (b->end == CFLR_OK) b->end = cflri_fail_memory(b->context, b->error);
    atomic_store_explicit(&b->store->ending, true, memory_order_relaxed);
    return false;
}

/* Only one thread reports progress to the caller. */
static bool look_up(cflri_batch *b) {
    b->check_at = b->work + CHECK_EVERY;
    cflr_status st = b->sets->self ? cflri_interrupted(b->context)
                                   : cflri_tick(b->context, "solve", b->pairs, 0);
    if (st != CFLR_OK) b->end = cflri_fail_interrupted(b->context, st, b->error);
    if (b->end != CFLR_OK) atomic_store_explicit(&b->store->ending, true, memory_order_relaxed);
    return !atomic_load_explicit(&b->store->ending, memory_order_relaxed);
}

bool cflri_batch_worked(cflri_batch *b, uint64_t work) {
    b->work += work + b->sets->worked;
    b->sets->worked = 0;
    return b->work < b->check_at || look_up(b);
}

/* ---- views ---- */

typedef struct cflri_other_view {
    cflri_batch batch;
    cflr_error error; /* large enough to keep the views of two threads apart */
} other_view;

static bool begin_view(const cflri_batch *b, uint32_t self, other_view *view) {
    cflri_batch *made = &view->batch;
    *made = *b;
    made->sets = &b->store->sets->hand[self];
    made->extra_draw = (cflri_draw){0};
    made->words = NULL;
    made->pairs = made->rows = made->derivations = made->rounds = made->work = 0;
    made->error = &view->error;
    made->tally = NULL;
    bool begun =
        cflri_cache_init(&made->steps, b->context) && (!b->tally || cflri_batch_make_tallies(made));
    return begun || cflri_batch_refused(made);
}

static void share(cflri_batch *b, bool shared) {
    cflri_set_store_share(b->store->sets, shared);
    cflri_shards_share(&b->store->extras, shared);
}

bool cflri_views_begin(cflri_batch *b, cflri_views *views) {
    uint32_t n = b->threads;
    views->of = cflri_alloc_array_zero(b->context, n, sizeof(cflri_batch *));
    views->other = cflri_alloc_array_zero(b->context, n, sizeof *views->other);
    share(b, n > 1);
    if (!views->of || !views->other) return cflri_batch_refused(b);
    bool begun = true;
    for (uint32_t i = 0; i < n; i++) {
        views->of[i] = i ? &views->other[i].batch : b;
        if (i) begun &= begin_view(b, i, &views->other[i]);
    }
    return begun;
}

void cflri_views_note_ends(cflri_batch *b, const cflri_views *views) {
    for (uint32_t i = 1; views->of && views->other && i < b->threads && b->end == CFLR_OK; i++) {
        const cflri_batch *view = views->of[i];
        b->end = view->end;
        if (view->end != CFLR_OK && b->error) *b->error = *view->error;
    }
}

static void join(cflri_batch *b, cflri_batch *view) {
    b->pairs += view->pairs;
    b->rows += view->rows;
    b->derivations += view->derivations;
    b->rounds += view->rounds;
    for (size_t i = 0; view->tally && i < b->equations->equation.n + b->equations->stratum.n; i++) {
        b->tally[i].tried += view->tally[i].tried;
        b->tally[i].fresh += view->tally[i].fresh;
        b->tally[i].seconds += view->tally[i].seconds;
    }
    cflri_free(b->context, view->tally);
    cflri_cache_free(&view->steps, b->context);
    cflri_batch_free_steps(view);
}

void cflri_views_end(cflri_batch *b, cflri_views *views) {
    cflri_views_note_ends(b, views);
    for (uint32_t i = 1; views->of && views->other && i < b->threads; i++) join(b, views->of[i]);
    share(b, false);
    cflri_free(b->context, views->of);
    cflri_free(b->context, views->other);
}
