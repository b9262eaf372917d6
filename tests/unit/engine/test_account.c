/* SPDX-License-Identifier: Apache-2.0
 *
 * test_account.c: the memory of a batch by owner.
 *
 * An account is exact: all owners together have what the context counts, and what is left for none
 * of them is what the context counted before the batch began, and small arrays.
 */
#include "base/context.h"
#include "batch_support.h"
#include "sliced.h"

enum { SMALL = 1 << 14, LENGTH = 300 };

/* A path of pointers that point to one place each, all with two members. */
static const char *pointers(void) {
    static char text[1 << 16];
    size_t n = 0;
    for (unsigned i = 0; i < LENGTH; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u %u d; %u %u a; %u %u f[%u]",
                              n ? "; " : "", i, LENGTH + i, i, i + 1, i, i + 7, i % 3);
    }
    return text;
}

static uint64_t sum_of(const cflri_account *account) {
    uint64_t sum = 0;
    for (int o = 0; o < CFLRI_OWNERS; o++) sum += account->bytes[o];
    return sum;
}

static void must_have(const cflri_account *account, cflr_owner owner, const char *what) {
    cr_assert_gt(account->bytes[owner], 0, "%s: %s", what, cflr_owner_word(owner));
}

static void must_add_up(const cflri_account *account, uint64_t before, const char *what) {
    static const cflr_owner always[] = {CFLR_OWNER_GRAPH,  CFLR_OWNER_PLAN,    CFLR_OWNER_VALUES,
                                        CFLR_OWNER_EXTRAS, CFLR_OWNER_HEADERS, CFLR_OWNER_ANSWERS,
                                        CFLR_OWNER_SUMS};
    cr_assert_eq(sum_of(account), account->all, "%s", what);
    cr_assert_lt(account->bytes[CFLR_OWNER_REST], before + SMALL, "%s", what);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        must_have(account, always[i], what);
    }
    cr_assert(account->nodes && account->sets && account->set_ids, "%s", what);
}

/* Makes the batch anew, with statistics. */
static void begin(batch_world *m, int threads) {
    cflr_error error;
    batch_world_begin(m, TEST_ALIASES, pointers(), threads);
    cflri_batch_free(&m->batch);
    m->plan.reduced.problem.stats = true;
    MUST(cflri_batch_init(&m->batch, &m->plan, cflri_split_slice(m->plan.split, 0), NULL,
                          &m->error));
}

Test(account, owners_add_up_to_what_is_in_use) {
    static const cflr_owner of_loops[] = {CFLR_OWNER_LOOPED, CFLR_OWNER_FLOWS, CFLR_OWNER_QUEUE};
    for (int threads = 1; threads <= 4; threads += 3) {
        batch_world m;
        unsigned loops = 0, products = 0;
        begin(&m, threads);
        for (uint32_t s = 0; s < batch_world_strata(&m); s++) {
            uint64_t names = cflr_context_memory(m.w.context);
            const cflri_account *account = &m.batch.account[s];
            char what[64];
            snprintf(what, sizeof what, "%d threads, stratum %u", threads, s + 1);
            batch_world_work(&m, s);
            cflri_batch_note_peak(&m.batch);
            bool loop = m.batch.stratum.loops;
            loops += loop;
            products += !loop;
            must_add_up(account, names, what);
            cr_assert_leq(account->all, account->peak, "%s", what);
            for (size_t i = 0; loop && i < sizeof of_loops / sizeof *of_loops; i++) {
                must_have(account, of_loops[i], what);
            }
            if (!loop) must_have(account, CFLR_OWNER_SEARCH, what);
            cr_assert_eq(!loop, !account->flows, "%s", what);
            m.batch.account[s].all = 0;
            cflri_batch_account(&m.batch, &(cflri_account){0});
            cr_assert_eq(sum_of(account), cflr_context_memory(m.w.context), "%s", what);
        }
        cr_assert(loops && products);
        batch_world_end(&m);
    }
}

static cflr_result *solve(const world *w, bool stats) {
    cflr_solve_opts opts;
    cflr_error error;
    cflr_result *result;
    cflr_solve_opts_init(&opts);
    opts.model = CFLR_MODEL_BATCH;
    opts.stats = stats;
    MUST(cflr_solve(w->graph, w->grammar, &opts, &result, &error));
    return result;
}

static void begin_world(world *w) {
    world_begin(w, 1);
    world_grammar(w, TEST_ALIASES);
    world_graph(w, pointers());
}

/* Sums of the public accounts, and peaks of which the largest is that of the context. */
Test(account, result_shows_them) {
    world w;
    begin_world(&w);
    uint64_t before = cflr_context_memory_peak(w.context), peak = 0;
    cflr_result *result = solve(&w, true);
    size_t n = cflr_result_accounts(result);
    cr_assert_gt(n, 2);
    for (size_t i = 0; i < n; i++) {
        cflr_result_account account;
        uint64_t sum = 0;
        cflr_result_get_account(result, i, &account);
        for (int o = 0; cflr_owner_word((cflr_owner)o); o++) {
            cr_assert_not_null(cflr_owner_text((cflr_owner)o));
            sum += cflr_result_account_bytes(result, i, (cflr_owner)o);
        }
        cr_assert_eq(sum, account.bytes, "%s", account.text);
        cr_assert(account.bytes <= account.peak, "%s", account.text);
        cr_assert(strstr(account.text, i + 1 < n ? "# " : "result") == account.text);
        if (account.peak > peak) peak = account.peak;
    }
    cr_assert_eq(cflr_result_account_bytes(result, 0, CFLR_OWNER_RELATIONS), 0);
    cr_assert_gt(cflr_result_account_bytes(result, n - 1, CFLR_OWNER_RELATIONS), 0);
    cr_assert_eq(cflr_context_memory_peak(w.context), before > peak ? before : peak);
    cflr_result_free(result);
    world_end(&w);
}

/* Of slices the accounts are added up; the graph and the plan are there once. */
Test(account, slices_add_up) {
    enum { SLICES = 3 };
    world w;
    cflr_error error;
    cflri_memory_carrier memory;
    begin_world(&w);
    MUST(cflri_memory_carrier_init(&memory, w.context, SLICES, &error));
    cflri_spine spine = {
        .place = &cflri_batch_place, .slices = SLICES, .grain = 1, .carrier = &memory.carrier};
    cflr_result *whole = solve(&w, true);
    w.context->spine = &spine;
    cflr_result *sliced = solve(&w, true);
    w.context->spine = NULL;
    cr_assert_eq(cflr_result_accounts(sliced), cflr_result_accounts(whole));
    for (size_t i = 0; i < cflr_result_accounts(sliced); i++) {
        const cflri_account *a = &sliced->account[i], *b = &whole->account[i];
        cr_assert_eq(sum_of(a), a->all, "%s", a->text);
        cr_assert_eq(a->bytes[CFLR_OWNER_GRAPH], b->bytes[CFLR_OWNER_GRAPH], "%s", a->text);
        cr_assert_eq(a->bytes[CFLR_OWNER_SUMS], SLICES * b->bytes[CFLR_OWNER_SUMS], "%s", a->text);
    }
    cflr_result_free(whole);
    cflr_result_free(sliced);
    cflri_memory_carrier_free(&memory);
    world_end(&w);
}

Test(account, there_is_none_without_statistics) {
    world w;
    begin_world(&w);
    cflr_result *result = solve(&w, false);
    cr_assert_eq(cflr_result_accounts(result), 0);
    cr_assert_null(cflr_owner_word((cflr_owner)-1));
    cr_assert_null(cflr_owner_text((cflr_owner)CFLRI_OWNERS));
    cflr_result_free(result);
    world_end(&w);
}
