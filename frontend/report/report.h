/* SPDX-License-Identifier: Apache-2.0
 *
 * report.h: what happened during an extraction: counts and notes.
 */
#ifndef CFLRI_REPORT_H
#define CFLRI_REPORT_H

#include "base/arena.h"
#include "base/vec.h"
#include "cflr/extract.h"
#include "frontend/compdb/compdb.h"
#include "frontend/program/scope.h"
#include "frontend/summaries/summary.h"

struct cflr_extract_report {
    cflr_context *context;
    cflri_arena arena; /* texts of notes and checks, vertices of checks */
    cflr_extract_counts counts;
    CFLRI_VEC(cflr_note) notes;            /* sorted by cflri_report_finish */
    CFLRI_VEC(cflr_unmodelled) unmodelled; /* the same */
    CFLRI_VEC(const char *) units;         /* their main files, of the arena */
    CFLRI_VEC(cflr_target) targets;        /* in their order */
    CFLRI_VEC(cflr_check) checks;          /* made and sorted by cflri_report_checks */
    CFLRI_VEC(cflr_rule) rules;            /* made by cflri_report_rules */
    cflr_flow *flow;                       /* sorted; made by cflri_report_flows */
    size_t n_flows;
    CFLRI_VEC(cflr_uncalled) uncalled; /* made by cflri_report_uncalled */
};

cflr_status cflri_report_new(cflr_context *context, cflr_extract_report **report,
                             cflr_error *error);

/* Adds a note; its texts are copied. */
cflr_status cflri_report_note(cflr_extract_report *report, const cflr_note *note,
                              cflr_error *error);

/* Adds a function; its texts are copied. */
cflr_status cflri_report_unmodelled(cflr_extract_report *report, const cflr_unmodelled *function,
                                    cflr_error *error);

/* Adds the rules that were read with the summaries: they are not kept with a program
 * (report_io.h). */
cflr_status cflri_report_rules(cflr_extract_report *report, const cflri_summaries *summaries,
                               cflr_error *error);

/* Reports the list of units: their main files, how many there are, and a note for each file that is
 * not C. */
cflr_status cflri_report_units(cflr_extract_report *report, const cflri_units *units,
                               cflr_error *error);

/* The targets: what the database tells, and with scopes (or NULL) what reading found. */
cflr_status cflri_report_targets(cflr_extract_report *report, const cflri_units *units,
                                 const cflri_scopes *scopes, cflr_error *error);

/* Sorts the notes: by kind, then the most frequent first, then by place and text; files of other
 * languages by language and path; and the functions without model: the most called first, then by
 * name and place. */
void cflri_report_finish(cflr_extract_report *report);

#endif
