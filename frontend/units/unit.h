/* SPDX-License-Identifier: Apache-2.0
 *
 * unit.h: one translation unit, from command line to facts.
 */
#ifndef CFLRI_UNIT_H
#define CFLRI_UNIT_H

#include "frontend/clang/clang.h"
#include "frontend/compdb/compdb.h"
#include "frontend/facts/facts.h"
#include "frontend/report/outcome.h"
#include "frontend/summaries/summary.h"

struct cflri_inclusions;

/* Parses the unit and fills `facts` (already initialised), and `files` (zeroed; NULL: not wanted)
 * with what was read for it. CFLR_OK also when the unit is lost: then *outcome says why. Uses a
 * CXIndex of its own: units may be read in parallel. */
cflr_status cflri_unit_read(cflr_context *context, const cflri_unit *unit,
                            const cflri_summaries *summaries, cflri_facts *facts,
                            struct cflri_inclusions *files, cflri_unit_outcome *outcome,
                            cflr_error *error);

#endif
