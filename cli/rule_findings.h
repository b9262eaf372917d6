/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_findings.h: what rules of data flow find (docs/rules.md): a value that comes from a source and
 * arrives at a sink, with a path of the program that brings it there.
 */
#ifndef CFLR_CLI_RULE_FINDINGS_H
#define CFLR_CLI_RULE_FINDINGS_H

#include "cflr/extract.h"
#include "cli/cli.h"
#include "cli/rule_rank.h"

/* A place of the source. */
typedef struct rule_place {
    const char *file;
    uint32_t line, column;
} rule_place;

/* One step of a path. In memory: what is stored in the one is read from the other. */
typedef struct rule_step {
    cflr_witness_step step;
    bool in_memory;
    rule_place place;
    uint32_t object; /* in memory: that both may be; CFLR_NO_VERTEX: none is known */
    struct rule_step
        *route; /* in memory: how the pointers came there; none where that is not known */
    size_t n_route;
} rule_step;

typedef struct rule_finding {
    const cflr_rule *rule;
    uint32_t source, sink; /* vertices */
    uint32_t followed;     /* the value that the sink follows */
    rule_place place;      /* of the sink */
    rule_rank rank;
    size_t n_sources; /* different places whose values arrive there */
    size_t n_places;  /* where the same pointer is followed, this place included */
    size_t cause;     /* the first finding of the same source and rule; itself */
    size_t next;      /* the next one with that cause; itself: there is none */
    rule_step *step;
    size_t n_steps;
    char fingerprint[24]; /* the same while rule, names of functions and expressions are */
} rule_finding;

/* All findings of the rules of a report, sorted by rank, place and rule. */
typedef struct rule_findings {
    const cflr_graph *graph;
    const cflr_extract_report *report;
    rule_slots slots;
    cflr_grammar *grammar[2]; /* whose texts steps have; NULL where no rule needed it */
    rule_finding *finding;
    size_t n, capacity;
    size_t n_likely;
    bool complete;     /* all that there are; else a limit ended the search, or a signal */
    char failure[256]; /* that was told; "": none */
} rule_findings;

/* Solves what the rules need and finds paths; `graph` and `report` are of one extraction and must outlive
 * the findings. `all`: paths of unlikely ones are explained, too. 0, or an exit code after a message: with that of a limit the findings may be used. Free them
 * in every case. */
int rule_findings_make(const cflr_graph *graph, const cflr_extract_report *report, bool all,
                       rule_findings *found);
void rule_findings_free(rule_findings *found);

/* The likely ones, one for each cause; or all. Returns how many have been printed. */
size_t rule_findings_print(const rule_findings *found, bool all, FILE *file);
json_t *rule_findings_json(const rule_findings *found);

#endif
