/* SPDX-License-Identifier: Apache-2.0
 *
 * account.c: the memory of a batch by owner, if statistics are wanted.
 *
 *     stratum      looks                                 account
 *     # 1: loop    wave, wave, condensing, wave, end     the look at which most was in use
 *     # 2: ...     end                                   the same
 *     result       when all relations are made           the same
 *
 * Every block has its size in front (base/alloc.c), and each structure has a function next to it
 * that adds up its blocks. So an account takes O(blocks), nothing is counted while memory is
 * allocated, and what owners have is exact to the byte. REST is the difference to the count of the
 * context: grammar, names of the result, equations by what they read, and whatever has no owner
 * yet. A REST that grows with the graph shows that an owner is missing.
 *
 * Memory is looked at when one thread works and the others wait: a batch knows the structures that
 * strata share, and the stratum adds its own, which it frees when it ends. That is before each wave
 * of a loop, when condensing has both the old and the new flows, before a loop or a search is
 * freed, and before the result's scratch is. The true peak of the stratum stands beside: where it
 * is much above the account, something large lives between two looks.
 *
 * Segments and tables are counted with the places that nothing uses yet. Their pages were not
 * touched, so that a process may be smaller than its count.
 */
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"
#include "engine/closure/batch/steps.h"
#include "grammar/read/text.h"

/* The first stratum begins here: reading the graph is not its peak. */
bool cflri_batch_make_accounts(cflri_batch *b) {
    b->account =
        cflri_alloc_array_zero(b->context, b->equations->stratum.n + 1, sizeof *b->account);
    cflri_take_peak(b->context);
    return b->account != NULL;
}

static void add_store(const cflri_batch *b, cflri_account *a) {
    const cflri_batch_store *store = b->store;
    cflri_set_bytes sets = cflri_set_store_bytes(store->sets);
    a->bytes[CFLR_OWNER_VALUES] += cflri_segments_bytes(&store->value);
    a->bytes[CFLR_OWNER_EXTRAS] +=
        cflri_segments_bytes(&store->extra) + cflri_block_bytes((void *)store->first_extra);
    a->bytes[CFLR_OWNER_HEADERS] += sets.headers;
    a->bytes[CFLR_OWNER_LISTS] += sets.lists;
    a->bytes[CFLR_OWNER_TREES] += sets.trees;
    a->bytes[CFLR_OWNER_TABLES] += sets.tables + cflri_shards_bytes(&store->extras);
    a->bytes[CFLR_OWNER_OLDER] += sets.older + cflri_shards_older_bytes(&store->extras);
    a->bytes[CFLR_OWNER_ANSWERS] += sets.answers + cflri_batch_steps_bytes(b);
    a->bytes[CFLR_OWNER_SUMS] += sets.sums;
    a->bytes[CFLR_OWNER_SCRATCH] += sets.scratch;
}

static void count(const cflri_batch *b, cflri_account *a) {
    const cflri_set_store *sets = b->store->sets;
    cflri_set_totals totals = cflri_set_store_totals(sets);
    a->nodes = b->n_placed + (uint64_t)b->store->extra.drawn;
    a->sets = totals.kept;
    a->set_ids = totals.ids;
    for (uint32_t i = 0; i < sets->hands; i++) {
        a->tree_nodes += sets->hand[i].trees.made - sets->hand[i].trees.freed;
    }
}

/* Replaces the account by what is in use now, if that is more. */
static void look(const cflri_batch *b, cflri_account *account, const cflri_account *own) {
    cflri_account now = *own;
    now.all = cflr_context_memory(b->context);
    if (now.all < account->all) return;
    now.bytes[CFLR_OWNER_GRAPH] = cflri_graph_bytes(b->problem->ground->graph);
    now.bytes[CFLR_OWNER_PLAN] = cflri_spine_plan_bytes(b->plan);
    add_store(b, &now);
    count(b, &now);
    cflri_account_balance(&now);
    *account = now;
}

void cflri_batch_account(const cflri_batch *b, const cflri_account *own) {
    look(b, &b->account[b->number], own);
}

void cflri_batch_account_result(const cflri_batch *b, const cflri_closure *closure) {
    cflri_account own = {.bytes = {[CFLR_OWNER_RELATIONS] = cflri_block_bytes(closure->relation)}};
    for (uint32_t s = 0; s < closure->n_symbols; s++) {
        own.bytes[CFLR_OWNER_RELATIONS] += cflri_relation_bytes(&closure->relation[s]);
    }
    look(b, &b->account[b->equations->stratum.n], &own);
}

uint64_t cflri_views_bytes(const cflri_batch *b, const cflri_views *views) {
    uint64_t bytes = 0;
    for (uint32_t i = 1; views->of && views->other && i < b->threads; i++) {
        bytes += cflri_batch_steps_bytes(views->of[i]);
    }
    return bytes;
}

void cflri_batch_note_peak(const cflri_batch *b) {
    b->account[b->number].peak = cflri_take_peak(b->context);
}

/* The line that begins a stratum, or "result" behind the strata. False when memory is refused. */
static bool write_text(const cflri_batch *b, size_t i, char **made) {
    static const char result[] = "result";
    cflri_text text;
    if (i == b->equations->stratum.n) {
        *made = cflri_copy_text(b->context, result, strlen(result));
        return *made;
    }
    cflri_text_init(&text, b->context);
    cflri_stratum_show(&text, b->equations, i);
    return cflri_text_take(&text, made, NULL) == CFLR_OK;
}

void cflri_batch_report_accounts(cflri_batch *b, cflri_closure *closure) {
    size_t n = b->equations->stratum.n + 1, written = 0;
    if (!b->account) return;
    b->account[n - 1].peak = cflri_take_peak(b->context);
    while (written < n && write_text(b, written, &b->account[written].text)) written++;
    if (written < n) {
        cflri_accounts_free(b->context, b->account, n);
    } else {
        closure->account = b->account;
        closure->n_accounts = n;
    }
    b->account = NULL;
}
