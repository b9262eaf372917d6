/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.c: merges the closures of slices into one.
 *
 *     slice 0        2: 1 4          5: 0
 *     slice 1        2: 9 11                     7: 8
 *     together       2: 1 4 9 11     5: 0        7: 8
 *
 * Slices are ascending ranges of targets, so a row is the concatenation of its parts in the slices,
 * and its set is the list of their sets (pieced_sets.h). Where the pairs of a symbol are the
 * converse of another's, a row is whole in one slice.
 */
#include "engine/spine/merge.h"

#include <string.h>

#include "base/context.h"
#include "engine/closure/digest.h"
#include "engine/sets/pieced_sets.h"

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

static bool has_parts(const cflri_spine_plan *plan, uint32_t symbol) {
    return plan->equations->home[symbol].rows != CFLRI_NO_SYMBOL;
}

/* Only the first part is needed when memory is refused, so relations of others are freed early. */
static cflr_status merge_symbols(const cflri_spine_plan *plan, cflri_pieced_sets *sets,
                                 cflri_closure *part, const cflri_relation **parts,
                                 cflri_closure *closure, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < closure->n_symbols && st == CFLR_OK; s++) {
        if (!has_parts(plan, s)) continue;
        for (uint32_t i = 0; i < sets->n_parts; i++) parts[i] = &part[i].relation[s];
        st = cflri_pieced_sets_add(sets, parts, sets->n_parts, &closure->relation[s], error);
        for (uint32_t i = 1; i < sets->n_parts; i++) {
            cflri_relation_free(plan->context, &part[i].relation[s]);
        }
    }
    return st;
}

/* A symbol with the pairs of an input has the same pairs in every slice. */
static void move_inputs(const cflri_spine_plan *plan, cflri_closure *from, cflri_closure *closure) {
    for (uint32_t s = 0; s < closure->n_symbols; s++) {
        if (has_parts(plan, s)) continue;
        closure->relation[s] = from->relation[s];
        from->relation[s] = (cflri_relation){0};
    }
}

static cflri_pieced_sets *begin_sets(cflr_context *context, const cflri_closure *part, uint32_t n) {
    cflri_target_sets **sets = cflri_alloc_array(context, n, sizeof(cflri_target_sets *));
    for (uint32_t i = 0; sets && i < n; i++) sets[i] = part[i].sets;
    cflri_pieced_sets *made = sets ? cflri_pieced_sets_new(context, sets, n) : NULL;
    cflri_free(context, sets);
    return made;
}

static void move_sets(cflri_pieced_sets *sets, cflri_closure *part, cflri_closure *closure) {
    cflri_pieced_sets_end(sets);
    for (uint32_t i = 0; i < sets->n_parts; i++) part[i].sets = NULL;
    closure->sets = &sets->sets;
}

cflr_status cflri_closures_merge(const cflri_spine_plan *plan, cflri_closure *part, uint32_t n,
                                 cflri_closure *closure, cflr_error *error) {
    cflr_context *context = plan->context;
    cflri_pieced_sets *sets = begin_sets(context, part, n);
    const cflri_relation **parts = cflri_alloc_array(context, n, sizeof(cflri_relation *));
    *closure = (cflri_closure){.n_symbols = part[0].n_symbols};
    closure->relation =
        cflri_alloc_array_zero(context, (size_t)part[0].n_symbols + 1, sizeof(cflri_relation));
    bool made = sets && parts && closure->relation;
    cflr_status st = made ? merge_symbols(plan, sets, part, parts, closure, error)
                          : cflri_fail_memory(context, error);
    if (st == CFLR_OK) {
        move_sets(sets, part, closure);
        move_inputs(plan, &part[0], closure);
        add_figures(part, n, closure);
    } else {
        cflri_closure_free(context, closure);
        if (sets) sets->sets.free(context, &sets->sets);
    }
    cflri_free(context, parts);
    return st;
}

/* Ends of slices are vertices of the graph, of which the reduced problem has some. */
static uint32_t border(const cflri_spine_plan *plan, uint32_t id) {
    const cflri_reduced *r = &plan->reduced;
    return id < r->problem.n_vertices ? cflri_reduced_vertex(r, id) : r->original->n_vertices;
}

void cflri_closure_slice(const cflri_spine_plan *plan, uint32_t self, cflri_closure *closure) {
    cflri_slice slice = cflri_split_slice(plan->split, self);
    unsigned char digest[CFLRI_PROBLEM_DIGEST];
    uint64_t problem;
    cflri_problem_digest(plan->reduced.original, digest);
    memcpy(&problem, digest, sizeof problem);
    closure->sliced = (cflri_sliced){.n = plan->split.slices,
                                     .self = self,
                                     .first = self ? border(plan, slice.first) : 0,
                                     .end = border(plan, slice.end),
                                     .problem = problem};
    for (uint32_t s = 0; self && s < closure->n_symbols; s++) {
        if (!has_parts(plan, s)) cflri_relation_free(plan->context, &closure->relation[s]);
    }
}
