/* SPDX-License-Identifier: Apache-2.0
 *
 * explain.h: why a pair is in a closure: a derivation of it.
 *
 * A derivation of a pair A(u,w) is a path from u to w that spells a word of A. Each step is an
 * edge of the graph, or a pair of another symbol, which has a derivation of its own:
 *
 *     V(p,q):   p <-a- &x    &x -a-> r    r -V-> s    s -a-> q            V(r,s):   ...
 *
 * Each pair of a symbol with a filter is a step of its own, or the beginning or end of a path where
 * the symbol comes back; the filter keeps it.
 *
 * Edges and pairs may be gone through backwards. Of the derivations of a pair one is looked for
 * in which few pairs stand inside of one another, and each path is short.
 */
#ifndef CFLR_EXPLAIN_H
#define CFLR_EXPLAIN_H

#include "cflr/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CFLR_NO_DERIVATION UINT32_MAX

/* One step. Texts live as long as graph and grammar. */
typedef struct cflr_derivation_step {
    uint32_t from, to; /* as the path goes */
    const char *symbol;
    const char *index;   /* "" for a plain symbol */
    bool backwards;      /* the edge, or pair, is one from `to` to `from` */
    uint32_t derivation; /* of the pair; CFLR_NO_DERIVATION: it is an edge */
} cflr_derivation_step;

typedef struct cflr_derivation {
    const char *symbol;
    const char *index;
    uint32_t source, target;
    /* In the order of the path; none: by a rule A ::= eps. A step may come twice. Until the next
     * question. */
    const cflr_derivation_step *step;
    size_t n_steps;
} cflr_derivation;

typedef struct cflr_explainer cflr_explainer;

/* Prepares for questions about a result of this grammar; both must outlive *explainer. The result
 * must hold one of the symbols in each recursion that is in the middle of rules, as those that
 * answer questions are: CFLR_ARGUMENT when it does not, or when it answers a question itself. One
 * thread at a time. O(edges + ground rules), and the filters: as much as solving takes for them. */
CFLR_EXPERIMENTAL cflr_status cflr_explainer_new(const cflr_grammar *grammar,
                                                 const cflr_result *result,
                                                 cflr_explainer **explainer, cflr_error *error);
CFLR_EXPERIMENTAL void cflr_explainer_free(cflr_explainer *explainer); /* NULL is a no-op */

/* Looks for a derivation of symbol[index](source, target), with at most so many million steps of
 * work (0: as many as are usual). *n becomes how many derivations there are, 0 when none was
 * found: the pair is not in the closure, or the search has ended before. CFLR_ARGUMENT when the
 * graph and grammar have no such symbol; CFLR_CANCELLED and CFLR_LIMIT when interrupted. The same
 * question has the same answer, whatever was asked before. In a result that is not complete a pair
 * may have none. */
CFLR_EXPERIMENTAL cflr_status cflr_explain(cflr_explainer *explainer, const char *symbol,
                                           const char *index, uint32_t source, uint32_t target,
                                           uint32_t work, size_t *n, cflr_error *error);

/* Derivations of the last question: 0 is that of the pair that was asked for; a step is about one
 * with a greater number. Each pair has one. They are good until the next question. */
CFLR_EXPERIMENTAL void cflr_explanation_sized(const cflr_explainer *explainer, size_t i,
                                              cflr_derivation *derivation, size_t struct_size);
static inline void cflr_explanation(const cflr_explainer *explainer, size_t i,
                                    cflr_derivation *derivation) {
    cflr_explanation_sized(explainer, i, derivation, sizeof *derivation);
}

#ifdef __cplusplus
}
#endif
#endif
