/* SPDX-License-Identifier: Apache-2.0
 *
 * cache_entry.h: the file form of one unit in the cache.
 */
#ifndef CFLRI_CACHE_ENTRY_H
#define CFLRI_CACHE_ENTRY_H

#include "base/files/container.h"
#include "frontend/report/outcome.h"
#include "frontend/store/inclusions.h"
#include "frontend/summaries/summary_digest.h"

typedef struct cflri_entry {
    cflri_digest key; /* of the unit (cache.c) */
    cflri_unit_outcome outcome;
    cflri_strings paths;   /* absolute, from number 1 on: the files that it was read from */
    cflri_digest *digests; /* of each, as cflri_sources_file gives them; [0] is unused */
    cflri_digest said;     /* as cflri_summaries_digest_names gave it */
    cflri_section names, facts;
} cflri_entry;

/* Reads an entry in memory, names and facts apart: they stay where they are. CFLR_FORMAT or
 * CFLR_UNSUPPORTED for what is none. Free it also when this fails. */
cflr_status cflri_entry_read(cflr_context *context, const void *data, size_t size,
                             cflri_entry *entry, cflr_error *error);
void cflri_entry_free(cflr_context *context, cflri_entry *entry);

/* The digest of what summaries and rules say now of the names of the unit: as
 * cflri_summaries_digest_names. */
cflr_status cflri_entry_said(cflr_context *context, const cflri_entry *entry,
                             const cflri_summaries *summaries, cflri_digest *digest,
                             cflr_error *error);

/* As cflri_facts_read. */
cflr_status cflri_entry_facts(cflr_context *context, const cflri_entry *entry, cflr_fields fields,
                              cflri_facts *facts, cflr_error *error);

/* Writes key, outcome, paths and digests of *entry, what cflri_summary_names gave, and the
 * facts. */
cflr_status cflri_entry_write(cflr_context *context, cflri_output *output, const cflri_entry *entry,
                              const cflri_buffer *names, const cflri_facts *facts,
                              cflr_error *error);

#endif
