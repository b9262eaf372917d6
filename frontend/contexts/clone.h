/* SPDX-License-Identifier: Apache-2.0
 *
 * clone.h: contexts by copies of functions (docs/explanation/contexts.md).
 *
 * An instance is one copy of one function: all nodes that belong to the function get a vertex of
 * their own in it, and its direct calls go to chosen instances of the callees. Instance 0 holds
 * what belongs to no function. Without contexts each function has one instance.
 */
#ifndef CFLRI_CLONE_H
#define CFLRI_CLONE_H

#include "frontend/facts/groups.h"
#include "frontend/program/link.h"

#define CFLRI_NO_INSTANCE UINT32_MAX
/* Vertices, when the user names no bound: this or a quarter more than there are without copies,
 * whichever is more. */
#define CFLRI_CLONE_LIMIT UINT64_C(60000)

typedef struct cflri_instance {
    uint32_t function;
    uint32_t context; /* call string or type, in the program's strings; 0 for a base instance */
    uint32_t first_vertex; /* of its nodes, which are numbered in their order */
    uint32_t first_target; /* in `targets`: one instance for each call of the function, in order */
    bool base;             /* the instance that calls through values reach */
} cflri_instance;

typedef struct cflri_contexts {
    cflri_program *program;
    uint32_t *owner;    /* by node: the function whose instances have it; 0: one for all */
    uint32_t *local;    /* by node: its number among the kept nodes of its owner */
    uint32_t *base;     /* by function: its base instance, or CFLRI_NO_INSTANCE */
    uint32_t *ordinal;  /* by call: its place among its caller's calls */
    cflri_groups nodes; /* kept ones, by owner */
    cflri_groups calls; /* by caller */
    CFLRI_VEC(cflri_instance) instances;
    CFLRI_VEC(uint32_t) targets; /* instances; CFLRI_NO_INSTANCE for a callee without a body */
    uint64_t n_vertices;
    uint64_t copies;  /* instances beyond the first of each function */
    uint64_t limited; /* calls that share their callee's base instance because of the limit */
} cflri_contexts;

/* Chooses the instances of a closed program. `limit` bounds the vertices that copies may bring the
 * program to; 0: a default. CFLR_LIMIT when even without copies there are more vertices than a
 * graph may have. Free it also when this fails. */
cflr_status cflri_contexts_make(cflri_contexts *contexts, cflri_program *program,
                                cflr_contexts mode, uint64_t limit, cflr_error *error);
void cflri_contexts_free(cflri_contexts *contexts);

/* The instances, grouped by function. */
cflr_status cflri_contexts_group(const cflri_contexts *contexts, cflri_groups *groups,
                                 cflr_error *error);

/* The vertex of a kept node as instance `i` sees it. For the far end of a direct call pass the
 * call's target instance; a node of another function is its base instance's. */
uint32_t cflri_contexts_vertex(const cflri_contexts *contexts, uint32_t instance, cflri_node node);

/* The vertices of both ends of an assignment, as instance `i` of its owner states it. */
void cflri_contexts_assign(const cflri_contexts *contexts, uint32_t i, const cflri_assign *assign,
                           uint32_t *from, uint32_t *to);

#endif
