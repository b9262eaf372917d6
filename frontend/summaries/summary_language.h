/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_language.h: summaries as they are kept after reading (docs/reference/summaries.md has the
 * text form).
 *
 *     tsearch: *arg1 = new; **arg1 = arg0; ret = *arg1; call arg2(arg0, **arg1)
 *
 *     names      "tsearch" -> effects 0..3          number of the string -> what it names
 *     effects    0  ASSIGN  target arg1 D       source new
 *                1  ASSIGN  target arg1 D D     source arg0          D: what it points to
 *                2  ASSIGN  target ret          source arg1 D
 *                3  CALL    source arg2         arguments 0..1
 *     arguments  0  arg0
 *                1  arg1 D D
 *
 * Functions that are listed in one entry share their effects: what depends on the function or the
 * call (the object that `static` or `new` stands for) is decided when a summary is applied. Nothing
 * changes after reading, so all threads share it.
 *
 * Texts are read in layers: all shipped ones are the first, each file of the user is one more.
 * Within a layer a name is described once; a later layer replaces what earlier ones say of it.
 */
#ifndef CFLRI_SUMMARY_LANGUAGE_H
#define CFLRI_SUMMARY_LANGUAGE_H

#include "base/files/embedded.h"
#include "frontend/summaries/rules.h"

enum {
    CFLRI_SUMMARY_MOST_STEPS = 8,      /* of one value: `**x->m` has four */
    CFLRI_SUMMARY_MOST_NESTED = 3,     /* offsets of a member inside members */
    CFLRI_SUMMARY_MOST_ARGUMENTS = 64, /* argument numbers, and arguments of one `call` */
    CFLRI_SUMMARY_MOST_NAMED = 8,      /* objects of one entry that have names: `new:node` */
};

typedef enum cflri_summary_base {
    CFLRI_SUMMARY_ARGUMENT, /* argN */
    CFLRI_SUMMARY_REST,     /* argN...: the argument for which the effect is being repeated */
    CFLRI_SUMMARY_RESULT,   /* ret */
    CFLRI_SUMMARY_NEW,      /* address of an object of this call */
    CFLRI_SUMMARY_STATIC,   /* address of an object of the library */
    CFLRI_SUMMARY_CELL,   /* content of a hidden variable of the library, or of one for each key */
    CFLRI_SUMMARY_GLOBAL, /* content of a variable that programs see: environ, optarg */
    CFLRI_SUMMARY_VARIABLE, /* &global:NAME, the address of such a variable */
    CFLRI_SUMMARY_FUNCTION, /* a function that is described by name: what a table of them holds */
    CFLRI_SUMMARY_NULL,     /* null: a null pointer of this call; with data flow only */
    CFLRI_SUMMARY_NOTHING,  /* _: an argument that is no pointer */
    CFLRI_SUMMARY_OUTSIDE,  /* outside: what goes through files, pipes and sockets; of copies */
} cflri_summary_base;

/* A step that goes to what the value points to; every other step adds an offset in bytes. */
#define CFLRI_SUMMARY_DEREF UINT32_MAX

typedef struct cflri_summary_value {
    cflri_summary_base base;
    uint32_t number; /* ARGUMENT, REST: which; NEW: ordinal in its entry; STATIC, CELL, GLOBAL,
                        VARIABLE, FUNCTION: name, 0 for the function's own */
    uint32_t key;    /* CELL: 1 + the argument that is its key; 0: it has none */
    bool nonnull;    /* where it is null, nothing is stored or passed */
    uint32_t n_steps;
    uint32_t step[CFLRI_SUMMARY_MOST_STEPS];
} cflri_summary_value;

typedef enum cflri_summary_verb {
    CFLRI_SUMMARY_ASSIGN, /* target = source */
    CFLRI_SUMMARY_CALL,   /* [target =] call source(arguments) */
    /* copy target source: an argument or the result, and an argument; one may be OUTSIDE */
    CFLRI_SUMMARY_COPY,
} cflri_summary_verb;

#define CFLRI_SUMMARY_ONCE UINT32_MAX

typedef struct cflri_summary_effect {
    cflri_summary_verb verb;
    bool has_target;
    bool data;            /* ASSIGN: of numbers or text; with data flow only */
    uint32_t repeat_from; /* with `argN...`: once for each argument from N on; else ONCE */
    cflri_summary_value target;
    cflri_summary_value source;
    uint32_t first_argument; /* CALL: in cflri_summaries.arguments */
    uint32_t n_arguments;
} cflri_summary_effect;

/* Layers; the user's files have the numbers from CFLRI_SUMMARY_USER on. */
enum { CFLRI_SUMMARY_ABSENT = 0, CFLRI_SUMMARY_SHIPPED = 1, CFLRI_SUMMARY_USER = 2 };

/* The text of one layer about one function, or about all functions whose names begin with one
 * prefix. */
typedef struct cflri_summary_entry {
    uint32_t layer;
    uint32_t line;
    uint32_t name;   /* string number */
    bool is_prefix;  /* of functions: `__builtin_ia32_*` */
    bool overrides;  /* bodies that the program has for it */
    bool variable;   /* its name is that of a variable, whose content is `ret` */
    bool ends;       /* a call returns only where these arguments are not 0, or never: none */
    uint32_t unless; /* a bit for each */
    uint32_t first_effect;
    uint32_t n_effects;
} cflri_summary_entry;

typedef struct cflri_summary_member {
    uint32_t layer;     /* that said it last; ABSENT: none did */
    uint32_t n_offsets; /* from the record inwards, as C nests them */
    uint32_t offset[CFLRI_SUMMARY_MOST_NESTED];
} cflri_summary_member;

/* One word may name all of these. */
typedef struct cflri_summary_name {
    uint32_t function; /* number of the entry of the last layer that has one; 0: none */
    uint32_t prefix;   /* the same */
    uint32_t content;  /* the same, of what the library puts in a variable */
    uint32_t mark;     /* the last one of the function (rules.h); 0: none */
    bool variable;     /* summaries say all that the library stores in it */
    cflri_summary_member member;
} cflri_summary_name;

/* A rule: its sources and its sinks (rules.h). */
typedef struct cflri_rule {
    uint32_t name, message, help; /* strings */
    uint32_t level;               /* cflr_level */
    uint32_t first_cwe, n_cwe;    /* of cflri_summaries.cwe */
    bool has_sources;             /* calls of functions */
    bool follows_null;            /* its source is every null pointer */
    bool dereferences;            /* its sinks are all places where a pointer is followed, too */
    bool declared_formats;        /* its sinks are formats that attributes declare, too */
    uint32_t first_program, n_programs; /* of cflri_summaries.programs */
} cflri_rule;

typedef enum cflri_mark_kind {
    CFLRI_MARK_SOURCE,
    CFLRI_MARK_SINK,
    CFLRI_MARK_CLEAN, /* a value that holds nothing of what was given to the call */
} cflri_mark_kind;

/* A value that decides about a sink: may it name one of the rule's programs? */
typedef struct cflri_mark_condition {
    uint32_t repeat_from; /* as of an effect */
    cflri_summary_value value;
} cflri_mark_condition;

/* One value of a call that a rule calls source, sink or clean. */
typedef struct cflri_mark {
    uint32_t rule;
    uint32_t repeat_from; /* as of an effect */
    cflri_mark_kind kind;
    bool bytes; /* a source: the value, and all other bytes of the memory that it lies in */
    cflri_summary_value value;
    /* A sink that counts if one of these says so; of cflri_summaries.conditions. None: always. */
    uint32_t first_condition, n_conditions;
    uint32_t next; /* mark of the same function; 0: none */
} cflri_mark;

struct cflri_summaries {
    cflr_context *context;
    cflri_strings strings;
    CFLRI_VEC(cflri_summary_name) names;    /* by string number */
    CFLRI_VEC(uint32_t) prefixes;           /* string numbers; few: they are tried one by one */
    CFLRI_VEC(cflri_summary_entry) entries; /* [0] stands for none */
    CFLRI_VEC(cflri_summary_effect) effects;
    CFLRI_VEC(cflri_summary_value) arguments;
    CFLRI_VEC(cflri_rule) rules;
    cflri_numbers cwe;           /* of all rules */
    CFLRI_VEC(cflri_mark) marks; /* [0] stands for none */
    CFLRI_VEC(cflri_mark_condition) conditions;
    cflri_numbers programs;    /* strings: names of programs, of all rules */
    bool override;             /* some entry does */
    cflri_summary_file *files; /* of the user: that of layer CFLRI_SUMMARY_USER + i */
    size_t n_files;
    cflri_arena texts; /* of files that were read */
};

/* Makes summaries of the given texts (ended by a NULL name) instead of the shipped ones, and of the
 * user's files. CFLR_SYNTAX with file, line and column for the first mistake; *summaries is NULL
 * then. Paths and texts of `files` must outlive the summaries. */
cflr_status cflri_summaries_read(cflr_context *context, const cflri_embedded *texts,
                                 const cflri_summary_file *files, size_t n_files,
                                 cflri_summaries **summaries, cflr_error *error);

/* All that a word names; NULL: nothing. */
const cflri_summary_name *cflri_summary_named(const cflri_summaries *summaries, const char *name);

/* The number of the entry that describes a function: that of its own name, else of its longest
 * prefix; 0: there is none. */
uint32_t cflri_summary_find(const cflri_summaries *summaries, const char *function);

/* A text on its way in. */
typedef struct cflri_summary_text {
    const char *subject; /* names the text in messages */
    const char *text;
    uint32_t layer;
} cflri_summary_text;

/* A file's content, which ends with NUL; freed with cflri_free. CFLR_IO, CFLR_SYNTAX when it is no
 * text. */
cflr_status cflri_summary_text_read(cflr_context *context, const char *path, char **text,
                                    cflr_error *error);

/* An object or variable of the library: "static:tm", "cell:environ", or with no prefix a variable
 * that programs see. */
cflri_node cflri_library_root(cflri_facts *facts, const char *prefix, const char *name);

/* The steps of a value, from the node that is its base. */
cflri_node cflri_summary_follow(cflri_facts *facts, cflri_node node,
                                const cflri_summary_value *value);

/* Adds the members, then the functions of one text; all members of a layer must be there before its
 * functions are read. On failure the summaries may only be freed. */
cflr_status cflri_summary_parse_members(cflri_summaries *summaries, const cflri_summary_text *text,
                                        cflr_error *error);
cflr_status cflri_summary_parse_functions(cflri_summaries *summaries,
                                          const cflri_summary_text *text, cflr_error *error);
/* The same for the rules of a text, whose members must be there. */
cflr_status cflri_rules_parse(cflri_summaries *summaries, const cflri_summary_text *text,
                              cflr_error *error);

#endif
