/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.h: what the parts of the batch solver share: nodes, and the equations by what they read.
 *
 *     family     the rows of one set (grammar/equations.h)
 *     node       one row of a family: what is settled or waits
 *     delta      what waits of a node that is queued
 *
 *         nodes    | D(3) | V(3) | D(7) | ...                                  in order of making
 *         dense    D:  . . . 0 . . . 2 ...         vertex -> node, for families that many vertices have
 *         hashed   (FV[8], 5) -> 17                for the others
 */
#ifndef CFLRI_BATCH_H
#define CFLRI_BATCH_H

#include "base/row.h"
#include "base/vec.h"
#include "engine/closure/ports.h"
#include "grammar/equations.h"

#define CFLRI_NO_NODE UINT32_MAX

typedef struct cflri_node {
    cflri_row all; /* whatever is known of the row */
    uint32_t family;
    uint32_t vertex;
    uint32_t delta; /* its number while it is queued, or CFLRI_NO_NODE */
} cflri_node;

/* A node that is queued, and what of its row has not been worked off. */
typedef struct cflri_delta {
    cflri_row row;
    uint32_t node;
    uint32_t next_spare;
} cflri_delta;

/* Who has the vertex in its row of Q: for PAIR equations that are read from the right. */
typedef struct cflri_sources {
    CFLRI_VEC(uint32_t) vertex; /* alone */
    CFLRI_VEC(uint32_t) group;  /* all members of these groups */
} cflri_sources;

/* Vertices that had equal rows of Q when they were put together (batch_hubs.c). */
typedef struct cflri_group {
    CFLRI_VEC(uint32_t) member;
} cflri_group;

typedef struct cflri_hubs {
    CFLRI_VEC(cflri_group) group;
    uint64_t useless;  /* merges along single pairs that brought nothing, since the last grouping */
    uint64_t patience; /* how many of them there may be until the next */
} cflri_hubs;

/* The equations that read one family, by kind; numbers of equations. */
typedef struct cflri_readers {
    CFLRI_VEC(uint32_t) copy;
    CFLRI_VEC(uint32_t) turn;
    CFLRI_VEC(uint32_t) step;
    CFLRI_VEC(uint32_t) pair_right; /* the family is S */
    CFLRI_VEC(uint32_t) pair_by;    /* the family is Q */
    CFLRI_VEC(uint32_t) edge;       /* ascending by (direction of the port, label) */
    CFLRI_VEC(uint32_t) between;    /* the same, of `open` */
    bool sources; /* kept, because some PAIR that is not turned goes by this family */
} cflri_readers;

typedef struct cflri_batch {
    const cflri_problem *problem;
    cflr_context *context;
    cflri_equations *equations;
    cflri_readers *readers; /* one a family */
    cflri_ports ports;
    cflri_rows rows;
    CFLRI_VEC(cflri_node) node;
    uint32_t **dense; /* family -> vertex -> node; NULL for hashed families */
    uint32_t *hashed; /* open addressing, node or CFLRI_NO_NODE */
    uint64_t hash_mask;
    uint64_t n_hashed;
    cflri_sources **sources; /* family -> vertex; NULL where nobody reads them */
    cflri_hubs *hubs;        /* one a family */
    uint32_t n_families;     /* those of the equations, then one of hubs for each PAIR */
    uint32_t *hub;           /* equation -> its family of hubs, or CFLRI_NO_SYMBOL */
    uint32_t *hub_equation;  /* family of hubs, less n_rows -> equation */
    uint8_t *copies;         /* family -> relations of the result that it ends up in */
    CFLRI_VEC(cflri_delta) delta;
    uint32_t spare_delta;      /* one that no node has, or CFLRI_NO_NODE */
    CFLRI_VEC(uint32_t) queue; /* of deltas */
    size_t queue_head;
    uint64_t pairs; /* of the result, so far */
    uint64_t derivations;
    uint64_t fruitful; /* merges that brought something */
    uint64_t rounds;
    uint64_t check_at;
    uint64_t work;
    cflr_status end; /* CFLR_OK while it goes on; the rest is told by `error` */
    cflr_error *error;
} cflri_batch;

/* Equations by what they read, ports, places for nodes. */
cflr_status cflri_batch_init(cflri_batch *batch, const cflri_problem *problem, cflr_error *error);
void cflri_batch_free(cflri_batch *batch);
/* Frees what only solving needs: what is left are rows and their order. */
void cflri_batch_end_solving(cflri_batch *batch);
/* Frees the rows, too. */
void cflri_batch_drop_rows(cflri_batch *batch);

/* The node's number; CFLRI_NO_NODE when there is none. */
uint32_t cflri_batch_find(const cflri_batch *batch, uint32_t family, uint32_t vertex);
/* The same, made when it is missing; CFLRI_NO_NODE when memory is refused. */
uint32_t cflri_batch_node(cflri_batch *batch, uint32_t family, uint32_t vertex);

/* The row R(vertex) gets the ids of `from`, which is not that row, and is queued if some are new.
 * False when it is time to end (batch->end). */
bool cflri_batch_add_row(cflri_batch *batch, uint32_t family, uint32_t vertex,
                         const cflri_row *from);

/* batch_hubs.c: a delta of a hub goes where it belongs; hubs are made anew for what the family's rows
 * are by now. The latter is false without batch->end when memory is refused. */
bool cflri_batch_feed_group(cflri_batch *batch, uint32_t hub_family, uint32_t group,
                            const cflri_row *row);
bool cflri_batch_regroup(cflri_batch *batch, uint32_t family);

/* The port of an edge that leads from a row to the rows it is contained in, and to what it reaches. */
static inline cflri_direction cflri_port_behind(bool back) {
    return back ? CFLRI_OUT : CFLRI_IN;
}
static inline cflri_direction cflri_port_ahead(bool back) {
    return back ? CFLRI_IN : CFLRI_OUT;
}

/* Relations from rows; as cflri_solver.solve. */
cflr_status cflri_batch_collect(cflri_batch *batch, cflri_closure *closure);

#endif
