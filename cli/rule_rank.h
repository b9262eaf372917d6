/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_rank.h: how likely a finding is a bug, by the way that its value takes (docs/rules.md,
 * *Ranks*).
 */
#ifndef CFLR_CLI_RULE_RANK_H
#define CFLR_CLI_RULE_RANK_H

#include "cflr/witness.h"
#include "cli/rule_slots.h"

/* Likely ones first. The numbers of those from DIRECT to MEMORY are also levels of vertices: a
 * finding has the lowest rank such that a path leads to it by vertices of no higher level. */
typedef enum rule_rank {
    RANK_NONE,     /* of rules that are not about null pointers: all are shown */
    RANK_DIRECT,   /* by locals, arguments and results only */
    RANK_VARIABLE, /* through memory, too, of one variable, where one value is written */
    RANK_OBJECT,   /* through memory of a few objects, where a few values are written */
    RANK_GUARDED,  /* a null constant of a local or argument, read under a condition */
    RANK_TESTED,   /* read behind a test, with a call between */
    RANK_UNTESTED, /* through a result that most callers do not test */
    RANK_INITIAL,  /* a null constant that memory holds until another value is written there */
    RANK_MEMORY,   /* through any memory */
    RANK_CALLS     /* into a function by one call, and out of it by another */
} rule_rank;

/* "direct", and why. */
const char *rule_rank_name(rule_rank rank);
const char *rule_rank_reason(rule_rank rank);

/* Is it shown when nobody asks for all? */
bool rule_rank_is_likely(rule_rank rank);

/* Is it a value that is read under a condition (frontend/walk/order/guards.c)? */
bool rule_rank_is_guard(const cflr_vertex_info *info);

/* Is it one of these, or between what is written and its place (frontend/walk/order/stores.c)? Paths come by it
 * without a word. */
bool rule_rank_is_silent(const cflr_vertex_info *info);

/* Which guarded reads a source goes around for ranks below GUARDED, and which a guarded read is. */
typedef enum rule_optional {
    OPTIONAL_NOT,
    OPTIONAL_OUTPUT,  /* of what calls have written whose results are tested */
    OPTIONAL_ANYWHERE /* all of them; one of another kind */
} rule_optional;

/* By vertex. */
typedef struct rule_levels {
    uint8_t *of;
    bool *initial;     /* a source for INITIAL and higher ranks only */
    uint8_t *optional; /* of a source: a rule_optional */
    uint8_t *guarded;  /* of a guarded read: the same */
} rule_levels;

/* The result holds PT and M of grammar `null`. False when out of memory. Free in every case. */
bool rule_levels_make(const cflr_graph *graph, const cflr_result *result, const rule_slots *slots,
                      rule_levels *levels);
void rule_levels_free(rule_levels *levels);

/* Does the path return from functions to where it entered them? 0 or 1; -1 when out of memory. */
int rule_calls_match(const cflr_graph *graph, const rule_slots *slots,
                     const cflr_witness_step *path, size_t n);

#endif
