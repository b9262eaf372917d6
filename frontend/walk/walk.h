/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.h: what the files that turn C constructs into facts share.
 *
 *     walk.c       a unit: its declarations, functions in turn
 *     stmt.c       statements, without recursion
 *     expr.c       which construct an expression is
 *     unnamed.c    expressions that libclang does not name: implicit casts, a ?: b, va_arg, atomics
 *     operator.c   unary and binary operators, conditionals
 *     member.c     s.m, p->m
 *     element.c    a[i]
 *     container.c  offsetof, and from a member back to its record
 *     moved.c      pointers that are moved by other numbers
 *     cast.c       conversions, null pointers
 *     literal.c    strings, compound literals
 *     call.c       calls: direct, through values, to functions outside the unit
 *     builtin.c    what compilers treat specially under a function's name
 *     check.c      calls that ask the analysis something
 *     follow.c     where pointers are followed, for rules
 *     assign.c     one value into one place; records leaf by leaf
 *     bytes.c      memory that is copied in pieces
 *     view.c       memory that is seen as something else
 *     init.c       initialisers
 *     asm.c        inline assembly
 *     attribute.c  calls at the end of a scope, sections, functions that are invoked
 *     formats.c    functions that take a format
 *     alias.c      second names of functions and variables
 *     value.c      small sets of nodes
 *     lost.c       values that are not followed
 *     spell.c      expressions as text
 *     locals.c     which locals are taken apart by their definitions
 *     control.c    in which order they are read and written
 *     for_parts.c  which parts a `for` has
 *     conditions.c what a condition decides
 *     versions.c   which definition each use reads
 *
 * Three questions can be asked of an expression, and each is asked once, because asking also states
 * what its parts do:
 *
 *     value     the nodes that its value may come from. The value of a record or array is its
 *               address; so `.` and `->` are the same step, and passing a record passes its address
 *               to the copy.
 *     place     of an lvalue: the nodes that are its content, or the pointers to it
 *     effects   nothing, when its value is not used
 *
 * The depth of recursion is bounded (CFLRI_MOST_NESTED); chains that real code makes long (sums,
 * commas, else-if, statements in sequence) are loops.
 */
#ifndef CFLRI_WALK_H
#define CFLRI_WALK_H

#include "frontend/clang/clang.h"
#include "frontend/clang/tree.h"
#include "frontend/facts/facts.h"
#include "frontend/summaries/summary.h"
#include "frontend/walk/names/names.h"
#include "frontend/walk/names/types.h"
#include "frontend/walk/order/stores.h"
#include "frontend/walk/order/tested.h"
#include "frontend/walk/order/versions.h"

enum {
    CFLRI_VALUE_MOST = 6,    /* nodes of a value; more are joined in a temporary */
    CFLRI_MOST_NESTED = 3000 /* expressions inside expressions */
};

typedef struct cflri_value {
    uint32_t n;
    cflri_node at[CFLRI_VALUE_MOST];
} cflri_value;

typedef struct cflri_lvalue {
    cflri_type_class class; /* of the content, after decay of parameters */
    bool addressed;         /* nodes are pointers to the place; else they are its content */
    cflri_value nodes;
    CXType type;     /* of the content */
    uint32_t record; /* of a member at the start of its record: that; 0: no such place */
} cflri_lvalue;

/* An array that is one by its name: a variable or a member (element.c). */
typedef struct cflri_array {
    cflri_value records;     /* pointers to what it lies in: to itself, if it is a variable */
    uint32_t offset;         /* of it from there */
    uint32_t field;          /* the member that it is, or CFLRI_NO_NUMBER */
    cflri_elements elements; /* that are apart */
    cflri_value view;        /* where any of them may lie besides (view.c) */
} cflri_array;

/* Of an array of arrays the innermost ones are numbered. */
#define CFLRI_ANY_ELEMENT UINT64_MAX

typedef struct cflri_mention_key {
    cflri_node node;
    uint32_t line;
    uint32_t column;
    uint32_t name;
} cflri_mention_key;

enum { CFLRI_RECENT_MENTIONS = 64 };

/* An operator whose left operand is being evaluated (operator.c). */
typedef struct cflri_spine_entry {
    uint32_t e;
    uint8_t sources;
    bool used;
} cflri_spine_entry;

/* A record or array that is being initialised, and where in it (init.c). */
typedef struct cflri_init_frame {
    CXType type;
    cflri_value address; /* of a record */
    uint32_t record;
    bool is_record;
    bool is_union;
    bool is_range;      /* the current subobject is any element */
    cflri_array array;  /* it, or the one that it is a row of */
    uint64_t first;     /* element of that, with which it begins; or CFLRI_ANY_ELEMENT */
    cflri_value shared; /* the union around it whose members share memory (view.c), if any */
    uint64_t index;     /* the current subobject */
    uint64_t n;         /* full when index reaches it */
} cflri_init_frame;

/* An integer in memory: `e` is *p or p[i] (bytes.c). */
typedef struct cflri_access {
    uint32_t e;
    cflri_value pointers;
} cflri_access;

/* A sum, or an element whose address is taken, and what its value is made to point to in the end
 * (moved.c). */
typedef struct cflri_cast_sum {
    uint32_t e;    /* CFLRI_NO_CHILD: none */
    uint32_t cast; /* the outermost conversion of it, whose types few sums ask for */
} cflri_cast_sum;

/* A name that an attribute gave, and the function of that name, or CFLRI_NO_NUMBER. */
typedef struct cflri_cleanup {
    uint32_t name;
    uint32_t decl;
} cflri_cleanup;

/* A body whose ending is being found (ending.c). */
typedef struct cflri_called_body {
    uint32_t decl;             /* the function */
    uint32_t low;              /* the first body on the path that it can reach */
    uint32_t first, next, end; /* its callees, and the next one to be followed */
    bool asked, changed;       /* in this round; by the last one */
    bool next_changed, ends;   /* the answer of this round, until all are asked */
    cflri_shows shows;
} cflri_called_body;

/* Zero bytes are valid. */
typedef struct cflri_endings {
    CFLRI_VEC(cflri_called_body) bodies;
    CFLRI_VEC(uint32_t) callees; /* numbers of declarations */
    CFLRI_VEC(uint32_t) path;    /* numbers of bodies, as in `open` */
    CFLRI_VEC(uint32_t) open;
    cflri_tree ahead; /* of the body that was read last */
} cflri_endings;

/* The parameter that a function hands on as it was given it, a format (formats.c). */
typedef struct cflri_own_format {
    uint32_t function;  /* 0: none was asked about */
    uint32_t parameter; /* a declaration, or CFLRI_NO_NUMBER */
} cflri_own_format;

typedef struct cflri_walk {
    cflr_context *context;
    CXTranslationUnit unit;
    const cflri_summaries *summaries;
    cflri_facts *facts;
    cflri_types types;
    cflri_names names;
    cflri_tree tree;    /* the declaration that is being walked */
    CXType result_type; /* of the function that is being walked */
    uint32_t depth;
    uint32_t
        stated; /* the expression or statement that is being evaluated: its assignments are there */
    CFLRI_VEC(uint32_t) statements; /* to be walked, the next one last */
    CFLRI_VEC(cflri_spine_entry) spine;
    CFLRI_VEC(cflri_init_frame) frames;
    CFLRI_VEC(cflri_access) accesses;
    cflri_cast_sum sum; /* that is being cast */
    CFLRI_VEC(cflri_cleanup) cleanups;
    cflri_locals locals;         /* of the function that is being walked */
    cflri_own_format own_format; /* of the one that was asked about last */
    cflri_versions versions;     /* of them */
    cflri_stores stores;         /* of the function in the tree */
    cflri_tested tested;         /* of the same function, or of one that is looked at for it */
    cflri_endings endings;       /* of the function in the tree and those that it calls */
    CFLRI_VEC(CXCursor) pending; /* functions of system headers that are used */
    cflri_cursors queued;        /* they, to be queued once */
    cflri_mention_key recent[CFLRI_RECENT_MENTIONS]; /* not to mention a thing twice at a place */
} cflri_walk;

/* ---- expr.c ---- */
cflri_value cflri_expr_value(cflri_walk *w, uint32_t e);
cflri_lvalue cflri_expr_place(cflri_walk *w, uint32_t e);
void cflri_expr_effects(cflri_walk *w, uint32_t e);
/* Effects of all children. */
void cflri_expr_effects_within(cflri_walk *w, uint32_t e);
/* The same where `e` goes through a pointer to something that holds none: the pointer is
 * mentioned. */
void cflri_expr_looked_through(cflri_walk *w, uint32_t e);
/* With data flow: a number of any width? Its uses are mentioned, as those of pointers are. */
bool cflri_is_number(const cflri_walk *w, cflri_type_class class);
/* Class of the value: arrays and functions decay to pointers. */
cflri_type_class cflri_expr_class(cflri_walk *w, uint32_t e);
CXType cflri_expr_type(const cflri_walk *w, uint32_t e);
/* The same, plain (types.h). */
CXType cflri_expr_plain(const cflri_walk *w, uint32_t e);
/* The type that a pointer points to, or an array consists of, down to the element; no type for all
 * else. */
CXType cflri_expr_pointee(const cflri_walk *w, uint32_t e);
/* Without parentheses, conversions and casts. */
uint32_t cflri_expr_bare(const cflri_walk *w, uint32_t e);
/* Is it &x? */
bool cflri_expr_takes_address(const cflri_walk *w, uint32_t e);
/* Without parentheses. */
uint32_t cflri_expr_unwrapped(const cflri_walk *w, uint32_t e);
/* The declaration that a name goes to, or CFLRI_NO_NUMBER. */
uint32_t cflri_referenced_decl(cflri_walk *w, uint32_t e);
/* An integer constant; false when it is none. */
bool cflri_expr_constant(const cflri_walk *w, uint32_t e, long long *value);

/* ---- one family each ---- */
/* Is it `a ?: b`? Its children are a, three times, and b. */
bool cflri_is_elvis(const cflri_walk *w, uint32_t e);
/* The value of `first`, but for null. */
cflri_value cflri_not_null(cflri_walk *w, uint32_t first, const cflri_value *value);
cflri_value cflri_unnamed_value(cflri_walk *w, uint32_t e);
void cflri_unnamed_effects(cflri_walk *w, uint32_t e);
/* The operand of an implicit conversion; CFLRI_NO_CHILD when `e` is none. */
uint32_t cflri_unnamed_converted(cflri_walk *w, uint32_t e);
cflri_value cflri_unary_value(cflri_walk *w, uint32_t e);
/* `taken`, here and below: the address of the place is wanted, not its content. */
cflri_lvalue cflri_deref_place(cflri_walk *w, uint32_t e, bool taken);
/* The place whose address is taken: what leads there is not followed to its end. */
cflri_lvalue cflri_taken_place(cflri_walk *w, uint32_t e);
/* __real e, __imag e: where one lies; as numbers the two are one. */
cflri_lvalue cflri_complex_part(cflri_walk *w, uint32_t e, bool taken);
cflri_value cflri_binary_value(cflri_walk *w, uint32_t e, bool used);
/* The names of a null constant that is there only where an argument of the function is null as
 * well, of one where it is a size of 0, of one where what a call has given was null, and of one in
 * a macro of the library that chooses. */
#define CFLRI_NULL_OF_ARGUMENT "NULL for a null argument"
#define CFLRI_NULL_OF_SIZE "NULL for a size of 0"
#define CFLRI_NULL_OF_FAILURE "NULL behind a call that failed"
#define CFLRI_NULL_OF_LIBRARY "NULL in a macro of the library"
cflri_value cflri_conditional_value(cflri_walk *w, uint32_t e, bool used);
cflri_lvalue cflri_member_place(cflri_walk *w, uint32_t e, bool taken);
/* The array that `e`, a member, is. */
cflri_array cflri_member_array(cflri_walk *w, uint32_t e, uint32_t field, bool taken);
/* The field that a reference to a member goes to; CFLRI_NO_NUMBER in erroneous code. */
uint32_t cflri_member_field(cflri_walk *w, uint32_t e);
cflri_value cflri_member_value(cflri_walk *w, uint32_t e);
/* A conversion of the value of `operand` to the type of `e`. */
cflri_value cflri_cast_value(cflri_walk *w, uint32_t e, uint32_t operand);
/* The same when the value is not used, or cannot be kept. */
void cflri_cast_effects(cflri_walk *w, uint32_t e, uint32_t operand);
cflri_value cflri_null_value(cflri_walk *w, uint32_t e);
/* These pointers hide that there may be pointers where they lead; `stripped`: there were seen to be
 * (untyped.c). */
void cflri_hides(cflri_walk *w, const cflri_value *value, bool stripped);
cflri_lvalue cflri_string_place(cflri_walk *w, uint32_t e);
cflri_lvalue cflri_compound_literal_place(cflri_walk *w, uint32_t e);
cflri_value cflri_call_value(cflri_walk *w, uint32_t e, bool used);
/* The address of a function is used as a value. */
cflri_value cflri_function_value(cflri_walk *w, uint32_t decl);
void cflri_asm_stmt(cflri_walk *w, uint32_t statement);
/* Perhaps to a label of the function. */
bool cflri_asm_may_jump(cflri_walk *w, uint32_t statement);

/* ---- element.c ---- */
/* The array of that type that lies `offset` beyond these pointers, as that field or as a
 * variable. */
cflri_array cflri_array_at(cflri_walk *w, const cflri_value *records, uint32_t offset,
                           uint32_t field, CXType type);
/* The address of an element, or of any of them; `e` is where it is asked for. */
cflri_value cflri_element_address(cflri_walk *w, uint32_t e, const cflri_array *array,
                                  uint64_t index);
/* The place of a variable that is an array, as a pointer to any of its elements. */
void cflri_show_elements(cflri_walk *w, uint32_t e, cflri_lvalue *place);
cflri_lvalue cflri_subscript_place(cflri_walk *w, uint32_t e, bool taken);
/* The address of the record that `e` is, where a step from it is taken: of any element. */
cflri_value cflri_subscript_taken(cflri_walk *w, uint32_t e);
cflri_value cflri_subscript_value(cflri_walk *w, uint32_t e);

/* ---- check.c ---- */
/* Are calls of this function (its number in the names) checks? */
bool cflri_is_check(const cflri_walk *w, uint32_t decl);
/* A call of such a function: it has no value. */
cflri_value cflri_check_value(cflri_walk *w, uint32_t call, uint32_t decl);

/* ---- container.c ---- */
/* The offset of a member, perhaps with a sign. */
bool cflri_is_offsetof(cflri_walk *w, uint32_t e);
/* Is this `-x`? */
bool cflri_is_minus(const cflri_walk *w, uint32_t e);
/* A pointer plus, or minus (`subtracted`), the offset of a member. */
cflri_value cflri_offset_moved(cflri_walk *w, const cflri_value *pointer, uint32_t offset,
                               bool subtracted);
/* The first child of an unnamed expression that names a member: offsetof does, after the expression
 * in its typeof, and so does a designated item, after its indices. CFLRI_NO_CHILD: none does. */
uint32_t cflri_named_member(const cflri_walk *w, uint32_t e);

/* ---- moved.c ---- */
/* The value of `e`, a sum: these pointers moved by the number `amount`, back if `subtracted`. */
cflri_value cflri_moved_value(cflri_walk *w, uint32_t e, const cflri_value *pointers,
                              uint32_t amount, bool subtracted);
/* The same by -1, --p. */
cflri_value cflri_moved_back(cflri_walk *w, uint32_t e, const cflri_value *pointers);
/* The same for `e`, which leaves out the low bits of these pointers, as integers, that `mask` has
 * not. */
cflri_value cflri_masked_value(cflri_walk *w, uint32_t e, const cflri_value *pointers,
                               uint32_t mask);

/* ---- builtin.c ---- */
/* True, with its value, when the function is one of those that are no calls. */
bool cflri_builtin_value(cflri_walk *w, const char *name, uint32_t e, bool used,
                         cflri_value *value);
/* The value of va_arg, whose operand is `list`. */
cflri_value cflri_va_arg_value(cflri_walk *w, uint32_t e, uint32_t list);

/* ---- follow.c ---- */
/* `e` goes to what these point to. */
void cflri_followed(cflri_walk *w, uint32_t e, const cflri_value *pointers);

/* ---- assign.c ---- */
/* How flows are tagged; cflri_plain_flow for an ordinary assignment. */
typedef struct cflri_tag {
    uint32_t call;
    cflri_flow flow;
    bool data;     /* into what cannot hold a pointer */
    bool in_place; /* a place changes: what it holds comes from itself */
    bool summary;
    bool letters; /* cflri_assign */
} cflri_tag;
extern const cflri_tag cflri_plain_flow;
/* The same for what cannot hold a pointer. */
cflri_tag cflri_data_flow(const cflri_tag *tag);

/* One value into one content node, as a null where it is one. */
void cflri_flow_value(cflri_walk *w, const cflri_tag *tag, const cflri_value *from, cflri_node to);
/* A value into a place, field by field when it is a record or array. */
void cflri_flow_into(cflri_walk *w, const cflri_tag *tag, const cflri_value *from,
                     const cflri_lvalue *to);
/* Copies what `from` points to into what `to` points to; both of type `type`. */
void cflri_copy_content(cflri_walk *w, const cflri_tag *tag, const cflri_value *from,
                        const cflri_value *to, CXType type);

/* All of `others` into each pointer of the records, of type `type`, that these point to; or the
 * other way round. */
void cflri_flow_leaves(cflri_walk *w, const cflri_tag *tag, const cflri_value *others,
                       const cflri_value *records, CXType type, bool in);

/* ---- bytes.c ---- */
/* The pointer of `e` was evaluated: to be remembered if `e` is a number. */
void cflri_bytes_accessed(cflri_walk *w, uint32_t e, const cflri_value *pointers);
/* Both sides of an assignment are evaluated; their accesses are those from `base` on. */
void cflri_bytes_moved(cflri_walk *w, size_t base, uint32_t left, uint32_t right);
/* The same for a variable (its number in the names) and its initialiser. */
void cflri_bytes_initialise(cflri_walk *w, size_t base, uint32_t number, uint32_t right);
/* Memory is copied, where the walk is, whose type tells of no pointers. */
void cflri_bytes_copied(cflri_walk *w, const cflri_value *from, const cflri_value *to);

/* ---- view.c ---- */
/* A root that the pointers flow to; its content is what they point to at any offset (facts.h:
 * smeared). `piecewise`: of a copy that may turn out to be of text (pieces.c). */
cflri_node cflri_smeared(cflri_walk *w, uint32_t e, const char *name, const cflri_tag *tag,
                         const cflri_value *pointers, bool piecewise);
/* A pointer to anywhere in what `whole` points to: elements of an array, where a record lies in the
 * same memory. None without fields. */
cflri_value cflri_view_anywhere(cflri_walk *w, uint32_t e, const cflri_value *whole);
/* The same as well as `elements`, if there are any. */
cflri_value cflri_view_elements(cflri_walk *w, uint32_t e, const cflri_value *elements,
                                const cflri_value *whole);
/* Do members of this record (its number in the types) share memory? */
bool cflri_view_shares(cflri_walk *w, uint32_t record);
/* Where else than at `address` the elements of the array may lie that `e`, a member, is. */
cflri_value cflri_view_member(cflri_walk *w, uint32_t e, const cflri_field *field,
                              const cflri_value *address);
/* `h + 1`, `1 + h`, `&h[1]`: how far behind h, in bytes; 0 for anything else. */
uint32_t cflri_view_behind(cflri_walk *w, uint32_t e);
/* The value of `bare`, a pointer, that is cast to the type of `e`. */
cflri_value cflri_view_cast(cflri_walk *w, uint32_t e, uint32_t bare, const cflri_value *value);

/* The same where the type hides what it points to. */
cflri_value cflri_view_hidden(cflri_walk *w, uint32_t e, uint32_t bare, const cflri_value *value);

/* ---- init.c ---- */
void cflri_init_place(cflri_walk *w, const cflri_lvalue *place, uint32_t initialiser);

/* ---- stmt.c ---- */
void cflri_stmt(cflri_walk *w, uint32_t statement);
/* A compound statement whose last expression is its value. */
cflri_value cflri_stmt_value(cflri_walk *w, uint32_t compound, bool used);
/* The part of a declaration that initialises, or CFLRI_NO_CHILD: the other expressions are sizes of
 * arrays. */
uint32_t cflri_initialiser_of(const cflri_walk *w, uint32_t declaration);
/* A variable's declaration with its initialiser. */
void cflri_variable(cflri_walk *w, uint32_t declaration);

/* ---- lost.c ---- */
/* The value of `e` where it is not followed: anything. Noted; the cause follows "a value is not
 * followed:". */
cflri_value cflri_lost_value(cflri_walk *w, uint32_t e, const char *cause);
/* The same without a note: for what flows into it, if that is a pointer. */
cflri_node cflri_lost_at(cflri_walk *w, uint32_t e, const char *cause);
/* Code there is not read. Noted. */
void cflri_unread(cflri_walk *w, CXCursor at, const char *cause);

/* ---- attribute.c ---- */
/* States what the attributes of a variable's declaration ask for; `number` is the variable's. */
void cflri_attributes(cflri_walk *w, uint32_t declaration, uint32_t number);
/* A declaration as clang prints it, with its attributes, to be disposed of. */
CXString cflri_attributes_text(CXCursor declaration);
/* ---- formats.c ---- */

/* Which argument of the function an attribute says to be a format, plus 1; 0: none, or no rule
 * asks. */
uint32_t cflri_format_argument(cflri_walk *w, uint32_t decl);
/* Which argument of a call, of those from `first` on, is the format that the function which is
 * walked was given, plus 1; 0: none. */
uint32_t cflri_format_passed(cflri_walk *w, uint32_t first);

/* Do attributes of the function say that something other than a call enters it: the system at the
 * beginning or the end, or what finds it by its name or its section? */
bool cflri_is_invoked(CXCursor function);
enum { CFLRI_ATTRIBUTE_SIZE = 512 }; /* of an argument; one that is longer is not read */
/* Has that text an attribute `word(argument)`? Quotes are left out. */
bool cflri_attribute_in(const char *text, const char *word, char argument[CFLRI_ATTRIBUTE_SIZE]);

/* ---- alias.c ---- */
/* Finds the names that are second names, before anything is walked. */
void cflri_aliases_find(cflri_walk *w);

/* ---- members.c ---- */
/* The type of the named record that members of this one count as members of: a string of the
 * facts. */
uint32_t cflri_record_text(cflri_walk *w, uint32_t record);
/* This address was made for that field; nothing where it is that of an element, or of the
 * record. */
void cflri_tell_member(cflri_walk *w, uint32_t field, cflri_node address);
/* Tells the members of all records, when the unit is walked. */
void cflri_members_note(cflri_walk *w);

/* The result of the resolver of this alias, called here. */
cflri_value cflri_chosen_value(cflri_walk *w, const cflri_alias *alias);

/* ---- walk.c ---- */
/* Memory was refused: the facts' status says so from now on. */
void cflri_walk_refuse(cflri_walk *w);
/* Is the declaration in a header of the system? */
bool cflri_in_system_header(CXCursor cursor);
/* A function is used: if it has a body that was put off, it will be walked. */
void cflri_function_used(cflri_walk *w, uint32_t decl);
/* Has the unit a body for this function, that no summary overrides? */
bool cflri_has_own_body(cflri_walk *w, uint32_t decl);

/* ---- locals.c ---- */
/* A parameter of the function that is going to be walked; `decl` is its number in the names. */
void cflri_local_parameter(cflri_walk *w, uint32_t decl);
/* Finds the locals of the function in w->tree that are to be split; is there any? */
bool cflri_locals_find(cflri_walk *w);
/* The split local that a name or declaration in the tree is, or CFLRI_NO_LOCAL. */
uint32_t cflri_local_at(cflri_walk *w, uint32_t e);
/* The name of the split number that a compound assignment changes, or CFLRI_NO_CHILD. Its new value
 * is at `e`. */
uint32_t cflri_local_changed(cflri_walk *w, uint32_t e);
/* Is this code that does not run where the source shows it: a block, a construct of OpenMP? */
bool cflri_runs_beside(enum CXCursorKind kind);
/* At the end of the function: none is split any more. */
void cflri_locals_forget(cflri_walk *w);

/* Is a declaration a number or pointer of a function, neither static nor volatile? */
bool cflri_local_is_scalar(cflri_walk *w, uint32_t number);

/* ---- access_path.c ---- */
/* Looks which variables of the function in w->tree are apart; false when it is not run in order. */
bool cflri_paths_begin(cflri_walk *w);
/* The path that an expression or declaration is; false: none. */
bool cflri_path_of(cflri_walk *w, uint32_t e, cflri_path *path);
bool cflri_path_begins(const cflri_path *whole, const cflri_path *start);
/* Does it look through a text, of which any number may be a part? */
bool cflri_path_is_of_text(const cflri_path *path);
/* The effect of a write to `e`; `moves`: by ++, += and the like. */
cflri_change cflri_change_by(cflri_walk *w, uint32_t e, bool moves);
/* May what the path names become another, or become null? */
bool cflri_path_is_changed(const cflri_path *path, const cflri_change *change);

/* ---- shown.c ---- */
/* Adds to the list what holds where a condition has the outcome `yes`. */
void cflri_outcome_shows(cflri_walk *w, uint32_t e, bool yes, cflri_shown_list *list);
/* The same behind a call, whatever it returns. */
void cflri_call_shows(cflri_walk *w, uint32_t call, cflri_shown_list *list);
/* The pointer that `e` is made of by conversions, sums and steps to members: `p` of &p[2], p +
 * 1, &p->m; or CFLRI_NO_CHILD. */
uint32_t cflri_pointer_made_of(cflri_walk *w, uint32_t e);
/* Is `e` the address of something that is there? */
bool cflri_is_address(cflri_walk *w, uint32_t e);

/* ---- tested.c ---- */
/* Marks the reads in w->tree that tests have shown not to be null; control is made. */
void cflri_tested_find(cflri_walk *w);
/* Finds what the function in w->tree shows of its arguments; control is made. */
cflri_shows cflri_tested_shows(cflri_walk *w, CXCursor function);
void cflri_tested_free(cflr_context *context, cflri_tested *tested);

/* Is the call given the address of what the path names or goes through, or a pointer that it goes
 * through? */
bool cflri_call_is_given(cflri_walk *w, uint32_t call, const cflri_path *path);

/* ---- stores.c ---- */
/* Marks the writes in w->tree whose places are tested at once; control is made. */
void cflri_stores_find(cflri_walk *w);
/* The value that is written to a place, and the one that is read: told apart where it is tested at
 * once. */
cflri_value cflri_stored_value(cflri_walk *w, uint32_t place, const cflri_value *value);
cflri_value cflri_seen_value(cflri_walk *w, uint32_t e, const cflri_value *value);
void cflri_stores_free(cflr_context *context, cflri_stores *stores);

/* ---- control.c ---- */
/* Makes w->versions.control for a function body, and marks the null constants of w->tree with their
 * blocks. */
void cflri_control_make(cflri_walk *w, uint32_t body);
/* Takes these marks away, before the blocks are gone that they name. */
void cflri_control_unmark(cflri_walk *w);
void cflri_control_free(cflr_context *context, cflri_control *control);
/* On which ways a null constant of this block is reached. */
cflri_null_where cflri_null_is_where(cflri_walk *w, uint32_t block);

/* ---- for_parts.c ---- */
/* The parts of the header of a `for`, CFLRI_NO_CHILD for one that is missing; false when that is
 * not known. */
bool cflri_for_parts(const cflri_walk *w, uint32_t e, uint32_t parts[3]);

/* ---- versions.c ---- */
/* Around the walk of a function's body. */
void cflri_versions_begin(cflri_walk *w, uint32_t body);
void cflri_versions_end(cflri_walk *w);
/* The content of a variable or parameter (`decl` in the names) at `e`, where it is named or
 * declared. */
cflri_node cflri_version_content(cflri_walk *w, uint32_t e, uint32_t decl);
/* Is what is read at the name `e` known not to be null? */
bool cflri_version_is_tested(cflri_walk *w, uint32_t e);
/* The version that a version turned out to be. */
uint32_t cflri_version_found(cflri_versions *versions, uint32_t version);
void cflri_versions_free(cflr_context *context, cflri_versions *versions);

/* ---- guards.c ---- */
/* The value of a name that is read, told apart where a condition may go with it. */
cflri_value cflri_guarded_value(cflri_walk *w, uint32_t e, const cflri_value *value);
void cflri_guards_free(cflr_context *context, cflri_guards *guards);

/* ---- value.c ---- */
cflri_value cflri_no_value(void);
cflri_value cflri_one_value(cflri_node node); /* none for CFLRI_NO_NODE */
/* Both; `e` gives the place of the temporary that too many are joined in. */
cflri_value cflri_join(cflri_walk *w, uint32_t e, const cflri_value *a, const cflri_value *b);
/* At most one node: several are joined in a temporary. */
cflri_value cflri_single(cflri_walk *w, uint32_t e, const cflri_value *value);
cflri_value cflri_field_of(cflri_walk *w, const cflri_value *pointers, int32_t offset);
cflri_value cflri_content_of(cflri_walk *w, const cflri_value *pointers, cflri_carrier carrier);
/* From pointers to members to those that they were taken from, at most `most` steps back. */
cflri_value cflri_before_steps(const cflri_walk *w, const cflri_value *pointers, uint32_t most);
cflri_value cflri_place_address(cflri_walk *w, const cflri_lvalue *place);
cflri_value cflri_place_content(cflri_walk *w, const cflri_lvalue *place);
/* Value of an lvalue that is read: content, or the address of what decays or is a record. */
cflri_value cflri_place_value(cflri_walk *w, const cflri_lvalue *place);
/* A temporary for the value of `e`, named by its text. */
cflri_node cflri_temporary(cflri_walk *w, uint32_t e, const char *what, cflri_carrier carrier);
bool cflri_is_null(const cflri_walk *w, cflri_node node);

/* ---- spell.c ---- */
enum { CFLRI_SPELLING_SIZE = 128 };
/* The text of an expression without casts and needless parentheses, cut off with "..." where it is
 * long. Always terminated. */
void cflri_spell(cflri_walk *w, uint32_t e, char buffer[CFLRI_SPELLING_SIZE]);
/* Says that `e` is written here and means these nodes, and names those that have no name yet. */
void cflri_mention(cflri_walk *w, uint32_t e, const cflri_value *value);
/* The same of the value of a place that is read; without data flow integers are only named. */
void cflri_mention_access(cflri_walk *w, uint32_t e, const cflri_lvalue *place,
                          const cflri_value *value);
/* Says where `e` begins, for nodes that several expressions share: such a node has the place of one
 * of them. */
void cflri_mention_begin(cflri_walk *w, uint32_t e, const cflri_value *value);
/* Names nodes that have no name yet: `prefix` and the text of `e`. */
void cflri_describe(cflri_walk *w, uint32_t e, const char *prefix, const cflri_value *value);

/* Names the address of a field, or of an element in it, which no expression spells, after the
 * record that it is in. */
void cflri_describe_field(cflri_walk *w, cflri_node record, uint32_t field, cflri_node address);
/* The same for an element but the first of the array, which is a field or a variable. */
void cflri_describe_element(cflri_walk *w, const cflri_array *array, cflri_node record,
                            cflri_node address);

/* ---- notes ---- */
void cflri_assumed(cflri_walk *w, uint32_t e, const char *text);

/* Walks a parsed unit. Every function body, initialiser and declaration of the main file and its
 * headers becomes facts. Depth of the source is bounded by the walker, not by the stack. */
cflr_status cflri_walk_unit(CXTranslationUnit unit, const cflri_summaries *summaries,
                            cflri_facts *facts, cflr_error *error);

#endif
