/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.h: what is a bug: what rules of data flow find, and whether checks in the source hold.
 *
 * A finding is a value that comes from a source of a rule and arrives at a sink of it, with a path
 * of the program that brings it there (docs/reference/rules.md). A check is a call that the source
 * names, and asks whether two pointers alias (docs/reference/checks.md). Rules, checks and the
 * places of flows are facts of an extraction:
 *
 *     cflr_extract_rules, _flows ---+
 *                                   v
 *     graph -------------> cflr_findings_new ------> findings: source, sink, path, rank, ...
 *
 *     cflr_extract_check -----------+
 *                                   v
 *     graph, result -----> cflr_verdict_make ------> verdict: passed or not, and why
 *
 * A summary tells how precise a result is (cflr_summary_make).
 *
 * Nothing here reads C: the facts may as well be those of a program that makes its own graph, with
 * the labels of docs/reference/labels.md. Vertices are numbers of that graph; lines and columns
 * count from 1; texts live as long as the graph and the facts that they come from.
 */
#ifndef CFLR_FINDINGS_H
#define CFLR_FINDINGS_H

#include "cflr/extract.h"
#include "cflr/result.h"
#include "cflr/witness.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- ranks ---- */

/* How likely a finding is a bug, by the way that its value takes (docs/reference/rules.md, Ranks);
 * likely ones first. X(name, number, word, why: what the value goes through). Rules that are not
 * about null pointers have NONE, which is likely, CONSTANT and UNCALLED only. */
#define CFLR_RANK_LIST(X)                                                                          \
    X(NONE, 0, "", "")                                                                             \
    X(DIRECT, 1, "direct", "by locals, arguments and results")                                     \
    X(VARIABLE, 2, "variable", "through memory of one variable")                                   \
    X(OBJECT, 3, "object", "through memory of few objects, with few values")                       \
    X(GUARDED, 4, "guarded",                                                                       \
      "from a null constant or answer, and read under a condition that may go with it")            \
    X(TESTED, 5, "tested",                                                                         \
      "tested where it was stored, or read behind a test, unless something between has "           \
      "changed it")                                                                                \
    X(UNTESTED, 6, "untested", "from a function whose result most callers do not test")            \
    X(INITIAL, 7, "initial",                                                                       \
      "from a null constant where something else is chosen or stored as well, or for an argument " \
      "that is null, too")                                                                         \
    X(MEMORY, 8, "memory", "through memory of many or unknown objects, or with many values")       \
    X(CALLS, 9, "calls", "into a function by one call and out of it by another")                   \
    X(CONSTANT, 10, "constant",                                                                    \
      "only through literals or constants, which nothing is stored in, or by pointers that share " \
      "no object")                                                                                 \
    X(UNCALLED, 11, "uncalled", "in a function that nothing in the analysed files enters")

typedef enum cflr_rank {
#define CFLR_RANK_ENUM(name, number, word, why) CFLR_RANK_##name = number,
    CFLR_RANK_LIST(CFLR_RANK_ENUM)
#undef CFLR_RANK_ENUM
} cflr_rank;

/* The word and the reason of the list. Static storage. */
CFLR_API const char *cflr_rank_name(cflr_rank rank);
CFLR_API const char *cflr_rank_reason(cflr_rank rank);

/* ---- findings ---- */

/* What happens to the value in one step of a path, from one vertex to another. */
typedef enum cflr_step_kind {
    CFLR_STEP_ASSIGNED = 0,     /* it is assigned */
    CFLR_STEP_PASSED = 1,       /* to a parameter of the second vertex' function */
    CFLR_STEP_RETURNED = 2,     /* to the result of the second vertex' function */
    CFLR_STEP_RESULT = 3,       /* from the result of a function to the value of a call */
    CFLR_STEP_TESTED = 4,       /* a test has shown that it is not null */
    CFLR_STEP_MEMBER = 5,       /* from the address of a record to that of a member */
    CFLR_STEP_BROUGHT = 6,      /* a source gives it */
    CFLR_STEP_FILLED = 7,       /* a source fills the bytes that the second vertex points to */
    CFLR_STEP_POINTED_INTO = 8, /* the second vertex points into the bytes that were filled */
    CFLR_STEP_CONTENT = 9,      /* from a pointer to what it points to, which was filled */
    CFLR_STEP_IN_MEMORY = 10,   /* it is stored in the first, and read from the second */
    CFLR_STEP_SILENT = 11,      /* nothing that a reader sees: a mark of the front end for ranks,
                                 * or from a source to the value of the same expression */
    CFLR_STEP_ARRIVED = 12,     /* at the sink */
} cflr_step_kind;

/* One step of a path. */
typedef struct cflr_step {
    cflr_witness_step pair; /* its two vertices, and their symbol; texts live as long as findings */
    cflr_step_kind kind;
    cflr_place place; /* where the program does so; else that of the second vertex */
    /* Of a step in memory: */
    uint32_t object; /* that both vertices may be in; CFLR_NO_VERTEX: none is known */
    /* how one pointer to it came from the other, or both from the object's address: n_route steps,
     * which have no routes; 0 where that is not known, or was not asked for */
    struct cflr_step *route;
    size_t n_route;
} cflr_step;

/* A source, and where a reader finds it. */
typedef struct cflr_origin {
    uint32_t source;  /* a vertex */
    cflr_place place; /* of a function of the library that is called through a pointer: the call */
} cflr_origin;

typedef struct cflr_finding {
    const cflr_rule *rule; /* one of cflr_findings_opts.rules */
    uint32_t source, sink; /* vertices */
    uint32_t followed;     /* the value that arrives at the sink */
    cflr_place place;      /* of the sink; as that of an origin */
    cflr_rank rank;
    bool likely; /* the rank is at most OBJECT */
    /* different places whose values arrive there; of a likely finding, by paths of its rank, as far
     * as is known */
    size_t n_sources;
    size_t n_places; /* where the same pointer is followed in one function, this one included */
    size_t cause;    /* number of the first finding of the same rule and source; its own: itself */
    size_t next;     /* number of the next one with that cause; its own: there is none */
    /* From the source to the sink, by the best rank that any path has. Of a likely finding, from
     * the nearest source: before the sink in its function, else in its file; and of those with the
     * fewest steps. */
    cflr_step *step;
    size_t n_steps;
    /* stays while rule, names of files, names of functions and expressions do; no two of a list
     * are equal */
    char fingerprint[24];
    char fingerprint_any_file[24]; /* stays when files have other names, too */
    cflr_place origin;             /* of the source, as that of cflr_origin */
    const char *function;          /* in which the place is; "" at file scope */
    const char *uncalled;          /* of rank UNCALLED: a function on the way that nothing enters */
    cflr_origin *further;          /* of a likely finding: its other sources, the nearest first, */
    size_t n_further;              /* n_sources - 1 of them, but CFLR_MOST_FURTHER at most */
} cflr_finding;

#define CFLR_MOST_FURTHER 100

/* The word of CFLR_LEVEL_LIST. Static storage. */
CFLR_API const char *cflr_level_name(cflr_level level);

/* How much it matters: the level of the rule where it is likely, else a note. How sure it is tells
 * its rank. */
CFLR_API cflr_level cflr_finding_level(const cflr_finding *finding);

/* Fill with cflr_findings_opts_init, then set rules, flows and uncalled functions of the extraction
 * that gave the graph (cflr_extract_rules, _flows, _uncalled); they must outlive the findings. */
typedef struct cflr_findings_opts {
    uint32_t struct_size;
    const cflr_rule *rules;
    size_t n_rules;
    const cflr_flow *flows; /* sorted by source and target, each pair once; NULL: none */
    size_t n_flows;
    bool all_routes;               /* steps in memory of unlikely findings have routes, too */
    double time_kept;              /* as in cflr_solve_opts */
    const cflr_uncalled *uncalled; /* of the extraction (cflr_extract_uncalled); NULL: none */
    size_t n_uncalled;
    /* a directory, that of the extraction for example, in which complete findings are kept, and
     * looked for: those of a graph that is the same but for places (docs/explanation/cache.md);
     * NULL: none */
    const char *cache;
} cflr_findings_opts;

CFLR_API void cflr_findings_opts_init_sized(cflr_findings_opts *opts, size_t struct_size);
static inline void cflr_findings_opts_init(cflr_findings_opts *opts) {
    cflr_findings_opts_init_sized(opts, sizeof *opts);
}

typedef struct cflr_findings_counts {
    size_t findings;
    size_t likely;   /* of these; they come first */
    bool complete;   /* else a limit or cancellation ended the search: there may be more */
    size_t lost;     /* values that are not followed and come to a sink: there may be more, too */
    uint32_t a_lost; /* the vertex that stands for the first of them, or CFLR_NO_VERTEX */
    bool recalled;   /* an earlier run has kept them: nothing was solved */
} cflr_findings_counts;

typedef struct cflr_findings cflr_findings;

/* Solves what the rules need (grammars `null` and `taint`) and finds a path for each pair of a
 * source and a sink. Vertices that look the same (cflr_vertex_compare), as copies of a function for
 * contexts do, are one; of null pointers, so are the places of one function that follow one value.
 * The findings refer to the graph, which must outlive them, and are the same for every number of
 * threads. On CFLR_LIMIT and CFLR_CANCELLED *findings holds what was found so far, unless it
 * stopped before there was anything; on any other failure *findings is NULL. Time and memory are
 * those of two closures, and of a search for each rank. */
CFLR_API cflr_status cflr_findings_new(const cflr_graph *graph, const cflr_findings_opts *opts,
                                       cflr_findings **findings, cflr_error *error);
CFLR_API void cflr_findings_free(cflr_findings *findings); /* NULL is a no-op */

CFLR_API void cflr_findings_get_counts_sized(const cflr_findings *findings,
                                             cflr_findings_counts *counts, size_t struct_size);
static inline void cflr_findings_get_counts(const cflr_findings *findings,
                                            cflr_findings_counts *counts) {
    cflr_findings_get_counts_sized(findings, counts, sizeof *counts);
}

/* Finding number i, sorted by rank, place and rule; NULL past the last. It lives as long as
 * `findings`. */
CFLR_API const cflr_finding *cflr_findings_at(const cflr_findings *findings, size_t i);

/* ---- calls by type ---- */

/* Which functions a call may enter of those that its values point to
 * (docs/explanation/call-graph.md). */
typedef struct cflr_call_type {
    bool all;               /* it enters any function */
    uint32_t alloc, enters; /* labels of the graph, or CFLR_NO_LABEL */
} cflr_call_type;

/* Of a call with this cflr_call_info.type. */
CFLR_API cflr_call_type cflr_graph_call_type(const cflr_graph *graph, const char *type);
/* May a call of that type enter this function, a vertex? */
CFLR_API bool cflr_call_type_enters(const cflr_graph *graph, const cflr_call_type *type,
                                    uint32_t function);

/* ---- how precise a result is ---- */

/* All but alias_pairs count copies of a vertex for contexts as one. */
typedef struct cflr_summary {
    bool has_alias;       /* there are pairs of aliases in the result, and they were counted */
    uint64_t alias_pairs; /* unordered, of different vertices */
    bool has_points_to;   /* the result answers the question, and all below was counted */
    uint64_t pointers;    /* that point to something */
    uint64_t objects;     /* that these point to, summed over all of them */
    uint64_t called;      /* function values that are called */
    uint64_t resolved;    /* of these, those that may enter some function */
    uint64_t callees;     /* functions that their calls may enter, of all of them together */
    uint64_t sharing;     /* pointers that point to one set of objects, of the set that most do */
    uint64_t shared;      /* the objects of that set */
} cflr_summary;

/* On CFLR_LIMIT and CFLR_CANCELLED the two claims say what was counted nevertheless. O(pairs that
 * answer alias and points-to + vertices log vertices). */
CFLR_API cflr_status cflr_summary_make_sized(const cflr_result *result, cflr_summary *summary,
                                             size_t struct_size, cflr_error *error);
static inline cflr_status cflr_summary_make(const cflr_result *result, cflr_summary *summary,
                                            cflr_error *error) {
    return cflr_summary_make_sized(result, summary, sizeof *summary, error);
}

/* ---- what a `no` rests on ---- */

/* Which rules of C the answers of a graph rely on. */
typedef struct cflr_assumption {
    bool aliasing; /* memory is read and written by its type (CFLR_ALIASING_STRICT) */
    bool text;     /* what is copied as characters holds no pointers (CFLR_ALIASING_TEXT) */
    bool callees;  /* functions are called by their type (CFLR_CALLEES_TYPES) */
} cflr_assumption;

CFLR_API cflr_assumption cflr_graph_assumption(const cflr_graph *graph);

/* Classes of values, none of which holds an address that a value of another class holds, whatever
 * the types are: a `no` of pointers in different classes rests on no rule of types. */
typedef struct cflr_apart cflr_apart;

/* The classes are made by the first question, in nearly linear time of the edges. One thread at a
 * time. The graph must outlive them. */
CFLR_API cflr_status cflr_apart_new(const cflr_graph *graph, cflr_apart **apart, cflr_error *error);
CFLR_API void cflr_apart_free(cflr_apart *apart); /* NULL is a no-op */

/* Is there no pair of the two lists of vertices that may alias? False where nothing is known: of
 * open programs, and where there is no memory for the classes. */
CFLR_API bool cflr_apart_are(cflr_apart *apart, const uint32_t *p, size_t n_p, const uint32_t *q,
                             size_t n_q);
/* Do these objects have among them all that the pointers may point to? False in the same way. */
CFLR_API bool cflr_apart_has_all(cflr_apart *apart, const uint32_t *pointers, size_t n_pointers,
                                 const uint32_t *objects, size_t n_objects);

/* ---- verdicts ---- */

typedef enum cflr_found {
    CFLR_FOUND_NO_ALIAS = 0,
    CFLR_FOUND_ALIAS = 1,
    CFLR_FOUND_PROBLEM = 2, /* the check cannot be asked: it fails */
    CFLR_FOUND_NOTHING = 3, /* the work was stopped before it was known */
    CFLR_FOUND_LOST = 4,    /* they may alias, since the value of one is not followed */
} cflr_found;

/* What a result says about a check. The lists ascend; they are empty when the grammar does not
 * answer `points-to`. */
typedef struct cflr_verdict {
    cflr_found found;
    bool passed;
    size_t n_alias;                /* in how many of the check's pairs they alias */
    size_t first;                  /* number of the first of these pairs */
    cflr_through through;          /* by whose doing: the best of these pairs */
    bool knows_objects;            /* the grammar answers `points-to` */
    cflr_vertex_list points_to[2]; /* objects, in any copy of the function */
    cflr_vertex_list common;       /* of both, in the pair `first` */
    uint32_t lost;                 /* LOST: the vertex that stands for that value */
    cflr_assumption rests_on;      /* NO_ALIAS: nothing where it holds whatever the types are */
    bool single_object;            /* in each pair that aliases both point to one object only */
} cflr_verdict;

/* Reads the verdict off a result that answers the questions alias and points-to from all vertices
 * of the check; `apart`: of the result's graph. The lists are the caller's, to be freed in any
 * case. */
CFLR_API cflr_status cflr_verdict_make(const cflr_result *result, const cflr_check *check,
                                       cflr_apart *apart, cflr_verdict *verdict, cflr_error *error);
CFLR_API void cflr_verdict_free(cflr_context *context, cflr_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
