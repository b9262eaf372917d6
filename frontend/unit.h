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
#include "frontend/compdb.h"
#include "frontend/facts.h"
#include "frontend/outcome.h"
#include "frontend/summary.h"

struct cflri_inclusions;

/* Parses the unit and fills `facts` (already initialised), and `files` (zeroed; NULL: nobody asks) with
 * what was read for it. CFLR_OK also when the unit is lost: then *outcome says why. Uses a CXIndex of
 * its own: units may be read in parallel. */
cflr_status cflri_unit_read(cflr_context *context, const cflri_unit *unit,
                            const cflri_summaries *summaries, cflri_facts *facts,
                            struct cflri_inclusions *files, cflri_unit_outcome *outcome,
                            cflr_error *error);

#endif
