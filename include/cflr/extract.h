/* SPDX-License-Identifier: Apache-2.0
 *
 * extract.h: from C source to a labelled graph (library cflr_frontend, needs libclang).
 *
 * The graph's labels (docs/labels.md has the whole story):
 *
 *     a        y -> x          a value flows: x = y
 *     d        p -> *p         what a pointer points to; &x -> x
 *     f[n]     p -> &p->m      address of the member at byte offset n > 0 (field-sensitive only)
 *     s[k]     f -> &slot k    address of the k-th parameter, "ret", or "..." of a function value
 *     alloc    o -> &o         an object (variable, function, string, heap site) to its address
 *     null     0 -> x          a null pointer constant flows to x
 *     call[i]  y -> param      argument passing and result of call site i, when brackets are asked
 *     ret[i]   ret -> x        for; plain `a` edges otherwise
 */
#ifndef CFLR_EXTRACT_H
#define CFLR_EXTRACT_H

#include "cflr/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_extract_report cflr_extract_report;

typedef enum cflr_fields {
    CFLR_FIELDS_SENSITIVE = 0,   /* f[n] edges */
    CFLR_FIELDS_INSENSITIVE = 1, /* a member is its whole object */
} cflr_fields;

typedef enum cflr_locals {
    CFLR_LOCALS_SPLIT =
        0, /* a local pointer whose address is not taken is one for each definition */
    CFLR_LOCALS_WHOLE = 1, /* one for all */
} cflr_locals;

typedef enum cflr_calls {
    CFLR_CALLS_ASSIGN = 0,   /* passing a value is an assignment */
    CFLR_CALLS_BRACKETS = 1, /* call[i] and ret[i], for grammars that match them */
} cflr_calls;

typedef enum cflr_contexts {
    CFLR_CONTEXT_NONE = 0,  /* one body for each function */
    CFLR_CONTEXT_CLONE = 1, /* one for each call path; recursive components collapsed */
} cflr_contexts;

/* Fill with cflr_extract_opts_init. Exactly one input: a database (`database` names its directory)
 * or files. With a database, `files` restricts it to these paths. */
typedef struct cflr_extract_opts {
    uint32_t struct_size;
    const char *database;     /* directory of compile_commands.json, or NULL */
    const char *const *files; /* C files; with no database each is parsed with `flags` */
    size_t n_files;
    const char *const *flags; /* compiler flags */
    size_t n_flags;
    cflr_fields fields;
    cflr_calls calls;
    cflr_contexts context;
    uint64_t clone_limit; /* most vertices that cloning may make; 0: a default */
    cflr_locals locals;
} cflr_extract_opts;

CFLR_API void cflr_extract_opts_init(cflr_extract_opts *opts);

/* Numbers of the flags that extraction does not know and leaves out: slips of the pen, inputs, and
 * what decides about machine code only. Well-known flags that cannot matter (-Wall, -g, -c) are not
 * listed. `unknown` has room for n_flags; returns how many there are. */
CFLR_API size_t cflr_extract_unknown_flags(const char *const *flags, size_t n_flags,
                                           size_t *unknown);

/* Parses every unit (parallel over units), links them and builds the graph. A unit that cannot be
 * read is counted and reported and does not stop the run, unless none can be read (CFLR_IO). The
 * graph is a function of the input only. *report may be asked for even when the call fails. */
CFLR_API cflr_status cflr_extract(cflr_context *context, const cflr_extract_opts *opts,
                                  cflr_graph **graph, cflr_extract_report **report,
                                  cflr_error *error);

CFLR_API void cflr_extract_report_free(cflr_extract_report *report);

typedef struct cflr_extract_counts {
    uint32_t units;          /* to be read, after dropping duplicates and other languages */
    uint32_t units_lost;     /* not read at all */
    uint32_t units_degraded; /* read with errors: some code may be missing */
    uint32_t duplicates;     /* entries of the database dropped: same file, same flags */
    uint32_t other_languages;
    uint64_t lines;     /* of the main files that were read */
    uint32_t functions; /* with a body */
    uint32_t pointers;  /* vertices that hold a pointer */
    uint32_t calls_direct;
    uint32_t calls_indirect;   /* through a function value: resolved by the closure */
    uint32_t calls_unmodelled; /* to a function without body or summary */
    uint32_t assumptions;      /* places where something was approximated; see the list */
    uint64_t clones;           /* function copies made for contexts */
    bool clone_limit_hit;
    uint32_t redefined; /* external names that are defined at several places */
} cflr_extract_counts;

CFLR_API void cflr_extract_get_counts(const cflr_extract_report *report,
                                      cflr_extract_counts *counts);

/* One line of the summary, most important first; NULL past the last. */
typedef enum cflr_note_kind {
    CFLR_NOTE_LOST = 0,       /* a unit that was not read, and why */
    CFLR_NOTE_DEGRADED = 1,   /* a unit with errors: the first one */
    CFLR_NOTE_UNMODELLED = 2, /* an external function without summary; count: calls */
    CFLR_NOTE_ASSUMED = 3,    /* a construct that was approximated; count: places */
    CFLR_NOTE_LIMIT = 4,      /* a bound that was hit */
    CFLR_NOTE_REDEFINED = 5,  /* an external name that units define at different places: all its
                                 bodies are taken; count: definitions after the first */
} cflr_note_kind;

typedef struct cflr_note {
    cflr_note_kind kind;
    uint64_t count;
    const char *file; /* first place; "" when none */
    uint32_t line;
    const char *text; /* lives as long as the report */
} cflr_note;

CFLR_API const cflr_note *cflr_extract_note(const cflr_extract_report *report, size_t i);

#ifdef __cplusplus
}
#endif
#endif
