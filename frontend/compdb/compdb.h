/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb.h: which units there are to read.
 *
 * From a compilation database or a list of files comes a list of units: absolute main files,
 * cleaned flags, sorted by path and flags (so that the order in which a build ran does not show),
 * each once.
 */
#ifndef CFLRI_COMPDB_H
#define CFLRI_COMPDB_H

#include "base/arena.h"
#include "base/vec.h"
#include "cflr/extract.h"

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

/* An entry that is not C, and so is not read. */
typedef struct cflri_foreign {
    const char *path;     /* absolute main file */
    const char *language; /* "C++", "assembler", ... */
    uint32_t entries;     /* of this file in this language */
} cflri_foreign;

/* An executable or a library, as the database tells it. */
typedef struct cflri_target {
    const char *name; /* a path, below the directory of the database relative to that */
    uint32_t units;
    bool wanted; /* see cflri_units_request.targets */
} cflri_target;

typedef struct cflri_units {
    cflri_arena arena;
    const char *base; /* directory of the database, with a slash; "" without one */
    CFLRI_VEC(cflri_unit) list;
    CFLRI_VEC(cflri_target) targets;  /* sorted by name */
    cflri_numbers members;            /* targets, grouped by unit */
    CFLRI_VEC(cflri_foreign) foreign; /* sorted by language, then by path */
    uint32_t duplicates;              /* entries dropped: same file, same flags that matter */
    uint32_t other_languages;         /* entries dropped: those of `foreign` */
} cflri_units;

/* The units to list: as in cflr_extract_opts. */
typedef struct cflri_units_request {
    const char *database; /* directory with compile_commands.json, or the file itself; or NULL */
    const char *const *files;
    size_t n_files;
    const char *const *flags; /* with a database: added to each entry's own */
    size_t n_flags;
    /* Targets that are wanted: their names, or the end of these after a '/'; or main files of
     * units that have no target. n 0: all. */
    const char *const *targets;
    size_t n_targets;
} cflri_units_request;

/* CFLR_IO: no database (the message says how to make one); CFLR_FORMAT with line and column:
 * damaged; CFLR_NOT_FOUND: a file that is asked for is not in it, or not as C, or a target is not.
 * A database without any C gives an empty list. On failure *units is empty. Files are not opened
 * here, except response files. */
cflr_status cflri_units_list(cflr_context *context, const cflri_units_request *request,
                             cflri_units *units, cflr_error *error);
void cflri_units_free(cflri_units *units);

/* For a list that comes from elsewhere: its arena and base, in `list` each unit once for each
 * target that it has (`target`), and foreign files are there. Does what cflri_units_list does
 * then. */
cflr_status cflri_units_settle(cflr_context *context, const cflri_units_request *request,
                               cflri_units *units, cflr_error *error);

/* The order of the list: 0 for one unit. */
int cflri_unit_compare(const cflri_unit *a, const cflri_unit *b);

#endif
