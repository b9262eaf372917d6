/* SPDX-License-Identifier: Apache-2.0
 *
 * linkable.h: the units that a graph was made of, as they were read, in the graph's own .cflg file.
 */
#ifndef CFLRI_LINKABLE_H
#define CFLRI_LINKABLE_H

#include "base/files/container.h"
#include "frontend/compdb/compdb.h"
#include "frontend/facts/facts.h"
#include "frontend/report/outcome.h"
#include "frontend/store/inclusions.h"
#include "frontend/summaries/summary.h"

/* One unit that was read. */
typedef struct cflri_reading {
    cflri_unit_outcome outcome;
    cflri_digest says;   /* equal when two readings give the same facts */
    cflri_section facts; /* packed */
    const char *from;    /* path of the file that it lies in */
} cflri_reading;

/* Packs what was read into a new block, reading->facts.packed, freed with cflri_free. May be called
 * from any thread. */
cflr_status cflri_reading_make(cflri_reading *reading, const cflri_facts *facts,
                               const cflri_unit_outcome *outcome, cflr_error *error);

/* Fills zeroed facts, for linking (facts_io.h). CFLR_FORMAT when they are damaged; free them also
 * then. */
cflr_status cflri_reading_facts(const cflri_reading *reading, cflr_context *context,
                                const cflri_unit *unit, cflr_fields fields, cflri_facts *facts,
                                cflr_error *error);

/* The content of a linkable graph to be written. */
typedef struct cflri_linkable {
    const cflr_extract_opts *opts; /* those that decide how units are read */
    const cflri_summaries *summaries;
    const cflri_units *units;
    cflri_reading *const *readings; /* by unit; NULL: it is left out */
    const cflri_inclusions *files;  /* that all of them were read from */
} cflri_linkable;

/* The graph takes over the blocks of the readings, whose facts.packed become NULL. */
cflr_status cflri_linkable_attach(cflr_graph *graph, const cflri_linkable *linkable,
                                  cflr_error *error);

/* The content of a linkable graph that was read. Texts and packed facts lie in the file. */
typedef struct cflri_part {
    cflr_context *context;
    const char *path; /* of the file, the caller's */
    cflri_input input;
    cflri_section *sections;
    cflri_strings texts;
    cflr_extract_opts opts; /* fields, locals, arrays, data_flow, and the names of checks */
    cflri_summary_file *summaries;
    size_t n_summaries;
    cflri_units units;      /* not sorted; targets have absolute names */
    cflri_reading *reading; /* those that the units point to */
    const char *const *file;
    cflri_digest *content; /* by file */
    size_t n_files;
} cflri_part;

/* CFLR_IO; CFLR_FORMAT for what is damaged or not linkable; CFLR_UNSUPPORTED when another build of
 * the front end made it. Facts are not looked at here. Close it also when this fails. */
cflr_status cflri_part_open(cflr_context *context, const char *path, cflri_part *part,
                            cflr_error *error);
/* The same for a file in memory, which stays where it is until the part is closed. */
cflr_status cflri_part_read(cflr_context *context, const char *data, size_t size, const char *path,
                            cflri_part *part, cflr_error *error);
/* Sets the options that it was read with. */
void cflri_part_tell(const cflri_part *part, cflr_extract_opts *opts);
void cflri_part_close(cflri_part *part); /* a zeroed one may be closed, a closed one again */

#endif
