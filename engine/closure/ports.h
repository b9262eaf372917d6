/* SPDX-License-Identifier: Apache-2.0
 *
 * ports.h: the input edges at each vertex, all labels together, for a caller with a row that
 * asks along which edges it goes on.
 *
 *     vertex v:   | a -> 4 | a -> 9 | f[8] -> 2 |     and the same for edges that end in v
 *
 * A vertex costs what its edges cost, whatever the number of labels. Ports of one label stand
 * together, labels ascending.
 */
#ifndef CFLRI_PORTS_H
#define CFLRI_PORTS_H

#include "engine/closure/model.h"

typedef struct cflri_port {
    uint32_t label; /* ground symbol */
    uint32_t vertex;
} cflri_port;

/* OUT: edges from the vertex; IN: edges to it. */
typedef enum cflri_direction { CFLRI_OUT, CFLRI_IN } cflri_direction;

typedef struct cflri_ports {
    cflr_context *context;
    uint64_t *start[2]; /* n_vertices + 1; NULL in a direction that is not needed */
    cflri_port *port[2];
} cflri_ports;

/* needed[direction][ground symbol]: whether the caller is going to ask. */
cflr_status cflri_ports_init(cflri_ports *ports, const cflri_problem *problem,
                             const bool *const needed[2], cflr_error *error);
void cflri_ports_free(cflri_ports *ports);

typedef struct cflri_port_range {
    const cflri_port *at;
    uint32_t n;
} cflri_port_range;

static inline cflri_port_range cflri_ports_at(const cflri_ports *ports, cflri_direction direction,
                                              uint32_t vertex) {
    if (!ports->start[direction]) return (cflri_port_range){NULL, 0};
    const uint64_t *start = ports->start[direction] + vertex;
    return (cflri_port_range){ports->port[direction] + start[0], (uint32_t)(start[1] - start[0])};
}

/* The ports of one label. O(log) of all. */
cflri_port_range cflri_ports_search(cflri_port_range all, uint32_t label);

/* The same. Many vertices have edges of one label only, and then nothing is searched. */
static inline cflri_port_range cflri_ports_of(cflri_port_range all, uint32_t label) {
    bool same = all.n && all.at[0].label == label && all.at[all.n - 1].label == label;
    return same ? all : cflri_ports_search(all, label);
}

/* Where the edges of an equation stand, which may be read backwards: those that lead to a vertex,
 * from rows that have its row, and those that lead on from it. */
static inline cflri_direction cflri_port_behind(bool back) {
    return back ? CFLRI_OUT : CFLRI_IN;
}
static inline cflri_direction cflri_port_ahead(bool back) {
    return back ? CFLRI_IN : CFLRI_OUT;
}

#endif
