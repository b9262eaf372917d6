/* SPDX-License-Identifier: Apache-2.0
 *
 * solve.h: closing a graph under a grammar.
 *
 * The result is the least set of pairs with: A(v,v) for every vertex v when A ::= eps; A(u,v) when
 * A ::= B and B(u,v); A(u,w) when A ::= B C, B(u,v) and C(v,w); ~A(v,u) when A(u,v). It is the same
 * for every model and thread count.
 */
#ifndef CFLR_SOLVE_H
#define CFLR_SOLVE_H

#include "cflr/device.h"
#include "cflr/grammar.h"
#include "cflr/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_result cflr_result;

/* X(name, number, command-line word, text) */
#define CFLR_MODEL_LIST(X)                                                                  \
    X(AUTO, 0, "auto", "the fastest for this input and thread count")                       \
    X(NAIVE, 1, "naive", "reference: apply every rule to everything until nothing changes") \
    X(VERTEX, 2, "vertex", "vertex-centric, old and new edges apart")                       \
    X(VERTEX_INDEXED, 3, "vertex-indexed", "the same with a list for each label")           \
    X(EDGE, 4, "edge", "edge-centric worklist")                                             \
    X(EDGE_INDEXED, 5, "edge-indexed", "the same with a list for each label")               \
    X(PARALLEL, 6, "parallel", "edge-centric on 3D worklists, all threads")                 \
    X(BATCH, 7, "batch", "sets of targets at a time")                                       \
    X(DEMAND, 8, "demand", "only what a question needs")

typedef enum cflr_model {
#define CFLR_MODEL_ENUM(name, number, word, text) CFLR_MODEL_##name = number,
    CFLR_MODEL_LIST(CFLR_MODEL_ENUM)
#undef CFLR_MODEL_ENUM
} cflr_model;

CFLR_API const char *cflr_model_name(cflr_model model);
CFLR_API cflr_status cflr_model_parse(const char *word, cflr_model *model, cflr_error *error);

typedef struct cflr_pair {
    uint32_t source, target;
} cflr_pair;

/* Fill with cflr_solve_opts_init, then change what you need. Threads, memory, time, progress and
 * cancellation come from the context of the graph. */
typedef struct cflr_solve_opts {
    uint32_t struct_size;
    cflr_model model;
    /* Names of the symbols that are asked for, n_only of them, in any order; NULL: all. The result
     * holds these and no others; the batch model computes no others. */
    const char *const *only;
    size_t n_only;
    /* A question: pairs from these vertices, to these vertices, or (with both) from one of these to
     * one of those; or these pairs. They are in any order, as often as the caller likes; lists that
     * are NULL do not restrict. The result then holds the pairs of the start symbol, or of `only`,
     * that are asked for, and says nothing of others (cflr_result_covers). AUTO answers a question
     * by demand, unless that turns out to be more work than the closure, of which the answer is
     * then taken; so do the other models from the beginning. */
    const uint32_t *from, *to;
    size_t n_from, n_to;
    const cflr_pair *pairs;
    size_t n_pairs;
    /* Count and time each rule (cflr_result_rules), and account for memory (cflr_result_accounts):
     * the batch model does, others do not. */
    bool stats;
    /* Seconds of the context's limit of time that are left for what comes after solving, which ends
     * so much earlier. Saving the result then keeps to the limit, too: what cannot be written until
     * then is left out (cflr_result_save). */
    double time_kept;
    /* A directory for checkpoints, which is made if it is not there, and removed when the closure
     * is whole; NULL: none. When the call ends otherwise, in whatever way, a later call of the same
     * graph, grammar and options goes on from the last checkpoint with `resume`; CFLR_ARGUMENT if
     * the directory is of another. Without `resume` the call begins anew. The batch model works
     * there, in one process; others do not. */
    const char *work;
    bool resume;
    /* Slices of targets in which the batch model closes the strata that exchange nothing: one of
     * them is in memory, the others on disk. 0: as few as the memory limit allows, at first one. */
    uint32_t parts;
    /* One of the parts, from 1: the result has the pairs with targets in that slice alone
     * (cflr_result_get_slice), for cflr_result_load_parts; 0: all. */
    uint32_t slice;
    /* Seconds between checkpoints, at least; 0: 60. They take a tenth of the time at most. */
    double checkpoint;
    /* Where the batch model works. On a GPU it has no checkpoints, parts or statistics of rules.
     * AUTO: on the processor; what takes longer than a twentieth of a second also on a GPU beside
     * it, in a fork of the process, if there is one and no limit of memory. The first to end has
     * the result (cflr_result_device). */
    cflr_device device;
    uint64_t device_memory; /* bytes of a GPU that may be taken; 0: what is free */
    /* GPUs of the host: the first closes, and rows that do not fit there are in the memory of the
     * others, in turn, before that of the host; 0: one. */
    uint32_t gpus;
} cflr_solve_opts;

CFLR_API void cflr_solve_opts_init_sized(cflr_solve_opts *opts, size_t struct_size);
static inline void cflr_solve_opts_init(cflr_solve_opts *opts) {
    cflr_solve_opts_init_sized(opts, sizeof *opts);
}

/* Closes `graph` under `grammar`. On CFLR_LIMIT and CFLR_CANCELLED *result holds the pairs found so
 * far (each one is derivable) and cflr_result_complete says false, unless it stopped before the
 * solver began: then, and on any other failure, *result is NULL. The result keeps no pointer to the
 * grammar; it refers to `graph`, which must outlive it (a result that was loaded from a file owns
 * its graph). */
CFLR_API cflr_status cflr_solve(const cflr_graph *graph,     /* frozen, not owned */
                                const cflr_grammar *grammar, /* not owned */
                                const cflr_solve_opts *opts, /* NULL: defaults */
                                cflr_result **result,        /* out: owned by the caller */
                                cflr_error *error);

/* How a result was checked. */
typedef struct cflr_verify_report {
    bool by_reference;       /* compared pair by pair with the closure of another solver */
    uint64_t pairs_checked;  /* pairs compared, or sampled */
    uint64_t joins_checked;  /* sampled: rule applications whose conclusion was looked up */
    uint64_t missing;        /* derivable pairs that the result lacks */
    uint64_t underivable;    /* pairs of the result that nothing derives */
    uint64_t unsettled;      /* sampled pairs whose derivation was neither found nor ruled out */
    char first_failure[224]; /* "" when there is none */
} cflr_verify_report;

/* Checks a result against its graph and grammar. CFLR_OK when the check ran, whatever it found.
 *
 *   small problem, `samples` 0   pair by pair with the reference solver
 *   otherwise                    on samples: every rule applied to sampled pairs must give pairs of
 *                                the result (closure), and sampled pairs must have a derivation
 *                                (derivability)
 *
 * `samples` 0 is 2,000 where a problem is not small (3,000 vertices and 2,000,000 pairs at most);
 * any other number asks for so many samples, however small the problem. The search for a derivation
 * is bounded: a sampled pair that it could not settle is counted as such, which says nothing
 * against it.
 *
 * Of a result of some symbols only (cflr_solve_opts.only) these are checked, and on samples a pair
 * whose derivation may go through others is unsettled.
 *
 * The answers to a question are compared pair by pair with the whole closure, by the reference
 * solver where the problem is small and by the edge-indexed model otherwise, whatever `samples` is.
 *
 * An incomplete result is only checked for derivability, and on samples a pair of it is unsettled
 * when its derivation may go through pairs that the result lacks. The context's time limit counts
 * anew from this call, so that a result which the limit cut short can be checked. */
CFLR_API cflr_status cflr_verify_sized(const cflr_graph *graph, const cflr_grammar *grammar,
                                       const cflr_result *result, uint64_t samples,
                                       cflr_verify_report *report, size_t struct_size,
                                       cflr_error *error);
static inline cflr_status cflr_verify(const cflr_graph *graph, const cflr_grammar *grammar,
                                      const cflr_result *result, uint64_t samples,
                                      cflr_verify_report *report, cflr_error *error) {
    return cflr_verify_sized(graph, grammar, result, samples, report, sizeof *report, error);
}

#ifdef __cplusplus
}
#endif
#endif
