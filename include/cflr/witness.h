/* SPDX-License-Identifier: Apache-2.0
 *
 * witness.h: why a pair is in a closure: a shortest derivation along a path.
 *
 * A pair A(u,w) of a symbol that is derived from left to right,
 *
 *     Finding ::= Taint sink      Taint ::= Given | Given M      Given ::= source | Taint a
 *
 * has a derivation that is a path from u to w: each step is a pair of a symbol that stands right of
 * the recursion, an edge of the graph or a pair that the result holds:
 *
 *     u -source-> v1 -M-> v2 -a-> v3 -sink-> w
 *
 * A search finds such paths, with as few steps as there can be, from some vertices to all others.
 */
#ifndef CFLR_WITNESS_H
#define CFLR_WITNESS_H

#include "cflr/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_witness cflr_witness;

/* One step: (source, target) is a pair of symbol[index], in the graph or in the result. Texts live
 * as long as graph and grammar. */
typedef struct cflr_witness_step {
    uint32_t source, target;
    uint32_t label; /* the graph's number of symbol[index]; CFLR_NO_LABEL: it is no label of it */
    const char *symbol;
    const char *index; /* "" for a plain symbol */
} cflr_witness_step;

/* Prepares searches in a result of this grammar; both must outlive *witness. The result must answer
 * no question (CFLR_ARGUMENT). One thread at a time. O(ground rules), and the filters: as much as
 * solving takes for them. */
CFLR_EXPERIMENTAL cflr_status cflr_witness_new(const cflr_grammar *grammar,
                                               const cflr_result *result, cflr_witness **witness,
                                               cflr_error *error);

/* Searches from the `n` sources, in any order and as often as the caller likes, along derivations
 * of symbol[index], until `target` is reached (CFLR_NO_VERTEX: as far as it goes); forgets the
 * search before. The result must hold the symbols that stand right of others and have rules with
 * two symbols or a filter (M above; ask for them by cflr_solve_opts.only): CFLR_ARGUMENT when it
 * does not, or when there is no such symbol; CFLR_CANCELLED and CFLR_LIMIT when interrupted. In a
 * result that is not complete a pair may have no path. Each different row is read once: O(edges +
 * different rows of what is read), 20 bytes for each vertex and symbol that is reached. Where one
 * of the symbols with which derivations begin (all but M) has a filter, that much for each source.
 * */
CFLR_EXPERIMENTAL cflr_status cflr_witness_search(cflr_witness *witness, const char *symbol,
                                                  const char *index, const uint32_t *sources,
                                                  size_t n, uint32_t target, cflr_error *error);
/* Bounds the searches from now on: one that has read so many pairs ends as if there were no more.
 * 0, as at first: no bound. What is found depends on nothing else. */
CFLR_EXPERIMENTAL void cflr_witness_bound(cflr_witness *witness, uint64_t pairs);

/* Searches from now on go around some vertices: those whose `avoided`, one for each vertex of the
 * graph, is true. Sources are entered in any case. The array must live as long as the searches;
 * NULL, as at first: none. */
CFLR_EXPERIMENTAL void cflr_witness_avoid(cflr_witness *witness, const bool *avoided);

/* Which pairs of the result's symbols may be steps of a path. */
typedef struct cflr_witness_gate {
    /* What decides about the pairs of a symbol from `source`: 0: all of them may be steps. Another
     * number: those for which `lets` says so, and for two sources with one row of the symbol and
     * one number it says the same. */
    uint32_t (*group)(void *user, const char *symbol, uint32_t source);
    bool (*lets)(void *user, const char *symbol, uint32_t source, uint32_t target);
    void *user;
} cflr_witness_gate;

/* Searches from now on take pairs that the gate lets through. It must live as long as the searches;
 * NULL, as at first: all pairs. A row is read once for each number. */
CFLR_EXPERIMENTAL void cflr_witness_filter(cflr_witness *witness, const cflr_witness_gate *gate);

/* Did the search before end before it was through, by its bound? Then a path that was not found may
 * be there. */
CFLR_EXPERIMENTAL bool cflr_witness_cut(const cflr_witness *witness);

CFLR_EXPERIMENTAL void cflr_witness_free(cflr_witness *witness); /* NULL is a no-op */

/* A shortest path that ends in `target`: how many steps it has, 0 when there is none; the first
 * `capacity` of them are written, in the order of the path; a step may come twice. Of several it is
 * the same one for every thread count. */
CFLR_EXPERIMENTAL size_t cflr_witness_path(const cflr_witness *witness, uint32_t target,
                                           cflr_witness_step *steps, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
