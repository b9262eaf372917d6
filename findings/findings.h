/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.h (internal): the findings of a graph, and the work on those of one rule.
 *
 *     findings.c    solves a grammar for its rules, and holds the list
 *     looks.c       which sources and sinks look the same to a reader
 *     barred.c      what no path of a rule goes through
 *     constants.c   memory that nothing can be stored in
 *     sites.c       calls through pointers of functions of the library
 *     paths.c       from the pairs of a rule to one finding for each sink, with its path
 *     nearest.c     which of several sources is shown
 *     steps.c       what each step of a path does, and why two contents of memory may be one
 *     order.c       order, fingerprints and causes of the whole list
 *     recall.c      lists that an earlier run has kept (recall.h)
 */
#ifndef CFLRI_FINDINGS_H
#define CFLRI_FINDINGS_H

#include "base/graph/graph.h"
#include "cflr/grammar.h"
#include "findings/rank.h"

struct cflr_findings {
    cflr_context *context;
    const cflr_graph *graph;
    cflr_findings_opts opts;
    cflri_labels labels;
    cflri_slots slots;
    cflr_grammar *grammar[2]; /* whose texts steps have, by follows_null; NULL: no rule needed it */
    CFLRI_VEC(cflr_finding) list;
    char *texts; /* of a list that was kept; NULL: it was not */
    cflr_findings_counts counts;
};

/* Objects that are constant, and pointers to them (constants.c). */
typedef struct cflri_constants {
    bool *constant;      /* by object */
    uint32_t *group;     /* by pointer: a number of what it points to; 0: nothing is known */
    uint8_t *holds;      /* by such a number - 1: what is among these objects */
    cflr_row row, other; /* of the two pointers of a pair: what each may point to */
} cflri_constants;

typedef struct cflri_library_function {
    const char *name;
    cflr_place place; /* where it is declared */
    uint32_t object;  /* its vertex */
} cflri_library_function;

/* A call through `value` that may enter a function without a body. */
typedef struct cflri_site {
    uint32_t function; /* its vertex */
    uint32_t call;     /* of the graph */
    uint32_t value;
} cflri_site;

typedef struct cflri_sites {
    CFLRI_VEC(cflri_library_function) functions; /* by file and name */
    CFLRI_VEC(cflr_place) declarations;          /* their places, sorted */
    bool *object;                                /* by vertex: one of them */
    CFLRI_VEC(cflri_site) all;                   /* by function, then by call */
} cflri_sites;

/* A source that reaches a sink (nearest.c). */
typedef struct cflri_reach {
    uint32_t arrival;
    uint32_t far; /* how far from the sink in the source text */
    uint32_t n;   /* steps; UINT32_MAX: the search was cut before it was known */
    uint32_t source, look;
    bool stray; /* only by memory of the library, which other calls of the function share */
} cflri_reach;

/* One grammar's part of the work, and one rule of it. */
typedef struct cflri_making {
    cflr_findings *found;
    cflr_result *result;
    uint32_t finding, points_to; /* labels of the result */
    cflr_witness *witness;       /* of findings */
    cflr_witness *router;        /* of what explains their steps; NULL until it is needed */
    cflri_rank_levels levels;    /* of rules of null pointers */
    cflri_constants constants;
    cflri_sites sites;
    cflr_witness_gate gate; /* goes around constants */
    const cflr_rule *rule;
    uint8_t *barred;   /* by vertex: paths go there from this rank on; CFLRI_BARRED: never */
    uint32_t *look;    /* by vertex: sources and sinks that look the same have one number, from 1 */
    size_t *n_sources; /* by look of a sink */
    uint32_t *last;    /* by look of a sink: the look of the source that was counted last */
    uint32_t *arrival; /* by look of a sink: the first of its arrivals */
    size_t n_arrivals; /* one for each sink; of a function of the library that is called through
                        * pointers one for each place of a call */
    size_t *first;     /* by arrival: its finding, plus 1 */
    size_t *detour;    /* by arrival, while the nearest source is looked for: of its path, plus 1 */
    bool nearest;      /* sources are compared by how far they are */
    CFLRI_VEC(cflri_reach) reach;
    cflr_row row; /* of the result; freed with the making */
} cflri_making;

#define CFLRI_BARRED UINT8_MAX

/* ---- looks.c ---- */

/* Numbers the looks of this instance of Finding, and makes what is kept by them. */
cflr_status cflri_looks_make(cflri_making *m, uint32_t instance, cflr_error *error);
void cflri_looks_forget(cflri_making *m);
/* Lists the vertices of sources, those of one look together, and counts for the sinks of each look
 * how many sources of different looks arrive there. */
cflr_status cflri_looks_sources(cflri_making *m, uint32_t instance, cflri_numbers *list,
                                cflr_error *error);

/* ---- barred.c ---- */

cflr_status cflri_barred_make(cflri_making *m, cflr_error *error);
/* A function that nothing enters, of those that the path goes through; "": none. */
const char *cflri_uncalled_of(const cflri_making *m, const cflr_witness_step *path, size_t n);

/* ---- constants.c ---- */

/* Is it a string literal, a function, or of a type that is const? */
bool cflri_object_is_constant(const cflr_graph *graph, uint32_t object);
/* Free in every case. */
cflr_status cflri_constants_make(cflri_making *m, cflr_error *error);
void cflri_constants_free(cflr_context *context, cflri_constants *constants);
cflr_witness_gate cflri_constants_gate(cflri_making *m);

/* ---- sites.c ---- */

/* Free in every case. */
cflr_status cflri_sites_make(cflri_making *m, cflr_error *error);
void cflri_sites_free(cflr_context *context, cflri_sites *sites);
/* Is it the place where a function without a body is declared? */
bool cflri_is_declaration(const cflri_making *m, const cflr_place *place);
/* The calls through pointers that may enter the function of that vertex, sorted by place, if it has
 * no body; NULL: there are none. */
const cflri_site *cflri_sites_of(const cflri_making *m, uint32_t vertex, size_t *n);
/* The number of the first of these that has the place of number i. */
size_t cflri_site_first(const cflr_graph *graph, const cflri_site *sites, size_t i);
/* `caller`: the function, or NULL. */
cflr_place cflri_site_place(const cflr_graph *graph, const cflri_site *site, const char **caller);
/* Is `other` what the call hands over, or gets, for `value`, which is of the function's own
 * parameter or result, or lies behind it? */
cflr_status cflri_site_hands(cflri_making *m, const cflri_site *site, uint32_t value,
                             uint32_t other, bool *hands, cflr_error *error);

/* ---- nearest.c ---- */

/* The search from one source has found a path of `n` steps. */
cflr_status cflri_nearest_reached(cflri_making *m, uint32_t arrival, const cflr_witness_step *path,
                                  size_t n, cflr_error *error);
/* How far the source is from the place of a finding, in the text: the nearest have 0. `arrived`:
 * the value of it that the sink is given; CFLR_NO_VERTEX: it is not known. */
uint32_t cflri_source_distance(const cflri_making *m, uint32_t source, uint32_t arrived,
                               const cflr_finding *f);
/* Looks for the nearest of `n` sources, those of one look together, for the findings of this rank.
 * */
cflr_status cflri_nearest_find(cflri_making *m, uint32_t instance, const uint32_t *source, size_t n,
                               cflr_rank rank, cflr_error *error);
/* Gives the findings their further sources. */
cflr_status cflri_nearest_end(cflri_making *m, cflr_error *error);

/* ---- paths.c ---- */

/* Takes the path that the search has found to a sink, if it is better than what its finding has. */
cflr_status cflri_path_take(cflri_making *m, uint32_t sink, cflr_rank rank, cflr_error *error);
/* Where a reader finds the source of a path. */
cflr_status cflri_origin_place(cflri_making *m, const cflr_witness_step *path, size_t n,
                               cflr_place *place, cflr_error *error);

/* Appends the findings of m->rule. */
cflr_status cflri_findings_of_rule(cflri_making *m, cflr_error *error);

/* The steps of a path from `origin`, to be freed with cflri_steps_free; NULL when memory is
 * refused. */
cflr_step *cflri_steps_make(cflri_making *m, const cflr_witness_step *path, size_t n,
                            const cflr_place *origin);
void cflri_steps_free(cflr_context *context, cflr_step *steps, size_t n);

/* How many steps the routes of a path's steps in memory have. */
cflr_status cflri_detour(cflri_making *m, const cflr_witness_step *path, size_t n, size_t *detour,
                         cflr_error *error);
cflr_status cflri_detour_of(cflri_making *m, const cflr_finding *f, size_t *detour,
                            cflr_error *error);
/* Does the path go through an object of the library, to which no pointer came from the one that the
 * value was stored through? */
cflr_status cflri_strays(cflri_making *m, const cflr_witness_step *path, size_t n, bool *stray,
                         cflr_error *error);
/* Does the route between the pointers to two contents go by a vertex? True where none is known. */
cflr_status cflri_passes_by(cflri_making *m, uint32_t from, uint32_t to, uint32_t vertex, bool *by,
                            cflr_error *error);

/* Adds routes to the steps in memory of the findings from `first` on. */
cflr_status cflri_routes_add(cflri_making *m, size_t first, cflr_error *error);

/* The path that the search found to `target`; *n is 0 when there is none. Freed by the caller; NULL
 * when memory is refused. */
cflr_witness_step *cflri_path_read(const cflri_making *m, uint32_t target, size_t *n);

cflr_place cflri_vertex_place(const cflr_graph *graph, uint32_t vertex);

/* Frees what a finding has of its own. */
void cflri_finding_free(cflr_context *context, cflr_finding *finding);

/* Of two cflr_place: by file, line and column. For qsort and bsearch. */
int cflri_place_compare(const void *a, const void *b);
/* By place, rule and sink; never 0. For qsort. */
int cflri_finding_compare(const void *a, const void *b);

/* Sorts the list by rank and place, and gives all findings their fingerprints and causes. */
cflr_status cflri_findings_order(cflr_findings *found, cflr_error *error);

#endif
