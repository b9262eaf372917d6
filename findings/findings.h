/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.h (internal): the findings of a graph, and the work on those of one rule.
 *
 *     findings.c    solves a grammar for its rules, and holds the list
 *     paths.c       from the pairs of a rule to one finding for each sink, with its path
 *     steps.c       what each step of a path does, and why two contents of memory may be one
 *     order.c       order, fingerprints and causes of the whole list
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
    cflr_findings_counts counts;
};

/* One grammar's part of the work, and one rule of it. */
typedef struct cflri_making {
    cflr_findings *found;
    cflr_result *result;
    uint32_t finding, points_to; /* labels of the result */
    cflr_witness *witness;       /* of findings, and of what explains their steps in turn */
    cflri_rank_levels levels;    /* of rules of null pointers */
    const cflr_rule *rule;
    uint32_t *look;    /* by vertex: sources and sinks that look the same have one number, from 1 */
    size_t *n_sources; /* by look of a sink */
    uint32_t *last;    /* by look of a sink: the look of the source that was counted last */
    size_t *first;     /* by look of a sink: its finding, plus 1 */
    cflr_row row;      /* of the result; freed with the making */
} cflri_making;

/* Appends the findings of m->rule. */
cflr_status cflri_findings_of_rule(cflri_making *m, cflr_error *error);

/* The steps of a path, to be freed with cflri_steps_free; NULL when memory is refused. */
cflr_step *cflri_steps_make(cflri_making *m, const cflr_witness_step *path, size_t n);
void cflri_steps_free(cflr_context *context, cflr_step *steps, size_t n);

/* Adds routes to the steps in memory of the findings from `first` on. */
cflr_status cflri_routes_add(cflri_making *m, size_t first, cflr_error *error);

/* The path that the search found to `target`; *n is 0 when there is none. Freed by the caller; NULL
 * when memory is refused. */
cflr_witness_step *cflri_path_read(const cflri_making *m, uint32_t target, size_t *n);

cflr_place cflri_vertex_place(const cflr_graph *graph, uint32_t vertex);

/* By place, rule and sink; never 0. For qsort. */
int cflri_finding_compare(const void *a, const void *b);

/* Sorts the list by rank and place, and gives all findings their fingerprints and causes. */
cflr_status cflri_findings_order(cflr_findings *found, cflr_error *error);

#endif
