/* SPDX-License-Identifier: Apache-2.0
 *
 * spine.h: what derivations of a symbol look like from left to right, as an automaton.
 *
 *     V    ::= Back | V Step            begin --~a--> begin          a step of Back
 *     Back ::= ~Step Back | M | eps     begin --~d--> o --V--> o --d--> end
 *     Step ::= a | a M                  end --a--> end               a step of V
 *     M    ::= ~d V d
 *
 * Where symbols recur at one end of their rules only, a derivation is a word of edges, however deep its tree is: rules
 * are entered where they are read, and a loop closes where a symbol comes back. Where they recur in the middle, as V
 * does in M, that is a *call*: a step from one vertex to another, which has a derivation of its own. Symbols
 * are called whose pairs are known, since nothing else tells where a call may lead.
 *
 * Nodes are made when they are met. Each can be left in both directions, so that a search may begin at both ends.
 */
#ifndef CFLRI_SPINE_H
#define CFLRI_SPINE_H

#include "base/seen.h"
#include "base/vec.h"
#include "engine/closure/ports.h"

/* 2 * symbol, and 1 more when it is read backwards. */
typedef uint32_t cflri_reading;

#define CFLRI_NO_NODE UINT32_MAX

typedef enum cflri_arc_use {
    CFLRI_ARC_PASS, /* no step */
    CFLRI_ARC_EDGE, /* along an edge */
    CFLRI_ARC_CALL, /* along a pair of a called symbol */
} cflri_arc_use;

typedef struct cflri_arc {
    cflri_arc_use use;
    cflri_reading reading; /* of an edge or call: in the direction of the word */
    uint32_t to;           /* node; CFLRI_NO_NODE: not made yet, see cflri_spine_to */
    uint32_t rule;         /* where it is read */
    uint32_t position;
    bool loop; /* it goes once more through a loop that the walk has come into */
} cflri_arc;

/* At a vertex with such a port the arc goes on. */
typedef struct cflri_arc_port {
    cflri_direction side;
    uint32_t symbol;
    uint32_t arc; /* of the list */
} cflri_arc_port;

/* The arcs that leave a node in one direction. */
typedef struct cflri_arc_list {
    bool made;
    uint32_t n, n_free; /* the first ones go on at every vertex */
    cflri_arc *arc;
    uint32_t n_ports, n_out; /* ports at sources of edges are the first ones */
    cflri_arc_port *port;    /* ascending by side and symbol */
} cflri_arc_list;

typedef enum cflri_node_kind { CFLRI_NODE_BEGIN, CFLRI_NODE_END, CFLRI_NODE_MIDDLE } cflri_node_kind;

typedef struct cflri_spine_node {
    cflri_node_kind kind;
    uint32_t frame;
    uint32_t of; /* symbol; of a middle: rule */
    cflri_arc_list list[2];
} cflri_spine_node;

/* A symbol where it is read; `link` are the nodes at its begin and end there. */
typedef struct cflri_frame {
    uint32_t symbol;
    bool back; /* the word is read from its end to its begin */
    uint32_t link[2];
} cflri_frame;

/* Where a symbol comes back in the rules of its component. */
typedef enum cflri_loop { CFLRI_LOOP_NONE, CFLRI_LOOP_LEFT, CFLRI_LOOP_RIGHT } cflri_loop;

enum { CFLRI_MOST_GUARDS = 4 };

/* The edges that a reading may begin with. */
typedef struct cflri_guards {
    bool made;
    uint8_t n; /* 0: it may begin otherwise */
    cflri_direction side[CFLRI_MOST_GUARDS];
    uint32_t symbol[CFLRI_MOST_GUARDS];
} cflri_guards;

typedef struct cflri_spine {
    cflr_context *context;
    const cflri_ground *ground;
    cflri_arena arena;    /* of lists */
    uint32_t *first_rule; /* by symbol; one more at the end */
    bool *nullable;       /* by symbol, from here on */
    bool *epsilon;
    bool *called;
    uint32_t *component;
    cflri_loop *loop;       /* by component */
    bool *parted;           /* by component: see cflri_spine_parted */
    uint32_t *member_start; /* by component; one more */
    uint32_t *member;       /* symbols */
    cflri_guards *guards;   /* by reading */
    CFLRI_VEC(cflri_spine_node) node;
    CFLRI_VEC(cflri_frame) frame;
    CFLRI_VEC(uint64_t) frame_key; /* by frame: where it is read */
    cflri_seen nodes, frames;
} cflri_spine;

/* `held`, by ground symbol: its pairs are known. CFLR_ARGUMENT when symbols recur in the middle of their rules of which none
 * is known. The spine is freed by the caller, after a failure too. O(ground rules), for each symbol that is called. */
cflr_status cflri_spine_make(const cflri_ground *ground, const bool *held, cflri_spine *spine,
                             cflr_error *error);
void cflri_spine_free(cflri_spine *spine);

/* The symbol that a reading is about, converses taken apart. */
cflri_reading cflri_spine_reading(const cflri_ground *ground, uint32_t symbol);

/* Has no word of the symbol a loop at the left before one at the right? Then a search from its begin that goes round no loop at
 * the left meets one from its end that goes round none at the right. */
bool cflri_spine_parted(const cflri_spine *spine, uint32_t symbol);

/* The node where words of the symbol begin, or end; CFLRI_NO_NODE when memory is refused. */
uint32_t cflri_spine_root(cflri_spine *spine, uint32_t symbol, bool end);

/* The arcs that lead on in the word from the node, or back; NULL when memory is refused. Good until the next one is
 * made. */
const cflri_arc_list *cflri_spine_arcs(cflri_spine *spine, uint32_t node, bool forward);

/* Where the arc leads; CFLRI_NO_NODE when memory is refused. */
uint32_t cflri_spine_to(cflri_spine *spine, uint32_t node, bool forward, uint32_t arc);

#endif
