/* SPDX-License-Identifier: Apache-2.0
 *
 * algebra.h: a ground grammar as sums of products, before it becomes equations between rows.
 *
 *     set       the pairs of one symbol
 *     factor      a set, read forwards or backwards
 *     product   factors behind one another: pairs that are joined end to end
 *
 *     input     the edges of the graph that carry the symbol
 *     sum       the union of some products
 *     star      the reflexive and transitive closure of the union of some products
 *     plus      the transitive closure
 *
 * The normal form of a grammar (at most two symbols on the right) is what pair-by-pair solvers
 * want. Rows want something else: long products, so that what stands between two inputs can be
 * joined in one go, and closures that say that they are closures. So the way there is
 *
 *     ground grammar -> sums       algebra.c   auxiliaries put back where they came from
 *                    -> stars      stars.c     linear recursion becomes a closure
 *                    -> mirrors    mirrors.c   sets that are each other read backwards are one set
 *                    -> equations  equations.c
 *                    -> strata     strata.c    what recurs apart from what can be evaluated once
 *
 * Every step keeps the pairs of every set that stands for a symbol of the grammar.
 */
#ifndef CFLRI_ALGEBRA_H
#define CFLRI_ALGEBRA_H

#include "base/arena.h"
#include "base/vec.h"
#include "grammar/equations/ground.h"

typedef uint32_t cflri_factor; /* 2 * set, and 1 more when it is read backwards */

#define CFLRI_NO_FACTOR UINT32_MAX

static inline cflri_factor cflri_factor_of(uint32_t set, bool back) {
    return set * 2 + back;
}

static inline uint32_t cflri_factor_set(cflri_factor factor) {
    return factor / 2;
}

static inline bool cflri_factor_back(cflri_factor factor) {
    return factor & 1;
}

typedef struct cflri_product {
    uint32_t n; /* 0: the empty word */
    cflri_factor *factor;
} cflri_product;

typedef enum cflri_set_kind {
    CFLRI_SET_INPUT,
    CFLRI_SET_SUM,
    CFLRI_SET_STAR,
    CFLRI_SET_PLUS,
} cflri_set_kind;

typedef struct cflri_set {
    cflri_set_kind kind;
    uint32_t symbol; /* ground symbol, CFLRI_NO_SYMBOL for a set that stands for none */
    bool symmetric;  /* the same backwards; no factor says backwards then */
    bool filtered;   /* a sum that is not to be put where it is read: its rows are filtered */
    CFLRI_VEC(cflri_product) product;
} cflri_set;

typedef struct cflri_algebra {
    cflr_context *context;
    cflri_arena arena;   /* products */
    unsigned techniques; /* of cflr_technique, those that are used */
    CFLRI_VEC(cflri_set) set;
    uint32_t n_symbols;
    cflri_factor *symbol; /* of each ground symbol */
} cflri_algebra;

/* For qsort: factor by factor, a product before those that it begins. */
int cflri_product_compare(const void *a, const void *b);

/* The factor read the other way. */
static inline cflri_factor cflri_flip(const cflri_algebra *algebra, cflri_factor factor) {
    return algebra->set.at[cflri_factor_set(factor)].symmetric ? factor : factor ^ 1;
}

static inline bool cflri_is_closure(cflri_set_kind kind) {
    return kind == CFLRI_SET_STAR || kind == CFLRI_SET_PLUS;
}

/* The input that the graph has for a ground symbol. */
typedef enum cflri_input_kind {
    CFLRI_INPUT_NONE,
    CFLRI_INPUT_EDGES,
    CFLRI_INPUT_SYMMETRIC, /* edges, the same backwards */
    CFLRI_INPUT_LOOPS,     /* edges from vertices to themselves, no others */
} cflri_input_kind;

/* The inputs of all ground symbols, as their relations are; freed with cflri_free, NULL when memory
 * is refused. */
cflri_input_kind *cflri_inputs_of(const cflri_ground *ground);

/* All steps; *algebra is freed by the caller, also after a failure. */
cflr_status cflri_algebra_make(const cflri_ground *ground, const cflri_input_kind *input,
                               unsigned techniques, cflri_algebra *algebra, cflr_error *error);
void cflri_algebra_free(cflri_algebra *algebra);

/* The steps, for one another. False when memory is refused. */
bool cflri_algebra_add_set(cflri_algebra *algebra, cflri_set_kind kind, uint32_t symbol,
                           uint32_t *set);
/* Copies the factors: those of `before`, one for `between` unless that is CFLRI_NO_FACTOR, those of
 * `after`; either may be NULL. */
bool cflri_algebra_add_product(cflri_algebra *algebra, uint32_t set, const cflri_product *before,
                               cflri_factor between, const cflri_product *after);
bool cflri_algebra_find_stars(cflri_algebra *algebra);
bool cflri_algebra_find_mirrors(cflri_algebra *algebra);

#endif
