/* SPDX-License-Identifier: Apache-2.0
 *
 * passages.h: units on their way from their files into the program.
 */
#ifndef CFLRI_PASSAGES_H
#define CFLRI_PASSAGES_H

#include "frontend/facts/buffer.h"
#include "frontend/facts/check_names.h"
#include "frontend/program/link.h"
#include "frontend/program/scope.h"
#include "frontend/report/report.h"
#include "frontend/store/cache.h"
#include "frontend/store/linkable.h"

/* One unit on its way. */
typedef struct cflri_passage {
    cflri_facts facts;
    cflri_unit_outcome outcome;
    bool begun; /* facts must be freed */
    bool ready;
    bool known;   /* kept.state is */
    bool cached;  /* its facts are in the cache, at `kept` */
    bool starved; /* lost, because it needs more memory than there is */
    cflri_kept kept;
    cflri_inclusions files; /* until it is ready */
    cflri_reading
        reading; /* packed, while it waits for the others; for a linkable graph to the end */
} cflri_passage;

typedef struct cflri_passages {
    cflr_context *context;
    const cflri_units *units;
    const cflri_summaries *summaries;
    const cflri_check_names *check_names;
    cflri_store *store; /* or NULL */
    cflri_choices chosen;
    cflri_inclusions *files; /* of all units, for a linkable graph; else NULL */
    cflri_passage *passages; /* one a unit */
    size_t read;             /* units that are ready */
    size_t named;            /* names of units 0 .. named-1 are taken down */
    cflri_scopes scopes;     /* all units are read before one is linked */
    cflri_program program;
    cflr_extract_report *report;
} cflri_passages;

/* Reads all units, and takes down their names in their order. */
cflr_status cflri_passages_read(cflri_passages *x, cflr_parsing parsing, cflr_error *error);

/* All are read: now it is known which of them make a program. */
cflr_status cflri_passages_link(cflri_passages *x, cflr_programs programs, cflr_error *error);

/* Frees the passages, but not program and scopes. */
void cflri_passages_free(cflri_passages *x);

/* ---- between processes (passage_io.c) ---- */

/* Appends all that reading the unit has given to an answer. */
cflr_status cflri_passage_write(const cflri_passages *x, const cflri_passage *p,
                                cflri_buffer *answer, cflr_error *error);
/* Fills a passage that has not begun, in the process that links. CFLR_FORMAT when the bytes are
 * something else. */
cflr_status cflri_passage_take(const cflri_passages *x, cflri_passage *p, const char *answer,
                               size_t size, cflr_error *error);

#endif
