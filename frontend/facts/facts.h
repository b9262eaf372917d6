/* SPDX-License-Identifier: Apache-2.0
 *
 * facts.h: what one translation unit says about values, in a form that links.
 *
 * A node stands for a value or for the content of a place. Nodes are either roots, which are named
 * (a variable, a function, an allocation site), or derived from another node by one step:
 *
 *     x             variable       content of x
 *     &x            address(x)     pointer to x                     x  --alloc-->  &x  --d-->  x
 *     *p            deref(p)       content of what p points to      p  --d-->  *p
 *     &p->m         field(p, n)    pointer, n bytes further         p  --f[n]-->  &p->m
 *     p - n         field(p, -n)   pointer, n bytes before          p  --b[n]-->  p - n
 *     slot k of f   slot(f, k)     pointer to parameter k, result   f  --s[k]-->  slot
 *
 * Derived nodes are shared: the same step from the same node is the same node, so `p->m` is one
 * node wherever it is written. Three identities keep the graph small, and are exact:
 * deref(address(x)) = x, address(deref(p)) = p, field(p, 0) = p. A parameter is the content of its
 * function's slot: deref(slot(address(f), k)) = parameter(f, k).
 *
 * The only explicit facts are assignments (a value flows from node to node). All other edges follow
 * from the derived nodes. Roots carry a key that is equal in two units exactly when they are the
 * same thing: the external name, or the place (file, offset) of the declaration or site. So linking
 * is: merge roots by key, redo the steps, merge the assignments; a header's inline function that
 * fifty units contain becomes one.
 *
 * A unit cannot know whether a callee without a body has one elsewhere. So a call to it states both
 * readings, and linking keeps one: arguments and result tagged with the call (the body is found),
 * and the effects of its summary tagged `summary` (it is not). With neither body nor summary the
 * arguments meet in one UNKNOWN node of that function.
 *
 * An UNKNOWN node has an edge to itself under every label: what flows into it is held, reached and
 * returned by it in every way. A smeared one has loops of f[n] only: with p flowing into it, its
 * deref is the content of *p at any offset, which is how memory of unknown type is copied.
 *
 * A LOST node is the same for a value that is not followed (lost.c).
 *
 * A pointer that is moved by a number, and not by offsetof, flows into a root of its own that is
 * marked so (moves.c).
 *
 * Not thread-safe: each unit has its own facts.
 */
#ifndef CFLRI_FACTS_H
#define CFLRI_FACTS_H

#include "base/intern.h"
#include "base/vec.h"
#include "cflr/extract.h"
#include "frontend/facts/buffer.h"
#include "frontend/facts/choices.h"

/* Arguments from this number on are distinguished only where the call and the function agree on
 * which of them are variadic. The C standard asks compilers for 127. */
enum { CFLRI_NUMBERED_ARGUMENTS = 128 };

typedef uint32_t cflri_node;
#define CFLRI_NO_NODE UINT32_MAX
#define CFLRI_ANY_RECORD "?"
#define CFLRI_BASE_RECORD "*"  /* of whatever type its base is of: a step of a summary */
#define CFLRI_NEXT_RECORD '\n' /* between the names of several */

/* The kind of value that a node holds decides which flows are kept (link.c). */
typedef enum cflri_carrier {
    CFLRI_CARRIES_POINTER, /* a pointer, or a record or array that is not split further */
    CFLRI_CARRIES_INTEGER, /* an integer as wide as a pointer: kept only where a pointer may pass */
    CFLRI_CARRIES_NUMBER,  /* any other number: with data flow only */
    CFLRI_CARRIES_OBJECT,  /* a place without a value of its own: a record, an array, a function */
} cflri_carrier;

/* Where and what, for reports. Strings are ids of the facts' table; 0 is "". */
typedef struct cflri_place {
    uint32_t file; /* absolute, normalised path */
    uint32_t line;
    uint32_t column;
    uint32_t offset; /* bytes from the start of the file: part of keys */
} cflri_place;

/* How a node came to be. A parameter or result is a DEREF of its function's slot. */
typedef enum cflri_how {
    CFLRI_ROOT,
    CFLRI_ADDRESS,
    CFLRI_DEREF,
    CFLRI_FIELD,
    CFLRI_SLOT,
} cflri_how;

typedef struct cflri_node_record {
    cflri_node base; /* derived nodes: what the step is taken from */
    uint32_t step; /* FIELD, moved root: bytes, an int32_t; SLOT: see below; FUNCTION: its number */
    uint32_t key;  /* roots: string id of the link key; FIELD, DEREF: the record's type, where the
                      source names a member; of several, their types */
    uint32_t function; /* facts' function that owns it (0: none, file scope); derived: the base's */
    uint32_t name;     /* spelling: the first one met */
    uint32_t type;     /* canonical C type of the content */
    cflri_place place;
    cflr_vertex_kind kind : 8; /* a slot's is ADDRESS */
    cflri_carrier carrier : 8;
    cflri_how how : 8; /* set by the makers; the record given to cflri_facts_root need not */
    bool single : 1;   /* roots inside a function: one for all contexts of it (a static variable) */
    bool smeared : 1;  /* UNKNOWN roots: only their members are unknown: each is the root itself */
    bool piecewise : 1; /* smeared roots: of a copy in pieces (bytes.c, pieces.c) */
    bool sure : 1; /* piecewise roots: that copies text, unless its memory was seen to be a record;
                           other values: pointers are copied from or to what it points to */
    bool anything : 1; /* roots of copies: the source says that it is memory of any type (call.c) */
    bool untyped : 1;  /* a value: memory that may hold pointers, seen through one that hides it */
    bool stripped : 1; /* untyped values: of a record, or of what was seen to hold pointers */
    bool foreign : 1;  /* variables: unknown if no unit defines it (close.c) */
    bool moved : 1;    /* roots: of pointers that are moved by a number (moves.c), `step` bytes */
    bool far : 1;      /* moved roots: distance unknown, `step` is the direction */
    bool strided : 1;  /* moved roots: of pointers to records */
    bool unread : 1;   /* LOST roots: of code that is not read, from which nothing flows (lost.c) */
    bool widened : 1;  /* roots: of integers that are made of narrower ones (integers.c) */
    bool exported : 1; /* variables: external linkage, and no unit says that it is hidden */
    bool defined : 1;  /* roots: `place` is a definition's; set by cflri_facts_root */
    bool external : 1; /* variables: the key is the linker's name, see scope.h */
} cflri_node_record;

/* Slots other than parameters 0, 1, 2, ..., of which a compiler takes 65,535. */
#define CFLRI_SLOT_RETURN 0x1ffffu  /* "ret": the result */
#define CFLRI_SLOT_VARARGS 0x1fffeu /* "...": all variable arguments together */

/* The step of a SLOT is the slot and, where a call goes through the value, the signature that the
 * value is called by. A signature is a number in facts->signatures (signature.h). */
#define CFLRI_SLOT_BITS 17
#define CFLRI_ANY_SIGNATURE 0u        /* enters any function, is entered by any call */
#define CFLRI_NO_SIGNATURE UINT32_MAX /* of a function: not known yet */
#define CFLRI_ANY_SIGNATURE_TEXT "*"

static inline uint32_t cflri_step_slot(uint32_t step) {
    return step & ((1u << CFLRI_SLOT_BITS) - 1);
}

static inline uint32_t cflri_step_signature(uint32_t step) {
    return step >> CFLRI_SLOT_BITS;
}

/* A function that the unit defines, declares or calls. Number 0 is reserved for file scope. */
typedef struct cflri_function {
    uint32_t key;       /* as for roots */
    uint32_t name;      /* spelling */
    uint32_t prototype; /* as declared, where the unit has no body; else 0 */
    cflri_node object;  /* the function as an object; address(object) is its value */
    bool defined;       /* has a body in this unit */
    bool variadic;
    bool external; /* external linkage */
    bool hidden;   /* but not seen from outside of its library */
    bool ends;     /* has a body that never returns; with data flow, of external linkage */
    bool exported; /* seen from outside by another name; in a program */
    bool stated;   /* its summary, on its own parameters, by another summary; in this unit */
    bool invoked;  /* not by calls alone: its address is a value, or its attributes say so */
    /* Of a body, with data flow, of external linkage: a bit for each argument that is not null
     * where the result is 0, and where it is not (tested.c). */
    uint32_t shows[2];
    uint32_t n_parameters;
    uint32_t signature;
    cflri_place place;
} cflri_function;

/* A call: the edges that carry its arguments and result name it, so that cloning can redirect them
 * and brackets can be numbered. */
typedef struct cflri_call {
    uint32_t caller; /* function, 0 at file scope */
    uint32_t callee; /* function; 0 for a call through a value */
    cflri_place place;
} cflri_call;

typedef enum cflri_flow {
    CFLRI_FLOW_ASSIGN,   /* a */
    CFLRI_FLOW_ARGUMENT, /* a, or call[i] with brackets */
    CFLRI_FLOW_RESULT,   /* a, or ret[i] with brackets */
    CFLRI_FLOW_NULL,     /* null: from a NULL_VALUE node */
    CFLRI_FLOW_NONNULL,  /* nonnull: a test has shown that the value is not null */
} cflri_flow;

/* With --aliasing text: a copy of characters, which holds no pointers. */
typedef enum cflri_text {
    CFLRI_TEXT_NONE,
    CFLRI_TEXT_BETWEEN, /* from what `from` points to, to what `to` points to */
    CFLRI_TEXT_HELD,    /* what `from` points to holds `to`, or the reverse */
} cflri_text;

/* What an assignment from a rule's source, or to its sink, means. */
typedef enum cflri_marked {
    CFLRI_MARKED_PLAIN,
    CFLRI_MARKED_BYTES, /* of a source: all bytes that `to` points to come from there */
    CFLRI_MARKED_CLEAN, /* of a source, which is none: `to` holds nothing of what was given */
    CFLRI_MARKED_IF,    /* of a sink: it counts if `from` may name a program of the rule */
    /* Of a sink: what its function was given as a format, as its declaration says, and so its
     * callers are asked: it counts where there may be others than calls by name. */
    CFLRI_MARKED_PASSED_ON,
} cflri_marked;

typedef struct cflri_assign {
    cflri_node from;
    cflri_node to;
    uint32_t call; /* of ARGUMENT and RESULT of a direct call, of summary facts, with `returns` and
                 with `unless`; else NO_CALL */
    cflri_flow flow : 8;
    bool data : 1;    /* an end can hold no pointer: the label is data, but for call[i], ret[i] */
    bool summary : 1; /* holds only if no body of the callee is in the program (close.c) */
    /* ASSIGN with a call (close.c): holds only if the callee may return to the caller, */
    bool returns : 1;
    /* or unless the callee shows that an argument is not null. */
    bool unless : 1;
    bool outcome : 1;        /* with `unless`: where its result is other than 0 */
    uint8_t argument : 5;    /* with `unless` */
    cflri_marked marked : 3; /* of a rule's source or sink: what it says beside that */
    bool letters : 1;        /* a copy to or from characters (made.h) */
    cflri_text text : 2;     /* set when the program is closed */
    uint32_t place;          /* where it is stated, in facts.places; 0: not kept */
} cflri_assign;
#define CFLRI_NO_CALL UINT32_MAX

typedef struct cflri_facts_mention {
    cflri_node node;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t name;
} cflri_facts_mention;

/* Something that was approximated or not understood: counted by text, with its first place. */
typedef struct cflri_facts_note {
    cflr_note_kind kind;
    uint32_t text;
    uint64_t count;
    cflri_place first;
} cflri_facts_note;

/* A check (check.c). The two roots that its arguments flow into are its own, and so tell it from
 * all other checks, in all units. */
typedef struct cflri_facts_check {
    cflr_check_kind kind;
    uint32_t function; /* that contains the call */
    uint32_t callee;   /* strings */
    uint32_t expression[2];
    uint32_t problem; /* why it cannot be asked; 0: it can */
    cflri_place place;
    cflri_node node[2];
} cflri_facts_check;

typedef enum cflri_link_kind {
    CFLRI_LINK_ALIAS,   /* its name is another one of the node */
    CFLRI_LINK_SECTION, /* the node, a variable, lies in the section of that name */
} cflri_link_kind;

/* A name that means something to a linker: a second name of a root, or the section that it is in.
 */
typedef struct cflri_facts_link {
    cflri_link_kind kind;
    uint32_t name;
    cflri_node node;
    cflri_node alias; /* the root that has the name for its key; CFLRI_NO_NODE: of a section */
} cflri_facts_link;

/* A value that a call goes through; a call has one for each of its values, and none for a mere
 * number. A direct call has one for each value that a summary of its callee calls. */
typedef struct cflri_called {
    uint32_t call;
    cflri_node value; /* CFLRI_NO_NODE: there is none */
    uint32_t name;    /* as the called expression is spelled; 0 of a direct call */
    uint32_t signature;
} cflri_called;

/* The program turns a pointer to functions of one signature directly into one of another, or (ANY)
 * into what is none to functions. */
typedef struct cflri_turned {
    uint32_t from, to;
} cflri_turned;

/* Nodes that are derived from a node by a step that has no number; CFLRI_NO_NODE until made. */
typedef struct cflri_ways {
    cflri_node address;
    cflri_node content;
} cflri_ways;

/* A member of a record (members.c). Strings: canonical types. */
typedef struct cflri_facts_member {
    uint32_t record;
    uint32_t offset; /* bytes */
    uint32_t type;
} cflri_facts_member;

typedef struct cflri_facts {
    cflr_context *context;
    cflri_choices chosen; /* fields by cflri_facts_init, the others are defaults, unless set */
    const struct cflri_check_names *check_names; /* whose calls are checks; NULL: none. Not owned */
    cflri_strings strings;
    CFLRI_VEC(cflri_node_record) nodes;
    CFLRI_VEC(cflri_function) functions; /* [0] is file scope */
    CFLRI_VEC(cflri_call) calls;
    CFLRI_VEC(cflri_assign) assigns; /* duplicates possible */
    bool keeps_places;               /* of assignments; false unless set after cflri_facts_init */
    CFLRI_VEC(cflri_place) places;   /* [0] stands for none */
    CFLRI_VEC(cflri_facts_mention) mentions;
    CFLRI_VEC(cflri_facts_note) notes;
    CFLRI_VEC(cflri_facts_check) checks;
    CFLRI_VEC(cflri_facts_link) links;
    CFLRI_VEC(cflri_called) called; /* those of one call follow each other */
    CFLRI_VEC(cflri_facts_member) members;
    CFLRI_VEC(uint32_t) signatures; /* their texts; [0] is ANY */
    CFLRI_VEC(cflri_turned) turned; /* each pair once */
    CFLRI_VEC(cflri_ways) ways;     /* by node */
    cflri_buffer asked; /* names of variables that summaries and rules were asked for, each ended by
                           NUL; only while the unit is read */
    struct cflri_triples *steps; /* (FIELD or SLOT, base, step) -> node */
    struct cflri_triples *keys;  /* (what, string, detail) -> root node, function or note */
    cflr_status status; /* sticky: the first failed allocation; makers return CFLRI_NO_NODE then */
} cflri_facts;

typedef struct cflri_facts_counts {
    size_t strings, nodes, assigns, mentions;
} cflri_facts_counts;

cflr_status cflri_facts_init(cflri_facts *facts, cflr_context *context, cflr_fields fields,
                             cflr_error *error);
/* So many more are about to be made, so that tables grow once and not through all sizes. */
void cflri_facts_expect(cflri_facts *facts, const cflri_facts_counts *more);
/* No roots, steps, functions and notes will be made or looked for any more: what finds them is
 * freed. */
void cflri_facts_settle(cflri_facts *facts);
void cflri_facts_free(cflri_facts *facts);

void cflri_facts_member_add(cflri_facts *facts, const cflri_facts_member *member);

/* The FIELD or DEREF `node` was made for a member of that record, a canonical type, or of one of
 * several; with too many that tell of one node it is CFLRI_ANY_RECORD. */
void cflri_facts_tell_record(cflri_facts *facts, cflri_node node, uint32_t record);

/* Interns a string; sticky on failure (returns 0). */
uint32_t cflri_facts_string(cflri_facts *facts, const char *text);

/* The root of a value that is not followed, for this cause; `unread`: each `no` of the program is
 * reported with it. */
cflri_node_record cflri_facts_lost_record(cflri_facts *facts, const char *cause, bool unread);

/* The name of the section that a variable of this key (the linker's name) is an end of; NULL: of
 * none. */
const char *cflri_section_ended_by(const char *key);

/* The root with this key, made on first use from `record` (kind, carrier, function, name, type and
 * place are used). A later call with the same key returns the same node; a definition's place
 * replaces a mere declaration's when `definition` is true. */
cflri_node cflri_facts_root(cflri_facts *facts, const char *key, const cflri_node_record *record,
                            bool definition);
/* The same for a key that is a string of the facts already. */
cflri_node cflri_facts_root_of(cflri_facts *facts, uint32_t key, const cflri_node_record *record,
                               bool definition);

/* Steps. CFLRI_NO_NODE in gives CFLRI_NO_NODE out, so that callers need not check each step.
 * `carrier` says what the new node holds (the strongest of all makers: POINTER, OBJECT, INTEGER,
 * NUMBER); the type and spelling of its first maker stay. */
cflri_node cflri_facts_address(cflri_facts *facts, cflri_node of);
cflri_node cflri_facts_deref(cflri_facts *facts, cflri_node pointer, cflri_carrier carrier);
/* The same for a member at the start of a record, whose type the caller states next; a node that is
 * made without this call is of CFLRI_ANY_RECORD. */
cflri_node cflri_facts_deref_member(cflri_facts *facts, cflri_node pointer, cflri_carrier carrier);
/* `offset` may be negative. With CFLR_FIELDS_INSENSITIVE, or offset 0, this is `pointer` itself. */
cflri_node cflri_facts_field(cflri_facts *facts, cflri_node pointer, int32_t offset);
cflri_node cflri_facts_slot(cflri_facts *facts, cflri_node function_value, uint32_t slot);
/* The same in a call by that signature; a known function's own slot whatever the signature is. */
cflri_node cflri_facts_called_slot(cflri_facts *facts, cflri_node function_value, uint32_t slot,
                                   uint32_t signature);

/* The node that was derived in this way; CFLRI_NO_NODE when none was. */
cflri_node cflri_facts_derived(const cflri_facts *facts, cflri_how how, cflri_node base,
                               uint32_t step);

/* The number of a signature; ANY when there are too many of them. */
uint32_t cflri_facts_signature(cflri_facts *facts, const char *text);
/* A `to` that does not say is that of all types that are none of functions. Nothing where `from`
 * does not say, or is the same. */
void cflri_facts_turn(cflri_facts *facts, uint32_t from, uint32_t to);

/* The function with this key; makes its object on first use. The caller sets defined, external,
 * variadic, n_parameters, prototype, and at a definition `place`, in facts->functions (linking
 * gives the object its function's place). `place` may be NULL. Returns 0 on failure. */
uint32_t cflri_facts_function(cflri_facts *facts, const char *key, const char *name,
                              const cflri_place *place);
/* The same for strings of the facts. */
uint32_t cflri_facts_function_of(cflri_facts *facts, uint32_t key, uint32_t name,
                                 const cflri_place *place);
/* Content of parameter k (k may be CFLRI_SLOT_VARARGS) or of the result. */
cflri_node cflri_facts_parameter(cflri_facts *facts, uint32_t function, uint32_t k);
cflri_node cflri_facts_return(cflri_facts *facts, uint32_t function);

/* The root of the copy in pieces that `node` is the content of; CFLRI_NO_NODE for any other
 * node. */
cflri_node cflri_facts_copy_of(const cflri_facts *facts, cflri_node node);
/* The root of the copy in pieces that an assignment is of: the one that it copies from, or that
 * bytes from outside come to; CFLRI_NO_NODE: it is no copy. */
cflri_node cflri_facts_piece_of(const cflri_facts *facts, const cflri_assign *assign);

/* Gives a node its spelling, type (strings of the facts; 0: none), place (or NULL), when it has
 * none yet or the new place is earlier. */
void cflri_facts_describe(cflri_facts *facts, cflri_node node, uint32_t name, uint32_t type,
                          const cflri_place *place);

/* A value flows. NO_NODE at either end, or from == to, is ignored. */
void cflri_facts_assign(cflri_facts *facts, cflri_node from, cflri_node to);
void cflri_facts_flow(cflri_facts *facts, const cflri_assign *assign);

/* The number of a place of assignments; 0 when they are not kept. */
uint32_t cflri_facts_place(cflri_facts *facts, const cflri_place *place);

uint32_t cflri_facts_call(cflri_facts *facts, const cflri_call *call);

/* `name` is a string of the facts. */
void cflri_facts_mention_at(cflri_facts *facts, cflri_node node, const cflri_place *place,
                            uint32_t name);
/* `place` may be NULL. Returns the note's number in facts->notes, UINT32_MAX on failure. */
uint32_t cflri_facts_note_at(cflri_facts *facts, cflr_note_kind kind, const cflri_place *place,
                             const char *text);

void cflri_facts_check_at(cflri_facts *facts, const cflri_facts_check *check);

void cflri_facts_link_at(cflri_facts *facts, const cflri_facts_link *link);

void cflri_facts_called_at(cflri_facts *facts, const cflri_called *called);

#endif
