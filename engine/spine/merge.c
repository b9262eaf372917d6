/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.c: merges the closures of slices into one.
 *
 *     slice 0        2: 1 4          5: 0
 *     slice 1        2: 9 11                     7: 8
 *     together       2: 1 4 9 11     5: 0        7: 8
 *
 * A row is the concatenation of its parts in the slices, since slices are ascending ranges of
 * targets. Where the pairs of a symbol are the converse of another's, a row is whole in one slice.
 */
#include "engine/spine/merge.h"

#include <string.h>

#include "base/context.h"

/* The relations of one symbol, each at its next row. */
typedef struct merging {
    cflr_context *context;
    const cflri_closure *part;
    uint32_t n, symbol;
    uint32_t *at; /* by slice */
    cflr_row row; /* of a slice */
} merging;

static const cflri_relation *relation_of(const merging *m, uint32_t slice) {
    return &m->part[slice].relation[m->symbol];
}

/* Finds the least source that is still to come. False when there is none. */
static bool next_source(const merging *m, uint32_t *source) {
    bool found = false;
    for (uint32_t i = 0; i < m->n; i++) {
        const cflri_relation *r = relation_of(m, i);
        if (m->at[i] == r->n_rows || (found && r->row[m->at[i]] >= *source)) continue;
        *source = r->row[m->at[i]];
        found = true;
    }
    return found;
}

/* Moves on past the row of a source. Copies it to `target` unless that is NULL. Adds its number of
 * targets to *n. */
static cflr_status take_row(merging *m, uint32_t source, uint32_t *target, uint64_t *n,
                            cflr_error *error) {
    for (uint32_t i = 0; i < m->n; i++) {
        const cflri_relation *r = relation_of(m, i);
        if (m->at[i] == r->n_rows || r->row[m->at[i]] != source) continue;
        uint64_t count = cflri_relation_count(r, m->at[i]);
        if (target) {
            cflr_status st = cflri_relation_read(m->context, r, m->at[i], &m->row, error);
            if (st != CFLR_OK) return st;
            memcpy(target, m->row.target, count * sizeof *target);
            target += count;
        }
        *n += count;
        m->at[i]++;
    }
    return CFLR_OK;
}

static cflr_status merge_symbol(merging *m, cflri_relation *made, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t source = 0;
    *made = (cflri_relation){0};
    memset(m->at, 0, m->n * sizeof *m->at);
    while (next_source(m, &source)) {
        CFLR_TRY(take_row(m, source, NULL, &made->n_pairs, error));
        made->n_rows++;
    }
    if (!made->n_rows) goto out;
    CFLR_TRY(cflri_relation_allocate(m->context, made, error));
    memset(m->at, 0, m->n * sizeof *m->at);
    made->start[0] = 0;
    for (uint32_t r = 0; r < made->n_rows && next_source(m, &source); r++) {
        uint64_t end = made->start[r];
        made->row[r] = source;
        CFLR_TRY(take_row(m, source, made->target + end, &end, error));
        made->start[r + 1] = end;
    }
out:
    return st;
}

/* Slices have the same equations, and tally them in the same order. */
static void add_tallies(const cflri_closure *part, cflri_closure *closure) {
    if (part->n_rules != closure->n_rules) return;
    for (size_t i = 0; i < part->n_rules; i++) {
        closure->rule[i].tried += part->rule[i].tried;
        closure->rule[i].fresh += part->rule[i].fresh;
        closure->rule[i].seconds += part->rule[i].seconds;
    }
}

/* Slices share the graph and the plan, and one context counts for all slices of an end. Each slice
 * is accounted for when it has most, so the sum may be more than there was at any time. */
static void add_account(const cflri_account *from, cflri_account *to) {
    for (int o = CFLR_OWNER_PLAN + 1; o < CFLR_OWNER_REST; o++) to->bytes[o] += from->bytes[o];
    if (from->all > to->all) to->all = from->all;
    if (from->peak > to->peak) to->peak = from->peak;
    to->nodes += from->nodes;
    to->flows += from->flows;
    to->sets += from->sets;
    to->set_ids += from->set_ids;
    to->tree_nodes += from->tree_nodes;
    cflri_account_balance(to);
}

static void add_accounts(const cflri_closure *part, cflri_closure *closure) {
    if (part->n_accounts != closure->n_accounts) return;
    for (size_t i = 0; i < part->n_accounts; i++) {
        add_account(&part->account[i], &closure->account[i]);
    }
}

static void add_figures(cflri_closure *part, uint32_t n, cflri_closure *closure) {
    closure->rule = part[0].rule;
    closure->n_rules = part[0].n_rules;
    part[0].rule = NULL;
    part[0].n_rules = 0;
    closure->account = part[0].account;
    closure->n_accounts = part[0].n_accounts;
    part[0].account = NULL;
    part[0].n_accounts = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (part[i].threads > closure->threads) closure->threads = part[i].threads;
        closure->rounds += part[i].rounds;
        closure->derivations += part[i].derivations;
        if (i) add_tallies(&part[i], closure);
        if (i) add_accounts(&part[i], closure);
    }
}

/* A symbol with the pairs of an input has the same pairs in every slice. */
static cflr_status merge_symbols(const cflri_spine_plan *plan, merging *m, cflri_closure *first,
                                 cflri_closure *closure, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (; m->symbol < closure->n_symbols && st == CFLR_OK; m->symbol++) {
        cflri_relation *made = &closure->relation[m->symbol];
        if (plan->equations->home[m->symbol].rows == CFLRI_NO_SYMBOL) {
            *made = first->relation[m->symbol];
            first->relation[m->symbol] = (cflri_relation){0};
        } else {
            st = merge_symbol(m, made, error);
        }
    }
    return st;
}

cflr_status cflri_closures_merge(const cflri_spine_plan *plan, cflri_closure *part, uint32_t n,
                                 cflri_closure *closure, cflr_error *error) {
    cflr_context *context = plan->context;
    uint32_t symbols = part[0].n_symbols;
    merging m = {.context = context, .part = part, .n = n};
    m.at = cflri_alloc_array(context, n, sizeof *m.at);
    *closure = (cflri_closure){.n_symbols = symbols};
    closure->relation =
        cflri_alloc_array_zero(context, (size_t)symbols + 1, sizeof(cflri_relation));
    cflr_status st = m.at && closure->relation ? merge_symbols(plan, &m, &part[0], closure, error)
                                               : cflri_fail_memory(context, error);
    cflri_free(context, m.at);
    cflr_row_free(&m.row);
    if (st == CFLR_OK) {
        add_figures(part, n, closure);
    } else {
        cflri_closure_free(context, closure);
    }
    return st;
}
