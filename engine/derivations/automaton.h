/* SPDX-License-Identifier: Apache-2.0
 *
 * automaton.h: what derivations of a symbol look like from left to right, as an automaton with a
 * stack.
 *
 *     V    ::= Back | V Step            begin --~a--> begin          a step of Back
 *     Back ::= ~Step Back | M | eps     begin --~d--> o --V--> o --d--> end
 *     Step ::= a | a M                  end --a--> end               a step of V
 *     M    ::= ~d V d
 *
 * Where symbols recur at one end of their rules only, a derivation is a word of edges, however
 * deep its tree is: rules are entered where they are read, and a loop closes where a symbol comes
 * back. Where they recur in the middle, as V does in M, that is a *call*: the symbol is entered
 * once more, and the stack of frames grows. Symbols whose pairs are filtered are called, too, so
 * that both ends of such a pair are known: those of a frame.
 *
 * A place in a word is a frame and a node. Each can be left in both directions, so that a search
 * may begin at both ends.
 */
#ifndef CFLRI_AUTOMATON_H
#define CFLRI_AUTOMATON_H

#include "base/seen.h"
#include "base/vec.h"
#include "engine/closure/ports.h"

/* 2 * symbol, and 1 more when it is read backwards. */
typedef uint32_t cflri_word_reading;

#define CFLRI_NO_NODE UINT32_MAX
#define CFLRI_NO_FRAME UINT32_MAX

typedef enum cflri_arc_use {
    CFLRI_ARC_PASS,  /* to another node of the frame, without a step */
    CFLRI_ARC_EDGE,  /* along an edge */
    CFLRI_ARC_ENTER, /* into a frame of what a rule reads there */
    CFLRI_ARC_LEAVE, /* out of the frame */
} cflri_arc_use;

typedef struct cflri_arc {
    cflri_arc_use use;
    cflri_word_reading reading; /* of an edge, or of what is entered: as the rule has it */
    uint32_t to;                /* of a pass or edge: node */
    uint32_t rule; /* where it is read; UINT32_MAX: it is an edge of the symbol itself */
    uint32_t position;
} cflri_arc;

/* At a vertex with such a port the arc goes on. */
typedef struct cflri_arc_port {
    cflri_direction side;
    uint32_t symbol;
    uint32_t arc; /* of the list */
} cflri_arc_port;

/* One bit for ports of a kind: sets of vertices and arcs that have no bit in common have no such
 * port in common. */
static inline uint64_t cflri_port_kind(cflri_direction side, uint32_t symbol) {
    return (uint64_t)1 << ((2 * symbol + side) * UINT64_C(0x9E3779B97F4A7C15) >> 58);
}

/* The arcs that leave a node in one direction. */
typedef struct cflri_arc_list {
    bool made;
    uint32_t n, n_free; /* the first ones go on at every vertex */
    cflri_arc *arc;
    uint32_t n_ports, n_out; /* ports at sources of edges are the first ones */
    cflri_arc_port *port;    /* ascending by side and symbol */
    uint64_t kinds;          /* of ports */
    uint64_t exits;          /* vertices with such a port, summed over the ports */
} cflri_arc_list;

typedef enum cflri_word_node_kind {
    CFLRI_NODE_BEGIN,
    CFLRI_NODE_END,
    CFLRI_NODE_MIDDLE
} cflri_word_node_kind;

typedef struct cflri_automaton_node {
    cflri_word_node_kind kind;
    uint32_t symbol;        /* of the frames that it is in */
    uint32_t of;            /* symbol; of a middle: rule */
    cflri_arc_list list[2]; /* to the left and to the right in the rules */
} cflri_automaton_node;

/* A symbol where a rule reads it. */
typedef struct cflri_stack_frame {
    uint32_t symbol;
    uint32_t parent; /* CFLRI_NO_FRAME: the word is one of the symbol */
    uint32_t rule, position;
    uint32_t depth; /* calls, from the word on */
    bool back;      /* in the direction of the word it goes from its end to its begin */
} cflri_stack_frame;

/* Where a symbol comes back in the rules of its component. */
typedef enum cflri_word_loop { CFLRI_LOOP_NONE, CFLRI_LOOP_LEFT, CFLRI_LOOP_RIGHT } cflri_word_loop;

enum { CFLRI_MOST_GUARDS = 4 };

/* The edges that a reading may begin with. */
typedef struct cflri_word_guards {
    bool made;
    uint8_t n; /* 0: it may begin otherwise */
    cflri_direction side[CFLRI_MOST_GUARDS];
    uint32_t symbol[CFLRI_MOST_GUARDS];
} cflri_word_guards;

typedef struct cflri_automaton {
    cflr_context *context;
    const cflri_ground *ground;
    cflri_arena arena; /* of lists */
    bool *nullable;    /* by symbol, from here on */
    bool *epsilon;
    bool *called;
    bool *deeper; /* a call of it is one level deeper: it recurs; others are filtered only */
    uint32_t *component;
    cflri_word_loop *loop;     /* by component */
    uint32_t *member_start;    /* by component; one more */
    uint32_t *member;          /* symbols */
    cflri_word_guards *guards; /* by symbol and direction; one more */
    CFLRI_VEC(cflri_automaton_node) node;
    CFLRI_VEC(cflri_stack_frame) frame;
    cflri_seen nodes, frames;
} cflri_automaton;

/* `held`, by ground symbol: its pairs are known; such symbols are called rather than others. The
 * automaton is freed by the caller, after a failure too. O(ground rules) for each symbol that is
 * called. */
cflr_status cflri_automaton_make(const cflri_ground *ground, const bool *held,
                                 cflri_automaton *automaton, cflr_error *error);
void cflri_automaton_free(cflri_automaton *automaton);

/* The symbol that a reading is about, converses taken apart. */
cflri_word_reading cflri_automaton_reading(const cflri_ground *ground, uint32_t symbol);

/* Frames from now on are those of another question. */
void cflri_automaton_forget_frames(cflri_automaton *automaton);

/* The frame of words of a symbol, and its node at their begin or end. CFLRI_NO_FRAME,
 * CFLRI_NO_NODE: memory is refused. */
uint32_t cflri_automaton_word(cflri_automaton *automaton, uint32_t symbol);
uint32_t cflri_automaton_node_at(cflri_automaton *automaton, uint32_t symbol,
                                 cflri_word_node_kind kind, uint32_t of);

/* Is a walk through the frame, on in the word or back, one to the right in the rules? */
static inline bool cflri_automaton_right(const cflri_automaton *automaton, uint32_t frame,
                                         bool forward) {
    return forward != automaton->frame.at[frame].back;
}

/* The arcs that leave a node; NULL when memory is refused. Good until the next list is made,
 * their arrays for ever. */
const cflri_arc_list *cflri_automaton_arcs(cflri_automaton *automaton, uint32_t node, bool right);

/* The node behind what an arc would enter; CFLRI_NO_NODE when memory is refused. */
uint32_t cflri_automaton_behind(cflri_automaton *automaton, uint32_t frame, const cflri_arc *arc,
                                bool right);

/* Follows an arc that enters or leaves: the frame, and the node there; CFLRI_NO_FRAME when memory
 * is refused. */
uint32_t cflri_automaton_enter(cflri_automaton *automaton, uint32_t frame, const cflri_arc *arc,
                               bool forward, uint32_t *node);
uint32_t cflri_automaton_leave(cflri_automaton *automaton, uint32_t frame, bool forward,
                               uint32_t *node);

#endif
