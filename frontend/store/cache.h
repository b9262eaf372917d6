/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.h: the facts of units, kept in a directory from one run to the next
 * (docs/explanation/cache.md).
 *
 * A cache never fails a run: what cannot be read is not there, and what cannot be written is left
 * out and told at the end. All functions but open and close may be called from any thread; several
 * processes may use one directory.
 */
#ifndef CFLRI_CACHE_H
#define CFLRI_CACHE_H

#include <limits.h>

#include "frontend/report/outcome.h"
#include "frontend/store/cache_program.h"
#include "frontend/store/inclusions.h"

#define CFLRI_STORE_LIMIT (UINT64_C(2) << 30) /* bytes that a directory may hold after a run */

/* Differs between builds whose front end may differ (cmake/identity.cmake). */
extern const char cflri_frontend_identity[];

typedef struct cflri_store cflri_store;

/* opts->cache is the directory; it is made when something is saved. Of the other options those
 * count that decide what a unit says. The summaries must outlive the store. */
cflr_status cflri_store_open(cflr_context *context, const cflr_extract_opts *opts,
                             const cflri_summaries *summaries, cflri_store **store,
                             cflr_error *error);

/* Where the facts of a unit are. */
typedef struct cflri_kept {
    cflri_digest key;
    int slot;
    uint32_t search;    /* where its headers are looked for (sources.h) */
    cflri_digest state; /* equal when the unit says the same: its key, files, rules */
} cflri_kept;

/* Are the facts of the unit there, and are its files as they were then? */
bool cflri_store_look(cflri_store *store, const cflri_unit *unit, cflri_kept *kept);

/* Fills zeroed facts and the outcome of a unit that was there, as reading it would, for linking
 * (facts_io.h), and a zeroed list of its files and the facts as they lie in the cache, in a new
 * block packed->packed (NULL: not wanted). False when they are no longer there: all are zeroed
 * then. */
bool cflri_store_facts(cflri_store *store, const cflri_kept *kept, cflri_facts *facts,
                       cflri_section *packed, cflri_inclusions *files, cflri_unit_outcome *outcome);

/* Keeps what was read, and sets kept->state. False when it cannot be known again: a unit that is
 * lost, or whose files have changed since. */
bool cflri_store_save(cflri_store *store, const cflri_unit *unit, const cflri_inclusions *files,
                      const cflri_facts *facts, const cflri_unit_outcome *outcome,
                      cflri_kept *kept);

/* The changes to the store in a process that has a copy of it, for the process that closes it. */
typedef struct cflri_store_news {
    bool saved, troubled;
    cflr_error trouble;
    uint32_t damaged;
    char first_damaged[PATH_MAX];
} cflri_store_news;

/* Since it was told last. */
void cflri_store_tell(cflri_store *store, cflri_store_news *news);
void cflri_store_hear(cflri_store *store, const cflri_store_news *news);

/* ---- all units together ---- */

/* Of the states of all units, in their order, of their targets, and of the options that matter
 * after reading. */
cflri_digest cflri_store_program_key(const cflri_store *store, const cflri_digest *states,
                                     const cflri_units *units, const cflr_extract_opts *opts);
/* Makes the graph and the report that were saved; false when they are not there. */
bool cflri_store_program(cflri_store *store, cflri_digest key, cflri_extracted *extracted);
void cflri_store_save_program(cflri_store *store, cflri_digest key,
                              const cflri_extracted *extracted);

/* Notes of what went wrong: entries that were damaged, and the first one that could not be
 * written. */
cflr_status cflri_store_report(const cflri_store *store, cflr_extract_report *report,
                               cflr_error *error);

/* Where something was saved, removes the entries that were not used for longest until the rest fits
 * in `limit` bytes. NULL is a no-op. */
void cflri_store_close(cflri_store *store, uint64_t limit);

#endif
