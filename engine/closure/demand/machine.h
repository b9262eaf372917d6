/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.h: a set of the algebra as an automaton that is walked from a vertex on.
 *
 *     V ::= ~A M A | ~A A | ~f[1] V f[1] | ...
 *
 *     V:  o --~A--> o --M--> o --A--> end       each set, in each reading that is needed:
 *         |         `--A--> end                 a tree of its products, by their first factors
 *         `--~f[1]--> o --V--> o --f[1]--> end
 *
 * An edge is by an input of the graph; or by a *closure*, which is entered and left where it is
 * read; or by another set, which is *called*: its own tree is walked apart, from the same vertex
 * on. A call whose products all begin with an input is only made where the vertex has such an edge.
 *
 * Trees with edges for tens of thousands of inputs are met with the few that a vertex has: see
 * `port`.
 */
#ifndef CFLRI_MACHINE_H
#define CFLRI_MACHINE_H

#include "engine/closure/model.h"
#include "grammar/equations/algebra.h"

#define CFLRI_NO_NODE_YET UINT32_MAX

typedef struct cflri_machine_edge {
    cflri_factor by;
    uint32_t to; /* node */
} cflri_machine_edge;

/* At a vertex with a port of the symbol the edge goes on. */
typedef struct cflri_machine_port {
    uint32_t symbol; /* ground symbol */
    uint32_t edge;
} cflri_machine_port;

typedef struct cflri_machine_node {
    bool ends;        /* a product ends here */
    uint32_t n_free;  /* edges that go on at every vertex: the first ones */
    uint32_t n_ports; /* of the others */
    uint32_t n_out; /* ports at the beginning of an edge, the first ones; the others are at ends */
    cflri_machine_edge *edge;
    cflri_machine_port *port; /* ascending by symbol in both parts */
} cflri_machine_node;

enum { CFLRI_MACHINE_END = 0 }; /* the node without edges, where products end */

typedef struct cflri_machine {
    cflr_context *context;
    const cflri_algebra *algebra;
    cflri_arena arena; /* of nodes */
    CFLRI_VEC(cflri_machine_node) node;
    uint32_t *root;  /* of each factor that is needed */
    bool *enters;    /* sets: closures that are entered where they are read */
    bool *needed[2]; /* ports that are met, by direction and ground symbol */
    CFLRI_VEC(cflri_factor) todo;
} cflri_machine;

/* The trees of these factors, and of all that they need. O(size of the algebra). The machine is
 * freed by the caller, after a failure too. */
cflr_status cflri_machine_make(const cflri_algebra *algebra, const cflri_factor *wanted, size_t n,
                               cflri_machine *machine, cflr_error *error);
void cflri_machine_free(cflri_machine *machine);

static inline cflri_set_kind cflri_machine_kind(const cflri_machine *machine, cflri_factor factor) {
    return machine->algebra->set.at[cflri_factor_set(factor)].kind;
}

#endif
