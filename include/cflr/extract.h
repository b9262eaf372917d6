/* SPDX-License-Identifier: Apache-2.0
 *
 * extract.h: from C source to a labelled graph (library cflr_frontend, needs libclang).
 *
 * The graph's labels (docs/reference/labels.md has the whole story):
 *
 *     a        y -> x          a value flows: x = y
 *     d        p -> *p         what a pointer points to; &x -> x
 *     f[n]     p -> &p->m      address of the member at byte offset n > 0 (field-sensitive only)
 *     s[k]     f -> &slot k    address of the k-th parameter, "ret", or "..." of a function value;
 *                              s[k:t] where the types of functions are asked for
 *     alloc    o -> &o         an object (variable, function, string, heap site) to its address
 *     null     0 -> x          a null pointer constant flows to x
 *     nonnull  p -> p'         p, where a test has shown that it is not null; with data_flow
 *     data     y -> x          a number or a character flows; with data_flow
 *     call[i]  y -> param      argument passing and result of call site i, when brackets are asked
 *     ret[i]   ret -> x        for; plain `a` edges otherwise
 *     source[r] outside -> x   rules, when asked for: what comes from outside
 *     sink[r]  x -> place      and where it must not come to
 *
 * and in an open program (docs/explanation/open-programs.md) from and to the one vertex of its
 * outside:
 *
 *     escapes     y -> outside   a value is handed to code that is not in the program
 *     caller      outside -> p   a parameter of a function that the outside can name
 *     unknown[f]  outside -> x   a result of f, which has neither body nor summary */
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
    CFLR_CONTEXT_HEAP = 2,  /* so only for functions that return fresh memory */
    CFLR_CONTEXT_TYPES = 3, /* these, one for each type that callers make of the memory */
    CFLR_CONTEXT_AUTO =
        4, /* TYPES with strict aliasing and calls that are assignments, else NONE */
} cflr_contexts;

typedef enum cflr_programs {
    /* a name means one thing inside each program: docs/explanation/linking.md */
    CFLR_PROGRAMS_APART = 0,
    CFLR_PROGRAMS_MERGED = 1, /* an external name is one thing in all units */
} cflr_programs;

/* Is the program all the code that there is? */
typedef enum cflr_world {
    CFLR_WORLD_AUTO = 0,   /* closed if it defines `main`, else open */
    CFLR_WORLD_CLOSED = 1, /* a function that the program does not call is not called */
    CFLR_WORLD_OPEN =
        2, /* code outside calls what it can name, and is one with what has no model */
} cflr_world;
/* Which functions a call through a value may enter, of all whose address reaches the value. */
typedef enum cflr_callees {
    CFLR_CALLEES_AUTO = 0, /* TYPES where a closed program is of strict aliasing, else ANY */
    CFLR_CALLEES_ANY = 1,  /* all */
    /* Those of a type that is compatible with the call's (C11 6.5.2.2 paragraph 9), which is read
     * generously: docs/explanation/call-graph.md, *By their types*. */
    CFLR_CALLEES_TYPES = 2,
} cflr_callees;

/* What is apart in an array. Without fields it is one element in any case. */
typedef enum cflr_arrays {
    CFLR_ARRAYS_ONE = 0, /* nothing: it is one element */
    CFLR_ARRAYS_CONSTANT =
        1, /* the first elements, where the code names the array and a constant index */
} cflr_arrays;

/* What a pointer may hold by its type. */
typedef enum cflr_aliasing {
    CFLR_ALIASING_ANY = 0, /* anything */
    /* What C11 6.5 paragraph 7 allows the type that it points to: docs/explanation/aliasing.md.
     * Memory becomes vertices, for a grammar with a filter (pointer-types). Not with rules or
     * without fields. */
    CFLR_ALIASING_STRICT = 1,
    CFLR_ALIASING_AUTO =
        2, /* text of a program without a unit built with -fno-strict-aliasing, else any */
    CFLR_ALIASING_TEXT = 3, /* strict, and what is copied as characters holds no pointers */
} cflr_aliasing;

/* Where C is parsed, that is, what libclang can do to the process that calls it. */
typedef enum cflr_parsing {
    /* In threads of this process. A crash of the parser loses a unit; a stack or a memory that
     * overflows may end the process, and nothing stops a parse: neither a limit nor
     * cflr_context_cancel. */
    CFLR_PARSING_HERE = 0,
    /* In processes that are forked from this one, as many as the context has threads: whatever
     * happens to one of them loses the unit that it had, and limits and cancellation hold at any
     * moment. The fork may be made while other threads run, and waits for those that parse in this
     * process (CFLR_PARSING_HERE); no callback runs in such a process, and none is left when the
     * call returns. SIGCHLD must not be ignored, nor children be waited for
     * by others, or the reason why a unit was lost is not known. */
    CFLR_PARSING_WORKERS = 1,
} cflr_parsing;

/* Fill with cflr_extract_opts_init. Exactly one input: a database (`database` names its directory
 * or the file itself) or files. With a database, `files` restricts it to these paths. */
typedef struct cflr_extract_opts {
    uint32_t struct_size; /* what is pointed to below is read during the call only */
    const char *database; /* compile_commands.json, or its directory; or NULL */
    const char *const
        *files; /* C files, in any order; with no database each is parsed with `flags` */
    size_t n_files;
    const char *const *flags; /* compiler flags, in the compiler's order */
    size_t n_flags;
    cflr_fields fields;
    cflr_calls calls;
    cflr_contexts context;
    uint64_t clone_limit; /* most vertices that cloning may make; 0: a default */
    cflr_locals locals;
    /* Names of functions whose calls are checks (cflr_check), by what they expect. Such a function
     * does nothing in the graph, with a body or without one. Names are in any order; none may be in
     * two lists. */
    const char *const *may_alias, *const *must_alias, *const *no_alias;
    size_t n_may_alias, n_must_alias, n_no_alias;
    /* Files that say what functions outside the program do with pointers, in the language of
     * docs/reference/summaries.md. What a file says of a function replaces what the shipped
     * summaries and earlier files of the list say; a body in the program counts more than any of
     * them. "-": standard input. */
    const char *const *summaries;
    size_t n_summaries;
    /* Directory in which what was read is kept for later calls, made when it is missing; NULL:
     * nothing is kept. Graph and report are the same with and without it, with rules and without
     * (docs/explanation/cache.md). */
    const char *cache;
    /* Targets of the database to link, with the targets that they need; none: all. A name may be
     * the end of one, from a '/' on; a unit without target goes by its main file. All units are
     * read, because it is names in them that tell what is needed. */
    const char *const *targets;
    size_t n_targets;
    cflr_programs programs;
    /* Not pointers alone: where numbers and text go, which library functions may return null, and
     * what tests of local pointers show (docs/reference/labels.md, *Data-flow graphs*). */
    bool data_flow;
    /* Rules, by the names of shipped ones ("null") or as files, in the language of
     * docs/reference/rules.md: calls that they name become sources and sinks, with edges
     * source[RULE] and sink[RULE]. */
    const char *const *rules;
    size_t n_rules;
    cflr_world world;
    cflr_callees callees;
    cflr_arrays arrays;
    /* The graph keeps what its units say when it is saved as .cflg, for cflr_link. Not with
     * rules. */
    bool linkable;
    cflr_parsing parsing;
    cflr_aliasing aliasing;
} cflr_extract_opts;

CFLR_API void cflr_extract_opts_init_sized(cflr_extract_opts *opts, size_t struct_size);
static inline void cflr_extract_opts_init(cflr_extract_opts *opts) {
    cflr_extract_opts_init_sized(opts, sizeof *opts);
}

/* Numbers of the flags that extraction does not know and leaves out: slips of the pen, inputs, and
 * what decides about machine code only. Well-known flags that cannot matter (-Wall, -g, -c) are not
 * listed. `unknown` is large enough for n_flags numbers and gets them ascending; returns how many
 * there are. */
CFLR_API size_t cflr_extract_unknown_flags(const char *const *flags, size_t n_flags,
                                           size_t *unknown);

/* Parses every unit (parallel over units), links them and builds the graph. A unit that cannot be
 * read is counted and reported and does not stop the run, unless none can be read (CFLR_IO). The
 * graph is a function of the input only. *report may be asked for even when the call fails.
 *
 * The first call of a process loads libclang. Where that parses in this process (opts->parsing) it
 * catches the signals of a crash (SIGSEGV, for instance) from then on, to lose a unit and not the
 * process; and LIBCLANG_NOTHREADS=1 is put into the environment unless it is there, so that parsing
 * has the stack that it needs: no other thread should change the environment meanwhile. */
CFLR_API cflr_status cflr_extract(cflr_context *context, const cflr_extract_opts *opts,
                                  cflr_graph **graph, cflr_extract_report **report,
                                  cflr_error *error);

/* The graph that cflr_extract gives of all units of several linkable graphs, n_paths of them in any
 * order, files that were saved with opts->linkable: of the same bytes. A unit that several have is
 * there once. `opts` says how they are linked: calls, context, clone_limit, targets, programs,
 * world, linkable; the files tell how units were read, and the other options must be as
 * cflr_extract_opts_init leaves them (CFLR_ARGUMENT). Targets are named below the directory that
 * the databases of all files have in common. CFLR_FORMAT: a file that is not linkable or damaged,
 * or two that were read with different options or at different states of a unit; CFLR_UNSUPPORTED:
 * a file of another version of cflr. Needs no libclang. */
CFLR_API cflr_status cflr_link(cflr_context *context, const char *const *paths, size_t n_paths,
                               const cflr_extract_opts *opts, cflr_graph **graph,
                               cflr_extract_report **report, cflr_error *error);

/* What cflr_link would link, as cflr_extract_list tells what would be read. */
CFLR_API cflr_status cflr_link_list(cflr_context *context, const char *const *paths, size_t n_paths,
                                    const cflr_extract_opts *opts, cflr_extract_report **report,
                                    cflr_error *error);

/* What cflr_extract would read, without reading C (libclang is not needed): of the counts `units`,
 * `duplicates`, `other_languages` and `untold`, notes about files of other languages, and the
 * targets that the database tells. A database without any C is no failure here. */
CFLR_API cflr_status cflr_extract_list(cflr_context *context, const cflr_extract_opts *opts,
                                       cflr_extract_report **report, cflr_error *error);

CFLR_API void cflr_extract_report_free(cflr_extract_report *report);

typedef struct cflr_extract_counts {
    uint32_t units;           /* to be read, after dropping duplicates and other languages */
    uint32_t units_lost;      /* not read at all */
    uint32_t units_degraded;  /* read with errors: some code may be missing */
    uint32_t duplicates;      /* entries of the database dropped: same file, same flags */
    uint32_t other_languages; /* entries that are not C, see CFLR_NOTE_LANGUAGE */
    uint64_t lines;           /* of the main files that were read */
    uint32_t functions;       /* with a body */
    uint32_t pointers;        /* vertices that hold a pointer */
    uint32_t calls_direct;
    uint32_t calls_indirect;   /* through a function value: resolved by the closure */
    uint32_t calls_unmodelled; /* to a function without body or summary */
    uint32_t assumptions;      /* places where something was approximated; see the list */
    uint64_t clones;           /* function copies made for contexts */
    bool clone_limit_hit;
    uint32_t redefined;    /* external names that are defined at several places of one program */
    uint32_t units_cached; /* of `units`: taken from the cache instead of being read */
    uint32_t untold;       /* units whose target the database does not tell */
    uint32_t programs;     /* targets that define main, among those that are linked */
    uint32_t left_out;     /* units read and not linked: no target that was asked for needs them */
    bool open;             /* the program is: these are what its outside can name */
    uint32_t functions_entered;
    uint32_t variables_entered;
    uint32_t units_limited; /* of units_lost: those that need more memory than there is */
    bool strict;          /* the graph has locations: not CFLR_ALIASING_ANY, or what AUTO came to */
    bool text;            /* CFLR_ALIASING_TEXT, likewise */
    bool callees_by_type; /* CFLR_CALLEES_TYPES, likewise */
} cflr_extract_counts;

CFLR_API void cflr_extract_get_counts_sized(const cflr_extract_report *report,
                                            cflr_extract_counts *counts, size_t struct_size);
static inline void cflr_extract_get_counts(const cflr_extract_report *report,
                                           cflr_extract_counts *counts) {
    cflr_extract_get_counts_sized(report, counts, sizeof *counts);
}

/* The main file of each unit that was to be read, in the order of the input; a file that several
 * units have is there several times. NULL past the last. Texts live as long as the report. */
CFLR_API const char *cflr_extract_unit(const cflr_extract_report *report, size_t i);

/* One line of the summary, most important first; NULL past the last. */
typedef enum cflr_note_kind {
    CFLR_NOTE_LOST = 0,       /* a unit that was not read, and why */
    CFLR_NOTE_DEGRADED = 1,   /* a unit with errors: the first one */
    CFLR_NOTE_UNMODELLED = 2, /* an external function without summary; count: its calls, and places
                                 where it is used as a value */
    CFLR_NOTE_ASSUMED = 3,    /* a construct that was approximated; count: places */
    CFLR_NOTE_LIMIT = 4,      /* a bound that was hit */
    CFLR_NOTE_OVERRULED = 5,  /* the user's summary of a function that has a body: that counts */
    CFLR_NOTE_UNUSED = 6,     /* the user's summary of a function that nothing uses: misspelled? */
    CFLR_NOTE_LANGUAGE = 7,   /* a file that is not C, and so not read; text: its language; count:
                                 entries of the database; sorted by language */
    CFLR_NOTE_REDEFINED = 8,  /* an external name that units define at different places: all its
                                 bodies are taken; count: definitions after the first */
    CFLR_NOTE_CACHE = 9,    /* the cache was damaged, or could not be written: the first failure */
    CFLR_NOTE_OPEN = 10,    /* the program is open, and why; text: what the outside can name */
    CFLR_NOTE_CHANGED = 11, /* a file that two linkable graphs have read at different states */
} cflr_note_kind;

typedef struct cflr_note {
    cflr_note_kind kind;
    uint64_t count;
    const char *file; /* first place; "" when none */
    uint32_t line;
    const char *text; /* lives as long as the report */
} cflr_note;

CFLR_API const cflr_note *cflr_extract_note(const cflr_extract_report *report, size_t i);

/* An executable or a library of the build, or a program whose target the database does not tell. */
typedef struct cflr_target {
    const char *name; /* a path below the database's directory; without target the main file */
    uint32_t units;
    /* After cflr_extract_list, which reads nothing, both are false. */
    bool program; /* it defines main */
    bool linked;  /* asked for, or needed by what is */
} cflr_target;

/* The targets that the database tells, sorted by name, and after them the other programs, sorted by
 * main file; NULL past the last. */
CFLR_API const cflr_target *cflr_extract_target(const cflr_extract_report *report, size_t i);

/* What a check expects of its two pointers. */
typedef enum cflr_check_kind {
    CFLR_CHECK_MAY_ALIAS = 0,
    CFLR_CHECK_MUST_ALIAS = 1,
    CFLR_CHECK_NO_ALIAS = 2,
} cflr_check_kind;

/* A call of a function that the options name: at this place of the source, what do its two
 * arguments hold? Each argument has vertices of its own into which it flows, vertex[0][i] and
 * vertex[1][i] in the i-th copy of the function that contains the call (one copy without contexts).
 * The two may alias when they do in one of these pairs. */
typedef struct cflr_check {
    cflr_check_kind kind;
    const char *callee;        /* the name that is called */
    const char *expression[2]; /* the arguments as cflr spells them; "" when there is none */
    const char *file;          /* where the call is seen: outside macros */
    uint32_t line;
    uint32_t column;
    const char *function; /* that contains the call */
    const char *problem;  /* "", or why the call is no question: then n is 0 */
    /* as those of findings (cflr/findings.h), of callee, file, function and expressions */
    char fingerprint[24], fingerprint_any_file[24];
    const uint32_t *vertex[2]; /* n each, by copy: not sorted; they live as long as the report */
    size_t n;
} cflr_check;

/* The checks sorted by place; NULL past the last. They live as long as the report. */
CFLR_API const cflr_check *cflr_extract_check(const cflr_extract_report *report, size_t i);

/* How much a finding matters. X(name, number, word, text), worst first. */
#define CFLR_LEVEL_LIST(X)                              \
    X(ERROR, 0, "error", "a bug, or it can be misused") \
    X(WARNING, 1, "warning", "likely a bug")            \
    X(NOTE, 2, "note", "hardly a bug, or of style")

typedef enum cflr_level {
#define CFLR_LEVEL_ENUM(name, number, word, text) CFLR_LEVEL_##name = number,
    CFLR_LEVEL_LIST(CFLR_LEVEL_ENUM)
#undef CFLR_LEVEL_ENUM
} cflr_level;

/* A rule that was read. */
typedef struct cflr_rule {
    const char *name; /* the index of its edges; texts live as long as the report */
    const char *message;
    bool follows_null; /* it begins at null pointers, and not at edges source[name] */
    cflr_level level;  /* ERROR unless the rule says otherwise */
    const char *help;  /* what to do about its findings; "" when the rule does not say */
    const uint32_t
        *cwe; /* n_cwe numbers of the Common Weakness Enumeration, as the rule has them */
    size_t n_cwe;
} cflr_rule;

/* The rules in the order of reading, n of them; they live as long as the report. cflr/findings.h
 * has their findings. */
CFLR_API const cflr_rule *cflr_extract_rules(const cflr_extract_report *report, size_t *n);

/* A place of the source; lines and columns count from 1. */
typedef struct cflr_place {
    const char *file;
    uint32_t line;
    uint32_t column;
} cflr_place;

/* Where the program says that a value flows from one vertex of the graph to another. */
typedef struct cflr_flow {
    uint32_t source, target;
    cflr_place place; /* of several the first in the order of the units */
} cflr_flow;

/* What is known of edges that assignments make, sorted by source and target, each pair once; n of
 * them, and none without rules, when places are not kept. They live as long as the report. */
CFLR_API const cflr_flow *cflr_extract_flows(const cflr_extract_report *report, size_t *n);

/* A function with a body that nothing in the analysed files enters: it is static, its address is
 * not used, no attribute says that something else enters it (constructor, used), and only such
 * functions call it. The vertices from `first` to before `end` are its own, of one copy for a
 * context. */
typedef struct cflr_uncalled {
    const char *function;
    cflr_place place; /* of its body */
    uint32_t first, end;
} cflr_uncalled;

/* Sorted by their vertices, n of them, and none without rules; they live as long as the report. */
CFLR_API const cflr_uncalled *cflr_extract_uncalled(const cflr_extract_report *report, size_t *n);

/* Names and texts of the shipped rules: NULL past the last one. */
CFLR_API const char *cflr_rule_shipped(size_t i);
CFLR_API const char *cflr_rule_shipped_text(size_t i);

/* A function that the program uses and that has neither body nor summary: all that it is given may
 * be stored in all that it is given, and returned. What to write summaries for. */
typedef struct cflr_unmodelled {
    const char *name;      /* texts live as long as the report */
    const char *prototype; /* as first declared, on one line */
    uint64_t calls;        /* by name */
    uint64_t values;       /* places where it is used as a value: it may be called through that */
    const char *file;      /* the first call, or where there is none the first use as a value */
    uint32_t line;
    uint32_t column;
} cflr_unmodelled;

/* The most called first, then by name; NULL past the last. */
CFLR_API const cflr_unmodelled *cflr_extract_unmodelled(const cflr_extract_report *report,
                                                        size_t i);

#ifdef __cplusplus
}
#endif
#endif
