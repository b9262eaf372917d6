/* SPDX-License-Identifier: Apache-2.0
 *
 * unit.h: one translation unit, from command line to facts.
 *
 *     compdb.c   which units there are, their cleaned flags, without duplicates
 *     unit.c     parse with libclang, classify diagnostics
 *     walk.c     declarations and statements, in order of the source   -> facts
 *     expr.c ... one construct family each, called by walk.c
 *     summary.c  calls to functions that the program does not define
 *     scope.c    which definition a name means, where there are several programs
 *     link.c     facts of all units -> one program
 *     clone.c    contexts
 *     emit.c     program -> label graph
 *     extract.c  the public entry
 *     cache.c    what was read in an earlier run
 *     linkable.c what was read, kept with the graph;  parts.c   several such graphs -> one list of units
 */
#ifndef CFLRI_UNIT_H
#define CFLRI_UNIT_H

#include "frontend/clang.h"
#include "frontend/facts.h"
#include "frontend/summary.h"

/* One unit to read. Strings belong to the list that made it. */
typedef struct cflri_unit {
    const char *path;             /* absolute main file */
    const char *directory;        /* of the command */
    const char *const *arguments; /* cleaned: what libclang gets, argv[0] first */
    int n_arguments;
    const char *target;    /* while listing: "" or what the database tells of this entry */
    uint32_t first_target; /* in cflri_units.members; n_targets 0: the database tells none */
    uint32_t n_targets;
    bool wanted;                         /* n_targets 0: see cflri_units_request.targets */
    const struct cflri_reading *reading; /* of one that was read before (linkable.h); else NULL */
} cflri_unit;

typedef enum cflri_unit_state {
    CFLRI_UNIT_READ,
    CFLRI_UNIT_DEGRADED, /* read, with errors */
    CFLRI_UNIT_LOST,     /* nothing was read */
} cflri_unit_state;

typedef struct cflri_unit_outcome {
    cflri_unit_state state;
    uint32_t errors;
    uint64_t lines;        /* of the main file */
    char first_error[256]; /* text of the first error */
    char error_file[256];
    uint32_t error_line;
} cflri_unit_outcome;

/* Takes the texts of an outcome that was kept; what has no room is cut off. */
void cflri_unit_outcome_say(cflri_unit_outcome *outcome, const char *first_error,
                            const char *error_file);

struct cflri_inclusions;

/* Parses the unit and fills `facts` (already initialised), and `files` (zeroed; NULL: nobody asks) with
 * what was read for it. CFLR_OK also when the unit is lost: then *outcome says why. Uses a CXIndex of
 * its own: units may be read in parallel. */
cflr_status cflri_unit_read(cflr_context *context, const cflri_unit *unit,
                            const cflri_summaries *summaries, cflri_facts *facts,
                            struct cflri_inclusions *files, cflri_unit_outcome *outcome,
                            cflr_error *error);

/* Walks a parsed unit. Every function body, initialiser and declaration of the main file and its
 * headers becomes facts. Depth of the source is bounded by the walker, not by the stack. */
cflr_status cflri_walk_unit(CXTranslationUnit unit, const cflri_summaries *summaries,
                            cflri_facts *facts, cflr_error *error);

#endif
