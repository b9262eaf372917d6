/* SPDX-License-Identifier: Apache-2.0
 *
 * versions.h: which definition of a split local each of its uses reads.
 */
#ifndef CFLRI_VERSIONS_H
#define CFLRI_VERSIONS_H

#include "frontend/facts/facts.h"
#include "frontend/walk/order/control.h"

/* The value of a local between two writes, or where several of them meet. */
typedef struct cflri_version {
    uint32_t local;
    uint32_t instead; /* the version that this one turned out to be; itself */
    uint32_t e;       /* of a write: its event; CFLRI_NO_CHILD for all others */
    uint32_t
        tested; /* of a test: where `at` has the version that it is about; else CFLRI_NO_CHILD */
    uint32_t call, argument; /* of a test by a function of another unit; else CFLRI_NO_CHILD */
    bool yes;                /* and its outcome */
    uint32_t block;          /* where versions meet */
    uint32_t first_source, n_sources; /* they, in `sources` */
    cflri_node guard;                 /* of its guarded reads (guards.c), likewise */
    cflri_node node;                  /* CFLRI_NO_NODE until it is asked for */
    bool stated;                      /* a write that the walk came by */
} cflri_version;

/* Of one local. */
typedef struct cflri_history {
    uint32_t current, block; /* last version, and the block that it was written in, plus 1 */
    uint32_t argument;       /* version that a parameter begins with */
    uint32_t ends, exposed;  /* first of its entries, below */
    bool named;              /* some version has the node of the variable */
    bool loose;              /* a use was not foreseen: all versions are one */
    cflri_node loose_node;
} cflri_history;

/* A block and what is known of a local there; the next one of the same local. */
typedef struct cflri_entry {
    uint32_t block;
    uint32_t what; /* a version, or a use in the tree */
    uint32_t next;
} cflri_entry;

/* The version that a block has for the local that is being looked at: valid where the mark is the
 * local's number plus 1. */
typedef struct cflri_passage {
    uint32_t before, before_mark;
    uint32_t after, after_mark;
} cflri_passage;

/* A name, and the block in which it is found to be null, or its address is given to a call. */
typedef struct cflri_guard_site {
    uint32_t e, block;
    bool told; /* a call whose result is tested as well */
} cflri_guard_site;

/* Zero bytes are valid. By block its number, and by number its block and the number of the nearest
 * one that all ways lead through (guards.c). */
typedef struct cflri_guards {
    CFLRI_VEC(uint32_t) number;
    CFLRI_VEC(uint32_t) block;
    CFLRI_VEC(uint32_t) behind;
    CFLRI_VEC(uint32_t) open; /* while they are numbered */
    CFLRI_VEC(bool) meets;    /* by version: a null constant meets something else there */
    CFLRI_VEC(cflri_guard_site) sites;
    uint32_t n_numbers;
    uint32_t last; /* block that a read was found in */
    bool found;    /* for this function */
} cflri_guards;

/* Zero bytes are valid. */
typedef struct cflri_versions {
    cflri_control control;
    CFLRI_VEC(cflri_version) all; /* [0]: no value at all */
    CFLRI_VEC(uint32_t) sources;
    CFLRI_VEC(uint32_t)
    gates; /* of each source: the call that it holds behind; CFLRI_NO_CHILD: none */
    CFLRI_VEC(uint32_t)
    at; /* by node of the tree: version of the event there; UINT32_MAX: none. Then
                               by test: the version that is tested */
    CFLRI_VEC(uint32_t) where; /* by node of the tree: the block of a read; CFLRI_NO_BLOCK: none */
    cflri_guards guards;
    CFLRI_VEC(uint32_t) asked;          /* versions that have a node */
    CFLRI_VEC(cflri_history) histories; /* by local */
    CFLRI_VEC(cflri_entry) entries;
    CFLRI_VEC(cflri_passage) passages; /* by block */
    CFLRI_VEC(uint32_t) tests;         /* versions that tests made */
    uint64_t steps;                    /* that were taken from block to block */
} cflri_versions;

#endif
