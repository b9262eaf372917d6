/* SPDX-License-Identifier: Apache-2.0
 *
 * primitive.h: how a primitive describes itself to the host: what it needs, which columns its task
 * points to, how it runs.
 *
 * From the description alone the host makes a task on the processor or on a GPU: it allocates each
 * column and puts its address at the offset that the description gives.
 */
#ifndef CFLRI_PRIMITIVE_H
#define CFLRI_PRIMITIVE_H

#include <stddef.h>

#include "base/plain/csr.h"
#include "cflr/traverse.h"
#include "engine/traverse/task.h"

struct cflri_thread;

/* How long a column is. */
typedef enum cflri_per {
    CFLRI_PER_VERTEX,
    /* edges / 2: of a symmetric graph those from the smaller end; NULL where rows are not at hand,
     * as there is no room for it then */
    CFLRI_PER_HALF_EDGES,
    CFLRI_PER_WORD,      /* a bit a vertex */
    CFLRI_PER_LEVEL,     /* vertices + 2 */
    CFLRI_PER_EDGE_WORD, /* a bit an edge; to callers: the numbers of these edges, ascending */
    CFLRI_PER_CELL,      /* CFLRI_CELLS */
} cflri_per;

/* As a column's type: uint32 or float32, as the graph's weights are. */
enum { CFLRI_COLUMN_OF_WEIGHT = 5 };

typedef struct cflri_column {
    const char *name; /* NULL: only the driver needs it */
    uint32_t type;    /* cflr_column_type, or CFLRI_COLUMN_OF_WEIGHT */
    cflri_per per;
    size_t offset;     /* of its pointer in the task */
    bool when_pushing; /* NULL unless the caller asked to push */
} cflri_column;

enum { CFLRI_COLUMNS = 16 };

/* Which form of the graph the driver looks at. */
typedef enum cflri_form {
    CFLRI_AS_IT_IS,
    CFLRI_BOTH_WAYS, /* with `in`, the edges backwards */
    /* each edge once, from the end of fewer edges; vertices are numbered by degree */
    CFLRI_BY_DEGREE,
} cflri_form;

/* What a run may do with what it reads, for schedules that reorder it (docs/reference/graph.md). */
typedef enum cflri_safety {
    CFLRI_ALL_ACTIVE,        /* every vertex in every step */
    CFLRI_ORDER_INSENSITIVE, /* an edge may be looked at in any order, but once */
    CFLRI_IDEMPOTENT,        /* and as often as one likes, with values of any step */
} cflri_safety;

/* How much the edges weigh that vertices are split with (base/plain/csr_split.c), so that nothing
 * else changes. */
typedef enum cflri_tree_weight {
    CFLRI_NO_SPLIT, /* it counts edges, or looks at neighbours */
    CFLRI_SPLIT_PLAIN,
    CFLRI_SPLIT_ZERO,     /* sums of weights stay as they are */
    CFLRI_SPLIT_GREATEST, /* least weights do */
} cflri_tree_weight;

/* The number of one that is none of CFLR_PRIMITIVE_LIST: it runs on the processor, and nothing
 * checks it. */
enum { CFLRI_OWN_PRIMITIVE = 0xffff };

typedef struct cflri_primitive {
    const char *name;
    uint32_t which; /* cflr_primitive, or CFLRI_OWN_PRIMITIVE */
    cflr_primitive_needs needs;
    cflri_form form;
    cflri_safety safety;
    cflri_tree_weight split;
    bool has_directions;
    bool may_repeat;    /* it has an idempotent mode */
    bool has_levels;    /* which may be bounded */
    bool has_circle;    /* of trust */
    bool any_weight;    /* negative ones, too */
    bool adds_weights;  /* as float32 */
    bool numbers_edges; /* with 32 bits */
    bool counts_edges;  /* parallel ones apart */
    bool by_width;      /* its keys are weights, not sums of them */
    bool goes_far;      /* it takes as many steps as the graph is wide, or more */
    bool relaxes;       /* it can leave the order of visits to how rows come (cflri_relax) */
    bool gathers;       /* unless it pushes, it reads edges in gathers of all of `in` alone */
    bool on_host;       /* it has no kernel for a GPU */
    size_t task_size;
    const char *count, *number;         /* what these two of the outcome are; NULL: nothing */
    cflri_column column[CFLRI_COLUMNS]; /* ends with offset 0 */
    void (*run)(struct cflri_thread *m, void *task); /* on the processor */
} cflri_primitive;

const cflri_primitive *cflri_primitive_of(cflr_primitive primitive);

/* As cflr_traversal_new, of any primitive. */
cflr_status cflri_traversal_new(cflr_csr *csr, const cflri_primitive *primitive,
                                const cflr_traverse_opts *opts, cflr_traversal **traversal,
                                cflr_error *error);

#endif
