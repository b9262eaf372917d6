/* SPDX-License-Identifier: Apache-2.0
 *
 * summary.h: what functions outside the program do with pointers.
 *
 * Summaries are data (frontend/summaries/<family>.txt): one line a function, effects in the order
 * of reading, all of them flow-insensitive facts about one call. They are instantiated at each
 * call, so two calls of malloc give two objects, and are dropped by linking when the program turns
 * out to define the function, unless they override its body: then units do not read it. A function
 * whose address is taken gets its summary once more on its own parameters and result, for the calls
 * that reach it through a pointer.
 *
 *     strchr: ret = arg0
 *     malloc: ret = new
 *     realloc: ret = arg0; ret = new
 *     memcpy: copy arg0 arg1; ret = arg0
 *     strtol: *arg1 = arg0
 *     getcwd: ret = arg0; ret = new
 *     strtok: cell:strtok = arg0; ret = cell:strtok
 *     qsort: call arg3(arg0, arg0)
 *     free: none
 *
 * docs/reference/summaries.md has the whole language.
 */
#ifndef CFLRI_SUMMARY_H
#define CFLRI_SUMMARY_H

#include "frontend/facts/facts.h"

typedef struct cflri_summaries cflri_summaries;

/* A file of the user, and what it says. */
typedef struct cflri_summary_file {
    const char *path;
    const char *text; /* while it is handed in, NULL: to be read */
} cflri_summary_file;

/* Reads the shipped summaries, then the user's files: what a file says of a function replaces what
 * the shipped summaries and the files before it say. Shared by all threads once made. CFLR_IO, or
 * CFLR_SYNTAX with file, line and column. `files` must outlive the summaries. */
cflr_status cflri_summaries_new(cflr_context *context, const char *const *files, size_t n_files,
                                cflri_summaries **summaries, cflr_error *error);
/* The same of files that may have been read: paths and texts must outlive the summaries. */
cflr_status cflri_summaries_of_files(cflr_context *context, const cflri_summary_file *files,
                                     size_t n_files, cflri_summaries **summaries,
                                     cflr_error *error);
void cflri_summaries_free(cflri_summaries *summaries);

bool cflri_summaries_have(const cflri_summaries *summaries, const char *function);

/* Does a summary name this variable, which programs see (global:NAME, variable NAME)? Then the
 * summaries say all that its library stores in it. */
bool cflri_summaries_have_variable(const cflri_summaries *summaries, const char *variable);

/* The name under which a function of the facts is described: as it is spelled, or else the linker's
 * name, which an asm label gives it (headers rename functions so). NULL: it has no summary. */
const char *cflri_summarised_name(const cflri_summaries *summaries, const cflri_facts *facts,
                                  uint32_t function);

/* Does the function's summary count more than bodies that the program has for it? */
bool cflri_summary_overrides(const cflri_summaries *summaries, const cflri_facts *facts,
                             uint32_t function);

/* Does the summary of a function say that a call returns only where these arguments are not 0 (a bit
 * for each; none: never)? */
bool cflri_summary_ends(const cflri_summaries *summaries, const char *name, uint32_t *unless);

#define CFLRI_COPY_RESULT UINT32_MAX

/* One call whose callee has no body in the unit, or one that its summary overrides. Nodes are
 * values; arguments beyond the declared
 * parameters are there too. */
typedef struct cflri_external_call {
    uint32_t call;        /* number in facts->calls: place and caller */
    const char *function; /* name under which the callee is described */
    /* The value of each; of a record or union that is passed, its address. CFLRI_NO_NODE for one
     * that carries no pointer. */
    const cflri_node *arguments;
    uint32_t n_arguments;
    cflri_node result; /* where the result goes; CFLRI_NO_NODE when unused or no pointer */
    bool record;       /* the result is a record or union, and `result` its address */
    /* Copies what one argument points to into what another (or the result, COPY_RESULT) points to,
     * by their static types, which only the walker knows; facts it states are tagged like the
     * summary's own. NULL: the pointers are made to alias, which is sound and coarser. */
    void (*copy)(void *user, uint32_t to_argument, uint32_t from_argument);
    /* Bytes come in from outside to where an argument (or the result) points to, or go out from
     * there: by its type they may be pointers. NULL: types are not known, and nothing is said. */
    void (*exchange)(void *user, uint32_t argument, bool in);
    void *user;
} cflri_external_call;

/* States the effects of the function's summary as facts tagged with the call and `summary`. Returns
 * false, and does nothing, when there is no summary. Failures are sticky in the facts. */
bool cflri_summary_apply(const cflri_summaries *summaries, cflri_facts *facts,
                         const cflri_external_call *call);

/* A variable that its library fills before the program begins, or a parameter that is the same. */
typedef struct cflri_external_variable {
    const char *name; /* under which the variable is described */
    uint32_t owner;   /* function whose parameter it is; 0: of none */
    cflri_place place;
    cflri_node content;
} cflri_external_variable;

/* States what the entry `variable NAME` says, if there is one, as facts of no call. Failures are
 * sticky in the facts. */
void cflri_summary_fill(const cflri_summaries *summaries, cflri_facts *facts,
                        const cflri_external_variable *variable);

#endif
