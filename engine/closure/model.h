/* SPDX-License-Identifier: Apache-2.0
 *
 * model.h: what a CFL solver gets and gives. The table of solvers is engine/solvers.h.
 *
 * A solver closes `n_vertices` vertices under a ground grammar. It starts from the pairs that the
 * graph holds (problem->input), the reflexive pairs of epsilon rules, and works until nothing new
 * follows; a pair that a filter does not keep is not there (filter.h). It hands over one relation
 * for each ground symbol. When it is stopped (limit, cancel) it hands over what it has: every pair
 * derivable, the set perhaps not closed.
 */
#ifndef CFLRI_MODEL_H
#define CFLRI_MODEL_H

#include "base/graph/relation.h"
#include "cflr/result.h"
#include "engine/closure/filter.h"

struct cflri_question; /* engine/closure/question.h */

typedef struct cflri_problem {
    cflr_context *context;
    uint32_t n_vertices;
    const cflri_ground *ground;
    const cflri_relation *const *input; /* n_symbols; NULL for a symbol without input edges */
    const cflri_filters *filters;       /* of the grammar */
    const bool *wanted;                 /* n_symbols: whose relations are asked for; NULL: all */
    int threads;                        /* at most this many */
    bool stats;                         /* rules are to be tallied */
    /* The pairs that are asked for; NULL: all. The demand model needs one; the batch model leaves
     * out what rows of other sources alone need; the others do not look at it. */
    const struct cflri_question *question;
    uint64_t budget; /* of the demand and the edge-indexed model: steps after which they give up */
    struct cflri_bits_on *on; /* a device that closes it (bits/bits.h); NULL: the processor */
    struct cflri_attempts
        *attempts; /* of the batch model (spine/attempts.h); NULL: one, in memory */
} cflri_problem;

/* The filter of a ground symbol, or NULL. */
static inline const cflri_filter *cflri_problem_filter(const cflri_problem *problem,
                                                       uint32_t symbol) {
    return problem->filters && problem->filters->of ? problem->filters->of[symbol] : NULL;
}

/* May label(source, target) be kept? */
static inline bool cflri_problem_keeps(const cflri_problem *problem, uint32_t symbol,
                                       uint32_t source, uint32_t target) {
    return cflri_filters_keep(problem->filters, symbol, source, target);
}

uint64_t cflri_input_edges(const cflri_problem *problem);

/* Threads that the input edges are worth, of those that may be used: at least one. O(symbols). */
uint32_t cflri_threads_worth(const cflri_problem *problem);

/* What was done by one rule, or by what a solver has in its place. */
typedef struct cflri_rule_tally {
    char *text; /* owned */
    uint64_t tried, fresh;
    double seconds;
} cflri_rule_tally;

#define CFLRI_OWNER_COUNT(name, number, word, text) +1
enum { CFLRI_OWNERS = 0 CFLR_OWNER_LIST(CFLRI_OWNER_COUNT) };

/* The memory of a stratum, or of the result (cflr_result_account). */
typedef struct cflri_account {
    char *text; /* owned */
    uint64_t bytes[CFLRI_OWNERS];
    uint64_t all, peak;
    uint64_t nodes, flows, sets, set_ids, tree_nodes;
} cflri_account;

/* Makes REST what is left of `all`. Where the owners have more, `all` is what they have. */
void cflri_account_balance(cflri_account *account);

enum { CFLRI_MOST_SLICES = 1 << 20 };

/* The slice of targets that a closure has, of several that are closed apart. Rows have the targets
 * from `first` to before `end`; a symbol whose rows are those of another one read backwards has
 * whole rows, which no other slice has, and one whose rows are an input's has them in the first
 * slice only. */
typedef struct cflri_sliced {
    uint32_t n;          /* slices in all; 0: the closure is of all targets */
    uint32_t self;       /* from 0 */
    uint32_t first, end; /* vertices of the graph */
    uint64_t problem;    /* digest of what is closed, the same for all slices */
    bool complete;       /* the closure has all of the slice */
} cflri_sliced;

/* What closed a problem, if not the processor. */
enum { CFLRI_DEVICE_NAME = 256 };
typedef struct cflri_closing_device {
    cflr_result_device of; /* all 0: the processor; its `name` is not set */
    char name[CFLRI_DEVICE_NAME];
} cflri_closing_device;

typedef struct cflri_closure {
    uint32_t n_symbols;
    cflri_relation
        *relation; /* n_symbols; owned, but some may be borrowed from the problem's input */
    cflri_target_sets *sets; /* that relations share; owned; NULL: none */
    int threads;             /* that worked on it; 0: one */
    uint64_t rounds;
    uint64_t derivations;   /* conclusions of rules looked up, new or not */
    cflri_rule_tally *rule; /* n_rules; owned; none where the solver does not tally */
    size_t n_rules;
    cflri_account *account; /* n_accounts; owned; none where the solver has none */
    size_t n_accounts;
    cflri_sliced sliced;
    cflri_closing_device device;
    bool gave_up; /* the budget was too small: nothing is filled, another model is to solve */
} cflri_closure;

void cflri_rule_tallies_free(cflr_context *context, cflri_rule_tally *rule, size_t n);
void cflri_accounts_free(cflr_context *context, cflri_account *account, size_t n);

void cflri_closure_free(cflr_context *context, cflri_closure *closure);

/* What is left to hand over when no pair fits: relations without any, a partial result too. Returns
 * `ended`, or CFLR_NO_MEMORY when not even they fit or that was why the solver ended. */
cflr_status cflri_closure_empty(const cflri_problem *problem, cflr_status ended,
                                cflri_closure *closure, cflr_error *error);

#endif
