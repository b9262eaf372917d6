/* SPDX-License-Identifier: Apache-2.0
 *
 * names.h: from declarations and places of libclang to nodes of the facts.
 *
 * What has a name of its own gets a key that is the same in every unit that sees the same thing:
 *
 *     external function or variable       name           (the linker's: after asm labels)
 *     static function, static variable    path@offset:name
 *     local variable                      path@offset:function:name
 *     site (literal, call, null, ...)     path@offset:function:!what
 *
 * where offset is the byte at which the declaration or expression starts in the source, outside
 * macros. So all that one macro call expands to shares one offset: further keys that would be equal
 * get `#1`, `#2`, ... in the order of the source. Statics are never known by a name alone, which
 * many files share, nor by the identifiers that libclang makes (USR), which collide.
 *
 * Nodes are made when they are asked for: a variable that never meets a pointer has none.
 */
#ifndef CFLRI_NAMES_H
#define CFLRI_NAMES_H

#include "base/vec.h"
#include "frontend/clang/clang.h"
#include "frontend/clang/cursors.h"
#include "frontend/clang/lines.h"
#include "frontend/facts/facts.h"
#include "frontend/walk/names/types.h"
#include "frontend/walk/order/locals.h"
#include "frontend/walk/order/tested.h"

typedef enum cflri_decl_kind {
    CFLRI_DECL_OTHER, /* an enumerator, a parameter of a mere prototype: never a node */
    CFLRI_DECL_VARIABLE,
    CFLRI_DECL_PARAMETER,
    CFLRI_DECL_FUNCTION,
} cflri_decl_kind;

typedef enum cflri_ending {
    CFLRI_ENDING_UNKNOWN,
    CFLRI_ENDING_IN_BODY, /* the body tells, which has not been asked yet */
    CFLRI_RETURNS,
    CFLRI_ENDS,
} cflri_ending;

typedef struct cflri_decl {
    CXCursor cursor;
    CXType written; /* its type in the source, which names of it have */
    CXType type;    /* canonical; of a parameter: as written, even where it decays */
    cflri_decl_kind kind;
    cflri_type_class class; /* of a parameter: after decay */
    uint32_t name;          /* string of the facts */
    uint32_t function;   /* facts' function; FUNCTION: 0 until made; PARAMETER, VARIABLE: owner */
    uint32_t position;   /* PARAMETER */
    uint32_t local;      /* number among the function's split locals, or CFLRI_NO_LOCAL */
    cflri_node content;  /* VARIABLE, PARAMETER: CFLRI_NO_NODE until made */
    bool has_body;       /* FUNCTION: in this unit */
    bool variadic;       /* FUNCTION */
    bool returns_twice;  /* FUNCTION: setjmp and the like, and those that save a whole context */
    bool saves_context;  /* one of the latter, which may return whatever happens elsewhere */
    bool address_stated; /* FUNCTION: what its address being taken entails is stated */
    bool used;           /* FUNCTION: something refers to it */
    uint8_t scalar;    /* VARIABLE, PARAMETER: is it a local one, plus 1 (locals.c); 0: not asked */
    uint8_t pure;      /* FUNCTION: does it change no memory, plus 1 (tested.c); 0: not asked */
    uint8_t format;    /* FUNCTION: which argument is a format, plus 2 (formats.c); 0: not asked */
    cflri_shows shows; /* FUNCTION: of a definition: of its arguments (ending.c) */
    cflri_ending ending; /* FUNCTION: does it ever return? Asked with data flow only */
    uint32_t definition; /* FUNCTION: the declaration that is it, plus 1 (ending.c); 0: not asked */
    uint32_t body;       /* FUNCTION: among those whose ending is being found, plus 1; 0: none */
} cflri_decl;

typedef enum cflri_alias_kind {
    CFLRI_ALIAS_NAME,      /* external: one thing with its target, if no other unit defines it */
    CFLRI_ALIAS_PERHAPS,   /* the same, if there is such a target */
    CFLRI_ALIAS_LOCAL,     /* static: one thing with its target */
    CFLRI_ALIAS_LABEL,     /* the linker's name of a static target: one thing with it */
    CFLRI_ALIAS_REFERENCE, /* what the linker calls by the target's name, declared here or not */
    CFLRI_ALIAS_CHOSEN,    /* a function that the target, a resolver, chooses */
} cflri_alias_kind;

/* A name that is said to be a second name of something (alias.c). */
typedef struct cflri_alias {
    uint32_t name; /* strings of the facts: the linker's names */
    uint32_t target;
    uint32_t decl; /* of the target, or CFLRI_NO_NUMBER */
    cflri_alias_kind kind;
    CXCursor cursor; /* that says so */
} cflri_alias;

typedef struct cflri_file {
    CXFile file;
    uint32_t path;
    cflri_lines lines;
} cflri_file;

/* Spelling of a type that was asked for lately. */
typedef struct cflri_type_spelling {
    CXType type;
    uint32_t text; /* 0: free */
} cflri_type_spelling;

enum { CFLRI_RECENT_TYPES = 128 };

typedef struct cflri_names {
    cflr_context *context;
    CXTranslationUnit unit;
    cflri_facts *facts;
    cflri_types *types;
    uint32_t function; /* facts' function that is being walked; 0: file scope */
    cflri_cursors known;
    CFLRI_VEC(cflri_decl) decls;
    CFLRI_VEC(cflri_file) files;
    CFLRI_VEC(cflri_alias)
    aliases; /* of a target that is known or the linker's; by name, once resolved */
    bool resolved;
    CFLRI_VEC(uint32_t) uses; /* by string: how often the key was given out */
    CFLRI_VEC(char) text;     /* scratch */
    cflri_type_spelling recent[CFLRI_RECENT_TYPES];
    CXCursor placed; /* whose place was asked for last, and that place */
    cflri_place place;
} cflri_names;

void cflri_names_init(cflri_names *names, cflr_context *context, CXTranslationUnit unit,
                      cflri_facts *facts, cflri_types *types);
void cflri_names_free(cflri_names *names);

/* Where the cursor's place is seen by the user: outside macros. */
cflri_place cflri_place_of(cflri_names *names, CXCursor cursor);
/* The same, but in a macro's argument, where that is written; and of the last character that the
 * cursor covers. */
cflri_place cflri_token_place(cflri_names *names, CXCursor cursor);
cflri_place cflri_last_token_place(cflri_names *names, CXCursor cursor);

/* The declaration that a reference goes to; valid for reading until the next call.
 * CFLRI_NO_NUMBER for a null cursor or when memory is refused. */
uint32_t cflri_decl_of(cflri_names *names, CXCursor referenced);

/* Says of the parameters of a definition which they are of the function (of the facts), and what
 * types they have after decay. */
void cflri_decl_parameters(cflri_names *names, uint32_t function, CXCursor definition);

/* Content of a variable or parameter, made and described on first use. */
cflri_node cflri_decl_content(cflri_names *names, uint32_t decl);

/* One more node for a local, which looks like its content (versions.h). */
cflri_node cflri_version_node(cflri_names *names, uint32_t decl);

/* Facts' number of a function, made on first use; 0 on failure. */
uint32_t cflri_decl_function(cflri_names *names, uint32_t decl);

/* The alias that the declaration is; NULL: none, or the target itself. Valid while the aliases
 * are. */
const cflri_alias *cflri_alias_of(const cflri_names *names, uint32_t decl);

/* The linker's name of a function or variable as a string of the facts. */
uint32_t cflri_linker_name(cflri_names *names, CXCursor cursor);
/* The same, and 0 where no string of the facts is this name yet. */
uint32_t cflri_linker_name_known(const cflri_names *names, CXCursor cursor);

/* A root of its own for this cursor, to be called once for each site: `what` is a word that tells
 * its kinds apart. The record's name, type and carrier are used; place and function are set here.
 */
cflri_node cflri_site_node(cflri_names *names, CXCursor site, const char *what,
                           const cflri_node_record *record);

/* The pieces of memory that stop in a local variable: one node for each variable (bytes.c). */
cflri_node cflri_piece_node(cflri_names *names, CXCursor variable, const cflri_node_record *record);

/* A function's declaration without its body, to be disposed of: "char *strchr(const char *s, int
 * c)". */
CXString cflri_declaration_text(CXCursor function, bool attributes);

/* A string of the facts, copied from libclang's, which is released. */
uint32_t cflri_take_string(cflri_names *names, CXString text);
uint32_t cflri_type_text(cflri_names *names, CXType type);

#endif
