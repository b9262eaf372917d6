/* SPDX-License-Identifier: Apache-2.0
 *
 * link.h: units become one program.
 *
 *     cflri_program_init
 *     cflri_program_add      for each unit, in the order of the list      link.c
 *     cflri_program_close    once: what is true of the whole program      close.c
 *     cflri_contexts_make    copies of functions                          clone.h
 *     cflri_emit             vertices and edges                           emit.h
 *
 * Numbers of nodes, functions and calls are given in order of first appearance, so they depend on
 * the units and their order only.
 */
#ifndef CFLRI_LINK_H
#define CFLRI_LINK_H

#include "base/seen.h"
#include "frontend/facts/facts.h"
#include "frontend/summaries/summary.h"

struct cflri_scopes; /* scope.h */

/* Which signatures of calls enter functions of which (callees.h). */
typedef struct cflri_callees {
    size_t *start;           /* by signature of functions, and one more; NULL: types do not count */
    cflri_numbers signature; /* of calls, which enter them */
} cflri_callees;

typedef enum cflri_body {
    CFLRI_BODY_HERE,    /* the program defines it */
    CFLRI_BODY_SUMMARY, /* it does not, but a summary says what it does */
    CFLRI_BODY_UNKNOWN, /* neither: it may do anything with what it gets */
} cflri_body;

/* The findings of closing about a function. */
typedef struct cflri_role {
    cflri_body body;
    bool valued;        /* its address flows somewhere: it can be called through a value */
    bool entered;       /* called other than by a direct call (valued, or by a summary: qsort) */
    cflri_node value;   /* address of the function; CFLRI_NO_NODE when it was never needed */
    cflri_node unknown; /* BODY_UNKNOWN: what it holds; CFLRI_NO_NODE when it is not used */
} cflri_role;

/* Where the edge between two vertices is stated. */
typedef struct cflri_flow_place {
    uint64_t pair;  /* cflri_pair */
    uint32_t place; /* in facts.places */
} cflri_flow_place;

typedef struct cflri_program {
    cflr_context *context;
    const cflri_summaries *summaries;
    cflri_facts facts;
    /* while adding */
    uint32_t n_units;
    struct cflri_triples *definitions; /* (root, file, offset) -> 0: definitions seen */
    struct cflri_triples *places;      /* (caller, callee, file) -> number of its own */
    struct cflri_triples *sites;       /* (that number, offset, ordinal) -> call */
    struct cflri_triples *checks;      /* (its first node, 0, 0) -> check */
    uint32_t n_places;
    cflri_seen flows, mentions;    /* the facts' assigns and mentions */
    cflri_seen members;            /* likewise */
    CFLRI_VEC(uint32_t) call_unit; /* number of the last unit that has the call */
    bool open;                     /* others call it; set before closing */
    /* Its graph will have locations (locations.h), and types tell where moved pointers lead; set
     * before closing. */
    bool strict;
    bool text;    /* what is copied as characters holds no pointers (made.h); set before closing */
    bool by_type; /* calls through values enter functions by their types; set before closing */
    /* after closing */
    cflri_callees callees;
    cflri_node outside; /* of an open program; else CFLRI_NO_NODE */
    cflri_role *role;   /* by function */
    bool *kept;         /* by node; assigns then touch kept nodes only */
    bool *taken;        /* by node: a slot whose parameter is pointed to */
    uint32_t calls_direct, calls_indirect, calls_unmodelled;
    CFLRI_VEC(cflri_flow_place) flow_places;       /* filled by emission, where places are kept */
    uint32_t functions_entered, variables_entered; /* an open one: that the outside can name */
    uint32_t *site; /* by call: its name, see sites.h; NULL until cflri_program_name_sites */
} cflri_program;

/* `summaries` must outlive the program. Free it also when this fails. */
cflr_status cflri_program_init(cflri_program *program, cflr_context *context, cflr_fields fields,
                               const cflri_summaries *summaries, cflr_error *error);
void cflri_program_free(cflri_program *program);

/* Merges the facts of one unit, whose number in the scopes is `number`; without scopes (NULL) an
 * external name means one thing in all units. O(unit). */
cflr_status cflri_program_add(cflri_program *program, const cflri_facts *unit,
                              const struct cflri_scopes *scopes, uint32_t number,
                              cflr_error *error);

/* Code in that file is not read, or not all of it; before closing (lost.c). */
void cflri_program_unread(cflri_program *program, const char *path, uint32_t line,
                          const char *cause);

/* Decides between bodies and summaries, gives functions without either their unknown node (in an
 * open program: the outside), drops integers that no pointer passes through and nodes that nothing
 * touches. O(program). */
cflr_status cflri_program_close(cflri_program *program, cflr_error *error);

/* For closing: frees what only adding needs. */
void cflri_program_end_adding(cflri_program *program);

/* ---- questions about a program ---- */

/* The function that this node is the address of; 0 for any other node. */
uint32_t cflri_program_valued(const cflri_program *program, cflri_node node);

/* The function whose slot this node is, by the function's own address; 0 for any other node. */
uint32_t cflri_program_slot_owner(const cflri_program *program, cflri_node node);

/* The node under which a derived node sits inside its function: a root, or a slot of the function.
 */
cflri_node cflri_program_anchor(const cflri_program *program, cflri_node node);

/* Is this call none of the program, but the carrier of a summary on the function's own parameters?
 */
bool cflri_program_carries(const cflri_program *program, uint32_t call);

/* Is there a value, and does its call go through it? One that a summary calls it does not where the
 * function has a body, and where a carrier waits for a call through a value that never comes. */
bool cflri_program_calls(const cflri_program *program, const cflri_called *called);

/* The function that an assignment is a statement of; 0: of none. */
uint32_t cflri_program_owner(const cflri_program *program, const cflri_assign *assign);

#endif
