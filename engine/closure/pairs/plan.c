/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.c: from the ground grammar to the moves of plan.h.
 *
 * The moves are found by one walk over the indexes of the ground grammar, made twice: the first
 * time it counts the entries of each slot, the second time it fills them. Then each slot is sorted,
 * and entries that came twice (two rules, or a rule and one that reflexive pairs gave) are dropped.
 */
#include "engine/closure/pairs/plan.h"

#include <assert.h>
#include <string.h>

#include "base/vec.h"

/* ---- facts about symbols ---- */

/* ~X is mirrored when its one rule is the converse of X, X is stored, and it has no input. A symbol
 * has one mirror, and a mirror has none: rows have two directions, not more. */
static void find_mirrors(const cflri_problem *problem, const uint32_t *rules, cflri_plan *plan) {
    const cflri_join_index *index = &problem->ground->by_converse;
    for (uint32_t s = 0; s < plan->n_symbols; s++) plan->mirror[s] = CFLRI_NO_SYMBOL;
    for (uint32_t x = 0; x < plan->n_symbols; x++) {
        if (plan->mirror[x] != CFLRI_NO_SYMBOL) continue;
        for (uint32_t j = index->start[x]; j < index->start[x + 1]; j++) {
            uint32_t left = index->join[j].left;
            bool alone = rules[left] == 1 && !problem->input[left] && left != x;
            if (!alone || plan->has_mirror[left] || plan->has_mirror[x]) continue;
            plan->mirror[left] = x;
            plan->has_mirror[x] = true;
        }
    }
}

static cflr_status find_facts(const cflri_problem *problem, cflri_plan *plan, cflr_error *error) {
    const cflri_ground *ground = problem->ground;
    uint32_t *rules =
        cflri_alloc_array_zero(plan->context, (size_t)plan->n_symbols + 1, sizeof *rules);
    bool found = rules && cflri_ground_find_nullable(ground, plan->nullable);
    if (found) {
        for (uint32_t r = 0; r < ground->n_rules; r++) rules[ground->rule[r].left]++;
        for (uint32_t e = 0; e < ground->n_epsilon; e++) rules[ground->epsilon[e]]++;
        for (uint32_t s = 0; s < plan->n_symbols; s++)
            plan->fixed[s] = !rules[s] && !cflri_problem_filter(problem, s);
        find_mirrors(problem, rules, plan);
    }
    cflri_free(plan->context, rules);
    return found ? CFLR_OK : cflri_fail_memory(plan->context, error);
}

/* ---- moves ---- */

/* Writes the entries of slots, or only counts them while `step` is NULL. */
typedef struct filler {
    const cflri_ground *ground;
    cflri_plan *plan;
    uint64_t *next; /* place of the next entry, or count, of each slot */
    uint64_t *step;
} filler;

static void put(filler *f, uint32_t symbol, uint32_t slot, uint64_t entry) {
    uint64_t *next = &f->next[(uint64_t)symbol * CFLRI_SLOTS + slot];
    if (f->step) f->step[*next] = entry;
    ++*next;
}

static uint32_t stored(const cflri_plan *plan, uint32_t symbol) {
    return plan->mirror[symbol] == CFLRI_NO_SYMBOL ? symbol : plan->mirror[symbol];
}

/* left ::= right, `swapped` when the pairs are read backwards. */
static void put_unary(filler *f, uint32_t left, uint32_t right, bool swapped) {
    const cflri_plan *plan = f->plan;
    bool mirrored = plan->mirror[right] != CFLRI_NO_SYMBOL;
    bool swap = swapped != mirrored;
    uint32_t from = stored(plan, right);
    if (plan->mirror[left] != CFLRI_NO_SYMBOL) return; /* its one rule is what the mirror means */
    if (from == left && !swap) return;
    put(f, from, swap ? CFLRI_SLOT_SWAP : CFLRI_SLOT_COPY, left);
}

/* left ::= first second, seen from pairs of `first` (ahead) or of `second`. */
static void put_join(filler *f, const cflri_join *join, uint32_t symbol, bool ahead) {
    const cflri_plan *plan = f->plan;
    uint32_t own = stored(plan, symbol), partner = stored(plan, join->partner);
    if (plan->fixed[own] && (!plan->fixed[partner] || !ahead)) return;
    bool mirrored = own != symbol, partner_mirrored = partner != join->partner;
    unsigned move = (mirrored ? CFLRI_MIRROR_AHEAD : CFLRI_AHEAD) + !ahead;
    /* going ahead reads the partner's rows by source, going behind its lists by target */
    cflri_side side = ahead != partner_mirrored ? CFLRI_FROM_ROWS : CFLRI_FROM_LISTS;
    (side == CFLRI_FROM_LISTS ? plan->listed : plan->read)[partner] = true;
    put(f, own, move * CFLRI_SIDES + side, cflri_pair(partner, join->left));
}

/* All rules with one symbol of `index` at hand: binary ones, that symbol first (ahead) or
 * second. */
static void put_joins(filler *f, const cflri_join_index *index, uint32_t symbol, bool ahead) {
    for (uint32_t j = index->start[symbol]; j < index->start[symbol + 1]; j++) {
        const cflri_join *join = &index->join[j];
        put_join(f, join, symbol, ahead);
        if (f->plan->nullable[join->partner]) put_unary(f, join->left, symbol, false);
    }
}

static void put_unaries(filler *f, const cflri_join_index *index, uint32_t symbol, bool swapped) {
    for (uint32_t j = index->start[symbol]; j < index->start[symbol + 1]; j++) {
        put_unary(f, index->join[j].left, symbol, swapped);
    }
}

static void walk(filler *f) {
    for (uint32_t s = 0; s < f->ground->n_symbols; s++) {
        put_unaries(f, &f->ground->by_unary, s, false);
        put_unaries(f, &f->ground->by_converse, s, true);
        put_joins(f, &f->ground->by_left, s, true);
        put_joins(f, &f->ground->by_right, s, false);
    }
}

/* Makes each slot ascend without repeats, and closes the gaps. */
static cflr_status tidy(cflri_plan *plan, cflr_error *error) {
    uint64_t slots = (uint64_t)plan->n_symbols * CFLRI_SLOTS, kept = 0;
    for (uint64_t s = 0; s < slots; s++) {
        uint64_t from = plan->start[s], to = plan->start[s + 1], first = kept;
        cflr_status st = cflri_sort_pairs(plan->context, plan->step + from, to - from, NULL, error);
        if (st != CFLR_OK) return st;
        for (uint64_t i = from; i < to; i++) {
            if (kept == first || plan->step[kept - 1] != plan->step[i]) {
                plan->step[kept++] = plan->step[i];
            }
        }
        plan->start[s] = first;
    }
    plan->start[slots] = kept;
    return CFLR_OK;
}

static cflr_status find_moves(const cflri_ground *ground, cflri_plan *plan, cflr_error *error) {
    uint64_t slots = (uint64_t)plan->n_symbols * CFLRI_SLOTS;
    cflr_status st = CFLR_OK;
    uint64_t *next = cflri_alloc_array_zero(plan->context, slots + 1, sizeof *next);
    if (!next) return cflri_fail_memory(plan->context, error);
    filler f = {.ground = ground, .plan = plan, .next = next};
    walk(&f);
    uint64_t total = 0;
    for (uint64_t s = 0; s < slots; s++) {
        plan->start[s] = total;
        total += next[s];
        next[s] = plan->start[s];
    }
    plan->start[slots] = total;
    f.step = plan->step = cflri_alloc_array(plan->context, total + 1, sizeof *plan->step);
    if (!plan->step) {
        st = cflri_fail_memory(plan->context, error);
        goto out;
    }
    walk(&f);
    CFLR_TRY(tidy(plan, error));
out:
    cflri_free(plan->context, next);
    return st;
}

/* Which symbols have moves, and where. */
static void sum_up(cflri_plan *plan) {
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        const uint64_t *start = plan->start + (uint64_t)s * CFLRI_SLOTS;
        plan->busy[s] = start[CFLRI_SLOTS] > start[0];
        uint64_t ahead = start[CFLRI_BEHIND * CFLRI_SIDES] - start[CFLRI_AHEAD * CFLRI_SIDES];
        uint64_t mirror_behind =
            start[CFLRI_MOVES * CFLRI_SIDES] - start[CFLRI_MIRROR_BEHIND * CFLRI_SIDES];
        bool appended = plan->listed[s] && !plan->fixed[s];
        plan->at_target[s] = ahead || mirror_behind || appended;
    }
}

cflr_status cflri_plan_new(const cflri_problem *problem, cflri_plan *plan, cflr_error *error) {
    enum { FLAGS = 7 };
    cflr_context *context = problem->context;
    uint32_t n = problem->ground->n_symbols;
    size_t room = (size_t)n + 1;
    cflr_status st = CFLR_OK;
    *plan = (cflri_plan){.context = context, .n_symbols = n};
    plan->flags = cflri_alloc_array_zero(context, room, FLAGS * sizeof *plan->flags);
    plan->mirror = cflri_alloc_array_zero(context, room, sizeof *plan->mirror);
    plan->start = cflri_alloc_array_zero(context, room * CFLRI_SLOTS, sizeof *plan->start);
    if (!plan->flags || !plan->mirror || !plan->start) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    bool **flags[FLAGS] = {&plan->nullable,  &plan->fixed, &plan->listed,    &plan->read,
                           &plan->at_target, &plan->busy,  &plan->has_mirror};
    for (size_t f = 0; f < FLAGS; f++) *flags[f] = plan->flags + f * room;
    CFLR_TRY(find_facts(problem, plan, error));
    CFLR_TRY(find_moves(problem->ground, plan, error));
    sum_up(plan);
out:
    if (st != CFLR_OK) cflri_plan_free(plan);
    return st;
}

void cflri_plan_free(cflri_plan *plan) {
    cflr_context *context = plan->context;
    if (!context) return;
    cflri_free(context, plan->flags);
    cflri_free(context, plan->mirror);
    cflri_free(context, plan->start);
    cflri_free(context, plan->step);
    *plan = (cflri_plan){0};
}
